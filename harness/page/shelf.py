"""The bundles in a folder, as the page links them."""

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from harness.errors import NoResultsError
from harness.finding import NAME as FINDING
from harness.page.fields import Fields
from harness.page.reading import load

REPORT = "README.md"


@dataclass(frozen=True, slots=True)
class Shelved:
    """A bundle: a folder with a finding.

    Attributes
    ----------
    version
        The release that it is about.
    describes
        The input in a few words.
    """

    folder: Path
    case: str
    cause: str
    version: str
    describes: str

    def link(self, page: Path) -> str:
        """Return the way to its report from the folder of a page, as a relative link."""
        report = self.folder / REPORT
        target = report if report.is_file() else self.folder / FINDING
        way = os.path.relpath(target.absolute(), page.absolute().parent)
        return quote(Path(way).as_posix().encode(errors="surrogateescape"))


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder of bundles, and what is in it; no folder, and nothing, where there are none."""

    folder: Path | None = None
    bundles: tuple[Shelved, ...] = ()


def shelf(folder: Path) -> Shelf:
    """Return the bundles in a folder.

    Raises
    ------
    NoResultsError
        If there is no such folder.
    BrokenResultsError
        If a finding in it is none.
    """
    if not folder.is_dir():
        raise NoResultsError(f"a folder of bundles was expected, and {folder} is none; `rankdiff bundle` makes them")
    return Shelf(folder, tuple(_shelved(path) for path in sorted(folder.glob(f"*/{FINDING}"))))


def _shelved(path: Path) -> Shelved:
    fields = Fields.of(load(path), str(path))
    return Shelved(
        folder=path.parent,
        case=fields.text("case"),
        cause=fields.text("cause"),
        version=fields.object("subject").text("version"),
        describes=fields.text("describes"),
    )
