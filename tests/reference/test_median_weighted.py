"""The weighted median: both inequalities, the midpoint at one half, and what is refused."""

import math
import statistics
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.median.weighted import (
    LengthsDifferError,
    Medians,
    NegativeWeightError,
    NotFiniteError,
    NothingWeighedError,
    ZeroWeightsError,
    medians,
)

weighted_ranks = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 4)), min_size=1, max_size=8).filter(
    lambda pairs: any(weight for _, weight in pairs)
)


def satisfies(value: Fraction, ranks: Sequence[int], weights: Sequence[float]) -> bool:
    """Return whether both inequalities hold, as they are written."""
    pairs = [(rank, Fraction(weight)) for rank, weight in zip(ranks, weights, strict=True)]
    half = sum((weight for _, weight in pairs), start=Fraction(0)) / 2
    up_to = sum((weight for rank, weight in pairs if rank <= value), start=Fraction(0))
    from_on = sum((weight for rank, weight in pairs if rank >= value), start=Fraction(0))
    return up_to >= half and from_on >= half


def test_the_interval_holds_just_the_values_that_satisfy_both_inequalities() -> None:
    # Every value at a quarter of a rank, of all ranks up to 4 with weights up to 2.
    for n in (1, 2, 3):
        for ranks in product(range(1, 5), repeat=n):
            for weights in product(range(3), repeat=n):
                if any(weights):
                    found = medians(ranks, weights)
                    for quarter in range(21):
                        value = Fraction(quarter, 4)
                        assert (value in found) == satisfies(value, ranks, weights)


def test_equal_weights_give_the_median_whatever_they_are() -> None:
    # 0.1 six times: their float sum is no multiple of the float 0.1, their exact sum is.
    ranks = range(1, 7)
    assert medians(ranks, [0.1] * 6).midpoint == Fraction(7, 2)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=12), st.floats(1e-300, 1e300))
def test_equal_weights_reduce_to_the_median(ranks: list[int], weight: float) -> None:
    assert medians(ranks, [weight] * len(ranks)).midpoint == statistics.median(map(Fraction, ranks))


def test_a_rank_of_weight_0_does_not_bound_the_midpoint() -> None:
    # Half of the weight is at 1, the other half at 2.
    assert medians([1, 1, 2], [1, 0, 1]) == Medians(Fraction(1), Fraction(2))
    assert medians([1, 1, 2], [1, 0, 1]).midpoint == Fraction(3, 2)
    assert medians([1, 2, 3, 4], [1, 0, 0, 1]).midpoint == Fraction(5, 2)


@given(weighted_ranks, st.integers(0, 10))
def test_one_more_rank_of_weight_0_does_not_matter(pairs: list[tuple[int, int]], rank: int) -> None:
    ranks, weights = zip(*pairs, strict=True)
    assert medians([*ranks, rank], [*weights, 0]) == medians(ranks, weights)


@given(weighted_ranks)
def test_integer_weights_are_so_many_ranks(pairs: list[tuple[int, int]]) -> None:
    ranks, weights = zip(*pairs, strict=True)
    repeated = [Fraction(rank) for rank, weight in pairs for _ in range(weight)]
    assert medians(ranks, weights).midpoint == statistics.median(repeated)


@given(weighted_ranks, st.randoms())
def test_the_order_of_ranks_does_not_matter(pairs: list[tuple[int, int]], chance: st.DataObject) -> None:
    shuffled = pairs.copy()
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert medians(*zip(*shuffled, strict=True)) == medians(*zip(*pairs, strict=True))


@given(weighted_ranks, st.integers(1, 1000))
def test_the_unit_of_weights_does_not_matter(pairs: list[tuple[int, int]], unit: int) -> None:
    ranks, weights = zip(*pairs, strict=True)
    scaled = [Fraction(weight, unit) for weight in weights]
    assert medians(ranks, scaled) == medians(ranks, weights)


@given(weighted_ranks)
def test_ends_are_ranks_that_weigh_something_and_satisfy_both_inequalities(pairs: list[tuple[int, int]]) -> None:
    ranks, weights = zip(*pairs, strict=True)
    found = medians(ranks, weights)
    weighing = {rank for rank, weight in pairs if weight}
    for end in (found.low, found.high):
        assert end in weighing
        assert satisfies(end, ranks, weights)


def test_weights_are_the_floats_that_they_are() -> None:
    # As decimals, .3 is half of .6; the float .3 is less than the floats .2 and .1 together.
    assert Fraction(0.3) < Fraction(0.2) + Fraction(0.1)
    assert medians([2, 3, 4], [0.3, 0.2, 0.1]) == Medians(Fraction(3), Fraction(3))
    assert medians([2, 3, 4], [Fraction(3, 10), Fraction(2, 10), Fraction(1, 10)]).midpoint == Fraction(5, 2)


def test_weights_that_a_float_sum_loses_count() -> None:
    assert medians([1, 2, 3], [1e300, 1e-300, 1e300]).unique
    assert medians([1, 2, 3], [1e308, 0.0, 1e308]).midpoint == 2


def test_one_rank_is_its_median() -> None:
    assert medians([7], [0.3]) == Medians(Fraction(7), Fraction(7))
    assert medians([7], [0.3]).unique


def test_ranks_between_integers_are_taken() -> None:
    assert medians([1.5, 2.5], [1, 1]).midpoint == 2


def test_no_rank_is_refused() -> None:
    with pytest.raises(NothingWeighedError, match="at least one rank with its weight was expected"):
        medians([], [])


@pytest.mark.parametrize(("ranks", "weights"), [([1, 2], [1]), ([1], [1, 2]), ([], [1]), ([1], [])])
def test_lengths_that_differ_are_refused(ranks: list[int], weights: list[int]) -> None:
    with pytest.raises(LengthsDifferError, match=f"{len(ranks)} ranks and {len(weights)} weights"):
        medians(ranks, weights)


@pytest.mark.parametrize("found", [math.nan, math.inf, -math.inf])
def test_weights_and_ranks_that_are_not_finite_are_refused(found: float) -> None:
    with pytest.raises(NotFiniteError, match="a finite weight was expected at index 1"):
        medians([1, 2], [1.0, found])
    with pytest.raises(NotFiniteError, match="a finite rank was expected at index 0"):
        medians([found, 2], [1.0, 1.0])


def test_negative_weights_are_refused_even_where_the_sum_is_above_0() -> None:
    with pytest.raises(NegativeWeightError, match="at least 0 was expected at index 0, not -1"):
        medians([1, 2, 3], [-1, 2, 1])


@pytest.mark.parametrize("zero", [0, 0.0, -0.0])
def test_weights_that_are_all_0_are_refused(zero: float) -> None:
    with pytest.raises(ZeroWeightsError, match="a weight above 0 was expected"):
        medians([5, 3], [zero, zero])


def test_refusals_are_value_errors() -> None:
    for kind in (NothingWeighedError, LengthsDifferError, NotFiniteError, NegativeWeightError, ZeroWeightsError):
        assert issubclass(kind, ValueError)
