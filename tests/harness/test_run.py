"""The check catches every bad subject, every time, and accuses no right one."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import miniature
from harness import errors, exhaust
from harness.case import Domain
from harness.certificate import Certificate
from harness.enumeration import choice, mapped
from harness.expected import Exactly, Expected, Unspecified
from harness.finding import FindingsFolder
from harness.library import Library
from harness.report import Report
from harness.verdict import Verdict

Make = Callable[..., Library]
Run = Callable[..., Report]

RIGHT = [
    "right",
    "right_as_int",
    "right_as_numpy",
    "right_as_array_scalar",
    "right_within_the_bound",
    "right_and_noisy",
    "right_and_slow",
]

# The function, the verdict on its first bad input, and that input.
WRONG = [
    ("always_wrong", Verdict.DIFFERS, 0),
    ("wrong_at_13", Verdict.DIFFERS, 13),
    ("wrong_by_a_little", Verdict.DIFFERS, 0),
    ("tripled", Verdict.DIFFERS, 1),
    ("never_refuses", Verdict.DIFFERS, 5),
    ("refuses_with_another_error", Verdict.DIFFERS, 5),
    ("wrong_now_and_then", Verdict.DIFFERS, None),
    ("nan", Verdict.DIFFERS, 0),
    ("infinite", Verdict.DIFFERS, 0),
    ("complex_number", Verdict.DIFFERS, 0),
    ("text", Verdict.DIFFERS, 0),
    ("hexadecimal_text", Verdict.DIFFERS, 0),
    ("truth", Verdict.DIFFERS, 0),
    ("nothing", Verdict.DIFFERS, 0),
    ("a_list", Verdict.DIFFERS, 0),
    ("raises_at_13", Verdict.RAISES, 13),
    ("exits", Verdict.RAISES, 0),
    ("too_few", Verdict.RAISES, 0),
    ("ends_at_13", Verdict.CRASHES, 13),
    ("segfaults_at_13", Verdict.CRASHES, 13),
    ("loses_its_process_at_13", Verdict.CRASHES, 13),
    ("loses_its_process_at_13_in_place", Verdict.CRASHES, 13),
    ("hangs_at_13", Verdict.HANGS, 13),
    ("hangs_always", Verdict.HANGS, 0),
    ("ends_always", Verdict.CRASHES, 0),
]


def certificate(report: Report) -> Certificate:
    [case] = report.cases
    return case.certificates[0]


@pytest.mark.parametrize("call", RIGHT)
def test_a_right_subject_is_not_accused(mini: Make, run_check: Run, call: str) -> None:
    report = run_check(mini(miniature.case(call, beyond=miniature.big_numbers())), examples=10)
    assert report.exit_status == 0
    assert report.problems == []
    assert certificate(report).exhausted
    assert certificate(report).tally.verdicts() == {Verdict.AGREES: 39, Verdict.UNSPECIFIED: 1}


@pytest.mark.parametrize(("call", "verdict", "first"), WRONG)
def test_a_wrong_subject_is_caught(mini: Make, run_check: Run, call: str, verdict: Verdict, first: int | None) -> None:
    report = run_check(mini(miniature.case(call)), examples=0)
    assert report.exit_status == 1
    smallest = certificate(report).smallest
    assert smallest is not None
    index, instance = smallest
    assert instance.ruling.verdict is verdict
    assert instance.x == (index,)
    assert first in (index, None)


def test_what_a_convention_explains_has_its_cause_named(mini: Make, run_check: Run) -> None:
    found = certificate(run_check(mini(miniature.case("tripled"))))
    assert found.tally.by_cause() == {"tripling": 37}  # all but 0, 5 and 39
    assert found.to_json()["conventions"] == {"tripling": 37}


def test_a_text_to_the_letter_agrees(mini: Make, run_check: Run) -> None:
    found = certificate(run_check(mini(miniature.case("says_it", expected=miniature.said, conventions={}))))
    assert found.tally.verdicts() == {Verdict.AGREES: 40}


def test_a_text_that_is_wrong_is_found_and_confirmed(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("says_it_in_capitals", expected=miniature.said, conventions={})))
    [saved] = report.saved
    written = json.loads(Path(saved.folder, "finding.json").read_text())
    assert written["expected"] == {"shown": r"'twice 0 is 0\n'"}
    assert written["observed"] == {"shown": r"'TWICE 0 IS 0\n'"}
    assert saved.finding.confirmed


READINGS: Any = {
    "tripling": lambda x: Exactly(Fraction(3 * x.n)),
    "doubling": lambda x: Exactly(Fraction(2 * x.n)),
    "squaring": lambda _: Exactly(Fraction(-1)),
}


def test_what_nothing_promises_is_counted_by_the_readings_that_it_follows(mini: Make, run_check: Run) -> None:
    case = miniature.case("tripled", expected=lambda _: Unspecified("nobody says"), conventions=READINGS)
    found = certificate(run_check(mini(case)))
    # All but 5, which is refused, are tripled; 0 is doubled too.
    assert found.to_json()["readings"] == {"tripling": 39, "doubling": 1, "squaring": 0}


def test_what_nothing_promises_is_no_mismatch_whatever_it_follows(mini: Make, run_check: Run) -> None:
    case = miniature.case("tripled", expected=lambda _: Unspecified("nobody says"), conventions=READINGS)
    report = run_check(mini(case))
    assert certificate(report).to_json()["conventions"] == {"tripling": 0, "doubling": 0, "squaring": 0}
    assert report.exit_status == 0


def test_what_is_promised_is_no_reading(mini: Make, run_check: Run) -> None:
    # Only 39 is unspecified, and it is tripled.
    found = certificate(run_check(mini(miniature.case("tripled"))))
    assert found.to_json()["readings"] == {"tripling": 1}


def test_each_cause_has_its_smallest_input_in_the_order_of_the_domain(mini: Make, run_check: Run) -> None:
    found = certificate(run_check(mini(miniature.case("raises_at_2_and_triples"))))
    smallest = [(cause, index, instance.x) for cause, (index, instance) in found.smallest_by_cause.items()]
    assert smallest == [("tripling", 1, (1,)), ("raises ZeroDivisionError", 2, (2,))]


def test_the_smallest_input_of_all_is_that_of_the_first_cause(mini: Make, run_check: Run) -> None:
    found = certificate(run_check(mini(miniature.case("raises_at_2_and_triples"))))
    assert found.smallest == found.smallest_by_cause["tripling"]


def test_a_reference_is_asked_once_for_inputs_that_are_alike() -> None:
    asked = reference_asked([1, 11, 21, 2, 12, 1])
    assert asked == [1, 2]


def test_a_reference_remembers_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhaust, "REMEMBERED", 2)
    # With 3 it has seen too many, and begins anew.
    assert reference_asked([1, 2, 1, 2, 3, 3, 1]) == [1, 2, 3, 1]


def reference_asked(numbers: list[int]) -> list[int]:
    """Return the numbers for which the case's reference is asked, where those with the same last digit are alike."""
    asked = []

    def expected(x: miniature.Number) -> Expected:
        asked.append(x.n)
        return Exactly(Fraction(x.n % 10))

    case = miniature.case("right", expected=expected, alike=lambda x: x.n % 10, conventions={})
    reference = exhaust.Reference(case)
    for n in numbers:
        assert reference.judgement(miniature.Number(n)).expected == Exactly(Fraction(n % 10))
    return asked


def test_a_subject_that_does_not_offer_it_is_unsupported_and_no_divergence(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("unsupported"), miniature.case("right")))
    assert report.exit_status == 0
    assert report.cases[0].certificates[0].tally.verdicts() == {Verdict.UNSUPPORTED: 40}


def test_a_run_in_which_nothing_was_compared_is_not_green(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("unsupported")))
    assert report.exit_status == 2
    assert report.obstacles == ["nothing was compared: what was tested offers nothing of what the cases are about"]


def test_what_is_unsupported_is_not_passed_where_it_is_required(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("unsupported")), required=frozenset({"mini/unsupported"}))
    assert report.exit_status == 2
    assert report.obstacles == ["mini/unsupported: unsupported: this subject does not double"]


def test_a_known_divergence_that_is_unsupported_now_is_not_said_to_be_gone(mini: Make, run_check: Run) -> None:
    ledger = """
schema = 1
[[known]]
case = "mini/unsupported"
versions = ">=1"
cause = "another value"
upstream = "unreported"
says = "it was so"
review = 2099-01-01
counts = [{ domain = "numbers", parameters = {}, mismatches = { 1 = 1 } }]
"""
    report = run_check(mini(miniature.case("unsupported"), ledger=ledger))
    assert report.problems == []


def test_a_subject_that_ends_on_every_input_is_cut_short_and_reported(mini: Make, run_check: Run) -> None:
    found = certificate(run_check(mini(miniature.case("ends_always"))))
    assert not found.exhausted
    assert found.inputs == miniature.QUICK.deaths


def test_a_worker_that_ends_once_makes_the_run_fail_without_accusing(
    mini: Make, run_check: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKDIFF_TEST_ONCE", str(tmp_path / "once"))
    report = run_check(mini(miniature.case("ends_once")))
    assert report.problems == []
    assert certificate(report).exhausted
    assert report.exit_status == 2
    assert "exit 9" in report.obstacles[0]


def test_a_finding_is_saved_and_confirmed_in_a_fresh_process(mini: Make, run_check: Run) -> None:
    [saved] = run_check(mini(miniature.case("always_wrong"))).saved
    assert saved.finding.confirmed
    written = json.loads(Path(saved.folder, "finding.json").read_text())
    assert written["input"] == {"n": 0}
    assert written["found"] == {
        "by": "exhaustion",
        "domain": {"name": "numbers", "parameters": {"up_to": 40}},
        "index": 0,
    }
    assert written["confirmed"] is True
    assert "DEFECT PRESENT" in Path(saved.folder, "repro.py").read_text()


def test_a_finding_that_a_fresh_process_does_not_show_is_kept_and_says_so(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("nan")))  # its script computes the right value
    [saved] = report.saved
    assert not saved.finding.confirmed
    assert json.loads(Path(saved.folder, "finding.json").read_text())["confirmed"] is False
    assert report.exit_status == 1


def test_a_crash_is_confirmed_by_a_script_that_survives_it(mini: Make, run_check: Run) -> None:
    for call in ("segfaults_at_13", "ends_at_13"):
        [saved] = run_check(mini(miniature.case(call))).saved
        assert saved.finding.confirmed


def test_each_kind_of_mismatch_is_saved_for_itself(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("always_wrong"), miniature.case("raises_at_13")))
    assert len({saved.folder for saved in report.saved}) == 2


def test_a_hunt_finds_what_lies_beyond_the_domain_and_shrinks_it(mini: Make, run_check: Run) -> None:
    case = miniature.case("wrong_at_13", domains=(miniature.numbers(5),), beyond=miniature.big_numbers().map(_shifted))
    report = run_check(mini(case), examples=200)
    assert report.cases[0].hunt is not None
    [instance] = report.cases[0].hunt.found
    assert instance.x == (13,)
    [saved] = report.saved
    assert saved.finding.confirmed
    assert saved.finding.to_json()["found"] == {"by": "hunt", "seed": 0}
    assert report.exit_status == 1


def _shifted(x: miniature.Number) -> miniature.Number:
    return miniature.Number(x.n % 30 + 6)


def test_the_same_seed_hunts_the_same_inputs(mini: Make, run_check: Run, tmp_path: Path) -> None:
    case = miniature.case("wrong_at_13", domains=(miniature.numbers(5),), beyond=miniature.big_numbers().map(_shifted))
    runs = [run_check(mini(case), examples=200, seed=7, findings=FindingsFolder(tmp_path / str(k))) for k in range(2)]
    hunts = [run.cases[0].hunt for run in runs]
    assert hunts[0] == hunts[1]


def test_what_was_found_is_replayed_first_in_the_next_run(mini: Make, run_check: Run) -> None:
    case = miniature.case("wrong_at_13", domains=(miniature.numbers(5),), beyond=miniature.big_numbers().map(_shifted))
    run_check(mini(case), examples=200)
    again = run_check(mini(case), examples=0)
    hunt = again.cases[0].hunt
    assert hunt is not None
    assert hunt.replayed == 1
    assert [instance.x for instance in hunt.found] == [(13,)]
    assert again.exit_status == 1


def test_a_hunt_does_not_report_what_the_domain_showed(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("tripled", beyond=miniature.big_numbers())))
    assert report.cases[0].hunt is not None
    assert report.cases[0].hunt.found == ()


def test_a_hunt_survives_a_subject_that_answers_now_so_now_so(mini: Make, run_check: Run) -> None:
    case = miniature.case("wrong_now_and_then", domains=(miniature.numbers(1),), beyond=miniature.big_numbers())
    report = run_check(mini(case), examples=100)
    assert report.exit_status == 1


def test_a_plain_check_leaves_thorough_domains_out(mini: Make, run_check: Run) -> None:
    case = miniature.case("right", domains=(miniature.numbers(5), miniature.numbers(9, name="more", thorough=True)))
    assert [c.domain.name for c in run_check(mini(case)).cases[0].certificates] == ["numbers"]
    assert [c.domain.name for c in run_check(mini(case), thorough=True).cases[0].certificates] == ["numbers", "more"]


def test_a_domain_that_does_not_hold_what_it_should_is_refused(mini: Make, run_check: Run) -> None:
    good = miniature.numbers(5)
    miscounted = Domain(good.name, good.parameters, good.inputs, lambda: {0: 6})
    report = run_check(mini(miniature.case("right", domains=(miscounted,)), miniature.case("tripled")))
    assert [case.status for case in report.cases] == ["cannot_run", "run"]
    assert "one of the two is wrong" in report.cases[0].reason
    assert report.exit_status == 2


def test_a_case_whose_adapter_lacks_its_function_cannot_run_and_the_others_do(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("not_there"), miniature.case("right")))
    assert [case.status for case in report.cases] == ["cannot_run", "run"]
    assert report.exit_status == 2


def test_a_library_that_is_not_installed_is_not_run(mini: Make, run_check: Run) -> None:
    library = mini(miniature.case("right"), distribution="no-such-distribution")
    assert [(case.status, case.reason) for case in run_check(library).cases] == [
        ("not_run", "no-such-distribution is not installed")
    ]


def test_a_run_in_which_nothing_was_installed_is_not_green(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("right"), distribution="no-such-distribution"))
    assert report.exit_status == 2
    assert report.obstacles == ["nothing was run: no library is installed that was to be tested"]


@pytest.mark.parametrize("name", ["mini", "mini/right"])
def test_a_library_that_is_not_installed_fails_where_it_is_required(mini: Make, run_check: Run, name: str) -> None:
    library = mini(miniature.case("right"), distribution="no-such-distribution")
    assert run_check(library, required=frozenset({name})).exit_status == 2


@pytest.mark.parametrize("adapter", ["adapter_that_does_not_import.py", "adapter_that_ends.py"])
def test_a_library_that_does_not_import_cannot_run(mini: Make, run_check: Run, adapter: str) -> None:
    report = run_check(mini(miniature.case("right"), adapter=adapter))
    assert [case.status for case in report.cases] == ["cannot_run"]
    assert report.exit_status == 2


def test_another_mode_is_held_to_the_one_that_users_run(mini: Make, run_check: Run) -> None:
    # The script of "nan" is right, as if only this mode were wrong: that is no news about what users run.
    report = run_check(mini(miniature.case("nan")), mode="odd")
    assert [saved.finding.confirmed for saved in report.saved] == [False]
    assert report.exit_status == 0
    assert run_check(mini(miniature.case("always_wrong")), mode="odd").exit_status == 1


def test_the_domain_separates_where_its_values_are_further_apart_than_the_bounds(mini: Make, run_check: Run) -> None:
    found = certificate(run_check(mini(miniature.case("right"))))
    assert found.separation is not None
    assert found.separation.separates
    assert found.separation.smallest_gap == 2
    assert found.separation.values == 38  # 40 numbers less the refusal and the unspecified one


def test_the_largest_error_of_a_right_value_is_told(mini: Make, run_check: Run) -> None:
    exact = certificate(run_check(mini(miniature.case("right"))))
    assert exact.to_json()["error"] == {"of_bound": "0", "ulps": "0"}
    found = certificate(run_check(mini(miniature.case("right_within_the_bound"))))
    assert found.tally.error is not None
    assert 0 < found.tally.error.of_bound <= 1
    assert found.tally.error.ulps


def test_a_findings_folder_that_cannot_be_written_stops_the_run_before_it_begins(
    mini: Make, run_check: Run, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(errors.FindingsFolderError, match="name another folder with --findings DIR"):
        run_check(mini(miniature.case("right")), findings=FindingsFolder(tmp_path / "file" / "below"))


def test_a_cache_folder_that_cannot_be_made_is_named(
    mini: Make, run_check: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    library = mini(miniature.case("right"))
    monkeypatch.setenv("RANKDIFF_CACHE", str(tmp_path / "file" / "below"))
    with pytest.raises(errors.CacheFolderError, match="set RANKDIFF_CACHE"):
        run_check(library)


def test_a_check_leaves_no_findings_folder_where_it_found_nothing(mini: Make, run_check: Run, tmp_path: Path) -> None:
    run_check(mini(miniature.case("right")))
    assert not (tmp_path / "findings").exists()


def test_inputs_are_written_and_read_back_the_same() -> None:
    case: Any = miniature.case("right")
    for x in case.domains[0].inputs:
        assert case.from_json(json.loads(json.dumps(case.to_json(x)))) == x


def test_a_hunt_in_which_the_subject_stops_starting_is_not_green(
    mini: Make, run_check: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKDIFF_TEST_ONCE", str(tmp_path / "mark"))
    case = miniature.case("ends_then_does_not_start", beyond=miniature.big_numbers())
    report = run_check(mini(case, adapter="adapter_that_starts_once.py"), examples=50)
    assert report.exit_status == 2


def test_in_another_mode_one_confirmed_finding_is_enough(mini: Make, run_check: Run) -> None:
    # The script shows it for every number but 0: the finding of the first domain is not confirmed, the other is.
    rest = Domain("rest", {}, mapped(miniature.Number, choice(range(1, 5))), lambda: {0: 4})
    case = miniature.case("wrong_but_at_0", domains=(miniature.numbers(1), rest))
    report = run_check(mini(case), mode="odd")
    assert [saved.finding.confirmed for saved in report.saved] == [False, True]
    assert report.exit_status == 1


def test_findings_that_cannot_be_read_are_named(
    mini: Make, run_check: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "findings" / "broken").mkdir(parents=True)
    (tmp_path / "findings" / "broken" / "finding.json").write_text("{")
    run_check(mini(miniature.case("right")))
    assert "is no finding that can be replayed" in capsys.readouterr().err
