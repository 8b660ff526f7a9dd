"""The bounds of the measures against float64 evaluations of them."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from reference.trec import rounding
from reference.trec.measures import Measures, evaluate, mean

rankings = st.tuples(st.lists(st.integers(0, 1), min_size=1, max_size=200), st.integers(0, 50))


def measures(ranking: tuple[list[int], int]) -> Measures:
    relevant, missed = ranking
    return evaluate(relevant, [1] * (sum(relevant) + missed))


def off(observed: float, exact: Fraction) -> Fraction:
    return abs(Fraction(observed) - exact)


def test_one_rounding_is_half_an_ulp_of_1() -> None:
    # 1 + 2^-53 lies half way between 1 and the next float: the error of rounding it is 2^-53.
    assert Fraction(1) + Fraction(1, 2**53) - Fraction(1.0 + 2.0**-53) == rounding.UNIT_ROUNDOFF


def test_more_roundings_may_be_further_off() -> None:
    assert [rounding.gamma(k) > k * rounding.UNIT_ROUNDOFF for k in range(1, 5)] == [True] * 4


@given(rankings)
def test_average_precision_summed_up_lies_within_its_bound(ranking: tuple[list[int], int]) -> None:
    found = measures(ranking)
    sums = 0.0
    for k, rank in enumerate(found.ranks, 1):
        sums += k / rank
    observed = sums / found.num_rel if found.num_rel else 0.0
    exact = found.average_precision
    assert off(observed, exact) <= rounding.of_average_precision(exact, found.num_rel_ret)


@given(rankings)
def test_average_precision_summed_up_from_the_end_lies_within_its_bound(ranking: tuple[list[int], int]) -> None:
    found = measures(ranking)
    sums = 0.0
    for k, rank in reversed(list(enumerate(found.ranks, 1))):
        sums += k / rank
    observed = sums / found.num_rel if found.num_rel else 0.0
    exact = found.average_precision
    assert off(observed, exact) <= rounding.of_average_precision(exact, found.num_rel_ret)


@given(rankings, st.integers(1, 1000))
def test_a_precision_that_is_filled_up_lies_within_its_bound(ranking: tuple[list[int], int], cutoff: int) -> None:
    found = measures(ranking)
    exact = found.precision(cutoff)
    within = found.precision(min(cutoff, found.num_ret))
    filled = float(found.num_ret) * (found.num_rel_ret / found.num_ret) / cutoff
    observed = filled if cutoff > found.num_ret else float(within)
    assert off(observed, exact) <= rounding.of_precision(exact)


@given(st.lists(rankings, min_size=1, max_size=20), st.integers(1, 20))
def test_a_mean_precision_lies_within_its_bound(many: list[tuple[list[int], int]], cutoff: int) -> None:
    found = [measures(ranking).precision(cutoff) for ranking in many]
    exact = mean(found)
    observed = sum(float(value) for value in found) / len(found)
    assert off(observed, exact) <= rounding.of_mean_precision(exact, len(found))


@given(rankings)
def test_single_precision_lies_outside_the_bound_where_it_shows(ranking: tuple[list[int], int]) -> None:
    exact = measures(ranking).average_precision
    near = exact * (1 + Fraction(1, 2**24))
    assert exact == 0 or near - exact > rounding.of_average_precision(exact, 200)
