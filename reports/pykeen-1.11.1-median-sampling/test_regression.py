"""Tests for rank-based metrics."""

import numpy as np

from pykeen.metrics.ranking import MedianRank


def test_weighted_median_rank_numeric_expected_value() -> None:
    """Test that the moments of the weighted median are estimated without a bias."""
    metric = MedianRank()
    num_candidates = np.array([2, 2, 2])
    weights = np.array([1.0, 1.0, 2.0])
    # Each of the 8 vectors of ranks is as likely as any other
    # The median, or the midpoint of all weighted medians, is 1 (probability 3/8), 3/2 (probability 1/4), 2
    #   (probability 3/8)
    # E = 3/8 * 1 + 1/4 * 3/2 + 3/8 * 2 = 3/2
    # By Bernstein's inequality, for 2000 samples and all but one in a thousand million seeds,
    # the estimate is a value in [1.42493, 1.57507]
    value = metric.numeric_expected_value(
        num_candidates=num_candidates,
        weights=weights,
        num_samples=2000,
        generator=np.random.default_rng(seed=2),
    )
    assert 1.424927 <= value <= 1.575073
