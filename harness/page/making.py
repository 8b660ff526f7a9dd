"""Make the page that somebody ordered: find what it is made of, and write it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import registry
from harness.library import Library
from harness.page import reading, writing
from harness.page.shelf import Shelf, shelf
from harness.page.writing import chosen
from harness.releases.document import kept_documents

REPORTS = Path("reports")
"""Where bundles are looked for, if it is there."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the page is made of, and where it goes.

    Attributes
    ----------
    names
        The libraries on it; all, if none is named.
    out
        The file to write.
    sources
        Files of results; what is kept in the cache, if there are none.
    bundles
        A folder of bundles.
    """

    names: tuple[str, ...]
    out: Path
    sources: tuple[Path, ...] = ()
    bundles: Path | None = None


def make(order: Order, libraries: Sequence[Library]) -> Path:
    """Write the page, and return its path.

    Raises
    ------
    RankdiffError
        If something that it is made of is not there or cannot be read, or the page cannot be written.
    """
    if order.sources:
        matrices = [reading.matrix(reading.load(path), str(path)) for path in order.sources]
    else:
        matrices = [reading.matrix(one, "the cache") for one in kept_documents(available=list(libraries))]
    registry.verify_known(order.names, {one.name for one in libraries} | {one.library for one in matrices}, "a library")
    matrices = chosen(matrices, order.names)
    folder = order.bundles or (REPORTS if REPORTS.is_dir() else None)
    text = writing.render(matrices, libraries, shelf(folder) if folder else Shelf(), order.out)
    writing.write(text, order.out)
    return order.out
