"""An installation: where something under test was found on this machine, and what identifies it."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata

from harness.errors import NotInstalledError


@dataclass(frozen=True, slots=True)
class Installation:
    """Something under test, as it was found.

    Attributes
    ----------
    version
        Its release.
    environment
        What its adapter is told, as environment variables.
    content
        A hash of what it consists of beside the modules of its import packages; empty if there is nothing else.
    python
        The interpreter that runs it, or its adapter.
    patches
        Hashes of the patches in it.
    """

    version: str
    environment: Mapping[str, str] = field(default_factory=dict)
    content: str = ""
    python: str = sys.executable
    patches: tuple[str, ...] = ()


Finder = Callable[[], Sequence[Installation]]
"""Finds what is installed, the one to prefer first. It raises NotInstalledError, with the reason, where nothing
is, and UnusableError where something is that cannot be used. It imports nothing of what it finds."""


def distribution(name: str) -> Finder:
    """Return what finds a Python distribution in our own environment."""

    def find() -> Sequence[Installation]:
        try:
            return [Installation(metadata.version(name))]
        except metadata.PackageNotFoundError as error:
            raise NotInstalledError(f"{name} is not installed") from error

    return find
