"""What Lucene's judge does to somebody's qrels, and to the measures of their runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cases.lucene.measures import Ranked, documented
from cases.trec_files import Judgement, Notes, QrelsFile, RunFile, common_topics, named
from harness.expected import Each, Exactly, Expected, Unspecified
from harness.impact.comparison import Ask, Compared, Comparison, Files, Impact, Measure, Series
from harness.jsontypes import Json
from harness.outcome import Outcome, Value, from_wire
from harness.progress import Progress
from reference.trec.grade import is_relevant
from reference.trec.rounding import gamma

MEASURES = {
    "average precision": (3,),
    "MRR within five": (4,),
    "recall": (5,),
    "P@5": (6, 4),
    "P@10": (6, 9),
    "P@20": (6, 19),
}
"""Where each measure stands in the statistics of a ranking."""

POINTS = (0,)
"""Where the length of the list stands."""

CUTOFFS = {"P@5": 5, "P@10": 10, "P@20": 20}

ORDER = "Lucene evaluates what it finds itself, in the order in which it finds it"


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of a run, as the subject judges it and as documented.

    Attributes
    ----------
    name
        For a person.
    right
        How many documents are relevant, and the relevance by rank, as documented.
    shipped
        The same from the subject, or what it did instead.
    """

    name: str
    right: Ranked
    shipped: Ranked | Outcome


def compare(ask: Ask, files: Files, _settings: Mapping[str, str], progress: Progress) -> Comparison:
    """Compare how many documents of each topic are relevant, and what follows from it for each run.

    Raises
    ------
    BadInputError
        If a file is not of its format.
    """
    with progress.waiting(f"reading {files.qrels.name}"):
        qrels = QrelsFile(files.qrels)
    notes = Notes(ORDER)
    with qrels:
        judging, documents = _judging(ask, qrels)
        by_run = [_by_measure(ask, qrels, path, notes, progress) for path in files.runs]
    scores = [Measure(name, "mean", tuple(found[name] for found in by_run if name in found)) for name in MEASURES]
    about = f"{qrels.name}: topics: {len(qrels.topics):,}, judged documents: {documents:,}"
    return Comparison((judging, *(measure for measure in scores if measure.series)), (about,), notes.texts())


# --- the qrels ---------------------------------------------------------------------------------------------------


def _judging(ask: Ask, qrels: QrelsFile) -> tuple[Measure, int]:
    """Return how many documents are relevant, and how many are judged."""
    documents = 0
    topics: list[Compared] = []

    def items() -> Iterator[tuple[tuple[str, list[bool]], tuple[list[str]]]]:
        for topic in qrels.topics:
            judged = qrels.judgements(topic)
            yield (named(topic), _relevance(judged)), ([each.text for each in judged],)

    for (topic, right), wire in ask("judge_tokens", items(), len(qrels.topics), qrels.name):
        documents += len(right)
        topics.append(_judged(topic, right, wire))
    return Measure("relevant documents", "sum", (Series(_sum(qrels.name, topics), tuple(topics)),)), documents


def _relevance(judged: Sequence[Judgement]) -> list[bool]:
    return [is_relevant(each.grade) for each in judged]


def _judged(topic: str, right: Sequence[bool], wire: Json) -> Compared:
    """Return how many documents are relevant, and how many of them are judged otherwise than documented."""
    relevant = Exactly(Fraction(sum(right)))
    match wire:
        case [int(known), *flags] if len(flags) == len(right):
            differing = sum(flag != one for flag, one in zip(flags, right, strict=True))
            return Compared.judged(topic, Value(known), relevant, differing)
        case _:
            return Compared.judged(topic, from_wire(wire), relevant)


def _sum(name: str, topics: Sequence[Compared]) -> Compared:
    right = Exactly(Fraction(sum(int(topic.documented or 0) for topic in topics)))
    without = next((topic for topic in topics if topic.shipped is None), None)
    if without is not None:
        return Compared(name, None, without.shown, int(right.value), 0.0, is_affected=True)
    shipped = sum(int(topic.shipped or 0) for topic in topics)
    return Compared.judged(name, Value(shipped), right, sum(topic.documents or 0 for topic in topics))


# --- the runs ----------------------------------------------------------------------------------------------------


def _by_measure(ask: Ask, qrels: QrelsFile, path: Path, notes: Notes, progress: Progress) -> dict[str, Series]:
    """Return each measure of a run."""
    with progress.waiting(f"reading {path.name}"):
        run = RunFile(path)
    with run:
        topics = _topics(ask, qrels, run, notes)
    shipped = _statistics(ask, topics, run.name)
    right = [documented(topic.right) for topic in topics]
    mean = _average(ask, topics, run.name)
    good = [sheet for topic, sheet in zip(topics, right, strict=True) if topic.right.known]
    most = max(sum(topic.right.relevant) for topic in topics)
    found = {}
    for name, place in MEASURES.items():
        if _is_extrapolated(name, mean):
            notes.others.append(f"{run.name}: {name} is left out: lists are shorter in the mean, see lucene/average")
            continue
        total = Compared.judged(run.name, _at(mean, place), _right_mean([_right(one, place) for one in good], most))
        numbers = zip(topics, shipped, right, strict=True)
        compared = [Compared.judged(topic.name, _at(a, place), _right(b, place)) for topic, a, b in numbers]
        found[name] = Series(total, tuple(compared))
    return found


def _topics(ask: Ask, qrels: QrelsFile, run: RunFile, notes: Notes) -> list[Topic]:
    """Return the topics that are in both files."""
    common = common_topics(qrels, run, notes)

    def items() -> Iterator[tuple[tuple[str, Ranked], tuple[str, list[tuple[str, list[str]]], bool]]]:
        for topic in common:
            judged, ranking = qrels.judgements(topic), run.ranking(topic, notes)
            relevant = {each.document for each in judged if is_relevant(each.grade)}
            right = Ranked(len(relevant), tuple([int(one in relevant) for one in ranking]))
            yield (named(topic), right), _query(judged, ranking)

    answers = ask("judge", items(), len(common), f"{run.name}, judge")
    return [Topic(topic, right, _ranked(wire)) for (topic, right), wire in answers]


def _statistics(ask: Ask, topics: Sequence[Topic], run: str) -> list[Outcome]:
    """Return the subject's statistics of each topic, by its own judgements."""
    asked = [(i, topic.shipped) for i, topic in enumerate(topics) if isinstance(topic.shipped, Ranked)]
    sheets = {i: from_wire(wire) for i, wire in ask("stats", asked, len(asked), f"{run}, statistics")}
    return [sheets[i] if isinstance(topic.shipped, Ranked) else topic.shipped for i, topic in enumerate(topics)]


def _average(ask: Ask, topics: Sequence[Topic], run: str) -> Outcome:
    """Return the subject's average; what it did instead of judging a topic stands for it."""
    rankings = []
    for topic in topics:
        if not isinstance(topic.shipped, Ranked):
            return topic.shipped
        rankings.append(topic.shipped)
    [(_, wire)] = ask("average", [(None, (rankings, False))], 1, f"{run}, average")
    return from_wire(wire)


def _query(judged: Sequence[Judgement], ranking: Sequence[bytes]) -> tuple[str, list[tuple[str, list[str]]], bool]:
    """Return qrels of one query and its ranking, without the names: which document is which does not matter."""
    names = {each.document: f"d{i}" for i, each in enumerate(judged)}
    qrels = "".join([f"q 0 d{i} {each.text}\n" for i, each in enumerate(judged)])
    return qrels, [("q", [names.get(document, "unjudged") for document in ranking])], False


def _ranked(wire: Json) -> Ranked | Outcome:
    """Return what the judge says of a ranking."""
    match wire:
        case [[int(known), list(flags)]]:
            return Ranked(known, tuple(flags))
        case _:
            return from_wire(wire)


def _is_extrapolated(name: str, mean: Outcome) -> bool:
    """Return whether Lucene extrapolates the mean of this measure: that is another divergence, lucene/average."""
    match _at(mean, POINTS):
        case Value(int() | float() as points):
            return points < CUTOFFS.get(name, 0)
        case _:
            return False


def _at(outcome: Outcome, place: Sequence[int]) -> Outcome:
    """Return the part of a list at a place; what is no list stands for each of its parts."""
    for i in place:
        match outcome:
            case Value(tuple(parts)) if i < len(parts):
                outcome = parts[i]
            case _:
                break
    return outcome


def _right(sheet: Expected, place: Sequence[int]) -> Exactly:
    for i in place:
        assert isinstance(sheet, Each)  # noqa: S101 - a list is asked for
        sheet = sheet.parts[i]
    assert isinstance(sheet, Exactly)  # noqa: S101 - all statistics are
    return sheet


def _right_mean(good: Sequence[Exactly], most: int) -> Expected:
    """Return the mean over the topics that have a relevant document: Lucene leaves out the others on purpose.

    An AP has r + 1 roundings for r relevant documents that are retrieved, which are ``most`` at most, and other
    measures no more than three; a mean over q topics has q, and that of AP is multiplied and divided once more.
    """
    if not good:
        return Unspecified("no topic has a relevant document")
    value = sum((one.value for one in good), start=Fraction(0)) / len(good)
    return Exactly(value, gamma(most + 3 + len(good) + 2) * value)


IMPACT = Impact(compare)
