"""Tests for rank-based metrics."""

import numpy as np
import pytest

from pykeen.metrics.ranking import ArithmeticMeanRank


def test_closed_forms_int32() -> None:
    """Test that int32 numbers of candidates lead to the same expectation and variance as any others."""
    metric = ArithmeticMeanRank()
    num_candidates = np.array([46341], dtype=np.int32)
    weights = None
    # The expectation of a rank that is uniform on 1 to 46341: (46341 + 1) / 2 = 23171
    # Its variance: (46341^2 - 1) / 12 = 536872070/3
    assert metric.expected_value(num_candidates, weights=weights) == pytest.approx(23171.0)
    assert metric.variance(num_candidates, weights=weights) == pytest.approx(178957356.66666666)
