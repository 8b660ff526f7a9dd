"""A subject: the implementation under test, as a distribution at a version, in a mode."""

import hashlib
import os
import re
import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.version import InvalidVersion, Version

from harness import cache
from harness.case import AnyCase
from harness.errors import NotInstalledError, UnknownModeError, UnusableError
from harness.installation import Installation
from harness.jsontypes import Json
from harness.library import Library, Mode


@dataclass(frozen=True, slots=True)
class Subject:
    """An implementation under test.

    Attributes
    ----------
    library
        What it is an implementation of.
    mode
        Which code answers, such as compiled or interpreted code.
    installation
        What was found on this machine.
    """

    library: Library
    mode: Mode
    installation: Installation

    @property
    def python(self) -> str:
        """The interpreter that runs it, or its adapter."""
        return self.installation.python

    @property
    def version(self) -> str:
        """The installed version."""
        return self.installation.version

    @property
    def title(self) -> str:
        """Distribution, version and patches, for a person."""
        return f"{self.mode.distribution} {self.label}"

    @property
    def described(self) -> str:
        """The title, and what it is if it is no release of an index."""
        unreleased = self.installation.unreleased
        return f"{self.title}, {unreleased.title}" if unreleased else self.title

    @property
    def whereabouts(self) -> str:
        """A sentence that says what it is if it is no release of an index; empty if it is one."""
        unreleased = self.installation.unreleased
        if unreleased is None:
            return ""
        identity = f" ({unreleased.identity})" if unreleased.identity else ""
        return (
            f"It was found in {unreleased.title}{identity} of {self.mode.distribution} that calls itself "
            f"{self.version}, not in the release of that number."
        )

    @property
    def requirement(self) -> str:
        """What anybody gets it by; empty if nothing does."""
        unreleased = self.installation.unreleased
        return unreleased.requirement if unreleased else f"{self.mode.distribution}=={self.version}"

    @property
    def folder_name(self) -> str:
        """The title as a part of a folder's name; no two of a release and of what only carries its number are one."""
        unreleased = self.installation.unreleased
        kind = f"-{unreleased.kind.replace(' ', '-')}" if unreleased else ""
        return f"{self.mode.distribution}-{self.label}{kind}"

    @property
    def is_acceptable(self) -> bool:
        """Whether a ledger, which is about releases, may count it: nobody can take its version for a release's."""
        return self.installation.unreleased is None or not is_final(self.version)

    def command(self, *words: str) -> str:
        """Return a command line of ours that is about it."""
        return shlex.join(["rankdiff", *words, *self.installation.options])

    @property
    def heading(self) -> str:
        """The title, and where it was had from if not from our own environment."""
        return f"{self.title} ({self.installation.origin})" if self.installation.origin else self.title

    @property
    def label(self) -> str:
        """Version and patches."""
        return self.version + "".join(f"+patch.{patch}" for patch in self.installation.patches)

    def to_json(self) -> dict[str, Json]:
        """Return it as the ``subject`` of a certificate."""
        return {
            "distribution": self.mode.distribution,
            "version": self.version,
            "patches": list(self.installation.patches),
            "mode": self.mode.name,
            **({"origin": self.installation.origin} if self.installation.origin else {}),
            **({"unreleased": unreleased.to_json()} if (unreleased := self.installation.unreleased) else {}),
        }

    @property
    def confirming_mode(self) -> Mode:
        """The mode that confirms its findings: its own, or the usual one where its counts do not count."""
        return self.mode if self.mode.is_counted else self.library.modes[0]

    def confirming(self) -> "Subject":
        """Return the subject that confirms its findings, of the same release if that is there.

        Raises
        ------
        NotInstalledError, UnusableError
            If there is none.
        """
        if self.mode.is_counted:
            return self
        found = subjects(self.library, self.confirming_mode)
        return next((subject for subject in found if subject.version == self.version), found[0])

    def environment(self) -> dict[str, str]:
        """Return the environment of its processes: ours, without what steers Python, and with its own caches.

        Compiled code of one subject is never seen by another, and nothing is written to the installation.

        Raises
        ------
        CacheFolderError
            If the cache folder cannot be made.
        """
        modes = {name for mode in self.library.modes for name in mode.environment}
        dropped = modes | set(self.library.caches)
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith("PYTHON") and name not in dropped
        }
        folder = self._compiled()
        base = self.installation.base  # the paths of a copy are its own: they can share the bytecode of what it uses
        bytecode = (replace(self, installation=base)._compiled() if base else folder) / "pyc"  # noqa: SLF001
        caches = {name: str(folder / name.lower()) for name in self.library.caches}
        for path in caches.values():
            cache.make(Path(path))
        return {
            **kept,
            "PYTHONHASHSEED": "0",
            "PYTHONSAFEPATH": "1",
            "PYTHONPYCACHEPREFIX": str(bytecode),
            **caches,
            **self.mode.environment,
            **self.installation.environment,
        }

    def _compiled(self) -> Path:
        return cache.cache_folder() / "compiled" / self.key()

    def key(self) -> str:
        """Return a hash of what its compiled code depends on: interpreter, mode, and every source file.

        A compiler's cache checks the file that a function is in, not those that it calls into; a key by
        content is what keeps an edited installation from being answered with stale code.
        """
        digest = hashlib.sha256()
        found = self.installation
        for part in (os.path.realpath(found.python), found.interpreter, self.version, self.mode.name, found.content):
            digest.update(part.encode() + b"\0")
        for folder in found.packages.values():
            for path in sorted(folder.rglob("*.py")):
                digest.update(str(path).encode() + b"\0" + path.read_bytes())
        return digest.hexdigest()[:16]


def is_final(version: str) -> bool:
    """Return whether a version is such as a release has: no development, pre-, post- or local one (PEP 440)."""
    try:
        parsed = Version(version)
    except InvalidVersion:
        return True
    return not (parsed.is_prerelease or parsed.is_postrelease or parsed.local)


def subjects(library: Library, mode: Mode) -> list[Subject]:
    """Return every installed subject of a library in a mode, the one to prefer first; nothing is imported for it.

    Raises
    ------
    NotInstalledError
        If there is none; the message says what is missing.
    UnusableError
        If there is one that cannot be used, or whose version is no word.
    """
    try:
        found = [Subject(library, mode, installation) for installation in mode.find()]
    except OSError as error:
        raise UnusableError(f"{mode.distribution} cannot be looked for: {error}") from error
    if not found:
        raise NotInstalledError(f"no {mode.distribution} is found")
    for subject in found:
        if not re.fullmatch(r"\w[\w.+!~-]*", subject.version):
            raise UnusableError(
                f"the version of {mode.distribution} should be a word such as 1.0 or 1.0-rc2, not {subject.version!r}"
            )
    return found


def require_installed(library: Library, case: AnyCase | None = None, mode: str | None = None) -> Subject:
    """Return the installed subject of a library in a mode: the usual one of the case, or of the library.

    Raises
    ------
    NotInstalledError, UnusableError
        If it cannot be had.
    UnknownModeError
        If the library has no such mode, or the case is not about it.
    """
    if mode is None:
        chosen = library.modes[0] if case is None else library.usual_mode(case)
    else:
        chosen = library.mode(mode)
        if case is not None and not case.is_about(mode):
            raise UnknownModeError(f"{case.name} is about the mode {' or '.join(case.modes)}, not {mode!r}")
    try:
        return subjects(library, chosen)[0]
    except NotInstalledError as error:
        raise NotInstalledError(f"{library.name} cannot be run in the mode {chosen.name}: {error}") from error
