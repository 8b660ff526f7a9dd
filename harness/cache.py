"""Where caches are kept."""

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from harness.errors import CacheFolderError

VARIABLE = "RANKDIFF_CACHE"
"""The environment variable that names another place."""


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return where caches are kept: ``RANKDIFF_CACHE``, or the user's cache folder.

    Raises
    ------
    CacheFolderError
        If it cannot be made.
    """
    named = environ.get(VARIABLE)
    return make(Path(named).absolute() if named else Path(platformdirs.user_cache_dir("rankdiff")))


def make(folder: Path) -> Path:
    """Make a folder in the cache, if it is not there.

    Raises
    ------
    CacheFolderError
        If it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from error
    return folder


def unwritable(path: Path, error: OSError) -> CacheFolderError:
    """Return what to raise when something in the cache cannot be written."""
    return CacheFolderError(
        f"the cache folder {path} cannot be made or written ({error.strerror or error}); "
        f"set {VARIABLE} to a folder that can be written, on a disk with space left"
    )
