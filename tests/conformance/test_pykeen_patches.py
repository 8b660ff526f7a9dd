"""Our patches of pykeen: they agree on every domain, and the controls, which are wrong on purpose, are caught."""

from typing import NamedTuple

import pytest

from cases.pykeen.inverse_median import INVERSE_MEDIAN
from cases.pykeen.library import HERE, LIBRARY
from cases.pykeen.median import INVARIANCE, MEDIAN, WEIGHTED_MEDIAN, Weighted
from cases.pykeen.moments import MOMENTS, MOMENTS_LARGE, Candidates
from cases.pykeen.sampling import SAMPLED_VALUES, SAMPLING
from harness.case import AnyCase
from harness.run import CaseRun, Report
from harness.verdict import Verdict
from patched import Copy, Workshop, is_installed

PATCHES = HERE / "patches"
MOMENTS_PATCH = PATCHES / "median-moments.patch"
WEIGHTED_PATCH = PATCHES / "weighted-median.patch"

pytestmark = pytest.mark.skipif(not is_installed(LIBRARY), reason="pykeen is not installed")


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(LIBRARY, tmp_path_factory.mktemp("pykeen"))


@pytest.fixture(scope="module")
def with_moments(workshop: Workshop) -> Copy:
    return workshop.copy(MOMENTS_PATCH)


@pytest.fixture(scope="module")
def with_weights(workshop: Workshop) -> Copy:
    return workshop.copy(WEIGHTED_PATCH)


@pytest.fixture(scope="module")
def report(workshop: Workshop, with_moments: Copy) -> Report:
    return workshop.check(with_moments, LIBRARY.cases, thorough=False)


def verdicts(run: CaseRun) -> set[Verdict]:
    return {verdict for certificate in run.certificates for verdict in certificate.tally.verdicts()}


def test_the_closed_form_agrees_on_every_domain(report: Report) -> None:
    run, large = (run for run in report.cases if run.case.name in {MOMENTS.name, MOMENTS_LARGE.name})
    assert verdicts(run) <= {Verdict.AGREES, Verdict.UNDECIDABLE}
    assert verdicts(large) == {Verdict.AGREES}
    [certificate] = run.certificates
    assert certificate.inputs == 923
    assert run.hunt is not None
    assert not run.hunt.found


def test_the_closed_form_changes_nothing_else(report: Report) -> None:
    assert [problem.text for problem in report.problems] == []


MENDED = (MEDIAN, WEIGHTED_MEDIAN, INVARIANCE, INVERSE_MEDIAN, SAMPLING, SAMPLED_VALUES)


def test_the_weighted_median_agrees_on_every_domain(workshop: Workshop, with_weights: Copy) -> None:
    report = workshop.check(with_weights, MENDED)
    for run in report.cases:
        assert verdicts(run) == {Verdict.AGREES}
    assert {problem.kind for problem in report.problems} == {"gone"}  # the divergences that it mends


@pytest.mark.parametrize("fixture", ["with_moments", "with_weights"])
def test_the_tests_of_a_patch_pass(fixture: str, request: pytest.FixtureRequest) -> None:
    of: Copy = request.getfixturevalue(fixture)
    assert of.run_upstream_tests() == pytest.ExitCode.OK


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
def test_every_control_is_caught(name: str, workshop: Workshop) -> None:
    case, domain, x, cause = CONTROLS[name]
    under = MOMENTS_PATCH if case is MOMENTS else WEIGHTED_PATCH
    control = workshop.copy(under, PATCHES / "controls" / f"{name}.patch")
    _, instance = workshop.certificate(control, case, case.domains[domain]).smallest_by_cause[cause]
    assert instance.x == x


def test_the_upper_median_is_wrong_wherever_the_middle_ranks_can_differ(workshop: Workshop) -> None:
    control = workshop.copy(MOMENTS_PATCH, PATCHES / "controls" / "upper-median.patch")
    certificate = workshop.certificate(control, MOMENTS, MOMENTS.domains[0])
    even = sum(1 for x in MOMENTS.domains[0].inputs if len(x.candidates) % 2 == 0)
    assert even == 609
    assert certificate.tally.mismatches() == 581
