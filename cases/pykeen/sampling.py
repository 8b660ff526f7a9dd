"""What pykeen promises of the moments of the median rank by sampling."""

import math
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from cases.pykeen import scripts
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, pairs
from harness.expected import Each, Enclosed, Exactly, Expected
from reference import rank_metrics
from reference.median.weighted import medians


class Sampled(NamedTuple):
    """An estimate that is asked for.

    Attributes
    ----------
    candidates
        For each rank the number of candidates that it is drawn from, from 1 on.
    weights
        The weight of each rank, a number in quotes; null for no weights.
    function
        The method that is called, such as ``numeric_variance`` or ``expected_value``.
    samples
        From how many samples.
    seed
        The seed of the generator.
    """

    candidates: tuple[int, ...]
    weights: tuple[str, ...] | None
    function: str
    samples: int
    seed: int


ESTIMATES = (
    "numeric_expected_value",
    "numeric_variance",
    "expected_value",
    "variance",
    "numeric_expected_value_with_ci",
    "numeric_variance_with_ci",
)
SAMPLES = 2000
SEEDS = 4
BOOTSTRAPS = 1000

FALSE_ALARM = 1e-9
"""At most so likely is it, over the seeds, that any right estimate of the domain is taken for a wrong one."""


class Spread(NamedTuple):
    """Of the median X over every outcome: mean, variance, the variance of (X - mean)^2, and the largest deviation."""

    mean: Fraction
    variance: Fraction
    of_squares: Fraction
    farthest: Fraction


@lru_cache(maxsize=1024)
def _true(candidates: tuple[int, ...], weights: tuple[str, ...] | None) -> Spread:
    given = [1] * len(candidates) if weights is None else [Fraction(weight) for weight in weights]
    values = [medians(outcome, given).midpoint for outcome in rank_metrics.outcomes(candidates)]
    mean = sum(values, start=Fraction(0)) / len(values)
    squares = [(value - mean) ** 2 for value in values]
    variance = sum(squares, start=Fraction(0)) / len(values)
    of_squares = sum(((square - variance) ** 2 for square in squares), start=Fraction(0)) / len(values)
    return Spread(mean, variance, of_squares, max(abs(value - mean) for value in values))


def _bernstein(variance: float, farthest: float, samples: int, alarms: int) -> float:
    """Return how far a mean of samples lies from the true one, but for false alarms that ``alarms`` events share.

    P(|mean - E| >= t) <= 2 exp(-S t^2 / (2 V + 2 M t / 3)) for S samples of variance V that deviate by at most M
    (Bernstein; Boucheron, Lugosi and Massart, *Concentration Inequalities*, 2013, corollary 2.11), solved for t.
    """
    log = math.log(2 * alarms * INPUTS / FALSE_ALARM)
    third = farthest * log / 3
    return (third + math.sqrt(third**2 + 2 * samples * variance * log)) / samples


def _reach(true: Spread, samples: int, alarms: int = 2) -> tuple[float, float]:
    """Return how far the mean, and the variance, of samples lie from the true ones.

    The variance is the mean of (X - mu)^2 less (mean - mu)^2, whether it is divided by S or by S - 1: two events.
    """
    variance = float(true.variance)
    of_mean = _bernstein(variance, float(true.farthest), samples, alarms)
    of_squares = _bernstein(float(true.of_squares), float(true.farthest**2), samples, alarms)
    of_variance = (of_squares + of_mean**2 + variance / samples) * samples / (samples - 1)
    return of_mean, of_variance


def _bootstrapped(true: Spread, samples: int) -> tuple[float, float]:
    """Return the same for the mean, and the variance, of samples of the sample, any of the bootstraps.

    The sample is as far from the truth as `_reach` says; of it, (X - mean)^2 is at most (2 M)^2, and so varies by at
    most (2 M)^2 times its mean.
    """
    events = 2 * (1 + BOOTSTRAPS)
    of_mean, of_variance = _reach(true, samples, events)
    variance = float(true.variance) + of_variance
    farthest = 2 * float(true.farthest)
    again = _bernstein(variance, farthest, samples, events)
    squares = _bernstein(farthest**2 * variance, farthest**2, samples, events)
    return of_mean + again, of_variance + squares + again**2 + variance / samples


def _sampled(x: Sampled) -> Expected:
    true = _true(x.candidates, x.weights)
    of_mean = x.function.endswith(("expected_value", "expected_value_with_ci"))
    centre = true.mean if of_mean else true.variance
    if not x.function.endswith("_with_ci"):
        reach = Fraction(_reach(true, x.samples)[0 if of_mean else 1])
        return _around(centre, reach, of_mean=of_mean)
    reach = Fraction(_bootstrapped(true, x.samples)[0 if of_mean else 1])
    step = Enclosed(Fraction(0), 2 * reach, ROUNDING)
    narrowest = Fraction(1, 10**6) if true.variance and (of_mean or true.of_squares) else Fraction(0)
    return Each((_around(centre, reach, of_mean=of_mean), step, step, Enclosed(narrowest, 2 * reach, ROUNDING)))


def _around(centre: Fraction, reach: Fraction, *, of_mean: bool) -> Enclosed:
    low = centre - reach if of_mean else max(centre - reach, Fraction(0))
    return Enclosed(low, centre + reach, ROUNDING)


ROUNDING = Fraction(1, 2**40)
"""Sums of some thousand numbers below 100 round by less."""


def _describe_sampled(x: Sampled) -> str:
    weights = scripts.weights_in_words(x.weights)
    return f"{x.function}, candidates {', '.join(map(str, x.candidates))}{weights}, {x.samples} samples, seed {x.seed}"


def _sampled_script(x: Sampled) -> Script:
    expected = _sampled(x)
    parts = expected.parts if isinstance(expected, Each) else (expected,)
    ends = [(float(part.low), float(part.high)) for part in parts if isinstance(part, Enclosed)]
    weights = scripts.weights(x.weights)
    call = (
        f"MedianRank().{x.function}(\n        num_candidates=CANDIDATES,\n        weights=WEIGHTS,\n"
        f"        num_samples={x.samples},\n        generator=np.random.default_rng({x.seed}),\n    )"
    )
    differences = "def differences(found):\n    low, middle, high = found\n"
    differences += "    return [low, middle - low, high - middle, high - low]\n"
    return scripts.call(
        setup=f"CANDIDATES = np.array({list(x.candidates)})\nWEIGHTS = {weights}\n"
        + (f"\n\n{differences}\n" if len(ends) > 1 else ""),
        returns=f"differences({call})" if len(ends) > 1 else f"[{call}]",
        documented=repr(ends),
        words="where it lies, but for one in a thousand million seeds",
        right="all(low - 1e-9 <= part <= high + 1e-9 for part, (low, high) in zip(value, DOCUMENTED))",
        input=_describe_sampled(x),
    )


VECTORS = ((1,), (10,), (2, 2), (1, 10), (10, 10), (2, 2, 2), (1, 4, 9), (2, 3, 4, 5), (5, 5, 5, 5))
WEIGHTS = {n: ("1.0",) * (n - 1) + ("2.0",) for n in range(1, 5)}
INPUTS = len(VECTORS) * 2 * len(ESTIMATES) * SEEDS


def _all_sampled() -> Domain[Sampled]:
    return Domain(
        name="estimates",
        parameters={"samples": SAMPLES, "seeds": f"0 to {SEEDS - 1}"},
        inputs=mapped(
            lambda x: Sampled(x[0][0], WEIGHTS[len(x[0][0])] if x[0][1] else None, x[1][0], SAMPLES, x[1][1]),
            pairs(pairs(choice(VECTORS), choice([False, True])), pairs(choice(ESTIMATES), choice(range(SEEDS)))),
        ),
        counts=lambda: {0: INPUTS},
    )


SAMPLING = Case(
    name="pykeen/median-sampling",
    contract=Contract(
        says="numeric_expected_value and numeric_variance, and expected_value and variance where num_samples is given, "
        "estimate the moments of the metric from so many random rank vectors; the variants with a confidence interval "
        "estimate its ends",
        source="the docstrings of pykeen.metrics.ranking.RankBasedMetric.numeric_expected_value and its siblings",
        upstream="the interval is that of a bootstrap, and comes with its median in the middle, as the code has it",
    ),
    input_type=Sampled,
    call="median_sampling",
    expected=_sampled,
    domains=(_all_sampled(),),
    describe=_describe_sampled,
    script=_sampled_script,
    values="the estimate; with an interval its lower end, from there to the median, on to the upper end, and the width",
)


# --- the samples themselves ------------------------------------------------------------------------------------


class Samples(NamedTuple):
    """Samples of the metric.

    Attributes
    ----------
    candidates
        For each rank the number of candidates that it is drawn from, from 1 on.
    weights
        The weight of each rank, a number in quotes; null for no weights.
    samples
        How many samples.
    seed
        The seed of the generator.
    memory_intense
        Which of the two ways is taken: all at once (true), or one after the other.
    """

    candidates: tuple[int, ...]
    weights: tuple[str, ...] | None
    samples: int
    seed: int
    memory_intense: bool


FEW = 50


def _samples(_: Samples) -> Expected:
    return Exactly(Fraction(0))


def _describe_samples(x: Samples) -> str:
    weights = scripts.weights_in_words(x.weights)
    way = "" if x.memory_intense else ", memory_intense=False"
    return f"candidates {', '.join(map(str, x.candidates))}{weights}, {x.samples} samples, seed {x.seed}{way}"


def _samples_script(x: Samples) -> Script:
    weights = scripts.weights(x.weights)
    drawn = f"generate_ranks(CANDIDATES, prefix_shape=({x.samples},), seed=rng)"
    drawn = drawn if x.memory_intense else f"[generate_ranks(CANDIDATES, seed=rng) for _ in range({x.samples})]"
    return scripts.call(
        setup=f'''\
CANDIDATES = np.array({list(x.candidates)})
WEIGHTS = {weights}


def differing():
    """Count the sampled values that are not the metric of the ranks that were drawn."""
    sampled = MedianRank().get_sampled_values(
        num_candidates=CANDIDATES,
        num_samples={x.samples},
        weights=WEIGHTS,
        generator=np.random.default_rng({x.seed}),
        memory_intense={x.memory_intense},
    )
    rng = np.random.default_rng({x.seed})
    drawn = {drawn}
    values = [MedianRank()(ranks, weights=WEIGHTS) for ranks in drawn]
    return sum(a != b for a, b in zip(sampled, values))

''',
        returns="differing()",
        documented="0",
        words="sampled values that are another than the metric's",
        right="value == 0",
        names=("MedianRank", "generate_ranks"),
        input=_describe_samples(x),
    )


SAMPLED_VALUES = Case(
    name="pykeen/median-sampled-values",
    contract=Contract(
        says="get_sampled_values calculates the metric on sampled rank arrays; the generator makes it reproducible",
        source="the docstring of pykeen.metrics.ranking.RankBasedMetric.get_sampled_values",
    ),
    input_type=Samples,
    call="median_samples",
    expected=_samples,
    domains=(
        Domain(
            name="samples",
            parameters={"samples": FEW, "seeds": f"0 to {SEEDS - 1}"},
            inputs=mapped(
                lambda x: Samples(x[0][0], WEIGHTS[len(x[0][0])] if x[0][1] else None, FEW, x[1][0], x[1][1]),
                pairs(
                    pairs(choice(VECTORS), choice([False, True])), pairs(choice(range(SEEDS)), choice([True, False]))
                ),
            ),
            counts=lambda: {0: len(VECTORS) * 2 * SEEDS * 2},
        ),
    ),
    describe=_describe_samples,
    script=_samples_script,
    values="how many of the values are missing, not the metric of the ranks drawn, or others with the same seed",
)
