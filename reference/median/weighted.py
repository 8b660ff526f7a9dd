r"""The weighted median by its definition: all values that satisfy two inequalities.

A value v is a weighted median of ranks r_i with weights w_i >= 0, of which one is above 0, if

    sum of w_i over r_i <= v  is at least half of sum w_i,    and    sum of w_i over r_i >= v  is.

(F. Y. Edgeworth, 1888; R. A. Cormen et al., *Introduction to Algorithms*, problem 9-2, for the lower one.) The first
holds from some rank on, the second up to some rank, and these two ranks are the ends of a closed interval: between
them lies no weight. It is a single value unless the weights up to its low end are exactly half of all; the median is
then, as for ranks without weights, the midpoint of the interval. With equal weights that is ``numpy.median``.

Weights are taken as the exact values of the floats that they are. A rank of weight 0 counts in neither sum.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Number = int | float | Fraction


class NothingWeighedError(ValueError):
    """No rank at all."""

    def __init__(self) -> None:
        super().__init__("at least one rank with its weight was expected: the median of none is undefined")


class LengthsDifferError(ValueError):
    """Not as many weights as ranks."""

    def __init__(self, ranks: int, weights: int) -> None:
        super().__init__(f"a weight for every rank was expected: there are {ranks} ranks and {weights} weights")


class NotFiniteError(ValueError):
    """A rank or a weight that is NaN or infinite."""

    def __init__(self, what: str, index: int, found: Number) -> None:
        super().__init__(f"a finite {what} was expected at index {index}, not {found}")


class NegativeWeightError(ValueError):
    """A weight below 0."""

    def __init__(self, index: int, found: Number) -> None:
        super().__init__(f"a weight of at least 0 was expected at index {index}, not {found}")


class ZeroWeightsError(ValueError):
    """Weights that are all 0: half of nothing is anywhere."""

    def __init__(self) -> None:
        super().__init__("a weight above 0 was expected: all are 0, and every value would be a median")


@dataclass(frozen=True, slots=True)
class Medians:
    """All weighted medians: the closed interval from ``low`` to ``high``."""

    low: Fraction
    high: Fraction

    @property
    def midpoint(self) -> Fraction:
        """The median: the only one, or the midpoint of the interval."""
        return (self.low + self.high) / 2

    @property
    def unique(self) -> bool:
        """Whether there is one value only."""
        return self.low == self.high

    def __contains__(self, value: Number) -> bool:
        return self.low <= Fraction(value) <= self.high


def medians(ranks: Sequence[Number], weights: Sequence[Number]) -> Medians:
    """Return all values that satisfy both inequalities.

    Parameters
    ----------
    ranks
        Finite numbers, in any order.
    weights
        As many: finite, at least 0, and one of them above 0.

    Raises
    ------
    NothingWeighedError
        If there is no rank.
    LengthsDifferError
        If there are not as many weights as ranks.
    NotFiniteError
        If a rank or a weight is NaN or infinite.
    NegativeWeightError
        If a weight is below 0.
    ZeroWeightsError
        If all weights are 0.
    """
    if len(ranks) != len(weights):
        raise LengthsDifferError(len(ranks), len(weights))
    if len(ranks) == 0:
        raise NothingWeighedError
    values = [_finite("rank", i, rank) for i, rank in enumerate(ranks)]
    exact = [_weight(i, weight) for i, weight in enumerate(weights)]
    if not any(exact):
        raise ZeroWeightsError
    pairs = sorted(zip(values, exact, strict=True))
    return Medians(_reaches_half(pairs), _reaches_half(pairs[::-1]))


def _reaches_half(pairs: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """Return the first rank in this order up to which half of the weight lies."""
    total = sum(weight for _, weight in pairs)
    passed = Fraction(0)
    for rank, weight in pairs:
        passed += weight
        if 2 * passed >= total:
            return rank
    raise AssertionError("the whole weight is at least half of it")


def _weight(index: int, weight: Number) -> Fraction:
    exact = _finite("weight", index, weight)
    if exact < 0:
        raise NegativeWeightError(index, weight)
    return exact


def _finite(what: str, index: int, number: Number) -> Fraction:
    if isinstance(number, float) and not math.isfinite(number):
        raise NotFiniteError(what, index, number)
    return Fraction(number)
