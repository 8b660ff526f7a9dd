"""What a person at a terminal sees while work goes on; nothing goes to a pipe."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Never

from tqdm import tqdm

from harness.printable import printable, printable_lines


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

        ``at_first`` tells why nothing may move at first.
        """
        with self._bar(total, title, unit=" inputs") as bar:
            bar.set_postfix_str(at_first)

            def advance(inputs: int) -> None:
                bar.set_postfix_str("", refresh=False)
                bar.update(inputs)

            yield advance

    @contextmanager
    def waiting(self, title: str) -> Iterator[None]:
        """Say what is being waited for, while it lasts."""
        with self._bar(0, title, bar_format="{desc} ... {elapsed}"):
            yield

    def _bar(self, total: int, title: str, **options: str) -> "tqdm[Never]":
        columns = shutil.get_terminal_size().columns  # 80 where the terminal does not say
        return tqdm(total=total, desc=printable(title), leave=False, disable=not self.bars, ncols=columns, **options)

    def note(self, text: str) -> None:
        """Say something that should stay on the screen."""
        tqdm.write(printable_lines(text), file=sys.stderr)
