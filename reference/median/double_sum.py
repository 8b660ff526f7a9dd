r"""The moments of the median by the literal double sum for products of order statistics.

Of two variables on the positive integers, Hoeffding's

    E[XY] = sum over a, b >= 0 of P(X > a, Y > b).

For order statistics X = X_(j) and Y = X_(k) the event is C(a) < j and C(b) < k, where C(x) counts the ranks up to x
(H. A. David and H. N. Nagaraja, *Order Statistics*, 3rd ed., Wiley 2003, sections 2.2 and 5.2). The joint
distribution of C(a) and C(b), a <= b, is counted here rank by rank: each lies up to a, in (a, b], or above b.

Nothing is shared with the counting polynomial in one variable, or with the linear-time sum for E[D^2].
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import SupportsIndex

from reference.median.candidates import checked, middle
from reference.median.moments import Moments

Joint = Mapping[tuple[int, int], int]
"""By C(a) and C(b): in how many outcomes."""


def moments(candidates: Sequence[SupportsIndex]) -> Moments:
    """Return expected value and variance of the median, from E[AA], E[AB] and E[BB] of the two ranks in the middle.

    It takes of the order of K^2 n^3 operations, for n ranks and K the largest N.

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
    survivors = squares = 0
    for a in range(sizes[-1]):
        for b in range(sizes[-1]):
            joint = _joint(sizes, a, b)
            squares += _below(joint, low, low) + 2 * _below(joint, low, high) + _below(joint, high, high)
            if b == 0:  # where all survive: one rank is 1 at least
                survivors += _below(joint, low, high) + _below(joint, high, high)
    outcomes = prod(sizes)
    expected = Fraction(survivors, 2 * outcomes)
    return Moments(expected, Fraction(squares, 4 * outcomes) - expected**2)


def _joint(sizes: Sequence[int], a: int, b: int) -> Joint:
    """Count the outcomes by C(a) and C(b)."""
    counts: Joint = {(0, 0): 1}
    first, last = sorted((a, b))
    for size in sizes:
        up_to, between = min(first, size), min(last, size) - min(first, size)
        grown: dict[tuple[int, int], int] = defaultdict(int)
        for (i, k), count in counts.items():
            grown[i, k] += count * (size - up_to - between)
            grown[(i, k + 1) if a <= b else (i + 1, k)] += count * between
            grown[i + 1, k + 1] += count * up_to
        counts = grown
    return counts


def _below(joint: Joint, j: int, k: int) -> int:
    return sum(count for (at_a, at_b), count in joint.items() if at_a < j and at_b < k)
