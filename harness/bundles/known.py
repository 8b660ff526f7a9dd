"""The bundles of all divergences that the ledgers know, and the page that lists them."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness import ledger
from harness.bundles import writing
from harness.bundles.order import Order
from harness.bundles.writing import Bundle
from harness.case import AnyCase
from harness.errors import NotInstalledError, RankdiffError
from harness.ledger import Entry
from harness.library import Library
from harness.progress import Progress
from harness.subject import Subject, require_installed


@dataclass(frozen=True, slots=True)
class Known:
    """A divergence that a ledger knows.

    Attributes
    ----------
    library, case, entry
        Which one.
    is_first
        Whether it is the first of its case at this version: its bundle is named after the case alone.
    """

    library: Library
    case: AnyCase
    entry: Entry
    is_first: bool


def write(
    libraries: Sequence[Library], out: Path, order: Order, progress: Progress
) -> Iterator[tuple[Known, Bundle | RankdiffError]]:
    """Yield the bundle of every entry that a ledger has for the installed version, or why there is none.

    Each is written to a folder in ``out`` that is named after subject and case, over an older one; one of a further
    cause of a case also after that. It is about the library itself where that is there, else about a model of it.

    Raises
    ------
    BrokenLedgerError
        If a ledger cannot be read.
    """
    for library in libraries:
        entries = ledger.read(library.ledger).entries
        for case in library.cases:
            about = [entry for entry in entries if entry.case == case.name]
            if not about:
                continue
            try:
                subject = _preferred(library, case)
            except RankdiffError as error:
                yield from ((Known(library, case, entry, entry is about[0]), error) for entry in about)
                continue
            here = [entry for entry in about if entry.covers(subject.version)]
            for entry in here:
                known = Known(library, case, entry, entry is here[0])
                yield known, _written(known, subject, out, order, progress)


def _written(known: Known, subject: Subject, out: Path, order: Order, progress: Progress) -> Bundle | RankdiffError:
    cause = known.entry.cause
    name = writing.usual_name(subject, known.case, None if known.is_first else cause)
    named = replace(order, out=out / name, cause=cause, is_replacing=True)
    try:
        return writing.write(subject, known.case, named, progress)
    except RankdiffError as error:
        return error


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
