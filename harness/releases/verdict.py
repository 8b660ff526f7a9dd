"""Whether the newest release is as the ledger says."""

from collections.abc import Collection, Iterator

from harness import ledger as ledgers
from harness.case import AnyCase
from harness.ledger import Ledger
from harness.releases.matrix import Matrix


def departures(matrix: Matrix) -> list[str]:
    """Return where the newest release of a matrix is not as the ledger says.

    Of the ledger's divergences, those are expected of which it counts mismatches in the domain that was run.

    Raises
    ------
    BrokenLedgerError
        If the ledger cannot be read.
    """
    return list(_departures(matrix, ledgers.read(matrix.question.library.ledger)))


def exit_status(matrix: Matrix, departed: Collection[str]) -> int:
    """Return 0 if the newest release is as the ledger says, 1 if not, 2 if that cannot be said.

    It cannot where the matrix is not whole, or nothing of the newest release was compared.

    Parameters
    ----------
    departed
        What `departures` returned.
    """
    if matrix.obstacles:
        return 2
    if departed:
        return 1
    return 0 if is_judged(matrix) else 2


def is_judged(matrix: Matrix) -> bool:
    """Return whether something of the newest release was compared."""
    return any(newest and newest[1].status == "run" for newest in map(matrix.newest, matrix.question.cases))


def _departures(matrix: Matrix, ledger: Ledger) -> Iterator[str]:
    asked = matrix.question
    failing: dict[str, list[str]] = {}
    for case in asked.cases:
        newest = matrix.newest(case)
        if newest is None:
            continue
        version, outcome = newest
        if outcome.status == "cannot_run":
            failing.setdefault(f"cannot run: {outcome.reason}", []).append(case.name)
        if outcome.confirmed is False and outcome.mode == asked.mode.name:
            failing.setdefault(f"cannot run in every mode; {outcome.reason}", []).append(case.name)
        if outcome.status == "unsupported":
            yield from _lost(matrix, case)
        if outcome.status != "run":
            continue
        entries = ledger.entries_for(case.name, str(version))
        shown, known = set(outcome.causes), {entry.cause for entry in entries}
        counted = {
            entry.cause
            for entry in entries
            if any(sum(count.mismatches.values()) for count in entry.counts_of(case.domains[0]))
        }
        for cause in sorted(shown - known):
            yield f"{case.name}: {version} shows a divergence that is not in the ledger, {cause!r}"
        for cause in sorted(counted - shown):
            yield f"{case.name}: {version} does not show the divergence that the ledger knows as {cause!r}"
    for reason, names in failing.items():
        whose = "every contract" if len(names) == len(asked.cases) > 1 else ", ".join(names)
        yield f"{whose}: {matrix.releases[-1]} {reason}"


def _lost(matrix: Matrix, case: AnyCase) -> Iterator[str]:
    """Yield that the newest release no longer offers a case, where one before it did."""
    offering = [version for version, outcome in matrix.row(case) if outcome.status == "run"]
    if offering:
        yield f"{case.name}: {matrix.releases[-1]} no longer offers it, and {offering[-1]} did"
