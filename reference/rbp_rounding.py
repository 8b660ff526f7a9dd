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

from reference.rbp import Gain, PersistenceOutOfRangeError, graded, power

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


@functools.lru_cache(maxsize=4096)
def _roundings(p: Fraction, i: int) -> int:
    """Return max(i, ceil(3 |ln p| i) + 2): the roundings in p^i."""
    if p == 0:
        return 2  # only the first rank has a weight
    # The platform's logarithm is far better than the margin; below every float it is taken of the parts.
    magnitude = -math.log(p) if float(p) else math.log(p.denominator) - math.log(p.numerator)
    return max(i, math.ceil(3 * Fraction(magnitude) * (1 + Fraction(1, 2**30)) * i) + 2)
