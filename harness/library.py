"""A library under test: the modes in which it can be run, its cases and its ledger."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from harness import installation
from harness.account import Account
from harness.case import AnyCase
from harness.errors import UnknownModeError
from harness.installation import Finder
from harness.shadow import python
from harness.shadow.proposal import Shadowing


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to run a library: which code answers, and how it is found.

    Attributes
    ----------
    name
        What the user calls it.
    distribution
        What is installed.
    find
        Finds the installations of it.
    packages
        The import packages whose modules are reported and hashed, as the proof of what was tested.
    adapter
        The file that calls it, run by the worker.
    environment
        What makes the library run this way.
    is_counted
        Whether the ledger's counts are about it; otherwise its causes are explained by the ledger, its counts are not
        compared, and its findings are confirmed in the library's first mode.
    is_model
        Whether a model of the library answers, not the library itself, which a bundle is rather about.
    is_distribution
        Whether what is installed is a Python distribution, so that an installer can get any other version of it.
    shadow
        Puts a proposed change before what is installed; none where that cannot be done.
    """

    name: str
    distribution: str
    find: Finder
    packages: tuple[str, ...]
    adapter: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    is_counted: bool = True
    is_model: bool = False
    is_distribution: bool = False
    shadow: Shadowing | None = None

    @classmethod
    def of_distribution(cls, distribution: str, adapter: Path, name: str = "installed", *packages: str) -> Self:
        """Return the mode that runs a Python distribution as it is installed; its package has its name by default."""
        named = packages or (distribution,)
        found = installation.distribution(distribution, *named)
        return cls(name, distribution, found, named, adapter, is_distribution=True, shadow=python.shadow)


@dataclass(frozen=True, slots=True)
class Library:
    """A library under test: how it is run, its cases and its ledger.

    Attributes
    ----------
    name
        The part of case names before the slash.
    modes
        How it can be run; the first is the usual one.
    cases
        Its cases.
    ledger
        The divergences already known.
    caches
        Environment variables that name a folder for compiled code; each subject gets one of its own.
    first_call
        What to tell someone who waits for the first call.
    constraints
        What an installer is held to where it installs the library, such as ``other==2.13.0``.
    undated
        Dependencies that a date bound does not hold back, since their old releases no longer build.
    forgotten
        What releases need and forgot to name, each as the releases, such as ``name>=1.0,<1.2``, and a requirement. It
        is installed beside one of them that is asked for by its version.
    accounts
        What a person says of each known divergence, for the reports about it.
    elsewhere
        Cases of its ledger about modes that it does not have here.
    """

    name: str
    modes: tuple[Mode, ...]
    cases: tuple[AnyCase, ...]
    ledger: Path
    caches: tuple[str, ...] = ()
    first_call: str = ""
    constraints: tuple[str, ...] = ()
    undated: tuple[str, ...] = ()
    forgotten: tuple[tuple[str, str], ...] = ()
    accounts: tuple[Account[Any], ...] = ()
    elsewhere: tuple[AnyCase, ...] = ()

    def account(self, case: str, cause: str) -> Account[Any] | None:
        """Return what a person says of a divergence, if anything was said."""
        return next((one for one in self.accounts if (one.case, one.cause) == (case, cause)), None)

    def mode(self, name: str) -> Mode:
        """Return the mode of this name.

        Raises
        ------
        UnknownModeError
            If there is none.
        """
        found = next((mode for mode in self.modes if mode.name == name), None)
        if found is None:
            names = " or ".join(mode.name for mode in self.modes)
            raise UnknownModeError(f"{self.name} has the mode {names}, not {name!r}")
        return found

    def usual_mode(self, case: AnyCase) -> Mode:
        """Return the mode in which a case is run where nobody asks for another: the first that there is.

        Raises
        ------
        UnknownModeError
            If the library has no mode that the case is about.
        """
        there = {mode.name for mode in self.modes}
        return (
            self.mode(next((name for name in case.modes if name in there), case.modes[0]))
            if case.modes
            else self.modes[0]
        )
