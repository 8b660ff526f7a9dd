"""A recipe: all that an environment is made from, named by its content."""

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from harness.environments import checkout, repository
from harness.environments.interpreters import Interpreter
from harness.environments.requirement import Archive, Checkout, Release, Repository, parse
from harness.errors import UnusableError
from harness.library import Library
from harness.progress import Progress


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to install.

    Attributes
    ----------
    content
        The requirement; for files, with a hash of them instead of their place.
    argument
        The requirement as an installer takes it, whatever the folder is that it runs in.
    is_pinned
        Whether it is the same tomorrow.
    tree
        The source tree that ``argument`` names, if it is one.
    files
        The sources in that tree.
    source
        The folder or file that ``argument`` names, if it is one on this machine.
    """

    content: str
    argument: str
    is_pinned: bool
    tree: Checkout | None = None
    files: tuple[Path, ...] = ()
    source: str | None = None

    def argument_in(self, workspace: Path) -> str:
        """Return the argument; for a source tree, that of a copy which is made in a workspace.

        Raises
        ------
        UnusableError
            If the tree has changed since it was read.
        OSError
            If it cannot be read, or the copy cannot be written.
        """
        if self.tree is None:
            return self.argument
        copied = workspace / f"source-{hashlib.sha256(self.content.encode()).hexdigest()[:8]}"
        copied.mkdir()
        checkout.copy(self.tree.folder, self.files, copied)
        if checkout.content(copied, self.files) not in self.content:
            raise UnusableError(f"{self.tree.folder} changed while it was copied; try again")
        return self.tree.prefix + copied.as_uri()


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that an environment is made from, but for the interpreter.

    Attributes
    ----------
    title
        What messages call it.
    parts
        The subject, then what is installed beside it.
    constraints, latest, undated, today
        As in `Order`.
    """

    title: str
    parts: tuple[Part, ...]
    constraints: tuple[str, ...]
    latest: date | None
    undated: tuple[str, ...]
    today: date

    def key(self, interpreter: Interpreter) -> str:
        """Return a hash of it together with an interpreter, and with the day if the subject is not pinned."""
        made_from = [
            [part.content for part in self.parts],
            [interpreter.path, interpreter.description],
            self.constraints,
            self.latest and self.latest.isoformat(),
            self.undated,
            None if self.parts[0].is_pinned else self.today.isoformat(),
        ]
        return hashlib.sha256(json.dumps(made_from).encode()).hexdigest()[:16]


def part(spec: str, progress: Progress) -> Part:
    """Return what a requirement stands for at the moment; a git repository is asked for the commit that is meant.

    Raises
    ------
    BadRequirementError
        If it is no requirement.
    UnusableError
        If its files cannot be read, or its repository cannot be asked or has no such revision.
    """
    match parse(spec):
        case Release(text, _, is_pinned):
            return Part(text, text, is_pinned)
        case Repository(url, revision, fragment, prefix, _):
            with progress.waiting(f"looking up {shown(spec)}"):
                commit = repository.commit(shown(spec), url, revision)
            address = f"git+{url}@{commit}{f'#{fragment}' if fragment else ''}"
            text = prefix + address if "[" in prefix else address  # an older pip takes no name before git+file:
            return Part(text, text, is_pinned=True)
        case Archive() | Checkout() as local:
            try:
                return _local(local)
            except OSError as error:
                raise UnusableError(f"{shown(spec)} cannot be read: {error}") from error


def forgotten(spec: str, library: Library) -> tuple[str, ...]:
    """Return what a release of an index forgot to name, as its library says; of one that is not pinned that is unknown.

    Raises
    ------
    BadRequirementError
        If it is no requirement.
    """
    match parse(spec):
        case Release(text, name, True):
            pinned = [each.version for each in Requirement(text).specifier if each.operator in {"==", "==="}]
            releases = [(Requirement(release), beside) for release, beside in library.forgotten]
            return tuple(
                beside
                for release, beside in releases
                if canonicalize_name(release.name) == name and release.specifier.contains(pinned[0], prereleases=True)
            )
        case _:
            return ()


def shown(spec: str) -> str:
    """Return a requirement as messages show it: without the password, or the token, in its address."""
    return re.sub(r"(://)[^/@\s]+@", r"\1", spec.strip())


def _local(local: Archive | Checkout) -> Part:
    if isinstance(local, Archive):
        content = hashlib.sha256(local.path.read_bytes()).hexdigest()
        argument = local.prefix + local.path.as_uri()
        return Part(f"{local.prefix}{local.path.name} {content}", argument, is_pinned=True, source=str(local.path))
    files = tuple(checkout.sources(local.folder))
    content = f"{local.prefix}{checkout.content(local.folder, files)} {checkout.described(local.folder)}"
    argument, source = local.prefix + local.folder.as_uri(), str(local.folder)
    return Part(content, argument, is_pinned=True, tree=local, files=files, source=source)
