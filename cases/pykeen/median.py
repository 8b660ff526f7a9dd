"""What pykeen promises of the median rank, with and without weights, and of its inverse."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement
from typing import NamedTuple

from hypothesis import strategies as st

from cases.pykeen import scripts
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import Enumeration, choice, mapped, pairs, power, sized, union
from harness.expected import Enclosed, Exactly, Expected, OneOf, Refusal, Special, Unspecified
from harness.script import rational
from reference.median.weighted import medians

PAGE = (
    "the documentation page of pykeen.metrics.ranking.MedianRank, as the development version has it (commit 05c7bbb20)"
)


class Ranks(NamedTuple):
    """Ranks without weights.

    Attributes
    ----------
    ranks
        The ranks, from 1 on.
    """

    ranks: tuple[int, ...]


class Weighted(NamedTuple):
    """Ranks with a weight for each.

    Attributes
    ----------
    ranks
        The ranks, from 1 on.
    weights
        The weight of each rank, as Python shows it, in quotes.
    dtype
        The type of the array that holds the weights: ``float``, ``int`` or ``bool``.
    """

    ranks: tuple[int, ...]
    weights: tuple[str, ...]
    dtype: str


def median(ranks: Sequence[int]) -> Fraction:
    """Return the median of ranks, exactly."""
    return medians(ranks, [1] * len(ranks)).midpoint


def exact(weights: Sequence[str]) -> list[Fraction]:
    """Return the weights that pykeen receives, exactly."""
    return [Fraction(float(weight)) for weight in weights]


# --- without weights -------------------------------------------------------------------------------------------


def _validate_ranks(x: Ranks) -> None:
    if not x.ranks or not 1 <= min(x.ranks) <= max(x.ranks) < 2**50:
        raise ValueError("one or more ranks are expected, each an integer from 1 on and below 2^50")


def _describe_ranks(x: Ranks) -> str:
    return f"ranks {', '.join(map(str, x.ranks))}"


def _ranks_script(x: Ranks) -> Script:
    return scripts.call(
        setup=f"RANKS = np.array({list(x.ranks)})\n",
        returns="MedianRank()(RANKS)",
        documented=rational(median(x.ranks)),
        words="the median",
        right="value == DOCUMENTED",
        input=_describe_ranks(x),
    )


MEDIAN = Case(
    name="pykeen/median",
    contract=Contract(
        says="the median rank is the middle one of the ranks, or the mean of the two middle ones",
        source="the docstring of pykeen.metrics.ranking.MedianRank (the median over all ranks), and that of "
        "numpy.median",
    ),
    input_type=Ranks,
    call="median",
    validate=_validate_ranks,
    expected=lambda x: Exactly(median(x.ranks)),
    domains=(
        Domain(
            name="ranks",
            parameters={"up_to": 5, "ranks": "1 to 4"},
            inputs=mapped(Ranks, union(*(sized(power(choice(range(1, 5)), n), n) for n in range(1, 6)))),
            counts=lambda: {n: 4**n for n in range(1, 6)},
        ),
    ),
    beyond=st.builds(Ranks, st.lists(st.integers(1, 2**40), min_size=1, max_size=50).map(tuple)),
    describe=_describe_ranks,
    script=_ranks_script,
)

# --- with weights ----------------------------------------------------------------------------------------------

WRITTEN: Mapping[str, Callable[[float], float]] = {"float": float, "int": int, "bool": bool}
"""By type of array: how a weight is written in it."""


def _validate_weighted(x: Weighted) -> None:
    _validate_ranks(Ranks(x.ranks))
    if x.dtype not in WRITTEN or any(not 0 <= float(weight) < float("inf") for weight in x.weights):
        raise ValueError(f"weights are finite numbers from 0 on, in quotes, of the type {', '.join(WRITTEN)}")
    if len(x.weights) != len(x.ranks):
        raise ValueError("as many weights as ranks are expected")
    if any(WRITTEN[x.dtype](float(weight)) != float(weight) for weight in x.weights):
        raise ValueError(f"weights are expected that {x.dtype} holds")
    if len(set(x.weights)) > 1 and any(weight >= 1000 or (8 * weight).denominator > 1 for weight in exact(x.weights)):
        raise ValueError("weights that differ are expected in eighths below 1,000: others do not add up exactly")


def _describe_weighted(x: Weighted) -> str:
    kind = "" if x.dtype == "float" else f" ({x.dtype})"
    return f"ranks {', '.join(map(str, x.ranks))}, weights {', '.join(x.weights)}{kind}"


def _weighted_script(expected: Expected, x: Weighted) -> Script:
    weights = (
        ", ".join(str(WRITTEN[x.dtype](float(weight))) for weight in x.weights)
        .replace("nan", "np.nan")
        .replace("inf", "np.inf")
    )
    match expected:
        case Exactly(value):
            documented, words, right = rational(value), "the median", "value == DOCUMENTED"
        case Enclosed(low, high):
            documented, words = f"({rational(low)}, {rational(high)})", "the ends of the medians"
            right = "DOCUMENTED[0] <= value <= DOCUMENTED[1]"
        case Unspecified():
            documented, words, right = '"anything"', "nothing is said of it", "True"
        case _:
            documented, words, right = '"a refusal"', "the weights sum to 0", "False"
    return scripts.call(
        setup=f"RANKS = np.array({list(x.ranks)})\nWEIGHTS = np.array([{weights}])\n",
        returns="MedianRank()(RANKS, weights=WEIGHTS)",
        documented=documented,
        words=words,
        right=right,
        input=_describe_weighted(x),
    )


def _equal(x: Weighted) -> bool:
    return len(set(x.weights)) == 1


def _admissible(x: Weighted) -> Expected:
    weights = exact(x.weights)
    if _equal(x) and any(weights):
        return Exactly(median(x.ranks))
    found = medians(x.ranks, weights)
    return Enclosed(found.low, found.high)


def _one_of_the_middle(x: Weighted) -> Expected:
    found = medians(x.ranks, exact(x.weights))
    return OneOf((Exactly(found.low), Exactly(found.high))) if _equal(x) else _admissible(x)


def dyadic(length: int, top: int, eighths: int) -> Domain[Weighted]:
    """Return every vector of ranks with weights in eighths, which add up exactly; the size is the length."""
    weights = [repr(k / 8) for k in range(eighths + 1)]

    def of_length(n: int) -> list[tuple[str, ...]]:
        return [given for given in power(choice(weights), n) if any(float(weight) for weight in given)]

    return Domain(
        name="weights in eighths",
        parameters={"up_to": length, "ranks": f"1 to {top}", "eighths": f"0 to {eighths}"},
        inputs=mapped(
            lambda x: Weighted(x[0], x[1], "float"),
            union(
                *(
                    sized(pairs(power(choice(range(1, top + 1)), n), choice(of_length(n))), n)
                    for n in range(1, length + 1)
                )
            ),
        ),
        counts=lambda: {n: top**n * ((eighths + 1) ** n - 1) for n in range(1, length + 1)},
    )


EQUAL_WEIGHTS = ("0.1", "0.2", "0.3", "0.6", "0.7", "1.0")


def ascending(length: int, top: int) -> Enumeration[tuple[int, ...]]:
    """Return every ascending vector of numbers from 1 to ``top``, of 1 to ``length`` of them; the size is how many."""
    numbers = range(1, top + 1)
    return union(*(sized(choice(combinations_with_replacement(numbers, n)), n) for n in range(1, length + 1)))


def count_ascending(length: int, top: int) -> dict[int, int]:
    """Return how many `ascending` vectors there are by size."""
    return {n: math.comb(n + top - 1, n) for n in range(1, length + 1)}


def equal(length: int, top: int) -> Domain[Weighted]:
    """Return ascending ranks, all with the same weight; the size is the length."""
    return Domain(
        name="equal weights",
        parameters={"up_to": length, "ranks": f"1 to {top}", "weights": ", ".join(EQUAL_WEIGHTS)},
        inputs=mapped(
            lambda x: Weighted(x[0], (x[1],) * len(x[0]), "float"),
            pairs(ascending(length, top), choice(EQUAL_WEIGHTS)),
        ),
        counts=lambda: {n: count * len(EQUAL_WEIGHTS) for n, count in count_ascending(length, top).items()},
    )


WEIGHTED_MEDIAN = Case(
    name="pykeen/weighted-median",
    contract=Contract(
        says="the weighted median is a value m such that the ranks of at most m have at least half of the weight, "
        "and the ranks of at least m too; with equal weights it is the median",
        source=f"{PAGE} (weighted median), for the weighted_median that 1.11.1 uses",
        unpromised="the docstrings of 1.11.1 say that weights are supported, and not how; this is the usual "
        "definition, and that of the documentation of the development version",
    ),
    input_type=Weighted,
    call="weighted_median",
    validate=_validate_weighted,
    expected=_admissible,
    conventions={"one of the two middle ranks": _one_of_the_middle},
    domains=(dyadic(3, 3, 3), equal(7, 3)),
    describe=_describe_weighted,
    script=lambda x: _weighted_script(_admissible(x), x),
)


def _midpoint(x: Weighted) -> Expected:
    weights = exact(x.weights)
    return Exactly(medians(x.ranks, weights).midpoint) if any(weights) else Refusal()


def _with_the_next(x: Weighted) -> Expected:
    """Return the mean of a rank that reaches one half and the next in order, whatever the weight of that."""
    weights = exact(x.weights)
    if not any(weights):
        return Refusal()
    pairs_in_order = sorted(zip(x.ranks, weights, strict=True), key=lambda pair: pair[0])
    passed = list(accumulate(weight for _, weight in pairs_in_order))
    at = next(i for i, weight in enumerate(passed) if 2 * weight >= passed[-1])
    last = at + 1 if 2 * passed[at] == passed[-1] else at
    return Exactly(Fraction(pairs_in_order[at][0] + pairs_in_order[last][0], 2))


def integral(length: int, top: int, heaviest: int) -> Domain[Weighted]:
    """Return every vector of ranks with every vector of weights, as floats, integers and, where they are, bools."""
    numbers = [str(k) for k in range(heaviest + 1)]

    def given(n: int) -> list[tuple[tuple[str, ...], str]]:
        kinds = [(weights, dtype) for weights in power(choice(numbers), n) for dtype in ("float", "int")]
        return kinds + [(weights, "bool") for weights in power(choice(numbers[:2]), n)]

    return Domain(
        name="integral weights",
        parameters={"up_to": length, "ranks": f"1 to {top}", "weights": f"0 to {heaviest}"},
        inputs=mapped(
            lambda x: Weighted(x[0], x[1][0], x[1][1]),
            union(
                *(sized(pairs(power(choice(range(1, top + 1)), n), choice(given(n))), n) for n in range(1, length + 1))
            ),
        ),
        counts=lambda: {n: top**n * (2 * (heaviest + 1) ** n + 2**n) for n in range(1, length + 1)},
    )


INVARIANCE = Case(
    name="pykeen/weighted-median-invariance",
    contract=Contract(
        says="a rank of weight 0 does not matter to the weighted median, integer weights work like the same "
        "floats, and weights that sum to 0 are refused; between two medians the midpoint is taken, as without "
        "weights",
        source=f"{PAGE}, for what the weighted median is",
        unpromised="the documentation of 1.11.1 says nothing of zero weights or of the type of weights, and that of "
        "the development version calls weights positive",
    ),
    input_type=Weighted,
    call="weighted_median",
    validate=_validate_weighted,
    expected=_midpoint,
    conventions={"the mean with the next rank, though it has no weight": _with_the_next},
    domains=(integral(3, 3, 2),),
    describe=_describe_weighted,
    script=lambda x: _weighted_script(_midpoint(x), x),
)

# --- what is none ---------------------------------------------------------------------------------------------

ODD = (
    Weighted((), (), "float"),
    Weighted((1, 2), ("nan", "1.0"), "float"),
    Weighted((1, 2), ("inf", "1.0"), "float"),
    Weighted((1, 2), ("-1.0", "1.0"), "float"),
    Weighted((1, 2, 3), ("-1.0", "2.0", "1.0"), "float"),
    Weighted((1, 2), ("1.0", "1.0", "1.0"), "float"),
    Weighted((1, 2, 3), ("1.0", "1.0"), "float"),
    Weighted((0, 1), ("1.0", "1.0"), "float"),
    Weighted((-1, 1), ("1.0", "1.0"), "float"),
)
"""Nothing, weights that are none, as many weights as ranks only nearly, and ranks that are none."""


def _odd(_: Weighted) -> Expected:
    return Unspecified(
        "the documentation says nothing of ranks or weights that are none, or that do not belong together"
    )


ODD_INPUT = Case(
    name="pykeen/weighted-median-odd-input",
    contract=Contract(
        says="ranks are numbers from 1 on, and there is a weight for each; of others nothing is said",
        source="the docstring of pykeen.metrics.ranking.RankBasedMetric.__call__ (shapes), and MedianRank.value_range",
    ),
    input_type=Weighted,
    call="weighted_median",
    expected=_odd,
    conventions={
        "an error": lambda _: Refusal(),
        "NaN": lambda _: Special("nan"),
    },
    domains=(
        Domain(
            name="odd input",
            parameters={},
            inputs=union(*(sized(choice([x for x in ODD if len(x.ranks) == n]), n) for n in (0, 2, 3))),
            counts=lambda: {0: 1, 2: 6, 3: 2},
        ),
    ),
    describe=_describe_weighted,
    script=lambda x: _weighted_script(_odd(x), x),
)
