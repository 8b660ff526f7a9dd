"""The bytecode of dependencies, lent from one release's environment to the next, so that it is not made again for each.

A file is lent where both environments hold its source by the same hash, as their records of installed files say; that
of the library itself is not. Python looks at it as at any other: it takes none whose source has another time or size,
and never writes into one.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from harness.subject import Subject

PREFIX = "PYTHONPYCACHEPREFIX"


def lend(giver: Subject, taker: Subject) -> int:
    """Give a release that has no bytecode yet what another one has of its dependencies; return how many files.

    Nothing is lent between interpreters, and what cannot be linked is left out.

    Raises
    ------
    CacheFolderError
        If the cache folder cannot be made.
    """
    given, taken = (Path(subject.environment()[PREFIX]) for subject in (giver, taker))
    if giver.installation.interpreter != taker.installation.interpreter or taken.exists():
        return 0
    lent = 0
    for site in _sites(taker):
        other = _environment(giver) / site.relative_to(_environment(taker))
        same = _sources(site, taker) & _sources(other, taker)
        places = {Path(path) for path, _ in same}
        for path in _bytecode(given / other.relative_to(other.anchor)):
            inner = path.relative_to(given / other.relative_to(other.anchor))
            if inner.with_name(f"{inner.name.partition('.')[0]}.py") in places:
                lent += _linked(path, taken / site.relative_to(site.anchor) / inner)
    return lent


def _environment(subject: Subject) -> Path:
    return Path(subject.python).parent.parent


def _sites(subject: Subject) -> list[Path]:
    found = _environment(subject).glob("lib*/python*/site-packages")
    return sorted({path for path in found if not path.parent.parent.is_symlink()})


def _sources(site: Path, subject: Subject) -> set[tuple[str, str]]:
    """Return path and hash of the sources of dependencies that are installed there."""
    return {
        (path, digest)
        for record in site.glob("*-info/RECORD")
        for path, digest in _recorded(record)
        if path.partition("/")[0].removesuffix(".py") not in subject.mode.packages
    }


def _recorded(record: Path) -> Iterator[tuple[str, str]]:
    """Yield path and hash of each source in a record of installed files; a path that needs quotes is left out."""
    try:
        lines = record.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return
    for line in lines:
        match line.split(","):
            case [path, digest, _] if path.endswith(".py") and digest:
                yield path, digest


def _bytecode(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place) / name for name in names if name.endswith(".pyc"))


def _linked(path: Path, target: Path) -> bool:
    with contextlib.suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        os.link(path, target)
        return True
    return False
