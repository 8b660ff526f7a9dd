"""A subject: the implementation under test, as a distribution at a version, in a mode."""

import hashlib
import importlib.util
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Self

import platformdirs

from harness.case import Library
from harness.errors import CacheFolderError, NotInstalledError
from harness.jsontypes import Json


@dataclass(frozen=True, slots=True)
class Subject:
    """An implementation under test.

    Attributes
    ----------
    library
        What it is an implementation of.
    version
        The installed version.
    mode
        One of the library's modes, such as compiled or interpreted code.
    python
        The interpreter that runs it.
    patches
        Hashes of the patches that shadow it; none here.
    """

    library: Library
    version: str
    mode: str
    python: str = sys.executable
    patches: tuple[str, ...] = ()

    @property
    def is_as_users_run_it(self) -> bool:
        """Whether it runs in the library's first mode, which the ledger is about."""
        return self.mode == next(iter(self.library.modes))

    def as_users_run_it(self) -> Self:
        """Return it in the library's first mode."""
        return replace(self, mode=next(iter(self.library.modes)))

    @property
    def title(self) -> str:
        """Distribution and version, for a person."""
        return f"{self.library.distribution} {self.version}"

    def to_json(self) -> dict[str, Json]:
        """Return it as the ``subject`` of a certificate."""
        return {
            "distribution": self.library.distribution,
            "version": self.version,
            "patches": list(self.patches),
            "mode": self.mode,
        }

    def environment(self) -> dict[str, str]:
        """Return the environment of its processes: ours, without what steers Python, and with its own caches.

        Compiled code of one subject is never seen by another, and nothing is written to the installation.

        Raises
        ------
        CacheFolderError
            If the cache folder cannot be made.
        """
        modes = {name for mode in self.library.modes.values() for name in mode}
        dropped = modes | set(self.library.caches)
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith("PYTHON") and name not in dropped
        }
        folder = cache_folder() / "compiled" / self.key()
        caches = {name: str(folder / name.lower()) for name in self.library.caches}
        for path in caches.values():
            _make(Path(path))
        return {
            **kept,
            "PYTHONHASHSEED": "0",
            "PYTHONSAFEPATH": "1",
            "PYTHONPYCACHEPREFIX": str(folder / "pyc"),
            **caches,
            **self.library.modes[self.mode],
        }

    def key(self) -> str:
        """Return a hash of what its compiled code depends on: interpreter, mode, and every source file.

        A compiler's cache checks the file that a function is in, not those that it calls into; a key by
        content is what keeps an edited installation from being answered with stale code.
        """
        digest = hashlib.sha256()
        for part in (os.path.realpath(self.python), sys.version, self.version, self.mode):
            digest.update(part.encode() + b"\0")
        for package in self.library.packages:
            spec = importlib.util.find_spec(package)
            for folder in (spec.submodule_search_locations or ()) if spec else ():
                for path in sorted(Path(folder).rglob("*.py")):
                    digest.update(str(path).encode() + b"\0" + path.read_bytes())
        return digest.hexdigest()[:16]


def installed(library: Library, mode: str) -> Subject | None:
    """Return the installed subject of a library, or None; nothing is imported for it."""
    try:
        version = metadata.version(library.distribution)
    except metadata.PackageNotFoundError:
        return None
    return Subject(library, version, mode)


def require_installed(library: Library) -> Subject:
    """Return the installed subject of a library, as users run it.

    Raises
    ------
    NotInstalledError
        If it is not installed.
    """
    subject = installed(library, next(iter(library.modes)))
    if subject is None:
        raise NotInstalledError(
            f"{library.distribution} is not installed here; install it beside rankdiff, in the same environment"
        )
    return subject


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return where caches are kept: ``RANKDIFF_CACHE``, or the user's cache folder.

    Raises
    ------
    CacheFolderError
        If it cannot be made.
    """
    named = environ.get("RANKDIFF_CACHE")
    return _make(Path(named) if named else Path(platformdirs.user_cache_dir("rankdiff")))


def _make(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CacheFolderError(
            f"the cache folder {folder} cannot be made ({error.strerror}); "
            f"set RANKDIFF_CACHE to a folder that can be written"
        ) from error
    return folder
