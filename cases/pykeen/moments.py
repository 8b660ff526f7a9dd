"""What pykeen promises of the moments of the median rank under random ranks, in closed form and by sampling."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from hypothesis import strategies as st

from cases.pykeen import scripts
from cases.pykeen.median import PAGE
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, pairs, product, sized, union
from harness.expected import Each, Enclosed, Exactly, Expected, OneOf, Refusal
from harness.script import rational, rounded_up
from reference import rank_metrics
from reference.median.conventions import lower_median, uncorrelated_middle, upper_median
from reference.median.moments import Moments, moments
from reference.median.rounding import small
from reference.median.weighted import medians

# --- in closed form --------------------------------------------------------------------------------------------


class Candidates(NamedTuple):
    """The number of candidates of each rank, and the type of the array that holds them."""

    candidates: tuple[int, ...]
    dtype: str


MOST_RANKS, MOST_CANDIDATES = 50, 1000
"""What the exact reference carries in a few seconds."""


def _validate_candidates(x: Candidates) -> None:
    if not x.candidates or min(x.candidates) < 1 or x.dtype not in {"int64", "int32"}:
        raise ValueError("one or more numbers of candidates are expected, each from 1 on, as int64 or int32")
    if len(x.candidates) > MOST_RANKS or max(x.candidates) > MOST_CANDIDATES:
        raise ValueError(
            f"exact moments are had of up to {MOST_RANKS} ranks of up to {MOST_CANDIDATES:,} candidates each"
        )


@lru_cache(maxsize=4096)
def _moments(candidates: tuple[int, ...]) -> Moments:
    return moments(candidates)


def root(value: Fraction, *, up: bool = False) -> Fraction:
    """Return the square root of a rational to 100 binary digits, rounded down or up."""
    scale = 4**200
    whole = math.isqrt(value.numerator * scale // value.denominator)
    return Fraction(whole + up, 2**200)


def _within(candidates: Sequence[int], found: Moments) -> Each:
    """Return expectation and variance with their bounds, and the root of what the variance may be."""
    slack = small(candidates).variance
    low, high = max(found.variance - slack, Fraction(0)), found.variance + slack
    variance = Enclosed(found.variance, found.variance, slack) if found.variance > slack else Enclosed(low, high)
    std = Enclosed(root(low) * (1 - Fraction(1, 2**50)), root(high, up=True) * (1 + Fraction(1, 2**50)))
    return Each((Exactly(found.expected, small(candidates).expected), variance, std))


def _expected(x: Candidates) -> Expected:
    return _within(x.candidates, _moments(x.candidates))


def _reading(of: Callable[[Sequence[int]], Moments]) -> Callable[[Candidates], Expected]:
    return lambda x: _within(x.candidates, of(x.candidates))


def _describe(x: Candidates) -> str:
    dtype = "" if x.dtype == "int64" else f" as {x.dtype}"
    return f"candidates {', '.join(map(str, x.candidates))}{dtype}"


def _script(x: Candidates) -> Script:
    expected = _expected(x)
    assert isinstance(expected, Each)  # noqa: S101 - as it always is
    found = _moments(x.candidates)
    right = (
        f"abs(Fraction(value[0]) - DOCUMENTED[0]) <= Fraction({rounded_up(small(x.candidates).expected)}) and "
        "value[1] >= 0 and abs(Fraction(value[1]) - DOCUMENTED[1]) <= "
        f"Fraction({rounded_up(small(x.candidates).variance)})"
    )
    return scripts.call(
        setup=f"CANDIDATES = np.array({list(x.candidates)}, dtype=np.{x.dtype})\n",
        returns="[MedianRank().expected_value(CANDIDATES), MedianRank().variance(CANDIDATES), "
        "MedianRank().std(CANDIDATES)]",
        documented=f"[{rational(found.expected)}, {rational(found.variance)}]",
        words="expectation and variance, over every outcome",
        right=right,
        input=_describe(x),
    )


def multisets(length: int, top: int) -> Domain[Candidates]:
    """Return every ascending vector of candidates; the size is its length."""

    def of_length(n: int) -> list[tuple[int, ...]]:
        return list(combinations_with_replacement(range(1, top + 1), n))

    return Domain(
        name="candidates",
        parameters={"up_to": length, "candidates": f"1 to {top}"},
        inputs=mapped(
            lambda x: Candidates(x, "int64"),
            union(*(sized(choice(of_length(n)), n) for n in range(1, length + 1))),
        ),
        counts=lambda: {n: math.comb(n + top - 1, n) for n in range(1, length + 1)},
    )


MOMENTS = Case(
    name="pykeen/median-moments",
    contract=Contract(
        says="under ranks r_i that are independent and uniform on 1..N_i, expected_value and variance of the "
        "median rank are exact: the median is that of numpy, the mean of the two middle ranks where their number "
        "is even; the variance is never negative, and std is its root",
        source=f"{PAGE} (expected value, variance)",
        upstream="1.11.1 has no closed form; that of the development version (pykeen/pykeen#1575) takes the upper "
        "of the two middle ranks, where the metric takes their mean",
    ),
    input_type=Candidates,
    call="median_moments",
    validate=_validate_candidates,
    expected=_expected,
    conventions={
        "the upper of the two middle ranks": _reading(upper_median),
        "the lower of the two middle ranks": _reading(lower_median),
        "the two middle ranks taken as independent": _reading(uncorrelated_middle),
    },
    domains=(multisets(6, 6),),
    beyond=st.builds(
        Candidates,
        st.lists(st.integers(1, 60), min_size=1, max_size=12).map(tuple),
        st.sampled_from(["int64", "int32"]),
    ),
    describe=_describe,
    script=_script,
    values="expectation, variance, standard deviation",
)

# --- without a closed form ---------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """Candidates, weights or none, and which moment is asked for."""

    candidates: tuple[int, ...]
    weights: tuple[str, ...] | None
    function: str


FUNCTIONS = ("expected_value", "variance", "std")


def _asked(x: Asked) -> Expected:
    due = Refusal(("NoClosedFormError",))
    if x.weights is not None:
        return due
    exact = _within(x.candidates, _moments(x.candidates)).parts[FUNCTIONS.index(x.function)]
    return OneOf((due, exact))  # as the release has it


def _describe_asked(x: Asked) -> str:
    weights = "" if x.weights is None else f", weights {', '.join(x.weights)}"
    return f"{x.function} without num_samples, candidates {', '.join(map(str, x.candidates))}{weights}"


def _asked_script(x: Asked) -> Script:
    weights = "None" if x.weights is None else f"np.array([{', '.join(x.weights)}])"
    return scripts.call(
        setup=f"CANDIDATES = np.array({list(x.candidates)})\nWEIGHTS = {weights}\n",
        returns=f"MedianRank().{x.function}(CANDIDATES, weights=WEIGHTS)",
        documented='"a refusal (NoClosedFormError)"',
        words="there is no closed form",
        right="False" if x.weights is not None else "True",
        input=_describe_asked(x),
    )


def _all_asked() -> Domain[Asked]:
    vectors = [(2,), (1, 2), (3, 3), (2, 3, 4)]
    return Domain(
        name="without samples",
        parameters={},
        inputs=mapped(
            lambda x: Asked(x[0], ("1.0",) * len(x[0]) if x[1] else None, x[2]),
            product(choice(vectors), choice([False, True]), choice(FUNCTIONS)),
        ),
        counts=lambda: {0: len(vectors) * 2 * len(FUNCTIONS)},
    )


NO_CLOSED_FORM = Case(
    name="pykeen/median-no-closed-form",
    contract=Contract(
        says="with weights, or in a release without a closed form, the moments of the median rank are refused by "
        "NoClosedFormError where num_samples is not given",
        source=f"the docstring of pykeen.metrics.ranking.RankBasedMetric.expected_value (Raises), and {PAGE} "
        "(weighted case)",
    ),
    input_type=Asked,
    call="median_no_closed_form",
    expected=_asked,
    domains=(_all_asked(),),
    describe=_describe_asked,
    script=_asked_script,
)

# --- by sampling -----------------------------------------------------------------------------------------------


class Sampled(NamedTuple):
    """Candidates, weights or none, which estimate is asked for, from how many samples, with which seed."""

    candidates: tuple[int, ...]
    weights: tuple[str, ...] | None
    function: str
    samples: int
    seed: int


ESTIMATES = (
    "numeric_expected_value",
    "numeric_variance",
    "numeric_expected_value_with_ci",
    "numeric_variance_with_ci",
)
SAMPLES = 2000
SEEDS = 4
BOOTSTRAPS = 1000

FALSE_ALARM = Fraction(1, 10**9)
"""At most so likely is it, over the seeds, that a right estimate is taken for a wrong one."""


@lru_cache(maxsize=1024)
def _true(candidates: tuple[int, ...], weights: tuple[str, ...] | None) -> tuple[Fraction, Fraction]:
    """Return expectation and variance of the median, weighted or not, over every outcome."""
    given = [1] * len(candidates) if weights is None else [Fraction(weight) for weight in weights]
    values = [medians(outcome, given).midpoint for outcome in rank_metrics.outcomes(candidates)]
    mean = sum(values, start=Fraction(0)) / len(values)
    return mean, sum(((value - mean) ** 2 for value in values), start=Fraction(0)) / len(values)


def _reach(spread: int, samples: int, alarms: int) -> tuple[float, float]:
    """Return how far a sample mean, and a sample standard deviation, may lie from the true one.

    The sampled values lie in an interval of length ``spread``, and ``alarms`` events share the false alarms.

    * mean: P(|mean - E| >= t) <= 2 exp(-2 S t^2 / spread^2) (Hoeffding 1963, theorem 2);
    * standard deviation: P(|sd - sigma| >= t) <= 2 exp(-(S - 1) t^2 / (2 spread^2)) (Maurer and Pontil 2009, th. 10).
    """
    log = math.log(2 * alarms / FALSE_ALARM)
    return spread * math.sqrt(log / (2 * samples)), spread * math.sqrt(2 * log / (samples - 1))


def _sampled(x: Sampled) -> Expected:
    mean, variance = _true(x.candidates, x.weights)
    spread, with_interval = max(x.candidates) - 1, x.function.endswith("_with_ci")
    of_mean, of_deviation = _reach(spread, x.samples, 1 + BOOTSTRAPS if with_interval else 1)
    times = 2 if with_interval else 1  # a bootstrap is a sample of the sample, and as far from it
    if "expected_value" in x.function:
        reach = Fraction(of_mean) * times
        estimate = Enclosed(mean - reach, mean + reach, Fraction(1, 2**40))
    else:
        reach = Fraction(of_deviation) * times
        low, high = max(root(variance) - reach, Fraction(0)), root(variance, up=True) + reach
        divided = 1 - Fraction(1, x.samples)  # the bootstraps divide by S, not by S - 1
        estimate = Enclosed(low**2 * divided, high**2, Fraction(1, 2**40))
    return Each((estimate,) * 3) if with_interval else estimate


def _describe_sampled(x: Sampled) -> str:
    weights = "" if x.weights is None else f", weights {', '.join(x.weights)}"
    return f"{x.function}, candidates {', '.join(map(str, x.candidates))}{weights}, {x.samples} samples, seed {x.seed}"


def _sampled_script(x: Sampled) -> Script:
    expected = _sampled(x)
    estimate = expected.parts[0] if isinstance(expected, Each) else expected
    assert isinstance(estimate, Enclosed)  # noqa: S101 - as it always is
    weights = "None" if x.weights is None else f"np.array([{', '.join(x.weights)}])"
    low, high = float(estimate.low), float(estimate.high)
    return scripts.call(
        setup=f"CANDIDATES = np.array({list(x.candidates)})\nWEIGHTS = {weights}\n",
        returns=f"MedianRank().{x.function}(\n        num_candidates=CANDIDATES,\n        weights=WEIGHTS,\n"
        f"        num_samples={x.samples},\n        generator=np.random.default_rng({x.seed}),\n    )",
        documented=f"({low!r}, {high!r})",
        words=f"where an estimate lies, but for one in {int(1 / FALSE_ALARM):,} seeds",
        right="np.all(DOCUMENTED[0] - 1e-9 <= np.asarray(value)) and np.all(np.asarray(value) <= DOCUMENTED[1] + 1e-9)",
        input=_describe_sampled(x),
    )


def _all_sampled() -> Domain[Sampled]:
    vectors = [(1,), (10,), (2, 2), (1, 10), (10, 10), (2, 2, 2), (1, 4, 9), (2, 3, 4, 5), (5, 5, 5, 5)]
    weighted = {n: ("1.0",) * (n - 1) + ("2.0",) for n in range(1, 5)}
    return Domain(
        name="estimates",
        parameters={"samples": SAMPLES, "seeds": f"0 to {SEEDS - 1}"},
        inputs=mapped(
            lambda x: Sampled(x[0][0], weighted[len(x[0][0])] if x[0][1] else None, x[1][0], SAMPLES, x[1][1]),
            pairs(
                pairs(choice(vectors), choice([False, True])),
                pairs(choice(ESTIMATES), choice(range(SEEDS))),
            ),
        ),
        counts=lambda: {0: len(vectors) * 2 * len(ESTIMATES) * SEEDS},
    )


SAMPLING = Case(
    name="pykeen/median-sampling",
    contract=Contract(
        says="numeric_expected_value and numeric_variance estimate the moments of the metric from num_samples "
        "random rank vectors, and their variants with a confidence interval give its ends and the median of "
        "bootstrapped estimates",
        source="the docstrings of pykeen.metrics.ranking.RankBasedMetric.numeric_expected_value and its siblings",
    ),
    input_type=Sampled,
    call="median_sampling",
    expected=_sampled,
    domains=(_all_sampled(),),
    describe=_describe_sampled,
    script=_sampled_script,
    values="the estimate; with a confidence interval its lower end, median and upper end",
)
