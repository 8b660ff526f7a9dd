"""Every run first tells a subject that is right from one that is wrong on purpose."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import miniature
from harness import exhaust
from harness.canaries import canary
from harness.canaries.canary import Canary
from harness.case import Case
from harness.compare import Judgement, Ruling
from harness.exhaust import Reference
from harness.finding import FindingsFolder
from harness.jsontypes import Json
from harness.library import Library
from harness.progress import Progress
from harness.report import Report
from harness.run import Options, check
from harness.verdict import Verdict

Make = Callable[..., Library]
Run = Callable[..., Report]


@pytest.fixture
def right(mini: Make) -> Library:
    return mini(miniature.case("right"))


def test_every_run_tells_the_canaries_apart(right: Library, run_check: Run) -> None:
    # Of the numbers from -3 to 13 the wrong one is off for 2, and does not refuse 13.
    sung = [(one.name, one.inputs, one.mismatches, one.fault) for one in run_check(right).canaries]
    assert sung == [("right", 17, 0, ""), ("wrong", 17, 2, "")]


def test_canaries_leave_no_findings(right: Library, run_check: Run, tmp_path: Path) -> None:
    run_check(right)
    assert not (tmp_path / "findings").exists()


def refused(report: Report, fault: str) -> bool:
    """Return whether a run failed for this fault of a canary."""
    return report.exit_status == 2 and any(text.startswith("canary: ") and fault in text for text in report.obstacles)


def test_a_comparison_that_lets_everything_pass_is_noticed(
    right: Library, run_check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Judgement, "rule", lambda _self, _wire: Ruling(Verdict.AGREES))
    assert refused(run_check(right), "wrong on purpose was not caught")


def test_a_comparison_that_accuses_everything_is_noticed(
    right: Library, run_check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Judgement, "rule", lambda _self, _wire: Ruling(Verdict.DIFFERS, cause="another value"))
    assert refused(run_check(right), "a subject that is right was accused, on 17 of 17 inputs")


def test_a_bound_that_is_too_wide_is_noticed(right: Library, run_check: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canary, "UNIT", canary.UNIT * 2**10)
    assert refused(run_check(right), "wrong on purpose was not caught")


def test_a_bound_that_is_too_narrow_is_noticed(right: Library, run_check: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canary, "UNIT", canary.UNIT / 2**10)
    assert refused(run_check(right), "a subject that is right was accused")


def test_a_judgement_that_remembers_the_outcome_of_an_alike_input_is_noticed(
    right: Library, run_check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = Judgement.rule

    def remembering(self: Judgement, wire: Json) -> Ruling:
        return next(iter(self._rulings.values()), None) or rule(self, wire)

    monkeypatch.setattr(Judgement, "rule", remembering)
    assert refused(run_check(right), "wrong on purpose was not caught")


@pytest.mark.parametrize("is_alike", [True, False])
def test_a_reference_that_remembers_another_input_is_noticed(
    right: Library, run_check: Run, monkeypatch: pytest.MonkeyPatch, *, is_alike: bool
) -> None:
    judgement = Reference.judgement
    first: dict[int, Judgement] = {}

    def remembering(self: Reference, x: NamedTuple) -> Judgement:
        right = judgement(self, x)
        return first.setdefault(id(self), right) if bool(self.case.alike) is is_alike else right

    monkeypatch.setattr(Reference, "judgement", remembering)
    assert refused(run_check(right), "a subject that is right was accused")


@pytest.mark.parametrize(("names", "ran"), [((), "none"), (("right",), "right"), (("wrong",), "wrong")])
def test_a_canary_that_does_not_sing_is_noticed(
    right: Library, run_check: Run, monkeypatch: pytest.MonkeyPatch, names: Sequence[str], ran: str
) -> None:
    monkeypatch.setattr("harness.run.sing", lambda _: tuple(Canary(name, 17, 0) for name in names))
    assert refused(run_check(right), f"the canaries right and wrong have to be told apart first, but {ran} ran")


def test_a_domain_of_which_nothing_is_run_is_noticed(
    right: Library, run_check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exhaust, "run", lambda *_: iter(()))
    assert refused(run_check(right), "0 of 17 inputs were compared")


def test_a_settlement_that_finds_nothing_new_is_noticed(
    right: Library, run_check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(canary, "settle_case", lambda *_: [])
    assert refused(run_check(right), "and 0 of it new")


def test_a_canary_that_cannot_run_is_noticed(
    right: Library, run_check: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(canary, "HERE", tmp_path)  # where there is no adapter
    assert refused(run_check(right), "the canary that is right cannot run")


def test_a_canary_that_fails_is_told_whatever_else_was_found(
    mini: Make, run_check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(canary, "settle_case", lambda *_: [])
    report = run_check(mini(miniature.case("tripled")))
    assert [problem.kind for problem in report.problems] == ["new"]
    assert report.exit_status == 2


def test_an_interrupt_while_they_sing_ends_the_run(right: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("harness.run.sing", interrupted)
    report = check([(right, right.cases)], Options(FindingsFolder(Path("nowhere"))), Progress(bars=False))
    assert report.obstacles[0] == "interrupted: what was found until then is kept"
    assert [case.status for case in report.cases] == ["not_run"]


@pytest.mark.parametrize("name", canary.MISMATCHES)
def test_a_canary_is_a_case_like_any_other(name: str) -> None:
    case: Case[Any] = canary._case(name)
    case.domains[0].verify_counts()
    assert case.from_json(case.to_json(canary.Number(3))) == canary.Number(3)
