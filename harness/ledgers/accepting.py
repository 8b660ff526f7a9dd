"""Accept what a run shows of a case: the entries that the ledger needs, with the link and the reason of a person."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from harness import report_file
from harness.case import AnyCase
from harness.errors import AcceptError
from harness.jsontypes import Json
from harness.ledger import Ledger
from harness.ledgers.changes import Change, changes
from harness.ledgers.seen import seen
from harness.ledgers.words import Words
from harness.library import Library


@dataclass(frozen=True, slots=True)
class Source:
    """What a ledger is to be changed by.

    Attributes
    ----------
    report
        A report of the case; none where it has to be run.
    cause, version
        The one cause to look at, and the version that has to be tested, where something says so.
    """

    report: Mapping[str, Json] | None = None
    cause: str | None = None
    version: str | None = None


def source(path: Path | None, case: AnyCase, cause: str | None) -> Source:
    """Return what a file holds: a report, or a finding, whose case has to be run for its counts.

    Raises
    ------
    AcceptError
        If it is a finding of another case or another cause, or in a patched copy.
    BrokenReportError
        If it is neither, or a report of which a part is missing.
    """
    if path is None:
        return Source(cause=cause)
    finding = _finding(path)
    if finding is None:
        return Source(report_file.read(path), cause)
    match finding:
        case {"case": case.name, "cause": str(found), "subject": {"version": str(version), "patches": []}}:
            if cause not in {None, found}:
                raise AcceptError(f"{path} is a finding of {found!r}, not of {cause!r}")
            return Source(cause=found, version=version)
        case {"case": case.name}:
            raise AcceptError(
                f"{path}: a finding in a release without patches was expected, not in {finding.get('subject')}"
            )
        case _:
            raise AcceptError(f"{path}: a finding of {case.name} in a release was expected, not of {finding['case']}")


def plan(
    ledger: Ledger, library: Library, case: AnyCase, origin: Source, run: Callable[[], Mapping[str, Json]]
) -> list[Change]:
    """Return what has to change in a ledger.

    Parameters
    ----------
    run
        Runs every domain of the case, and returns the report.

    Raises
    ------
    AcceptError
        If the case was not shown whole, in the version of the finding.
    """
    shown = seen(run() if origin.report is None else origin.report, library, case)
    if origin.version not in {None, shown.version}:
        raise AcceptError(
            f"the finding is about version {origin.version}, and {shown.title} was tested; test that version with "
            f"--subject {shown.title.partition(' ')[0]}=={origin.version}"
        )
    return changes(ledger, shown, origin.cause)


def worded(planned: Sequence[Change], words: Words) -> list[Change]:
    """Return the changes of one cause with a person's words.

    They are put into the entry that is true of the tested version. Where there is none, they are a note on the one that
    ends, which keeps what it says.
    """
    last = next((change for change in reversed(planned) if change.after), None)
    return [_worded(change, words) if change is last else change for change in planned]


def _worded(change: Change, words: Words) -> Change:
    if change.after is None:
        return change
    if change.is_end:
        return replace(change, note=f"{words.says} ({words.upstream})")
    return replace(change, after=replace(change.after, upstream=words.upstream, says=words.says, review=words.review))


def by_cause(planned: Sequence[Change]) -> list[list[Change]]:
    """Return the changes of each cause together."""
    found: dict[str, list[Change]] = {}
    for change in planned:
        entry = change.after or change.before
        found.setdefault(entry.cause if entry else "", []).append(change)
    return list(found.values())


def given(upstream: str | None, says: str | None, review: date | None, otherwise: date) -> Words | None:
    """Return the words that options give; none where they give none.

    Raises
    ------
    AcceptError
        If they give one of the link and the reason without the other, or what is neither.
    """
    if upstream is None and says is None:
        return None
    if upstream is None or says is None:
        raise AcceptError("the link and the reason go together: --upstream URL --says TEXT was expected, both")
    return Words(upstream, says, review or otherwise)


def _finding(path: Path) -> Mapping[str, Json] | None:
    """Return a finding; none where the file is something else."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and {"case", "input", "cause"} <= found.keys() else None
