"""What the items of ``pytest --rankdiff`` make of a report: here the command is a function that prints one."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from packaging.specifiers import SpecifierSet

import by_hand
import miniature
from harness.canaries.canary import Canary
from harness.case import AnyCase
from harness.certificate import Instance
from harness.document import document
from harness.finding import Finding, FindingsFolder, Hunted
from harness.hunt import Hunt
from harness.installation import CHECKOUT, Installation, Unreleased
from harness.ledger import Count, Entry
from harness.plugin.pytest_rankdiff import child, pytest_addoption, pytest_configure
from harness.plugin.pytest_rankdiff.child import BrokenRunError, Ended
from harness.plugin.pytest_rankdiff.report import Report
from harness.plugin.pytest_rankdiff.session import (
    Contract,
    Contracts,
    DivergenceError,
    Run,
    Wanted,
    pytest_ignore_collect,
)
from harness.report import CaseRun
from harness.report import Report as Shown
from harness.report_file import closed
from harness.saving import Saved
from harness.settle import Problem, settle_case
from harness.verdict import Verdict
from trees import lay_out

RIGHT = miniature.case("right")
WRONG = miniature.case("always_wrong")


def ran(case: AnyCase, *counts: dict[Verdict, int]) -> CaseRun:
    """Return a run of a case that shows no mismatch, over a domain for each of the counts."""
    domains = enumerate(counts or [{Verdict.AGREES: 40}])
    certificates = [by_hand.certificate(case, verdicts, domain=f"domain {k}") for k, verdicts in domains]
    return CaseRun(case, "run", certificates=tuple(certificates))


def new(case: AnyCase, cause: str) -> Problem:
    return Problem("new", case.name, "a divergence that is not in the ledger", cause)


# --- the options -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("others", [(), ("--rankdiff=mini",)])
@pytest.mark.parametrize("name", ["--rankdiff", "--rankdiff-subject", "--rankdiff-mode", "--rankdiff-bundles"])
@pytest.mark.parametrize("value", ["", " "])
def test_an_option_that_is_empty_is_refused(name: str, others: tuple[str, ...], value: str) -> None:
    parser = pytest.Parser(_ispytest=True)
    pytest_addoption(parser)
    options = vars(parser.parse([*others, f"{name}={value}"]))
    config = SimpleNamespace(getoption=lambda option: options[option.lstrip("-").replace("-", "_")])
    with pytest.raises(pytest.UsageError, match=f"^{name} expects [^-]*, and was given an empty text; give it a value"):
        pytest_configure(cast("pytest.Config", config))


# --- the items ---------------------------------------------------------------------------------------------------


class Pytest:
    """The part that the plugin takes in a run of pytest, with a command that prints a report and takes notes."""

    def __init__(self, request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.session, self.folder = request.session, folder
        self.asked: list[Sequence[str]] = []
        self.printed: dict[str, object] = {}
        self.runs: list[Run] = []
        monkeypatch.setattr(child, "run", self._run)

    def _run(self, arguments: Sequence[str], _: Path) -> Ended:
        self.asked.append(arguments)
        status = self.printed.get("exit_status", 0) if arguments[0] == "check" else 0
        return Ended(cast("int", status), json.dumps(self.printed), "")

    def run(self, wanted: Wanted, **config: object) -> Run:
        """Take part."""
        invocation = SimpleNamespace(dir=self.folder)
        run = Run(cast("pytest.Config", SimpleNamespace(invocation_params=invocation, **config)), wanted)
        self.runs.append(run)
        return run

    def items(self, shown: Shown, **wanted: Any) -> list[Contract]:
        """Return an item for each contract of the report that the command prints."""
        settings: dict[str, Any] = {"subject": None, "mode": None, "thorough": False, "bundles": None, **wanted}
        run = self.run(Wanted(names=("mini",), **settings))
        listed = [{"case": one.case.name, **one.case.contract.to_json()} for one in shown.cases]
        self.printed = {"cases": listed}
        run.pytest_sessionstart()
        items = Contracts.from_parent(self.session, name="rankdiff", nodeid="rankdiff", run=run).collect()
        run.pytest_collection_finish(cast("pytest.Session", SimpleNamespace(items=items)))
        self.printed = dict(document(shown))
        return items


@pytest.fixture
def plugin(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pytest]:
    made = Pytest(request, tmp_path, monkeypatch)
    yield made
    for run in made.runs:
        run.pytest_unconfigure()


def outcome(item: Contract) -> tuple[str, str]:
    """Return how an item ends, and with which words."""
    try:
        item.runtest()
    except DivergenceError as error:
        return "failed", str(error)
    except pytest.skip.Exception as error:
        return "skipped", str(error)
    return "passed", ""


def text(item: Contract) -> str:
    """Return the words with which an item fails."""
    word, said = outcome(item)
    assert word == "failed"
    return said


def test_what_is_about_no_contract_that_was_run_fails_the_first_and_no_other(plugin: Pytest) -> None:
    shown = by_hand.report(
        ran(RIGHT),
        ran(WRONG),
        problems=(Problem("orphan", "mini/renamed", "no case is called mini/renamed"),),
        disturbances=("a worker was killed",),
        canaries=(by_hand.SONGS[0], Canary("wrong", 17, 0, "it was not caught")),
    )
    first, second = plugin.items(shown)
    assert text(first).splitlines() == [
        "canary: it was not caught",
        "a worker was killed",
        "orphan: no case is called mini/renamed",
    ]
    assert outcome(second) == ("passed", "")


def test_what_only_the_hunt_found_is_told_with_its_input(plugin: Pytest) -> None:
    hunt = Hunt(WRONG, seed=1, examples=9, replayed=0, found=(by_hand.mismatch(WRONG, 777, "beyond"),))
    proved = ran(WRONG).certificates
    [item] = plugin.items(by_hand.report(CaseRun(WRONG, "run", "", proved, hunt, problems=(new(WRONG, "beyond"),))))
    assert '  input       {"n": 777}' in text(item).splitlines()


def test_a_contract_of_which_one_domain_is_offered_is_judged(plugin: Pytest) -> None:
    [item] = plugin.items(by_hand.report(ran(RIGHT, {Verdict.UNSUPPORTED: 40}, {Verdict.AGREES: 40})))
    assert outcome(item) == ("passed", "")


def test_its_properties_count_the_inputs_of_all_domains(plugin: Pytest) -> None:
    [item] = plugin.items(by_hand.report(ran(RIGHT, {Verdict.AGREES: 3}, {Verdict.AGREES: 4, Verdict.UNSPECIFIED: 1})))
    assert outcome(item) == ("passed", "")
    found = dict(item.user_properties)
    assert (found["inputs"], found["agrees"], found["unspecified"]) == ("8", "7", "1")


def test_each_new_divergence_gets_a_bundle_of_its_own_of_what_was_tested(plugin: Pytest) -> None:
    mismatches = [by_hand.mismatch(WRONG, 7, "a"), by_hand.mismatch(WRONG, 8, "b")]
    certificates = (by_hand.certificate(WRONG, {Verdict.DIFFERS: 2}, mismatches),)
    shown = CaseRun(WRONG, "run", certificates=certificates, problems=(new(WRONG, "a"), new(WRONG, "b")))
    [item] = plugin.items(by_hand.report(shown), subject="./", mode="plain", bundles=Path("bundles"))
    told = text(item)
    about = ["--subject=./", "--mode=plain"]
    folder = plugin.folder / "bundles"
    assert [arguments for arguments in plugin.asked if arguments[0] == "bundle"] == [
        ["bundle", "mini/always-wrong", "--cause=a", f"--out={folder}/packaging-1.0-always-wrong", *about],
        ["bundle", "mini/always-wrong", "--cause=b", f"--out={folder}/packaging-1.0-always-wrong-2", *about],
    ]
    assert "  bundle      rankdiff bundle mini/always-wrong --cause=b --subject=./ --mode=plain" in told.splitlines()


def test_a_contract_that_was_not_run_has_no_subject_among_its_properties(plugin: Pytest) -> None:
    shown = by_hand.report(CaseRun(RIGHT, "not_run", "packaging is not installed"))
    [item] = plugin.items(replace(shown, libraries=(replace(shown.libraries[0], subject=None),)))
    outcome(item)
    found = dict(item.user_properties)
    assert (found["mode"], found["inputs"]) == ("plain", "0")
    assert not {"subject", "version"} & set(found)


def showing(*mismatches: Instance) -> Shown:
    """Return a report of a domain with these mismatches, of which the ledger knows none."""
    certificates = (by_hand.certificate(WRONG, {Verdict.DIFFERS: len(mismatches)}, mismatches),)
    problems = tuple(new(WRONG, one.ruling.cause) for one in mismatches)
    return by_hand.report(CaseRun(WRONG, "run", certificates=certificates, problems=problems))


def save(plugin: Pytest, instance: Instance, **fields: Any) -> Saved:
    """Save a mismatch below the folder that pytest was started in."""
    finding = Finding(instance, by_hand.subject(), Hunted(1), **fields)
    return Saved(finding, FindingsFolder(plugin.folder / "saved").save(finding).relative_to(plugin.folder))


def saved_rows(item: Contract) -> list[str]:
    """Return the causes that an item tells, and what it says of the folders of each, in its order."""
    rows = [line.strip() for line in text(item).splitlines()]
    return [row.removeprefix("saved       ") for row in rows if row.startswith(("saved", "mini/"))]


def test_each_cause_is_told_with_the_folder_of_its_own_mismatch(plugin: Pytest) -> None:
    mismatches = [by_hand.mismatch(WRONG, 7, "a"), by_hand.mismatch(WRONG, 8, "b")]
    saved = tuple(save(plugin, one, confirmations=(True,)) for one in mismatches)
    [item] = plugin.items(replace(showing(*mismatches), saved=saved))
    assert saved_rows(item) == [
        "mini/always-wrong: a divergence that is not in the ledger, 'a'",
        f"{saved[0].folder}: confirmed in a fresh process",
        "mini/always-wrong: a divergence that is not in the ledger, 'b'",
        f"{saved[1].folder}: confirmed in a fresh process",
    ]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"confirmations": (True, False)}, "a fresh process did not show it"),
        ({"unable": "no module is called x"}, "it could not run: no module is called x"),
        ({}, "it was not run"),
    ],
)
def test_what_was_not_confirmed_is_told_with_the_reason(plugin: Pytest, fields: dict[str, Any], reason: str) -> None:
    mismatch = by_hand.mismatch(WRONG, 7, "a")
    saved = save(plugin, mismatch, **fields)
    [item] = plugin.items(replace(showing(mismatch), saved=(saved,)))
    assert saved_rows(item)[1:] == [f"{saved.folder}: not confirmed: {reason}"]


def test_a_folder_that_was_removed_meanwhile_is_told_without_a_reason(plugin: Pytest) -> None:
    mismatch = by_hand.mismatch(WRONG, 7, "a")
    saved = replace(save(plugin, mismatch), folder=Path("removed"))
    [item] = plugin.items(replace(showing(mismatch), saved=(saved,)))
    assert saved_rows(item)[1:] == ["removed: not confirmed"]


def test_whoever_tests_a_checkout_that_mends_a_divergence_reads_that_it_does(plugin: Pytest) -> None:
    entry = Entry(
        RIGHT.name,
        SpecifierSet(">=1"),
        "tripling",
        "unreported",
        "it triples",
        date(2199, 1, 1),
        (Count("domain 0", {}, {4: 34}),),
        Path("known.toml"),
        3,
    )
    checkout = replace(by_hand.subject(), installation=Installation("1.0", unreleased=Unreleased(CHECKOUT)))
    [gone] = settle_case(checkout, [entry], ran(RIGHT).certificates, None)
    [item] = plugin.items(by_hand.report(replace(ran(RIGHT), problems=(gone,))))
    told = text(item)
    assert told.startswith("gone: packaging 1.0, a checkout")
    assert "the divergence known as 'tripling' is gone: what is in it mends that, and nothing else differs. " in told
    assert "Once it is released, `rankdiff ledger --accept mini/right` ends the entry (known.toml, line 3)" in told


class Terminal:
    """A terminal's reporter that keeps the lines."""

    def __init__(self, verbosity: int) -> None:
        self.verbosity = verbosity
        self.lines: list[str] = []

    def ensure_newline(self) -> None:
        """End the line."""

    def write_line(self, line: str) -> None:
        """Keep a line."""
        self.lines.append(line)


@pytest.mark.parametrize(
    ("verbosity", "lines"), [(0, ["rankdiff: running 2 contracts of mini"]), (-1, [])], ids=["usual", "quiet"]
)
def test_the_first_item_says_what_it_waits_for_unless_pytest_is_quiet(
    plugin: Pytest, monkeypatch: pytest.MonkeyPatch, verbosity: int, lines: list[str]
) -> None:
    terminal = Terminal(verbosity)
    plugins = SimpleNamespace(get_plugin={"terminalreporter": terminal}.get)
    for item in plugin.items(by_hand.report(ran(RIGHT), ran(WRONG))):
        monkeypatch.setattr(item, "config", SimpleNamespace(pluginmanager=plugins))
        item.run.pytest_runtest_protocol(item)
        assert outcome(item) == ("passed", "")
    assert terminal.lines == lines


# --- what earlier runs saved -------------------------------------------------------------------------------------


def test_a_folder_with_a_finding_and_its_script_is_not_collected(tmp_path: Path) -> None:
    lay_out(tmp_path, dict.fromkeys(("finding.json", "repro.py", "test_regression.py"), ""))
    assert pytest_ignore_collect(tmp_path) is True


@pytest.mark.parametrize("name", ["finding.json", "repro.py"])
def test_a_folder_with_one_of_them_is_left_to_others_to_judge(tmp_path: Path, name: str) -> None:
    lay_out(tmp_path, dict.fromkeys((name, "test_own.py"), ""))
    assert pytest_ignore_collect(tmp_path) is None


# --- its folder --------------------------------------------------------------------------------------------------

NOTHING = Wanted((), None, None, thorough=False, bundles=None)


def test_the_folder_for_results_is_removed_in_the_end(
    plugin: Pytest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    run = plugin.run(NOTHING)
    assert list(tmp_path.iterdir()) == [run.folder]
    run.pytest_unconfigure()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_another_process_shares_is_left_to_it(plugin: Pytest, tmp_path: Path) -> None:
    run = plugin.run(NOTHING, workerinput={"rankdiff": json.dumps([[], str(tmp_path)])})
    run.pytest_unconfigure()
    assert run.folder == tmp_path
    assert tmp_path.is_dir()


# --- what is no report -------------------------------------------------------------------------------------------

WHOLE = document(by_hand.report(ran(RIGHT)))


def refused(part: dict[str, Any], status: int = 0) -> None:
    with pytest.raises(BrokenRunError, match="should print a whole report with schema = 1"):
        Report.of(Ended(status, json.dumps(part), ""), ["check"], [RIGHT.name])


def test_a_whole_report_is_read() -> None:
    report = Report.of(Ended(0, json.dumps(WHOLE), ""), ["check"], [RIGHT.name])
    assert report.seen[RIGHT.name].is_run


def test_a_report_without_its_closing_record_is_refused() -> None:
    refused({name: value for name, value in WHOLE.items() if name != "closing"})


@pytest.mark.parametrize("name", [name for name in WHOLE if name not in {"schema", "exit_status", "closing"}])
def test_a_report_that_was_edited_anywhere_is_refused(name: str) -> None:
    value = cast("Any", WHOLE[name])
    refused({**WHOLE, name: [*value, value] if isinstance(value, list) else "edited"})


def test_a_report_of_another_schema_is_refused() -> None:
    refused(closed({**WHOLE, "schema": 2}))


def test_a_report_of_a_run_that_ended_otherwise_is_refused() -> None:
    refused(WHOLE, status=1)


def test_a_word_before_a_report_makes_it_none() -> None:
    with pytest.raises(BrokenRunError, match="`rankdiff check` should print one whole JSON document; it ended with 0"):
        Report.of(Ended(0, "a word too many\n" + json.dumps(WHOLE), ""), ["check"], [RIGHT.name])


REFUSED = "rankdiff: no case is called mini/rihgt;\ndid you mean mini/right?"


@pytest.mark.parametrize("before", ["", "a note\n"])
def test_what_the_command_says_to_its_user_is_the_whole_message(before: str) -> None:
    with pytest.raises(BrokenRunError) as raised:
        Report.of(Ended(2, "", f"{before}{REFUSED}\n"), ["check"], [RIGHT.name])
    assert str(raised.value) == REFUSED


def test_a_refusal_to_list_is_an_error_of_usage_in_the_same_words(
    plugin: Pytest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "run", lambda *_: Ended(2, "", REFUSED))
    with pytest.raises(pytest.UsageError) as raised:
        plugin.run(NOTHING).pytest_sessionstart()
    assert str(raised.value) == REFUSED


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (1, REFUSED),
        (2, "the adapter says rankdiff: nothing"),
        (2, "Traceback (most recent call last):\n  ...\nZeroDivisionError\nrankdiff: this is a fault of rankdiff"),
    ],
    ids=["another status", "within a line", "a fault"],
)
def test_what_is_not_said_to_the_user_is_told_with_the_command(status: int, said: str) -> None:
    with pytest.raises(BrokenRunError) as raised:
        Report.of(Ended(status, "", said), ["check"], [RIGHT.name])
    expected = f"`rankdiff check` should print one whole JSON document; it ended with {status}: {said}"
    assert str(raised.value) == expected
