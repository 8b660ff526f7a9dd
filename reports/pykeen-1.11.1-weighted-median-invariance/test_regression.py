"""Tests for rank-based metrics."""

import numpy as np

from pykeen.metrics.ranking import MedianRank


def test_weighted_median_integer_weights() -> None:
    """Test that integer weights are the same as float weights."""
    ranks = np.array([1])
    weights = np.array([1])
    # Every rank is 1, and so all of the weight lies there
    # So the only weighted median is m = 1
    assert MedianRank()(ranks=ranks, weights=weights) == 1.0

    ranks = np.array([1, 2, 3])
    weights = np.array([1, 1, 1])
    # The ranks in order: 1, 2, 3, each of the same weight w
    # The weights sum to 3 w, and half of it is 3/2 w
    # 2 is the first rank up to which at least half of it lies: 2 w
    # 2 is the last rank from which on at least half of it lies: 2 w
    # So the only weighted median is m = 2
    assert MedianRank()(ranks=ranks, weights=weights) == 2.0
