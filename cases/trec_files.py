"""Qrels and runs of TREC in files of any size, topic by topic, as the strict reader of `reference.trec` takes them.

A file is looked through once, which finds where each topic's lines are, be they together or not; a topic is read when
its turn comes. So memory holds one topic, and not the file. What is compressed by gzip, or cannot be read twice, as a
pipe cannot, is copied to a temporary file first.
"""

import contextlib
import gzip
import io
import os
import shutil
import tempfile
import zlib
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, NoReturn, Self

from harness.errors import BadInputError
from harness.printable import printable
from reference.trec.dialect import Dialect
from reference.trec.grade import PartialInteger
from reference.trec.qrels import Qrels, read_qrels
from reference.trec.ranking import ranked
from reference.trec.refusal import File, IntegerError, RefusedError, RepeatedDocumentError, UndefinedBehaviourError
from reference.trec.run import Run, read_run

STRICT = Dialect.CHECKED
"""The dialect that refuses a grade which is no integer."""

LONGEST_LINE = 1 << 16
"""Bytes."""

LONGEST_MESSAGE = 300
"""Characters of what is said about a line: it may quote all of it."""

GZIP = b"\x1f\x8b"
"""How what is compressed by gzip begins (RFC 1952)."""

PLACE = 3
"""Numbers that say where a block of lines is: the offset, the number of the first line, and the length."""

FIELDS: Mapping[File, int] = {"qrels": 4, "run": 6}
"""A line of qrels has so many; one of a run at least so many."""


class Judgement(NamedTuple):
    """A judged document of a topic: its grade, as a text and as an integer."""

    document: bytes
    text: str
    grade: int


@dataclass(slots=True)
class Notes:
    """What a reader has to know about the files.

    Attributes
    ----------
    order
        What has to be said of the subject's own order of documents with equal scores.
    ties
        For each run that has some, in how many topics documents have equal scores.
    others
        The rest.
    """

    order: str
    ties: dict[str, int] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    def texts(self) -> tuple[str, ...]:
        """Return them, one for all ties."""
        if not self.ties:
            return tuple(self.others)
        topics = ", ".join(f"{count:,} in {name}" for name, count in self.ties.items())
        tied = (
            f"topics in which documents have equal scores: {topics}. These documents are ordered as by trec_eval, as "
            f"shipped and as documented; {self.order}"
        )
        return (*self.others, tied)


class TrecFile:
    """A file of lines that begin with a topic. Use it as a context manager, so that it is closed."""

    kind: File

    def __init__(self, path: Path) -> None:
        """Find where each topic is.

        Raises
        ------
        BadInputError
            If the file cannot be read, or a line has not the fields of its kind.
        """
        self.path = path
        self._file = _opened(path)
        try:
            self._places = self._look_through()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def name(self) -> str:
        """The path, for a person."""
        return printable(str(self.path))

    @property
    def topics(self) -> Mapping[bytes, "array[int]"]:
        """The topics, in the order in which they first occur."""
        return self._places

    def _look_through(self) -> dict[bytes, "array[int]"]:
        places: dict[bytes, array[int]] = {}
        offset, before = 0, None
        for number, line in enumerate(self._all_lines(), start=1):
            topic = self._topic(number, line)
            if topic is not None and topic == before:
                places[topic][-1] += len(line)
            elif topic is not None:
                places.setdefault(topic, array("q")).extend((offset, number, len(line)))
            offset, before = offset + len(line), topic
        if not places:
            raise BadInputError(f"{self.name}: lines of TREC {self.kind} were expected, and there is none")
        return places

    def _all_lines(self) -> Iterator[bytes]:
        try:
            yield from iter(partial(self._file.readline, LONGEST_LINE + 1), b"")
        except OSError as error:
            raise BadInputError(f"{self.name} cannot be read: {error.strerror}") from error

    def _topic(self, number: int, line: bytes) -> bytes | None:
        """Return the topic of a line; None for a comment, and in a run for a blank line."""
        if len(line) > LONGEST_LINE:
            self._refuse(number, f"a line of at most {LONGEST_LINE:,} bytes was expected")
        fields = line.split(None, FIELDS[self.kind])
        if fields and (line if self.kind == "qrels" else fields[0]).startswith(b"#"):
            return None
        if not fields and self.kind == "run":
            return None
        too_many = self.kind == "qrels" and len(fields) > FIELDS[self.kind]
        if too_many or len(fields) < FIELDS[self.kind]:
            self._read_line(number, line)
        return fields[0]

    def _lines(self, topic: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a topic with their numbers."""
        places = self._places[topic]
        for i in range(0, len(places), PLACE):
            offset, first, length = places[i : i + PLACE]
            self._file.seek(offset)
            yield from enumerate(self._file.read(length).removesuffix(b"\n").split(b"\n"), start=first)

    def _strictly(self, text: bytes) -> Qrels | Run:
        return read_qrels(text, STRICT, _refuse_part) if self.kind == "qrels" else read_run(text, STRICT)

    def _read(self, topic: bytes, lines: list[tuple[int, bytes]]) -> Qrels | Run:
        """Return a topic as the strict reader takes it; what it refuses is told by its line."""
        try:
            return self._strictly(b"\n".join([line for _, line in lines]))
        except (RefusedError, UndefinedBehaviourError) as error:
            for number, line in lines:
                self._read_line(number, line)
            raise BadInputError(f"{self.name}, topic {named(topic)}: {error}") from error

    def _read_line(self, number: int, line: bytes) -> None:
        try:
            self._strictly(line)
        except (RefusedError, UndefinedBehaviourError) as error:
            self._refuse(number, str(error).removeprefix(f"line 1 of the {self.kind}: "), error)

    def _refuse(self, number: int, why: str, error: Exception | None = None) -> NoReturn:
        said = printable(why)
        said = said if len(said) <= LONGEST_MESSAGE else f"{said[:LONGEST_MESSAGE]} ..."
        raise BadInputError(f"{self.name}, line {number:,}: {said}; correct the line, or take it out") from error

    def _refuse_repeated(self, topic: bytes, document: bytes, error: Exception | None = None) -> NoReturn:
        numbers = [number for number, line in self._lines(topic) if line.split(None, 3)[2] == document]
        self._refuse(numbers[1], f"topic {named(topic)} has document {named(document)} in line {numbers[0]:,}", error)


class QrelsFile(TrecFile):
    """A file of relevance judgements: topic, iteration, document and grade in a line."""

    kind: File = "qrels"

    def judgements(self, topic: bytes) -> list[Judgement]:
        """Return the judged documents of a topic, in the order of the lines.

        Raises
        ------
        BadInputError
            If a grade is no integer, or a document is judged twice.
        """
        lines = list(self._lines(topic))
        qrels = self._read(topic, lines)
        assert isinstance(qrels, Qrels)  # noqa: S101 - by its kind
        judged = qrels.topics[topic]
        if judged.repeated is not None:
            self._refuse_repeated(topic, judged.repeated)
        fields = [line.split() for _, line in lines]
        return [Judgement(each[2], each[3].decode(), judged.grades[each[2]]) for each in fields]


class RunFile(TrecFile):
    """A file of results: topic, iteration, document, rank, score and name of the run in a line."""

    kind: File = "run"

    def ranking(self, topic: bytes, notes: Notes) -> list[bytes]:
        """Return the documents of a topic by falling score, those of equal scores as trec_eval has them; note ties.

        Raises
        ------
        BadInputError
            If a score is no number, or a document is there twice.
        """
        lines = list(self._lines(topic))
        run = self._read(topic, lines)
        assert isinstance(run, Run)  # noqa: S101 - by its kind
        results = run.topics[topic]
        for (number, line), result in zip(lines, results, strict=True):
            text = line.split(None, 5)[4]
            if not _is_number(text, result.score):
                self._refuse(number, f"a decimal number was expected as score, not '{named(text)}'")
        try:
            documents = ranked(results)
        except RepeatedDocumentError as error:
            self._refuse_repeated(topic, error.docno, error)
        if len({result.score for result in results}) < len(results):
            notes.ties[self.name] = notes.ties.get(self.name, 0) + 1
        return documents


def common_topics(qrels: QrelsFile, run: RunFile, notes: Notes) -> list[bytes]:
    """Return the topics that are in both, in the order of the qrels, and note how many others there are.

    Raises
    ------
    BadInputError
        If there is none.
    """
    common = [topic for topic in qrels.topics if topic in run.topics]
    if not common:
        first, other = (named(next(iter(file.topics))) for file in (qrels, run))
        raise BadInputError(
            f"a topic that is in {qrels.name} and in {run.name} was expected, and there is none; the first ones are "
            f"{first} and {other}"
        )
    unjudged, missing = len(run.topics) - len(common), len(qrels.topics) - len(common)
    if unjudged:
        notes.others.append(f"{run.name}: topics without qrels, left out: {unjudged:,}")
    if missing:
        notes.others.append(f"{run.name}: judged topics without results, left out: {missing:,}")
    return common


def named(name: bytes) -> str:
    """Return a topic, or a document, for a person."""
    return printable(name.decode(errors="backslashreplace"))


def _refuse_part(partial_integer: PartialInteger) -> NoReturn:
    raise IntegerError(partial_integer.text, out_of_range=False)


def _is_number(text: bytes, score: float) -> bool:
    """Return whether a text is a number as a whole, and the one that the strict reader took it for; NaN is none."""
    try:
        return float(text) == score
    except ValueError:
        return False


def _opened(path: Path) -> BinaryIO:
    """Return a file that can be read, again and again, as it was before it was compressed."""
    with contextlib.ExitStack() as opened:
        try:
            file = opened.enter_context(path.open("rb"))
            is_compressed = file.peek(len(GZIP)).startswith(GZIP)
        except OSError as error:
            raise BadInputError(f"{printable(str(path))} cannot be read: {error.strerror}") from error
        if not is_compressed and file.seekable():
            opened.pop_all()
            return file
        return _copied(path, gzip.open(file) if is_compressed else file)


def _copied(path: Path, file: io.BufferedIOBase) -> BinaryIO:
    copy = tempfile.TemporaryFile()  # noqa: SIM115 - returned open
    try:
        shutil.copyfileobj(file, copy, 1 << 20)
        copy.seek(0)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        copy.close()
        raise BadInputError(
            f"{printable(str(path))} cannot be read: it is compressed by gzip, and damaged or cut off ({error}); "
            f"get it once more"
        ) from error
    except OSError as error:
        copy.close()
        raise BadInputError(
            f"{printable(str(path))} cannot be copied to {tempfile.gettempdir()}: {os.strerror(error.errno or 0)}; "
            f"TMPDIR names another folder"
        ) from error
    except BaseException:
        copy.close()
        raise
    return copy
