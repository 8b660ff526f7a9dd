"""The installed ``rankdiff`` command, run in a child on an isolated path.

rankdiff's packages have general names: in a process of their own they never meet those of the project that is tested.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GRACE = 20
"""Seconds for a command to save what it found, when it is told to end."""

LONGEST = 1000
"""Letters of what a command said that are repeated."""

REFUSAL = "rankdiff: "
"""What the command's words for its user begin with."""

TRACEBACK = "Traceback (most recent call last)"

CHILD = """
import importlib.metadata, os, signal, sys, threading

def end_with_pytest():
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGTERM)

threading.Thread(target=end_with_pytest, daemon=True).start()
scripts = importlib.metadata.distribution("rankdiff").entry_points.select(group="console_scripts", name="rankdiff")
sys.argv[0] = "rankdiff"
next(iter(scripts)).load()()
"""
"""The installed command; it ends when the pipe to it is closed, as it is when pytest ends, however that happens."""

Parsed = Mapping[str, Any]  # a part of the JSON that the command prints


class BrokenRunError(Exception):
    """A command that could not be run, or did not print what it should."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command that ended printed, and with which status."""

    status: int
    printed: str
    said: str

    def document(self, command: Sequence[str], key: str, statuses: Sequence[int]) -> Parsed:
        """Return the JSON object with that key which it printed.

        Raises
        ------
        BrokenRunError
            If it ended with another status, or printed something else.
        """
        try:
            document = json.loads(self.printed)
        except (ValueError, RecursionError):
            document = None
        if self.status in statuses and isinstance(document, dict) and isinstance(document.get(key), list):
            return document
        if refusal := self._refusal():
            raise BrokenRunError(refusal)
        words = self.said.strip()[-LONGEST:] or "it said nothing"
        shown = shlex.join(["rankdiff", *command])
        raise BrokenRunError(f"`{shown}` should print one whole JSON document; it ended with {self.status}: {words}")

    def _refusal(self) -> str:
        """Return its words for the user, with which it ended; empty if there are none, or a fault of its own."""
        _, found, words = f"\n{self.said.strip()}".rpartition(f"\n{REFUSAL}")
        return f"{REFUSAL}{words}" if self.status == 2 and found and TRACEBACK not in self.said else ""


def run(arguments: Sequence[str], where: Path) -> Ended:
    """Run the command to its end; end it where that is not waited for."""
    kept = ("PYTHONUSERBASE", "PYTHONNOUSERSITE", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")
    dropped = ("PYTHON", "PYTEST_")  # they are about the project that is tested
    environment = {name: text for name, text in os.environ.items() if name in kept or not name.startswith(dropped)}
    command = [sys.executable, "-P", "-X", "utf8", "-c", CHILD, *arguments]
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as said:
        child = subprocess.Popen(
            command,
            cwd=where,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=printed,
            stderr=said,
            start_new_session=True,
        )
        try:
            child.wait()
        finally:
            with contextlib.suppress(subprocess.TimeoutExpired):
                if child.stdin:
                    child.stdin.close()
                child.wait(GRACE)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)  # it, and whatever it left behind
        texts = []
        for file in (printed, said):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return Ended(child.wait(), *texts)


def run_once(arguments: Sequence[str], where: Path, shared: Path) -> Ended:
    """Run the command, or return what came of it in another process that shares a folder with this one."""
    key = hashlib.sha256(json.dumps(arguments).encode()).hexdigest()
    result = shared / f"{key}.json"
    with (shared / f"{key}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.exists():
            ended = run(arguments, where)
            part = result.with_suffix(".part")
            part.write_text(json.dumps([ended.status, ended.printed, ended.said]))
            part.replace(result)
        return Ended(*json.loads(result.read_text()))
