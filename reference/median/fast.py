r"""Expected value and variance of the median of uniform ranks in float64, for thousands of ranks and candidates.

Let C(x) count the ranks up to x, n of them in all, the i-th among N_i, and K the largest N_i. What is needed by x is
P(C(x) < n/2), P(C(x) = n/2) and P(C(x) > n/2): see `reference.median.moments`. All three are found with a *relative*
error of some units in the last place, however small they are; and then only what is not negative is added up.

From probabilities to moments
-----------------------------
For the order statistics A <= B in the middle, by Hoeffding's formula (David and Nagaraja, *Order Statistics*, 3rd ed.,
Wiley 2003, section 2.1 for the survival functions),

    Var A      =  sum over x, y of P(A > max(x, y)) P(A <= min(x, y))
    Cov(A, B)  =  sum over x >= y of P(A > x) P(B <= y)  +  sum over x < y of P(A <= x) P(B > y)  -  S
    S          =  sum over a < b of P(C(a) = n/2 = C(b))
    Var        =  ( Var A + Var B + 2 Cov(A, B) ) / 4

in linear time by partial sums: nothing is taken about a centre, and no E^2 subtracted. The covariance of order
statistics of independent variables is 0 or more (Esary, Proschan and Walkup, "Association of random variables, with
applications", Annals of Mathematical Statistics 38, 1967), so that Var is at least (Var A + Var B) / 4, and never
negative. S = sum of P(C(b) = n/2) T(b), with T(1) = 0, T(b + 1) = (T(b) + 1) (b / (b + 1))^(n/2 - #{N_i <= b}).
For equal N the expected value is (N + 1) / 2, by symmetry.

The probabilities
-----------------
For equal N that are large beside sqrt n, from the beta distribution of a continuous median: see `beta`. Else, by
whichever is cheaper, from the recurrence that adds rank by rank to C(x), of the order of K n^2 operations, for up to
400 ranks; or from Cauchy's integral for the generating function: see `contour`. This takes of the order of
(K / sqrt n) (g + 60) operations for g distinct N.

Left out are the x at which the median lies beyond with a probability that is, by Chernoff's bound, too small to be seen
in the variance.

Errors
------
In units of u = 2^-53, the largest found, relative to E and to Var:

=============================================================  ======  =====
against                                                        E       Var
=============================================================  ======  =====
exact rationals: 923 multisets, n, N <= 6                      1.1     3.7
exact rationals: 300 random ones, n <= 120, K <= 60, mixed     1.3     14.5
enclosures: equal N = 14,541, n = 10                           0       6.9
enclosures: equal N = 14,541, n = 11 to 20,467, even and odd   0       1.4
enclosures: equal N = 10 to 1000, n = 2,000 to 40,000          0       1.5
enclosures: mixed, even n, 300 to 2,000, 10 to 92 distinct     1.0     2.8
enclosures: mixed, odd n, 401 to 999, 28 to 48 distinct        0.9     2.5
enclosures: mixed, n = 20,466 and 20,467, 24 distinct          0.7     1.0
=============================================================  ======  =====

Where the median hardly varies the error grows with -ln Var: 150 at Var = 3e-24 and 570 at 2e-108; below 1e-300 it
may be 0. Where the median does not vary, Var is 0 exactly. Sums are taken in the platform's long double: where that is
no longer than a double, add a few units.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from reference.median import beta
from reference.median.counting import count
from reference.median.groups import Counted, Floats, Groups, grouped
from reference.median.window import negligible, window


@dataclass(frozen=True, slots=True)
class FloatMoments:
    """Expected value and variance, as floats."""

    expected: float
    variance: float


def moments(candidates: Sequence[SupportsIndex] | npt.NDArray[np.integer]) -> FloatMoments:
    """Return expected value and variance of the median of ranks that are uniform on 1..N each, and independent.

    Parameters
    ----------
    candidates
        By rank: the number N of candidates, at least 1 and below 2^53. Their order does not matter.

    Raises
    ------
    NoRanksError
        If there is no rank.
    CandidatesNotIntegerError
        If a number of candidates is no integer.
    CandidatesOutOfRangeError
        If a number of candidates is below 1.
    """
    groups = grouped(candidates)
    equal = len(groups.sizes) == 1
    if equal and beta.applies(groups.largest, groups.n):
        x, counted = beta.count(groups.largest, groups.n, negligible(groups))
        return FloatMoments((groups.largest + 1) / 2, _variance(x, counted, groups))
    first, last = window(groups)
    if first == last:
        return FloatMoments(float(first), 0.0)
    x = np.arange(first, last, dtype=np.float64)
    counted = count(x, groups)
    expected = (groups.largest + 1) / 2 if equal else _expected(first, counted)
    return FloatMoments(expected, _variance(x, counted, groups))


def _expected(first: int, counted: Counted) -> float:
    """Return the sum of P(M > x) over all x, M the median; where it is more than P(M <= x), by that."""
    survive, cease = counted.below + counted.equal / 2, counted.above + counted.equal / 2
    more = survive > cease
    return math.fsum([first + int(more.sum()), *survive[~more], *-cease[more]])


def _variance(x: Floats, counted: Counted, groups: Groups) -> float:
    """Return the variance of (A + B) / 2, by those of A and B and their covariance, which is 0 or more."""
    if groups.n % 2:
        return _covariance(counted.below, counted.above, counted.below, counted.above)
    survive_b, cease_a = counted.below + counted.equal, counted.equal + counted.above
    a = _covariance(counted.below, cease_a, counted.below, cease_a)
    b = _covariance(survive_b, counted.above, survive_b, counted.above)
    both = _covariance(counted.below, cease_a, survive_b, counted.above) - _both_equal(x, counted.equal, groups)
    return (a + b + 2 * max(both, 0.0)) / 4


def _covariance(survive: Floats, cease: Floats, survive_other: Floats, cease_other: Floats) -> float:
    """Return the sum over x >= y of P(X > x) P(Y <= y), and over x < y of P(X <= x) P(Y > y)."""
    upto, upto_other = _partial_sums(cease), _partial_sums(cease_other)
    return _sum(survive * upto_other) + _sum(survive_other[1:] * upto[:-1])


def _sum(terms: Floats) -> float:
    return float(terms.sum(dtype=np.longdouble))


def _partial_sums(terms: Floats) -> Floats:
    return np.cumsum(terms, dtype=np.longdouble).astype(np.float64)


def _both_equal(x: Floats, equal: Floats, groups: Groups) -> float:
    """Return S, the sum over a < b of P(C(a) = n/2 = C(b))."""
    free = groups.n / 2 - groups.known[groups.done(x)]
    ratios = np.exp(-np.maximum(free, 0) * np.log1p(1 / x))
    totals = accumulate(ratios[:-1].tolist(), lambda total, ratio: (total + 1) * ratio, initial=0.0)
    return _sum(equal * np.fromiter(totals, np.float64, len(x)))
