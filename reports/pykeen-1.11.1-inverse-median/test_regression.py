"""Tests for rank-based metrics."""

import numpy as np
import pytest

from pykeen.metrics.ranking import InverseMedianRank


def test_inverse_median_rank_weighted() -> None:
    """Test that the weighted inverse median rank is one divided by the weighted median."""
    ranks = np.array([2], dtype=int)
    weights = np.array([1.0])
    # Every rank is 2, and so all of the weight lies there
    # So the only weighted median is m = 2
    # The inverse of it: 1 / m = 1/2
    value = InverseMedianRank()(ranks=ranks, weights=weights)
    assert value == pytest.approx(1 / 2)

    ranks = np.array([2, 3, 3], dtype=int)
    weights = np.array([1.0, 1.0, 1.0])
    # The ranks in order: 2, 3, 3, each of the same weight w
    # The weights sum to 3 w, and half of it is 3/2 w
    # 3 is the first rank up to which at least half of it lies: 3 w
    # 3 is the last rank from which on at least half of it lies: 2 w
    # So the only weighted median is m = 3
    # The inverse of it: 1 / m = 1/3
    value = InverseMedianRank()(ranks=ranks, weights=weights)
    assert value == pytest.approx(1 / 3)
