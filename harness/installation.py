"""An installation: where something under test was found on this machine, and what identifies it."""

import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

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
    interpreter
        What that interpreter says it is: its ``sys.version``.
    packages
        Where its import packages are: the folder of each, or its file where it is a single module.
    patches
        Hashes of the patches in it.
    shadow
        The folder that every module of its import packages has to come from, where it is a patched copy.
    base
        What a patched copy is a copy of.
    origin
        Where it was had from, if not from our own environment: a requirement, a path or an address.
    requires_python
        Which versions of Python it says that it runs on, as a specifier; empty if it does not say so.
    """

    version: str
    environment: Mapping[str, str] = field(default_factory=dict)
    content: str = ""
    python: str = sys.executable
    interpreter: str = sys.version
    packages: Mapping[str, Path] = field(default_factory=dict)
    patches: tuple[str, ...] = ()
    shadow: Path | None = None
    base: "Installation | None" = None
    origin: str = ""
    requires_python: str = ""


Finder = Callable[[], Sequence[Installation]]
"""Finds what is installed, the one to prefer first. It raises NotInstalledError, with the reason, where nothing
is, and UnusableError where something is that cannot be used. It imports nothing of what it finds."""


def distribution(name: str, *packages: str) -> Finder:
    """Return what finds a Python distribution, and its import packages, in our own environment."""

    def find() -> Sequence[Installation]:
        try:
            said = str(metadata.metadata(name).json.get("requires_python", ""))
            return [Installation(metadata.version(name), packages=located(packages), requires_python=said)]
        except metadata.PackageNotFoundError as error:
            raise NotInstalledError(f"{name} is not installed") from error

    return find


def located(packages: Sequence[str]) -> dict[str, Path]:
    """Return where our own interpreter finds these import packages, as far as it does; nothing is imported."""
    found = {}
    for package in packages:
        spec = importlib.util.find_spec(package)
        if spec and (where := [*(spec.submodule_search_locations or ()), *filter(None, [spec.origin])]):
            found[package] = Path(where[0])
    return found
