"""Interrupts: what ends a run early is never lost."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

AGAIN = 0.05
"""Seconds after which an interrupt that Python ignored is sent again."""


@contextmanager
def noticed() -> Iterator[None]:
    """Have what ends a run raise KeyboardInterrupt in it, wherever it comes.

    Python prints and forgets what is raised while an object is finalised, an interrupt too: the run would go on, as if
    nobody had pressed a key. Such a one is sent again.
    """
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, _interrupt)
    usual = sys.unraisablehook

    def hook(ignored: "UnraisableHookArgs") -> None:
        if ignored.exc_type is KeyboardInterrupt:
            again = threading.Timer(AGAIN, os.kill, (os.getpid(), signal.SIGINT))
            again.daemon = True
            again.start()
        else:
            usual(ignored)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = usual


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
