"""Our patches of lenskit: each fixes what it is about, and the controls, which are wrong on purpose, are caught."""

import os
import sys
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import pytest

from cases.lenskit.library import HERE, LIBRARY, LOG_RBP_CASES
from cases.lenskit.lists import HitList, Lists
from cases.lenskit.log_mean import LOG_RBP_SUMMARY
from cases.lenskit.log_rbp import LOG_RBP
from cases.lenskit.odd_lists import ORDER
from cases.lenskit.rbp import CUTOFF_ATTRIBUTE, EMPTY, NORMALIZE
from cases.lenskit.summaries import LIST_SUMMARY, SUMMARY
from harness.case import AnyCase, AnyDomain
from harness.errors import PatchError
from harness.installation import Installation
from harness.shadow.comparison import Comparison, Conclusion
from harness.shadow.transition import Transition
from harness.subject import Subject
from proposals import SAME, Proposed, agrees, is_installed, proposed

PATCHES = HERE / "patches"
PATCH = PATCHES / "log-rbp.patch"
PATCH_2026 = PATCHES / "log-rbp-2026.patch"

pytestmark = pytest.mark.skipif(not is_installed(LIBRARY), reason="lenskit is not installed")


OTHERS = tuple(case for case in LIBRARY.cases if case not in LOG_RBP_CASES)

# --- the fixes -------------------------------------------------------------------------------------------------

FIXES = {
    "normalize-by-test-items": {NORMALIZE.name: 147, EMPTY.name: 1},
    "empty-list-scores-zero": {NORMALIZE.name: 34, EMPTY.name: 1},
    "cutoff-setter": {CUTOFF_ATTRIBUTE.name: 20},
    "unordered-list-refused": {ORDER.name: 14},
    "nan-left-out": {SUMMARY.name: 296},
}
"""By patch: how many inputs it makes right, by contract."""


def fixed(comparison: Comparison) -> dict[str, int]:
    """Return how many inputs are right now, by contract."""
    counts = {case.case.name: case.counts[Transition.FIXED] for case in comparison.cases}
    return {name: count for name, count in counts.items() if count}


@pytest.mark.parametrize("name", FIXES)
def test_a_fix_makes_right_what_it_is_about_and_changes_nothing_else_that_is_promised(name: str) -> None:
    done = proposed(LIBRARY, PATCHES / f"{name}.patch").compare(OTHERS)
    assert fixed(done) == FIXES[name]
    kinds = {kind for case in done.cases for kind in case.kinds}
    assert kinds <= {*SAME, Transition.FIXED, Transition.CHANGED_UNSPECIFIED}
    assert done.conclusion is Conclusion.FIXES


def test_the_fixes_together_leave_the_list_summary_alone_wrong() -> None:
    done = proposed(LIBRARY, *(PATCHES / f"{name}.patch" for name in FIXES)).compare(OTHERS)
    wrong = {case.case.name for case in done.cases for domain in case.domains if domain.after.tally.mismatches()}
    assert wrong == {LIST_SUMMARY.name}
    assert done.conclusion is Conclusion.FIXES


def test_words_about_the_normalisation_change_nothing() -> None:
    done = proposed(LIBRARY, PATCHES / "documented-by-length.patch").compare([NORMALIZE])
    assert {kind for case in done.cases for kind in case.kinds} == SAME
    assert done.conclusion is Conclusion.DOCUMENTATION


# --- the patch -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def right() -> Proposed:
    return proposed(LIBRARY, PATCH)


@pytest.fixture(scope="module")
def comparison(right: Proposed) -> Comparison:
    return right.compare(LOG_RBP_CASES, thorough=True, examples=100)


@pytest.mark.parametrize("case", LOG_RBP_CASES, ids=lambda case: case.short_name)
def test_the_patch_agrees_on_every_domain(case: AnyCase, comparison: Comparison) -> None:
    [one] = [one for one in comparison.cases if one.case is case]
    assert len(one.domains) == len(case.domains)
    assert all(agrees(domain.after) for domain in one.domains)
    assert one.kinds <= {Transition.ADDED, Transition.CHANGED_UNSPECIFIED}


def test_the_patch_adds_and_breaks_nothing(comparison: Comparison) -> None:
    assert comparison.conclusion is Conclusion.FIXES
    assert comparison.unused == ()


def test_the_patch_changes_nothing_else(right: Proposed) -> None:
    others = right.compare(OTHERS, examples=100)
    assert {kind for case in others.cases for kind in case.kinds} == SAME
    assert others.conclusion is Conclusion.CHANGES_NOTHING


def test_the_copy_is_what_was_tested(right: Proposed, comparison: Comparison) -> None:
    shadow = right.after.installation.shadow
    assert shadow
    assert "lenskit.metrics.ranking._logrbp" in {module.name for module in comparison.modules[1]}
    assert all(Path(module.path).is_relative_to(shadow) for module in comparison.modules[1])
    assert comparison.after.title.startswith(f"lenskit {comparison.before.version}+patch.")


def test_the_tests_of_the_patch_pass(right: Proposed, tmp_path: Path) -> None:
    suite = right.run_own_tests(tmp_path)
    assert suite.status == pytest.ExitCode.OK
    assert suite.foreign == ()
    assert set(suite.outcomes.values()) == {"passed"}


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
def test_every_control_is_caught(name: str) -> None:
    domain, x, cause = CONTROLS[name]
    case = LOG_RBP_SUMMARY if domain is COLLECTIONS else LOG_RBP
    comparison, after = proposed(LIBRARY, PATCH, PATCHES / "controls" / f"{name}.patch").on(case, domain)
    _, instance = after.smallest_by_cause[cause]
    assert instance.x == x
    assert comparison.conclusion is Conclusion.BREAKS


# --- the newest release ----------------------------------------------------------------------------------------

FILES = os.environ.get("RANKDIFF_LENSKIT_2026", "")
PYTHON = os.environ.get("RANKDIFF_LENSKIT_2026_PYTHON", "")
STAND_INS = Path(__file__).parents[1] / "stand_ins"

with_files = pytest.mark.skipif(not FILES, reason="RANKDIFF_LENSKIT_2026 names no release: see docs/lenskit.md")
with_python = pytest.mark.skipif(
    not FILES or not PYTHON, reason="RANKDIFF_LENSKIT_2026_PYTHON names no interpreter: see docs/lenskit.md"
)


def newest(*patches: Path) -> Proposed:
    [found] = metadata.distributions(name="lenskit", path=[FILES])
    path = os.pathsep.join([FILES, str(STAND_INS)])
    installation = Installation(
        found.version,
        {"PYTHONPATH": path},
        python=PYTHON or sys.executable,
        interpreter=PYTHON or sys.version,
        packages={"lenskit": Path(FILES) / "lenskit"},
    )
    return Proposed(Subject(LIBRARY, LIBRARY.modes[0], installation), patches)


@with_files
def test_the_second_patch_applies_to_the_newest_release() -> None:
    shadowed = newest(PATCH_2026).shadowed
    assert "src/lenskit/metrics/ranking/_logrbp.py" in shadowed.changed
    assert (shadowed.installation.packages["lenskit"] / "metrics/ranking/_logrbp.py").is_file()


@with_files
def test_the_first_patch_does_not() -> None:
    with pytest.raises(PatchError, match="does not apply to lenskit 2026"):
        _ = newest(PATCH).shadowed


@with_python
def test_the_second_patch_agrees_on_every_domain_and_changes_nothing_else() -> None:
    added = newest(PATCH_2026).compare(LOG_RBP_CASES, thorough=True, examples=100)
    assert added.conclusion is Conclusion.FIXES
    assert all(agrees(domain.after) for case in added.cases for domain in case.domains)
    others = newest(PATCH_2026).compare(OTHERS, examples=100)
    assert {kind for case in others.cases for kind in case.kinds} <= SAME


@with_python
def test_the_tests_of_the_second_patch_pass(tmp_path: Path) -> None:
    assert newest(PATCH_2026).run_own_tests(tmp_path).status == pytest.ExitCode.OK
