"""What pykeen promises of the inverse of the median rank."""

from fractions import Fraction
from typing import NamedTuple

from cases.pykeen import scripts
from cases.pykeen.median import exact, median
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, pairs, power, sized, union
from harness.expected import Exactly
from harness.script import rational, rounded_up
from reference.median.weighted import medians
from reference.rbp_rounding import U


class Inverse(NamedTuple):
    """Ranks with weights or without.

    Attributes
    ----------
    ranks
        The ranks, from 1 on.
    weights
        The weight of each rank, a number in quotes; null for no weights.
    dtype
        The type of the array that holds the ranks: ``int`` or ``float``.
    """

    ranks: tuple[int, ...]
    weights: tuple[str, ...] | None
    dtype: str


def _inverse_median(x: Inverse) -> Exactly:
    """Return 1 / m: the median is a float without error, so that the quotient rounds once."""
    middle = median(x.ranks) if x.weights is None else medians(x.ranks, exact(x.weights)).midpoint
    return Exactly(1 / middle, U / middle)


def _integer_reciprocal(x: Inverse) -> Exactly:
    expected = _inverse_median(x)
    is_integer = (1 / expected.value).denominator == 1
    return Exactly(Fraction(expected.value == 1)) if is_integer else expected


def _describe_inverse(x: Inverse) -> str:
    weights = scripts.weights_in_words(x.weights)
    return f"ranks {', '.join(map(str, x.ranks))} ({x.dtype}){weights}"


def _inverse_script(x: Inverse) -> Script:
    expected = _inverse_median(x)
    weights = scripts.weights(x.weights)
    return scripts.call(
        setup=f"RANKS = np.array({list(x.ranks)}, dtype={x.dtype})\nWEIGHTS = {weights}\n",
        returns="InverseMedianRank()(RANKS, weights=WEIGHTS)",
        documented=rational(expected.value),
        words="the inverse of the median",
        right=f"isfinite(value) and abs(Fraction(value) - DOCUMENTED) <= Fraction({rounded_up(expected.within)})",
        names=("InverseMedianRank", "MedianRank"),
        input=_describe_inverse(x),
    )


def inverses(length: int, top: int) -> Domain[Inverse]:
    """Return every vector of ranks, as floats and integers, with every vector of weights 1 and 2, and without."""

    def given(n: int) -> list[tuple[str, ...] | None]:
        return [None, *power(choice(("1.0", "2.0")), n)]

    return Domain(
        name="ranks",
        parameters={"up_to": length, "ranks": f"1 to {top}", "weights": "none, 1.0, 2.0"},
        inputs=mapped(
            lambda x: Inverse(x[0], x[1][0], x[1][1]),
            union(
                *(
                    sized(
                        pairs(power(choice(range(1, top + 1)), n), pairs(choice(given(n)), choice(("int", "float")))),
                        n,
                    )
                    for n in range(1, length + 1)
                )
            ),
        ),
        counts=lambda: {n: top**n * (1 + 2**n) * 2 for n in range(1, length + 1)},
    )


INVERSE_MEDIAN = Case(
    name="pykeen/inverse-median",
    contract=Contract(
        says="the inverse median rank is 1 / m, for the median or weighted median m of the ranks; it lies in (0, 1]",
        source="the docstring of pykeen.metrics.ranking.InverseMedianRank (the inverse of the median over all "
        "ranks), and its value_range",
        upstream="fixed on the development version (pykeen/pykeen#1558, split into #1573 to #1576)",
    ),
    input_type=Inverse,
    call="inverse_median",
    expected=_inverse_median,
    conventions={"the reciprocal of an integer": _integer_reciprocal},
    domains=(inverses(3, 3),),
    describe=_describe_inverse,
    script=_inverse_script,
)
