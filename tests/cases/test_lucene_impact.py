"""What Lucene's judge, by its equivalent, does to qrels and runs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from cases.lucene.impact import IMPACT
from cases.lucene.judging import RELEVANCE
from cases.lucene.library import LIBRARY
from harness.execute import Executor
from harness.impact.comparison import Comparison, Files, Measure
from harness.impact.run import answer, question
from harness.jsontypes import Json
from harness.limits import DEFAULT
from harness.progress import Progress
from harness.subject import require_installed

About = TypeVar("About")

Compare = Callable[..., Comparison]


@pytest.fixture(scope="module")
def compare(tmp_path_factory: pytest.TempPathFactory) -> Compare:
    """Return a function that compares qrels and runs that are given as texts."""

    def run(qrels: str, *runs: str) -> Comparison:
        folder = tmp_path_factory.mktemp("files")
        paths = [folder / "qrels", *(folder / f"run{i}" for i in range(len(runs)))]
        for path, text in zip(paths, (qrels, *runs), strict=True):
            path.write_text(text)
        asked = question(RELEVANCE, [LIBRARY], Files(paths[0], tuple(paths[1:])), [])
        return answer(asked, require_installed(LIBRARY, RELEVANCE), DEFAULT, Progress(bars=False)).comparison

    return run


def qrels(**topics: list[str]) -> str:
    """Return qrels with documents d0, d1, ... of these grades."""
    return "".join(f"{topic} 0 d{i} {grade}\n" for topic, grades in topics.items() for i, grade in enumerate(grades))


def run(**topics: Sequence[str]) -> str:
    """Return a run with the documents of these numbers, best first; x is not judged."""
    return "".join(
        f"{topic} Q0 d{name} 0 {100 - rank} me\n" for topic, names in topics.items() for rank, name in enumerate(names)
    )


def numbers(measure: Measure) -> list[tuple[str, object, object]]:
    """Return each topic of the first file as shipped and as documented."""
    return [(topic.of, topic.shipped, topic.documented) for topic in measure.series[0].topics]


def by_name(comparison: Comparison) -> dict[str, Measure]:
    return {measure.name: measure for measure in comparison.measures}


def test_documents_of_a_negative_grade_are_counted_by_topic(compare: Compare) -> None:
    found = compare(qrels(a=["1", "-2", "0", "-1"], b=["0", "2"], c=["00"]))
    [judging] = found.measures
    assert numbers(judging) == [("a", 3, 1), ("b", 1, 1), ("c", 1, 0)]
    assert [topic.documents for topic in judging.series[0].topics] == [2, 0, 1]
    total = judging.series[0].total
    assert (total.shipped, total.documented, total.documents) == (5, 2, 3)
    assert found.is_affected
    assert found.about[0].endswith("topics: 3, judged documents: 7")


def test_grades_of_at_least_0_are_not_affected(compare: Compare) -> None:
    found = compare(qrels(a=["1", "0", "2", "+1"], b=["0"]), run(a="0312", b="0"))
    assert not found.is_affected


def test_the_measures_of_a_run_follow_from_its_judgements(compare: Compare) -> None:
    # Junk is first, a good document second: worked out by hand as in any textbook, for 2 and for 1 relevant ones.
    found = by_name(compare(qrels(q=["-2", "1"]), run(q="01x")))
    assert numbers(found["average precision"]) == [("q", 1.0, 0.5)]
    assert numbers(found["MRR within five"]) == [("q", 1.0, 0.5)]
    assert numbers(found["recall"]) == [("q", 1.0, 1.0)]
    assert [found[name].series[0].is_affected for name in ("average precision", "recall")] == [True, False]


def test_a_precision_is_counted_down_to_its_rank(compare: Compare) -> None:
    grades = ["-2", "1", "1", "1", *["0"] * 21]
    found = by_name(compare(qrels(q=grades), run(q=[str(i) for i in range(25)])))
    shown = {name: numbers(found[name])[0][1:] for name in ("P@5", "P@10", "P@20")}
    assert shown == {"P@5": (0.8, 0.6), "P@10": (0.4, 0.3), "P@20": (0.2, 0.15)}


def test_a_mean_leaves_out_topics_without_a_relevant_document_as_each_side_sees_them(compare: Compare) -> None:
    # b has none as documented, and one as shipped, which is first.
    found = by_name(compare(qrels(a=["0", "1"], b=["-1"]), run(a="01", b="0")))["average precision"]
    total = found.series[0].total
    assert (total.shipped, total.documented) == (0.75, 0.5)
    assert total.is_affected


def test_without_a_relevant_document_nothing_is_promised_of_the_mean(compare: Compare) -> None:
    found = by_name(compare(qrels(a=["0"]), run(a="0")))["average precision"]
    assert (found.series[0].total.shipped, found.series[0].total.documented) == (None, None)
    assert not found.is_affected


def test_the_order_of_two_runs_changes(compare: Compare) -> None:
    found = by_name(compare(qrels(q=["-2", "1"]), run(q="0x1"), run(q="x1")))
    # As shipped 0x1 has AP (1 + 2/3) / 2, and x1 has 1/4; as documented these are 1/3 and 1/2.
    orders = found["average precision"].orders()
    assert orders is not None
    assert [[Path(name).name for (name,) in order] for order in orders] == [["run0", "run1"], ["run1", "run0"]]


def test_a_precision_that_lucene_extrapolates_is_left_out_and_named(compare: Compare) -> None:
    found = compare(qrels(q=["1"] * 7), run(q="0123456"))
    assert "P@5" in by_name(found)
    assert not {"P@10", "P@20"} & set(by_name(found))
    assert any("P@10 is left out: lists are shorter in the mean, see lucene/average" in note for note in found.notes)


def test_documents_without_judgement_are_not_relevant(compare: Compare) -> None:
    found = by_name(compare(qrels(q=["1"]), run(q="xyz0")))
    assert numbers(found["average precision"]) == [("q", 0.25, 0.25)]


@pytest.mark.parametrize(
    ("answer_of_the_judge", "documents", "shown"),
    [
        ([1, 1, 0], 0, "1"),
        ([1, 0, 1], 2, "1"),
        ([0, 0, 0], 1, "0"),
        ([1], None, "[1]"),
        ({"raises": "NoSuchElementException", "message": ""}, None, "NoSuchElementException"),
    ],
    ids=["right", "one for another", "one too few", "no answer for each", "an error"],
)
def test_documents_that_are_judged_otherwise_are_counted_whichever_way(
    answer_of_the_judge: Json, documents: int | None, shown: str, tmp_path: Path
) -> None:
    def ask(
        call: str, items: Iterable[tuple[About, Sequence[object]]], total: int, title: str
    ) -> Iterator[tuple[About, Json]]:
        assert (call, total, title) == ("judge_tokens", 1, str(tmp_path / "qrels"))
        for about, _x in items:
            yield about, answer_of_the_judge

    (tmp_path / "qrels").write_text(qrels(q=["1", "0"]))
    found = IMPACT.compare(ask, Files(tmp_path / "qrels"), {}, Progress(bars=False))
    [series] = found.measures[0].series
    [topic] = series.topics
    assert (topic.documents, topic.shown, topic.documented) == (documents, shown, 1)
    assert found.is_affected is (documents != 0)
    assert series.total.is_affected is found.is_affected


def test_an_error_of_the_judge_stands_for_every_measure_of_the_run(tmp_path: Path) -> None:
    def ask(
        call: str, items: Iterable[tuple[About, Sequence[object]]], total: int, title: str
    ) -> Iterator[tuple[About, Json]]:
        assert title.startswith(str(tmp_path))
        assert total <= 1
        for about, _x in items:
            yield about, {"raises": "AssertionError", "message": call}

    (tmp_path / "qrels").write_text(qrels(q=["1"]))
    (tmp_path / "run").write_text(run(q="0"))
    found = IMPACT.compare(ask, Files(tmp_path / "qrels", (tmp_path / "run",)), {}, Progress(bars=False))
    shown = {measure.name: measure.series[0].total.shown for measure in found.measures}
    assert set(shown.values()) == {"AssertionError: judge", "AssertionError: judge_tokens"}
    assert len(shown) == 7


def test_names_do_not_reach_the_subject(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    asked = Executor.run

    def run_and_tell(self: Executor, call: str, batches: object) -> object:
        def told() -> object:
            for batch in batches:  # type: ignore[attr-defined]
                sent.append(batch)
                yield batch

        return asked(self, call, told())  # type: ignore[arg-type]

    monkeypatch.setattr(Executor, "run", run_and_tell)
    compare("t\x1b[2J 0 d\x1b[2J -2\n", "t\x1b[2J Q0 d\x1b[2J 1 1 me\n")
    assert len(sent) == 4
    assert "\\x1b" not in repr(sent)
