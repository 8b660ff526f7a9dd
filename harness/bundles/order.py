"""What somebody orders: a bundle of a divergence, and how it is written."""

from dataclasses import dataclass
from pathlib import Path

from harness.impact.comparison import Files
from harness.shadow.proposal import Proposal


@dataclass(frozen=True, slots=True)
class Order:
    """How a bundle is written.

    Attributes
    ----------
    out
        The folder to write; by default one in the current folder, named after subject and case.
    cause
        Which divergence of the case; by default the one that the smallest input shows.
    fix
        Patches, and source files that replace a whole unit, with which the divergence has to be gone; by default those
        that the ledger names for it.
    files
        Somebody's qrels and runs: the report says what the divergence does to them, too.
    is_fresh
        Whether script and test are run in an environment made from the script's own header, too.
    is_zipped
        Whether the folder is written as a zip file beside it, too.
    is_replacing
        Whether a folder that is there is replaced, when the new one holds.
    """

    out: Path | None = None
    cause: str | None = None
    fix: tuple[Path, ...] = ()
    files: Files | None = None
    is_fresh: bool = False
    is_zipped: bool = False
    is_replacing: bool = False


DIFFS = frozenset({".patch", ".diff"})


def proposal(paths: tuple[Path, ...]) -> Proposal:
    """Return files as a proposed change: diffs by their names, and source files that each replace a unit."""
    diffs = tuple(path for path in paths if path.suffix in DIFFS or not path.suffix)
    return Proposal(diffs, tuple(path for path in paths if path not in diffs))
