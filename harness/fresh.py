"""A command in a fresh process of its own, which asks nothing, and ends together with whatever it started."""

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

TIME_LIMIT = 600
"""Seconds for one that is run in an empty folder: the library may have to compile."""

ALIVE = 0.5
"""Seconds between two looks at whether a process is still there."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a process: its exit status, negative for a signal and None if it did not end, and its output."""

    status: int | None
    output: str

    @property
    def last_line(self) -> str:
        """The last line that was printed."""
        lines = self.output.strip().splitlines()
        return lines[-1] if lines else ""


def run(command: Sequence[str], environment: Mapping[str, str], seconds: float | None = None) -> Ran:
    """Run a command in an empty folder; what it says on standard error is a part of its output.

    Parameters
    ----------
    seconds
        What it may take; `TIME_LIMIT` if nothing is said.

    Raises
    ------
    OSError
        If it cannot be started.
    """
    limit = TIME_LIMIT if seconds is None else seconds
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as printed:
        status = ended(command, environment, printed, folder=Path(folder), seconds=limit)
        if status is None:
            return Ran(None, f"no end within {limit:g} s")
        printed.seek(0)
        return Ran(status, printed.read().decode(errors="replace"))


def ended(
    command: Sequence[str],
    environment: Mapping[str, str],
    log: IO[bytes],
    *,
    folder: Path | None = None,
    seconds: float | None = None,
) -> int | None:
    """Return the exit status of a command that writes to a log; None if it did not end in time. Nothing is left of it.

    Raises
    ------
    OSError
        If it cannot be started.
    """
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    until = None if seconds is None else time.monotonic() + seconds
    try:
        while (status := _waited(process)) is None:
            if until is not None and time.monotonic() >= until:
                return None
        return status
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # it, and whatever it left behind
        process.wait()


def _waited(process: "subprocess.Popen[bytes]") -> int | None:
    """Wait for a while: an interrupt that comes just before a wait blocks is noticed only when that ends."""
    try:
        return process.wait(ALIVE)
    except subprocess.TimeoutExpired:
        return None
