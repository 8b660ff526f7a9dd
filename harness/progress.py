"""What a person at a terminal sees while work goes on; nothing goes to a pipe."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Never

from tqdm import tqdm

from harness.printable import printable, printable_lines

BAR = 10
"""Columns that a bar has at least, if there are any: what stands beside it gives way."""

AROUND = " 100%||"
"""What stands beside the shortest bar, without its title."""

RATE = " [00:00<00:00, 10000.00 inputs/s]"

WAITED = " ... 00:00"


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress bars and notes on standard error.

    Attributes
    ----------
    bars
        Whether to draw bars; by default at a terminal only.
    """

    bars: bool

    @classmethod
    def at_terminal(cls) -> "Progress":
        """Return the one for the standard error of this process."""
        return cls(sys.stderr.isatty())

    @contextmanager
    def counting(self, title: str, total: int, at_first: str = "") -> Iterator[Callable[[int], None]]:
        """Draw a bar for work of a known length; yield the function that advances it.

        ``at_first`` tells why nothing may move at first, on a line of its own.
        """
        columns = _columns()
        with (
            self._bar(total, _short(title, columns - len(f":{AROUND}") - BAR), _beside(title, total, columns)) as bar,
            self._bar(0, _short(at_first, columns), "{desc}", is_shown=bool(at_first and total)) as reason,
        ):

            def advance(inputs: int) -> None:
                reason.close()
                bar.update(inputs)

            yield advance

    @contextmanager
    def waiting(self, title: str) -> Iterator[None]:
        """Say what is being waited for, while it lasts."""
        with self._bar(0, _short(title, _columns() - len(WAITED)), "{desc} ... {elapsed}"):
            yield

    def _bar(self, total: int, title: str, bar_format: str, *, is_shown: bool = True) -> "tqdm[Never]":
        return tqdm(
            total=total,
            desc=title,
            unit=" inputs",
            bar_format=bar_format,
            leave=False,
            disable=not (self.bars and is_shown),
            ncols=_columns(),
        )

    def note(self, text: str) -> None:
        """Say something that should stay on the screen."""
        tqdm.write(printable_lines(text), file=sys.stderr)


def _columns() -> int:
    """Return how wide the terminal of standard error is; 80 where it does not say."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):  # none, or it has no number
        columns = 0
    return columns or shutil.get_terminal_size().columns


def _short(text: str, columns: int) -> str:
    """Return a text for the screen that is no wider."""
    text = printable(text)
    return text if len(text) <= columns else f"{text[: max(columns - 3, 0)]}..."


def _beside(title: str, total: int, columns: int) -> str:
    """Return what stands beside a bar, as much as there is room for."""
    room = columns - BAR - len(title) - len(f": {AROUND} {total}/{total}")
    if room >= len(RATE):
        return "{l_bar}{bar}{r_bar}"
    return "{l_bar}{bar}| {n_fmt}/{total_fmt}" if room >= 0 else "{l_bar}{bar}|"
