"""The report as a person reads it: a line for each case, then the smallest input, then what to do next."""

import shlex
import textwrap
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from harness.certificate import Certificate, Instance
from harness.hunt import Hunt
from harness.report import CaseRun, LibraryRun, Report
from harness.verdict import Verdict

WIDTH = 110
INDENT = " " * 2
ORDER = (
    Verdict.CRASHES,
    Verdict.HANGS,
    Verdict.RAISES,
    Verdict.DIFFERS,
    Verdict.AGREES,
    Verdict.UNDECIDABLE,
    Verdict.UNSPECIFIED,
    Verdict.UNSUPPORTED,
)
"""The first of these that occurs stands for a domain."""


def lines(report: Report) -> Iterator[str]:
    """Yield the lines of a report."""
    obstacles = report.obstacles
    for library in report.libraries:
        yield from _library(library, obstacles)
        yield ""
    for saved in report.saved:
        path = _relative(saved.folder)
        if saved.finding.confirmed:
            yield f"found  {path}/repro.py: confirmed in a fresh process"
        elif saved.finding.unable:
            yield from wrapped("found  ", f"{path}/repro.py: not confirmed: it could not run: {saved.finding.unable}")
        elif not saved.finding.confirmations:
            yield f"found  {path}/repro.py: not confirmed: it was not run"
        else:
            mode = saved.finding.subject.confirming_mode
            yield f"found  {path}/repro.py: NOT confirmed, a fresh process ({mode.name}) did not show it"
    for problem in report.problems:
        yield from wrapped(f"{problem.word}: ", problem.text)
    for warning in report.warnings:
        yield from wrapped("warning: ", warning)
    for obstacle in obstacles:
        yield from wrapped("could not be done: ", obstacle)
    yield _conclusion(report)


def _library(run: LibraryRun, obstacles: Sequence[str]) -> Iterator[str]:
    contracts = f"{len(run.cases)} contract{'s' if len(run.cases) != 1 else ''}"
    if run.subject is None:
        yield f"{run.mode.distribution}, {run.mode.name}, {run.absence}, {contracts}"
    else:
        python = f", Python {run.hello.python}" if run.hello else ""
        yield f"{run.subject.heading}, {run.mode.name}{python}, {contracts}"
    if run.hello:
        for name, value in run.hello.platform.items():
            yield from wrapped(f"{INDENT}{name}: ", value)
    yield ""
    if all(case.status != "run" for case in run.cases):
        yield from _not_run(run, obstacles)
        return
    width = max(len(case.case.short_name) for case in run.cases) + 2
    for case in run.cases:
        yield from _case(case, width)


def _not_run(run: LibraryRun, obstacles: Sequence[str]) -> Iterator[str]:
    """Yield what was not run, and each reason once: not here, if it is an obstacle, which are all told below."""
    for status in dict.fromkeys(case.status for case in run.cases):
        names = ", ".join(case.case.short_name for case in run.cases if case.status == status)
        yield from wrapped(f"{INDENT}{status.replace('_', ' '):<13}", names)
    for reason in dict.fromkeys(case.reason for case in run.cases):
        if not any(obstacle.startswith(f"{reason} (") for obstacle in obstacles):
            yield from wrapped(f"{INDENT}{'because':<13}", reason)


def _case(run: CaseRun, width: int) -> Iterator[str]:
    name = run.case.short_name.ljust(width)
    if run.status != "run":
        yield from wrapped(f"{INDENT}{name}{run.status.replace('_', ' '):<13}", run.reason)
        return
    blank = INDENT + " " * width
    if run.is_unsupported:
        yield from _unsupported(run, f"{INDENT}{name}", blank)
        return
    for k, certificate in enumerate(run.certificates):
        yield from wrapped(f"{INDENT}{name if k == 0 else ' ' * width}{worst(certificate):<13}", _counts(certificate))
    yield from _reasons(run, blank)
    found = smallest_by_cause(run)
    for instance in found.values():
        yield from wrapped(f"{blank}{'smallest':<13}", _instance(instance))
    if run.case.contract.unpromised and found:
        yield from wrapped(f"{blank}{'promise':<13}", f"none: {run.case.contract.unpromised}")
    for entry in run.entries:
        head = "known" if entry.cause in run.seen else "not seen"
        yield from wrapped(f"{blank}{head:<13}", f"{entry.says} ({entry.upstream})")
    if run.hunt:
        yield from _hunted(run.hunt, blank, found.keys())


def _unsupported(run: CaseRun, name: str, blank: str) -> Iterator[str]:
    inputs = sum(certificate.inputs for certificate in run.certificates)
    domains = len(run.certificates)
    yield f"{name}{'unsupported':<13}{inputs:,} inputs of {domains} domain{'s' if domains != 1 else ''}"
    yield from _reasons(run, blank)
    for entry in run.entries:
        yield from wrapped(f"{blank}{'known':<13}", f"{entry.says} ({entry.upstream})")


def _reasons(run: CaseRun, blank: str) -> Iterator[str]:
    """Yield why a part of it, or all, is unsupported."""
    for reason in dict.fromkeys(certificate.tally.unsupported for certificate in run.certificates):
        if reason:
            yield from wrapped(f"{blank}{'because':<13}", reason)


def _hunted(hunt: Hunt, blank: str, told: Collection[str]) -> Iterator[str]:
    """Yield what the hunt found, but for causes of which a smallest input was told."""
    found = [instance for instance in hunt.found if instance.ruling.cause not in told]
    for instance in found:
        yield from wrapped(f"{blank}{'found':<13}", f"{_instance(instance)}")
    if not found:
        hunted = hunt.examples - hunt.replayed
        parts = [f"{hunted:,} inputs hunted"] if hunted else []
        parts += [f"{hunt.replayed:,} found earlier replayed"] if hunt.replayed else []
        yield f"{blank}{'beyond':<13}{', '.join(parts)}, nothing {'else ' if told else ''}found"


def smallest_by_cause(run: CaseRun) -> dict[str, Instance]:
    """Return the first mismatch of each cause, from the first domain that has one."""
    found: dict[str, Instance] = {}
    for certificate in run.certificates:
        for cause, (_, instance) in certificate.smallest_by_cause.items():
            found.setdefault(cause, instance)
    return found


def worst(certificate: Certificate) -> str:
    """Return the word that stands for a domain: what is worst in it, or that it was cut short."""
    verdicts = certificate.tally.verdicts()
    if not certificate.exhausted and not certificate.tally.mismatches():
        return "cut short"
    return str(next((verdict for verdict in ORDER if verdicts[verdict]), Verdict.AGREES))


def _counts(certificate: Certificate) -> str:
    verdicts = certificate.tally.verdicts()
    wrong = sum(n for verdict, n in verdicts.items() if verdict.is_mismatch)
    where = certificate.domain.title
    if not certificate.exhausted:
        where += f"; cut short, {len(certificate.domain.inputs):,} were to be run"
    if not wrong:
        others = [f"{n:,} {verdict}" for verdict, n in verdicts.items() if verdict is not Verdict.AGREES]
        agreeing = f"{verdicts[Verdict.AGREES]:,} of " if verdicts[Verdict.AGREES] and others else ""
        if verdicts[Verdict.UNSPECIFIED] == certificate.inputs:
            others = []  # it stands before the counts already
        follow = [f'{n:,} follow "{name}"' for name, n in certificate.tally.readings.most_common()]
        counts = [f"{agreeing}{certificate.inputs:,} inputs", *others, *follow]
        return f"{', '.join(counts)} ({'; '.join([where, *_measures(certificate)])})"
    kinds = [_kind(certificate, cause, n, wrong) for cause, n in certificate.tally.by_cause().most_common()]
    return f"{wrong:,} of {certificate.inputs:,} inputs, {', '.join(kinds)} ({where})"


def _measures(certificate: Certificate) -> Iterator[str]:
    """Yield how far right values are from the exact ones, and whether the bound tells those apart."""
    error, separation = certificate.tally.error, certificate.separation
    if error and error.of_bound:
        ulps = f"{error.ulps:.2g} ulp, " if error.ulps is not None else ""
        yield f"largest error {ulps}{error.of_bound:.2g} of the bound"
    if separation and not separation.separates:
        yield "the bound does not tell all right values apart"


def _kind(certificate: Certificate, cause: str, count: int, wrong: int) -> str:
    every = count == wrong
    if cause in certificate.case.conventions:
        return f'{"every one follows" if every else f"{count:,} follow"} "{cause}"'
    return f"{'every one' if every else f'{count:,}'}: {cause}"


def _instance(instance: Instance) -> str:
    return (
        f"{instance.case.describe(instance.x)}: {instance.source_word} {instance.expected_shown}, "
        f"observed {instance.observed_shown}"
    )


def _conclusion(report: Report) -> str:
    if report.exit_status == 2:
        return "The run could not be done."
    entries = list({(entry.path, entry.line): entry for case in report.cases for entry in case.entries}.values())
    causes = len({entry.cause for entry in entries})
    known = f"{len(entries)} known divergence{'s' if len(entries) != 1 else ''}"
    if causes < len(entries):
        known += f" of {causes} cause{'s' if causes != 1 else ''}"
    if report.exit_status == 0:
        following = f"  Next: {bundling(report, entries[0].case)}" if entries else ""
        left = sum(case.status != "run" for case in report.cases)
        left_out = f"; {left} contract{'s' if left != 1 else ''} not run" if left else ""
        lacking = sum(case.is_unsupported for case in report.cases)
        left_out += f"; {lacking} contract{'s' if lacking != 1 else ''} unsupported" if lacking else ""
        return f"As the ledger says: {known}, none new, none gone{left_out}.{following}"
    new = next((problem.case for problem in report.problems if problem.kind == "new"), None)
    following = f"  Next: {bundling(report, new)}" if new else ""
    differences = f"{len(report.problems)} difference{'s' if len(report.problems) != 1 else ''}"
    return f"Not as the ledger says: {differences}, listed above.{following}"


def bundling(report: Report, name: str) -> str:
    """Return the command that makes the bundle of a case, of the subject and in the mode in which it was run."""
    run, case = next((run, case.case) for run in report.libraries for case in run.cases if case.case.name == name)
    mode = [] if run.mode == run.library.usual_mode(case) else ["--mode", run.mode.name]
    words = ["bundle", name, *mode]
    return run.subject.command(*words) if run.subject else shlex.join(["rankdiff", *words])


def wrapped(head: str, text: str) -> list[str]:
    """Return a text in lines, the first after a head, the others below it."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
    ) or [head.rstrip()]


def _relative(path: Path) -> Path:
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path


def counted(count: int, noun: str) -> str:
    """Return a number of things, in words."""
    return f"{count:,} {noun}{'s' if count != 1 else ''}"


def columns(rows: Sequence[Sequence[str]], indent: str = INDENT) -> Iterator[str]:
    """Yield rows as lines in which each column begins at one place."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{text:<{width}}" for text, width in zip(row, widths, strict=True))
        yield f"{indent}{'  '.join(cells)}".rstrip()
