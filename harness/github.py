"""A run as GitHub shows it: the summary of a job in Markdown, and annotations; text from elsewhere stays text."""

import json
import secrets
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from harness.bundles.markdown import Markdown, code, datum, table
from harness.certificate import Instance
from harness.errors import SummaryError
from harness.jsontypes import Json
from harness.printable import printable
from harness.report import CaseRun, LibraryRun, Report
from harness.settle import Problem
from harness.terminal import bundling, smallest_by_cause, worst

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The environment variable that names the file of the job summary."""

LIMIT = 1024 * 1024
"""Bytes that GitHub takes of a step's summary; of a longer one it takes nothing."""

LONGEST = 1000
"""Letters of an input, a value or a message that are shown."""

SHOWN = 10
"""Annotations of each kind that GitHub shows of a step."""

CUT = "\n\n*This summary is cut here: GitHub takes no more. The report of `rankdiff check --json` is whole.*\n"

NONE = Markdown("-")

HEADS = ("library", "version", "mode", "case", "verdict", "inputs", "mismatches", "ledger")

TITLES = {0: "As the ledger says", 1: "Not as the ledger says", 2: "The run could not be done"}


def write(report: Report, environ: Mapping[str, str]) -> str:
    """Add the summary of a run to the job's, if there is one; return what is to be printed otherwise.

    Raises
    ------
    SummaryError
        If the file cannot be written.
    """
    named = environ.get(SUMMARY)
    if not named:
        return cut(summary(report), LIMIT)
    path = Path(named)
    try:
        taken = path.stat().st_size if path.exists() else 0
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(cut(summary(report), LIMIT - taken))
    except OSError as error:
        raise SummaryError(f"{SUMMARY} should name a file that can be written, not {named!r} ({error})") from error
    return ""


def summary(report: Report) -> str:
    """Return the summary of a run in Markdown."""
    return "\n".join(_summary(report)) + "\n"


def annotations(report: Report) -> Iterator[str]:
    """Yield the workflow commands that mark what is wrong, and what somebody should look at."""
    errors = [("rankdiff: could not be done", text) for text in report.obstacles]
    errors += [(f"rankdiff: {problem.word} {problem.case}", problem.text) for problem in report.problems]
    yield from _annotations("error", errors)
    yield from _annotations("warning", [("rankdiff: review", text) for text in report.warnings])


def silenced(text: str) -> str:
    """Return a text for the log of a job in which no line is taken for a workflow command, whoever wrote it."""
    token = secrets.token_hex(16)
    return f"::stop-commands::{token}\n{text}\n::{token}::"


def cut(text: str, limit: int) -> str:
    """Return a text of at most so many bytes, cut after a line, with a note where it was."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= limit:
        return text
    room = limit - len(CUT.encode())
    kept = data[: max(0, room)]
    whole = kept[: kept.rfind(b"\n") + 1]
    return whole.decode() + (CUT if room >= 0 else "")


def _summary(report: Report) -> Iterator[str]:
    yield f"## rankdiff: {TITLES[report.exit_status]}"
    yield ""
    yield table(HEADS, (_row(run, case) for run in report.libraries for case in run.cases))
    yield from _section("Could not be done", map(datum, map(_short, report.obstacles)))
    yield from _section("Parts with the ledger", (_problem(report, each) for each in report.problems))
    yield from _section("Not run", map(datum, map(_short, _reasons(report))))
    yield from _section("To be looked at", map(datum, map(_short, report.warnings)))


def _reasons(report: Report) -> Iterator[str]:
    """Yield why contracts were not run, each reason once."""
    names: dict[str, list[str]] = {}
    for case in report.cases:
        if case.status == "not_run":
            names.setdefault(case.reason, []).append(case.case.name)
    yield from (f"{', '.join(of_reason)}: {reason}" for reason, of_reason in names.items())


def _section(title: str, items: Iterable[Markdown]) -> Iterator[str]:
    lines = [f"- {item}" for item in items]
    if lines:
        yield from ("", f"### {title}", "", *lines)


def _row(run: LibraryRun, case: CaseRun) -> tuple[object, ...]:
    """Return the line of the table about one case."""
    version = run.subject.label if run.subject else NONE
    inputs = sum(certificate.inputs for certificate in case.certificates)
    mismatches = sum(certificate.tally.mismatches() for certificate in case.certificates)
    return (
        datum(run.library.name),
        datum(version),
        datum(run.mode.name),
        datum(case.case.short_name),
        _verdict(case),
        f"{inputs:,}",
        f"{mismatches:,}",
        _ledger(case),
    )


def _verdict(case: CaseRun) -> str:
    if case.status != "run":
        return case.status.replace("_", " ")
    if case.is_unsupported:
        return "unsupported"
    return ", ".join(dict.fromkeys(map(worst, case.certificates)))


def _ledger(case: CaseRun) -> str:
    """Return how many divergences are known, and what parts with the ledger, in a few words."""
    gone = {problem.cause for problem in case.problems if problem.kind == "gone"}
    known = sum(entry.cause not in gone for entry in case.entries)
    kinds = [problem.kind for problem in case.problems]
    words = [f"{known} known"] if known else []
    words += [f"{kinds.count(kind)} {kind.replace('_', ' ')}" for kind in dict.fromkeys(kinds)]
    return ", ".join(words) or NONE


def _problem(report: Report, problem: Problem) -> Markdown:
    """Return a problem, and under it the smallest input that shows it."""
    head = f"**{problem.word}**: {datum(_short(problem.text))}"
    instance = _instance(report, problem)
    if instance is None:
        return Markdown(head)
    x: Json = instance.case.to_json(instance.x)
    smallest = code(_short(json.dumps(x)))
    expected, observed = code(_short(instance.expected_shown)), code(_short(instance.observed_shown))
    following = code(f"{bundling(report, problem.case)} --cause {shlex.quote(problem.cause)}")
    return Markdown(
        f"{head}\n"
        f"  - smallest input {smallest}: {instance.source_word} {expected}, observed {observed}\n"
        f"  - next: {following}"
    )


def _instance(report: Report, problem: Problem) -> Instance | None:
    """Return the smallest input that shows what a problem is about, if one does."""
    for case in report.cases:
        if case.case.name == problem.case and problem.cause:
            found = smallest_by_cause(case).get(problem.cause)
            hunted = case.hunt.found if case.hunt else ()
            beyond = next((one for one in hunted if one.ruling.cause == problem.cause), None)
            if found or beyond:
                return found or beyond
    return None


def _annotations(level: str, texts: list[tuple[str, str]]) -> Iterator[str]:
    shown = texts if len(texts) <= SHOWN else texts[: SHOWN - 1]
    for title, text in shown:
        yield f"::{level} title={_property(title)}::{_data(text)}"
    if len(shown) < len(texts):
        yield f"::{level} title=rankdiff::{len(texts) - len(shown)} more: see the summary of the job"


def _data(text: str) -> str:
    """Return a message of a workflow command, escaped as GitHub reads it."""
    return printable(_short(text)).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Return a property of a workflow command, escaped as GitHub reads it."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} letters)"
