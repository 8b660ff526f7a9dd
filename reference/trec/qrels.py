"""Relevance judgements of TREC: the bytes of a qrels file to grades by topic.

``trec_eval -h -m num_rel``: *text tuples of the form qid iter docno rel. Lines starting with '#' are ignored. Fields
are separated by whitespace, string fields can contain no whitespace. File may contain no NULL characters.*

Beyond that help, the program was seen to do this. Lines end at a line feed only; a carriage return is whitespace, and
so are vertical tab and form feed. A blank line is malformed. Lines may come in any order. A document judged twice is
found only when its topic is evaluated. After a comment the next line is read as a judgement whatever it starts with.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from reference.trec.dialect import Dialect
from reference.trec.grade import PartialInteger, integer, unheard
from reference.trec.refusal import EmptyFileError, MalformedLineError, UndefinedBehaviourError


@dataclass(frozen=True, slots=True)
class Judgements:
    """The judgements of one topic.

    Attributes
    ----------
    grades
        Grade by document, in the order of the documents' bytes.
    repeated
        The first document that is judged twice; then ``grades`` holds one grade of it, and trec_eval refuses the topic.
    positive
        How many lines have a grade above 0: what ``-c`` adds up as num_rel, whatever the level.
    """

    grades: Mapping[bytes, int]
    repeated: bytes | None
    positive: int


@dataclass(frozen=True, slots=True)
class Qrels:
    """The judgements of a file by topic, in the order of the topics' bytes."""

    topics: Mapping[bytes, Judgements]


def read_qrels(text: bytes, dialect: Dialect, warn: Callable[[PartialInteger], None] = unheard) -> Qrels:
    r"""Return the judgements in the bytes of a qrels file.

    The checked dialect tells ``warn`` of grades that only start with an integer, in the order of topics and documents.

    >>> read_qrels(b"q 0 d2 -2\nq 0 d1 1\n", Dialect.V10_0).topics[b"q"].grades
    {b'd1': 1, b'd2': -2}

    Raises
    ------
    EmptyFileError, MalformedLineError
        If the file cannot be read.
    IntegerError
        In the checked dialect, if a grade is no integer.
    UndefinedBehaviourError
        If it holds a NUL byte, or if a comment is last where comments are skipped.
    """
    grades: dict[bytes, dict[bytes, int]] = {}
    repeated: dict[bytes, bytes] = {}
    positive: dict[bytes, int] = {}
    for topic, docno, written in _sorted_judgements(text, dialect):
        grade = integer(written, dialect, warn)
        of_topic = grades.setdefault(topic, {})
        if docno in of_topic:
            repeated.setdefault(topic, docno)
        of_topic[docno] = grade
        positive[topic] = positive.get(topic, 0) + (grade > 0)
    return Qrels(
        {topic: Judgements(of_topic, repeated.get(topic), positive[topic]) for topic, of_topic in grades.items()}
    )


def _sorted_judgements(text: bytes, dialect: Dialect) -> list[tuple[bytes, bytes, bytes]]:
    """Return (topic, document, grade) sorted by the first two; grades are read in that order."""
    if not text:
        raise EmptyFileError("qrels")
    if b"\0" in text:
        raise UndefinedBehaviourError("a NUL byte in the qrels ends C's strings in the middle of the file")
    return sorted(_judgements(text, dialect), key=lambda judgement: judgement[:2])


def _judgements(text: bytes, dialect: Dialect) -> Iterator[tuple[bytes, bytes, bytes]]:
    lines = enumerate(text.removesuffix(b"\n").split(b"\n"), start=1)
    for counted, (number, line) in enumerate(_without_comments(lines, dialect), start=1):
        fields = line.split()
        if len(fields) != 4:
            raise MalformedLineError("qrels", number, counted, "4 fields (topic, iteration, document, grade)", line)
        yield fields[0], fields[2], fields[3]


def _without_comments(lines: Iterator[tuple[int, bytes]], dialect: Dialect) -> Iterator[tuple[int, bytes]]:
    for numbered in lines:
        if not (dialect.skips_comments and numbered[1].startswith(b"#")):
            yield numbered
            continue
        after = next(lines, None)
        if after is None:
            raise UndefinedBehaviourError("a comment as the last line of the qrels is read past its end")
        yield after
