r"""How far a sensible float64 evaluation of the median's moments may lie from their exact values.

Let u = 2^-53, n the number of ranks and K the largest number of candidates. There are two bounds, absolute both:

    small    |dE| <= u K (3 n + K),        |dVar| <= 8 u K^2 (n + K)        derived
    large    |dE| <= 256 u E,              |dVar| <= 64 (n + 1) u Var       calibrated

The small one is for exact moments, K up to 200 and n up to 50; it holds for any size, but grows with K^2 n while the
variance falls with 1/n: at n = 100,000 and K = 1,000,000 it would let pass a variance that is off by 977, where the
upper median is off by 25. The large one is relative to Var, and takes the moments of `reference.median.fast`.

Derivation of the small bound
-----------------------------
In the standard model fl(x op y) = (x op y)(1 + d), |d| <= u (Higham, *Accuracy and Stability of Numerical
Algorithms*, 2nd ed., section 2.2), to first order, for the recurrence that adds rank by rank to C(x), the number of
ranks up to x, with p = fl(x / N) and q = fl(1 - p), and for E[M^2] - E^2 from sums over x.

====================  =========================================================================================
p, as it is rounded   moves P(C < m) by at most u p_i P(C without i = m - 1) for each rank; the sum of these over
                      i is u m P(C = m). Summed over x, P(C = m) is E[X_(m+1) - X_(m)] <= K - 1. For an even n, m
                      is n / 2 and n / 2 + 1 in turn: (n + 1) / 2 in the mean, as for an odd one.
q, products, sums     3 roundings a rank, of what is not negative: 3 n P.
sum of P(C = j)       (n - 1) / 2 additions on average, and one more for the mean of two.
sum over x            K additions.
====================  =========================================================================================

The median is at most as large as that of n ranks among K, in distribution: E <= (K + 1) / 2. Together

    |dE| / u  <=  (n + 1)(K - 1) / 2 + (3.5 n + K + 0.5)(K + 1) / 2  <=  K (3 n + K)        for K >= 2,

and for K = 1 nothing is rounded. For the variance the terms are weighted by 2 x + 1, and E[M^2] <= (K + 1)(2 K + 1) / 6.
In E[M^2] they give (n + 1) / 2 times E[X_(m+1)^2 - X_(m)^2] <= K^2 - 1, and (3.5 n + K + 3) E[M^2]; E^2 moves by
2 E |dE| + E^2 u; E[D^2] / 4 has (3 n + 2 K) u of at most K^2 / 4. For K >= 2 that is below 7 K^2 (n + K); one more for
what is of second order. A sum for E[AB] in place of that for E[D^2] has the same roundings.

Other evaluations than the recurrence are inside by experience. The largest share of the small bound that each takes,
over the 923 multisets of n, N <= 6 and 60 larger ones up to n = 50 and K = 200:

==========================================================  ========  ========
evaluation                                                         E       Var
==========================================================  ========  ========
recurrence, E[M^2] - E^2                                       SMALL1
convolved binomials, E[AB] by the double sum                   SMALL2
discrete Fourier transform, joint distribution of A and B      SMALL3
==========================================================  ========  ========

Calibration of the large bound
------------------------------
In the same way, for equal and for mixed numbers, up to n = 20,466 and K = 14,541, the largest distance in units of u E
and of (n + 1) u Var:

==========================================================  ========  ========
evaluation                                                         E       Var
==========================================================  ========  ========
recurrence (n up to 401)                                       LARGE1
summed binomial probabilities by lgamma (equal numbers)        LARGE2
discrete Fourier transform (n up to 2,000)                     LARGE3
==========================================================  ========  ========

The upper and the lower median, and E[AB] taken as E[A] E[B], lie outside of the small bound by a factor of 10^9 at
least, wherever they are different at all, and n, N <= 6. At n = 20,466 and N = 14,541 the factors by which the upper
median and the independent one lie outside of the large bound are UPPER.

A variance is never negative: what is within the bound and below 0 is to be refused beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import SupportsIndex

from reference.median.candidates import checked

U = Fraction(1, 2**53)
"""Unit roundoff of float64, rounding to nearest."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The largest distances from the exact moments at which float64 results are still right."""

    expected: Fraction
    variance: Fraction


def small(candidates: Sequence[SupportsIndex]) -> Bound:
    """Return the derived bound, for results that are compared with exact moments.

    Parameters
    ----------
    candidates
        By rank: the number of candidates, at least 1.

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
    n, k = len(sizes), sizes[-1]
    return Bound(U * k * (3 * n + k), 8 * U * k**2 * (n + k))


def large(n: int, expected: float, variance: float) -> Bound:
    """Return the calibrated bound, for results that are compared with moments of the fast route.

    Parameters
    ----------
    n
        How many ranks there are.
    expected, variance
        The moments that `reference.median.fast.moments` gives.

    Raises
    ------
    ValueError
        If there is no rank, or these are no moments of a median rank.
    """
    if n < 1 or not expected >= 1 or not variance >= 0:
        raise ValueError(f"a rank, a mean of 1 and a variance of 0 at least were expected, not {n, expected, variance}")
    return Bound(256 * U * Fraction(expected), 64 * (n + 1) * U * Fraction(variance))
