"""Texts from elsewhere, made harmless for a terminal."""

from collections.abc import Iterable

NAMED = 5
"""So many of a list are named."""


def printable(text: str) -> str:
    """Return a text in which everything is escaped that a terminal would not print."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text
    )


def printable_lines(text: str) -> str:
    """Return a text of several lines in which everything else is escaped that a terminal would not print."""
    return "\n".join(printable(line.expandtabs()) for line in text.split("\n"))


def listed(names: Iterable[str]) -> str:
    """Return names for a message: the first ones, printable, and how many more there are."""
    shown = [printable(name) for name in dict.fromkeys(names)]
    return ", ".join(shown[:NAMED]) + (f" and {len(shown) - NAMED} more" if len(shown) > NAMED else "")
