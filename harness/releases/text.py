"""The matrix as a person reads it: for each case, what releases show, together where they show the same."""

import itertools
import re
from collections.abc import Collection, Iterator, Sequence

from packaging.version import Version

from harness.case import AnyCase
from harness.releases.changes import Change, Offer, Row
from harness.releases.matrix import Matrix
from harness.releases.outcome import Outcome
from harness.releases.verdict import is_judged
from harness.terminal import INDENT, counted, wrapped
from harness.verdict import Verdict


def lines(matrix: Matrix, departed: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a matrix, and where its newest release departs from the ledger."""
    asked = matrix.question
    looked = {version for version, _ in matrix.cells}
    if matrix.releases:
        span = f"{matrix.releases[0]} to {matrix.releases[-1]}"
        some = f"{len(looked)} of " if len(looked) < len(matrix.releases) else ""
        by = (
            f", {asked.mode.name}" if asked.counting is None else f", {asked.mode.name}; {asked.counting.name} confirms"
        )
        yield f"{asked.mode.distribution} {span}: {some}{counted(len(matrix.releases), 'release')}{by}"
        yield ""
    if asked.bisect:
        yield from wrapped("", "Bisected: releases between two that show the same are taken to show the same too.")
        yield ""
    alike = [version for version in matrix.releases if _is_alike(matrix, version)]
    if alike and len(asked.cases) > 1:
        yield f"{INDENT}every contract"
        yield from _groups(matrix, [(str(version), _any(matrix, version)) for version in alike])
        yield ""
    else:
        alike = []
    for case in asked.cases:
        if row := matrix.row(case):
            yield from _case(matrix, case, row, {str(version) for version in alike})
            yield ""
    for text in departed:
        yield from wrapped("newest release: ", text)
    for obstacle in matrix.obstacles:
        yield from wrapped("could not be done: ", obstacle)
    yield _conclusion(matrix, departed)


def _is_alike(matrix: Matrix, version: Version) -> bool:
    """Return whether nothing of a release was run, for one reason."""
    found = [matrix.cells.get((version, case.name)) for case in matrix.question.cases]
    return len({(one.status, one.reason) if one else None for one in found}) == 1 and all(
        one and one.status != "run" for one in found
    )


def _any(matrix: Matrix, version: Version) -> Outcome:
    return matrix.cells[version, matrix.question.cases[0].name]


def _case(matrix: Matrix, case: AnyCase, row: Row, told: Collection[str]) -> Iterator[str]:
    """Yield what releases show of a case, but for those of which it is told already."""
    yield f"{INDENT}{case.short_name}"
    yield from _groups(matrix, [(version, outcome) for version, outcome in row if version not in told])
    for offer in matrix.offers(case):
        yield from wrapped(f"{INDENT * 2}", _offer(offer))
    for change in matrix.changes:
        if change.case == case.name:
            yield from wrapped(f"{INDENT * 2}", _change(change))


def _groups(matrix: Matrix, row: Row) -> Iterator[str]:
    groups = [list(group) for _, group in itertools.groupby(row, key=lambda one: _same(*one))]
    width = max((len(_span(group)) for group in groups), default=0) + 2
    for group in groups:
        yield from wrapped(f"{INDENT * 2}{_span(group).ljust(width)}", _said(matrix, group))


def _same(version: str, outcome: Outcome) -> tuple[object, ...]:
    """Return what is told of an outcome, whatever the release: those of which it is the same are told together."""
    reason = outcome.reason.replace(version, "") if outcome.status != "run" else ""
    return outcome.status, sorted(outcome.verdicts.items()), sorted(outcome.causes.items()), reason


def _span(group: Row) -> str:
    first, last = group[0][0], group[-1][0]
    return first if first == last else f"{first} to {last}"


def _said(matrix: Matrix, group: Row) -> str:
    outcome = group[0][1]
    inputs, mismatches = outcome.verdicts.total(), outcome.causes.total()
    others = [f"{n:,} {verdict}" for verdict, n in outcome.verdicts.items() if verdict is not Verdict.AGREES]
    if outcome.status != "run":
        told = f"{outcome.verdict}: {_without_version(group)}"
    elif not mismatches and not others:
        told = f"{outcome.verdict}, {inputs:,} inputs"
    elif not mismatches:
        told = f"{outcome.verdict}, {outcome.verdicts[Verdict.AGREES]:,} of {inputs:,} inputs, {', '.join(others)}"
    elif len(outcome.causes) == 1:
        told = f"{outcome.verdict}, {mismatches:,} of {inputs:,} inputs, every one: {next(iter(outcome.causes))}"
    else:
        causes = ", ".join(f"{n:,}: {cause}" for cause, n in outcome.causes.most_common())
        told = f"{outcome.verdict}, {mismatches:,} of {inputs:,} inputs, {causes}"
    notes = [counted(len(group), "release") + " run"] if matrix.question.bisect else []
    confirmed = [version for version, one in group if one.confirmed]
    if confirmed and matrix.question.counting:
        notes.append(f"{matrix.question.counting.name} confirms {', '.join(confirmed)}")
    refuted: dict[str, list[str]] = {}
    for version, one in group:
        if one.confirmed is False:
            refuted.setdefault(one.reason, []).append(version)
    notes += [f"but of {', '.join(versions)}, {reason}" for reason, versions in refuted.items()]
    dated = [
        (version, one.reason)
        for version, one in group
        if one.status == "run" and one.reason and one.confirmed is not False
    ]
    notes += [f"{version} {reason}" for version, reason in dated]
    return "; ".join([told, *notes])


def _without_version(group: Row) -> str:
    """Return why releases were not run, without the version of the first where they are several."""
    version, outcome = group[0]
    if len(group) == 1:
        return outcome.reason
    return re.sub(rf"(==| ){re.escape(version)}(?= )", "", outcome.reason)


def _offer(offer: Offer) -> str:
    told = (
        f"offered since {offer.after}, not yet by {offer.before}"
        if offer.is_begin
        else f"no longer offered since {offer.after}, still by {offer.before}"
    )
    return told + _skipped(offer.skipped)


def _change(change: Change) -> str:
    parts = []
    if change.first_bad is None:
        parts.append("there in the first release that was looked at")
    elif change.last_good and change.instead_of:
        parts.append(f"first shown by {change.first_bad}, where {change.last_good} shows {_listed(change.instead_of)}")
    elif change.last_good:
        parts.append(f"first bad {change.first_bad}, last good {change.last_good}")
    else:
        parts.append(f"first bad {change.first_bad}, the first that offers it")
    if change.first_fixed and change.replaced_by:
        parts.append(f"last shown by {change.last_bad}, where {change.first_fixed} shows {_listed(change.replaced_by)}")
    elif change.first_fixed:
        parts.append(f"first fixed {change.first_fixed}, last bad {change.last_bad}")
    return f"{change.cause}: {'; '.join(parts)}{_skipped(change.skipped)}"


def _listed(causes: Sequence[str]) -> str:
    return " and ".join(f'"{cause}"' for cause in causes)


def _skipped(skipped: Sequence[str]) -> str:
    return f"; nothing is known of {', '.join(skipped)} in between" if skipped else ""


def _conclusion(matrix: Matrix, departed: Sequence[str]) -> str:
    """Return in a line what the exit status says."""
    if matrix.obstacles:
        return "The matrix is not whole." if matrix.cells else "Nothing is kept, and nothing could be run."
    newest = f"{matrix.question.mode.distribution} {matrix.releases[-1]}"
    if departed:
        return f"{newest} is not as the ledger says, or cannot be judged."
    if not is_judged(matrix):
        return f"Nothing of {newest} was compared: it offers none of this."
    return f"{newest} is as the ledger says."
