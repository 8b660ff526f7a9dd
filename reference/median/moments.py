r"""Expected value and variance of the median of independent uniform ranks, as exact rationals.

Let C(x) count the ranks up to x. The j-th smallest rank X_(j) exceeds x exactly when C(x) < j (H. A. David and
H. N. Nagaraja, *Order Statistics*, 3rd ed., Wiley 2003, section 2.1; section 5.2 for ranks that are not of one
distribution). Every rank adds 1 to C(x) with probability min(x, N_i) / N_i, so that

    prod over i of ( N_i - min(x, N_i) + min(x, N_i) t )   =   prod N_i  *  sum over k of P(C(x) = k) t^k,

the counting polynomial, with integer coefficients. Of a variable X on the positive integers,

    E[X] = sum over x >= 0 of P(X > x),            E[X^2] = sum over x >= 0 of (2x + 1) P(X > x).

For an odd n the median is X_(m), m = (n + 1) / 2. For an even n it is (A + B) / 2 with A = X_(m), B = X_(m+1) and
m = n / 2. With D = B - A, which is 0 or more, ((A + B) / 2)^2 = (A^2 + B^2) / 2 - D^2 / 4: what is needed beyond
the two survival functions is E[D^2].

E[D^2] in linear time
---------------------
D counts the x with A <= x < B, which are those with C(x) = m: there are m ranks up to x, and no more. So

    E[D^2] = sum over a, b of P(C(a) = m = C(b)) = sum over x of P(C(x) = m) + 2 S,
    S      = sum over a < b of P(C(a) = m = C(b)).

Take a < b and let C(b) = m. The m ranks up to b are then independent and uniform on 1..min(b, N_i) each; C(a) = m
says that they all lie up to a. Those with N_i <= b are among the m for certain. The others of the m, of which there
are m - #{N_i <= b} whichever they are, lie up to a with probability a / b each. So it does not matter which they are:

    P(C(a) = m | C(b) = m) = w(a) / w(b),      w(x) = prod over N_i <= x of N_i  *  x^(m - #{N_i <= x}),

which is an integer wherever C(x) = m is possible, since then at most m of the N_i are up to x. Therefore

    S = sum over b of  P(C(b) = m) / w(b) * ( w(1) + ... + w(b - 1) ).

With the median taken as X_(m) alone, or with A and B taken as independent, other moments result: see `conventions`.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import SupportsIndex

from reference.median.candidates import checked, middle


@dataclass(frozen=True, slots=True)
class Moments:
    """Expected value and variance."""

    expected: Fraction
    variance: Fraction

    @property
    def second(self) -> Fraction:
        """The expected square."""
        return self.variance + self.expected**2


def moments(candidates: Sequence[SupportsIndex]) -> Moments:
    """Return expected value and variance of the median of ranks that are uniform on 1..N each, and independent.

    It takes of the order of K n^2 operations on integers of n log K bits, for n ranks and K the largest N.

    Parameters
    ----------
    candidates
        By rank: the number N of candidates, at least 1. Their order does not matter.

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
    n = len(sizes)
    low, high = middle(n)
    counts = list(_counting_polynomials(sizes))
    a, b = _moments_of(counts, low), _moments_of(counts, high)
    expected = (a.expected + b.expected) / 2
    apart = Fraction(0) if low == high else _squared_distance(counts, sizes)
    return Moments(expected, (a.second + b.second) / 2 - apart / 4 - expected**2)


def order_statistic(candidates: Sequence[SupportsIndex], j: int) -> Moments:
    """Return expected value and variance of the j-th smallest of the ranks, j from 1 on.

    Raises
    ------
    NoRanksError
        If there is no rank.
    CandidatesNotIntegerError
        If a number of candidates is no integer.
    CandidatesOutOfRangeError
        If a number of candidates is below 1.
    ValueError
        If there is no j-th smallest.
    """
    sizes = checked(candidates)
    if not 1 <= j <= len(sizes):
        raise ValueError(f"the index of one of the {len(sizes)} ranks in order was expected, from 1 on, not {j}")
    return _moments_of(list(_counting_polynomials(sizes)), j)


def _counting_polynomials(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Yield, for x = 0..K - 1, in how many outcomes just k ranks are up to x, by k."""
    groups = Counter(sizes)
    for x in range(max(sizes)):
        polynomial = [1]
        for size, count in groups.items():
            inside = min(x, size)
            polynomial = _product(polynomial, _binomial_power(size - inside, inside, count))
        yield polynomial


def _binomial_power(p: int, q: int, n: int) -> list[int]:
    """Return the coefficients of (p + q t)^n."""
    return [math.comb(n, k) * p ** (n - k) * q**k for k in range(n + 1)]


def _product(left: Sequence[int], right: Sequence[int]) -> list[int]:
    product = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return product


def _moments_of(counts: Sequence[Sequence[int]], j: int) -> Moments:
    """Return the moments of X_(j), which exceeds x where less than j ranks are up to x."""
    outcomes = sum(counts[0])
    survival = [sum(polynomial[:j]) for polynomial in counts]
    expected = Fraction(sum(survival), outcomes)
    second = Fraction(sum((2 * x + 1) * s for x, s in enumerate(survival)), outcomes)
    return Moments(expected, second - expected**2)


def _squared_distance(counts: Sequence[Sequence[int]], sizes: Sequence[int]) -> Fraction:
    """Return E[D^2] of the two ranks in the middle of an even number of them."""
    m = len(sizes) // 2
    equal = [polynomial[m] for polynomial in counts]
    weights = [_weight(x, sizes, m) if count else 0 for x, count in enumerate(equal)]
    before = accumulate(weights, initial=0)
    apart = sum(
        (
            Fraction(count * total, weight)
            for count, weight, total in zip(equal, weights, before, strict=False)
            if count
        ),
        start=Fraction(0),
    )
    return (sum(equal) + 2 * apart) / sum(counts[0])


def _weight(x: int, sizes: Sequence[int], m: int) -> int:
    """Return w(x), for an x where m ranks may be up to x and no more."""
    known = [size for size in sizes if size <= x]
    return math.prod(known) * int(x ** (m - len(known)))
