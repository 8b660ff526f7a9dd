"""Where the median may lie: the x that can be seen in its variance."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from reference.median.groups import Floats, Groups
from reference.median.tilt import Ranks

_DIGITS = 42.0
"""What is below e^-42 of the result is left out: 2^-60."""


def negligible(groups: Groups) -> float:
    """Return how far below the likeliest, as a logarithm, a probability adds nothing to the variance, however far out.

    That is at least the product of two probabilities at one x, of which one is no less than about 1 / n of Chernoff's
    bound, and the other 1 / 2; what is left out counts with the square of its distance, K^2 at most.
    """
    return _DIGITS + 2 * math.log(groups.largest) + math.log(groups.n)


def window(groups: Groups) -> tuple[int, int]:
    """Return the first x at which the median may be up to x, and the first at which it can't be above."""
    largest = groups.largest

    def exceeded(x: Floats) -> npt.NDArray[np.bool_]:
        return groups.excess(x) >= 0

    crossing = _first(1, largest, exceeded)
    nearest = np.array([x for x in (crossing - 1, crossing) if 1 <= x < largest], dtype=np.float64)
    if not len(nearest):
        return 1, 1
    cut = float(_improbability(nearest, groups).min()) + negligible(groups)
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


def _improbability(x: Floats, groups: Groups) -> Floats:
    """Return I with P(C(x) on the far side of n / 2) <= e^-I, which is Chernoff's bound."""
    ranks = Ranks.at(x, groups)
    bound = -ranks.exponent(ranks.saddle())
    bound[ranks.free == 0] = -ranks.none_of_the_others()[ranks.free == 0]
    bound[ranks.free < 0] = np.inf
    return bound
