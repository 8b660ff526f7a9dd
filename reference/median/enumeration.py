"""The moments of the median by its definition: every outcome is looked at, and the mean taken."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import SupportsIndex

from reference.median.candidates import checked
from reference.median.moments import Moments


def median(ranks: Sequence[int]) -> Fraction:
    """Return the median as ``numpy.median`` does: the middle rank, or the mean of the two in the middle.

    Raises
    ------
    ValueError
        If there is no rank.
    """
    if not ranks:
        raise ValueError("at least one rank was expected: the median of none is undefined")
    ordered = sorted(ranks)
    half = len(ordered) // 2
    return Fraction(ordered[half] + ordered[~half], 2)


def moments(candidates: Sequence[SupportsIndex]) -> Moments:
    """Return expected value and variance of the median, over all prod N outcomes.

    Raises
    ------
    NoRanksError
        If there is no rank.
    CandidatesNotIntegerError
        If a number of candidates is no integer.
    CandidatesOutOfRangeError
        If a number of candidates is below 1.
    """
    return moments_over([median(ranks) for ranks in product(*(range(1, n + 1) for n in checked(candidates)))])


def moments_over(values: Sequence[Fraction]) -> Moments:
    """Return mean and variance of values that are equally likely.

    Raises
    ------
    ValueError
        If there is no value.
    """
    if not values:
        raise ValueError("at least one value was expected: the mean of none is undefined")
    counts = Counter(values)
    mean = sum((count * value for value, count in counts.items()), start=Fraction(0)) / len(values)
    squares = sum((count * (value - mean) ** 2 for value, count in counts.items()), start=Fraction(0))
    return Moments(mean, squares / len(values))
