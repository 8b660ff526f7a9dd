"""Quotations, looked up in what is installed: the line where the words stand today."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.account import Quotation
from harness.installation import Installation


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation, and its line; none where the words do not stand in the file that is installed."""

    quotation: Quotation
    line: int | None


def quoted(quotations: Sequence[Quotation], installation: Installation) -> Iterator[Quoted]:
    """Yield each quotation with its line.

    A patched copy is quoted as what it is a copy of.
    """
    found = installation.base or installation
    for quotation in quotations:
        yield Quoted(quotation, quotation.line or _line(quotation, found))


def _line(quotation: Quotation, installation: Installation) -> int | None:
    """Return the one line that holds the words; none if there is no such line, or more than one."""
    package, _, rest = quotation.file.partition("/")
    root = installation.packages.get(package)
    if root is None:
        return None
    path = root / rest if root.is_dir() else root
    if not path.is_file():
        return None
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    holding = [number for number, line in enumerate(lines, 1) if quotation.text in line]
    return holding[0] if len(holding) == 1 else None
