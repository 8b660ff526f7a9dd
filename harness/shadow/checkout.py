"""A copy of the checkout that upstream's tests are in, to run them in.

Tests write files beside them, and of two suites that run side by side none may read what the other writes.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from harness.errors import BadInputError

PROJECT = (".git", "pyproject.toml", "setup.py", "setup.cfg")
"""Any of them tells the folder in which a developer starts pytest."""

LEFT_OUT = shutil.ignore_patterns(".git", "__pycache__", ".venv", "venv", ".tox", ".nox", "node_modules", ".*_cache")
"""What tests do without, and may be large."""

LARGEST = 2 * 2**30
"""Bytes of a checkout beyond which it is not copied."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """The copy of a checkout.

    Attributes
    ----------
    original, copy
        Its root, and that of the copy.
    tests
        What the user named, in the copy.
    """

    original: Path
    copy: Path
    tests: Path

    @classmethod
    def copied(cls, tests: Path, folder: Path) -> Self:
        """Copy the project that the tests are in to a folder.

        Raises
        ------
        BadInputError
            If it cannot be copied, or the tests are in no checkout.
        """
        original = _project(tests)
        if folder.is_relative_to(original):
            raise BadInputError(
                f"upstream's tests are expected in a checkout, and around {tests} none is found: no folder with "
                f"{' or '.join(PROJECT)}"
            )
        copy = folder / original.name
        try:
            shutil.copytree(original, copy, symlinks=True, ignore=LEFT_OUT, copy_function=_Copier(tests).copy)
        except (OSError, shutil.Error) as error:
            raise BadInputError(
                f"upstream's tests {tests} cannot be copied with the files around them: {error!s:.300}"
            ) from error
        if not (copy / tests.relative_to(original)).exists():
            raise BadInputError(
                f"upstream's tests are expected in a checkout, not in a folder of environments: {tests}"
            )
        return cls(original, copy, copy / tests.relative_to(original))

    def as_named(self, text: str) -> str:
        """Return a text with the paths that the user knows."""
        return text.replace(str(self.copy), str(self.original))


def _project(tests: Path) -> Path:
    """Return the nearest folder around tests that is a project, or else the one that they are in."""
    folder = tests if tests.is_dir() else tests.parent
    projects = (one for one in (folder, *folder.parents) if any((one / name).exists() for name in PROJECT))
    return next(projects, folder)


@dataclass(slots=True)
class _Copier:
    """Copies files, but not more of them than a checkout holds."""

    tests: Path
    size: int = 0

    def copy(self, source: str, target: str) -> str:
        self.size += os.lstat(source).st_size
        if self.size > LARGEST:
            raise BadInputError(
                f"the project around {self.tests} is copied before its tests run, and holds more than {LARGEST:,} "
                f"bytes; name tests in a fresh checkout"
            )
        return shutil.copy2(source, target)
