"""Rank weights that fall with the logarithm of the rank, and the score of a ranking with them.

They are the discount of (N)DCG (Järvelin & Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS
20(4), 2002): with base b, the weight of rank r, counted from 1, is

    1 / log_b(max(r, 2))      if the offset is 0: the first two ranks weigh alike, as log 1 = 0 cannot divide
    1 / log_b(r + offset)     if it is above 0

Their sum over all ranks is infinite, so that a score has to be normalised by the ranking it is of: the weights of its
hits over those of all its ranks. In that quotient the base cancels.
"""

import functools
from collections.abc import Sequence
from fractions import Fraction

from reference.enclosure import Enclosure, ln, total


class EmptyRankingError(ValueError):
    """A ranking without a document, which has no weights to normalise by."""

    def __init__(self) -> None:
        super().__init__("at least one document was expected: an empty ranking has no weight to divide by")


def weight(rank: int, base: Fraction, offset: int = 0) -> Enclosure:
    """Return the weight of a rank, counted from 1.

    Parameters
    ----------
    rank
        Counted from 1.
    base
        Of the logarithm; above 0 and not 1. Below 1 the weights are negative.
    offset
        What is added to the rank; if 0, rank 1 weighs as rank 2.

    Raises
    ------
    NotPositiveError
        If ``base`` is not above 0.
    """
    return ln(base) * _over_ln(rank, offset)


def weighted_rbp(relevant: Sequence[bool | int], offset: int = 0) -> Enclosure:
    """Return the weights of the relevant documents over those of all documents of the ranking.

    Raises
    ------
    EmptyRankingError
        If there is no document.
    """
    if not relevant:
        raise EmptyRankingError
    weights = [_over_ln(rank, offset) for rank in range(1, len(relevant) + 1)]
    return total(w for r, w in zip(relevant, weights, strict=True) if r) / total(weights)


@functools.lru_cache(maxsize=4096)
def _over_ln(rank: int, offset: int) -> Enclosure:
    return Enclosure.of(1) / ln(rank + offset if offset else max(rank, 2))
