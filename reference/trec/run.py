"""A run of TREC: the bytes of a results file to scored documents by topic.

``trec_eval -h -m num_ret``: *lines of the form qid iter docno rank sim run_id. The other fields are ignored. In
particular, note that the rank field is ignored here; internally ranks are assigned by sorting by the sim field. File
may contain no NULL characters. Lines may contain fields after the run_id; they are ignored. Lines starting with '#' are
ignored.*

Beyond that help, the program was seen to do this. Lines end at a line feed only. Blank lines are skipped. A comment may
be indented. Lines may come in any order. A document retrieved twice is found only when its topic is evaluated.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from reference.trec.dialect import Dialect
from reference.trec.ranking import Scored, score
from reference.trec.refusal import EmptyFileError, MalformedLineError, UndefinedBehaviourError


@dataclass(frozen=True, slots=True)
class Run:
    """The scored documents by topic, in the order of the topics' bytes; within a topic in the order of the file."""

    topics: Mapping[bytes, tuple[Scored, ...]]


def read_run(text: bytes, dialect: Dialect) -> Run:
    r"""Return the scored documents in the bytes of a results file.

    >>> read_run(b"q Q0 d1 0 2.5 me\n", Dialect.V10_0).topics[b"q"]
    (Scored(docno=b'd1', score=2.5),)

    Raises
    ------
    EmptyFileError, MalformedLineError
        If the file cannot be read.
    UndefinedBehaviourError
        If it holds a NUL byte, or lines but no result.
    """
    if not text:
        raise EmptyFileError("run")
    if b"\0" in text:
        raise UndefinedBehaviourError("a NUL byte in the run ends C's strings in the middle of the file")
    topics: dict[bytes, list[Scored]] = {}
    counted = 0
    for number, line in enumerate(text.split(b"\n"), start=1):
        fields = line.split(maxsplit=6)
        if not fields or (dialect.skips_comments and fields[0].startswith(b"#")):
            continue
        counted += 1
        if len(fields) < 6:
            expected = "6 or more fields (topic, iteration, document, rank, score, run)"
            raise MalformedLineError("run", number, counted, expected, line)
        topics.setdefault(fields[0], []).append(Scored(fields[2], score(fields[4], dialect)))
    if not topics:
        raise UndefinedBehaviourError("a run with lines but without a result is read before its first entry")
    return Run({topic: tuple(topics[topic]) for topic in sorted(topics)})
