"""What other readings of *median* give for an even number of ranks. For an odd number they are all the same."""

from collections.abc import Sequence
from typing import SupportsIndex

from reference.median.candidates import checked, middle
from reference.median.moments import Moments, order_statistic


def upper_median(candidates: Sequence[SupportsIndex]) -> Moments:
    """Return the moments of the upper of the two ranks in the middle, X_(n // 2 + 1).

    Raises
    ------
    NoRanksError
        If there is no rank.
    CandidatesNotIntegerError
        If a number of candidates is no integer.
    CandidatesOutOfRangeError
        If a number of candidates is below 1.
    """
    sizes = checked(candidates)
    return order_statistic(sizes, middle(len(sizes))[1])


def lower_median(candidates: Sequence[SupportsIndex]) -> Moments:
    """Return the moments of the lower of the two ranks in the middle, X_((n + 1) // 2).

    Raises
    ------
    NoRanksError
        If there is no rank.
    CandidatesNotIntegerError
        If a number of candidates is no integer.
    CandidatesOutOfRangeError
        If a number of candidates is below 1.
    """
    sizes = checked(candidates)
    return order_statistic(sizes, middle(len(sizes))[0])


def uncorrelated_middle(candidates: Sequence[SupportsIndex]) -> Moments:
    """Return the moments with E[AB] = E[A] E[B] for the two ranks A and B in the middle.

    The expected value is right; the variance is (Var A + Var B) / 4, which leaves out their covariance. That is 0 or
    more, so this variance is never too large. Of an odd number of ranks one is in the middle, and there is no product.

    Raises
    ------
    NoRanksError
        If there is no rank.
    CandidatesNotIntegerError
        If a number of candidates is no integer.
    CandidatesOutOfRangeError
        If a number of candidates is below 1.
    """
    sizes = checked(candidates)
    low, high = middle(len(sizes))
    a = order_statistic(sizes, low)
    if low == high:
        return a
    b = order_statistic(sizes, high)
    return Moments((a.expected + b.expected) / 2, (a.variance + b.variance) / 4)
