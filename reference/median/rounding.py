r"""How far a sensible float64 evaluation of the median's moments may lie from their exact values.

Let u = 2^-53, n the number of ranks and K the largest number of candidates. There are two bounds, absolute both:

    small    |dE| <= u K (3 n + K),        |dVar| <= 8 u K^2 (n + K)              derived
    large    |dE| <= 64 (n + 1) u E,       |dVar| <= 32 (n + 1) u E[M^2]          calibrated

The small one is for exact moments, K up to 200 and n up to 50. It holds for any size, but its E grows with K^2 and its
Var with K^3, and past that size tells little. The large one takes the moments of `reference.median.fast`, whose own
error is far below it.

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

and for K = 1 nothing is rounded. For the variance the terms are weighted by 2 x + 1, with
E[M^2] <= (K + 1)(2 K + 1) / 6. In E[M^2] they give (n + 1) / 2 times E[X_(m+1)^2 - X_(m)^2] <= K^2 - 1, and
(3.5 n + K + 3) E[M^2]; E^2 moves by 2 E |dE| + E^2 u; E[D^2] / 4 has (3 n + 2 K) u of at most K^2 / 4. For K >= 2 that
is below 7.9 K^2 (n + K), and the rest covers what is of second order. A sum for E[AB] in place of that for E[D^2] has
the same roundings.

Other evaluations than the recurrence are inside by experience. The largest share of the small bound that each takes,
over the 923 multisets of n, N <= 6 and 66 larger ones up to n = 50 and K = 200:

==============================================================  =====  =====
evaluation                                                      E      Var
==============================================================  =====  =====
recurrence, E[M^2] - E^2                                        0.08   0.03
convolved binomials, E[AB] by the double sum                    0.09   0.03
discrete Fourier transform, second moment about the mean        0.32   0.15
`reference.median.fast`                                         0.04   0.003
==============================================================  =====  =====

Calibration of the large bound
------------------------------
The largest distance from the fast route in units of (n + 1) u E, and of (n + 1) u E[M^2], over equal numbers
(n = 400 to 100,000, N = 1,000 to 1,000,000) and mixed ones (n = 200 to 1,000, up to 20 distinct ones, K up to 1,000):

==============================================================  =====  ======
evaluation                                                      E      Var
==============================================================  =====  ======
recurrence                                                      0.01   0.03
incomplete beta function, scipy 1.17 (equal numbers)            0.001  0.004
binomial distribution, ``scipy.special.bdtr`` (equal numbers)   0.003  0.006
convolution of binomials by fast Fourier transforms             0.07   0.15
discrete Fourier transform of powers, over all frequencies      1.3    8.7
summed binomial probabilities by lgamma (equal numbers)         1.6    1.3
==============================================================  =====  ======

Of the last two, one raises a rounded number to a power, and the other subtracts logarithms of the size of n ln n: both
lose digits with n, in the first moment as in the second, from which E^2 is then subtracted. The bound leaves room for
that, and a factor of 3 at least. The first four are inside of 64 (n + 1) u Var, too, which is less by E^2 / Var.

Where the upper median, the lower one, and E[AB] taken as E[A] E[B] differ from the median at all and n, N <= 6, they
lie outside of the small bound by factors of 6 * 10^12 (in E), as much, and 7 * 10^10 (in Var). At n = 20,466 and
N = 14,541 they lie outside of the large bound by 3 * 10^5 (in E), as much, and 3 * 10^5 (in Var).

A variance is never negative: a result below 0 is wrong, also where it is within the bound.
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
    mean, second = Fraction(expected), Fraction(expected) ** 2 + Fraction(variance)
    return Bound(64 * (n + 1) * U * mean, 32 * (n + 1) * U * second)
