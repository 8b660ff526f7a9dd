"""Moments of rank-based metrics over every outcome, held to closed forms that are known, and to results by hand."""

import math
from fractions import Fraction

import pytest

from reference.rank_metrics import (
    CandidatesOutOfRangeError,
    arithmetic,
    geometric,
    hits,
    moments,
    outcomes,
    reciprocal,
    within,
)

VECTORS = [(1,), (4,), (2, 3), (4, 4), (1, 2, 3), (3, 3, 3)]


@pytest.mark.parametrize("candidates", VECTORS)
def test_the_mean_rank_has_the_moments_of_a_mean_of_uniforms(candidates: tuple[int, ...]) -> None:
    found = moments(arithmetic, candidates)
    n = len(candidates)
    assert Fraction(sum(size + 1 for size in candidates), 2 * n) in found.expectation
    assert Fraction(sum(size**2 - 1 for size in candidates), 12 * n**2) in found.variance


@pytest.mark.parametrize("candidates", VECTORS)
def test_hits_are_bernoulli(candidates: tuple[int, ...]) -> None:
    found = moments(hits(2), candidates)
    chances = [min(Fraction(2, size), Fraction(1)) for size in candidates]
    n = len(candidates)
    assert sum(chances, start=Fraction(0)) / n in found.expectation
    assert sum((p * (1 - p) for p in chances), start=Fraction(0)) / n**2 in found.variance


def test_the_mean_reciprocal_rank_by_hand() -> None:
    found = moments(reciprocal, (2,))
    assert Fraction(3, 4) in found.expectation
    assert Fraction(1, 16) in found.variance


def test_the_geometric_mean_by_hand() -> None:
    assert float(moments(geometric, (2, 2)).expectation) == pytest.approx((3 + 2 * math.sqrt(2)) / 4, rel=1e-15)


def test_weights_weigh() -> None:
    found = moments(arithmetic, (2, 4), [Fraction(0), Fraction(3)])
    assert Fraction(5, 2) in found.expectation
    assert Fraction(15, 12) in found.variance
    weighted = moments(geometric, (2, 4), [Fraction(0), Fraction(1)])
    assert Fraction(5, 2) in weighted.expectation


def test_enclosures_are_narrow_and_the_bound_is_a_float_s() -> None:
    found = moments(geometric, (3, 4, 5))
    assert found.expectation.width < Fraction(1, 2**120)
    assert 0 < within((3, 4, 5), found.expectation) < Fraction(1, 2**40)


def test_every_outcome_is_listed_once() -> None:
    assert len(set(outcomes((2, 3, 4)))) == len(list(outcomes((2, 3, 4)))) == 24


@pytest.mark.parametrize(
    ("candidates", "weights"),
    [
        ((), None),
        ((1.5,), None),
        ((True,), None),
        ((2,), [math.nan]),
        ((0,), None),
        ((-1,), None),
        ((2,), [Fraction(0)]),
        ((2,), [Fraction(-1)]),
        ((2, 2), [Fraction(1)]),
    ],
)
def test_what_has_no_outcomes_is_refused(candidates: tuple[int, ...], weights: list[Fraction] | None) -> None:
    with pytest.raises(CandidatesOutOfRangeError):
        moments(arithmetic, candidates, weights)
