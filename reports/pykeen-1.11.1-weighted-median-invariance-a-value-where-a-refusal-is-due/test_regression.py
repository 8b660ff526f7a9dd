"""Tests for rank-based metrics."""

import numpy as np
import pytest

from pykeen.metrics.ranking import MedianRank


def test_weighted_median_zero_weights() -> None:
    """Test that weights which sum to zero are refused."""
    ranks = np.array([1])
    weights = np.array([0.0])
    # The weights sum to 0, and half of it is 0
    # For any m, the ranks of at most m weigh at least 0, and those of at least m too: it could be any number
    # A weight is to mean what it means to numpy.average, which raises ZeroDivisionError where all weights are 0
    # A ValueError, or numpy's ZeroDivisionError, is expected
    with pytest.raises((ValueError, ZeroDivisionError)):
        MedianRank()(ranks=ranks, weights=weights)

    ranks = np.array([5, 7])
    weights = np.array([0.0, 0.0])
    # The weights sum to 0, and half of it is 0
    # For any m, the ranks of at most m weigh at least 0, and those of at least m too: it could be any number
    # A weight is to mean what it means to numpy.average, which raises ZeroDivisionError where all weights are 0
    # A ValueError, or numpy's ZeroDivisionError, is expected
    with pytest.raises((ValueError, ZeroDivisionError)):
        MedianRank()(ranks=ranks, weights=weights)
