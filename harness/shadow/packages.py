"""The import packages of a Python installation, as a shadow copies them: sources and data, no compiled Python code."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from harness.errors import UnusableError
from harness.installation import Installation

BYTECODE = (".pyc", ".pyo", ".nbi", ".nbc")
"""Compiled code that may be stale: no copy has it."""

EXTENSIONS = (".so", ".pyd", ".dylib", ".dll")
"""Compiled extensions, which a copy links to."""


@dataclass(frozen=True, slots=True)
class Packages:
    """The import packages of an installation, side by side.

    Attributes
    ----------
    roots
        The folder of each, or its file.
    files
        Their files, by name.
    extensions
        Their compiled extensions, by name: where each is.
    """

    roots: tuple[str, ...]
    files: Mapping[str, bytes]
    extensions: Mapping[str, Path]

    def content(self) -> str:
        """Return a hash of them: of the text of files, and of the place, size and time of extensions."""
        files = {name: digest(data) for name, data in self.files.items()}
        states = {name: (str(path), path.stat()) for name, path in self.extensions.items()}
        links = {name: (path, state.st_size, state.st_mtime_ns) for name, (path, state) in states.items()}
        return digest(json.dumps([self.roots, files, links], sort_keys=True).encode())


def read(title: str, installation: Installation) -> Packages:
    """Read the import packages of an installation, without compiled Python code."""
    files: dict[str, bytes] = {}
    extensions: dict[str, Path] = {}
    if not installation.packages:
        raise UnusableError(
            f"{title} has no import package that could be patched: its interpreter finds none; install it"
        )
    try:
        for package, where in installation.packages.items():
            where.stat()  # absent, it would be taken for a file
            root = root_of(package, where)
            for below, path in files_of(where):
                name = str(PurePosixPath(root, below))
                if not path.is_file():
                    continue
                if path.suffix in EXTENSIONS:
                    extensions[name] = path.resolve(strict=True)
                elif not is_bytecode(name):
                    files[name] = path.read_bytes()
    except OSError as error:
        raise UnusableError(
            f"{title} cannot be copied ({error}); see that its files can be read, or install it anew"
        ) from error
    return Packages(tuple(root_of(*item) for item in installation.packages.items()), files, extensions)


def root_of(package: str, where: Path) -> str:
    """Return the name of an import package's folder, or of its file where it is a single module."""
    return package if where.is_dir() else where.name


def files_of(where: Path) -> Iterator[tuple[str, Path]]:
    """Yield every file of a folder with its name there, or the file that it is."""
    if not where.is_dir():
        yield "", where
        return
    for folder, _, names in os.walk(where, onerror=_raise):
        for name in names:
            path = Path(folder, name)
            yield path.relative_to(where).as_posix(), path


def _raise(error: OSError) -> None:
    raise error


def is_bytecode(name: str) -> bool:
    """Return whether a file is compiled Python code, by its name."""
    path = PurePosixPath(name)
    return "__pycache__" in path.parts or path.suffix in BYTECODE


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
