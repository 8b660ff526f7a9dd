r"""The statistics that are computed as Lucene's are, held to values worked out by hand.

Where a value is compared with ``==`` on purpose, the operations of the test are Java's, in Java's order.
"""

import math
from fractions import Fraction

import pytest

from cases.lucene.equivalent import calls
from cases.lucene.equivalent.quality_stats import (
    IllegalArgumentException,
    QualityStats,
    StringIndexOutOfBoundsException,
)


def logged(number: float) -> str:
    """Return how the log shows a number, from the column of its integer part on."""
    [line] = [line for line in QualityStats(number).log("", 0, "").split("\n") if line.startswith("Max Good Points")]
    return line.removeprefix("Max Good Points:   ")


# --- one query -------------------------------------------------------------------------------------------------


def test_the_statistics_of_a_ranking_are_those_worked_out_by_hand() -> None:
    # Relevant at ranks 2 and 3, of 4 known: AP = (1/2 + 2/3) / 4.
    points, good, most, average_precision, mrr, recall, precisions = calls.stats(4, [0, 1, 1])
    assert (points, good, most, mrr, recall) == (3.0, 2.0, 4.0, 0.5, 0.5)
    assert average_precision == (1 / 2 + 2 / 3) / 4
    assert precisions[:5] == [0.0, 1 / 2, 2 / 3, 2 / 4, 2 / 5]
    assert all(isinstance(value, float) for value in (points, good, most, average_precision, mrr, recall, *precisions))


def test_before_any_result_everything_is_0() -> None:
    assert calls.stats(3, []) == [0.0, 0.0, 3.0, 0.0, 0.0, 0.0, [0.0] * 20]


def test_precisions_are_kept_to_rank_20() -> None:
    precisions = calls.stats(25, [0] * 19 + [1] * 6)[6]
    assert len(precisions) == 20
    assert precisions[18:] == [0.0, 1 / 20]


def test_missing_ranks_hold_nothing_relevant() -> None:
    assert calls.precision_at(2, [1, 0], 4) == 1 / 4


def test_the_denominator_of_average_precision_is_what_is_known_not_what_is_retrieved() -> None:
    assert calls.stats(10, [1])[3] == 1 / 10


def test_average_precision_is_0_where_nothing_is_known_to_be_relevant() -> None:
    assert calls.stats(0, [1, 1])[3] == 0.0


@pytest.mark.parametrize("most", [0, -2])
def test_recall_is_over_the_retrieved_where_nothing_is_known_to_be_relevant(most: float) -> None:
    assert calls.stats(most, [1, 0, 0, 0])[5] == 1 / 4


def test_a_document_that_comes_twice_counts_twice() -> None:
    found = calls.scored("q 0 a 1\n", "q", ["a", "a", "a"], assertions=True)
    assert (found[3], found[5]) == (3.0, 3.0)


@pytest.mark.parametrize(("rank", "mrr"), [(1, 1.0), (2, 0.5), (3, 1 / 3), (4, 0.25), (5, 0.2), (6, 0.0), (7, 0.0)])
def test_mrr_is_0_beyond_rank_5(rank: int, mrr: float) -> None:
    assert calls.stats(1, [0] * (rank - 1) + [1])[4] == mrr


def test_mrr_is_about_the_first_relevant_document() -> None:
    assert calls.stats(2, [0, 1, 1])[4] == 0.5
    assert calls.stats(2, [0, 0, 0, 0, 0, 1, 1])[4] == 0.0


def test_recall_points_are_the_relevant_ranks_with_their_counts() -> None:
    assert calls.ranked(3, [0, 1, 0, 1]).recall_points == [(2, 1.0), (4, 2.0)]


def test_junk_of_negative_grade_in_front_scores_1() -> None:
    points, good, most, average_precision, mrr, recall, precisions = calls.scored(
        "q 0 junk -2\nq 0 good 1\n", "q", ["junk", "good"], assertions=True
    )
    assert (points, good, most, average_precision, mrr, recall, precisions[0]) == (2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0)


def test_a_ranking_for_a_query_without_judgements_scores_0() -> None:
    assert calls.scored("", "q", ["d"], assertions=False) == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, [0.0] * 20]


# --- refusals --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([[2, 1]], "point 2 illegal after 0.0 points!"),
        ([[0, 1]], "point 0 illegal after 0.0 points!"),
        ([[1, 1], [1, 0]], "point 1 illegal after 1.0 points!"),
        ([[1, 1], [2, 0], [-1, 0]], "point -1 illegal after 2.0 points!"),
    ],
)
def test_a_rank_that_does_not_come_next_is_refused(results: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(IllegalArgumentException) as refusal:
        calls.add_result(1, results)
    assert str(refusal.value) == message


def test_ranks_in_order_are_taken() -> None:
    assert calls.add_result(1, [(1, 0), (2, 1)]) == calls.stats(1, [0, 1])


@pytest.mark.parametrize("n", [-1, 0, 21])
def test_a_precision_that_is_not_kept_is_refused(n: int) -> None:
    with pytest.raises(IllegalArgumentException) as refusal:
        calls.precision_at(1, [1], n)
    assert str(refusal.value) == f"n={n} - but it must be in [1,20] range!"


# --- the mean of several ---------------------------------------------------------------------------------------


def test_the_mean_is_over_queries() -> None:
    points, good, most, average_precision, mrr, recall, precisions = calls.average(
        [(1, [1, 0]), (3, [0, 1])], assertions=True
    )
    assert (points, good, most, mrr) == (2.0, 1.0, 2.0, 3 / 4)
    assert average_precision == (1 + (1 / 2) / 3) / 2
    assert recall == (1 + 1 / 3) / 2
    assert precisions[:2] == [1 / 2, 1 / 2]


def test_a_query_that_has_nothing_relevant_is_left_out() -> None:
    for most in (0, -1):
        assert calls.average([(1, [1]), (most, [0, 0, 0])], assertions=True) == calls.stats(1, [1])


def test_precisions_beyond_the_mean_number_of_points_are_extrapolated() -> None:
    # By hand: P@2 is 1/2 for both, and there are 5/2 points in the mean. So P@3 = 5/2 * 1/2 / 3 = 0.4167,
    # and P@4 = 0.3125, where the means are (1/3 + 1/3) / 2 = 0.3333 and (1/4 + 2/4) / 2 = 0.375.
    precisions = calls.average([(1, [1]), (2, [0, 1, 0, 1])], assertions=True)[6]
    assert precisions[1:4] == [1 / 2, 2.5 * 0.5 / 3, 2.5 * 0.5 / 4]


def test_mean_average_precision_goes_through_a_product_and_back() -> None:
    # By hand: AP is 0 and (1/3) / 3, and 5/2 documents are known to be relevant in the mean. It costs an ulp.
    mean = (1 / 3 / 3) / 2
    found = calls.average([(2, []), (3, [0, 0, 1])], assertions=True)[3]
    assert found == mean * 2.5 / 2.5
    assert found == math.nextafter(mean, 1)


def test_the_mean_of_no_query_is_0() -> None:
    assert calls.average([], assertions=True) == [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, [0.0] * 20]


def test_a_mean_without_a_good_query_fails_an_assertion() -> None:
    with pytest.raises(AssertionError) as failure:
        calls.average([(0, [1]), (0, [])], assertions=True)
    assert str(failure.value) == 'Fishy: no "good" queries!'


def test_a_mean_without_a_good_query_is_nan_throughout_without_assertions() -> None:
    *numbers, precisions = calls.average([(0, [1]), (0, [])], assertions=False)
    assert all(math.isnan(value) for value in [*numbers, *precisions])


def test_times_are_a_mean_over_all_queries_in_whole_milliseconds() -> None:
    slow, left_out = QualityStats(1, 1000), QualityStats(0, 2001)
    slow.add_result(1, is_relevant=1, doc_name_ms=7)
    left_out.add_result(1, is_relevant=1, doc_name_ms=8)
    mean = QualityStats.average([slow, left_out], assertions=True)
    assert (mean.search_time_ms, mean.doc_names_ms) == (1500, 7)


# --- the log ---------------------------------------------------------------------------------------------------


def test_the_log_of_a_query_never_shows_the_last_rank() -> None:
    assert calls.log([(2, [0, 1, 1])], "q", 1, "  ", assertions=True) == (
        "\n"
        "q\n"
        "  Search Seconds:         0.000\n"
        "  DocName Seconds:        0.000\n"
        "  Num Points:             3.000\n"
        "  Num Good Points:        2.000\n"
        "  Max Good Points:        2.000\n"
        "  Average Precision:      0.583\n"
        "  MRR:                    0.500\n"
        "  Recall:                 1.000\n"
        "  Precision At 1:         0.000\n"
        "  Precision At 2:         0.500\n"
        "\n"
    )


@pytest.mark.parametrize(("points", "shown"), [(0, 0), (1, 0), (2, 1), (20, 19), (21, 20), (30, 20)])
def test_precisions_are_shown_up_to_the_last_rank_but_one_or_20(points: int, shown: int) -> None:
    text = calls.log([(1, [0] * points)], "", 0, "", assertions=True)
    assert text.count("Precision At") == shown


def test_the_log_of_several_queries_is_that_of_their_mean() -> None:
    text = calls.log([(1, [1]), (2, [0, 1, 0, 1])], "", 0, "", assertions=True)
    assert "Num Points:             2.500\n" in text
    assert text.endswith("Recall:                 1.000\nPrecision At 1:         0.500\n")


def test_the_log_of_one_query_that_has_nothing_relevant_is_its_own() -> None:
    assert "Num Points:             2.000\n" in calls.log([(0, [1, 0])], "", 0, "", assertions=True)


def test_the_log_of_no_query_is_that_of_an_empty_mean() -> None:
    assert calls.log([], "", 0, "", assertions=True) == QualityStats(0).log("", 0, "")


def test_seconds_are_shown_from_milliseconds() -> None:
    one = QualityStats(1, 1234567)
    one.add_result(1, is_relevant=0, doc_name_ms=89)
    assert one.log("", 0, "").startswith("Search Seconds:     1,234.567\nDocName Seconds:        0.089\n")


@pytest.mark.parametrize("title", ["", " \t ", "\x00"])
def test_a_blank_title_has_no_line(title: str) -> None:
    assert QualityStats(0).log(title, 0, "").startswith("Search Seconds")


@pytest.mark.parametrize("title", [" SUMMARY ", "\xa0"])
def test_any_other_title_is_shown_as_it_is(title: str) -> None:
    assert QualityStats(0).log(title, 2, "").startswith(f"\n\n{title}\nSearch Seconds")


def test_less_than_no_padding_is_none() -> None:
    assert QualityStats(0).log("t", -1, "") == QualityStats(0).log("t", 0, "")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (7, "     7.000"),
        (999, "   999.000"),
        (1234, " 1,234.000"),
        (12345, "12,345.000"),
        (123456, "123,456.000"),
        (1234567, "1,234,567.000"),
        (-2, "    -2.000"),
    ],
)
def test_thousands_are_grouped_and_a_long_integer_part_is_shown_whole(number: float, text: str) -> None:
    assert logged(number) == text


def test_a_tie_goes_to_the_even_digit() -> None:
    # 1/16 and 3/16 are floats: the ties are exact.
    assert logged(0.0625) == "     0.062"
    assert logged(0.1875) == "     0.188"


def test_what_is_no_tie_in_binary_is_rounded_to_the_nearer_side() -> None:
    # Half to even by the decimals would give 2.000 and 2.004.
    assert Fraction(2.0005) > Fraction("2.0005")
    assert logged(2.0005) == "     2.001"
    assert Fraction(2.0035) < Fraction("2.0035")
    assert logged(2.0035) == "     2.003"


@pytest.mark.parametrize(("number", "length"), [(math.nan, 3), (math.inf, 1), (-math.inf, 2)])
def test_a_number_without_a_decimal_point_cannot_be_logged(number: float, length: int) -> None:
    with pytest.raises(StringIndexOutOfBoundsException, match=f"begin 0, end -1, length {length}"):
        QualityStats(number).log("", 0, "")


def test_a_mean_of_nan_cannot_be_logged() -> None:
    with pytest.raises(StringIndexOutOfBoundsException):
        calls.log([(0, [1]), (0, [])], "", 0, "", assertions=False)
