"""The Python interpreters of this machine: which there are, and the one that somebody names."""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

from harness.environments import child
from harness.errors import UnusableError

OLDEST = Version("3.8")
"""The oldest that a worker runs on."""

NAMES = ("python3", *(f"python3.{minor}" for minor in range(8, 16)))

QUESTION = """
import json, os, platform, sys
print(json.dumps([os.path.realpath(sys.executable), platform.python_version(), sys.version]))
"""

PATIENCE = 30
"""Seconds for an interpreter to say what it is."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python interpreter.

    Attributes
    ----------
    path
        Its file, with no links in its path.
    version
        Such as ``3.11.7``.
    description
        Its ``sys.version``.
    """

    path: str
    version: str
    description: str

    @property
    def minor(self) -> tuple[int, ...]:
        """The first two numbers of its version."""
        return Version(self.version).release[:2]


def ours() -> Interpreter:
    """Return the interpreter that runs us."""
    return Interpreter(os.path.realpath(sys.executable), platform.python_version(), sys.version)


def asked(path: str) -> Interpreter | None:
    """Return the Python interpreter that a file is, or leads to, as it says itself; none if it is none."""
    try:
        return Interpreter(*child.asked(path, QUESTION, seconds=PATIENCE))
    except (OSError, subprocess.SubprocessError, ValueError, TypeError):
        return None


def found(uv: str | None) -> list[Interpreter]:
    """Return our interpreter, then every other one that is found and new enough, the newest first.

    They are looked for on the PATH, among pyenv's versions, and among those of uv, if it is there.
    """
    own = ours()
    files = {os.path.realpath(path) for path in _candidates(uv)} - {own.path}
    there = {interpreter for path in files if (interpreter := asked(path))} - {own}
    ordered = sorted(there, key=lambda interpreter: (Version(interpreter.version), interpreter.path), reverse=True)
    return [own, *(interpreter for interpreter in ordered if Version(interpreter.version) >= OLDEST)]


def one_of_each_minor(interpreters: Sequence[Interpreter]) -> list[Interpreter]:
    """Return the first of each minor version."""
    first: dict[tuple[int, ...], Interpreter] = {}
    for interpreter in interpreters:
        first.setdefault(interpreter.minor, interpreter)
    return list(first.values())


def named(text: str, uv: str | None) -> Interpreter:
    """Return the interpreter of this path, or of a version such as ``3.10``, ``3.10.13`` or ``python3.10``.

    Raises
    ------
    UnusableError
        If there is none, or it is too old.
    """
    version = re.fullmatch(r"(?:python)?(\d+(?:\.\d+){0,2})", text)
    if version is None:
        chosen = asked(str(Path(text).expanduser().absolute())) if "/" in text else None
        if chosen is None:
            raise UnusableError(
                f"a version of Python such as 3.10, or the path of an interpreter that runs, was expected, not {text!r}"
            )
    else:
        there = found(uv)
        chosen = next((each for each in there if f"{each.version}.".startswith(f"{version[1]}.")), None)
        if chosen is None:
            raise UnusableError(
                f"Python {version[1]} was not found; from {OLDEST} on there are "
                f"{', '.join(each.version for each in there)}; name one of these, or the path of an interpreter"
            )
    if Version(chosen.version) < OLDEST:
        raise UnusableError(f"Python {OLDEST} or newer was expected, but {text} is {chosen.version}")
    return chosen


def _candidates(uv: str | None) -> Iterator[str]:
    """Yield the files that may be interpreters, the ones to prefer first."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    for folder in folders:
        if folder != pyenv / "shims":  # they lead to the versions below, slowly
            yield from (str(folder / name) for name in NAMES if os.access(folder / name, os.X_OK))
    yield from map(str, sorted(pyenv.glob("versions/*/bin/python3")))
    if uv:
        status, managed = child.output([uv, "python", "dir", "--no-config"], child.environment())
        if status == 0:
            yield from map(str, sorted(Path(managed.strip()).glob("*/bin/python3")))
