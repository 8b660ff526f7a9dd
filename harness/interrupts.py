"""Interrupts: what ends a run early is never lost."""

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

AGAIN = 0.05
"""Seconds after which an interrupt that Python ignored is sent again."""

BESIDE = 0.5
"""Seconds after an interrupt in which another is the same one, pressed again: a run is putting away what it has."""


@contextmanager
def noticed() -> Iterator[None]:
    """Have what ends a run raise KeyboardInterrupt in it, wherever it comes.

    Python prints and forgets what is raised while an object is finalised, an interrupt too: the run would go on, as if
    nobody had pressed a key. Such a one is sent again. What this process was started to ignore stays ignored.
    """
    raised = -math.inf

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        nonlocal raised
        now = time.monotonic()
        if now - raised >= BESIDE:
            raised = now
            raise KeyboardInterrupt

    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) is not signal.SIG_IGN:
            signal.signal(ending, interrupt)
    usual = sys.unraisablehook

    def hook(ignored: "UnraisableHookArgs") -> None:
        nonlocal raised
        if ignored.exc_type is KeyboardInterrupt:
            raised = -math.inf
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
