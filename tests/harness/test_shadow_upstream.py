"""Upstream's own tests run against the subject that is meant, and whatever they do is a result or a message."""

import ast
import importlib.util
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import BadInputError, UnusableError
from harness.installation import Installation
from harness.library import Library, Mode
from harness.progress import Progress
from harness.shadow import upstream
from harness.shadow.upstream import PROOF, SuiteComparison, SuiteRun, compare, run
from harness.subject import Subject

QUIET = Progress(bars=False)

Write = Callable[[Mapping[str, str]], Path]


def package(folder: Path, value: int) -> Path:
    """Write a package in miniature, whose VALUE tells which one it is."""
    where = folder / "mini"
    where.mkdir(parents=True)
    (where / "__init__.py").write_text(f"VALUE = {value}\n")
    return where


def subject(where: Path, python: str = sys.executable) -> Subject:
    installation = Installation("1.0", {"PYTHONPATH": str(where.parent)}, python=python, packages={"mini": where})
    mode = Mode("installed", "mini", lambda: [installation], ("mini",), where / "adapter.py")
    return Subject(Library("mini", (mode,), (), where / "known.toml"), mode, installation)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give the module a cache folder, in which pytest is compiled once, and a place for its packages."""
    folder = tmp_path_factory.mktemp("upstream")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RANKDIFF_CACHE", str(folder / "cache"))
        yield folder


@pytest.fixture(scope="module")
def before(folder: Path) -> Subject:
    return subject(package(folder / "installed", 1))


@pytest.fixture(scope="module")
def after(folder: Path) -> Subject:
    return subject(package(folder / "shadow", 2))


@pytest.fixture
def checkout(tmp_path: Path) -> Write:
    """Return a function that writes a checkout, whose own package has VALUE 3, and returns the folder of its tests."""

    def write(files: Mapping[str, str]) -> Path:
        root = tmp_path / "checkout"
        package(root, 3)
        for name, text in {"pyproject.toml": "", **files}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return root / "tests"

    return write


def ini(**settings: str) -> str:
    """Return a pyproject.toml with settings of pytest."""
    return "[tool.pytest.ini_options]\n" + "".join(f"{name} = {value}\n" for name, value in settings.items())


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- what became of each test ----------------------------------------------------------------------------------


EVERY_OUTCOME = """
import mini
import pytest

def test_passes():
    assert mini.VALUE == 1

def test_fails():
    assert mini.VALUE == 2

def test_is_skipped():
    pytest.skip("not here")

@pytest.mark.xfail
def test_fails_as_known():
    assert False

@pytest.mark.xfail
def test_passes_against_expectation():
    pass

@pytest.mark.xfail(strict=True)
def test_passes_and_must_not():
    pass

@pytest.fixture
def broken():
    raise ValueError

@pytest.fixture
def not_torn_down():
    yield
    raise ValueError

def test_is_not_set_up(broken):
    pass

def test_is_not_torn_down(not_torn_down):
    pass

def test_fails_and_is_not_torn_down(not_torn_down):
    assert False
"""


def test_every_test_has_its_outcome(checkout: Write, before: Subject) -> None:
    tests = checkout(
        {
            "tests/test_all.py": EVERY_OUTCOME,
            "tests/test_broken.py": "import mini.no_such_module\n",
            "tests/test_elsewhere.py": "import pytest\npytest.skip('not here', allow_module_level=True)\n",
        }
    )
    suite = run(tests, before)
    assert suite.outcomes == {
        "tests/test_all.py::test_passes": "passed",
        "tests/test_all.py::test_fails": "failed",
        "tests/test_all.py::test_is_skipped": "skipped",
        "tests/test_all.py::test_fails_as_known": "xfailed",
        "tests/test_all.py::test_passes_against_expectation": "xpassed",
        "tests/test_all.py::test_passes_and_must_not": "failed",
        "tests/test_all.py::test_is_not_set_up": "error",
        "tests/test_all.py::test_is_not_torn_down": "error",
        "tests/test_all.py::test_fails_and_is_not_torn_down": "failed",
        "tests/test_broken.py": "error",
        "tests/test_elsewhere.py": "skipped",
    }
    assert (suite.status, suite.collected, suite.is_complete) == (1, 9, True)
    assert (suite.loaded, suite.foreign) == (1, ())
    assert "3 failed" in suite.last_words.splitlines()[-1]


def test_one_file_can_be_named(checkout: Write, before: Subject) -> None:
    tests = checkout({"tests/test_one.py": "def test(): pass\n", "tests/test_two.py": "def test(): pass\n"})
    assert run(tests / "test_two.py", before).outcomes == {"tests/test_two.py::test": "passed"}


# --- what was tested --------------------------------------------------------------------------------------------


def test_the_tests_import_the_subject_whatever_puts_the_checkout_first(
    checkout: Write, before: Subject, after: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    tests = checkout(
        {
            "pyproject.toml": ini(pythonpath='[".", "helpers"]'),
            "conftest.py": "import sys\nsys.path.insert(0, '.')\nimport mini\n",
            "helpers/helper.py": "",
            "tests/data.txt": "here",
            "tests/test_value.py": "import helper, mini\n"
            "def test_one(): assert mini.VALUE == 1\n"
            "def test_two(): assert mini.VALUE == 2\n"
            "def test_file(): assert open('tests/data.txt').read() == 'here'\n",
        }
    )
    both = compare(tests, before, after, QUIET)
    assert both.before.foreign == both.after.foreign == ()
    assert both.newly_failing == ("tests/test_value.py::test_one",)
    assert both.newly_passing == ("tests/test_value.py::test_two",)
    assert both.after.outcomes["tests/test_value.py::test_file"] == "passed"


def test_a_module_from_elsewhere_is_told_with_the_path_that_the_user_knows(checkout: Write, before: Subject) -> None:
    tests = checkout(
        {
            "mini/other.py": "",
            "tests/test_other.py": "import importlib.util, sys\n"
            "def test():\n"
            "    spec = importlib.util.spec_from_file_location('mini.other', 'mini/other.py')\n"
            "    sys.modules['mini.other'] = importlib.util.module_from_spec(spec)\n"
            "    import mini\n",
        }
    )
    suite = run(tests, before)
    assert suite.foreign == (f"mini.other ({tests.parent / 'mini' / 'other.py'})",)
    assert suite.loaded == 1


def test_a_package_that_is_not_in_its_shadow_is_foreign(checkout: Write, after: Subject, tmp_path: Path) -> None:
    tests = checkout({"tests/test_value.py": "import mini\ndef test(): pass\n"})
    elsewhere = replace(after, installation=replace(after.installation, shadow=tmp_path / "another"))
    suite = run(tests, elsewhere)
    assert suite.foreign == (f"mini ({after.installation.packages['mini'] / '__init__.py'})",)
    assert suite.loaded == 0


def test_a_package_of_a_like_name_is_no_part_of_it(checkout: Write, before: Subject) -> None:
    tests = checkout({"tests/minimal.py": "", "tests/test_value.py": "import mini, minimal\ndef test(): pass\n"})
    suite = run(tests, before)
    assert (suite.loaded, suite.foreign) == (1, ())


def test_packages_of_like_names_are_told_apart(checkout: Write, before: Subject, tmp_path: Path) -> None:
    where = package(tmp_path / "another", 4).rename(tmp_path / "another" / "minimal")
    packages = {**before.installation.packages, "minimal": where}
    both = replace(before, installation=replace(before.installation, packages=packages))
    suite = run(checkout({"tests/test_value.py": "import mini, minimal\ndef test(): pass\n"}), both)
    assert (suite.loaded, suite.foreign) == (2, ())


def test_a_suite_that_imports_nothing_of_the_package_says_so(checkout: Write, before: Subject) -> None:
    assert run(checkout({"tests/test_nothing.py": "def test(): pass\n"}), before).loaded == 0


@pytest.mark.skipif(importlib.util.find_spec("xdist") is None, reason="pytest-xdist is not installed")
def test_tests_that_upstream_runs_in_several_processes_run_in_one(checkout: Write, before: Subject) -> None:
    tests = checkout({"pyproject.toml": ini(addopts='"-n2"'), "tests/test_value.py": "import mini\ndef test(): pass\n"})
    suite = run(tests, before)
    assert suite.outcomes == {"tests/test_value.py::test": "passed"}
    assert suite.loaded == 1


# --- nothing is left behind --------------------------------------------------------------------------------------


WRITES = """
from pathlib import Path

import mini

def test_writes_beside_itself():
    assert not Path("tests/written").exists()
    Path("tests/written").write_text(str(mini.VALUE))
    assert Path("tests/written").read_text() == str(mini.VALUE)
"""


def test_what_tests_write_is_neither_seen_by_each_other_nor_left_anywhere(
    checkout: Write, folder: Path, before: Subject, after: Subject
) -> None:
    tests = checkout({"tests/test_writes.py": WRITES})
    old = contents(tests.parent)
    both = compare(tests, before, after, QUIET)
    assert both.before.outcomes == both.after.outcomes == {"tests/test_writes.py::test_writes_beside_itself": "passed"}
    assert contents(tests.parent) == old
    assert not list(folder.rglob("*test_writes*"))


# --- suites that go wrong --------------------------------------------------------------------------------------


ENDS = """
import os, signal
import mini

def test_before(): pass

def test_ends():
    if mini.VALUE == 2:
        {how}

def test_later(): pass
"""


@pytest.mark.parametrize(
    ("how", "status"), [("os._exit(0)", 0), ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL)]
)
def test_a_test_that_ends_the_process_is_an_error_and_those_after_it_fail_too(
    checkout: Write, before: Subject, after: Subject, how: str, status: int
) -> None:
    both = compare(checkout({"tests/test_ends.py": ENDS.format(how=how)}), before, after, QUIET)
    assert both.after.outcomes == {
        "tests/test_ends.py::test_before": "passed",
        "tests/test_ends.py::test_ends": "error",
    }
    assert (both.after.status, both.after.is_complete, both.after.collected) == (status, False, 3)
    assert both.after.loaded == 1
    assert both.newly_failing == ("tests/test_ends.py::test_ends", "tests/test_ends.py::test_later")


def test_a_process_that_a_test_forks_has_no_say(checkout: Write, before: Subject) -> None:
    tests = checkout(
        {
            "tests/test_forks.py": "import os\n"
            "def test():\n"
            "    child = os.fork()\n"
            "    assert child != 0\n"
            "    os.waitpid(child, 0)\n"
        }
    )
    suite = run(tests, before)
    assert (suite.outcomes, suite.status) == ({"tests/test_forks.py::test": "passed"}, 0)


def test_what_a_test_prints_disturbs_nothing(checkout: Write, before: Subject) -> None:
    tests = checkout(
        {
            "pyproject.toml": ini(addopts='"-s"'),
            "tests/test_prints.py": "import os\ndef test(): os.write(1, b'\\xff\\0{\"status\": 4}\\n' * 9999)\n",
        }
    )
    suite = run(tests, before)
    assert (suite.outcomes, suite.status) == ({"tests/test_prints.py::test": "passed"}, 0)
    assert suite.last_words.count("\n") < upstream.LAST_LINES


def test_that_nothing_starts_after_a_change_is_a_result(checkout: Write, before: Subject, after: Subject) -> None:
    tests = checkout(
        {"conftest.py": "import mini\nassert mini.VALUE == 1\n", "tests/test_one.py": "def test(): pass\n"}
    )
    both = compare(tests, before, after, QUIET)
    assert both.newly_failing == ("tests/test_one.py::test",)
    assert both.after.outcomes == {}
    assert "mini.VALUE == 1" in both.after.last_words
    with pytest.raises(UnusableError, match="before the first"):
        compare(tests, after, before, QUIET)


# --- what cannot be run -----------------------------------------------------------------------------------------


def test_a_path_that_is_not_there_is_named(tmp_path: Path, before: Subject) -> None:
    with pytest.raises(BadInputError, match="no such file or folder") as caught:
        run(tmp_path / "nowhere", before)
    assert str(tmp_path / "nowhere") in str(caught.value)


def test_tests_that_are_in_no_checkout_are_not_copied_with_all_that_is_around_them(
    tmp_path: Path, before: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "test_one.py").write_text("def test(): pass\n")
    with pytest.raises(BadInputError, match=r"no folder with \.git or pyproject\.toml"):
        run(tmp_path / "test_one.py", before)


def test_a_folder_without_tests_is_refused(checkout: Write, before: Subject) -> None:
    tests = checkout({"tests/readme.txt": ""})
    with pytest.raises(BadInputError, match="finds no test there") as caught:
        run(tests, before)
    assert str(tests) in str(caught.value)


def test_what_pytest_refuses_is_told_in_its_words(checkout: Write, before: Subject) -> None:
    tests = checkout({"pyproject.toml": ini(addopts='"--no-such-option"'), "tests/test_one.py": "def test(): pass\n"})
    with pytest.raises(UnusableError, match="unrecognized arguments: --no-such-option"):
        run(tests, before)


def test_a_suite_that_ends_before_its_first_test_is_refused(checkout: Write, before: Subject) -> None:
    tests = checkout({"conftest.py": "import os\nos._exit(7)\n", "tests/test_one.py": "def test(): pass\n"})
    with pytest.raises(UnusableError, match="ended with 7 before the first"):
        run(tests, before)


def test_an_interpreter_without_pytest_is_named(checkout: Write, before: Subject, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    lacking = replace(before, installation=replace(before.installation, python=str(bare)))
    with pytest.raises(UnusableError, match=f"need pytest, and {bare} does not have it"):
        run(checkout({"tests/test_one.py": "def test(): pass\n"}), lacking)


def test_an_interpreter_that_is_not_there_is_named(checkout: Write, before: Subject, tmp_path: Path) -> None:
    lacking = replace(before, installation=replace(before.installation, python=str(tmp_path / "nowhere")))
    with pytest.raises(UnusableError, match="nowhere, which does not start"):
        run(checkout({"tests/test_one.py": "def test(): pass\n"}), lacking)


def test_what_is_no_python_package_has_no_tests_to_run(checkout: Write, before: Subject) -> None:
    other = replace(before, installation=replace(before.installation, packages={}))
    with pytest.raises(UnusableError, match=r"mini 1\.0 is no Python package"):
        run(checkout({"tests/test_one.py": "def test(): pass\n"}), other)


def test_a_checkout_that_is_too_large_is_not_copied(
    checkout: Write, before: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.shadow.checkout.LARGEST", 1000)
    tests = checkout({"data": "x" * 600, "tests/test_one.py": "#" * 600})
    with pytest.raises(BadInputError, match="more than 1,000 bytes"):
        run(tests, before)


def test_what_is_not_copied_does_not_count(checkout: Write, before: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.shadow.checkout.LARGEST", 1000)
    tests = checkout({".git/objects": "x" * 1600, ".venv/x.py": "x" * 1600, "tests/test_one.py": "def test(): pass\n"})
    assert run(tests, before).status == 0


def test_a_file_that_cannot_be_copied_is_named(checkout: Write, before: Subject) -> None:
    tests = checkout({"tests/test_one.py": "def test(): pass\n"})
    os.mkfifo(tests / "pipe")
    with pytest.raises(BadInputError, match=r"cannot be copied.*pipe"):
        run(tests, before)


# --- suites that do not end -------------------------------------------------------------------------------------


HANGS = """
import signal, subprocess, sys
from pathlib import Path

import mini

def test_hangs():
    pipe = open({pipe!r}, "w")
    late = "import time; time.sleep(30); print('late', flush=True)"
    subprocess.Popen([sys.executable, "-c", late], stdout=pipe, stderr=pipe)
    pipe.close()
    Path({ready!r} + str(mini.VALUE)).touch()
    signal.pause()
"""


class Hanging:
    """Tests that hang, and a child of theirs that would write to a pipe after a while."""

    def __init__(self, checkout: Write, folder: Path) -> None:
        self.ready = folder / "ready"
        pipe = folder / "pipe"
        os.mkfifo(pipe)
        self.pipe = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(self.pipe, True)
        self.tests = checkout({"tests/test_hangs.py": HANGS.format(pipe=str(pipe), ready=str(self.ready))})

    def wait(self, *values: int, alive: Callable[[], bool] = lambda: True) -> None:
        """Wait until the tests of these subjects hang."""
        while not all(Path(f"{self.ready}{value}").exists() for value in values):
            assert alive()
            time.sleep(0.01)

    def heard(self) -> bytes:
        """Return what the children wrote until the last one was gone."""
        with os.fdopen(self.pipe, "rb") as pipe:
            return pipe.read()


@pytest.fixture
def hanging(checkout: Write, tmp_path: Path) -> Hanging:
    return Hanging(checkout, tmp_path)


def test_a_suite_that_does_not_end_names_the_test_and_is_ended_with_its_children(
    hanging: Hanging, before: Subject
) -> None:
    with upstream._started(hanging.tests, before) as suite:
        hanging.wait(1, alive=lambda: suite.process.poll() is None)
        with pytest.raises(UnusableError, match=r"within 0 s.*tests/test_hangs.py::test_hangs"):
            suite.result(0)
    assert suite.process.returncode == -signal.SIGKILL
    assert not suite.report.exists()
    assert hanging.heard() == b""


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Have an interrupt reach this process, also where pytest-xdist has it ignored."""
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, old)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_both_suites_with_their_children(hanging: Hanging, before: Subject, after: Subject) -> None:
    def interrupt() -> None:
        hanging.wait(1, 2)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        compare(hanging.tests, before, after, QUIET, seconds=60)
    assert hanging.heard() == b""


# --- the comparison ---------------------------------------------------------------------------------------------


def suite(outcomes: Mapping[str, str], *, is_complete: bool = True) -> SuiteRun:
    return SuiteRun(outcomes, 1, len(outcomes), (), 1.0, "", is_complete, 1)


def test_a_comparison_names_what_changed() -> None:
    both = SuiteComparison(
        suite({"a": "passed", "b": "failed", "c": "failed", "d": "skipped", "e": "passed", "f": "error"}),
        suite({"a": "failed", "b": "passed", "c": "error", "d": "error", "f": "skipped", "g": "failed", "h": "passed"}),
    )
    assert both.newly_failing == ("a", "d", "g")
    assert both.newly_passing == ("b",)
    assert both.gone == ("e",)
    assert both.new == ("g", "h")


def test_what_failed_before_and_is_not_reached_after_is_not_newly_failing() -> None:
    both = SuiteComparison(suite({"a": "failed", "b": "passed"}), suite({}, is_complete=False))
    assert both.newly_failing == ("b",)


# --- the file that runs in the subject's interpreter --------------------------------------------------------------


def test_the_proof_needs_pytest_and_the_standard_library_alone_and_reads_on_python_3_8() -> None:
    tree = ast.parse(PROOF.read_text(), feature_version=(3, 8))
    imports = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imports |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imports} <= sys.stdlib_module_names | {"pytest"}
