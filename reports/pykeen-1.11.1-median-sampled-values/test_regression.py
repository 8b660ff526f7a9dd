"""Tests for rank-based metrics."""

import numpy as np

from pykeen.metrics.ranking import MedianRank, generate_ranks


def test_weighted_median_rank_sampled_values() -> None:
    """Test that sampled values are the metric on the sampled ranks, whole numbers or not."""
    metric = MedianRank()
    num_candidates = np.array([2, 2, 2])
    weights = np.array([1.0, 1.0, 2.0])
    values = metric.get_sampled_values(
        num_candidates=num_candidates,
        weights=weights,
        num_samples=50,
        generator=np.random.default_rng(seed=2),
    )
    # the same seed leads to the same ranks, and each value is the metric of its ranks
    generator = np.random.default_rng(seed=2)
    ranks = generate_ranks(num_candidates=num_candidates, prefix_shape=(50,), seed=generator)
    assert values.tolist() == [metric(ranks=r, weights=weights) for r in ranks]
