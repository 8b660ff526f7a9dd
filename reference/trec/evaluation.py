"""Which topics trec_eval evaluates, in which order, and the measures of each.

``trec_eval -h``: *Queries for which there is no relevance information are ignored.* Of those with relevance information
and without results it says that they *are also ignored by default*; so does 9.0, while 10.0 ends on the first one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reference.trec.dialect import Dialect
from reference.trec.measures import Measures, evaluate
from reference.trec.qrels import Judgements, Qrels, read_qrels
from reference.trec.ranking import Scored, ranked
from reference.trec.refusal import (
    MissingTopicError,
    NegativeTopicError,
    NoCommonTopicError,
    RepeatedDocumentError,
    UndefinedBehaviourError,
)
from reference.trec.run import Run, read_run

LARGEST_GRADE = 10**7
"""The largest grade whose outcome is stated: the C program needs 8 bytes for each grade up to the topic's largest."""

PLACEHOLDER = b"ceci_nest_pas_un_docno"
"""The document that is retrieved for a judged topic without results. It can be judged, and then it counts."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the options leave of a topic's ranking, and which topics count.

    Attributes
    ----------
    level
        The lowest grade that is relevant: ``-l``.
    depth
        How many documents of a ranking are looked at, all if ``None``: ``-M``.
    judged_only
        Whether documents with a negative grade, or with none, are then taken out of the ranking: ``-J``.
    every_judged_topic
        Whether all topics of the qrels count in the means: ``-c``. In dialects other than 9.0 those without results are
        then evaluated, too. For each the program was seen to retrieve one document, the `PLACEHOLDER`, and to say in
        num_ret that there was none.
    """

    level: int = 1
    depth: int | None = None
    judged_only: bool = False
    every_judged_topic: bool = False


def evaluate_texts(qrels: bytes, run: bytes, dialect: Dialect, choice: Choice = Choice()) -> dict[bytes, Measures]:
    r"""Return the measures of each topic that trec_eval evaluates, from the bytes of both files.

    With ``-c`` in 9.0 topics without results are not among them, though they count in its means.

    >>> found = evaluate_texts(b"q 0 junk -2\nq 0 good 1\n", b"q Q0 junk 1 2 r\nq Q0 good 2 1 r\n", Dialect.V10_0)
    >>> found[b"q"].average_precision
    Fraction(1, 2)

    Raises
    ------
    RefusedError
        If trec_eval ends on an error, be it after other topics.
    UndefinedBehaviourError
        If what it does is not defined.
    """
    judgements, results = read_qrels(qrels, dialect), read_run(run, dialect)
    topics = evaluated_topics(judgements, results, dialect, choice)
    return dict(measures_by_topic(topics, judgements, results, choice))


def evaluated_topics(qrels: Qrels, run: Run, dialect: Dialect, choice: Choice) -> Iterator[bytes]:
    """Yield the topics that trec_eval evaluates, in the order of their bytes.

    Raises
    ------
    MissingTopicError
        Where the first topic without results comes, if every judged topic is evaluated and the choice lacks ``-c``.
    NoCommonTopicError
        If there is none, where topics without results are skipped.
    """
    if dialect.evaluates_every_judged_topic:
        for topic in qrels.topics:
            if topic not in run.topics and not choice.every_judged_topic:
                raise MissingTopicError(topic)
            yield topic
        return
    common = [topic for topic in qrels.topics if topic in run.topics]
    if not common:
        raise NoCommonTopicError
    yield from common


def measures_by_topic(
    topics: Iterator[bytes], qrels: Qrels, run: Run, choice: Choice
) -> Iterator[tuple[bytes, Measures]]:
    """Yield each topic with its measures.

    Raises
    ------
    RepeatedDocumentError, NegativeTopicError
        Where the topic comes that trec_eval refuses.
    UndefinedBehaviourError
        Where the topic comes on which its behaviour is not defined.
    """
    for index, topic in enumerate(topics):
        if choice.depth is not None and choice.depth < 0:
            raise UndefinedBehaviourError(f"a ranking cut to {choice.depth} documents has a negative length")
        judgements = qrels.topics[topic]
        results = run.topics.get(topic, (Scored(PLACEHOLDER, 0.0),))
        ranking = ranked(results, choice.depth)
        if judgements.repeated is not None:
            raise RepeatedDocumentError("qrels", judgements.repeated)
        _check_largest_grade(judgements, first=index == 0)
        grades = [judgements.grades.get(docno) for docno in ranking]
        if choice.judged_only:
            grades = [grade for grade in grades if grade is not None and grade >= 0]
        found = evaluate(grades, judgements.grades.values(), choice.level)
        yield topic, found if topic in run.topics else replace(found, num_ret=0)


def _check_largest_grade(judgements: Judgements, *, first: bool) -> None:
    """Refuse the grades for which the C program has no room: it keeps a count for each from 0 to the largest."""
    largest = max(judgements.grades.values())
    if largest > LARGEST_GRADE:
        raise UndefinedBehaviourError(f"a grade of {largest} asks for 8 bytes of memory for each grade up to it")
    if largest < 0 and first:
        raise NegativeTopicError
    if largest < -1:
        raise UndefinedBehaviourError("a later topic without a grade of at least -1 is counted before the first count")
