"""Which releases of a distribution there are, as the package index says that the user's installer is configured for."""

import importlib.util
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from packaging.version import InvalidVersion, Version

from harness import cache, whole
from harness.environments import child
from harness.errors import NoReleasesError

LISTED = re.compile(r"^Available versions: (.+)$", re.MULTILINE)
UNREACHABLE = re.compile(r"after connection broken by '(\w+)")
REFUSAL = re.compile(r"^ERROR: (.+)$", re.MULTILINE)


def releases(distribution: str, *, pre: bool = False) -> list[Version]:
    """Return the releases of a distribution, ascending, whatever Python they need.

    Parameters
    ----------
    pre
        Whether pre-releases are among them.

    Raises
    ------
    NoReleasesError
        If the index cannot be asked, or knows of none.
    """
    command = [
        *_pip(),
        *("index", "versions", distribution, "--ignore-requires-python", "--no-color", "--no-input"),
        *("--disable-pip-version-check", "--retries", "1"),
        *(["--pre"] if pre else []),
    ]
    status, said = child.output(command, child.environment())
    listed = LISTED.search(said)
    if status == 0 and listed:
        return sorted({version for text in listed[1].split(",") if (version := _version(text))})
    if unreachable := UNREACHABLE.search(said):
        raise NoReleasesError(
            f"the package index could not be asked for the releases of {distribution} ({unreachable[1]}); "
            f"go online, or have pip find an index that can be reached"
        )
    refusals = REFUSAL.findall(said)
    reason = refusals[-1] if refusals else said.strip().rpartition("\n")[2] or f"nothing, with status {status}"
    raise NoReleasesError(f"the releases of {distribution} were to be listed, but pip says: {reason}")


def remember(distribution: str, listed: Iterable[Version]) -> None:
    """Keep a list of releases, for when the index cannot be asked.

    Raises
    ------
    CacheFolderError
        If the cache cannot be written.
    """
    path = _remembered(distribution)
    cache.make(path.parent)
    try:
        whole.write(path, json.dumps([str(version) for version in listed]) + "\n")
    except OSError as error:
        raise cache.unwritable(path, error) from error


def remembered(distribution: str) -> list[Version]:
    """Return the releases that the index had when it was last asked; none where that is not known."""
    try:
        listed = json.loads(_remembered(distribution).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    found = (_version(text) for text in listed if isinstance(text, str)) if isinstance(listed, list) else ()
    return sorted(version for version in found if version)


def _remembered(distribution: str) -> Path:
    return cache.cache_folder() / "indexes" / f"{distribution}.json"


def _pip() -> list[str]:
    """Return our pip or, where we have none, the one that comes with Python."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-I", "-m", "pip"]
    bundled = importlib.util.find_spec("ensurepip")
    for folder in bundled.submodule_search_locations or () if bundled else ():
        for wheel in sorted(Path(folder).glob("_bundled/pip-*.whl")):
            return [sys.executable, "-I", str(wheel / "pip")]
    raise NoReleasesError("pip was expected beside rankdiff, to list the releases, and there is none; install pip")


def _version(text: str) -> Version | None:
    try:
        return Version(text.strip())
    except InvalidVersion:  # it cannot be named in a requirement either
        return None
