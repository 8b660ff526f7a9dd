"""What the template shows of one library: rows, cells and what stands behind each of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from urllib.parse import urlsplit

from harness.case import Contract
from harness.ledger import Entry
from harness.page.marks import ALL, Mark
from harness.page.matrix import Matrix, Result, Smallest, Swept
from harness.page.strips import Strip
from harness.releases.changes import Change
from harness.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle, and the way to it from the page."""

    link: str
    folder: str
    version: str


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause of mismatches in a cell.

    Attributes
    ----------
    letter
        What stands for it in the row.
    known
        What the ledger says of it at this release, if it does.
    words
        The smallest input in a few words, where its case is known here.
    replay
        The command that runs that input on the release, in parts that belong together.
    """

    letter: str
    name: str
    is_convention: bool
    count: int
    known: Entry | None
    smallest: Smallest | None
    words: str
    input: str
    replay: tuple[str, ...]
    bundles: tuple[Bundle, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One release against one contract.

    Attributes
    ----------
    label
        Which code answered, if that has to be said.
    counts
        Whether it is known to be the code that counts.
    """

    id: str
    version: str
    mark: Mark
    share: str
    label: str
    counts: bool
    causes: tuple[Cause, ...]
    result: Result

    @property
    def domains(self) -> list[tuple[Swept, list[Verdict]]]:
        """The domains, each with the verdicts that occur in it."""
        return [(one, [verdict for verdict in Verdict if one.verdicts.get(verdict)]) for one in self.result.domains]


@dataclass(frozen=True, slots=True)
class Row:
    """One contract: its cells, newest release first, and all that is said of it.

    Attributes
    ----------
    letters
        The letter of each cause that a cell shows.
    entries
        The ledger's entries about it.
    right
        What a right value is called.
    """

    id: str
    case: str
    short_name: str
    contract: Contract
    letters: Mapping[str, str]
    cells: tuple[Cell | None, ...]
    entries: tuple[Entry, ...]
    changes: tuple[Change, ...]
    strips: tuple[Strip, ...]
    bundles: tuple[Bundle, ...]

    @property
    def right(self) -> str:
        """What a right value is called."""
        return "expected" if self.contract.unpromised else "documented"

    def cell(self, version: str | None) -> Cell | None:
        """Return the cell of a release, if there is one."""
        return next((cell for cell in self.cells if cell and cell.version == version), None)


@dataclass(frozen=True, slots=True)
class Section:
    """One library."""

    id: str
    matrix: Matrix
    versions: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def source(self) -> str:
        """Where it was read, without the folders."""
        return PurePath(self.matrix.origin).name

    @property
    def newest(self) -> list[tuple[Mark, int]]:
        """How many contracts have each mark at the newest release."""
        shown = [row.cells[0].mark for row in self.rows if row.cells and row.cells[0]]
        return [(one, shown.count(one)) for one in ALL if one in shown]

    @property
    def kept(self) -> tuple[str, str] | None:
        """When the first and the last of its results were had."""
        times = sorted(result.kept for release in self.matrix.releases for result in release.results.values())
        return (times[0], times[-1]) if times else None


def is_link(text: str) -> bool:
    """Return whether a text is a link that the page may hold: one to another site, encrypted."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme == "https" and bool(parts.hostname) and text.isprintable() and " " not in text
