"""Our patches, and the controls that are wrong on purpose: the first agree on every domain, the others are caught."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import pytest

import patched
from cases.lenskit import log_rbp
from cases.lenskit.library import HERE, LIBRARY
from cases.lenskit.lists import HitList, Lists
from harness.case import AnyCase, AnyDomain
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.finding import FindingsFolder
from harness.limits import DEFAULT
from harness.progress import Progress
from harness.run import CaseRun, Options, Report, check
from harness.subject import Subject
from harness.verdict import Verdict

PATCHES = HERE / "patches"
PATCH = PATCHES / "log-rbp.patch"
PATCH_2026 = PATCHES / "log-rbp-2026.patch"

INSTALLED = importlib.util.find_spec("lenskit")

pytestmark = pytest.mark.skipif(INSTALLED is None, reason="lenskit is not installed")

Make = Callable[..., patched.Copy]


def package() -> Path:
    """Return where the installed package is."""
    assert INSTALLED is not None
    assert INSTALLED.submodule_search_locations is not None
    return Path(INSTALLED.submodule_search_locations[0])


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Return a function that copies lenskit and applies patches."""

    def made(*patches: Path, of: Path | None = None) -> patched.Copy:
        return patched.copy(of or package(), patches, tmp_path_factory.mktemp("copy"))

    return made


@pytest.fixture(scope="module")
def as_subject(tmp_path_factory: pytest.TempPathFactory) -> Callable[[patched.Copy], Subject]:
    """Return a function that makes a subject of a copy."""
    bytecode = tmp_path_factory.mktemp("bytecode")
    return lambda of: patched.subject(LIBRARY, of, bytecode, metadata.version("lenskit"), sys.executable)


@pytest.fixture(scope="module")
def right(make: Make, as_subject: Callable[[patched.Copy], Subject]) -> Subject:
    return as_subject(make(PATCH))


# --- the patch -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs(right: Subject, tmp_path_factory: pytest.TempPathFactory) -> dict[str, CaseRun]:
    return {run.case.name: run for run in checked(right, tmp_path_factory).cases}


def checked(subject: Subject, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Run every case on a patched subject, over every domain and beyond."""
    findings = FindingsFolder(tmp_path_factory.mktemp("findings"))
    options = Options(thorough=True, examples=100, findings=findings)
    report = check([(subject.library, subject.library.cases)], options, Progress(bars=False))
    assert report.obstacles == []
    return report


@pytest.mark.parametrize("case", log_rbp.CASES, ids=lambda case: case.short_name)
def test_the_patch_agrees_on_every_domain(case: AnyCase, runs: dict[str, CaseRun]) -> None:
    run = runs[case.name]
    assert len(run.certificates) == len(case.domains)
    for certificate in run.certificates:
        seen = certificate.tally.verdicts()
        assert certificate.exhausted
        assert set(seen) <= {Verdict.AGREES, Verdict.UNDECIDABLE, Verdict.UNSPECIFIED}
        assert seen[Verdict.AGREES] > seen[Verdict.UNDECIDABLE]
    assert run.hunt is None or not run.hunt.found


def test_the_patch_changes_nothing_else(runs: dict[str, CaseRun]) -> None:
    assert [problem.text for run in runs.values() for problem in run.problems] == []


def test_the_copy_is_what_was_tested(right: Subject) -> None:
    with Executor(right, DEFAULT) as executor:
        hello = executor.start()
    sources = right.installation.environment["PYTHONPATH"]
    paths = [module.path for module in hello.modules if not module.path.endswith(".so")]
    assert "lenskit.metrics.ranking._logrbp" in {module.name for module in hello.modules}
    assert all(path.startswith(sources) for path in paths)


# --- the controls ----------------------------------------------------------------------------------------------

USUAL = "0.85"
HIT = HitList((1,), 1, 0, USUAL)

EDGES, PATTERNS, *_, SINGLE_HITS = log_rbp.LOG_RBP.domains
COLLECTIONS = log_rbp.LOG_RBP_SUMMARY.domains[0]

CONTROLS: dict[str, tuple[AnyDomain, NamedTuple, str]] = {
    "exponent-r": (EDGES, HIT, "exponent r instead of r - 1"),
    "forgets-one-minus-p": (EDGES, HIT, "without ln(1 - p)"),
    "log2": (EDGES, HIT, "logarithm to base 2"),
    "max-for-logsumexp": (PATTERNS, HitList((1, 2), 2, 0, USUAL), "the largest term instead of the sum"),
    "log-of-rbp": (SINGLE_HITS, HitList((4574,), 4574, 0, USUAL), "the logarithm of an RBP that underflowed"),
    "mean-of-logs": (COLLECTIONS, Lists((1, 0), USUAL), "mean of the logs"),
    "drops-minus-infinity": (COLLECTIONS, Lists((0,), USUAL), "lists of RBP 0 left out"),
    "list-metric": (COLLECTIONS, Lists((None,), USUAL), "undefined lists filled with 0"),
    "counts-nan": (COLLECTIONS, Lists((None,), USUAL), "undefined lists counted as 0"),
}
"""By control: the domain that catches it, the smallest input that shows its mistake, and that mistake."""


def test_there_is_a_test_for_every_control() -> None:
    assert {path.stem for path in (PATCHES / "controls").glob("*.patch")} == set(CONTROLS)


@pytest.mark.parametrize("name", CONTROLS)
def test_every_control_is_caught(name: str, make: Make, as_subject: Callable[[patched.Copy], Subject]) -> None:
    domain, x, cause = CONTROLS[name]
    case = log_rbp.LOG_RBP_SUMMARY if domain is COLLECTIONS else log_rbp.LOG_RBP
    control = as_subject(make(PATCH, PATCHES / "controls" / f"{name}.patch"))
    with Executor(control, DEFAULT) as executor:
        certificate = exhaust(case, domain, executor, Watch())
    assert certificate.exhausted
    _, instance = certificate.smallest_by_cause[cause]
    assert instance.x == x


# --- the tests that the patches bring --------------------------------------------------------------------------


def upstream_tests(of: patched.Copy, python: str, *path: Path) -> int:
    """Run the tests of a copy in a process of their own, to the first that fails; return pytest's exit status."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (of.sources, *path)))}
    command = [python, "-P", "-m", "pytest", "-qx", "-p", "no:cacheprovider", "--rootdir", str(of.tree)]
    return subprocess.run(
        [*command, str(of.tree / "tests")], env=environment, cwd=of.tree, capture_output=True, check=False
    ).returncode


def test_the_tests_of_the_patch_pass(make: Make) -> None:
    assert upstream_tests(make(PATCH), sys.executable) == pytest.ExitCode.OK


@pytest.mark.parametrize("name", CONTROLS)
def test_the_tests_of_the_patch_catch_every_control(name: str, make: Make) -> None:
    control = make(PATCH, PATCHES / "controls" / f"{name}.patch")
    assert upstream_tests(control, sys.executable) == pytest.ExitCode.TESTS_FAILED


# --- the newest release ----------------------------------------------------------------------------------------

FILES = os.environ.get("RANKDIFF_LENSKIT_2026", "")
PYTHON = os.environ.get("RANKDIFF_LENSKIT_2026_PYTHON", "")
STAND_INS = Path(__file__).parents[1] / "stand_ins"

with_files = pytest.mark.skipif(not FILES, reason="RANKDIFF_LENSKIT_2026 names no release: see docs/lenskit.md")
with_python = pytest.mark.skipif(
    not FILES or not PYTHON, reason="RANKDIFF_LENSKIT_2026_PYTHON names no interpreter: see docs/lenskit.md"
)


@with_files
def test_the_second_patch_applies_to_the_newest_release(make: Make) -> None:
    tree = make(PATCH_2026, of=Path(FILES) / "lenskit").tree
    assert (tree / "src/lenskit/metrics/ranking/_logrbp.py").is_file()
    assert "LogRBP" in (tree / "src/lenskit/metrics/__init__.py").read_text()


@with_files
def test_the_first_patch_does_not(make: Make) -> None:
    with pytest.raises(subprocess.CalledProcessError) as caught:
        make(PATCH, of=Path(FILES) / "lenskit")
    assert b"patch does not apply" in caught.value.stderr


@with_python
def test_the_second_patch_agrees_on_every_domain_and_changes_nothing_else(
    make: Make, tmp_path_factory: pytest.TempPathFactory
) -> None:
    of = make(PATCH_2026, of=Path(FILES) / "lenskit")
    (metadata_of,) = metadata.distributions(name="lenskit", path=[FILES])
    bytecode = tmp_path_factory.mktemp("bytecode")
    found = patched.subject(LIBRARY, of, bytecode, metadata_of.version, PYTHON, Path(FILES), STAND_INS)
    report = checked(found, tmp_path_factory)
    assert [problem.text for problem in report.problems] == []
    for run in report.cases:
        seen = {verdict for certificate in run.certificates for verdict in certificate.tally.verdicts()}
        assert Verdict.UNSUPPORTED not in seen


@with_python
def test_the_tests_of_the_second_patch_pass(make: Make) -> None:
    of = make(PATCH_2026, of=Path(FILES) / "lenskit")
    assert upstream_tests(of, PYTHON, Path(FILES), STAND_INS) == pytest.ExitCode.OK
