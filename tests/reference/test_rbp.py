"""RBP against values that are worked out from the definition."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import rbp

HALF = Fraction(1, 2)
FIFTH = Fraction(1, 5)

persistences = st.fractions(min_value=0, max_value=Fraction(99, 100), max_denominator=1000)
gains = st.lists(st.none() | st.fractions(min_value=0, max_value=1, max_denominator=10), max_size=8)


def test_two_relevant_documents_score_one_minus_p_times_one_plus_p() -> None:
    p = Fraction(4, 5)
    assert rbp.binary([True, True], p) == FIFTH * (1 + p) == Fraction(9, 25)


def test_six_relevant_documents_score_one_minus_p_to_the_sixth() -> None:
    p = Fraction(4, 5)
    assert rbp.binary([True] * 6, p) == 1 - p**6 == Fraction("0.737856")


def test_the_example_of_three_ranks_by_hand() -> None:
    # Relevant at ranks 1 and 3, p = 1/2: 1/2 * (1 + 1/4).
    assert rbp.binary([1, 0, 1], HALF) == Fraction(5, 8)


def test_a_relevant_document_at_rank_i_scores_its_weight() -> None:
    p = Fraction(7, 10)
    for i in range(1, 9):
        assert rbp.binary([0] * (i - 1) + [1], p) == (1 - p) * p ** (i - 1)


def test_an_empty_ranking_scores_0() -> None:
    assert rbp.binary([], HALF) == 0
    assert rbp.graded([], HALF) == 0


def test_with_persistence_0_only_the_first_document_counts() -> None:
    assert rbp.binary([1, 1, 1], Fraction(0)) == 1
    assert rbp.binary([0, 1, 1], Fraction(0)) == 0


def test_raw_grades_as_gains_can_exceed_1() -> None:
    assert rbp.graded(rbp.raw_gains([3, 2]), Fraction(4, 5)) == Fraction(23, 25)
    assert rbp.graded(rbp.raw_gains([3] * 6), Fraction(4, 5)) == 3 * Fraction("0.737856")


def test_grades_over_the_top_grade_stay_in_range() -> None:
    # 3/3, 2/3 and 1/3 at p = 1/2: 1/2 * (1 + 1/3 + 1/12).
    assert rbp.graded(rbp.gains_over_top([3, 2, 1], 3), HALF) == Fraction(17, 24)


def test_grades_over_a_top_grade_below_1_are_no_gains() -> None:
    assert rbp.gains_over_top([0, -2, None], 0) == [0, 0, 0]


def test_relevance_needs_a_judgement_of_at_least_the_level() -> None:
    assert rbp.relevance([None, -2, 0, 1, 2]) == [False, False, False, True, True]
    assert rbp.relevance([None, -2, 0, 1, 2], 2) == [False, False, False, False, True]
    assert rbp.relevance([None, -2, 0, 1, 2], -2) == [False, True, True, True, True]


def test_raw_gains_below_the_level_are_0() -> None:
    assert rbp.raw_gains([None, 1, 2, 3], 2) == [0, 0, 2, 3]


@given(gains, persistences)
def test_score_plus_residual_is_the_score_with_all_unknown_relevant(
    ranking: list[Fraction | None], p: Fraction
) -> None:
    deep = 200
    filled = [1 if gain is None else gain for gain in ranking] + [1] * deep
    upper = rbp.graded(ranking, p) + rbp.residual(ranking, p)
    # Beyond that depth the weights left sum to p^d.
    assert upper == rbp.graded(filled, p) + p ** len(filled)


def test_the_residual_by_hand() -> None:
    # Rank 2 unjudged, two ranks in all, p = 1/2: 1/2 * 1/2 + 1/4.
    assert rbp.residual([1, None], HALF) == HALF
    assert rbp.residual([1, None], HALF, top=3) == 3 * HALF
    assert rbp.residual([], HALF) == 1


@given(gains, persistences)
def test_gains_in_0_1_score_in_0_1(ranking: list[Fraction | None], p: Fraction) -> None:
    assert 0 <= rbp.graded(ranking, p) <= 1


def test_a_cutoff_is_a_prefix_and_keeps_what_stands_in_it() -> None:
    # Hits at ranks 1 and 4, cut off at 3: the first hit alone.
    ranking = [1, 0, 0, 1]
    assert rbp.binary(ranking[:3], HALF) == HALF
    assert rbp.binary(ranking, HALF) == HALF + Fraction(1, 16)


def test_the_best_ranking_of_k_relevant_documents_is_normalised_to_1() -> None:
    for k in range(1, 7):
        assert rbp.normalised([1] * k, Fraction(17, 20), k) == 1
        # An irrelevant one below them changes nothing.
        assert rbp.normalised([1] * k + [0], Fraction(17, 20), k) == 1


def test_one_of_five_relevant_documents_first_is_normalised_by_one_minus_p_to_the_fifth() -> None:
    # 1/2 over 1 - 1/32.
    assert rbp.normalised([1], HALF, 5) == Fraction(16, 31)
    # With room for one alone, it is all that can be had.
    assert rbp.normalised([1], HALF, 1) == 1


@given(st.lists(st.booleans(), max_size=8), persistences, st.integers(1, 8))
def test_the_normalised_score_is_a_quotient_of_two_scores(ranking: list[bool], p: Fraction, k: int) -> None:
    assert rbp.normalised(ranking, p, k) == rbp.binary(ranking, p) / rbp.binary([1] * k, p)


def test_without_a_relevant_document_to_be_had_nothing_is_normalised() -> None:
    with pytest.raises(rbp.NothingAchievableError, match="at least one relevant document was expected, not 0"):
        rbp.normalised([0], HALF, 0)
    with pytest.raises(rbp.PersistenceOutOfRangeError):
        rbp.normalised([0], Fraction(1), 1)


def test_given_weights_are_normalised_by_their_sum_or_by_what_is_given() -> None:
    weights = [Fraction(1, 2), Fraction(3, 10), Fraction(2, 10)]
    assert rbp.weighted([1, 0, 1], weights) == Fraction(7, 10)
    assert rbp.weighted([1, 0, 1], [5, 3, 2]) == Fraction(7, 10)
    assert rbp.weighted([1, 0, 1], [5, 3, 2], normalisation=20) == Fraction(7, 20)
    assert rbp.weighted([0, 0], [1, 1]) == 0


@given(st.lists(st.booleans(), min_size=1, max_size=8), persistences.filter(bool))
def test_geometric_weights_over_their_infinite_sum_are_rbp(ranking: list[bool], p: Fraction) -> None:
    weights = [p**i for i in range(len(ranking))]
    assert rbp.weighted(ranking, weights, normalisation=1 / (1 - p)) == rbp.binary(ranking, p)


@pytest.mark.parametrize(("weights", "normalisation"), [([-1, 2], None), ([0, 0], None), ([1, 1], 0), ([-1, 2], 1)])
def test_weights_that_cannot_be_normalised_are_refused(weights: list[int], normalisation: int | None) -> None:
    with pytest.raises(rbp.WeightsOutOfRangeError, match="weights of at least 0"):
        rbp.weighted([1, 0], weights, normalisation)


def test_as_many_weights_as_documents_are_expected() -> None:
    with pytest.raises(ValueError, match="shorter"):
        rbp.weighted([1, 0], [1])


def test_binary_agrees_with_graded_on_every_pattern_of_five_ranks() -> None:
    p = rbp.received("0.85")
    for pattern in product((0, 1), repeat=5):
        expected = sum(((1 - p) * p**i for i, r in enumerate(pattern) if r), start=Fraction(0))
        assert rbp.binary(pattern, p) == rbp.graded(pattern, p) == expected


@pytest.mark.parametrize("p", [Fraction(1), Fraction(-1, 10), Fraction(2)])
def test_what_is_no_persistence_is_refused(p: Fraction) -> None:
    for call in (rbp.binary, rbp.graded, rbp.residual):
        with pytest.raises(rbp.PersistenceOutOfRangeError, match="0 <= p < 1 was expected"):
            call([1], p)


def test_the_received_persistence_is_the_float_and_not_the_decimal() -> None:
    assert rbp.received("0.8") == Fraction(3602879701896397, 2**52)
    assert rbp.received("0.5") == HALF
