"""What pykeen promises of the expectation and variance of its metrics under random ranks, but for the median's."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from cases.pykeen import scripts
from cases.pykeen.moments import root
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import Enumeration, choice, mapped, pairs, power, sized, union
from harness.expected import Each, Enclosed, Exactly, Expected, Refusal, Special, Unspecified
from harness.script import rounded_up
from reference import rank_metrics
from reference.enclosure import Enclosure
from reference.rank_metrics import Moments


class ClosedForm(NamedTuple):
    """A metric, and what its ranks are drawn from.

    Attributes
    ----------
    metric
        The name of its class; of hits, with their k.
    candidates
        For each rank the number of candidates that it is drawn from, from 1 on.
    weights
        The weight of each rank, a number in quotes; null for no weights.
    dtype
        The type of the array that holds them: ``int64`` or ``int32``.
    """

    metric: str
    candidates: tuple[int, ...]
    weights: tuple[str, ...] | None
    dtype: str


BASES: Mapping[str, Callable[[Sequence[int], rank_metrics.Weights], Enclosure]] = {
    "ArithmeticMeanRank": rank_metrics.arithmetic,
    "GeometricMeanRank": rank_metrics.geometric,
    "InverseHarmonicMeanRank": rank_metrics.reciprocal,
    "HitsAtK@1": rank_metrics.hits(1),
    "HitsAtK@2": rank_metrics.hits(2),
}
"""The metrics with a closed form of their own."""

NORMALIZED = {"AdjustedArithmeticMeanRank": "ArithmeticMeanRank"}
"""Divided by their expectation."""

REINDEXED = {
    "AdjustedArithmeticMeanRankIndex": "ArithmeticMeanRank",
    "AdjustedGeometricMeanRankIndex": "GeometricMeanRank",
    "AdjustedInverseHarmonicMeanRank": "InverseHarmonicMeanRank",
    "AdjustedHitsAtK@1": "HitsAtK@1",
    "AdjustedHitsAtK@2": "HitsAtK@2",
}
"""Shifted and scaled, so that the expectation is 0 and the optimum 1."""

Z_SCORED = {
    "ZArithmeticMeanRank": "ArithmeticMeanRank",
    "ZGeometricMeanRank": "GeometricMeanRank",
    "ZInverseHarmonicMeanRank": "InverseHarmonicMeanRank",
    "ZHitsAtK@1": "HitsAtK@1",
    "ZHitsAtK@2": "HitsAtK@2",
}
"""Shifted and scaled, so that the expectation is 0 and the variance 1."""

BASE_OF = {**{base: base for base in BASES}, **NORMALIZED, **REINDEXED, **Z_SCORED}
"""By metric: the one with a closed form of its own that it is, or is derived from."""

METRICS = tuple(BASE_OF)

FALLING = {"ArithmeticMeanRank", "GeometricMeanRank"}
"""The better the smaller: their z-score changes the sign."""


def _weights(x: ClosedForm) -> list[Fraction]:
    return [Fraction(1)] * len(x.candidates) if x.weights is None else [Fraction(weight) for weight in x.weights]


def _moments(x: ClosedForm) -> Moments:
    """Return the moments of the metric that it is derived from."""
    return _remembered(BASE_OF[x.metric], x.candidates, tuple(_weights(x)))


@lru_cache(maxsize=4096)
def _remembered(base: str, candidates: tuple[int, ...], weights: tuple[Fraction, ...]) -> Moments:
    return rank_metrics.moments(BASES[base], candidates, weights)


def _near(value: Enclosure, within: Fraction) -> Enclosed:
    return Enclosed(value.low, value.high, within)


class Transformed(NamedTuple):
    """An affine transformation scale * (M - centre), and how far the scale may be off, relative to it."""

    scale: Enclosure
    centre: Enclosure
    relative: Fraction


def _transformation(x: ClosedForm, found: Moments) -> Transformed | None:
    """Return the documented transformation of a derived metric's base; None where it divides by nothing."""
    mean, variance = found.expectation, found.variance
    mean_bound = rank_metrics.within(x.candidates, mean)
    if x.metric in Z_SCORED:
        variance_bound = rank_metrics.within(x.candidates, found.second)
        if variance.low <= variance_bound:
            return None
        deviation = Enclosure.between(root(variance.low), root(variance.high, up=True))
        sign = -1 if Z_SCORED[x.metric] in FALLING else 1
        return Transformed(Enclosure.of(sign) / deviation, mean, variance_bound / variance.low)
    if x.metric in NORMALIZED:
        return Transformed(Enclosure.of(1) / mean, Enclosure.of(0), 2 * mean_bound / mean.low)
    room = Enclosure.of(1) - mean
    if 0 in room:
        return None
    scale = Enclosure.of(1) / room if room.low > 0 else -(Enclosure.of(1) / -room)
    return Transformed(scale, mean, 2 * mean_bound / min(abs(room.low), abs(room.high)))


ZERO, ONE = Exactly(Fraction(0)), Exactly(Fraction(1))
DIVIDED_BY_NOTHING = Unspecified("it is divided by a variance, or a distance to the optimum, that is 0")


def _expected(x: ClosedForm) -> Expected:
    found = _moments(x)
    variance_bound = rank_metrics.within(x.candidates, found.second)
    if x.metric in BASES:
        expectation = _near(found.expectation, rank_metrics.within(x.candidates, found.expectation))
        return Each((expectation, _near(found.variance, variance_bound)))
    change = _transformation(x, found)
    if change is None:
        return DIVIDED_BY_NOTHING
    if x.metric in Z_SCORED:
        return Each((ZERO, ONE))
    square = change.scale * change.scale
    scaled = found.variance * square
    within = variance_bound * square.high + 2 * change.relative * scaled.high
    return Each((ONE if x.metric in NORMALIZED else ZERO, _near(scaled, within)))


def _describe(x: ClosedForm) -> str:
    weights = scripts.weights_in_words(x.weights)
    dtype = "" if x.dtype == "int64" else f" as {x.dtype}"
    return f"{x.metric}, candidates {', '.join(map(str, x.candidates))}{dtype}{weights}"


def _class(x: ClosedForm) -> str:
    return x.metric.partition("@")[0]


def _setup(x: ClosedForm) -> str:
    """Return statements that make the metric, the candidates and the weights."""
    name, _, k = x.metric.partition("@")
    dtype = "" if x.dtype == "int64" else f", dtype=np.{x.dtype}"
    return (
        f"METRIC = {name}({f'k={k}' if k else ''})\nCANDIDATES = np.array({list(x.candidates)}{dtype})\n"
        f"WEIGHTS = {scripts.weights(x.weights)}\n"
    )


def _script(x: ClosedForm) -> Script:
    expected = _expected(x)
    parts = expected.parts if isinstance(expected, Each) else ()
    values = [float(_middle(part)) for part in parts]
    right = " and ".join(
        f"isfinite(value[{i}]) and abs(Fraction(value[{i}]) - Fraction(DOCUMENTED[{i}])) "
        f"<= Fraction({rounded_up(2 * _bound(part) + Fraction(2**-52) * abs(_middle(part)))})"
        for i, part in enumerate(parts)
    )
    return scripts.call(
        setup=_setup(x),
        returns="[f(CANDIDATES, weights=WEIGHTS) for f in (METRIC.expected_value, METRIC.variance)]",
        documented=repr(values),
        words="expectation and variance over every outcome",
        right=right or "True",
        names=(_class(x), "MedianRank"),
        input=_describe(x),
    )


def _middle(part: Expected) -> Fraction:
    match part:
        case Exactly(value):
            return value
        case Enclosed(low, high):
            return (low + high) / 2
        case _:
            raise TypeError(part)


def _bound(part: Expected) -> Fraction:
    return part.within if isinstance(part, Exactly | Enclosed) else Fraction(0)


# --- domains ---------------------------------------------------------------------------------------------------


def weighted_vectors(
    length: int, top: int, weights: Sequence[str]
) -> Enumeration[tuple[tuple[int, ...], tuple[str, ...] | None]]:
    """Return vectors of one length with candidates 1 to ``top``; unweighted, and with weights that are not all 0."""
    given: list[tuple[str, ...] | None] = [
        None,
        *(w for w in power(choice(weights), length) if any(float(weight) for weight in w)),
    ]
    return sized(pairs(power(choice(range(1, top + 1)), length), choice(given)), length)


def vectors(
    name: str, up_to: int, top: int, weights: Sequence[str], *, thorough: bool = False, dtype: str = "int64"
) -> Domain[ClosedForm]:
    """Return every metric on every vector up to a length; the size is the length."""
    positive = sum(float(weight) > 0 for weight in weights)
    zeros = len(weights) - positive
    return Domain(
        name=name,
        parameters={"up_to": up_to, "candidates": f"1 to {top}", "weights": "none, " + ", ".join(weights)},
        inputs=mapped(
            lambda x: ClosedForm(x[1], x[0][0], x[0][1], dtype),
            pairs(union(*(weighted_vectors(n, top, weights) for n in range(1, up_to + 1))), choice(METRICS)),
        ),
        counts=lambda: {n: top**n * (1 + len(weights) ** n - zeros**n) * len(METRICS) for n in range(1, up_to + 1)},
        thorough=thorough,
    )


CLOSED_FORMS = Case(
    name="pykeen/closed-forms",
    contract=Contract(
        says="expected_value and variance of a metric with a closed form are its expectation and variance under "
        "independent ranks r_i, uniform on 1..N_i; for an adjusted metric, those of its affine transformation",
        source="the docstrings of pykeen.metrics.ranking.RankBasedMetric.expected_value and .variance, of each metric, "
        "and of DerivedRankBasedMetric",
        upstream="the variance of a z-score is documented, and returned, as 1; where that of the metric is 0 there is "
        "none",
    ),
    input_type=ClosedForm,
    call="closed_forms",
    expected=_expected,
    domains=(
        vectors("vectors", 2, 4, ("0", "1", "2")),
        vectors("longer vectors", 3, 4, ("1", "2"), thorough=True),
    ),
    describe=_describe,
    script=_script,
    values="expectation, variance",
)

# --- the metric that the moments are of ------------------------------------------------------------------------


def _on_outcomes(x: ClosedForm) -> Expected:
    metric, weights = BASES[BASE_OF[x.metric]], _weights(x)
    values = [metric(ranks, weights) for ranks in rank_metrics.outcomes(x.candidates)]
    if x.metric in BASES:
        return Each(tuple(_near(value, rank_metrics.within(x.candidates, value) + ROUNDING) for value in values))
    change = _transformation(x, _moments(x))
    if change is None:
        return DIVIDED_BY_NOTHING
    parts = []
    for value in values:
        moved = (value - change.centre) * change.scale
        size = value.high + change.centre.high
        bounds = rank_metrics.within(x.candidates, Enclosure.of(1)) * size + change.relative * size
        parts.append(_near(moved, bounds * max(abs(change.scale.low), abs(change.scale.high)) + ROUNDING))
    return Each(tuple(parts))


ROUNDING = Fraction(1, 2**52)
"""Where a value is 0, or cancels to it."""


def _values_script(x: ClosedForm) -> Script:
    expected = _on_outcomes(x)
    parts = expected.parts if isinstance(expected, Each) else ()
    within = max((_bound(part) + Fraction(2**-50) for part in parts), default=Fraction(0))
    return scripts.call(
        setup=f"{_setup(x)}OUTCOMES = {[list(ranks) for ranks in rank_metrics.outcomes(x.candidates)]}\n",
        returns="[METRIC(np.array(ranks), num_candidates=CANDIDATES, weights=WEIGHTS) for ranks in OUTCOMES]",
        documented=repr([float(_middle(part)) for part in parts]),
        words="the metric of every outcome",
        right=f"all(abs(found - right) <= {rounded_up(within)} for found, right in zip(value, DOCUMENTED))",
        names=(_class(x), "MedianRank"),
        input=_describe(x),
    )


VALUES = Case(
    name="pykeen/closed-forms-values",
    contract=Contract(
        says="a metric with a closed form is the mean of its definition over the ranks; an adjusted one its "
        "documented affine transformation: divided by the expectation, moved to the expectation 0 and the optimum "
        "1, or to a z-score, which is better the larger it is",
        source="the docstrings of each metric in pykeen.metrics.ranking, and of ExpectationNormalizedMetric, "
        "ReindexedMetric and ZMetric",
    ),
    input_type=ClosedForm,
    call="values_on_outcomes",
    expected=_on_outcomes,
    domains=(vectors("vectors", 2, 4, ("1", "2")),),
    describe=_describe,
    script=_values_script,
    values="the metric on every vector of ranks, in lexicographic order",
)

# --- what is no number of candidates ---------------------------------------------------------------------------

ODD = ((), (0,), (-1,), (0, 2), (2, -1))


def _odd(_: ClosedForm) -> Expected:
    return Unspecified("nothing is said of no ranks, and of less than one candidate for a rank")


CLOSED_FORMS_ODD_INPUT = Case(
    name="pykeen/closed-forms-odd-input",
    contract=Contract(
        says="there are ranks, and a rank is drawn from 1 to a number of candidates; of other numbers nothing is said",
        source="the docstring of pykeen.metrics.ranking.RankBasedMetric.expected_value",
    ),
    input_type=ClosedForm,
    call="closed_forms",
    expected=_odd,
    conventions={
        "an error": lambda _: Refusal(),
        "NaN twice": lambda _: Each((Special("nan"), Special("nan"))),
    },
    domains=(
        Domain(
            name="odd candidates",
            parameters={},
            inputs=mapped(
                lambda x: ClosedForm(x[1], x[0], None, "int64"),
                union(*(sized(pairs(choice([c for c in ODD if len(c) == n]), choice(BASES)), n) for n in range(3))),
            ),
            counts=lambda: {0: len(BASES), 1: 2 * len(BASES), 2: 2 * len(BASES)},
        ),
    ),
    describe=_describe,
    script=lambda x: scripts.call(
        setup=f"METRIC = {_class(x)}()\nCANDIDATES = np.array({list(x.candidates)}, dtype=int)\n",
        returns="[METRIC.expected_value(CANDIDATES), METRIC.variance(CANDIDATES)]",
        documented='"anything"',
        words="nothing is said of it",
        right="True",
        names=(_class(x), "MedianRank"),
        input=_describe(x),
    ),
    values=CLOSED_FORMS.values,
)

# --- 32 bits ---------------------------------------------------------------------------------------------------

ARITHMETIC = (
    "ArithmeticMeanRank",
    "AdjustedArithmeticMeanRank",
    "AdjustedArithmeticMeanRankIndex",
    "ZArithmeticMeanRank",
)
OVERFLOW = 46341
"""The smallest number whose square is beyond 32 bits with a sign."""

AROUND = (OVERFLOW - 1, OVERFLOW, 100_000)
"""The last has a square that wraps around to a positive number."""

DTYPES = ("int64", "int32")


def _wrapped(x: ClosedForm) -> Expected:
    """Return what comes of squares that wrap around at 32 bits, for one rank."""
    right = _expected(x)
    if x.dtype != "int32" or not isinstance(right, Each) or max(x.candidates) < OVERFLOW or x.metric in Z_SCORED:
        return right
    [n] = x.candidates
    square = (n * n + 2**31) % 2**32 - 2**31
    true, wrapped = Fraction(n * n - 1, 12), Fraction(square - 1, 12)
    expectation, variance = right.parts
    assert isinstance(variance, Enclosed)  # noqa: S101 - as every variance but that of a z-score
    scale = _middle(variance) / true if true else Fraction(1)
    return Each((expectation, Exactly(scale * wrapped, variance.within)))


WIDE: Domain[ClosedForm] = Domain(
    name="wide candidates",
    parameters={"candidates": ", ".join(map(str, AROUND))},
    inputs=mapped(
        lambda x: ClosedForm(x[1][0], (x[0],), None, x[1][1]),
        sized(pairs(choice(AROUND), pairs(choice(ARITHMETIC), choice(DTYPES))), 1),
    ),
    counts=lambda: {1: len(AROUND) * len(ARITHMETIC) * len(DTYPES)},
)

CLOSED_FORMS_INT32 = Case(
    name="pykeen/closed-forms-int32",
    contract=Contract(
        says="the moments depend on the numbers of candidates alone, in whichever integers an array holds them",
        source="the docstring of pykeen.metrics.ranking.RankBasedMetric.variance",
        unpromised="the documentation asks for an array of numbers of candidates, and does not say which integer types "
        "it may have",
    ),
    input_type=ClosedForm,
    call="closed_forms",
    expected=_expected,
    conventions={"squares wrap around at 32 bits": _wrapped},
    domains=(WIDE, vectors("vectors", 2, 4, ("0", "1", "2"), dtype="int32")),
    describe=_describe,
    script=_script,
    values=CLOSED_FORMS.values,
)
