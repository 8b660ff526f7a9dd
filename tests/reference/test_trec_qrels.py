"""Qrels lines against what trec_eval accepts and refuses, and TREC's own judgements by its rule."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.trec.dialect import Dialect
from reference.trec.grade import PartialInteger, is_relevant
from reference.trec.qrels import read_qrels
from reference.trec.refusal import EmptyFileError, IntegerError, MalformedLineError, UndefinedBehaviourError
from shared_data import content, needs

WEB_2012 = "qrels.web.151-200.txt.gz"
WITH_COMMENTS = [Dialect.V10_0, Dialect.CHECKED]


def grades(text: bytes, dialect: Dialect = Dialect.V10_0) -> dict[bytes, dict[bytes, int]]:
    return {topic: dict(judgements.grades) for topic, judgements in read_qrels(text, dialect).topics.items()}


def malformed(text: bytes, dialect: Dialect = Dialect.V10_0) -> tuple[int, int]:
    with pytest.raises(MalformedLineError) as refused:
        read_qrels(text, dialect)
    return refused.value.line, refused.value.counted


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    "text",
    [
        b"q 0 d 1\n",
        b"q 0 d 1",
        b"q\t0\td\t1\n",
        b"q   0  d    1\n",
        b"q \t 0\t d 1 \t\n",
        b"   \tq 0 d 1\n",
        b"q\x0c0\x0cd\x0c1\n",
        b"q\x0b0\x0bd\x0b1\n",
        b"q 0 d\x0b 1\n",
        b"q 0 d 1\r\n",
        b"q 0 d 1\r",
        b"q Q0 d 1\n",
    ],
)
def test_fields_are_separated_by_any_whitespace(text: bytes, dialect: Dialect) -> None:
    assert grades(text, dialect) == {b"q": {b"d": 1}}


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"\n", 1),
        (b" ", 1),
        (b"\nq 0 d 1\n", 1),
        (b"q 0 d 1\n\n", 2),
        (b"q 0 d 1\n   \nq 0 d1 1\n", 2),
        (b"q 0 d 1\r\n\r\n", 2),
        (b"q 0 d 1 x\n", 1),
        (b"q 0 d \n", 1),
        (b"q 0 d1 1\nq 0\nq 0 d 1\n", 2),
        (b"q\n", 1),
        (b"q,0,d,1\n", 1),
        (b"q\xc2\xa00\xc2\xa0d\xc2\xa01\n", 1),
        (b"q 0 d 1\rq 0 d1 1\r", 1),
        (b"   # c\nq 0 d 1\n", 1),
        (b"\xef\xbb\xbf# c\nq 0 d 1\n", 1),
    ],
)
def test_a_line_without_exactly_four_fields_is_malformed(text: bytes, line: int, dialect: Dialect) -> None:
    assert malformed(text, dialect) == (line, line)


def test_a_malformed_line_is_told_with_what_was_expected_and_found() -> None:
    with pytest.raises(MalformedLineError) as refused:
        read_qrels(b"q 0 d 1\nq 0 d2\n", Dialect.V10_0)
    assert str(refused.value) == (
        "line 2 of the qrels: 4 fields (topic, iteration, document, grade) were expected, not 3 in 'q 0 d2'"
    )


@pytest.mark.parametrize("dialect", WITH_COMMENTS)
def test_a_line_that_starts_with_a_number_sign_is_a_comment(dialect: Dialect) -> None:
    assert grades(b"# c\nq 0 d 1\n#\nq 0 d1 1\n", dialect) == {b"q": {b"d": 1, b"d1": 1}}
    assert grades(b"#q 0 d 1\nq 0 d1 1\n", dialect) == {b"q": {b"d1": 1}}


def test_in_9_0_nothing_is_a_comment() -> None:
    assert grades(b"#q 0 d 1\nq 0 d1 1\n", Dialect.V9_0) == {b"#q": {b"d": 1}, b"q": {b"d1": 1}}
    assert malformed(b"q 0 d 1\n# c\nq 0 d1 1\n", Dialect.V9_0) == (2, 2)
    assert malformed(b"q 0 d 1\n# c\n", Dialect.V9_0) == (2, 2)


@pytest.mark.parametrize("dialect", WITH_COMMENTS)
def test_the_line_after_a_comment_is_a_judgement_whatever_it_starts_with(dialect: Dialect) -> None:
    assert grades(b"# a b c\n# a b 1\nq 0 d 1\n", dialect) == {b"#": {b"b": 1}, b"q": {b"d": 1}}
    assert malformed(b"# a\n# b\nq 0 d 1\n", dialect) == (2, 1)
    assert malformed(b"# c\n\nq 0 d 1\n", dialect) == (2, 1)


@pytest.mark.parametrize("dialect", WITH_COMMENTS)
@pytest.mark.parametrize("text", [b"# c\n", b"# c", b"q 0 d 1\n# c\n", b"q 0 d 1\n#"])
def test_a_comment_as_the_last_line_is_undefined(text: bytes, dialect: Dialect) -> None:
    with pytest.raises(UndefinedBehaviourError, match="a comment as the last line"):
        read_qrels(text, dialect)


@pytest.mark.parametrize("dialect", Dialect)
def test_a_nul_byte_is_undefined(dialect: Dialect) -> None:
    with pytest.raises(UndefinedBehaviourError, match="NUL"):
        read_qrels(b"q 0 d \x001\n", dialect)


@pytest.mark.parametrize("dialect", Dialect)
def test_an_empty_file_is_refused(dialect: Dialect) -> None:
    with pytest.raises(EmptyFileError, match="at least one line was expected in the qrels"):
        read_qrels(b"", dialect)


def test_lines_come_in_any_order_and_are_sorted_by_bytes() -> None:
    found = grades(b"q 0 b 1\np 0 a 2\nq 0 B 3\nQ 0 a 4\nq 0 \xc3\xa9 5\n")
    assert list(found) == [b"Q", b"p", b"q"]
    assert list(found[b"q"].items()) == [(b"B", 3), (b"b", 1), (b"\xc3\xa9", 5)]


def test_names_are_bytes_whatever_they_hold() -> None:
    assert grades(b'\xef\xbb\xbfq 0 "d" 1\nq 0 #d 1\n') == {b"\xef\xbb\xbfq": {b'"d"': 1}, b"q": {b"#d": 1}}


def test_of_documents_that_are_judged_twice_the_first_in_byte_order_is_named() -> None:
    topics = read_qrels(b"q 0 d 1\nq 0 b 1\nq 1 d 0\nq 0 b 2\np 0 a 1\n", Dialect.V10_0).topics
    assert topics[b"q"].repeated == b"b"
    assert topics[b"p"].repeated is None


def test_grades_above_0_are_counted_by_line() -> None:
    topics = read_qrels(b"q 0 a 1\nq 0 a 2\nq 0 b 0\nq 0 c -1\nq 0 d 3\n", Dialect.V10_0).topics
    assert topics[b"q"].positive == 3


def test_the_checked_dialect_warns_in_the_order_of_topics_and_documents() -> None:
    warned: list[PartialInteger] = []
    read_qrels(b"q 0 b 1x\nq 0 a 0.0\np 0 a 2y\n", Dialect.CHECKED, warned.append)
    assert warned == [(b"2y", 2), (b"0.0", 0), (b"1x", 1)]


def test_the_checked_dialect_warns_up_to_the_grade_that_it_refuses() -> None:
    warned: list[PartialInteger] = []
    with pytest.raises(IntegerError) as refused:
        read_qrels(b"q 0 b x\nq 0 a y\np 0 a 1x\n", Dialect.CHECKED, warned.append)
    assert refused.value.text == b"y"
    assert warned == [(b"1x", 1)]


def test_a_malformed_line_comes_before_any_grade_is_read() -> None:
    warned: list[PartialInteger] = []
    with pytest.raises(MalformedLineError):
        read_qrels(b"q 0 a 1x\nq 0 b x\nq 0\n", Dialect.CHECKED, warned.append)
    assert warned == []


names = st.text("abcXY#", min_size=1, max_size=3).map(str.encode)
judgements = st.dictionaries(st.tuples(names, names), st.integers(-3, 9), min_size=1, max_size=8)


@given(judgements, st.randoms(use_true_random=False))
def test_what_is_written_is_read_in_whatever_order(judged: dict[tuple[bytes, bytes], int], order: Random) -> None:
    # A blank before each topic keeps a topic such as "#" from being a comment.
    lines = [b" %b 0 %b %d\n" % (topic, docno, grade) for (topic, docno), grade in judged.items()]
    order.shuffle(lines)
    expected: dict[bytes, dict[bytes, int]] = {}
    for (topic, docno), grade in judged.items():
        expected.setdefault(topic, {})[docno] = grade
    for dialect in Dialect:
        assert grades(b"".join(lines), dialect) == expected


@needs(WEB_2012)
def test_the_judgements_of_trec_web_2012_by_the_rule_and_by_their_text() -> None:
    text = content(WEB_2012)
    by_rule: dict[bytes, int] = {}
    by_text: dict[bytes, int] = {}
    for topic, judged in read_qrels(text, Dialect.V10_0).topics.items():
        by_rule[topic] = sum(is_relevant(grade) for grade in judged.grades.values())
    for line in text.split(b"\n")[:-1]:
        topic, _, _, written = line.split()
        by_text[topic] = by_text.get(topic, 0) + (written != b"0")
    assert sum(by_rule.values()) == 3523
    assert sum(by_text.values()) == 4381
    assert len(by_rule) == 50
    assert sum(by_rule[topic] != by_text[topic] for topic in by_rule) == 48
