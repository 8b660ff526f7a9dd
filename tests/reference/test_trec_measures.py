"""The measures against values that are worked out from the definitions."""

import math
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.trec import double
from reference.trec.measures import CutoffError, Measures, evaluate, mean

HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)

grades = st.none() | st.integers(-3, 4)
rankings = st.lists(grades, max_size=12)
unretrieved = st.lists(st.integers(-3, 4), max_size=6)
levels = st.integers(0, 4)


def judged(ranking: list[int | None], *more: int) -> list[int]:
    return [grade for grade in ranking if grade is not None] + list(more)


def test_one_positive_grade_among_negative_ones_is_one_relevant_document() -> None:
    found = evaluate([1, -2, 0, -1], judged=[1, -2, 0, -1])
    assert found == Measures(num_ret=4, num_rel=1, num_rel_ret=1, ranks=(1,))


def test_junk_above_the_only_good_document() -> None:
    found = evaluate([-2, 1], judged=[-2, 1])
    assert found.precision(1) == 0
    assert found.average_precision == HALF
    assert found.reciprocal_rank == HALF
    assert found.recall == 1
    assert found.num_rel == 1


def test_a_ranking_by_hand() -> None:
    # Relevant at ranks 1, 3 and 4, and one of R = 4 is not retrieved.
    found = evaluate([2, None, 1, 1, 0], judged=[2, 1, 1, 0, 3, 0, -1])
    assert found == Measures(5, 4, 3, (1, 3, 4))
    assert [found.precision(n) for n in (1, 2, 3, 4, 5, 10)] == [
        1, HALF, Fraction(2, 3), Fraction(3, 4), Fraction(3, 5), Fraction(3, 10),
    ]  # fmt: skip
    assert found.average_precision == (1 + Fraction(2, 3) + Fraction(3, 4)) / 4 == Fraction(29, 48)
    assert found.reciprocal_rank == 1
    assert found.recall == found.r_precision == Fraction(3, 4)


def test_a_higher_level_asks_for_higher_grades() -> None:
    found = evaluate([1, 3, 2], judged=[1, 3, 2, 3], level=3)
    assert found == Measures(3, 2, 1, (2,))
    assert found.average_precision == HALF * HALF


def test_at_level_0_a_judged_nonrelevant_document_counts() -> None:
    # As with trec_eval -l 0: e 2, u unpooled, c -1, b 0, a 1.
    found = evaluate([2, None, -1, 0, 1], judged=[1, 0, -1, 2], level=0)
    assert found == Measures(5, 3, 3, (1, 4, 5))
    assert found.average_precision == (1 + Fraction(2, 4) + Fraction(3, 5)) / 3


def test_at_level_minus_1_an_unpooled_document_counts_above_the_line_only() -> None:
    # trec_eval -l -1 prints map 1.1833.
    found = evaluate([2, None, -1, 0, 1], judged=[1, 0, -1, 2], level=-1)
    assert found == Measures(5, 3, 3, (1, 2, 4, 5))
    assert found.average_precision == (2 + Fraction(3, 4) + Fraction(4, 5)) / 3 == Fraction(71, 60)
    assert found.recall == 1


def test_at_level_minus_2_every_retrieved_document_counts_above_the_line() -> None:
    # trec_eval -l -2 prints map 1.6667, Rprec 1.0000.
    found = evaluate([2, None, -1, 0, 1], judged=[1, 0, -1, 2], level=-2)
    assert found.average_precision == Fraction(5, 3)
    assert found.r_precision == 1
    assert found.recall == 1


def test_below_level_0_there_may_be_nothing_to_divide_by() -> None:
    found = evaluate([None], judged=[-1], level=-1)
    with pytest.raises(ZeroDivisionError):
        _ = found.average_precision
    assert double.average_precision(found) == math.inf
    assert found.recall == found.r_precision == 0


@pytest.mark.parametrize("ranking", [[], [None], [0, -1, None]])
def test_without_a_relevant_document_every_measure_is_0(ranking: list[int | None]) -> None:
    found = evaluate(ranking, judged=judged(ranking))
    assert found.num_rel == 0
    assert found.average_precision == found.reciprocal_rank == found.recall == found.r_precision == 0
    assert found.precision(3) == 0


@pytest.mark.parametrize("cutoff", [0, -1])
def test_a_cutoff_that_is_not_positive_is_refused(cutoff: int) -> None:
    with pytest.raises(CutoffError, match="at least 1 was expected"):
        evaluate([1], [1]).precision(cutoff)


def test_an_unretrieved_relevant_document_adds_nothing_to_average_precision() -> None:
    assert evaluate([1], judged=[1]).average_precision == 1
    assert evaluate([1], judged=[1, 1, 1]).average_precision == THIRD


def test_average_precision_is_the_mean_of_the_precisions_at_relevant_ranks() -> None:
    for pattern in product((0, 1, None), repeat=6):
        found = evaluate(pattern, judged([*pattern], 1))
        precisions = [Fraction(sum(bool(g) for g in pattern[: i + 1]), i + 1) for i, g in enumerate(pattern) if g]
        assert found.average_precision == sum(precisions, start=Fraction(0)) / (len(precisions) + 1)


@given(rankings, unretrieved, levels)
def test_every_measure_is_in_0_1(ranking: list[int | None], more: list[int], level: int) -> None:
    found = evaluate(ranking, judged(ranking, *more), level)
    for value in (found.average_precision, found.reciprocal_rank, found.recall, found.r_precision, found.precision(3)):
        assert 0 <= value <= 1
    assert found.num_rel_ret == len(found.ranks) <= min(found.num_ret, found.num_rel)


@given(rankings, st.integers(1, 20), levels)
def test_precision_times_its_cutoff_is_a_count(ranking: list[int | None], cutoff: int, level: int) -> None:
    found = evaluate(ranking, judged(ranking), level)
    count = found.precision(cutoff) * cutoff
    assert count == sum(grade is not None and grade >= level for grade in ranking[:cutoff])


@given(rankings, unretrieved, st.randoms(use_true_random=False))
def test_the_order_of_the_judgements_does_not_matter(ranking: list[int | None], more: list[int], order: Random) -> None:
    shuffled = judged(ranking, *more)
    order.shuffle(shuffled)
    assert evaluate(ranking, shuffled) == evaluate(ranking, judged(ranking, *more))


@given(rankings, unretrieved)
def test_which_grade_below_the_level_a_document_has_does_not_matter(ranking: list[int | None], more: list[int]) -> None:
    binary: list[int | None] = [1 if grade is not None and grade >= 1 else None for grade in ranking]
    relevant = [1 for grade in judged(ranking, *more) if grade >= 1]
    assert evaluate(binary, relevant) == evaluate(ranking, judged(ranking, *more))


@given(rankings, levels)
def test_with_r_retrieved_precision_and_recall_are_equal(ranking: list[int | None], level: int) -> None:
    found = evaluate(ranking, judged(ranking), level)
    if found.num_rel:
        cut = evaluate(ranking[: found.num_rel], judged(ranking), level)
        assert found.r_precision == cut.recall == found.precision(found.num_rel)


@given(rankings, unretrieved)
def test_nonrelevant_documents_at_the_end_change_nothing_but_their_number(
    ranking: list[int | None], more: list[int]
) -> None:
    short, long = evaluate(ranking, judged(ranking, *more)), evaluate([*ranking, None, 0], judged(ranking, *more, 0))
    assert (short.ranks, short.num_rel, short.num_ret + 2) == (long.ranks, long.num_rel, long.num_ret)


@given(st.lists(st.sampled_from([0, 1]), min_size=2, max_size=10), st.data())
def test_moving_a_relevant_document_up_never_lowers_average_precision(ranking: list[int], data: st.DataObject) -> None:
    i = data.draw(st.integers(0, len(ranking) - 2))
    better = [*ranking[:i], max(ranking[i : i + 2]), min(ranking[i : i + 2]), *ranking[i + 2 :]]
    assert evaluate(better, better).average_precision >= evaluate(ranking, ranking).average_precision


@given(rankings, unretrieved)
def test_the_double_is_close_to_the_exact_value(ranking: list[int | None], more: list[int]) -> None:
    found = evaluate(ranking, judged(ranking, *more))
    exact = found.average_precision
    assert abs(Fraction(double.average_precision(found)) - exact) <= (len(ranking) + 2) * Fraction(1, 2**52) * exact


def test_a_mean_is_over_the_topics_that_count() -> None:
    assert mean([HALF, THIRD]) == Fraction(5, 12)
    assert mean([HALF, THIRD], topics=4) == Fraction(5, 24)
    assert mean([], topics=2) == 0
    with pytest.raises(ZeroDivisionError):
        mean([])


def test_a_half_way_value_is_printed_as_its_double_is_rounded() -> None:
    # 1/32 = 0.03125 is a double: to even. The double next to 1/160 = 0.00625 lies above it.
    assert double.printed(1 / 32) == "0.0312"
    assert double.printed(3 / 32) == "0.0938"
    assert double.printed(1 / 160) == "0.0063"
    assert double.printed(math.inf) == "   inf"
