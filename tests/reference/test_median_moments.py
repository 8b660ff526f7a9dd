"""The exact moments of the median: three routes against each other and against values by hand."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.median import conventions, double_sum, enumeration, moments
from reference.median.candidates import CandidatesNotIntegerError, CandidatesOutOfRangeError, NoRanksError
from reference.median.moments import Moments

Sizes = tuple[int, ...]
Route = Callable[[Sequence[int]], Moments]

ROUTES: tuple[Route, ...] = (moments.moments, enumeration.moments, double_sum.moments)
OTHERS: tuple[Route, ...] = (conventions.upper_median, conventions.lower_median, conventions.uncorrelated_middle)

some_sizes = st.lists(st.integers(1, 12), min_size=1, max_size=7)


def multisets(longest: int, largest: int) -> Iterator[Sizes]:
    for n in range(1, longest + 1):
        yield from combinations_with_replacement(range(1, largest + 1), n)


ALL = tuple(multisets(6, 6))
EVEN = tuple(sizes for sizes in ALL if len(sizes) % 2 == 0)


def outcomes(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Return all outcomes, each in order."""
    return (sorted(ranks) for ranks in product(*(range(1, size + 1) for size in sizes)))


def test_there_are_314_odd_multisets_and_609_even_ones() -> None:
    # Of n numbers from 1 to 6 there are (n + 5)! / (n! 5!) multisets: 6, 21, 56, 126, 252, 462.
    assert (len(ALL) - len(EVEN), len(EVEN)) == (6 + 56 + 252, 21 + 126 + 462) == (314, 609)


def test_the_three_routes_are_the_same_fractions_on_all_923_multisets() -> None:
    for sizes in ALL:
        assert moments.moments(sizes) == enumeration.moments(sizes) == double_sum.moments(sizes)


def test_the_upper_median_is_wrong_on_581_even_multisets_and_the_other_28_are_degenerate() -> None:
    same = [sizes for sizes in EVEN if conventions.upper_median(sizes) == moments.moments(sizes)]
    assert (len(EVEN) - len(same), len(same)) == (581, 28)
    for sizes in same:  # the two in the middle are one rank in every outcome
        half = len(sizes) // 2
        assert all(ranks[half - 1] == ranks[half] for ranks in outcomes(sizes))


def test_the_upper_median_is_too_high_and_the_lower_one_too_low() -> None:
    for sizes in EVEN:
        expected = moments.moments(sizes).expected
        upper, lower = conventions.upper_median(sizes).expected, conventions.lower_median(sizes).expected
        assert lower <= expected <= upper
        assert lower + upper == 2 * expected


def test_without_their_covariance_the_variance_is_never_too_large() -> None:
    for sizes in EVEN:
        right, other = moments.moments(sizes), conventions.uncorrelated_middle(sizes)
        assert other.expected == right.expected
        assert other.variance <= right.variance


@pytest.mark.parametrize("convention", OTHERS, ids=lambda f: f.__name__)
def test_conventions_are_the_same_for_an_odd_number_of_ranks(convention: Route) -> None:
    for sizes in ALL:
        if len(sizes) % 2:
            assert convention(sizes) == moments.moments(sizes)


@pytest.mark.parametrize("sizes", [(1, 2), (2, 3), (1, 1, 3, 4), (3, 3, 3, 3)])
def test_conventions_are_what_their_names_say_in_every_outcome(sizes: Sizes) -> None:
    half = len(sizes) // 2
    lower = [ranks[half - 1] for ranks in outcomes(sizes)]
    upper = [ranks[half] for ranks in outcomes(sizes)]
    for values, convention in ((lower, conventions.lower_median), (upper, conventions.upper_median)):
        exact = [Fraction(value) for value in values]
        assert convention(sizes) == Moments(statistics.mean(exact), statistics.pvariance(exact))
    mean_a, mean_b = statistics.mean(map(Fraction, lower)), statistics.mean(map(Fraction, upper))
    squares = statistics.mean(Fraction(a * a + b * b) for a, b in zip(lower, upper, strict=True))
    second = (squares + 2 * mean_a * mean_b) / 4
    assert conventions.uncorrelated_middle(sizes).variance == second - ((mean_a + mean_b) / 2) ** 2


@pytest.mark.parametrize("route", ROUTES)
def test_one_rank_for_certain_and_one_of_two(route: Route) -> None:
    # The median is 1 or 3/2, each with probability 1/2.
    assert route([1, 2]) == Moments(Fraction(5, 4), Fraction(1, 16))


@pytest.mark.parametrize("route", ROUTES)
def test_two_ranks_among_ten(route: Route) -> None:
    # The mean of two: the variance of one, (10^2 - 1) / 12, is halved.
    assert route([10, 10]) == Moments(Fraction(11, 2), Fraction(99, 24))
    assert Fraction(99, 24) == Fraction(33, 8)


@pytest.mark.parametrize("route", [moments.moments, enumeration.moments])
def test_one_rank_for_certain_and_one_among_a_thousand(route: Route) -> None:
    # (1 + r) / 2, for r of mean 1001/2 and variance (1000^2 - 1) / 12.
    assert route([1, 1000]) == Moments(Fraction(1003, 4), Fraction(999_999, 48))


def test_two_ranks_among_ten_by_the_upper_median() -> None:
    # The larger of two: sum of x (2x - 1) / 100 is 7.15.
    assert conventions.upper_median([10, 10]).expected == Fraction(715, 100)


@pytest.mark.parametrize("route", ROUTES)
def test_a_median_that_cannot_vary_has_variance_0(route: Route) -> None:
    assert route([1, 1, 1, 3, 3]) == Moments(Fraction(1), Fraction(0))
    assert route([1, 1]) == Moments(Fraction(1), Fraction(0))


def test_equal_numbers_have_the_midpoint_as_expected_value() -> None:
    for n in range(1, 13):
        for size in (*range(1, 12), 50):
            assert moments.moments([size] * n).expected == Fraction(size + 1, 2)


def test_one_rank_is_uniform() -> None:
    for size in range(1, 60):
        assert moments.moments([size]) == Moments(Fraction(size + 1, 2), Fraction(size**2 - 1, 12))


def test_the_second_moment_is_the_expected_square() -> None:
    assert moments.moments([1, 2]).second == (1 + Fraction(9, 4)) / 2


def test_order_statistics_of_equal_ranks_are_symmetric() -> None:
    for j in range(1, 6):
        one, other = moments.order_statistic([7] * 5, j), moments.order_statistic([7] * 5, 6 - j)
        assert one.expected + other.expected == 8
        assert one.variance == other.variance


@given(some_sizes, st.randoms())
def test_the_order_of_ranks_does_not_matter(sizes: list[int], chance: st.DataObject) -> None:
    shuffled = sizes.copy()
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert moments.moments(shuffled) == moments.moments(sizes)


@given(some_sizes, st.data())
def test_more_candidates_for_a_rank_never_lower_the_expected_median(sizes: list[int], data: st.DataObject) -> None:
    i = data.draw(st.integers(0, len(sizes) - 1))
    more = [*sizes[:i], sizes[i] + 1, *sizes[i + 1 :]]
    assert moments.moments(more).expected >= moments.moments(sizes).expected


@given(some_sizes)
def test_the_variance_lies_between_0_and_that_of_a_coin_between_the_ends(sizes: list[int]) -> None:
    found = moments.moments(sizes)
    assert 1 <= found.expected <= Fraction(max(sizes) + 1, 2)
    assert 0 <= found.variance <= Fraction((max(sizes) - 1) ** 2, 4)


@given(st.lists(st.integers(1, 9), min_size=8, max_size=10))
def test_two_routes_agree_on_more_ranks_than_can_be_enumerated(sizes: list[int]) -> None:
    assert moments.moments(sizes) == double_sum.moments(sizes)


@given(st.lists(st.integers(1, 100), min_size=1, max_size=9))
def test_the_median_is_the_one_of_the_standard_library(ranks: list[int]) -> None:
    assert enumeration.median(ranks) == statistics.median(map(Fraction, ranks))


@pytest.mark.parametrize("route", [*ROUTES, *OTHERS])
def test_no_rank_is_refused(route: Route) -> None:
    with pytest.raises(NoRanksError, match="at least one rank was expected"):
        route([])


@pytest.mark.parametrize("route", [*ROUTES, *OTHERS])
@pytest.mark.parametrize("below", [0, -1, -(10**20)])
def test_a_number_of_candidates_below_1_is_refused_with_its_index(route: Route, below: int) -> None:
    with pytest.raises(CandidatesOutOfRangeError, match=rf"at least 1 was expected at index 2, not {below}"):
        route([3, 4, below])


@pytest.mark.parametrize("route", [*ROUTES, *OTHERS])
@pytest.mark.parametrize("found", [True, False, 3.0, 2.5, float("nan"), "3", None, Fraction(3), np.bool_(True)])  # noqa: FBT003 - they are what is refused
def test_what_is_no_integer_is_refused_with_its_index(route: Route, found: object) -> None:
    with pytest.raises(CandidatesNotIntegerError, match="integer number of candidates was expected at index 1"):
        route([3, found])  # type: ignore[list-item]


def test_refusals_are_value_errors() -> None:
    for kind in (NoRanksError, CandidatesNotIntegerError, CandidatesOutOfRangeError):
        assert issubclass(kind, ValueError)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8])
def test_integers_of_numpy_are_taken(dtype: type[np.integer]) -> None:
    assert moments.moments(list(np.array([1, 2], dtype=dtype))) == moments.moments([1, 2])


@pytest.mark.parametrize("j", [0, 4, -1])
def test_an_order_statistic_that_there_is_not_is_refused(j: int) -> None:
    with pytest.raises(ValueError, match="one of the 3 ranks in order"):
        moments.order_statistic([1, 2, 3], j)


def test_the_median_of_no_rank_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one rank was expected"):
        enumeration.median([])
