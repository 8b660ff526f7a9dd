"""A command in a fresh process of its own, which leaves nothing behind."""

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TIME_LIMIT = 600
"""Seconds for one: the library may have to compile."""


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


def run(command: Sequence[str], environment: Mapping[str, str]) -> Ran:
    """Run a command in an empty folder, and end whatever it leaves behind."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            command,
            cwd=Path(folder),
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        status: int | None = None
        try:
            status = process.wait(TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return Ran(None, f"no end within {TIME_LIMIT} s")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # it, and whatever it left behind
            process.wait()
        printed.seek(0)
        return Ran(status, printed.read().decode(errors="replace"))
