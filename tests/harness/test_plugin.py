"""``pytest --rankdiff`` in a project of somebody else, which has packages of the names of ours."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import layered
import toyrank
from trees import lay_out

TESTS = Path(__file__).parents[1]

TOY = f"""\
import os, sys, time
from pathlib import Path

sys.path.append({str(TESTS)!r})
import miniature
from harness.case import Contract

def note(text):
    with open(os.environ["TOY_LOG"], "a") as log:
        log.write(text + "\\n")

note(f"{{os.getpid()}} {{' '.join(sys.argv[1:])}}")
IS_CHECK = sys.argv[1] == "check"
if IS_CHECK and os.environ.get("TOY") == "ends":
    print("the toy is broken", file=sys.stderr)
    os._exit(2)
if IS_CHECK and os.environ.get("TOY") == "waits":
    time.sleep(600)

def case(name, call, *modes):
    contract = Contract("a number is doubled, and 5 is refused", source="a file \x1b[2J of tests")
    return miniature.case(call, name=f"mini/{{name}}", modes=modes, contract=contract)

MODES = (
    miniature.mode(),
    miniature.mode("elsewhere", distribution="not-there"),
    miniature.mode("broken", adapter=miniature.HERE / "adapter_that_does_not_import.py"),
)
LIBRARY = miniature.library(
    Path(__file__).with_name("known.toml"),
    case("right", "right", "plain"),
    case("known", "tripled", "plain"),
    case("gone", "right_as_int", "plain"),
    case("new", "wrong_at_13", "plain"),
    case("absent", "right", "elsewhere"),
    case("broken", "right", "broken"),
    case("unoffered", "unsupported", "plain"),
    modes=MODES,
)
"""

ENTRY = """\
[[known]]
case = "mini/{name}"
versions = ">=1"
cause = "tripling"
upstream = "https://example.org/7"
says = "three is the new two"
review = 2199-01-01
counts = [{{ domain = "numbers", parameters = {{}}, mismatches = {{ 1 = 1, 2 = 1, 3 = 1, 4 = 34 }} }}]
"""
"""Tripled are all of 40 numbers but 0, of which the triple is the double, 5, which is refused, and 39, of which nothing
is said: those of the sizes 1 to 3, and 34 of the 36 of size 4."""

CONFTEST = """\
import sys

started = []
sys.addaudithook(lambda event, args: started.append(event) if event == "subprocess.Popen" else None)

def pytest_unconfigure():
    print("imported", sorted(name for name in sys.modules if "rankdiff" in name), "started", len(started))
"""

PROJECT = {
    **{
        f"{name}/__init__.py": f"raise RuntimeError('the other {name}')\n" for name in ("harness", "cases", "reference")
    },
    "test_own.py": "def test_own():\n    pass\n",
    "conftest.py": CONFTEST,
}

Pytest = Callable[..., subprocess.CompletedProcess[str]]

OUTCOME = {"failure": "failed", "skipped": "skipped", "error": "error"}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the toy's cases into an environment of their own."""
    python = layered.environment(tmp_path_factory.mktemp("environment") / "venv")
    ledger = "schema = 1\n" + ENTRY.format(name="known") + ENTRY.format(name="gone")
    offers = "[rankdiff.cases]\nmini = toy_cases:LIBRARY\n"
    layered.install(python, "toy", {"toy_cases.py": TOY, "known.toml": ledger}, offers)
    return python


class Project:
    """A project that has its own `harness`, `cases` and `reference`, on its path."""

    def __init__(self, folder: Path, python: Path) -> None:
        self.folder = lay_out(folder / "project", PROJECT)
        self.log = folder / "log"
        self.log.touch()
        self.command = [str(python), "-m", "pytest", "-p", "no:hypothesispytest", "-rA"]
        ours = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
        self.environment = {
            **ours,
            "PYTHONPATH": str(self.folder),
            "RANKDIFF_CACHE": str(python.parents[2] / "cache"),
            "TOY_LOG": str(self.log),
        }

    def pytest(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run pytest there."""
        return subprocess.run(
            [*self.command, *arguments],
            cwd=self.folder,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def start(self, *arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
        """Start pytest there."""
        return subprocess.Popen(
            [*self.command, *arguments],
            cwd=self.folder,
            env={**self.environment, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def commands(self, name: str) -> list[list[str]]:
        """Return the commands of this name that were run, each with the number of its process first."""
        lines = [line.split() for line in self.log.read_text().splitlines()]
        return [line for line in lines if line[1] == name]


@pytest.fixture
def project(tmp_path: Path, python: Path) -> Project:
    return Project(tmp_path, python)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, python: Path) -> tuple[Project, str]:
    """Run all contracts of the toy once, and return what was printed."""
    project = Project(tmp_path_factory.mktemp("whole"), python)
    done = project.pytest("--rankdiff", "mini", "--junit-xml=junit.xml", "--rankdiff-bundles=bundles")
    assert done.returncode == 1, done.stdout + done.stderr
    return project, done.stdout


@pytest.fixture(scope="module")
def junit(whole: tuple[Project, str]) -> dict[str, ET.Element]:
    """Return what JUnit's file says of each item of that run."""
    document = ET.parse(whole[0].folder / "junit.xml")  # noqa: S314 - we made it
    return {case.attrib["name"]: case for case in document.iter("testcase")}


def outcome(case: ET.Element) -> str:
    return next((OUTCOME[part.tag] for part in case if part.tag in OUTCOME), "passed")


def told(case: ET.Element) -> str:
    return next(part.text or "" for part in case if part.tag in OUTCOME)


def test_without_an_option_it_imports_nothing_starts_nothing_and_collects_nothing(project: Project) -> None:
    done = project.pytest()
    assert "imported ['pytest_rankdiff'] started 0" in done.stdout
    assert "1 passed" in done.stdout


def test_with_only_an_option_about_others_it_says_which_is_missing(project: Project) -> None:
    done = project.pytest("--rankdiff-thorough")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "expect --rankdiff NAME or --rankdiff-subject" in done.stderr


def bundle(text: str) -> dict[str, str]:
    """Return the files of a bundle with this test."""
    return {"finding.json": "{}", "repro.py": "", "test_regression.py": text}


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory, python: Path) -> tuple[Project, list[str]]:
    """Collect in a project with two bundles, of which one is named; return the names of the items."""
    project = Project(tmp_path_factory.mktemp("collected"), python)
    lay_out(project.folder / "bundles/of-yesterday", bundle("raise RuntimeError('that of a bundle')\n"))
    lay_out(project.folder / "named", bundle("def test_named():\n    pass\n"))
    done = project.pytest("--rankdiff", "mini", "--collect-only", "-q", "test_own.py", "bundles", "named")
    assert done.returncode == 0, done.stdout + done.stderr
    return project, re.findall(r"^\S+::\S+$", done.stdout, re.MULTILINE)


def test_collecting_lists_each_contract_by_its_name_and_runs_nothing(collected: tuple[Project, list[str]]) -> None:
    project, items = collected
    names = ["right", "known", "gone", "new", "absent", "broken", "unoffered"]
    assert [item for item in items if item.startswith("rankdiff")] == [f"rankdiff::mini/{name}" for name in names]
    assert project.commands("check") == []


def test_the_test_of_a_bundle_is_collected_only_if_it_is_named(collected: tuple[Project, list[str]]) -> None:
    own = [item for item in collected[1] if not item.startswith("rankdiff")]
    assert own == ["test_own.py::test_own", "named/test_regression.py::test_named"]


def test_the_project_s_own_tests_run_beside_it(junit: dict[str, ET.Element]) -> None:
    assert outcome(junit["test_own"]) == "passed"


def test_all_contracts_of_a_library_are_run_at_once(whole: tuple[Project, str]) -> None:
    assert [line[-1] for line in whole[0].commands("check")] == ["mini"]


def test_a_contract_that_holds_passes(junit: dict[str, ET.Element]) -> None:
    assert outcome(junit["mini/right"]) == "passed"


def test_a_known_divergence_is_an_expected_failure_with_the_words_of_the_ledger(whole: tuple[Project, str]) -> None:
    assert "XFAIL rankdiff::mini/known - three is the new two (https://example.org/7)" in whole[1]


def test_a_known_divergence_that_is_gone_fails_and_is_called_gone(junit: dict[str, ET.Element]) -> None:
    assert outcome(junit["mini/gone"]) == "failed"
    assert told(junit["mini/gone"]).startswith("gone: ")


@pytest.mark.parametrize(
    "row",
    [
        "mini/new: a divergence that is not in the ledger, 'another value'",
        "  contract    a number is doubled, and 5 is refused",
        "  source      a file \\x1b[2J of tests",
        '  input       {"n": 13}',
        "  documented  26",
        "  observed    27",
        "  verdict     differs, follows no convention that is named",
        "  how many    1 of 40 inputs",
        "  bundle      rankdiff bundle mini/new '--cause=another value'",
    ],
)
def test_a_new_divergence_fails_with_the_finding_as_its_text(junit: dict[str, ET.Element], row: str) -> None:
    assert outcome(junit["mini/new"]) == "failed"
    assert row in told(junit["mini/new"]).splitlines()


def test_a_new_divergence_is_saved_where_pytest_was_started(whole: tuple[Project, str]) -> None:
    assert len(list(whole[0].folder.glob("rankdiff-findings/*new*/repro.py"))) == 1


def test_the_folder_of_a_new_divergence_is_told_and_that_it_was_confirmed(whole: tuple[Project, str]) -> None:
    [script] = whole[0].folder.glob("rankdiff-findings/*new*/repro.py")
    row = f"  saved       {script.parent.relative_to(whole[0].folder)}: confirmed in a fresh process"
    assert row in whole[1].splitlines()


def test_what_is_waited_for_is_said_once_before_it_runs(whole: tuple[Project, str]) -> None:
    lines = [line for line in whole[1].splitlines() if line.startswith("rankdiff")]
    assert lines[0] == "rankdiff: running 7 contracts of mini"
    assert lines.count(lines[0]) == 1


def test_a_bundle_of_it_is_saved_among_those_that_were_asked_for(whole: tuple[Project, str]) -> None:
    [finding] = whole[0].folder.glob("bundles/packaging-*-new/finding.json")
    assert json.loads(finding.read_text())["case"] == "mini/new"


def test_a_known_divergence_gets_no_bundle(whole: tuple[Project, str]) -> None:
    assert len(list(whole[0].folder.glob("bundles/*"))) == 1


def test_a_contract_whose_library_is_absent_is_skipped_with_the_reason(junit: dict[str, ET.Element]) -> None:
    assert outcome(junit["mini/absent"]) == "skipped"
    assert "not-there" in told(junit["mini/absent"])


def test_a_contract_that_the_release_does_not_offer_is_skipped_with_the_reason(junit: dict[str, ET.Element]) -> None:
    assert outcome(junit["mini/unoffered"]) == "skipped"
    assert "does not offer it" in told(junit["mini/unoffered"])


def test_a_library_that_is_there_and_cannot_be_used_fails(junit: dict[str, ET.Element]) -> None:
    assert outcome(junit["mini/broken"]) == "failed"
    assert told(junit["mini/broken"]).startswith("cannot run: ")


def test_properties_say_what_was_tested_and_how_many_inputs_got_each_verdict(junit: dict[str, ET.Element]) -> None:
    found = {one.attrib["name"]: one.attrib["value"] for one in junit["mini/new"].iter("property")}
    assert found["subject"] == f"packaging {found['version']}"
    assert (found["mode"], found["inputs"]) == ("plain", "40")
    assert (found["agrees"], found["differs"], found["unspecified"]) == ("38", "1", "1")


def test_a_run_of_named_contracts_that_is_as_the_ledger_says_passes_in_the_mode_that_was_asked_for(
    project: Project,
) -> None:
    names = ("--rankdiff", "mini/right", "--rankdiff", "mini/known")
    done = project.pytest(*names, "--rankdiff-mode", "plain", "--rankdiff-thorough")
    assert (done.returncode, "2 passed, 1 xfailed" in done.stdout) == (0, True), done.stdout
    [[_, *command]] = project.commands("check")
    assert command == ["check", "--json", "--mode=plain", "--thorough", "--", "mini/right", "mini/known"]


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory, python: Path) -> str:
    """Run, with `--runxfail`, contracts that were named, and return what was printed."""
    project = Project(tmp_path_factory.mktemp("named"), python)
    names = (f"--rankdiff=mini/{name}" for name in ("known", "absent", "unoffered"))
    return project.pytest(*names, "--runxfail").stdout


def test_runxfail_makes_a_known_divergence_fail_with_its_text(named: str) -> None:
    assert "mini/known: a divergence that is known to the ledger, 'tripling'" in named
    assert "FAILED rankdiff::mini/known" in named


@pytest.mark.parametrize("name", ["absent", "unoffered"])
def test_a_contract_that_was_named_and_not_run_fails(named: str, name: str) -> None:
    assert f"FAILED rankdiff::mini/{name}" in named


def test_a_library_of_which_nothing_could_be_run_fails(project: Project) -> None:
    done = project.pytest("--rankdiff", "mini", "-k", "absent")
    assert "none of its contracts could be run" in done.stdout
    assert done.returncode == 1


def test_only_what_k_selects_is_run(project: Project) -> None:
    done = project.pytest("--rankdiff", "mini", "-k", "known or right")
    assert [line[line.index("--") + 1 :] for line in project.commands("check")] == [["mini/right", "mini/known"]]
    assert "1 passed, 6 deselected, 1 xfailed" in done.stdout


def test_the_last_that_failed_are_run_again_alone(whole: tuple[Project, str], project: Project) -> None:
    project.pytest("--rankdiff", "mini", "--lf", f"-ocache_dir={whole[0].folder / '.pytest_cache'}")
    assert [line[-3:] for line in project.commands("check")] == [["mini/gone", "mini/new", "mini/broken"]]


def test_x_stops_at_the_first_failure(project: Project) -> None:
    done = project.pytest("--rankdiff", "mini", "-x", "-p", "no:randomly")
    assert "1 failed, 2 passed, 1 xfailed" in done.stdout


def test_two_processes_of_xdist_share_one_run(project: Project) -> None:
    temporary = project.folder / "temporary"
    temporary.mkdir()
    done = project.pytest("--rankdiff", "mini", "-n", "2", "--dist", "load", TMPDIR=str(temporary))
    assert "3 failed, 2 passed, 2 skipped, 1 xfailed" in done.stdout
    assert [len(project.commands(name)) for name in ("cases", "check")] == [1, 1]
    assert list(temporary.glob("rankdiff-*")) == []
    assert "rankdiff: running" not in done.stdout


def test_a_name_that_is_none_is_a_usage_error_that_names_the_nearest_and_steers_no_terminal(project: Project) -> None:
    done = project.pytest("--rankdiff", "mini/rihgt\x1b[2J")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert done.stderr.startswith("ERROR: rankdiff: ")
    assert "did you mean mini/right" in done.stderr
    assert "should print" not in done.stderr
    assert "\x1b[2J" not in done.stdout + done.stderr


def test_a_run_that_could_not_be_done_is_one_failure_and_no_internal_error(project: Project) -> None:
    done = project.pytest("--rankdiff", "mini", TOY="ends")
    assert "1 failed, 1 passed, 6 skipped" in done.stdout
    assert "the toy is broken" in done.stdout


def right_wheel(folder: Path) -> Path:
    """Write version 2.0 of the library of the page, which is right."""
    path = folder / "toyrank-2.0-py3-none-any.whl"
    info = "toyrank-2.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("toyrank.py", toyrank.LIBRARY.replace("min(k, len(relevant))", "k"))
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: toyrank\nVersion: 2.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


def test_another_release_is_tested_by_its_subject_alone(tmp_path: Path) -> None:
    project = Project(tmp_path, toyrank.installed(tmp_path))
    done = project.pytest(f"--rankdiff-subject={right_wheel(tmp_path)}", "--junit-xml=junit.xml")
    assert "PASSED rankdiff::toyrank/precision" in done.stdout
    assert '<property name="version" value="2.0" />' in (project.folder / "junit.xml").read_text()


def test_a_wheel_has_the_plugin_at_its_top_and_nowhere_else(tmp_path: Path) -> None:
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", f"--wheel-dir={tmp_path}")
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(TESTS.parent)], check=True)
    [wheel] = tmp_path.glob("rankdiff-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    found = [name for name in names if name.endswith(("session.py", "child.py")) and "environments" not in name]
    assert sorted(found) == ["pytest_rankdiff/child.py", "pytest_rankdiff/session.py"]


def is_there(number: int) -> bool:
    status = Path(f"/proc/{number}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture
def waiting(project: Project) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """Start pytest with a check that does not end, and return it with the number of the command's process."""
    process = project.start("--rankdiff", "mini", TOY="waits")
    try:
        while not project.commands("check"):
            assert process.poll() is None
            time.sleep(0.05)
        yield process, int(project.commands("check")[0][0])
    finally:
        process.kill()
        process.wait()


def test_an_interrupt_ends_the_command(waiting: tuple["subprocess.Popen[bytes]", int]) -> None:
    process, command = waiting
    process.send_signal(signal.SIGINT)
    assert process.wait() == pytest.ExitCode.INTERRUPTED
    assert not is_there(command)


def test_the_command_ends_when_pytest_is_killed(waiting: tuple["subprocess.Popen[bytes]", int]) -> None:
    process, command = waiting
    process.kill()
    process.wait()
    while is_there(command):  # a command that stays would keep this test here
        time.sleep(0.05)
