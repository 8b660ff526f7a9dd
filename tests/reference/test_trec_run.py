"""Result lines against what trec_eval accepts and refuses."""

import pytest

from reference.trec.dialect import Dialect
from reference.trec.refusal import EmptyFileError, MalformedLineError, UndefinedBehaviourError
from reference.trec.run import read_run

WITH_COMMENTS = [Dialect.V10_0, Dialect.CHECKED]


def scores(text: bytes, dialect: Dialect = Dialect.V10_0) -> dict[bytes, list[tuple[bytes, float]]]:
    topics = read_run(text, dialect).topics
    return {topic: [(result.docno, result.score) for result in results] for topic, results in topics.items()}


def malformed(text: bytes, dialect: Dialect = Dialect.V10_0) -> tuple[int, int]:
    with pytest.raises(MalformedLineError) as refused:
        read_run(text, dialect)
    return refused.value.line, refused.value.counted


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    "text",
    [
        b"q Q0 a 1 3 r\n",
        b"q Q0 a 1 3 r",
        b" q\tQ0\x0ca\x0b1  3 r \r\n",
        b"q Q0 a first 3 r extra more\n",
        b"q Q0 a 1 3 r #c\n",
        b"q Q0 a 1 3 #\n",
        b"\n  \nq Q0 a 1 3 r\n\n\r\n ",
        b"q Q0 a 1 3 r\rq Q0 b 1 2 r\n",
    ],
)
def test_a_line_has_six_fields_and_whatever_follows(text: bytes, dialect: Dialect) -> None:
    assert scores(text, dialect) == {b"q": [(b"a", 3.0)]}


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    ("text", "line", "counted"),
    [
        (b"q Q0 a 1 3\n", 1, 1),
        (b"q Q0 a 1 3 \n", 1, 1),
        (b"q Q0 a 1\n", 1, 1),
        (b"q Q0 a 1 3\nr\n", 1, 1),
        (b"\n\nq Q0 a 1\n", 3, 1),
        (b"q Q0 a 1 3 r\n\nq\n", 3, 2),
    ],
)
def test_fewer_fields_are_malformed_and_blank_lines_are_not_counted(
    text: bytes, line: int, counted: int, dialect: Dialect
) -> None:
    assert malformed(text, dialect) == (line, counted)


def test_a_malformed_line_is_told_with_what_was_expected_and_found() -> None:
    with pytest.raises(MalformedLineError) as refused:
        read_run(b"q Q0 a 1 3\n", Dialect.V10_0)
    assert str(refused.value) == (
        "line 1 of the run: 6 or more fields (topic, iteration, document, rank, score, run) were expected, "
        "not 5 in 'q Q0 a 1 3'"
    )


@pytest.mark.parametrize("dialect", WITH_COMMENTS)
def test_comments_are_skipped_indented_or_not(dialect: Dialect) -> None:
    text = b"# c\n#\nq Q0 a 1 3 r\n\x0b # c\n\n#x\nq Q0 b 2 2 r\n # c"
    assert scores(text, dialect) == {b"q": [(b"a", 3.0), (b"b", 2.0)]}
    assert malformed(b"# c\n\n # d\nq Q0 a 1\n", dialect) == (4, 1)


def test_in_9_0_nothing_is_a_comment() -> None:
    assert malformed(b"# c\nq Q0 a 1 3 r\n", Dialect.V9_0) == (1, 1)
    assert scores(b"#q Q0 a 1 3 r\n", Dialect.V9_0) == {b"#q": [(b"a", 3.0)]}


@pytest.mark.parametrize("dialect", Dialect)
def test_an_empty_file_is_refused(dialect: Dialect) -> None:
    with pytest.raises(EmptyFileError, match="in the run"):
        read_run(b"", dialect)


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("text", [b"\n", b" ", b"\r\n\n"])
def test_blank_lines_alone_are_undefined(text: bytes, dialect: Dialect) -> None:
    with pytest.raises(UndefinedBehaviourError, match="without a result"):
        read_run(text, dialect)


@pytest.mark.parametrize("dialect", WITH_COMMENTS)
def test_comments_alone_are_undefined(dialect: Dialect) -> None:
    with pytest.raises(UndefinedBehaviourError, match="without a result"):
        read_run(b"# c\n", dialect)


@pytest.mark.parametrize("dialect", Dialect)
def test_a_nul_byte_is_undefined(dialect: Dialect) -> None:
    with pytest.raises(UndefinedBehaviourError, match="NUL"):
        read_run(b"q Q0 a\0 1 3 r\n", dialect)


def test_topics_are_sorted_by_bytes_and_results_stay_in_the_order_of_the_file() -> None:
    found = scores(b"q Q0 b 1 1 r\np Q0 a 1 1 r\nQ Q0 a 1 1 r\nq Q0 a 1 2 r\nq Q0 b 1 1 r\n")
    assert list(found) == [b"Q", b"p", b"q"]
    assert found[b"q"] == [(b"b", 1.0), (b"a", 2.0), (b"b", 1.0)]
