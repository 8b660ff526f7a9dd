"""What pykeen promises of the moments of the median rank under random ranks, in closed form and by sampling."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from hypothesis import strategies as st

from cases.pykeen import scripts
from cases.pykeen.median import PAGE, ascending, count_ascending
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, product, sized
from harness.expected import Each, Enclosed, Exactly, Expected, OneOf, Refusal
from harness.script import rational, rounded_up
from reference.median import fast
from reference.median.conventions import lower_median, uncorrelated_middle, upper_median
from reference.median.moments import Moments, moments
from reference.median.rounding import Bound, large, small
from reference.rbp_rounding import U

# --- in closed form --------------------------------------------------------------------------------------------


class Candidates(NamedTuple):
    """What the ranks are drawn from.

    Attributes
    ----------
    candidates
        For each rank the number of candidates that it is drawn from, from 1 on.
    dtype
        The type of the array that holds them: ``int64`` or ``int32``.
    """

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
    """Return the square root of a rational to 200 binary digits behind the point, rounded down or up."""
    whole = math.isqrt(value.numerator * 4**200 // value.denominator)
    return Fraction(whole + up, 2**200)


def _within(candidates: Sequence[int], found: Moments) -> Each:
    """Return expectation and variance with their bounds, and the root of what the variance may be."""
    bound = small(candidates)
    low, high = max(found.variance - bound.variance, Fraction(0)), found.variance + bound.variance
    variance = Enclosed(found.variance, found.variance, bound.variance) if low else Enclosed(low, high)
    std = Enclosed(root(low) * (1 - Fraction(1, 2**50)), root(high, up=True) * (1 + Fraction(1, 2**50)))
    square = Enclosed(Fraction(0), Fraction(0), 8 * U * high)  # a root and a product round by 3 u
    return Each((Exactly(found.expected, bound.expected), variance, std, square))


def _expected(x: Candidates) -> Expected:
    return _within(x.candidates, _moments(x.candidates))


def _reading(of: Callable[[Sequence[int]], Moments]) -> Callable[[Candidates], Expected]:
    return lambda x: _within(x.candidates, of(x.candidates))


def _describe(x: Candidates) -> str:
    dtype = "" if x.dtype == "int64" else f" as {x.dtype}"
    return f"candidates {', '.join(map(str, x.candidates))}{dtype}"


def _script(x: Candidates) -> Script:
    found, bound = _moments(x.candidates), small(x.candidates)
    right = (
        f"abs(Fraction(value[0]) - DOCUMENTED[0]) <= Fraction({rounded_up(bound.expected)}) and "
        f"value[1] >= 0 and abs(Fraction(value[1]) - DOCUMENTED[1]) <= Fraction({rounded_up(bound.variance)})"
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
    return Domain(
        name="candidates",
        parameters={"up_to": length, "candidates": f"1 to {top}"},
        inputs=mapped(lambda x: Candidates(x, "int64"), ascending(length, top)),
        counts=lambda: count_ascending(length, top),
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
    values="expectation, variance, standard deviation, and how far its square is from the variance",
)

# --- without a closed form ---------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A moment that is asked for.

    Attributes
    ----------
    candidates
        For each rank the number of candidates that it is drawn from, from 1 on.
    weights
        The weight of each rank, a number in quotes; null for no weights.
    function
        The moment: ``expected_value``, ``variance`` or ``std``.
    """

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
    weights = scripts.weights_in_words(x.weights)
    return f"{x.function} without num_samples, candidates {', '.join(map(str, x.candidates))}{weights}"


def _asked_script(x: Asked) -> Script:
    weights = scripts.weights(x.weights)
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

# --- real sizes ------------------------------------------------------------------------------------------------


class Groups(NamedTuple):
    """Groups of ranks.

    Attributes
    ----------
    groups
        For each group the number of candidates that its ranks are drawn from, and how many ranks it has.
    """

    groups: tuple[tuple[int, int], ...]


def _fast(x: Groups) -> tuple[fast.FloatMoments, Bound]:
    """Return the moments by the fast route, and their bound."""
    sizes = [size for size, count in x.groups for _ in range(count)]
    found = fast.moments(sizes)
    return found, large(len(sizes), found.expected, found.variance)


def _large(x: Groups) -> Expected:
    found, bound = _fast(x)
    mean, variance = Fraction(found.expected), Fraction(found.variance)
    low, high = max(variance - bound.variance, Fraction(0)), variance + bound.variance
    return Each(
        (
            Exactly(mean, bound.expected),
            Exactly(variance, bound.variance),
            Enclosed(root(low), root(high, up=True), Fraction(1, 2**40)),
            Enclosed(Fraction(0), Fraction(0), 8 * U * high),
        )
    )


def _describe_large(x: Groups) -> str:
    listed = ", ".join(f"{count:,} of {size:,}" for size, count in x.groups[:4])
    more = f" and {len(x.groups) - 4} more groups" if len(x.groups) > 4 else ""
    return f"ranks by candidates: {listed}{more}"


def _large_script(x: Groups) -> Script:
    found, bound = _fast(x)
    return scripts.call(
        setup=f"GROUPS = {list(x.groups)}  # candidates, ranks\n"
        "CANDIDATES = np.repeat([size for size, _ in GROUPS], [count for _, count in GROUPS])\n",
        returns="[MedianRank().expected_value(CANDIDATES), MedianRank().variance(CANDIDATES)]",
        documented=f"[{found.expected!r}, {found.variance!r}]",
        words="expectation and variance",
        right=f"abs(value[0] - DOCUMENTED[0]) <= {rounded_up(bound.expected)} "
        f"and abs(value[1] - DOCUMENTED[1]) <= {rounded_up(bound.variance)}",
        input=_describe_large(x),
    )


REAL_SIZES = (
    ((14_541, 10),),
    ((14_541, 11),),
    ((100, 100),),
    ((14_541, 20_466),),
    ((14_541, 20_467),),
    ((1, 500), (14_541, 500)),
    ((1, 500), (14_541, 501)),
    tuple((70 * k + 71, 102) for k in range(200)),
    tuple((70 * k + 71, 103) for k in range(199)),
    tuple((7 * k + 1, 1) for k in range(2_000)),
)
"""Equal and mixed numbers, odd and even; the fourth is the test part of FB15k-237."""

MOMENTS_LARGE = Case(
    name="pykeen/median-moments-large",
    contract=MOMENTS.contract,
    input_type=Groups,
    call="median_moments_large",
    expected=_large,
    domains=(
        Domain(
            name="real sizes",
            parameters={},
            inputs=mapped(Groups, sized(choice(REAL_SIZES), 0)),
            counts=lambda: {0: len(REAL_SIZES)},
        ),
    ),
    describe=_describe_large,
    script=_large_script,
    values=MOMENTS.values,
)
