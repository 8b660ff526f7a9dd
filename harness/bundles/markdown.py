"""Markdown in which text from elsewhere stays text: no markup, no link, no mention, no control sequence."""

import re
from collections.abc import Iterable, Sequence

from harness.printable import printable

SPECIAL = re.compile(r"[\\`\[\]<~$&]|(?<![^\W_])_|_(?![^\W_])|(?<!\s)\*|\*(?!\s)|^\*|\*$")
"""What means something to Markdown where it stands; a star between blanks is a star."""

LINKED = re.compile(r"@\w|://|\bwww\.|(?:\bGH-|#)\d", re.IGNORECASE)
"""What a forge makes a link or a mention of."""

BLOCK = re.compile(r"^\d*([-+.)](?=[-\s]|$)|[=#>])")
"""What begins a list, a rule or a heading where it begins a line."""


class Markdown(str):
    """Text that is Markdown already."""

    __slots__ = ()


def safe(value: object) -> Markdown:
    """Return a value as Markdown that shows it, on one line; what is Markdown already is left alone."""
    if isinstance(value, Markdown):
        return value
    text = printable(" ".join(str(value).split()))
    begun = BLOCK.match(text)
    start = begun.start(1) if begun else 0
    shown = SPECIAL.sub(r"\\\g<0>", text[start:])
    return Markdown(f"{text[:start]}\\{shown}" if begun else shown)


def datum(value: object) -> Markdown:
    """Return what an input holds, or a library says, as Markdown that shows it and links nothing."""
    text = str(value)
    return code(text) if not isinstance(value, Markdown) and LINKED.search(text) else safe(value)


def code(text: str) -> Markdown:
    """Return a text as a code span: nothing in it is interpreted."""
    shown = printable(text)
    if not shown.strip():
        return Markdown("(empty)" if not shown else f"({len(shown)} blanks)")
    taken = {len(run) for run in _runs(shown)}
    fence = "`" * next(n for n in range(1, len(taken) + 2) if n not in taken)
    pad = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return Markdown(f"{fence}{pad}{shown}{pad}{fence}")


def block(lines: Iterable[str], language: str = "text") -> Markdown:
    """Return lines as a fenced block: nothing in it is interpreted."""
    shown = [printable(line.expandtabs(4)) for text in lines for line in (text.splitlines() or [""])]
    fence = "`" * max(3, 1 + max(map(len, _runs("\n".join(shown))), default=0))
    return Markdown("\n".join([f"{fence}{language}", *shown, fence]))


def table(heads: Sequence[object], rows: Iterable[Sequence[object]]) -> Markdown:
    """Return a table, in which a column of numbers stands to the right."""
    cells = [[_cell(cell) for cell in row] for row in rows]
    columns = list(zip(*cells, strict=True)) or [()] * len(heads)
    rules = ["---:" if column and all(map(_is_number, column)) else "---" for column in columns]
    return Markdown("\n".join(map(_row, [[_cell(head) for head in heads], rules, *cells])))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: object) -> str:
    """Return a cell; a bar ends it even in a code span."""
    return safe(value).replace("|", "\\|") or " "


def _is_number(text: str) -> bool:
    return re.fullmatch(r"`?[-+]?[\d,./%]+( %)?`?|-", text) is not None


def _runs(text: str) -> list[str]:
    return re.findall("`+", text)
