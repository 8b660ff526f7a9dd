r"""The judge that decides as Lucene's does, held to what the class was seen to do on each shape of a line.

Java's text functions are not Python's: many of these texts hold a character on which the two part.
"""

import itertools

import pytest

from cases.lucene.equivalent import calls
from cases.lucene.equivalent.judge import NoSuchElementException, TrecJudge

E_ACUTE = "\u00e9"
E_WITH_COMBINING_ACUTE = "e\u0301"
WEN = "\u6587"

ASKED = (
    *("d", "D", "d1", "d2", "x", "0", "1", E_ACUTE, E_WITH_COMBINING_ACUTE, WEN),
    *("\ufeffd", "d\xa0", "d e", "d\x0b"),
)

each_mode = pytest.mark.parametrize("assertions", [True, False], ids=["ea", "da"])


def seen(text: str, *, assertions: bool) -> tuple[int, list[str]]:
    judge = TrecJudge(text, assertions=assertions)
    return judge.max_recall("q"), [document for document in ASKED if judge.is_relevant("q", document)]


# --- texts that are read alike with and without assertions -----------------------------------------------------

READ = {
    # fields
    "single spaces": ("q 0 d 1\n", 1, ["d"]),
    "tabs": ("q\t0\td\t1\n", 1, ["d"]),
    "multiple spaces": ("q   0  d    1\n", 1, ["d"]),
    "tabs and spaces, trailing": ("q \t 0\t d 1 \t\n", 1, ["d"]),
    "leading blanks": ("   \tq 0 d 1\n", 1, ["d"]),
    "form feeds": ("q\x0c0\x0cd\x0c1\n", 1, ["d"]),
    "blanks around the grade": ("q 0 d  1 \n", 1, ["d"]),
    "a trailing tab": ("q\t0\td\t1\t\n", 1, ["d"]),
    # VT, NUL, ESC, FS: trimmed, and no delimiters
    "VT inside the document": ("q 0 d\x0b 1\n", 1, ["d\x0b"]),
    "VT at both ends": ("\x0bq 0 d 1\x0b\n", 1, ["d"]),
    "NUL at both ends": ("\x00q 0 d 1\x00\n", 1, ["d"]),
    "ESC in front": ("\x1bq 0 d 1\n", 1, ["d"]),
    "FS behind grade 0": ("q 0 d 0\x1c\n", 0, []),
    # neither trimmed nor delimiters
    "NBSP behind grade 0": ("q 0 d 0\xa0\n", 1, ["d"]),
    "em space behind grade 0": ("q 0 d 0\u2003\n", 1, ["d"]),
    # lines that say nothing
    "blank lines": ("\n\nq 0 d 1\n\n   \n\t\nq 0 d1 1\n\n", 2, ["d", "d1"]),
    "comments": ("# c\nq 0 d 1\n   # indented comment\n#q 0 d1 1\n", 1, ["d"]),
    "a query id that starts with #": ("#q 0 d 1\n", 0, []),
    "# in the document": ("q 0 #d 1\n", 1, []),
    "empty": ("", 0, []),
    "only a line end": ("\n", 0, []),
    "only a comment": ("# c", 0, []),
    # line ends
    "no final line end": ("q 0 d 1", 1, ["d"]),
    "CRLF": ("q 0 d 1\r\nq 0 d1 0\r\n", 1, ["d"]),
    "CRLF, blank line": ("q 0 d 1\r\n\r\nq 0 d1 1\r\n", 2, ["d", "d1"]),
    "CR": ("q 0 d 1\rq 0 d1 1\r", 2, ["d", "d1"]),
    "LF CR": ("q 0 d 1\n\rq 0 d1 1", 2, ["d", "d1"]),
    # a set, from which nothing is taken away
    "twice the same": ("q 0 d 1\nq 0 d 1\n", 1, ["d"]),
    "1 then 0": ("q 0 d 1\nq 0 d 0\n", 1, ["d"]),
    "0 then 1": ("q 0 d 0\nq 0 d 1\n", 1, ["d"]),
    "1 then 2": ("q 0 d 1\nq 0 d 2\n", 1, ["d"]),
    "0 then 0": ("q 0 d 0\nq 0 d 0\n", 0, []),
    "-1 then 0": ("q 0 d -1\nq 0 d 0\n", 1, ["d"]),
    "another query between": ("q 0 d 1\np 0 d 1\nq 0 d1 1\n", 2, ["d", "d1"]),
    "another query between, with zeros": (
        "q 0 d 1\np 0 d 0\nq 0 d1 1\np 0 d1 1\nq 0 d2 1\n",
        3,
        ["d", "d1", "d2"],
    ),
    "only zeros": ("q 0 d 0\nq 0 d1 0\n", 0, []),
    # ids are compared as they are
    "case": ("Q 0 d 1\nq 0 D 1\n", 1, ["D"]),
    "composed": (f"q 0 {E_ACUTE} 1\n", 1, [E_ACUTE]),
    "decomposed": (f"q 0 {E_WITH_COMBINING_ACUTE} 1\n", 1, [E_WITH_COMBINING_ACUTE]),
    "CJK": (f"q 0 {WEN} 1\n", 1, [WEN]),
    "quotes": ('q 0 "d" 1\n', 1, []),
    "another spelling of the query": ("01 0 d 1\n", 0, []),
    "BOM": ("\ufeffq 0 d 1\nq 0 d1 1\n", 1, ["d1"]),
    "BOM, then a comment of four fields": ("\ufeff# comment here now\nq 0 d 1\n", 1, ["d"]),
    # the second field is ignored
    "Q0": ("q Q0 d 1\n", 1, ["d"]),
    "iterations": ("q 1 d 1\nq 2 d1 1\n", 2, ["d", "d1"]),
}


@each_mode
@pytest.mark.parametrize(("text", "max_recall", "relevant"), READ.values(), ids=READ)
def test_the_text_is_read_as_lucene_reads_it(
    text: str, max_recall: int, relevant: list[str], *, assertions: bool
) -> None:
    assert seen(text, assertions=assertions) == (max_recall, relevant)


# --- texts that are refused ------------------------------------------------------------------------------------

TOO_SHORT = {
    "three fields": "q 0 d\n",
    "two fields": "q 0\n",
    "one field": "q\n",
    "a good line first": "q 0 d 1\nq 0 d1\n",
    "VT is no delimiter": "q\x0b0\x0bd\x0b1\n",
    "NBSP is no delimiter": "q\xa00\xa0d\xa01\n",
    "// is no comment": "// c\n",
    "# behind a BOM is no comment": "\ufeff# c\nq 0 d 1\n",
    "commas": "q,0,d,1\n",
    "JSON": '{"a":1}\n',
}


@each_mode
@pytest.mark.parametrize("text", TOO_SHORT.values(), ids=TOO_SHORT)
def test_a_line_of_fewer_than_four_fields_is_refused_without_a_message(text: str, *, assertions: bool) -> None:
    with pytest.raises(NoSuchElementException) as refusal:
        TrecJudge(text, assertions=assertions)
    assert str(refusal.value) == ""


TOO_LONG = {
    "five fields": ("q 0 d 1 x\n", "q 0 d 1 x  next: x", 1, ["d"]),
    "five fields, grade 0": ("q 0 d 0 x\n", "q 0 d 0 x  next: x", 0, []),
    "six fields": ("q 0 d 1 x y\n", "q 0 d 1 x y  next: x", 1, ["d"]),
    "a document of two words": ("q 0 d e 1\n", "q 0 d e 1  next: 1", 1, ["d"]),
    "a comment behind": ("q 0 d 0 # not rel\n", "q 0 d 0 # not rel  next: #", 0, []),
    "a run file": ("q Q0 d 1 2.5 run\n", "q Q0 d 1 2.5 run  next: 2.5", 1, ["d"]),
    "U+0085 ends no line": ("q 0 d 1\x85q 0 d1 1\n", "q 0 d 1\x85q 0 d1 1  next: 0", 1, ["d"]),
    "U+2028 ends no line": ("q 0 d 1\u2028q 0 d1 1\n", "q 0 d 1\u2028q 0 d1 1  next: 0", 1, ["d"]),
    "the line is shown trimmed": (" \x0bq\t0  d 1 x\x00\r\n", "q\t0  d 1 x  next: x", 1, ["d"]),
}


@pytest.mark.parametrize(("text", "message"), [row[:2] for row in TOO_LONG.values()], ids=TOO_LONG)
def test_a_line_of_more_than_four_fields_fails_an_assertion(text: str, message: str) -> None:
    with pytest.raises(AssertionError) as failure:
        TrecJudge(text, assertions=True)
    assert str(failure.value) == f"wrong format: {message}"


@pytest.mark.parametrize(
    ("text", "max_recall", "relevant"), [(row[0], *row[2:]) for row in TOO_LONG.values()], ids=TOO_LONG
)
def test_without_assertions_what_stands_behind_the_grade_is_ignored(
    text: str, max_recall: int, relevant: list[str]
) -> None:
    assert seen(text, assertions=False) == (max_recall, relevant)


def test_the_first_bad_line_decides() -> None:
    with pytest.raises(AssertionError, match="next: x"):
        TrecJudge("q 0 d 1 x\nq 0\n", assertions=True)
    with pytest.raises(NoSuchElementException):
        TrecJudge("q 0\nq 0 d 1 x\n", assertions=True)


def test_the_same_line_is_refused_again() -> None:
    for _ in range(2):
        with pytest.raises(AssertionError):
            TrecJudge("q 0 d 1 x", assertions=True)


# --- grades ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "grade",
    [
        *("-2", "-1", "-0", "00", "0.0", "1", "01", "+1", "2", "3", "10", "127"),
        *("+0", "rel", "x", "0.5", ".5", "0x1", "yes", "no", "-", "--", "NaN", "true", "false", "0.", "-0.0"),
        *("null", "0L", "O", "\u0660", "\uff11"),
    ],
)
def test_any_grade_but_0_is_relevant(grade: str) -> None:
    assert calls.judge_tokens([grade]) == [1, 1]


def test_grade_0_is_not_relevant() -> None:
    assert calls.judge_tokens(["0"]) == [0, 0]


def test_negative_grades_are_relevant_beside_others() -> None:
    assert calls.judge_tokens(["1", "-2", "0", "-1"]) == [3, 1, 1, 0, 1]


def test_a_grade_with_a_line_end_makes_two_lines() -> None:
    assert calls.judge_tokens(["0\nq 0 d1 1", "0"]) == [1, 0, 1]


def test_a_grade_with_a_space_fails_an_assertion() -> None:
    with pytest.raises(AssertionError, match="wrong format: q 0 d0 1 x  next: x"):
        calls.judge_tokens(["1 x"])


def test_four_documents_are_judged_right_only_where_no_grade_is_negative() -> None:
    # By hand: 5^4 assignments of -2..2, of which 3^4 have no negative grade.
    assignments = [[str(grade) for grade in grades] for grades in itertools.product(range(-2, 3), repeat=4)]
    rows = calls.judge_tokens_batch([(tokens,) for tokens in assignments])
    right = [[int(int(token) >= 1) for token in tokens] for tokens in assignments]
    wrong = [row for row, bits in zip(rows, right, strict=True) if row != [sum(bits), *bits]]
    assert (len(rows), len(wrong)) == (625, 544)


# --- queries against judgements ----------------------------------------------------------------------------------

TWO_QUERIES = "q 0 d 1\nq 0 d1 -1\np 0 d 0\np 0 d2 1\nz 0 d 0\n"


def test_each_query_has_relevant_documents_of_its_own() -> None:
    found = calls.judge(TWO_QUERIES, [("q", ["d", "d1", "d2"]), ("p", ["d", "d2"]), ("u", ["d"])], assertions=True)
    assert found == [[2, [1, 1, 0]], [1, [0, 1]], [0, [0]]]


def test_queries_that_match_are_valid_without_a_word() -> None:
    assert calls.validate(TWO_QUERIES, ["p", "q"], assertions=True) == [1, ""]


def test_no_queries_match_no_judgements() -> None:
    assert calls.validate("z 0 d 0\n", [], assertions=True) == [1, ""]


def test_a_query_that_has_only_zeros_counts_as_not_judged() -> None:
    text = "WARNING: 1 queries have no judgments! - \n   z\n"
    assert calls.validate(TWO_QUERIES, ["p", "q", "z"], assertions=True) == [0, text]


def test_the_second_of_two_equal_query_ids_counts_as_not_judged() -> None:
    text = "WARNING: 2 queries have no judgments! - \n   q\n   a\n"
    assert calls.validate(TWO_QUERIES, ["q", "p", "q", "a"], assertions=True) == [0, text]


def test_a_query_that_is_given_twice_and_not_judged_is_listed_twice() -> None:
    text = "WARNING: 2 queries have no judgments! - \n   u\n   u\n"
    assert calls.validate("", ["u", "u"], assertions=True) == [0, text]


def test_judgements_without_a_query_are_listed_sorted() -> None:
    text = "WARNING: 3 judgments match no query! - \n   a\n   b\n   c\n"
    assert calls.validate("c 0 d 1\na 0 d 1\nb 0 d 1\n", [], assertions=True) == [0, text]


def test_both_warnings_come_in_this_order() -> None:
    text = "WARNING: 1 queries have no judgments! - \n   u\nWARNING: 2 judgments match no query! - \n   p\n   q\n"
    assert calls.validate(TWO_QUERIES, ["u"], assertions=True) == [0, text]
