"""The proof of a bundle: its files, run in fresh processes, show the finding; with the fix they show nothing."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harness import fresh, ledger, script
from harness.account import Program, RegressionTest
from harness.bundles.order import Order, proposal
from harness.bundles.search import Reach
from harness.environments.environment import Wanted, obtain
from harness.errors import BundleError
from harness.finding import Finding, Fix
from harness.fresh import Ran
from harness.progress import Progress
from harness.script import DEFECT_PRESENT, OK, ScriptRun
from harness.shadow.compare import Plan, compare
from harness.shadow.proposal import Shadowed
from harness.subject import Subject

FRESH_PROCESSES = 2

PASSES, FAILS = 0, 1
"""Exit statuses of a test; pytest's are the same."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a bundle that are run.

    Attributes
    ----------
    folder
        Where they are.
    program
        The reproduction in the library's own language, if there is one.
    test
        The regression test, if there is one.
    """

    folder: Path
    program: Program | None
    test: RegressionTest | None


@dataclass(frozen=True, slots=True)
class Proven:
    """What held.

    Attributes
    ----------
    finding
        With its confirmations, and with its fix if there is one.
    fixed
        The subject with the fix.
    more
        What the fix changes outside of what was tested, such as upstream's tests.
    is_fresh
        Whether it was run in an environment made from the script's header, too.
    """

    finding: Finding
    fixed: Subject | None
    is_fresh: bool
    more: tuple[str, ...] = ()


def prove(finding: Finding, reach: Reach, files: Files, order: Order, progress: Progress) -> Proven:
    """Run what a bundle holds, in fresh processes.

    Raises
    ------
    BundleError
        If one of them does not show the finding, or still does with the fix.
    UnusableError
        If an environment is to be made, and cannot be.
    PatchError
        If the fix cannot be put before the subject.
    """
    subject = finding.subject.confirming()
    with progress.waiting(f"running its script in {FRESH_PROCESSES} fresh processes"):
        confirmed, runs = finding.confirm(files.folder, FRESH_PROCESSES)
    for run in runs:
        _require(run, DEFECT_PRESENT, "in a fresh process")
    with progress.waiting("running its test"):
        for _ in range(FRESH_PROCESSES):
            _require_of_program(files, subject, DEFECT_PRESENT)
            _require_of_test(files, subject, FAILS, f"with {subject.title}")
    if order.is_fresh:
        _prove_afresh(finding, files, progress)
    fix = order.fix or _known_fix(finding)
    if not fix:
        return Proven(confirmed, None, order.is_fresh)
    shadowed = _shadowed(subject, fix)
    fixed = replace(subject, installation=shadowed.installation)
    with progress.waiting(f"running script and test with {fixed.title}"):
        _require(script.run(files.folder / script.NAME, fixed), OK, f"with {fixed.title}")
        _require_of_program(files, fixed, OK)
        _require_of_test(files, fixed, PASSES, f"with {fixed.title}")
    transitions = _transitions(subject, shadowed, reach, progress)
    mended = replace(confirmed, fix=Fix(fix, fixed.label, transitions))
    return Proven(mended, fixed, order.is_fresh, shadowed.ignored)


def verify_fresh(subject: Subject) -> None:
    """Find out before long work whether an environment can be made from the header of a script about a subject.

    Raises
    ------
    BundleError
        If it cannot.
    """
    distribution, unreleased = subject.mode.distribution, subject.installation.unreleased
    if not subject.mode.is_distribution:
        raise BundleError(f"{subject.title} is no Python distribution: an environment cannot be made from the header")
    if unreleased and not unreleased.requirement:
        raise BundleError(
            f"with --fresh, a release was expected, or a commit that anybody gets by https, since an environment is "
            f"made from the script's header; {subject.described}, cannot be named there, and "
            f"{distribution}=={subject.version} would be the release. Leave --fresh out, or test "
            f"--subject git+https://HOST/{distribution}@COMMIT"
        )


def run_test(test: RegressionTest, path: Path, subject: Subject) -> Ran:
    """Run a regression test with a subject, outside of the folder that it is in."""
    if test.command is not None:
        return fresh.run(test.command(subject.installation, path.resolve()), subject.environment())
    options = ["-q", "--noconftest", "-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={path.parent.resolve()}"]
    command = [subject.python, "-m", "pytest", *options, str(path.resolve())]
    return fresh.run(command, {**subject.environment(), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})


def _require(run: ScriptRun, line: str, where: str, name: str = "the script") -> None:
    if not run.shows(line):
        raise BundleError(
            f"{name} should end with {line} and status {script.STATUS[line]} {where}, but ended "
            f"with {run.last_line!r} and status {run.status}; no bundle was written. It printed:\n{run.output}"
        )


def _require_of_program(files: Files, subject: Subject, line: str) -> None:
    if files.program is not None:
        command = files.program.command(subject.installation, (files.folder / files.program.name).resolve())
        run = script.seen(fresh.run(command, subject.environment()))
        _require(run, line, f"with {subject.title}", files.program.name)


def _require_of_test(files: Files, subject: Subject, status: int, where: str) -> None:
    if files.test is None:
        return
    ran = run_test(files.test, files.folder / files.test.name, subject)
    if ran.status != status:
        expected = "fail" if status == FAILS else "pass"
        raise BundleError(
            f"the test should {expected} {where} (status {status}), but ended with status {ran.status}; no bundle was "
            f"written. It printed:\n{ran.output}"
        )


def _prove_afresh(finding: Finding, files: Files, progress: Progress) -> None:
    """Run the script where nothing is but what its header names, and the test where pytest is too."""
    subject, case = finding.subject.confirming(), finding.instance.case
    spec, *extras = script.dependencies(case.script(finding.instance.x), subject) or (subject.requirement,)

    def made(*more: str) -> Subject:
        wanted = Wanted(spec, extras=(*extras, *more))
        return replace(subject, installation=obtain(wanted, subject.mode, subject.library, progress))

    where = "in an environment made from its header"
    _require(script.run(files.folder / script.NAME, made()), DEFECT_PRESENT, where)
    if files.test is not None and files.test.command is None:
        _require_of_test(files, made("pytest", *files.test.needs), FAILS, where)


def _known_fix(finding: Finding) -> tuple[Path, ...]:
    """Return the files that the ledger names as the fix of what was found."""
    subject, cause = finding.subject, finding.instance.ruling.cause
    entries = ledger.read(subject.library.ledger).entries_for(finding.instance.case.name, subject.version)
    return next((entry.fix for entry in entries if entry.cause == cause), ())


def _shadowed(subject: Subject, fix: tuple[Path, ...]) -> Shadowed:
    put_before = subject.mode.shadow
    if put_before is None:
        raise BundleError(f"{subject.title} in the mode {subject.mode.name} cannot be patched: leave the fix out")
    return put_before(subject.title, subject.installation, proposal(fix))


def _transitions(subject: Subject, shadowed: Shadowed, reach: Reach, progress: Progress) -> Mapping[str, int]:
    """Return what becomes of the inputs of the domain, by how many."""
    domain = replace(reach.certificate.domain, thorough=False)
    here = replace(reach.instance.case, domains=(domain,))
    comparison = compare(subject, shadowed, [here], Plan(examples=0), progress)
    if comparison.obstacles:
        raise BundleError(f"{comparison.after.title} cannot be judged on {domain.title}: {comparison.obstacles[0]}")
    [one] = comparison.cases
    return {str(kind): count for kind, count in sorted(one.counts.items()) if count}


def fix_files(finding: Finding) -> Iterator[tuple[str, Path]]:
    """Yield the names of the fix's files in the bundle, each with where it is."""
    if finding.fix is None:
        return
    diffs = proposal(finding.fix.patches).patches
    for path in finding.fix.patches:
        if path not in diffs:
            yield path.name, path
        elif len(diffs) == 1:
            yield "fix.patch", path
        else:
            yield f"fix-{diffs.index(path) + 1}.patch", path
