"""A patched copy of an installed package, as a subject: what our patches are tested on."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.case import Library
from harness.installation import Installation
from harness.subject import Subject


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a package in a tree like upstream's, with what its patches add.

    Attributes
    ----------
    tree
        Holds ``src/PACKAGE`` and the tests that a patch brings.
    content
        A hash of the patches.
    """

    tree: Path
    content: str

    @property
    def sources(self) -> Path:
        """The folder to import from."""
        return self.tree / "src"


def copy(package: Path, patches: Sequence[Path], tree: Path) -> Copy:
    """Copy a package without its compiled code, and apply patches to it; files outside src and tests are left out.

    Raises
    ------
    subprocess.CalledProcessError
        If a patch does not apply.
    """
    target = tree / "src" / package.name
    shutil.copytree(package, target, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for library in package.rglob("*.so"):
        (target / library.relative_to(package)).symlink_to(library)
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)}
    for patch in patches:
        subprocess.run(
            ["git", "apply", "--include=src/*", "--include=tests/*", str(patch)],
            cwd=tree,
            env=environment,
            check=True,
            capture_output=True,
        )
    return Copy(tree, hashlib.sha256(b"".join(patch.read_bytes() for patch in patches)).hexdigest()[:8])


def subject(library: Library, of: Copy, bytecode: Path, version: str, python: str, *path: Path) -> Subject:
    """Return a copy as a subject of its library, in the usual mode; copies share a folder for bytecode, by their paths.

    ``path`` is what else is imported from.
    """
    environment = {
        "PYTHONPATH": os.pathsep.join(map(str, (of.sources, *path))),
        "PYTHONPYCACHEPREFIX": str(bytecode),
    }
    found = Installation(version, environment, of.content, python, (of.content,))
    mode = replace(library.modes[0], find=lambda: [found])
    return Subject(replace(library, modes=(mode,)), mode, found)
