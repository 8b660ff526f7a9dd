"""A library is run in the mode that a case is about, on every release of it; what is not there has not passed."""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import miniature
from harness import cli, registry
from harness.errors import NotInstalledError, UnknownModeError, UnusableError
from harness.installation import Installation
from harness.library import Library
from harness.report import Report
from harness.run import selected
from harness.subject import Subject, require_installed
from harness.verdict import Verdict

Make = Callable[..., Library]
Run = Callable[..., Report]
Rankdiff = Callable[..., int]

SCHEMA = json.loads((Path(cli.__file__).with_name("schema") / "report.schema.json").read_text())
HERE = Path(__file__).parents[1]

MISSING = miniature.failing(NotInstalledError("no doubler is on the path"))
BROKEN = miniature.failing(UnusableError("the doubler on the path is for another machine"))

NO_SUCH = miniature.mode(distribution="no-such-distribution")


@pytest.fixture
def rankdiff(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Rankdiff:
    """Return a function that runs the command line with a given library, in the test's folder."""
    monkeypatch.chdir(tmp_path)

    def run(library: Library, *arguments: str) -> int:
        monkeypatch.setattr(registry, "libraries", lambda: [library])
        return cli.main(arguments)

    return run


def both(*modes: Any) -> dict[str, Any]:
    return {"modes": modes or (miniature.mode(), miniature.program())}


RIGHT = miniature.case("right")
PROGRAM_ONLY = miniature.case("right_as_int", modes=("program",))

# Tripling is wrong for 1, 2, 3, and for 34 of the 36 numbers from 4 to 39: all but 5 and 39.
TRIPLED = """\
schema = 1

[[known]]
case = "mini/tripled-since-2"
versions = ">=2"
cause = "tripling"
upstream = "unreported"
says = "it triples"
review = 2999-01-01
counts = [{ domain = "numbers", parameters = {}, mismatches = { 1 = 1, 2 = 1, 3 = 1, 4 = 34 } }]
"""


# --- which mode ------------------------------------------------------------------------------------------------


def test_a_case_is_run_in_the_first_mode_that_it_is_about(mini: Make, run_check: Run) -> None:
    report = run_check(mini(RIGHT, PROGRAM_ONLY, **both()))
    ran = [(run.mode.name, [case.case.name for case in run.cases]) for run in report.libraries]
    assert ran == [("plain", ["mini/right"]), ("program", ["mini/right-as-int"])]
    assert report.exit_status == 0


def test_a_case_whose_first_mode_is_not_the_librarys_is_run_in_its_own(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("right", modes=("program", "plain")), **both()))
    assert [run.mode.name for run in report.libraries] == ["program"]


def test_in_a_named_mode_every_case_about_it_is_run_in_it(mini: Make, run_check: Run) -> None:
    report = run_check(mini(RIGHT, PROGRAM_ONLY, **both()), mode="program")
    assert [run.mode.name for run in report.libraries] == ["program"]
    assert [case.case.name for case in report.cases] == ["mini/right", "mini/right-as-int"]


def test_a_mode_that_only_the_case_knows_is_refused_before_anything_runs(mini: Make, run_check: Run) -> None:
    first = miniature.case("hangs_always")
    with pytest.raises(UnknownModeError, match="mini has the mode plain or program, not 'turbo'"):
        run_check(mini(first, miniature.case("right", modes=("turbo",)), **both()))


PLAIN_ONLY = miniature.case("right_within_the_bound", modes=("plain",))


def test_a_case_that_is_not_about_the_named_mode_is_left_out(mini: Make) -> None:
    library = mini(RIGHT, PLAIN_ONLY, **both())
    assert selected([(library, library.cases)], "program") == [(library, (RIGHT,))]


def test_where_no_mode_is_named_no_case_is_left_out(mini: Make) -> None:
    library = mini(RIGHT, PLAIN_ONLY, **both())
    assert selected([(library, library.cases)], None) == [(library, (RIGHT, PLAIN_ONLY))]


def test_a_mode_that_no_case_of_a_library_is_about_is_refused(mini: Make) -> None:
    library = mini(PLAIN_ONLY, miniature.case("tripled", modes=("plain",)), **both())
    with pytest.raises(UnknownModeError) as refused:
        selected([(library, library.cases)], "program")
    assert str(refused.value) == "mini/right-within-the-bound, mini/tripled are about the mode plain, not 'program'"


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "mini/right-within-the-bound", "--mode", "program"],
        ["check", "mini/right", "mini/right-within-the-bound", "--mode", "program"],
        ["check", "mini", "mini/right-within-the-bound", "--mode", "program"],
        ["check", "--require", "mini/right-within-the-bound", "--mode", "program"],
        ["replay", "mini/right-within-the-bound", "3", "--mode", "program"],
        ["bundle", "mini/right-within-the-bound", "--mode", "program"],
    ],
)
def test_a_case_that_is_named_with_a_mode_that_it_is_not_about_is_refused(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert rankdiff(mini(RIGHT, PLAIN_ONLY, **both()), *arguments) == 2
    assert capsys.readouterr().err == "rankdiff: mini/right-within-the-bound is about the mode plain, not 'program'\n"


@pytest.mark.parametrize("command", [["check"], ["replay", "mini/right", "3"], ["bundle", "mini/right"]])
def test_a_mode_that_the_library_does_not_have_is_refused(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    assert rankdiff(mini(RIGHT, **both()), *command, "--mode", "turbo") == 2
    assert capsys.readouterr().err == "rankdiff: mini has the mode plain or program, not 'turbo'\n"


def test_an_input_is_replayed_in_the_named_mode(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKDIFF_TEST_VERSION", "1.0")  # what the plain mode sees: there it doubles
    library = mini(miniature.case("tripled_since_2"), **both())
    assert rankdiff(library, "replay", "mini/tripled-since-2", "4") == 0
    assert "observed    8" in capsys.readouterr().out
    assert rankdiff(library, "replay", "mini/tripled-since-2", "4", "--mode", "program") == 1
    assert "observed    12" in capsys.readouterr().out


def test_a_case_is_replayed_in_its_own_first_mode(mini: Make, rankdiff: Rankdiff) -> None:
    library = mini(miniature.case("tripled_since_2", modes=("program",)), **both())
    assert rankdiff(library, "replay", "mini/tripled-since-2", "4") == 1


def test_a_bundle_is_of_the_named_mode(mini: Make, rankdiff: Rankdiff, tmp_path: Path) -> None:
    library = mini(miniature.case("tripled"), **both(miniature.mode(), miniature.mode("other")))
    assert rankdiff(library, "bundle", "mini/tripled", "--mode", "other", "--out", "out") == 0
    assert json.loads((tmp_path / "out" / "finding.json").read_text())["subject"]["mode"] == "other"


@pytest.mark.parametrize("command", [["replay", "mini/right", "3"], ["bundle", "mini/right"]])
def test_what_cannot_be_used_is_neither_replayed_nor_bundled(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    library = mini(RIGHT, **both(miniature.mode(), miniature.program(find=BROKEN)))
    assert rankdiff(library, *command, "--mode", "program") == 2
    assert capsys.readouterr().err == "rankdiff: the doubler on the path is for another machine\n"


@pytest.mark.parametrize("command", [["replay", "mini/right", "3"], ["bundle", "mini/right"]])
def test_what_is_not_there_is_neither_replayed_nor_bundled(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    library = mini(RIGHT, **both(miniature.mode(), miniature.program(find=MISSING)))
    assert rankdiff(library, *command, "--mode", "program") == 2
    assert capsys.readouterr().err == ("rankdiff: mini cannot be run in the mode program: no doubler is on the path\n")


# --- several releases ------------------------------------------------------------------------------------------


def two_releases(mini: Make, *cases: Any, ledger: str = miniature.EMPTY_LEDGER) -> Library:
    return mini(*cases, ledger=ledger, **both(miniature.program(find=miniature.releases("2.0", "1.0"))))


def test_each_release_has_a_run_and_a_certificate_of_its_own(mini: Make, run_check: Run) -> None:
    report = run_check(two_releases(mini, RIGHT))
    assert [run.subject.version for run in report.libraries if run.subject] == ["2.0", "1.0"]
    certificates = [certificate for case in report.cases for certificate in case.certificates]
    assert [(c.subject.version, c.inputs, c.exhausted) for c in certificates] == [("2.0", 40, True), ("1.0", 40, True)]


def test_each_release_is_settled_by_the_entries_about_it(mini: Make, run_check: Run) -> None:
    report = run_check(two_releases(mini, miniature.case("tripled_since_2"), ledger=TRIPLED))
    assert [len(case.entries) for case in report.cases] == [1, 0]
    assert report.problems == []
    assert report.exit_status == 0


def test_what_one_release_does_not_show_is_gone_there_alone(mini: Make, run_check: Run) -> None:
    report = run_check(two_releases(mini, miniature.case("tripled_since_2"), ledger=TRIPLED.replace(">=2", ">=1")))
    [problem] = report.problems
    assert problem.kind == "gone"
    assert problem.text.startswith("doubler 1.0, tripled-since-2: ")


def test_what_is_not_listed_for_one_release_is_new_there_alone(mini: Make, run_check: Run) -> None:
    report = run_check(two_releases(mini, miniature.case("tripled_since_2"), ledger=TRIPLED.replace(">=2", ">=3,<4")))
    [problem] = report.problems
    assert problem.kind == "new"
    assert problem.text.startswith("doubler 2.0 tripled-since-2: ")


def test_the_same_finding_in_two_releases_is_saved_twice(mini: Make, run_check: Run) -> None:
    report = run_check(two_releases(mini, miniature.case("always_wrong")))
    assert [saved.finding.subject.version for saved in report.saved] == ["2.0", "1.0"]
    assert len({saved.folder for saved in report.saved}) == 2


def test_what_is_wrong_with_the_ledger_itself_is_said_once_for_all_releases(mini: Make, run_check: Run) -> None:
    report = run_check(two_releases(mini, RIGHT, ledger=TRIPLED.replace("mini/tripled-since-2", "mini/elsewhere")))
    assert [problem.kind for problem in report.problems] == ["orphan"]


def test_a_review_that_is_due_is_said_once_for_all_releases(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = TRIPLED.replace("2999", "2000").replace(">=2", ">=1").replace("-since-2", "")
    library = two_releases(mini, miniature.case("tripled"), ledger=ledger)
    assert rankdiff(library, "check") == 0
    assert capsys.readouterr().out.count("was to be reviewed by 2000-01-01") == 1
    rankdiff(library, "check", "--json")
    assert len(json.loads(capsys.readouterr().out)["ledger"]["warnings"]) == 1


def test_an_entry_about_several_releases_is_one_known_divergence(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = TRIPLED.replace(">=2", ">=1").replace("-since-2", "")
    assert rankdiff(two_releases(mini, miniature.case("tripled"), ledger=ledger), "check") == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "As the ledger says: 1 known divergence, none new, none gone.  Next: rankdiff bundle mini/tripled"


def test_the_document_names_every_release_that_was_tested(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(two_releases(mini, RIGHT), "check", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert [(s["distribution"], s["version"], s["modules"]) for s in document["subjects"]] == [
        ("doubler", "2.0", 1),
        ("doubler", "1.0", 1),
    ]
    assert [c["subject"]["version"] for c in document["certificates"]] == ["2.0", "1.0"]


def test_the_release_to_prefer_is_the_one_that_is_replayed(mini: Make) -> None:
    assert require_installed(two_releases(mini, RIGHT)).version == "2.0"


@pytest.mark.parametrize("version", ["", " ", "1\n0", "1/0", "../1", "-1", "1\udc80"])
def test_a_version_that_is_no_word_is_refused(mini: Make, run_check: Run, version: str) -> None:
    report = run_check(mini(RIGHT, **both(miniature.program(find=miniature.releases("2.0", version)))))
    [case] = report.cases
    assert case.status == "cannot_run"
    assert case.reason.endswith(f"should be a word such as 1.0 or 1.0-rc2, not {version!r}")


def test_a_version_that_cannot_be_ordered_is_about_no_entry(mini: Make, run_check: Run) -> None:
    # PEP 440 knows no snapshots: the entry for every version is not about this one, and nobody's run is lost for it.
    modes = both(miniature.program(find=miniature.releases("2.0-SNAPSHOT")))
    report = run_check(mini(miniature.case("tripled_since_2"), ledger=TRIPLED, **modes))
    assert [problem.kind for problem in report.problems] == ["new"]


# --- what an installation says of itself -----------------------------------------------------------------------


def test_what_the_adapter_says_of_its_platform_is_shown(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(RIGHT, **both(miniature.program())), "check") == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("doubler 2.0, program, Python ")
    assert second == "  program: doubler"


def test_the_proof_of_the_adapter_is_part_of_the_proof_of_the_run(mini: Make, run_check: Run) -> None:
    [run] = run_check(mini(RIGHT, **both(miniature.program()))).libraries
    assert [(module.name, module.path, module.sha256) for module in run.modules] == [
        ("doubler", "/usr/bin/doubler", "0" * 64)
    ]


# What the adapter says, and why nothing is run with it.
REFUSED = {
    "another version": "doubler 2.0 was expected, but the worker found version 9.9",
    "no version": "doubler 2.0 was expected, but the worker found no version",
    "an empty version": "doubler 2.0 was expected, but the worker found no version",
    "a version that is a number": "a dict of texts, not {'version': 2.0}",
    "a number": "a dict of texts, not {'version': '2.0', 'year': 2020}",
    "nothing": "a dict of texts, not None",
    "a list": "a dict of texts, not [('version', '2.0')]",
    "an error": "RuntimeError: nobody knows",
    "an exit": "SystemExit: nobody knows",
    "an error for a proof": "RuntimeError: nothing is proved",
    "a proof of nothing": "TypeError: 'NoneType' object is not iterable",
    "a proof without a path": "should name name, path, sha256, not name, sha256",
    "a proof with more": "should name name, path, sha256, not name, path, sha256, date",
    "a proof of numbers": "a dict of texts, not {'name': 'doubler', 'path': '/usr/bin/doubler', 'sha256': 0}",
    "a proof in one text": "a dict of texts, not 'd'",
    "a module called platform": "doubler 2.0 was expected, but the worker found no version",
}


@pytest.mark.parametrize(("says", "reason"), REFUSED.items(), ids=REFUSED.keys())
def test_an_adapter_that_does_not_say_what_it_should_cannot_run(
    mini: Make, run_check: Run, says: str, reason: str
) -> None:
    report = run_check(mini(RIGHT, **both(miniature.program(says=says))))
    [case] = report.cases
    assert case.status == "cannot_run"
    assert reason in case.reason
    assert report.exit_status == 2


def test_a_module_that_is_called_platform_is_no_description(mini: Make, run_check: Run) -> None:
    adapter = miniature.HERE / "adapter_that_imports_platform.py"
    report = run_check(mini(RIGHT, **both(miniature.mode(adapter=adapter))))
    assert report.exit_status == 0


@pytest.mark.parametrize("says", ["half a character", "more than a line"])
def test_whatever_a_platform_is_called_it_is_shown(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], says: str
) -> None:
    assert rankdiff(mini(RIGHT, **both(miniature.program(says=says))), "check") == 0
    capsys.readouterr().out.encode()


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ("an error for the last proof", "RuntimeError: nothing is proved"),
        ("a last proof without a path", "should name name, path, sha256, not name, sha256"),
        ("the last proof ends it", "exit 6"),
    ],
)
def test_a_proof_that_fails_at_the_end_leaves_the_run_undone_and_accuses_nobody(
    mini: Make, run_check: Run, says: str, reason: str
) -> None:
    report = run_check(mini(RIGHT, **both(miniature.program(says=says))))
    assert report.problems == []
    [obstacle] = report.obstacles
    assert obstacle.startswith("doubler 2.0 does not say what it came to use: ")
    assert reason in obstacle
    assert report.exit_status == 2


# --- what is not there -----------------------------------------------------------------------------------------


def partly(mini: Make, find: Any) -> Library:
    """Return a library of two cases; one is about a mode whose finder is given."""
    return mini(RIGHT, PROGRAM_ONLY, **both(miniature.mode(), miniature.program(find=find)))


def nothing_of(mini: Make, find: Any) -> Library:
    return mini(RIGHT, PROGRAM_ONLY, **both(NO_SUCH, miniature.program(find=find)))


Made = Callable[[Make, Any], Library]

STATUSES: list[tuple[Made, Any, list[str], int]] = [
    # A part of it is not there.
    (partly, MISSING, [], 0),
    (partly, MISSING, ["mini"], 0),
    (partly, MISSING, ["mini/right"], 0),
    (partly, MISSING, ["mini/right-as-int"], 2),
    (partly, MISSING, ["mini", "mini/right-as-int"], 2),
    (partly, MISSING, ["--require", "mini/right"], 0),
    (partly, MISSING, ["--require", "mini/right-as-int"], 2),
    (partly, MISSING, ["--require", "mini"], 2),
    (partly, MISSING, ["mini/right", "--require", "mini/right-as-int"], 2),
    # Nothing of it is there.
    (nothing_of, MISSING, [], 2),
    (nothing_of, MISSING, ["mini"], 2),
    (nothing_of, MISSING, ["mini/right"], 2),
    (nothing_of, MISSING, ["--require", "mini"], 2),
    (nothing_of, MISSING, ["--require", "mini/right"], 2),
    # A part of it is there and cannot be used.
    (partly, BROKEN, [], 2),
    (partly, BROKEN, ["mini"], 2),
    (partly, BROKEN, ["mini/right-as-int"], 2),
    (partly, BROKEN, ["--require", "mini/right"], 2),
    (partly, BROKEN, ["mini/right"], 0),
    # In a named mode.
    (partly, MISSING, ["--mode", "program"], 2),
    (partly, MISSING, ["mini", "--mode", "program"], 2),
    (partly, BROKEN, ["--mode", "program"], 2),
    (partly, BROKEN, ["mini/right", "--mode", "plain"], 0),
]


@pytest.mark.parametrize(("absence", "arguments", "status"), [((make, find), *rest) for make, find, *rest in STATUSES])
def test_the_exit_status_where_something_is_not_there(
    mini: Make,
    rankdiff: Rankdiff,
    capsys: pytest.CaptureFixture[str],
    absence: tuple[Made, Any],
    arguments: list[str],
    status: int,
) -> None:
    make, find = absence
    assert rankdiff(make(mini, find), "check", *arguments, "--examples", "0", "--json") == status
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert document["exit_status"] == status
    assert bool(document["obstacles"]) == (status == 2)


@pytest.mark.parametrize(
    ("find", "status", "reason"),
    [
        (MISSING, "not_run", "no doubler is on the path"),
        (BROKEN, "cannot_run", "the doubler on the path is for another machine"),
    ],
)
def test_the_document_says_what_was_not_run_and_why(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], find: Any, status: str, reason: str
) -> None:
    rankdiff(partly(mini, find), "check", "--json")
    _, absent = json.loads(capsys.readouterr().out)["certificates"]
    assert (absent["case"], absent["status"], absent["reason"]) == ("mini/right-as-int", status, reason)
    assert absent["subject"] == {"distribution": "doubler", "version": None, "patches": [], "mode": "program"}
    assert (absent["inputs"], absent["exhausted"], sum(absent["verdicts"].values())) == (0, False, 0)


def test_what_is_not_run_is_not_counted_as_agreeing(mini: Make, run_check: Run) -> None:
    there, absent = run_check(partly(mini, MISSING)).cases
    assert there.certificates[0].tally.verdicts()[Verdict.AGREES] == 39
    assert (absent.status, absent.certificates, absent.hunt) == ("not_run", (), None)


def test_the_last_line_says_that_something_was_not_run(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(partly(mini, MISSING), "check") == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "As the ledger says: 0 known divergences, none new, none gone; 1 contract not run."


def test_an_entry_about_what_is_not_there_is_not_gone(mini: Make, run_check: Run) -> None:
    library = mini(miniature.case("tripled_since_2"), ledger=TRIPLED, **both(miniature.program(find=MISSING)))
    assert run_check(library).problems == []


def test_the_reason_is_said_once_for_all_that_it_keeps_from_running(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    modes = both(miniature.program(find=MISSING))
    assert rankdiff(mini(RIGHT, PROGRAM_ONLY, PLAIN, **modes), "check") == 2
    assert capsys.readouterr().out == textwrap.dedent("""\
        doubler, program, not installed, 3 contracts

          not run      right, right-as-int, right-as-numpy
          because      no doubler is on the path

        could not be done: nothing was run: no library is installed that was to be tested
        The run could not be done.
        """)


PLAIN = miniature.case("right_as_numpy")


def test_what_is_there_and_cannot_be_used_is_not_called_absent(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(RIGHT, PLAIN, **both(miniature.program(find=BROKEN))), "check") == 2
    assert capsys.readouterr().out == textwrap.dedent("""\
        doubler, program, cannot be used, 2 contracts

          cannot run   right, right-as-numpy

        could not be done: the doubler on the path is for another machine (2 contracts)
        The run could not be done.
        """)


def test_what_does_not_start_says_its_reason_once_for_all_contracts(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library = mini(RIGHT, PLAIN, adapter="adapter_that_does_not_import.py")
    assert rankdiff(library, "check") == 2
    assert capsys.readouterr().out.count("does not start: ModuleNotFoundError") == 1


def test_a_finder_that_finds_nothing_and_says_so_in_a_list_is_not_passed_over(mini: Make, run_check: Run) -> None:
    report = run_check(mini(RIGHT, **both(miniature.program(find=list))), asked=frozenset({"mini"}))
    assert [(case.status, case.reason) for case in report.cases] == [("not_run", "no doubler is found")]
    assert report.exit_status == 2


@pytest.mark.usefixtures("own_cache")
def test_a_reason_with_half_a_character_is_printed(tmp_path: Path) -> None:
    program = textwrap.dedent(f"""\
        import sys
        sys.path[:0] = [{str(HERE)!r}]
        from pathlib import Path
        import miniature
        from harness import cli, errors, registry
        finder = miniature.failing(errors.NotInstalledError("no doubler at /opt/\\udc80"))
        Path("known.toml").write_text(miniature.EMPTY_LEDGER)
        library = miniature.library(Path("known.toml"), miniature.case("right"), modes=[miniature.program(find=finder)])
        registry.libraries = lambda: [library]
        cli.entry()
        """)
    for arguments in (["check"], ["check", "--json"], ["replay", "mini/right", "1"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments], cwd=tmp_path, capture_output=True, check=False
        )
        assert done.returncode == 2, done.stderr
        assert b"no doubler at /opt/\\udc80" in done.stdout + done.stderr


# --- modes that the ledger does not count ----------------------------------------------------------------------


def shadowed(usual: Any) -> dict[str, Any]:
    """Return a usual mode, and one beside it that the ledger does not count."""
    return both(usual, miniature.mode("odd", is_counted=False))


def test_a_finding_that_nothing_is_there_to_confirm_is_kept_and_is_news(mini: Make, run_check: Run) -> None:
    library = mini(miniature.case("always_wrong"), **shadowed(NO_SUCH))
    report = run_check(library, mode="odd")
    [saved] = report.saved
    assert saved.finding.confirmations == ()
    assert [problem.kind for problem in report.problems] == ["new"]


@pytest.mark.parametrize(("call", "known"), [("tripled_since_2", 1), ("right", 0)])
def test_in_a_mode_that_is_not_counted_only_what_is_seen_is_called_known(
    mini: Make, run_check: Run, call: str, known: int
) -> None:
    case = miniature.case(call, name="mini/tripled-since-2")
    library = mini(case, ledger=TRIPLED, **both(miniature.program(is_counted=False)))
    report = run_check(library)
    assert (len(report.cases[0].entries), report.exit_status) == (known, 0)


def test_a_finding_is_confirmed_on_the_same_release_in_the_usual_mode(mini: Make) -> None:
    usual = miniature.program(find=miniature.releases("3.0", "1.0"))
    odd = miniature.program("odd", find=miniature.releases("1.0"), is_counted=False)
    subject = require_installed(mini(RIGHT, **both(usual, odd)), mode="odd")
    assert (subject.confirming().mode.name, subject.confirming().version) == ("program", "1.0")


def test_a_finding_of_a_release_that_the_usual_mode_lacks_is_confirmed_on_the_one_to_prefer(mini: Make) -> None:
    usual = miniature.program(find=miniature.releases("3.0", "2.0"))
    odd = miniature.program("odd", find=miniature.releases("1.0"), is_counted=False)
    subject = require_installed(mini(RIGHT, **both(usual, odd)), mode="odd")
    assert subject.confirming().version == "3.0"


def test_a_finding_in_a_mode_that_counts_is_confirmed_in_it(mini: Make) -> None:
    subject = require_installed(mini(RIGHT, **both()), mode="program")
    assert subject.confirming() is subject


def test_a_bundle_is_not_written_where_nothing_is_there_to_confirm_it(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    library = mini(miniature.case("always_wrong"), **shadowed(NO_SUCH))
    assert rankdiff(library, "bundle", "mini/always-wrong", "--mode", "odd", "--out", "out") == 2
    assert "no-such-distribution is not installed" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# --- scripts that cannot run -----------------------------------------------------------------------------------


def unable(call: str) -> Any:
    """Return a case whose script does not find what it needs."""
    case = miniature.case(call)
    missing = 'print("COULD NOT RUN")\nsys.exit(2)'
    return replace(case, script=lambda x: replace(case.script(x), imports=missing))


def test_a_script_that_could_not_run_confirms_nothing_and_refutes_nothing(mini: Make, run_check: Run) -> None:
    report = run_check(mini(unable("always_wrong")))
    [saved] = report.saved
    assert saved.finding.confirmations == ()
    assert [problem.kind for problem in report.problems] == ["new"]


def test_a_script_that_could_not_run_excuses_no_mode(mini: Make, run_check: Run) -> None:
    assert run_check(mini(unable("always_wrong")), mode="odd").exit_status == 1


def test_it_is_said_that_a_script_could_not_run(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(unable("always_wrong")), "check") == 1
    out = capsys.readouterr().out
    assert "repro.py: not confirmed: it could not run: it did not say why" in " ".join(out.split())


def test_a_bundle_whose_script_could_not_run_is_not_written(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert rankdiff(mini(unable("always_wrong")), "bundle", "mini/always-wrong", "--out", "out") == 2
    assert "but ended with 'COULD NOT RUN' and status 2; no bundle was written" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# --- compiled code ---------------------------------------------------------------------------------------------


def test_what_is_found_elsewhere_has_compiled_code_of_its_own(mini: Make) -> None:
    mode = miniature.program()
    library = mini(RIGHT, **both(mode))
    keys = {Subject(library, mode, Installation("2.0", content=content)).key() for content in ("a", "b", "b")}
    assert len(keys) == 2


def test_an_adapter_is_told_where_its_installation_is(mini: Make) -> None:
    subject = require_installed(two_releases(mini, RIGHT))
    assert subject.environment()["RANKDIFF_TEST_VERSION"] == "2.0"
    assert "RANKDIFF_TEST_VERSION" not in os.environ


def test_a_library_without_the_mode_is_left_out_where_nothing_is_named(mini: Callable[..., Library]) -> None:
    with_it = mini(RIGHT)
    without = replace(with_it, name="other", modes=with_it.modes[:1])
    both = [(without, without.cases), (with_it, with_it.cases)]
    assert selected(both, with_it.modes[1].name) == [(with_it, (RIGHT,))]


def test_a_library_without_the_mode_that_is_named_is_refused(mini: Callable[..., Library]) -> None:
    with_it = mini(RIGHT)
    without = replace(with_it, name="other", modes=with_it.modes[:1])
    with pytest.raises(UnknownModeError, match="other has the mode plain"):
        selected([(without, without.cases)], with_it.modes[1].name, ["other"])
