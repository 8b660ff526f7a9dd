"""Tests for rank-based metrics."""

import numpy as np

from pykeen.metrics.ranking import MedianRank


def test_weighted_median_ranks_without_weight() -> None:
    """Test that ranks without weight do not affect the weighted median."""
    ranks = np.array([1, 1, 2])
    weights = np.array([1.0, 0.0, 1.0])
    # The ranks in order: 1 (weight 0), 1 (weight 1), 2 (weight 1)
    # The weights sum to 0 + 1 + 1 = 2, and half of it is 1
    # 1 is the first rank up to which at least half of it lies: 1
    # 2 is the last rank from which on at least half of it lies: 1
    # As without weights, the midpoint is taken: m = (1 + 2)/2 = 3/2
    assert MedianRank()(ranks=ranks, weights=weights) == 1.5
