"""A checkout's sources: the files of a source tree that a build may use, named by content, copied and left untouched.

A build in the checkout itself would leave files there, take up what an earlier build left, and be answered from an
installer's cache, which looks at the time of pyproject.toml alone.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.environments import child

NOT_SOURCES = frozenset({".git", ".hg", ".svn", ".tox", ".nox", "__pycache__", "node_modules"})
"""Folders that hold no sources, wherever they are."""

OUTPUTS = frozenset({"build", "dist"})
"""Folders at the top that a build writes."""


def sources(folder: Path) -> list[Path]:
    """Return the files and links of a source tree, relative to it, in order; of a link to a folder outside, its files.

    In a git repository they are those that git tracks or does not ignore; elsewhere, those outside of caches, virtual
    environments and build outputs.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    listed = _listed_by_git(folder)
    names = _walked(folder) if listed is None else _expanded(folder, listed)
    found = {inner for name in names for inner in _followed(folder, name)}
    return sorted({name for name in found if (folder / name).is_file() or (folder / name).is_symlink()})


def content(folder: Path, files: Sequence[Path]) -> str:
    """Return a hash of these files of a source tree, with their names, links and permissions to be executed.

    Raises
    ------
    OSError
        If one cannot be read.
    """
    digest = hashlib.sha256()
    for name in files:
        path = folder / name
        if _is_link_inside(folder, path):
            kind, data = b"link", os.fsencode(path.readlink())
        else:
            kind, data = b"program" if os.access(path, os.X_OK) else b"file", path.read_bytes()
        digest.update(b"%b\0%b\0%d\0%b" % (os.fsencode(name), kind, len(data), data))
    return digest.hexdigest()


def described(folder: Path) -> str:
    """Return what git calls the state of a repository, which some builds take for the version; empty elsewhere."""
    if not (folder / ".git").exists():
        return ""
    status, text = _git(folder, "describe", "--always", "--tags", "--long")
    return text.strip() if status == 0 else ""


def copy(folder: Path, files: Sequence[Path], copied: Path) -> None:
    """Copy these files of a source tree; git, asked there, answers as it does in the tree.

    Raises
    ------
    OSError
        If they cannot be read, or the copy cannot be written.
    """
    for name in files:
        path = copied / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / name, path, follow_symlinks=not _is_link_inside(folder, folder / name))
    repository = folder / ".git"
    if repository.is_dir():
        (copied / ".git").write_text(f"gitdir: {repository}\n")
    elif repository.is_file():
        shutil.copy2(repository, copied / ".git")


def _is_link_inside(folder: Path, path: Path) -> bool:
    """Return whether it is a link that stays in the tree: of one that does not, only what it leads to is a source."""
    return path.is_symlink() and (path.resolve().is_relative_to(folder.resolve()) or not path.exists())


def _followed(folder: Path, name: Path) -> Iterator[Path]:
    path = folder / name
    if path.is_symlink() and path.is_dir() and not _is_link_inside(folder, path):
        yield from (name / inner for inner in _walked(path.resolve()))
    else:
        yield name


def _listed_by_git(folder: Path) -> list[str] | None:
    """Return what git lists where the folder is the top of a repository, else none."""
    if not (folder / ".git").exists():
        return None
    status, names = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return [name for name in names.split("\0") if name] if status == 0 else None


def _git(folder: Path, *arguments: str) -> tuple[int, str]:
    try:
        return child.output(["git", "-C", str(folder), *arguments], child.environment())
    except FileNotFoundError:
        return 127, ""


def _expanded(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """Yield these files; a folder among them is another repository, of which all sources are taken."""
    for name in names:
        path = folder / name
        if path.is_dir() and not path.is_symlink():
            yield from (name / inner for inner in sources(path))
        else:
            yield Path(name)


def _walked(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        here = Path(root)
        left_out = NOT_SOURCES | OUTPUTS if here == folder else NOT_SOURCES
        kept = [name for name in folders if name not in left_out and _is_source(here / name)]
        links = [name for name in kept if (here / name).is_symlink()]
        folders[:] = [name for name in kept if name not in links]
        for name in (*files, *links):
            if name not in NOT_SOURCES and not name.endswith((".pyc", ".pyo")):
                yield (here / name).relative_to(folder)


def _is_source(folder: Path) -> bool:
    is_environment = (folder / "pyvenv.cfg").exists()
    is_cache = (folder / "CACHEDIR.TAG").exists()
    return not (is_environment or is_cache or folder.name.endswith(".egg-info"))
