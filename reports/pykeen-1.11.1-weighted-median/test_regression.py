"""Tests for rank-based metrics."""

import numpy as np

from pykeen.metrics.ranking import MedianRank


def test_weighted_median_equal_weights() -> None:
    """Test that equal weights lead to the median."""
    ranks = np.array([1, 1, 1, 2, 2, 2])
    weights = np.array([0.1, 0.1, 0.1, 0.1, 0.1, 0.1])
    # The ranks in order: 1, 1, 1, 2, 2, 2, each of the same weight w
    # The weights sum to 6 w, and half of it is 3 w
    # 1 is the first rank up to which at least half of it lies: 3 w
    # 2 is the last rank from which on at least half of it lies: 3 w
    # Equal weights give the median: m = (1 + 2)/2 = 3/2
    assert MedianRank()(ranks=ranks, weights=weights) == 1.5
