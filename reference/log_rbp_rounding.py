r"""How far a sensible float64 evaluation of the logarithm of RBP, or of its mean, may lie from the exact value.

The distance is absolute: ln RBP is 0 where RBP is 1, and next to it no relative precision can be had from a float p.

Let u = 2^-53, h the number of hits, at ranks r_1 < ... < r_h; x_i = (r_i - 1) ln p, w_i = e^(x_i - x_1) and
pi_i = w_i / sum w. With

    lse = ln sum e^(x_i),    M = max( |lse|, |ln RBP| ),    A = sum pi_i |x_i|

(A is |ln p| times the mean rank less 1, weighted as RBP weights) the bound for one ranking is

    B = u * ( 4 A + h (M + 4) + M + 3 |ln(1 - p)| + 6 ).

For the log mean of n values, of which k are finite, with M = max( |log mean|, |log mean + ln n| ), it is

    E = u * ( k (M + 4) + M + 3 ln n + 4 ),

to which the largest B of the rankings is added where the values are not given but computed: if every value moves by
at most B, so does the logarithm of the mean of the exponentials.

Derivation, in the standard model fl(x op y) = (x op y)(1 + d), |d| <= u (Higham, *Accuracy and Stability of
Numerical Algorithms*, 2nd ed., section 2.2), with a platform whose exp, log, log1p and power are right within an ulp
(at most 2 u relative). A relative error below the logarithm is an absolute one above it: a product of factors
1 + d becomes a sum, in units of u. An absolute error of e_i in x_i moves lse by sum pi_i e_i (the mean value theorem).
In units of u,

====================  =========================================================================================
x_i                   3 |x_i|: the logarithm is off by 2, the product by 1. Together: 3 A.
lse, by a shift       x_i - m, for m = max x: sum pi_i |x_i - m| = H - ln s, where s = sum w and H <= ln h is the
                      entropy of pi. The exponential: 2. The sum, in any order: h - 1. The logarithm of s: 2 ln s.
                      Adding m: |lse|. Together: h + 1 + 2 ln h + |lse|, since H + ln s <= 2 ln h.
lse, by a fold        max(a, b) + log1p(e^-d) with d = |a - b|, h - 1 times. The difference: d / (e^d + 1) <= 0.28.
                      The exponential: 2 / (e^d + 1) <= 1. The logarithm: 2 ln 2. The sum: its result, lse - t, and
                      what is off there has a weight of e^-t in the end: (|lse| + t + 2.7) e^-t <= |lse| + 2.7.
                      Together: (h - 1) (|lse| + 2.7).
lse, unscaled         ln sum e^(x_i), where nothing underflows: h + 1 + 2 |lse|; and |lse| <= A + ln h.
ln(1 - p)             2 |ln(1 - p)|, and 1 for 1 - p; 1 more as -ln(1 / (1 - p)). By log1p(-p) just the first.
ln(1 - p) + lse       |ln RBP|. Where ln(1 - p) is added to each x_i, or to m, first: |x_i + ln(1 - p)| instead,
                      A + |ln(1 - p)| together, and lse becomes ln RBP.
====================  =========================================================================================

Each combination of these is below B, and so is the logarithm of an RBP whose powers are right within an ulp. At least
3 units are left over. They cover what is of second order: the pi_i that errors of up to 4 u |x_i| have moved, by less
than 2^-20 of themselves while |x_i| < 2^29 (as it is up to rank 700,000 at any float p), which counts for the
|x_i - x_1| alone, whose mean is at most ln h; the numbers that are rounded in place of the exact ones; and
exponentials that underflow beside w_1 = 1.

A fold is why h multiplies M: each of its additions rounds a number as large as lse. Summaries that are taken as
measurements come in can hardly be done otherwise.

The log mean is a lse again, of k finite values; 2 ln n for the logarithm of n, and |log mean| for subtracting it, or
|m - ln n| <= |log mean| + ln k where it is subtracted from m first. Dividing by n below the logarithm costs less. A sum
that is scaled anew for each new maximum (an exponential, a product) adds 3 to each of k - 1 steps; as M >= ln n / 2,
k M has room for it.

Not among these: a running product of p, or a running sum of ln p, whose errors grow with the rank as such; and a
sum over r ln p from which ln p is taken again, which cancels for a small p.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from reference.log_rbp import check, persistence

_UNIT = (1 + 2**-20) * 2**-53
"""u, with a margin that is far more than this module's own roundings."""


def bound(ranks: Sequence[int], p: Fraction) -> Fraction:
    """Return the largest distance from the exact ln RBP at which a float64 result is still right.

    It is 0 for a ranking without a hit, whose logarithm is minus infinity and nothing near it.

    Parameters
    ----------
    ranks
        The ranks of the hits, counted from 1, ascending.
    p
        Persistence as the library received it, 0 < p < 1.

    Raises
    ------
    RanksOutOfOrderError
        If ``ranks`` are not ascending ranks.
    PersistenceWithoutLogarithmError
        If ``p`` is not a persistence with a logarithm.
    """
    _, units = _of_ranking(ranks, p)
    return Fraction(units * _UNIT)


def mean_bound(rankings: Sequence[Sequence[int]], p: Fraction) -> Fraction:
    """Return the bound for the log mean of the RBPs of several rankings, computed from their float64 logarithms.

    Raises
    ------
    RanksOutOfOrderError
        If the ranks of a ranking are not ascending ranks.
    PersistenceWithoutLogarithmError
        If ``p`` is not a persistence with a logarithm.
    ValueError
        If there is no ranking.
    """
    if not rankings:
        raise ValueError("at least one ranking was expected: the mean of none is not defined")
    values, units = zip(*(_of_ranking(ranks, p) for ranks in rankings), strict=True)
    return Fraction((max(units) + _of_mean(values)) * _UNIT)


def mean_exp_bound(values: Sequence[Fraction | None]) -> Fraction:
    """Return the bound for the log mean of measurements that are given as float64 logarithms.

    Parameters
    ----------
    values
        The exact values of the floats; ``None`` is minus infinity.

    Raises
    ------
    ValueError
        If there is no value.
    """
    if not values:
        raise ValueError("at least one value was expected: the mean of none is not defined")
    return Fraction(_of_mean([-math.inf if v is None else float(v) for v in values]) * _UNIT)


def _of_ranking(ranks: Sequence[int], p: Fraction) -> tuple[float, float]:
    """Return ln RBP, and its bound in units of u."""
    check(ranks)
    given = persistence(p)
    if not ranks:
        return -math.inf, 0.0
    ln_p, ln_rest = float(given.ln), float(given.ln_rest)
    weights = [math.exp((rank - ranks[0]) * ln_p) for rank in ranks]
    depth = -ln_p * sum(w * (rank - 1) for w, rank in zip(weights, ranks, strict=True)) / sum(weights)
    lse = (ranks[0] - 1) * ln_p + math.log(sum(weights))
    largest = max(abs(lse), abs(ln_rest + lse))
    return ln_rest + lse, 4 * depth + len(ranks) * (largest + 4) + largest + 3 * abs(ln_rest) + 6


def _of_mean(values: Sequence[float]) -> float:
    """Return E in units of u: the log mean of the values, given as floats."""
    finite = [v for v in values if v > -math.inf]
    if not finite:
        return 0.0
    top = max(finite)
    lse = top + math.log(sum(math.exp(v - top) for v in finite))
    ln_n = math.log(len(values))
    largest = max(abs(lse), abs(lse - ln_n))
    return len(finite) * (largest + 4) + largest + 3 * ln_n + 4
