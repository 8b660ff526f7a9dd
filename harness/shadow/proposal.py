"""A proposed change, and what it becomes when it stands before an installation."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.installation import Installation


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that somebody proposes.

    Attributes
    ----------
    patches
        Unified diffs against upstream's tree, in the order in which they apply.
    replacements
        Source files that each replace a whole unit, where the installation holds no source.
    source
        The source tree that the patches apply to, where the installation holds none.
    """

    patches: tuple[Path, ...] = ()
    replacements: tuple[Path, ...] = ()
    source: Path | None = None


@dataclass(frozen=True, slots=True)
class Shadowed:
    """A proposed change before an installation.

    Attributes
    ----------
    installation
        The patched copy, or the installation with the change in front of it, which is its ``base``.
    changed
        What differs from the installation: file names in upstream's tree.
    ignored
        What the patches change outside of what is tested.
    is_documentation
        Whether only comments and docstrings differ.
    """

    installation: Installation
    changed: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    is_documentation: bool = False


Shadowing = Callable[[str, Installation, Proposal], Shadowed]
"""Puts a proposal before an installation, which is called by a title such as ``doubler 1.0`` in messages. It writes to
the cache alone. It raises PatchError where the proposal cannot be used, UnusableError where the installation cannot be
shadowed, and CacheFolderError where the cache cannot be written."""
