"""The probabilities that the number of ranks up to x is below n / 2, equal to it, and above, for mixed numbers."""

import numpy as np

from reference.median.contour import by_contours
from reference.median.groups import Counted, Floats, Groups
from reference.median.tilt import Ranks

_FEW_RANKS = 400
_RECURRENCE = 8000
"""Squared numbers of ranks by group, up to which the recurrence is the cheaper one."""

_CELLS = 2**18
"""How many numbers an array in between may have."""


def count(x: Floats, groups: Groups) -> Counted:
    """Return the three probabilities for each x, chunk by chunk."""
    rows = max(1, _CELLS // max(len(groups.sizes), min(groups.n, _FEW_RANKS), 64))
    chunks = [_count_chunk(Ranks.at(x[start : start + rows], groups)) for start in range(0, len(x), rows)]
    return Counted(
        below=np.concatenate([chunk.below for chunk in chunks]),
        equal=np.concatenate([chunk.equal for chunk in chunks]),
        above=np.concatenate([chunk.above for chunk in chunks]),
    )


def _count_chunk(ranks: Ranks) -> Counted:
    n = ranks.counts.sum()
    if n <= _FEW_RANKS and n**2 <= _RECURRENCE * len(ranks.counts):
        return by_recurrence(ranks)
    count = Counted(*np.zeros((3, len(ranks.excess))))
    none = ranks.none_of_the_others()
    certain, edge, open_ = ranks.free < 0, ranks.free == 0, ranks.free > 0
    count.above[certain] = 1
    count.equal[edge], count.above[edge] = np.exp(none[edge]), -np.expm1(none[edge])
    if open_.any():
        chosen = by_contours(ranks[open_])
        count.below[open_], count.equal[open_], count.above[open_] = chosen.below, chosen.equal, chosen.above
    return count


def by_recurrence(ranks: Ranks) -> Counted:
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
    return Counted(chances[:first].sum(axis=0), chances[first:last].sum(axis=0), chances[last:].sum(axis=0))
