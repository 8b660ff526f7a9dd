"""Our patches of lenskit: they agree on every domain, and the controls, which are wrong on purpose, are caught."""

import os
import subprocess
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import pytest

from cases.lenskit.library import HERE, LIBRARY, LOG_RBP_CASES
from cases.lenskit.lists import HitList, Lists
from cases.lenskit.log_mean import LOG_RBP_SUMMARY
from cases.lenskit.log_rbp import LOG_RBP
from harness.case import AnyCase, AnyDomain
from harness.execute import Executor
from harness.limits import DEFAULT
from harness.run import CaseRun, Report
from harness.verdict import Verdict
from patched import Copy, Release, Workshop, is_installed

PATCHES = HERE / "patches"
PATCH = PATCHES / "log-rbp.patch"
PATCH_2026 = PATCHES / "log-rbp-2026.patch"

pytestmark = pytest.mark.skipif(not is_installed(LIBRARY), reason="lenskit is not installed")


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(LIBRARY, tmp_path_factory.mktemp("lenskit"))


@pytest.fixture(scope="module")
def right(workshop: Workshop) -> Copy:
    return workshop.copy(PATCH)


# --- the patch -------------------------------------------------------------------------------------------------


OTHERS = tuple(case for case in LIBRARY.cases if case not in LOG_RBP_CASES)


@pytest.fixture(scope="module")
def report(workshop: Workshop, right: Copy) -> Report:
    return workshop.check(right, LOG_RBP_CASES)


def agrees(run: CaseRun) -> bool:
    """Return whether a case agrees over all its domains and beyond, but for what leaves a choice."""
    seen = [certificate.tally.verdicts() for certificate in run.certificates]
    allowed = {Verdict.AGREES, Verdict.UNDECIDABLE, Verdict.UNSPECIFIED}
    decided = all(verdicts[Verdict.AGREES] > verdicts[Verdict.UNDECIDABLE] for verdicts in seen)
    found = run.hunt is not None and run.hunt.found
    return len(seen) == len(run.case.domains) and all(set(one) <= allowed for one in seen) and decided and not found


@pytest.mark.parametrize("case", LOG_RBP_CASES, ids=lambda case: case.short_name)
def test_the_patch_agrees_on_every_domain(case: AnyCase, report: Report) -> None:
    [run] = [run for run in report.cases if run.case.name == case.name]
    assert agrees(run)


def test_the_patch_changes_nothing_else(workshop: Workshop, right: Copy) -> None:
    report = workshop.check(right, OTHERS, thorough=False)
    assert [problem.text for problem in report.problems] == []


def test_the_copy_is_what_was_tested(workshop: Workshop, right: Copy) -> None:
    with Executor(workshop.subject(right), DEFAULT) as executor:
        hello = executor.start()
    paths = [module.path for module in hello.modules if not module.path.endswith(".so")]
    assert "lenskit.metrics.ranking._logrbp" in {module.name for module in hello.modules}
    assert all(path.startswith(str(right.tree)) for path in paths)


def test_the_tests_of_the_patch_pass(right: Copy) -> None:
    assert right.run_upstream_tests() == pytest.ExitCode.OK


# --- the controls ----------------------------------------------------------------------------------------------

USUAL = "0.85"
HIT = HitList((1,), 1, 0, USUAL)

EDGES, PATTERNS, *_, SINGLE_HITS = LOG_RBP.domains
COLLECTIONS = LOG_RBP_SUMMARY.domains[0]

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
def test_every_control_is_caught(name: str, workshop: Workshop) -> None:
    domain, x, cause = CONTROLS[name]
    case = LOG_RBP_SUMMARY if domain is COLLECTIONS else LOG_RBP
    control = workshop.copy(PATCH, PATCHES / "controls" / f"{name}.patch")
    _, instance = workshop.certificate(control, case, domain).smallest_by_cause[cause]
    assert instance.x == x


# --- the newest release ----------------------------------------------------------------------------------------

FILES = os.environ.get("RANKDIFF_LENSKIT_2026", "")
PYTHON = os.environ.get("RANKDIFF_LENSKIT_2026_PYTHON", "")
STAND_INS = Path(__file__).parents[1] / "stand_ins"

with_files = pytest.mark.skipif(not FILES, reason="RANKDIFF_LENSKIT_2026 names no release: see docs/lenskit.md")
with_python = pytest.mark.skipif(
    not FILES or not PYTHON, reason="RANKDIFF_LENSKIT_2026_PYTHON names no interpreter: see docs/lenskit.md"
)


def newest() -> Release:
    [found] = metadata.distributions(name="lenskit", path=[FILES])
    return Release(Path(FILES) / "lenskit", found.version, PYTHON, (Path(FILES), STAND_INS))


@with_files
def test_the_second_patch_applies_to_the_newest_release(workshop: Workshop) -> None:
    tree = workshop.copy(PATCH_2026, of=newest()).tree
    assert (tree / "src/lenskit/metrics/ranking/_logrbp.py").is_file()
    assert "LogRBP" in (tree / "src/lenskit/metrics/__init__.py").read_text()


@with_files
def test_the_first_patch_does_not(workshop: Workshop) -> None:
    with pytest.raises(subprocess.CalledProcessError) as caught:
        workshop.copy(PATCH, of=newest())
    assert b"patch does not apply" in caught.value.stderr


@with_python
def test_the_second_patch_agrees_on_every_domain_and_changes_nothing_else(workshop: Workshop) -> None:
    copy = workshop.copy(PATCH_2026, of=newest())
    assert all(agrees(run) for run in workshop.check(copy, LOG_RBP_CASES).cases)
    assert [problem.text for problem in workshop.check(copy, OTHERS, thorough=False).problems] == []


@with_python
def test_the_tests_of_the_second_patch_pass(workshop: Workshop) -> None:
    assert workshop.copy(PATCH_2026, of=newest()).run_upstream_tests() == pytest.ExitCode.OK
