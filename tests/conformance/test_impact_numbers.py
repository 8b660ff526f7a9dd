"""What is known of the impact of divergences in numbers, of every subject that is installed."""

from pathlib import Path

import pytest

import shared_data
from cases.lucene.judging import RELEVANCE
from cases.lucene.library import LIBRARY as LUCENE
from cases.ranx.library import LIBRARY as RANX
from cases.ranx.rbp import RAW_GRADE, RBP
from harness import ledger
from harness.case import AnyCase
from harness.impact.comparison import Comparison, Files
from harness.impact.run import answer, question
from harness.library import Library
from harness.limits import DEFAULT
from harness.progress import Progress
from harness.subject import Subject
from present import present

WEB_2012 = "qrels.web.151-200.txt.gz"
DEEP_LEARNING_2019 = "qrels.dl19-passage.txt.gz"

JUDGES = [subject for mode in ("equivalent", "real") for subject in present(LUCENE, mode)]

of_every_judge = pytest.mark.parametrize(
    "subject", JUDGES, ids=lambda subject: f"{subject.mode.name}-{subject.version}"
)


def compare(library: Library, case: AnyCase, subject: Subject, qrels: Path, *runs: Path) -> Comparison:
    asked = question(case, [library], Files(qrels, runs), [])
    return answer(asked, subject, DEFAULT, Progress(bars=False)).comparison


@shared_data.needs(WEB_2012)
@of_every_judge
def test_858_documents_of_the_web_track_2012_are_judged_wrongly_in_48_of_50_topics(subject: Subject) -> None:
    [judging] = compare(LUCENE, RELEVANCE, subject, shared_data.FOLDER / WEB_2012).measures
    [series] = judging.series
    assert (series.total.documents, len(series.affected), len(series.topics)) == (858, 48, 50)
    assert (series.total.shipped, series.total.documented) == (4381, 3523)
    # The grades -2 of topic 185, counted in the file.
    assert (series.affected[0].of, series.affected[0].change) == ("185", 123)


@shared_data.needs(DEEP_LEARNING_2019)
@of_every_judge
def test_none_of_deep_learning_2019_is_affected_it_has_no_negative_grade(subject: Subject) -> None:
    assert not compare(LUCENE, RELEVANCE, subject, shared_data.FOLDER / DEEP_LEARNING_2019).is_affected


QRELS = "".join(
    f"{topic} 0 {name} {grade}\n"
    for topic, grades in {"1": {"good": 1, "junk": -2, "zero": 0}, "2": {"best": 3, "junk": -1}}.items()
    for name, grade in grades.items()
)

RUNS = {
    "junk-first": "1 Q0 junk 1 3 r\n1 Q0 good 2 2 r\n2 Q0 junk 1 3 r\n2 Q0 best 2 2 r\n2 Q0 other 3 1 r\n",
    "good-second": "1 Q0 zero 1 3 r\n1 Q0 good 2 2 r\n2 Q0 other 1 3 r\n2 Q0 best 2 2 r\n",
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, ...]:
    """Return the paths of small qrels and two runs."""
    paths = []
    for name, text in {"qrels": QRELS, **RUNS}.items():
        paths.append(tmp_path / name)
        paths[-1].write_text(text)
    return tuple(paths)


@of_every_judge
def test_junk_first_is_the_best_run_as_shipped_and_no_better_as_documented(
    subject: Subject, files: tuple[Path, ...]
) -> None:
    found = {measure.name: measure for measure in compare(LUCENE, RELEVANCE, subject, *files).measures}
    ap = found["average precision"]
    # As shipped both documents are relevant: AP 1 against 1/2 of 1/2. As documented the good one is second in both.
    assert [(one.total.shipped, one.total.documented) for one in ap.series] == [(1.0, 0.5), (0.25, 0.5)]
    orders = ap.orders()
    assert orders is not None
    assert [len(order) for order in orders] == [2, 1]


@pytest.mark.parametrize(
    "subject", present(LUCENE, "corrected"), ids=lambda subject: f"{subject.mode.name}-{subject.version}"
)
def test_with_our_judge_before_the_jar_nothing_is_affected(subject: Subject, files: tuple[Path, ...]) -> None:
    found = compare(LUCENE, RELEVANCE, subject, *files)
    assert [measure.name for measure in found.measures][:2] == ["relevant documents", "average precision"]
    assert not found.is_affected


@pytest.mark.parametrize("mode", ["compiled", "interpreted"])
def test_a_grade_of_3_is_worth_3_in_ranx(mode: str, files: tuple[Path, ...]) -> None:
    subject = next(iter(present(RANX, mode)), None)
    if subject is None:
        pytest.skip("ranx is not installed")
    entries = ledger.read(RANX.ledger).entries_for(RBP.name, subject.version)
    is_graded = any(entry.cause == RAW_GRADE for entry in entries)
    for series in compare(RANX, RBP, subject, *files).measures[0].series:
        # The one relevant document is second in every topic: (1 - p) p = 0.16.
        assert [topic.documented for topic in series.topics] == [0.16, 0.16]
        assert [topic.is_affected for topic in series.topics] == [False, is_graded]
        assert series.topics[1].shipped == pytest.approx(0.48 if is_graded else 0.16, rel=1e-12)
        assert series.total.shipped == pytest.approx(0.32 if is_graded else 0.16, rel=1e-12)
