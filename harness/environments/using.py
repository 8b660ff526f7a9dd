"""Who uses an environment: one that is being made, or that a run holds, is not removed.

Making and removing hold the same lock. A run holds another one, together with all others that use the environment, from
when it obtained it to its own end, however that comes.
"""

import fcntl
import os
from pathlib import Path

from harness import cache

_HELD: dict[Path, int] = {}
"""The locks that this process holds: it keeps them open until it ends."""


def making(folder: Path, key: str) -> Path:
    """Return the file whose lock is held while an environment is made, or removed."""
    return folder / f"{key}.lock"


def begin(folder: Path, key: str) -> None:
    """Hold an environment until this process ends, and note that it was used now; its lock of making is held.

    Raises
    ------
    CacheFolderError
        If the cache cannot be written.
    """
    path = _holding(folder, key)
    try:
        if path not in _HELD:
            _HELD[path] = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            fcntl.flock(_HELD[path], fcntl.LOCK_SH)
        os.utime(path)
    except OSError as error:
        raise cache.unwritable(path, error) from error


def is_held(folder: Path, key: str) -> bool:
    """Return whether a run holds an environment; its lock of making is held, so that none can begin to.

    Raises
    ------
    OSError
        If that cannot be told.
    """
    path = _holding(folder, key)
    if not path.exists():
        return False
    lock = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def last(folder: Path, key: str) -> float | None:
    """Return when an environment was last obtained, in seconds since the epoch; None where nobody noted it."""
    try:
        return _holding(folder, key).stat().st_mtime
    except OSError:
        return None


def _holding(folder: Path, key: str) -> Path:
    return folder / f"{key}.use.lock"
