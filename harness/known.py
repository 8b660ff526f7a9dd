"""The bundles of all divergences that the ledgers know."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from harness import bundle, ledger
from harness.bundle import Bundle, Order
from harness.case import AnyCase
from harness.errors import NotInstalledError, RankdiffError
from harness.library import Library
from harness.progress import Progress
from harness.subject import Subject, require_installed


def write(
    libraries: Sequence[Library], out: Path, order: Order, progress: Progress
) -> Iterator[tuple[AnyCase, Bundle | RankdiffError]]:
    """Yield the bundle of every case that a ledger has an entry for at the installed version, or why there is none.

    Each is written to a folder in ``out`` that is named after subject and case, over an older one. It is about the
    library itself where that is there, else about a model of it.

    Raises
    ------
    BrokenLedgerError
        If a ledger cannot be read.
    """
    for library in libraries:
        known = ledger.read(library.ledger)
        for case in library.cases:
            if not any(entry.case == case.name for entry in known.entries):
                continue
            try:
                subject = _preferred(library, case)
                if known.entries_for(case.name, subject.version):
                    named = replace(order, out=out / bundle.usual_name(subject, case), is_replacing=True)
                    yield case, bundle.write(subject, case, named, progress)
            except RankdiffError as error:
                yield case, error


def _preferred(library: Library, case: AnyCase) -> Subject:
    """Return the library itself, where it is there, or else a model of it.

    Raises
    ------
    NotInstalledError, UnusableError
        If neither can be had.
    """
    counted = [mode for mode in library.modes if mode.is_counted and case.is_about(mode.name)]
    for mode in sorted(counted, key=lambda mode: mode.is_model):
        with contextlib.suppress(NotInstalledError):
            return require_installed(library, case, mode.name)
    return require_installed(library, case)
