"""The environments in the cache: what each one holds, how large it is, how old, and how to be rid of it."""

import contextlib
import json
import os
import shutil
import stat
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from harness import cache
from harness.environments import using
from harness.environments.making import MANIFEST
from harness.errors import UnknownEnvironmentError
from harness.jsontypes import Json

PARTIAL = ".partial"


@dataclass(frozen=True, slots=True)
class Kept:
    """An environment in the cache.

    Attributes
    ----------
    name
        Its folder.
    requirement, beside
        What was installed; empty where it was not made to its end, or is damaged.
    source
        The folder or file on this machine that it was made from; empty where it was none.
    python
        The version of its Python.
    size, own
        Bytes of its files and of what was compiled for them, on the disk; and of those of them that share their space
        with no other file, as an installer's cache and other environments do.
    created, used
        When it was made and last obtained, in seconds since the epoch.
    """

    name: str
    requirement: str
    beside: tuple[str, ...]
    version: str
    python: str
    size: int
    own: int
    created: float
    used: float
    source: str = ""

    def to_json(self) -> dict[str, Json]:
        """Return it as an entry of ``environments``."""
        return {
            "name": self.name,
            "requirement": self.requirement,
            "source": self.source,
            "beside": list(self.beside),
            "version": self.version,
            "python": self.python,
            "size": self.size,
            "own": self.own,
            "created": _moment(self.created),
            "used": _moment(self.used),
        }


@dataclass(frozen=True, slots=True)
class Removed:
    """What became of an environment that was to be removed: nothing, where a reason is given."""

    environment: Kept
    reason: str = ""


def environments() -> list[Kept]:
    """Return all environments in the cache, the one last used first, and what runs that were killed left of others.

    Raises
    ------
    CacheFolderError
        If the cache cannot be made or read.
    """
    folder = _folder()
    try:
        paths = [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
    except OSError as error:
        raise cache.unwritable(folder, error) from error
    found = [kept for path in paths if (kept := _kept(path))]
    return sorted(found, key=lambda one: (-one.used, one.name))


def chosen(all_of_them: Sequence[Kept], names: Collection[str], unused: float | None) -> list[Kept]:
    """Return the environments to remove.

    Parameters
    ----------
    names
        Names, the beginnings of names that no other has, requirements, or sources; none for all.
    unused
        Days since each was last used; None where that does not matter.

    Raises
    ------
    UnknownEnvironmentError
        If a name is none, or stands for several.
    """
    found = [_named(all_of_them, name) for name in names] if names else [list(all_of_them)]
    picked = {one.name: one for group in found for one in group}
    latest = float("inf") if unused is None else time.time() - unused * 86400
    return [one for one in picked.values() if one.used <= latest]


def remove(environment: Kept) -> Removed:
    """Remove an environment and what was compiled for it, unless it is being made, or a run uses it.

    It is moved away first, so that what is left of a removal that was ended is never taken for an environment.
    """
    folder = _folder()
    key = environment.name.partition(".")[0]
    lock = FileLock(using.making(folder, key), timeout=0)
    try:
        with lock:
            if using.is_held(folder, key):
                return Removed(environment, "a run uses it")
            path = folder / environment.name
            compiled = _compiled(path)
            if not environment.name.endswith(PARTIAL):
                path = path.rename(folder / f"{key}.{os.getpid()}{PARTIAL}")
            for gone in (path, *compiled):
                shutil.rmtree(gone)
            for name in (f"{key}.log", f"{key}.use.lock"):
                (folder / name).unlink(missing_ok=True)
    except Timeout:
        return Removed(environment, "it is being made")
    except OSError as error:
        return Removed(environment, f"it cannot be removed: {error.strerror or error}")
    return Removed(environment)


def _folder() -> Path:
    return cache.make(cache.cache_folder() / "environments")


def _named(all_of_them: Sequence[Kept], name: str) -> list[Kept]:
    there = all_of_them if name else ()
    same = [one for one in there if name in {one.name, one.requirement, one.source}]
    found = same or [one for one in there if one.name.startswith(name)]
    if not found or (len(found) > 1 and not same):
        many = ", ".join(one.name for one in found)
        raise UnknownEnvironmentError(
            f"the name of an environment was expected, not {name!r}"
            + (f", with which several begin: {many}" if many else "; `rankdiff environments` lists them")
        )
    return found


def _kept(path: Path) -> Kept | None:
    """Return what a folder holds; None where it has just gone."""
    try:
        created = path.stat().st_mtime
        size, own = map(sum, zip(*map(_sizes, (path, *_compiled(path))), strict=True))
    except OSError:
        return None
    said = _manifest(path)
    with contextlib.suppress(ValueError):
        created = datetime.fromisoformat(_text(said, "created")).timestamp()
    beside = said.get("beside")
    return Kept(
        name=path.name,
        requirement=_text(said, "requirement"),
        source=_text(said, "source"),
        beside=tuple(map(str, beside)) if isinstance(beside, list) else (),
        version=_text(said, "version"),
        python=_text(said, "interpreter").partition(" ")[0],
        size=size,
        own=own,
        created=created,
        used=max(created, using.last(path.parent, path.name) or 0.0),
    )


def _compiled(path: Path) -> list[Path]:
    """Return the folders of code compiled for subjects in an environment: they hold its bytecode, by its path."""
    inner = Path("pyc", *path.parts[1:])
    return [folder for folder in path.parents[1].glob("compiled/*") if (folder / inner).is_dir()]


def _manifest(path: Path) -> dict[str, object]:
    try:
        said = json.loads((path / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) and said.get("key") == path.name else {}


def _text(said: dict[str, object], name: str) -> str:
    text = said.get(name)
    return text if isinstance(text, str) else ""


def _sizes(path: Path) -> tuple[int, int]:
    """Return the bytes on the disk of a folder's files, and of those that have no other name."""
    size = own = 0
    for status in _statuses(path):
        used = status.st_blocks * 512
        size += used
        own += used if status.st_nlink == 1 or stat.S_ISDIR(status.st_mode) else 0
    return size, own


def _statuses(path: Path) -> Iterator[os.stat_result]:
    with os.scandir(path) as entries:
        for entry in entries:
            try:
                yield entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    yield from _statuses(Path(entry.path))
            except FileNotFoundError:  # it has just gone
                continue


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
