"""The libraries and cases that a command is about, as the user names them."""

import argparse
from collections.abc import Sequence

from harness import registry
from harness.case import AnyCase
from harness.chosen import library_at
from harness.environments.environment import Wanted
from harness.errors import (
    BadRequirementError,
    UnknownCaseError,
)
from harness.library import Library
from harness.progress import Progress


def libraries_for(options: argparse.Namespace, names: Sequence[str]) -> list[Library]:
    """Return the libraries that there are cases for; only that of ``--subject``, with it, where it is given."""
    available = registry.libraries()
    if options.subject is None:
        if options.python or options.exclude_newer:
            raise BadRequirementError("--python and --exclude-newer are about --subject SPEC, which was expected too")
        return available
    registry.select(names, available)
    wanted = Wanted(options.subject, options.python, options.exclude_newer, _extras(options))
    return [library_at(available, wanted, names, Progress.at_terminal())]


def _extras(options: argparse.Namespace) -> tuple[str, ...]:
    """Return what has to be installed beside a subject."""
    return ("pytest",) if options.command == "bundle" or getattr(options, "tests", None) else ()


def one_case(name: str, available: Sequence[Library]) -> tuple[Library, AnyCase]:
    """Return the one case that a name stands for, and its library.

    Raises
    ------
    UnknownCaseError
        If it stands for none, or for several.
    """
    library, cases = registry.select([name], available)[0]
    if name == library.name:
        names = ", ".join(case.name for case in cases)
        raise UnknownCaseError(f"one case was expected, not the library {library.name}; its cases are {names}")
    return library, cases[0]
