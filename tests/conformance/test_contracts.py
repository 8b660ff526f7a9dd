"""The conformance of every installed library: one test for each contract, strict in both directions.

A known divergence is an expected failure. One that is new, gone, or whose counts moved fails; what is new is
saved under ``rankdiff-findings/`` first.
"""

from pathlib import Path

import pytest

from harness import registry
from harness.finding import FindingsFolder
from harness.progress import Progress
from harness.report import CaseRun, Report
from harness.run import Options, check

LIBRARIES = registry.libraries()
CASES = [case.name for library in LIBRARIES for case in library.cases]


class KnownDivergenceError(AssertionError):
    """A divergence that the ledger lists, exactly as it lists it."""


@pytest.fixture(scope="session")
def report(request: pytest.FixtureRequest) -> Report:
    """Run the cases that are selected, each library in one worker."""
    names = [
        str(item.callspec.params["name"])
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.originalname == test_contract.__name__
    ]
    findings = FindingsFolder(Path(request.config.rootpath) / "rankdiff-findings")
    report = check(registry.select(names, LIBRARIES), Options(findings=findings), Progress(bars=False))
    assert [canary.fault for canary in report.canaries] == ["", ""]  # else no test below says anything
    return report


@pytest.mark.parametrize("name", CASES)
def test_contract(name: str, report: Report, request: pytest.FixtureRequest) -> None:
    runs = [run for run in report.cases if run.case.name == name]  # one for each release that is installed
    assert runs
    if all(run.status == "not_run" for run in runs):
        pytest.skip(runs[0].reason)
    for run in runs:
        assert run.status == "run", run.reason
        if run.problems:
            folders = [str(saved.folder) for saved in report.saved if saved.finding.instance.case is run.case]
            pytest.fail("\n".join([*(problem.text for problem in run.problems), *folders]), pytrace=False)
        assert run.certificates
        assert all(certificate.exhausted for certificate in run.certificates)
    known = dict.fromkeys(f"{entry.says} ({entry.upstream})" for run in runs for entry in run.entries)
    if known:
        reason = "; ".join(known)
        request.applymarker(pytest.mark.xfail(strict=True, raises=KnownDivergenceError, reason=reason))
        if any(map(mismatches, runs)):
            raise KnownDivergenceError(reason)


def mismatches(run: CaseRun) -> int:
    return sum(certificate.tally.mismatches() for certificate in run.certificates)


def test_ledgers_are_in_order(report: Report) -> None:
    assert [problem.text for library in report.libraries for problem in library.problems] == []


def test_nothing_kept_the_run_from_being_done(report: Report) -> None:
    assert report.obstacles == []
