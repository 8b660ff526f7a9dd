"""Our patches of ranx: what each changes, on every contract, and that no stale code answers for a patched one."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from cases.ranx.forms import INPUT_FORMS
from cases.ranx.library import HERE, LIBRARY
from cases.ranx.persistence import PERSISTENCE
from cases.ranx.queries import MAKE_COMPARABLE, PER_QUERY, QUERY_ORDER, SAVED_SCORES
from cases.ranx.rankings import JudgedRanking, LevelledRanking
from cases.ranx.rbp import LEVEL, RANGE, RAW_GRADE, RBP
from harness import ledger
from harness.case import AnyCase
from harness.execute import Executor
from harness.exhaust import run
from harness.limits import DEFAULT
from harness.shadow.comparison import CaseComparison, Comparison, Conclusion
from harness.shadow.transition import Transition
from harness.subject import Subject
from proposals import SAME, Proposed, is_installed, proposed

PATCHES = HERE / "patches"


def is_as_patched() -> bool:
    """Return whether the installed ranx has what the patches are about."""
    if not is_installed(LIBRARY):
        return False
    [installation] = LIBRARY.modes[0].find()
    return bool(ledger.read(LIBRARY.ledger).entries_for(RBP.name, installation.version))


pytestmark = pytest.mark.skipif(not is_as_patched(), reason="no ranx is installed that the patches are about")


def interpreted(patch: str) -> Proposed:
    """Return a patch before ranx without its compiler; what it shows there is not confirmed."""
    there = proposed(LIBRARY, PATCHES / patch, mode="interpreted")
    return replace(there, before=replace(there.before, mode=replace(there.before.mode, is_counted=True)))


def by_name(comparison: Comparison) -> dict[str, CaseComparison]:
    return {case.case.name: case for case in comparison.cases}


def wrong(case: CaseComparison) -> tuple[int, int]:
    """Return how many inputs are wrong before, and after."""
    before = sum(domain.before.tally.mismatches() for domain in case.domains)
    after = sum(domain.after.tally.mismatches() for domain in case.domains)
    return before, after


# --- binary gain -------------------------------------------------------------------------------------------------

FOLLOWS_FROM_THE_GAIN = {RBP.name: 14_714, RANGE.name: 3_950, LEVEL.name: 1_223, INPUT_FORMS.name: 687}


@pytest.fixture(scope="module")
def binary() -> Comparison:
    there = proposed(LIBRARY, PATCHES / "binary-gain.patch", mode="interpreted")
    return there.compare(LIBRARY.cases, examples=20)


def test_a_binary_gain_fixes_what_follows_from_the_gain(binary: Comparison) -> None:
    cases = by_name(binary)
    for name, before in FOLLOWS_FROM_THE_GAIN.items():
        assert wrong(cases[name]) == (before, 0)
    assert binary.conclusion is Conclusion.FIXES


def test_a_binary_gain_changes_no_other_contract(binary: Comparison) -> None:
    cases = by_name(binary)
    assert {name for name, case in cases.items() if not case.kinds <= SAME} == set(FOLLOWS_FROM_THE_GAIN)
    assert cases[RANGE.name].counts[Transition.CHANGED_RIGHT] == 10_764


def test_compiled_code_confirms_the_smallest_inputs(binary: Comparison) -> None:
    assert {(one.case.name, one.kind) for one in binary.confirmations} >= {
        (name, Transition.FIXED) for name in FOLLOWS_FROM_THE_GAIN
    }
    assert all(one.confirmed for one in binary.confirmations)


# --- the others --------------------------------------------------------------------------------------------------


def test_words_change_nothing_and_name_the_contract_that_would_hold() -> None:
    done = interpreted("documented-as-graded.patch").compare(LIBRARY.cases)
    assert done.conclusion is Conclusion.DOCUMENTATION
    assert {kind for case in done.cases for kind in case.kinds} == SAME
    assert done.ignored == ("docs/metrics.md",)
    about = [case for case in done.cases if case.is_about(done.changed) and case.convention]
    assert {case.case.name: case.convention for case in about} == dict.fromkeys(
        [RBP.name, RANGE.name, LEVEL.name], RAW_GRADE
    )


def test_pairing_queries_by_id_fixes_their_order_and_the_saved_scores() -> None:
    done = interpreted("queries-by-id.patch").compare(LIBRARY.cases)
    cases = by_name(done)
    assert wrong(cases[QUERY_ORDER.name]) == (48, 0)
    assert wrong(cases[SAVED_SCORES.name]) == (16, 0)
    assert {name for name, case in cases.items() if not case.kinds <= SAME} == {QUERY_ORDER.name, SAVED_SCORES.name}
    assert done.conclusion is Conclusion.FIXES


@pytest.mark.parametrize(
    ("patch", "case", "before"),
    [
        ("one-metric-per-query.patch", PER_QUERY, 234),
        ("comparable-dicts.patch", MAKE_COMPARABLE, 126),
        ("persistence-digits.patch", PERSISTENCE, 46 + 13),
    ],
)
def test_a_patch_of_one_contract_fixes_it_and_changes_no_other(patch: str, case: AnyCase, before: int) -> None:
    done = interpreted(patch).compare(LIBRARY.cases)
    cases = by_name(done)
    assert wrong(cases[case.name]) == (before, 0)
    assert {name for name, found in cases.items() if not found.kinds <= SAME} == {case.name}
    assert done.conclusion is Conclusion.FIXES


# --- no stale code -----------------------------------------------------------------------------------------------

COMMON_ONLY = "controls/common-only.patch"


def values(subject: Subject, case: AnyCase) -> Iterator[tuple[JudgedRanking | LevelledRanking, float]]:
    """Yield what a subject returns for every input of a case's usual domain."""
    with Executor(subject, DEFAULT) as executor:
        for _, inputs, outcomes in run(case, case.domains[0], executor):
            for x, wire in zip(inputs, outcomes, strict=True):
                assert isinstance(x, JudgedRanking | LevelledRanking)
                yield x, float.fromhex(str(wire))


def by_its_source(x: JudgedRanking | LevelledRanking, *, above: bool) -> Fraction:
    """Return (1 - p) sum g p^(i-1), where a grade counts that is above the level, or of at least the level."""
    p, level = Fraction(x.persistence), x.level if isinstance(x, LevelledRanking) else 1
    grades = [x.grades[d] if d < len(x.grades) else 0 for d in x.run]
    gains = [g if g > level or (g == level and not above) else 0 for g in grades]
    return (1 - p) * sum((g * p**i for i, g in enumerate(gains)), Fraction(0))


@pytest.mark.parametrize("mode", ["compiled", "interpreted"])
def test_a_change_of_what_a_compiled_metric_calls_is_seen_and_seen_in_the_copy_alone(mode: str) -> None:
    there = proposed(LIBRARY, PATCHES / COMMON_ONLY, mode=mode)
    differing = []
    for case in (RBP, LEVEL):
        before = values(there.before, case)
        after = values(there.after, case)
        differing.append(0)
        for (x, old), (_, new) in zip(before, after, strict=True):
            assert old == pytest.approx(float(by_its_source(x, above=False)), rel=1e-14)
            assert new == pytest.approx(float(by_its_source(x, above=True)), rel=1e-14)
            differing[-1] += old != new
    assert differing == [9_813, 922]
