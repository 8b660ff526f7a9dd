r"""How far a sensible float64 evaluation of RBP may lie from its exact value.

Let u = 2^-53, h the number of hits (gains other than 0), and t_i = (1 - p) p^i g_i the exact term of a hit
at 0-based rank i. The bound is

    B = u * sum_i |t_i| * ( max(i, ceil(3 |ln p| i) + 2) + h + 5 )  +  sum_i (4 + 4 |g_i|) 2^-1074.

Derivation, in the standard model fl(x op y) = (x op y)(1 + d), |d| <= u (Higham, *Accuracy and Stability of
Numerical Algorithms*, 2nd ed., section 2.2); each term is hit by these factors (1 + d), counted in units of u:

====================  =========================================================================================
p^i                   i - 1 by repeated multiplication; i by Horner's scheme or a running product that is
                      started at 1 - p; 2 by a power function that is right within an ulp (1 ulp <= 2u); by
                      exp(i ln p): the logarithm is off by 2u relative, the product by u, so the argument by
                      3u |ln p| i absolute, which the exponential turns into a relative error, to which it adds
                      an ulp of its own. Together: max(i, 3 |ln p| i + 2), here rounded up to an integer.
sum                   every term passes at most h - 1 additions that round; adding a 0 is exact.
1 - p                 at most 3: the subtraction, and a product; or the subtraction, a reciprocal 1 / (1 - p) and
                      a quotient by it.
gain                  1: the grade over the top grade, or the product with a grade.
====================  =========================================================================================

That is max(...) + h + 3. The factors are products, (1 + u)^n - 1 <= n u + n^2 u^2 for n u < 1; the remaining
2 units cover the term n^2 u^2 while n < 2^26, far beyond any ranking. Below 2^-1022 a rounding adds at most
2^-1074 absolute instead, at up to 4 operations a hit; what is added before the product with the gain is
multiplied by it.

An evaluation that stays in logs to the end, as exp(log1p(-p) + i log p) does, is not among these: it is for
lists whose weights underflow, and has an absolute bound in log space of its own.

p is the exact value of the float64 that the library receives. A reference that takes the decimal p would be
off by up to p / (1 - p) * u more, which is 99 u at p = .99.
"""

import functools
import math
from collections.abc import Sequence
from fractions import Fraction

from reference.log_weights import weighted_rbp
from reference.rbp import Gain, NothingAchievableError, PersistenceOutOfRangeError, graded, power, weighted

U = Fraction(1, 2**53)
"""Unit roundoff of float64, rounding to nearest."""

SMALLEST = Fraction(1, 2**1074)
"""The smallest positive float64."""


def bound(gains: Sequence[Gain | None], p: Fraction) -> Fraction:
    """Return the largest distance from the exact RBP at which a float64 result is still right.

    Parameters
    ----------
    gains
        Gains by rank, best first; ``None`` and 0 are no hits.
    p
        Persistence as the library received it, 0 <= p < 1.

    Raises
    ------
    PersistenceOutOfRangeError
        If ``p`` is not a persistence.
    """
    if not 0 <= p < 1:
        raise PersistenceOutOfRangeError(p)
    hits = [(i, abs(Fraction(gain))) for i, gain in enumerate(gains) if gain]
    h = len(hits)
    weighted = sum((gain * power(p, i) * (_roundings(p, i) + h + 5) for i, gain in hits), start=Fraction(0))
    underflow = sum((4 + 4 * gain for _, gain in hits), start=Fraction(0)) * SMALLEST
    return U * (1 - p) * weighted + underflow


def mean_bound(rankings: Sequence[Sequence[Gain | None]], p: Fraction) -> Fraction:
    """Return the bound for the mean of the RBPs of several rankings.

    The mean of q values that are each off by at most B is off by at most B; q - 1 additions and a quotient
    add q u relative, and one more u covers the terms of second order.

    Raises
    ------
    PersistenceOutOfRangeError
        If ``p`` is not a persistence.
    ValueError
        If there is no ranking.
    """
    if not rankings:
        raise ValueError("at least one ranking was expected: the mean of none is not defined")
    q = len(rankings)
    mean = sum((graded([abs(Fraction(g or 0)) for g in gains], p) for gains in rankings), start=Fraction(0)) / q
    return max(bound(gains, p) for gains in rankings) + (q + 1) * U * mean


def normalised_bound(relevant: Sequence[bool | int], p: Fraction, achievable: int) -> Fraction:
    """Return the bound for binary RBP over that of the best ranking, of k = ``achievable`` relevant documents.

    The dividend has the roundings of `bound`, the quotient adds 1, and the divisor the largest of

    - as a sum of p^j for j < k: on average those in p^j, weighted by p^j; k - 1 for adding; 3 if it is an RBP itself.
    - as 1 - p^k: those in p^k times p^k / (1 - p^k), as the subtraction magnifies them; 1 of its own. Where these are
      2^26 or more, half of the digits are gone; that is not sensible, and not covered.

    Below 2^-1022, the 4 operations a hit and the quotient add at most 2^-1074 each, divided by no less than 1 - p^k.

    Raises
    ------
    PersistenceOutOfRangeError
        If ``p`` is not a persistence.
    NothingAchievableError
        If ``achievable`` is below 1.
    """
    if not 0 <= p < 1:
        raise PersistenceOutOfRangeError(p)
    if achievable < 1:
        raise NothingAchievableError(achievable)
    hits = [i for i, r in enumerate(relevant) if r]
    others = len(hits) + 5 + 1 + _roundings_of_best(p, achievable)
    weighted_roundings = sum((power(p, i) * (_roundings(p, i) + others) for i in hits), start=Fraction(0))
    best = 1 - power(p, achievable)
    return (U * (1 - p) * weighted_roundings + 5 * len(hits) * SMALLEST) / best


def weighted_bound(
    relevant: Sequence[bool | int], weights: Sequence[Gain], normalisation: Gain | None = None
) -> Fraction:
    """Return the bound for a sum of given float64 weights over their total, or over a given float64 normalisation.

    For h hits in a ranking of n: h - 1 additions in the dividend, n - 1 in the divisor if it is a sum, and the
    quotient; 2 more for the terms of second order. Sums do not underflow; the quotient may, by 2^-1074.

    Raises
    ------
    WeightsOutOfRangeError
        If a weight is negative, or the normalisation not positive.
    ValueError
        If there are not as many weights as documents.
    """
    value = weighted(relevant, weights, normalisation)
    hits = sum(1 for r in relevant if r)
    additions = hits + len(weights) - 2 if normalisation is None else hits - 1
    return (additions + 3) * U * value + (SMALLEST if value else 0)


def log_weighted_bound(relevant: Sequence[bool | int], offset: int = 0) -> Fraction:
    """Return the bound for RBP with the weights 1 / log(rank), over their sum.

    A weight ln b / ln x has 2 roundings in each logarithm (an ulp) and 1 in the quotient; as 1 / (ln x / ln b) one
    more: 6 at most, above and below. Then as in `weighted_bound`, for h hits in a ranking of n: h + n + 1.

    Raises
    ------
    EmptyRankingError
        If there is no document: there is no weight to divide by.
    """
    hits = sum(1 for r in relevant if r)
    return (12 + hits + len(relevant) + 1) * U * weighted_rbp(relevant, offset).high


@functools.lru_cache(maxsize=4096)
def _roundings_of_best(p: Fraction, k: int) -> Fraction:
    """Return the roundings in the RBP of the best ranking: see `normalised_bound`."""
    best = 1 - power(p, k)
    in_sum = sum((power(p, j) * _roundings(p, j) for j in range(k)), start=Fraction(0)) * (1 - p) / best + k - 1 + 3
    in_difference = _roundings(p, k) * power(p, k) / best + 1
    return max(in_sum, in_difference) if in_difference < 2**26 else in_sum


@functools.lru_cache(maxsize=4096)
def _roundings(p: Fraction, i: int) -> int:
    """Return max(i, ceil(3 |ln p| i) + 2): the roundings in p^i."""
    if p == 0:
        return 2  # only the first rank has a weight
    # The platform's logarithm is far better than the margin; below every float it is taken of the parts.
    magnitude = -math.log(p) if float(p) else math.log(p.denominator) - math.log(p.numerator)
    return max(i, math.ceil(3 * Fraction(magnitude) * (1 + Fraction(1, 2**30)) * i) + 2)
