"""What binary or graded gains do to the RBP of somebody's runs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import fmean

from cases.ranx.rankings import JudgedRanking
from cases.trec_files import Notes, QrelsFile, RunFile, common_topics, named
from harness.expected import Exactly
from harness.impact.comparison import Ask, Compared, Comparison, Files, Impact, Measure, Parameter, Series
from harness.outcome import Outcome, Value, from_wire
from harness.progress import Progress
from reference import rbp
from reference.rbp_rounding import U, bound

ORDER = "ranx orders them in a way of its own (ranx/rbp-ranking), so that the numbers that it gave you may differ"


def documented(ranked: Sequence[int | None], persistence: str) -> Exactly:
    """Return the documented RBP of grades in rank order, at the persistence p as it is written.

    Exact powers of the float that ranx receives have thousands of digits in a deep ranking; those of the decimal do
    not. That float is p (1 + d), with abs(d) <= u. It moves p^i by at most i units, which are no more than those that
    the bound has for p^i, and 1 - p by at most p / (1 - p) units: hence twice the bound, and that many units of the
    value.
    """
    p, relevant = Fraction(persistence), rbp.relevance(ranked)
    value = rbp.binary(relevant, p)
    return Exactly(value, 2 * bound(relevant, p) + U * value * p / (1 - p))


def compare(ask: Ask, files: Files, settings: Mapping[str, str], progress: Progress) -> Comparison:
    """Compare the RBP of every topic of every run.

    Raises
    ------
    BadInputError
        If a file is not of its format.
    """
    persistence, notes = settings["persistence"], Notes(ORDER)
    with progress.waiting(f"reading {files.qrels.name}"):
        qrels = QrelsFile(files.qrels)
    with qrels:
        series = [_series(ask, qrels, path, persistence, notes, progress) for path in files.runs]
    about = (f"{qrels.name}: topics: {len(qrels.topics):,}",)
    return Comparison((Measure(f"RBP, p = {persistence}", "mean", tuple(series)),), about, notes.texts())


def _series(ask: Ask, qrels: QrelsFile, path: Path, persistence: str, notes: Notes, progress: Progress) -> Series:
    with progress.waiting(f"reading {path.name}"):
        run = RunFile(path)
    with run:
        topics = common_topics(qrels, run, notes)

        def items() -> Iterator[tuple[tuple[str, Exactly], JudgedRanking]]:
            for topic in topics:
                x = _judged(qrels, topic, run.ranking(topic, notes), persistence)
                yield (named(topic), documented(x.by_rank(), persistence)), x

        answers = [
            (topic, right, from_wire(wire)) for (topic, right), wire in ask("rbp", items(), len(topics), run.name)
        ]
    mean = Compared.judged(
        run.name, _mean([outcome for _, _, outcome in answers]), _exact_mean([r for _, r, _ in answers])
    )
    return Series(mean, tuple(Compared.judged(topic, outcome, right) for topic, right, outcome in answers))


def _judged(qrels: QrelsFile, topic: bytes, documents: Sequence[bytes], persistence: str) -> JudgedRanking:
    """Return a topic as ranx is given it: judged documents by their number, and behind them those without judgement."""
    judged = qrels.judgements(topic)
    numbers = {each.document: i for i, each in enumerate(judged)}
    run = tuple([numbers.setdefault(document, len(numbers)) for document in documents])
    return JudgedRanking(tuple([each.grade for each in judged]), run, persistence)


def _mean(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the mean of what ranx gave for the topics; an outcome that is no number stands for all."""
    values: list[float] = []
    for outcome in outcomes:
        match outcome:
            case Value(int() | float() as value):
                values.append(value)
            case _:
                return outcome
    return Value(fmean(values))


def _exact_mean(expected: Sequence[Exactly]) -> Exactly:
    """Return the mean of exact values.

    Its bound is the mean of theirs, and two units: `fmean` rounds the sum once, and the quotient.
    """
    value = sum((each.value for each in expected), start=Fraction(0)) / len(expected)
    within = sum((each.within for each in expected), start=Fraction(0)) / len(expected)
    return Exactly(value, within + 2 * U * (value + within))


def _check_persistence(text: str) -> None:
    if not re.fullmatch(r"0\.[0-9]{1,17}", text) or not 0 < rbp.received(text) < 1:
        raise ValueError("a number between 0 and 1, such as 0.8, was expected")


IMPACT = Impact(
    compare,
    (Parameter("persistence", "0.8", "between 0 and 1", _check_persistence),),
    needs_runs=True,
)
