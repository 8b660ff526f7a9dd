"""What a person at a terminal sees while work goes on; nothing goes to a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tqdm import tqdm


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
        with tqdm(total=total, desc=title, leave=False, disable=not self.bars, unit=" inputs") as bar:
            bar.set_postfix_str(at_first)

            def advance(inputs: int) -> None:
                bar.set_postfix_str("", refresh=False)
                bar.update(inputs)

            yield advance

    @contextmanager
    def waiting(self, title: str) -> Iterator[None]:
        """Say what is being waited for, while it lasts."""
        with tqdm(total=0, desc=title, leave=False, disable=not self.bars, bar_format="{desc} ... {elapsed}"):
            yield

    def note(self, text: str) -> None:
        """Say something that should stay on the screen."""
        tqdm.write(text, file=sys.stderr)
