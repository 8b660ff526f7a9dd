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
Up to 400 ranks, where that is cheaper: the recurrence that adds rank by rank to C(x). Beyond: Cauchy's integral for
the generating function, on a circle that passes near the saddle point, by the trapezoidal rule (F. Bornemann,
"Accuracy and stability of computing high-order derivatives of analytic functions by Cauchy integrals", Foundations of
Computational Mathematics 11, 2011). Only about sixty points of the circle matter, whatever n is, and the integrand hardly
cancels. On every step the terms linear in the exponent, which are as large as n, are left out and replaced by the mean
of C(x) less n/2, which is found in integers. All the N_i come in through a function that is smooth in their
probabilities, and is interpolated in them. Left out are x at which the median lies beyond with a probability that is,
by Chernoff's bound, too small to be seen in the variance: it takes of the order of (K / sqrt n) (g + 60) operations for g
distinct N, but K n^2 where the recurrence is cheaper.

Errors
------
In units of u = 2^-53, relative to E and to Var:

=============================================================  ======  =====
against                                                        E       Var
=============================================================  ======  =====
exact rationals: 923 multisets, n, N <= 6                      1.1     3.7
exact rationals: 300 random ones, n <= 120, K <= 60, mixed     1.3     14.5
enclosures: N = 14,541, n = 10                                 0       6.9
enclosures: N = 14,541, n = 100 to 20,466, even and odd        0       0.6
enclosures: mixed, even n, 300 to 2,000, 10 to 92 distinct     0.5     2.8
enclosures: mixed, odd n, 401 to 999, 28 to 48 distinct        0.9     2.5
=============================================================  ======  =====

Where the median hardly varies the error grows with -ln Var: 150 at Var = 3e-24 and 570 at 2e-108; below 1e-300 it
may be 0. Where the median does not vary, Var is 0 exactly. Partial sums are taken in the platform's long double: where
that is no longer than a double, add a few units.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from reference.median.candidates import CandidatesOutOfRangeError, NoRanksError, checked

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]

_DIGITS = 42.0
"""What is below e^-42 of the result is left out: 2^-60."""

_SHIFT = 1.5
"""By how many standard deviations, at least, a contour stays away from the pole at 0."""

_FEW_RANKS = 400
_RECURRENCE = 8000
_NODES = 64
_STEPS = 30
_POINT = 128
_CELLS = 2**18
"""How many numbers an array in between may have."""


@dataclass(frozen=True, slots=True)
class FloatMoments:
    """Expected value and variance, as floats."""

    expected: float
    variance: float


@dataclass(frozen=True, slots=True)
class _Groups:
    """The numbers of candidates, ascending, and how many ranks have each."""

    sizes: Floats
    counts: Floats
    known: Floats
    """By k: how many ranks the k smallest groups have."""
    rates: Sequence[int]
    """By k: how fast C(x) grows in the mean with all but the k smallest groups, sum of 1 / N in units of 2^-_POINT."""

    @property
    def n(self) -> int:
        return int(self.known[-1])

    @property
    def largest(self) -> int:
        return int(self.sizes[-1])

    def done(self, x: Floats) -> npt.NDArray[np.intp]:
        """Return how many groups have no rank above x."""
        return np.searchsorted(self.sizes, x, side="right")

    def excess(self, x: Floats) -> Floats:
        """Return the mean of C(x) less n / 2, rounded once."""
        unit = 1 << _POINT
        return np.array(
            [
                (int(at) * self.rates[k] + int(2 * self.known[k] - self.n) * (unit >> 1)) / unit
                for at, k in zip(x.tolist(), self.done(x).tolist(), strict=True)
            ]
        )


@dataclass(frozen=True, slots=True)
class _Counted:
    """By x: the probabilities that C(x), the number of ranks up to x, is below n / 2, equal to it, and above."""

    below: Floats
    equal: Floats
    above: Floats


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
    groups = _grouped(candidates)
    first, last = _window(groups)
    x = np.arange(first, last, dtype=np.float64)
    if not len(x):
        return FloatMoments(float(first), 0.0)
    counted = _count(x, groups)
    expected = (groups.largest + 1) / 2 if len(groups.sizes) == 1 else _expected(first, counted)
    if groups.n % 2:
        return FloatMoments(expected, _covariance(counted.below, counted.above, counted.below, counted.above))
    return FloatMoments(expected, _variance_of_mean(counted, _both_equal(x, counted.equal, groups)))


def _grouped(candidates: Sequence[SupportsIndex] | npt.NDArray[np.integer]) -> _Groups:
    if isinstance(candidates, np.ndarray) and candidates.ndim == 1 and np.issubdtype(candidates.dtype, np.integer):
        if not candidates.size:
            raise NoRanksError
        if candidates.min() < 1:
            index = int(np.argmax(candidates < 1))
            raise CandidatesOutOfRangeError(index, int(candidates[index]))
        sizes, counts = np.unique(candidates, return_counts=True)
    else:
        sizes, counts = np.unique(np.array(checked(candidates)), return_counts=True)
    rates = [(int(count) << _POINT) // int(size) for size, count in zip(sizes, counts, strict=True)]
    return _Groups(
        sizes=sizes.astype(np.float64),
        counts=counts.astype(np.float64),
        known=np.concatenate([[0.0], np.cumsum(counts, dtype=np.float64)]),
        rates=[*list(accumulate(reversed(rates)))[::-1], 0],
    )


# From probabilities to moments: sums of what is not negative, but for S.


def _expected(first: int, counted: _Counted) -> float:
    """Return the sum of P(M > x) over all x, M the median; where it is more than P(M <= x), by that."""
    survive, cease = counted.below + counted.equal / 2, counted.above + counted.equal / 2
    more = survive > cease
    return math.fsum([first + int(more.sum()), *survive[~more], *-cease[more]])


def _covariance(survive: Floats, cease: Floats, survive_other: Floats, cease_other: Floats) -> float:
    """Return the sum over x, y of P(X > max(x, y)) P(Y <= min(x, y)), crosswise; for X = Y it is the variance."""
    upto, upto_other = _partial_sums(cease), _partial_sums(cease_other)
    return math.fsum(survive * upto_other) + math.fsum(survive_other[1:] * upto[:-1])


def _variance_of_mean(counted: _Counted, both_equal: float) -> float:
    """Return the variance of (A + B) / 2, by those of A and B and their covariance, which is 0 or more."""
    survive_b, cease_a = counted.below + counted.equal, counted.equal + counted.above
    a = _covariance(counted.below, cease_a, counted.below, cease_a)
    b = _covariance(survive_b, counted.above, survive_b, counted.above)
    both = _covariance(counted.below, cease_a, survive_b, counted.above) - both_equal
    return (a + b + 2 * max(both, 0.0)) / 4


def _partial_sums(terms: Floats) -> Floats:
    return np.cumsum(terms, dtype=np.longdouble).astype(np.float64)


def _both_equal(x: Floats, equal: Floats, groups: _Groups) -> float:
    """Return S, the sum over a < b of P(C(a) = n/2 = C(b))."""
    free = groups.n / 2 - groups.known[groups.done(x)]
    ratios = np.exp(-np.maximum(free, 0) * np.log1p(1 / x))
    total, terms = 0.0, []
    for probability, ratio in zip(equal.tolist(), ratios.tolist(), strict=True):
        terms.append(probability * total)
        total = (total + 1) * ratio
    return math.fsum(terms)


# The window, and the probabilities in it.


def _window(groups: _Groups) -> tuple[int, int]:
    """Return the first x at which the median may be up to x, and the first at which it can't be above."""
    largest, n = groups.largest, groups.n

    def exceeded(x: Floats) -> npt.NDArray[np.bool_]:
        return groups.excess(x) >= 0

    crossing = _first(1, largest, exceeded)
    nearest = np.array([x for x in (crossing - 1, crossing) if 1 <= x < largest], dtype=np.float64)
    if not len(nearest):
        return 1, 1
    cut = float(_improbability(nearest, groups).min()) + _DIGITS + 2 * math.log(largest) + math.log(n)
    if math.isinf(cut):
        return crossing, crossing
    first = _first(1, crossing, lambda x: _improbability(x, groups) <= cut)
    last = _first(crossing, largest, lambda x: _improbability(x, groups) > cut)
    return first, last


def _first(low: int, high: int, holds: Callable[[Floats], npt.NDArray[np.bool_]]) -> int:
    """Return the first of low..high - 1 at which it holds, and then on; or high."""
    while low < high:
        probes = np.unique(np.linspace(low, high - 1, 24).astype(np.int64))
        held = holds(probes.astype(np.float64))
        if not held.any():
            return high
        at = int(np.argmax(held))
        low, high = int(probes[at - 1]) + 1 if at else low, int(probes[at])
    return low


def _improbability(x: Floats, groups: _Groups) -> Floats:
    """Return I with P(C(x) on the far side of n / 2) <= e^-I, which is Chernoff's bound."""
    ranks = _Ranks.at(x, groups)
    bound = -ranks.exponent(ranks.saddle())
    bound[ranks.free == 0] = -ranks.none_of_the_others()[ranks.free == 0]
    bound[ranks.free < 0] = np.inf
    return bound


def _count(x: Floats, groups: _Groups) -> _Counted:
    """Return the three probabilities for each x, chunk by chunk."""
    rows = max(1, _CELLS // max(len(groups.sizes), min(groups.n, _FEW_RANKS), _NODES))
    chunks = [_count_chunk(_Ranks.at(x[start : start + rows], groups)) for start in range(0, len(x), rows)]
    return _Counted(
        below=np.concatenate([chunk.below for chunk in chunks]),
        equal=np.concatenate([chunk.equal for chunk in chunks]),
        above=np.concatenate([chunk.above for chunk in chunks]),
    )


@dataclass(frozen=True, slots=True)
class _Ranks:
    """By x and group: the chances of a rank to be up to x; and by x what C(x) has to reach."""

    x: Floats
    sizes: Floats
    p: Floats
    q: Floats
    """1 - p, each rounded once."""
    counts: Floats
    excess: Floats
    """The mean of C(x) less n / 2."""
    known: Floats
    """How many ranks are up to x for certain."""
    n: int

    @classmethod
    def at(cls, x: Floats, groups: _Groups) -> "_Ranks":
        kept = slice(int(groups.done(x[:1])[0]), None)
        sizes = groups.sizes[kept]
        return cls(
            x=x,
            sizes=sizes,
            p=np.minimum(x[:, None], sizes) / sizes,
            q=np.maximum(sizes - x[:, None], 0) / sizes,
            counts=groups.counts[kept],
            excess=groups.excess(x),
            known=groups.known[groups.done(x)],
            n=groups.n,
        )

    def __getitem__(self, rows: npt.NDArray[np.bool_]) -> "_Ranks":
        return replace(
            self,
            x=self.x[rows],
            p=self.p[rows],
            q=self.q[rows],
            excess=self.excess[rows],
            known=self.known[rows],
        )

    @property
    def free(self) -> Floats:
        """How many of the other ranks are up to x where C(x) = n / 2."""
        return self.n / 2 - self.known

    def none_of_the_others(self) -> Floats:
        """Return the logarithm of the probability that no rank is up to x but those that are for certain."""
        logs = np.where(self.p < 0.5, np.log1p(-np.minimum(self.p, 0.5)), np.log(np.maximum(self.q, 1e-300)))
        return np.where(self.q > 0, logs, 0) @ self.counts

    def saddle(self) -> Floats:
        """Return a tilt theta of all ranks that brings the mean of C(x) near n / 2."""
        mean = self.excess + self.free
        free, others = np.maximum(self.free, 0.25), self.n - self.known
        theta = np.log(free * (others - mean)) - np.log((others - free) * mean)
        for _ in range(_STEPS):
            p, q = self.tilted(theta)
            step = self.tilted_excess(theta) / np.maximum((p * q) @ self.counts, 1e-300)
            step = np.clip(step, -1, 1)
            theta = theta - step
            if np.all(np.abs(step) < 1e-3 * (1 + np.abs(theta))):
                break
        return theta

    def tilted(self, theta: Floats) -> tuple[Floats, Floats]:
        """Return p e^theta / (q + p e^theta), and 1 less that."""
        up = self.p * np.exp(theta)[:, None]
        return up / (self.q + up), self.q / (self.q + up)

    def tilted_excess(self, theta: Floats) -> Floats:
        """Return the tilted mean of C(x) less n / 2: what tilting moves is small, and added to what is exact."""
        moved = self.p * self.q * np.expm1(theta)[:, None] / (self.q + self.p * np.exp(theta)[:, None])
        return self.excess + moved @ self.counts

    def exponent(self, theta: Floats) -> Floats:
        """Return ln E[ e^(theta (C(x) - n/2)) ]; of ln(q + p e^theta) - p theta the linear terms are left out first."""
        t = theta[:, None]
        return np.log1p(self.q * _beyond_linear(-self.p * t) + self.p * _beyond_linear(self.q * t)) @ self.counts + (
            self.excess * theta
        )


def _count_chunk(ranks: _Ranks) -> _Counted:
    n = ranks.counts.sum()
    if n <= _FEW_RANKS and n**2 <= _RECURRENCE * len(ranks.counts):
        return _by_recurrence(ranks)
    count = _Counted(*np.zeros((3, len(ranks.excess))))
    none = ranks.none_of_the_others()
    certain, edge, open_ = ranks.free < 0, ranks.free == 0, ranks.free > 0
    count.above[certain] = 1
    count.equal[edge], count.above[edge] = np.exp(none[edge]), -np.expm1(none[edge])
    if open_.any():
        chosen = _by_contours(ranks[open_])
        count.below[open_], count.equal[open_], count.above[open_] = chosen.below, chosen.equal, chosen.above
    return count


def _by_recurrence(ranks: _Ranks) -> _Counted:
    """Add rank by rank to C(x): products and sums of what is not negative, and of integers as long as possible."""
    n = int(ranks.counts.sum())
    chances = np.zeros((n + 1, len(ranks.excess)))
    chances[0] = 1
    added = 0
    for size, count in zip(ranks.sizes, ranks.counts, strict=True):
        inside = np.minimum(ranks.x, size)
        for _ in range(int(count)):
            added += 1
            chances[1 : added + 1] = (chances[1 : added + 1] * (size - inside) + chances[:added] * inside) / size
            chances[0] *= size - inside
            chances[0] /= size
    half = ranks.n - 2 * (ranks.n - n)  # twice what n / 2 leaves for these ranks
    first, last = max((half + 1) // 2, 0), max(half // 2 + 1, 0)
    return _Counted(chances[:first].sum(axis=0), chances[first:last].sum(axis=0), chances[last:].sum(axis=0))


def _by_contours(ranks: _Ranks) -> _Counted:
    """Integrate the generating function of C(x), on the side where n / 2 lies in the tail; where needed on both."""
    theta = ranks.saddle()
    p, q = ranks.tilted(theta)
    nearest = _SHIFT / np.sqrt((p * q) @ ranks.counts)
    lower, upper = np.minimum(theta, -nearest), np.maximum(theta, nearest)
    low = ranks.excess >= 0
    tail, equal = _tail(ranks, np.where(low, lower, upper))
    other = 1 - tail - equal
    again = other < 0.25
    if again.any():
        other[again] = _tail(ranks[again], np.where(low, upper, lower)[again])[0]
    return _Counted(np.where(low, tail, other), equal, np.where(low, other, tail))


def _tail(ranks: _Ranks, theta: Floats) -> tuple[Floats, Floats]:
    """Return P(C below n / 2) for theta < 0, above it for theta > 0, and the probability that C = n / 2.

    With w = theta + i t, P(C = j) is the mean over t of E[e^(w (C - j))], and a tail the sum of a geometric series of
    them. The mean is taken over equally spaced t, few enough to leave out where the integrand is negligible, and many
    enough that what is counted twice is, too.
    """
    p, q = ranks.tilted(theta)
    spread = np.sqrt((p * q) @ ranks.counts)
    spaces = 2 * math.ceil(float(np.max(5 * spread + 20 / np.abs(theta))) + 25) + 1
    reach = min(1.0, math.sqrt(_DIGITS / 2) / float(spread.min()))
    used = min((spaces - 1) // 2, math.ceil(2 * math.asin(reach) / (2 * math.pi) * spaces))
    t = 2 * math.pi / spaces * np.arange(used + 1)
    with np.errstate(divide="ignore"):
        turned = _ln_characteristic(p, q, ranks.counts, t)
    w = theta[:, None] + 1j * t
    integrand = np.exp(ranks.exponent(theta)[:, None] + turned + 1j * ranks.tilted_excess(theta)[:, None] * t)
    integrand[:, 1:] *= 2  # t and -t
    towards = np.where(theta < 0, 1.0, -1.0)[:, None] * w
    if ranks.n % 2:
        return (-integrand / (2 * np.sinh(towards / 2))).real.sum(axis=1) / spaces, np.zeros_like(theta)
    return (integrand / np.expm1(-towards)).real.sum(axis=1) / spaces, integrand.real.sum(axis=1) / spaces


def _ln_characteristic(p: Floats, q: Floats, counts: Floats, t: Floats) -> Complexes:
    """Return, by x and t, the sum over ranks of ln(q + p e^(it)) - i p t.

    It is conjugated by exchanging p and q, and smooth in the lesser of the two. So it is interpolated between
    Chebyshev's points, of which there are as many as its nearest singularity, 1/2 + (i/2) cot(t/2), demands.
    """
    lesser = np.minimum(p, q)
    signed = np.where(p <= q, 1.0, -1.0) * counts
    centre, half = (lesser.max() + lesser.min()) / 2, max((lesser.max() - lesser.min()) / 2, 1e-6)
    nearest = (0.5 + 0.5j / math.tan(t[-1] / 2) - centre) / half
    radius = abs(nearest + np.sqrt(nearest - 1) * np.sqrt(nearest + 1))
    nodes = math.ceil(40 / math.log(radius)) + 2 if radius > 1.5 else p.size
    if nodes < p.size / 2:
        angles = math.pi * (np.arange(nodes) + 0.5) / nodes
        values = _ln_turned(centre + half * np.cos(angles), t)
        series = np.cos(np.outer(np.arange(nodes), angles)) @ values * (2 / nodes)
        series[0] /= 2
        even, odd = _chebyshev_sums((lesser - centre) / half, np.broadcast_to(counts, p.shape), signed, nodes)
        return even @ series.real + 1j * (odd @ series.imag)
    total = np.zeros((len(p), len(t)), dtype=np.complex128)
    for k in range(len(counts)):
        turned = _ln_turned(lesser[:, k], t)
        total += counts[k] * turned.real + 1j * signed[:, k, None] * turned.imag
    return total


def _chebyshev_sums(at: Floats, even: Floats, odd: Floats, nodes: int) -> tuple[Floats, Floats]:
    """Return, by x and degree, the sums over groups of Chebyshev's polynomials, weighted in two ways."""
    sums = np.empty((2, len(at), nodes))
    before, now = at, np.ones_like(at)
    for degree in range(nodes):
        sums[:, :, degree] = np.einsum("xk,xk->x", now, even), np.einsum("xk,xk->x", now, odd)
        before, now = now, (2 * at * now - before if degree else at)
    return sums[0], sums[1]


def _ln_turned(p: Floats, t: Floats) -> Complexes:
    """Return ln(q + p e^(it)) - i p t by p <= 1/2 and t; of the angle, the linear terms are left out first."""
    p = p[:, None]
    q = 1 - p
    angle = np.arctan2(q * _below_linear(p * t) - p * _below_linear(q * t), q * np.cos(p * t) + p * np.cos(q * t))
    return 0.5 * np.log1p(-4 * p * q * np.sin(t / 2) ** 2) + 1j * angle


def _beyond_linear(x: Floats) -> Floats:
    """Return e^x - 1 - x."""
    near = np.clip(x, -0.5, 0.5)
    return np.where(np.abs(x) <= 0.5, near**2 * _horner(near, 2, 16), np.expm1(x) - x)


def _below_linear(x: Floats) -> Floats:
    """Return x - sin x, for x >= 0."""
    near = np.minimum(x, 1.0)
    squares = near**2
    series = np.full_like(x, 1.0)
    for k in range(21, 3, -2):
        series = 1 - squares / (k * (k - 1)) * series
    return np.where(x <= 1, near * squares / 6 * series, x - np.sin(x))


def _horner(x: Floats, first: int, last: int) -> Floats:
    """Return the sum over k >= 0 of x^k / (first + k)!, up to a power of x."""
    total = np.ones_like(x)
    for k in range(last, first, -1):
        total = 1 + x / k * total
    return total / math.factorial(first)
