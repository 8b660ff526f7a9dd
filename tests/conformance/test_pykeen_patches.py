"""Our patches of pykeen: they agree on every domain, and the controls, which are wrong on purpose, are caught."""

from pathlib import Path
from typing import NamedTuple

import pytest

from cases.pykeen.closed_forms import CLOSED_FORMS, CLOSED_FORMS_INT32, CLOSED_FORMS_ODD_INPUT, VALUES
from cases.pykeen.inverse_median import INVERSE_MEDIAN
from cases.pykeen.library import HERE, LIBRARY
from cases.pykeen.median import INVARIANCE, MEDIAN, WEIGHTED_MEDIAN, Weighted
from cases.pykeen.moments import MOMENTS, MOMENTS_LARGE, NO_CLOSED_FORM, Candidates
from cases.pykeen.sampling import SAMPLED_VALUES, SAMPLING
from harness.case import AnyCase
from harness.shadow.comparison import Comparison, Conclusion
from harness.shadow.transition import Transition
from harness.verdict import Verdict
from proposals import SAME, Proposed, agrees, is_installed, proposed

PATCHES = HERE / "patches"
MOMENTS_PATCH = PATCHES / "median-moments.patch"
WEIGHTED_PATCH = PATCHES / "weighted-median.patch"
FLOATS_PATCH = PATCHES / "candidates-as-floats.patch"

pytestmark = pytest.mark.skipif(not is_installed(LIBRARY), reason="pykeen is not installed")


MOMENTS_CASES = {MOMENTS.name, MOMENTS_LARGE.name}


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return proposed(LIBRARY, MOMENTS_PATCH).compare(LIBRARY.cases, examples=100)


def test_the_closed_form_agrees_on_every_domain(comparison: Comparison) -> None:
    run, large = (one for one in comparison.cases if one.case.name in MOMENTS_CASES)
    [exact], [approximate] = run.domains, large.domains
    assert exact.after.inputs == 923
    assert agrees(exact.after)
    assert set(approximate.after.tally.verdicts()) == {Verdict.AGREES}
    assert run.kinds == large.kinds == {Transition.ADDED}


def test_the_closed_form_changes_nothing_but_what_was_sampled_for_want_of_it(comparison: Comparison) -> None:
    changed = {one.case.name for one in comparison.cases if not one.kinds <= SAME}
    assert changed == {*MOMENTS_CASES, NO_CLOSED_FORM.name, SAMPLING.name}
    assert {kind for one in comparison.cases for kind in one.kinds} == {
        *SAME,
        Transition.ADDED,
        Transition.CHANGED_RIGHT,
    }
    assert comparison.conclusion is Conclusion.FIXES


MENDED = (MEDIAN, WEIGHTED_MEDIAN, INVARIANCE, INVERSE_MEDIAN, SAMPLING, SAMPLED_VALUES)


def test_the_weighted_median_agrees_on_every_domain() -> None:
    comparison = proposed(LIBRARY, WEIGHTED_PATCH).compare(MENDED, thorough=True, examples=100)
    assert comparison.conclusion is Conclusion.FIXES
    for one in comparison.cases:
        assert all(set(domain.after.tally.verdicts()) == {Verdict.AGREES} for domain in one.domains)
        assert one.kinds <= {Transition.FIXED, Transition.UNCHANGED, Transition.CHANGED_RIGHT}
    mended = {one.case.name for one in comparison.cases if Transition.FIXED in one.kinds}
    assert mended >= {WEIGHTED_MEDIAN.name, INVARIANCE.name, INVERSE_MEDIAN.name}


CLOSED = (CLOSED_FORMS, VALUES, CLOSED_FORMS_INT32, CLOSED_FORMS_ODD_INPUT)


def test_candidates_as_floats_fix_squares_of_32_bits_and_change_no_other_closed_form() -> None:
    comparison = proposed(LIBRARY, FLOATS_PATCH).compare(CLOSED)
    assert comparison.conclusion is Conclusion.FIXES
    kinds = {one.case.name: one.counts for one in comparison.cases}
    assert kinds[CLOSED_FORMS_INT32.name] == {Transition.FIXED: 6, Transition.UNCHANGED: 2_514}
    for case in (CLOSED_FORMS, VALUES, CLOSED_FORMS_ODD_INPUT):
        assert set(kinds[case.name]) == {Transition.UNCHANGED}


@pytest.mark.parametrize("patch", [MOMENTS_PATCH, WEIGHTED_PATCH, FLOATS_PATCH], ids=lambda patch: patch.stem)
def test_the_tests_of_a_patch_pass(patch: Path, tmp_path: Path) -> None:
    suite = proposed(LIBRARY, patch).run_own_tests(tmp_path)
    assert suite.status == pytest.ExitCode.OK
    assert suite.foreign == ()


CONTROLS: dict[str, tuple[AnyCase, int, NamedTuple, str]] = {
    "upper-median": (MOMENTS, 0, Candidates((1, 2), "int64"), "the upper of the two middle ranks"),
    "lower-median": (MOMENTS, 0, Candidates((1, 2), "int64"), "the lower of the two middle ranks"),
    "independent-middle": (MOMENTS, 0, Candidates((2, 2), "int64"), "the two middle ranks taken as independent"),
    "survival-off-by-one": (MOMENTS, 0, Candidates((2,), "int64"), "another value"),
    "no-clamp": (MOMENTS, 0, Candidates((1, 1, 2), "int64"), "raises ValueError"),
    "lower-weighted-median": (
        WEIGHTED_MEDIAN,
        0,
        Weighted((1, 2), ("0.125", "0.125"), "float"),
        "one of the two middle ranks",
    ),
    "counts-zero-weights": (
        INVARIANCE,
        0,
        Weighted((1, 1, 2), ("1", "0", "1"), "float"),
        "the mean with the next rank, though it has no weight",
    ),
    "rounded-sums": (
        WEIGHTED_MEDIAN,
        1,
        Weighted((1, 1, 1, 2, 2, 2), ("0.1",) * 6, "float"),
        "one of the two middle ranks",
    ),
}
"""By control: the case and the domain that catch it, the smallest input that shows its mistake, and that mistake."""


def test_there_is_a_test_for_every_control() -> None:
    assert {path.stem for path in (PATCHES / "controls").glob("*.patch")} == set(CONTROLS)


@pytest.mark.parametrize("name", CONTROLS)
def test_every_control_is_caught(name: str) -> None:
    case, domain, x, cause = CONTROLS[name]
    comparison, after = with_control(name).on(case, case.domains[domain])
    _, instance = after.smallest_by_cause[cause]
    assert instance.x == x
    [one] = comparison.cases
    assert one.kinds & {Transition.ADDED_WRONG, Transition.BROKEN, Transition.STILL_WRONG, Transition.CHANGED_WRONG}
    assert one.is_worse == (case is MOMENTS)  # nothing promises how weights count


@pytest.mark.parametrize(
    ("name", "conclusion"),
    [
        ("lower-weighted-median", Conclusion.BREAKS),
        ("counts-zero-weights", Conclusion.FIXES),
        ("rounded-sums", Conclusion.FIXES),
    ],
)
def test_how_weights_count_is_promised_where_the_inverse_median_is(name: str, conclusion: Conclusion) -> None:
    comparison, _ = with_control(name).on(INVERSE_MEDIAN, INVERSE_MEDIAN.domains[0])
    assert comparison.conclusion is conclusion


def test_the_upper_median_is_wrong_wherever_the_middle_ranks_can_differ() -> None:
    _, after = with_control("upper-median").on(MOMENTS, MOMENTS.domains[0])
    even = sum(1 for x in MOMENTS.domains[0].inputs if len(x.candidates) % 2 == 0)
    assert even == 609
    assert after.tally.mismatches() == 581


def with_control(name: str) -> Proposed:
    """Return a control on top of the patch that it is about."""
    under = MOMENTS_PATCH if CONTROLS[name][0] is MOMENTS else WEIGHTED_PATCH
    return proposed(LIBRARY, under, PATCHES / "controls" / f"{name}.patch")
