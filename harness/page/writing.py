"""Write the page: everything that is known of the releases of libraries, as one HTML file."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from harness import ledger, whole
from harness.errors import BrokenResultsError, NoResultsError, PageError
from harness.library import Library
from harness.page.marks import ALL
from harness.page.matrix import Matrix
from harness.page.rows import section
from harness.page.shelf import Shelf
from harness.page.view import Section, is_link
from harness.printable import printable
from harness.version import VERSION

TEMPLATES = Path(__file__).with_name("templates")

NAME = Path("report.html")


def render(matrices: Sequence[Matrix], libraries: Sequence[Library], shelf: Shelf, page: Path) -> str:
    """Return the page.

    Parameters
    ----------
    libraries
        What is installed here: its contracts and ledgers are shown, too.
    shelf
        Bundles to link.
    page
        The file that it will be: bundles are linked from there.

    Raises
    ------
    BrokenResultsError
        If two matrices are about the same library.
    BrokenLedgerError
        If a ledger cannot be read.
    """
    by_name = {library.name: library for library in libraries}
    origins: dict[str, str] = {}
    for one in matrices:
        if one.library in origins:
            raise BrokenResultsError(
                f"{origins[one.library]} and {one.origin} are both about {one.library}; one of them was expected"
            )
        origins[one.library] = one.origin
    sections = [_section(one, by_name.get(one.library), shelf, page) for one in matrices]
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )
    templates.filters["number"] = "{:,}".format
    templates.filters["moment"] = _moment
    templates.tests["link"] = is_link
    return templates.get_template("page.html").render(
        sections=sections, marks=ALL, version=VERSION, shelf=str(shelf.folder) if shelf.bundles else ""
    )


def chosen(matrices: Sequence[Matrix], names: Sequence[str]) -> list[Matrix]:
    """Return the matrices of the libraries that are named; all of them if there are no names.

    Raises
    ------
    NoResultsError
        If there is none, or none of a library that was named.
    """
    for name in names:
        if name not in {one.library for one in matrices}:
            there = ", ".join(one.library for one in matrices) or "none"
            raise NoResultsError(
                f"results of {name} were expected, found {there}; `rankdiff releases {name}` makes and keeps them"
            )
    if not matrices:
        raise NoResultsError(
            "no results of releases are kept that the present code made; `rankdiff releases LIBRARY` makes them, and "
            "--from FILE.json names some"
        )
    return [one for one in matrices if not names or one.library in names]


def write(text: str, path: Path) -> None:
    """Write the page whole or not at all.

    Raises
    ------
    PageError
        If it cannot be written.
    """
    try:
        whole.write(path, text)
    except OSError as error:
        raise PageError(
            f"the page {path} cannot be written ({error.strerror or error}); name another file with --out FILE"
        ) from error


def _section(matrix: Matrix, library: Library | None, shelf: Shelf, page: Path) -> Section:
    entries = ledger.read(library.ledger).entries if library else ()
    return section(matrix, library, entries, shelf.bundles, page)


def _moment(text: str) -> str:
    """Return a time in UTC for a person; a text that is none stays as it is."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError):
        return text


def _harmless(value: object) -> object:
    """Return a value of which nothing is left but what can be printed; it is escaped for HTML after that."""
    return printable(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
