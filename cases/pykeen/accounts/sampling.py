"""The accounts of sampled weighted medians that are truncated, and of the estimates that are made of them."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod

from cases.pykeen import scripts
from cases.pykeen.accounts.halves import halves
from cases.pykeen.accounts.upstream import (
    DEVELOPMENT,
    LICENCE,
    ONE_PATCH,
    RANKING,
    TAGS,
    UTILS,
    call,
    comment,
    regression_test,
)
from cases.pykeen.sampling import FEW, SAMPLED_VALUES, SAMPLES, SAMPLING, SEEDS, VECTORS, WEIGHTS, Sampled, Samples
from harness.account import Account, Quotation, RegressionTest, Series, Table
from harness.expected import Each, Enclosed, shown

SMALLEST = (2, 2, 2)

WHY = (
    "With weights, `MedianRank` returns an `int` where more than half of the weight is reached within a rank, and a "
    "`float` where it is exactly one half and the mean of two is taken, even if that is a whole number. "
    "`numpy.apply_along_axis` makes an array of the type of its first result, and puts all others in: where that one "
    "is an `int`, every 3/2 becomes 1. numpy knows "
    "this ([numpy#8352](https://github.com/numpy/numpy/issues/8352)); a reviewer's advice on a fix that was not "
    "merged ([numpy#8363](https://github.com/numpy/numpy/pull/8363)) is to see to it that the function always returns "
    "the same type."
)
MIXED = Quotation(UTILS, "return s_ranks[idx : idx + 2].mean()", "A mean is a float; otherwise a rank is returned.")
APPLIED = Quotation(RANKING, "return np.apply_along_axis(", "The first sampled value decides on the type of all.")
UNAFFECTED = (
    "Samples without weights (`numpy.median` is a float); seeds whose first sampled median is returned as a `float`; "
    "weights that cannot be split in two halves; and `memory_intense=False`, which makes an array of all values at "
    "once."
)
DEFENCE = (
    "The type of the array is numpy's choice, and each sampled value is right when it is calculated. "
    "`memory_intense=True` is documented as the faster of two ways, not as another estimate. Nothing suggests that "
    "the truncation was chosen, and no thread about it was found."
)
MEND = (
    "Let `MedianRank.__call__` return a float always, as its annotation says; the patch does so, since a mean of one "
    "or two ranks is a float. Or make the array in `get_sampled_values` of floats, whatever the metric returns, which "
    f"protects every metric. {ONE_PATCH}"
)
NOTE = "The seed is fixed: with another stream of random numbers than that of numpy's `default_rng` today, it may pass."


def _fractions(weights: tuple[str, ...] | None, n: int) -> list[Fraction]:
    return [Fraction(1)] * n if weights is None else [Fraction(weight) for weight in weights]


def _table(x: Sampled | Samples) -> Table:
    weights = x.weights or ("none",) * len(x.candidates)
    rows = enumerate(zip(x.candidates, weights, strict=True), 1)
    return Table(("ranking task", "candidates", "weight"), tuple((str(i), str(n), w) for i, (n, w) in rows))


# --- the estimates ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _distribution(candidates: tuple[int, ...], weights: tuple[str, ...] | None) -> dict[Fraction, Fraction]:
    """Return the probability of each weighted median under random ranks."""
    exact = _fractions(weights, len(candidates))
    outcomes = product(*(range(1, n + 1) for n in candidates))
    counts = Counter(halves(ranks, exact).midpoint for ranks in outcomes)
    return {value: Fraction(count, prod(candidates)) for value, count in sorted(counts.items())}


def _estimated(x: Sampled) -> list[str]:
    """Return how the true moment comes about."""
    chances = _distribution(x.candidates, x.weights)
    mean = sum((p * value for value, p in chances.items()), start=Fraction(0))
    listed = ", ".join(f"{value} (probability {p})" for value, p in chances.items())
    lines = [
        f"Each of the {prod(x.candidates)} vectors of ranks is as likely as any other",
        f"The median, or the midpoint of all weighted medians, is {listed}",
        f"E = {' + '.join(f'{p} * {value}' for value, p in chances.items())} = {mean}",
    ]
    if "variance" not in x.function:
        return lines
    square = sum((p * value**2 for value, p in chances.items()), start=Fraction(0))
    squares = " + ".join(f"{p} * ({value})^2" for value, p in chances.items())
    return [*lines, f"V = {squares} - ({mean})^2 = {square - mean**2}"]


def _worked_estimate(x: Sampled) -> list[str]:
    expected = SAMPLING.expected(x)
    if isinstance(expected, Each):
        what = "the lower end of the interval, its steps to the middle and to the upper end, and its width are"
    else:
        what = "the estimate is"
    return [
        *_estimated(x),
        f"By Bernstein's inequality, for {x.samples} samples and all but one in a thousand million seeds,",
        f"{what} {shown(expected)}",
    ]


def _call(function: str, x: Sampled | Samples) -> str:
    return (
        f"metric.{function}(\n    num_candidates=num_candidates,\n    weights=weights,\n    num_samples={x.samples},\n"
        f"    generator=np.random.default_rng(seed={x.seed}),\n)"
    )


def _setup(x: Sampled | Samples) -> str:
    return (
        f"metric = MedianRank()\nnum_candidates = np.array({list(x.candidates)})\n"
        f"weights = {scripts.weights(x.weights)}\n"
    )


def _test_estimate(x: Sampled) -> RegressionTest:
    expected = SAMPLING.expected(x)
    parts = expected.parts if isinstance(expected, Each) else (expected,)
    [(low, high), *_, (narrow, wide)] = [
        (float(part.low - part.within), float(part.high + part.within)) for part in parts if isinstance(part, Enclosed)
    ] * (2 if len(parts) == 1 else 1)
    right = f"assert {low:.6f} <= value <= {high:.6f}"
    if isinstance(expected, Each):
        right = f"assert {low:.6f} <= value[0] <= {high:.6f}\nassert {narrow:.9f} <= value[2] - value[0] <= {wide:.6f}"
    return regression_test(
        imports="import numpy as np\n\nfrom pykeen.metrics.ranking import MedianRank",
        name=f"weighted_median_rank_{x.function}",
        sentence="Test that the moments of the weighted median are estimated without a bias.",
        body=f"{_setup(x)}{comment(_worked_estimate(x))}\nvalue = {_call(x.function, x)}\n{right}",
        note=NOTE,
    )


def _given(x: Sampled | Samples) -> list[str]:
    return [
        f"num_candidates = np.array({list(x.candidates)})",
        f"weights = {scripts.weights(x.weights)}",
        f"rng = np.random.default_rng({x.seed})",
    ]


def _estimate_call(x: Sampled) -> list[str]:
    given = f"num_candidates=num_candidates, weights=weights, num_samples={x.samples}, generator=rng"
    return call("MedianRank", *_given(x), f"MedianRank().{x.function}({given})")


def _estimate(candidates: tuple[int, ...], seed: int, function: str = "numeric_expected_value") -> Sampled:
    return Sampled(candidates, WEIGHTS[len(candidates)], function, SAMPLES, seed)


TRUNCATED_ESTIMATES = Account(
    case=SAMPLING.name,
    cause="another value",
    title="Sampled moments of the weighted median are off if the first sample is an int",
    fault="Expectation and variance of the weighted median, estimated by sampling, are wrong for some seeds: if the "
    "first sampled median is of type `int`, all midpoints between two ranks are truncated before they are averaged.",
    worked=_worked_estimate,
    why=f"{WHY} The estimate is then one of the truncated median: for three ranking tasks of two candidates and the "
    "weights 1, 1, 2 it tends to 11/8 instead of 3/2, and more samples do not help.",
    quotations=(
        Quotation(RANKING, "The estimated expected value of this metric", "What is promised."),
        Quotation(
            RANKING, "return weighted_median(a=ranks, weights=weights).item()", "An integer or a float, as it comes."
        ),
        MIXED,
        APPLIED,
    ),
    licence=LICENCE,
    affected="`numeric_expected_value`, `numeric_variance`, their variants with a confidence interval, and "
    "`expected_value` and `variance` with `num_samples`, of `MedianRank` with `weights`. It depends on the seed: "
    "the first sampled median has to be returned as an `int`, which is so for 93 of the seeds 0 to 399 in this input: "
    "a whole number that comes from a mean, as of 1 and 1, is a `float`. The values of `InverseMedianRank` and "
    "`MedianAbsoluteDeviation` with weights, sampled the same way, become 0 where they are below 1 and the first is an "
    f"`int`. {TAGS}, and so does the development version.",
    unaffected=UNAFFECTED,
    workarounds=(
        "Pass `memory_intense=False`, which all of these functions hand on to `get_sampled_values`. It is slower.",
    ),
    defence=f"{DEFENCE} The docstrings warn that an estimate may not be very accurate and may converge slowly.",
    mend=MEND,
    development=DEVELOPMENT,
    call=_estimate_call,
    test=_test_estimate,
    table=_table,
    examples=(
        *(_estimate(SMALLEST, seed) for seed in range(SEEDS)),
        _estimate(SMALLEST, 2, "numeric_variance"),
        _estimate((1, 4, 9), 2),
    ),
    series=(
        Series(
            title="expectation for candidates 2, 2, 2 and weights 1, 1, 2, from 2000 samples",
            along="seed",
            inputs=tuple((str(seed), _estimate(SMALLEST, seed)) for seed in range(SEEDS)),
            value="estimated expectation",
        ),
        Series(
            title="expectation from 2000 samples of seed 3, the last weight 2, the others 1",
            along="candidates",
            inputs=tuple((" ".join(map(str, vector)), _estimate(vector, 3)) for vector in VECTORS[3:]),
            value="estimated expectation",
        ),
    ),
)

# --- the samples -----------------------------------------------------------------------------------------------


def _worked_samples(x: Samples) -> list[str]:
    return [
        f"{x.samples} rank vectors are drawn, and {x.samples} values are asked for",
        "Each value has to be the metric of its ranks, and the same again with the same seed",
        f"How many are not: {shown(SAMPLED_VALUES.expected(x))}",
    ]


def _test_samples(x: Samples) -> RegressionTest:
    way = "" if x.memory_intense else "    memory_intense=False,\n"
    call = _call("get_sampled_values", x)
    call = call.removesuffix(")") + way + ")"
    if x.memory_intense:
        drawn = f"generate_ranks(num_candidates=num_candidates, prefix_shape=({x.samples},), seed=generator)"
    else:
        drawn = f"[generate_ranks(num_candidates=num_candidates, seed=generator) for _ in range({x.samples})]"
    return regression_test(
        imports="import numpy as np\n\nfrom pykeen.metrics.ranking import MedianRank, generate_ranks",
        name="weighted_median_rank_sampled_values",
        sentence="Test that sampled values are the metric on the sampled ranks, whole numbers or not.",
        body=f"""\
{_setup(x)}values = {call}
# the same seed leads to the same ranks, and each value is the metric of its ranks
generator = np.random.default_rng(seed={x.seed})
ranks = {drawn}
assert values.tolist() == [metric(ranks=r, weights=weights) for r in ranks]
""",
        note=NOTE,
    )


def _samples_call(x: Samples) -> list[str]:
    way = "" if x.memory_intense else ", memory_intense=False"
    drawn = f"generate_ranks(num_candidates, prefix_shape=({x.samples},), seed=rng)"
    drawn = drawn if x.memory_intense else f"[generate_ranks(num_candidates, seed=rng) for _ in range({x.samples})]"
    return call(
        "MedianRank, generate_ranks",
        *_given(x)[:-1],
        f"rng, again = np.random.default_rng({x.seed}), np.random.default_rng({x.seed})",
        f"ranks = {drawn}",
        f"values = MedianRank().get_sampled_values(num_candidates, {x.samples}, weights, again{way})",
        "sum(value != MedianRank()(r, weights=weights) for value, r in zip(values, ranks))",
    )


def _sample(candidates: tuple[int, ...], seed: int, *, memory_intense: bool = True) -> Samples:
    return Samples(candidates, WEIGHTS[len(candidates)], FEW, seed, memory_intense)


TRUNCATED_SAMPLES = Account(
    case=SAMPLED_VALUES.name,
    cause="another value",
    title="get_sampled_values truncates weighted medians if the first is an int",
    fault="`get_sampled_values` returns truncated weighted medians: where the first sampled one is of type `int`, each "
    "one that is halfway between two ranks loses its half.",
    worked=_worked_samples,
    why=WHY,
    quotations=(
        Quotation(RANKING, "the metric evaluated on `num_samples` sampled rank arrays", "What is promised."),
        Quotation(
            RANKING, "return weighted_median(a=ranks, weights=weights).item()", "An integer or a float, as it comes."
        ),
        MIXED,
        APPLIED,
    ),
    licence=LICENCE,
    affected="`get_sampled_values` of `MedianRank` with `weights`, in its default way (`memory_intense=True`), and "
    "all estimates that are made of it. `InverseMedianRank` and `MedianAbsoluteDeviation` with weights are sampled "
    f"the same way. {TAGS}, and so does the development version.",
    unaffected=UNAFFECTED,
    workarounds=("Pass `memory_intense=False`. It is slower.",),
    defence=DEFENCE,
    mend=MEND,
    development=DEVELOPMENT,
    call=_samples_call,
    test=_test_samples,
    table=_table,
    examples=(
        *(_sample(SMALLEST, seed) for seed in range(SEEDS)),
        _sample(SMALLEST, 2, memory_intense=False),
        _sample((1, 4, 9), 2),
    ),
    series=(
        Series(
            title="50 samples for candidates 2, 2, 2 and weights 1, 1, 2",
            along="seed",
            inputs=tuple((str(seed), _sample(SMALLEST, seed)) for seed in range(SEEDS)),
            value="values that are not the metric of their ranks",
        ),
        Series(
            title="50 samples of seed 3, the last weight 2, the others 1",
            along="candidates",
            inputs=tuple((" ".join(map(str, vector)), _sample(vector, 3)) for vector in VECTORS[3:]),
            value="values that are not the metric of their ranks",
        ),
    ),
)
