"""Whether the newest release is as the ledger says."""

from collections.abc import Collection, Iterator

from harness import ledger as ledgers
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
    """Return 0 if the newest release is as the ledger says, 1 if not, 2 if the matrix is not whole.

    Parameters
    ----------
    departed
        What `departures` returned.
    """
    if matrix.obstacles:
        return 2
    return 1 if departed else 0


def _departures(matrix: Matrix, ledger: Ledger) -> Iterator[str]:
    for case in matrix.question.cases:
        newest = matrix.newest(case)
        if newest is None:
            continue
        version, outcome = newest
        if outcome.status == "cannot_run":
            yield f"{case.name}: the newest release, {version}, cannot run: {outcome.reason}"
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
