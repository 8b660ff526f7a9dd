"""What an environment holds, as its own interpreter says; nothing of it is imported."""

import hashlib
import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness.environments import child
from harness.errors import UnusableError
from harness.installation import Installation
from harness.library import Mode

QUESTION = """
import importlib.metadata, importlib.util, json, os, sys, sysconfig

def where(package):
    spec = importlib.util.find_spec(package)
    return spec and [*(spec.submodule_search_locations or ()), *filter(None, [spec.origin])]

name, *packages = sys.argv[1:]
try:
    version = importlib.metadata.version(name)
except importlib.metadata.PackageNotFoundError:
    version = None
folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
print(json.dumps({
    "version": version,
    "interpreter": sys.version,
    "packages": {package: found[0] for package in packages for found in [where(package)] if found},
    "distributions": sorted(each for folder in folders for each in os.listdir(folder) if each.endswith("-info")),
}))
"""

PATIENCE = 60
"""Seconds for the interpreter to answer."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the interpreter says: the version of a distribution, itself, places of packages, and all distributions."""

    version: str | None
    interpreter: str
    packages: dict[str, str]
    distributions: list[str]


def python_of(environment: Path) -> Path:
    """Return the interpreter of an environment."""
    return environment / "bin" / "python"


def fingerprint(environment: Path) -> str:
    """Return a hash of the names and versions of all that is in an environment; its interpreter is not asked.

    It is empty where there is no such environment.
    """
    names = {path.name for path in environment.glob("lib*/python*/site-packages/*-info")}
    return hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest() if names else ""


def installation(environment: Path, title: str, mode: Mode, key: str) -> Installation:
    """Return a mode's distribution as it is in an environment.

    Its content is a hash of the environment's key, and of the names and versions of all that is in it.

    Raises
    ------
    UnusableError
        If it does not hold that distribution, or its interpreter does not answer.
    """
    answer = _asked(environment, title, mode)
    if answer.version is None:
        raise UnusableError(f"{title} was installed, but it is not {mode.distribution}, which these cases are about")
    return Installation(
        answer.version,
        content=hashlib.sha256("\n".join([key, *answer.distributions]).encode()).hexdigest(),
        python=str(python_of(environment)),
        interpreter=answer.interpreter,
        packages={package: Path(place) for package, place in answer.packages.items()},
        origin=title,
    )


def _asked(environment: Path, title: str, mode: Mode) -> _Answer:
    python = str(python_of(environment))
    try:
        return _Answer(**child.asked(python, QUESTION, mode.distribution, *mode.packages, seconds=PATIENCE))
    except (OSError, subprocess.SubprocessError, ValueError, TypeError) as error:
        reason = str(getattr(error, "stderr", b"") or b"", "utf-8", "replace").strip().rpartition("\n")[2] or error
        raise UnusableError(
            f"{title} was installed, but its interpreter does not say what is there: {reason}"
        ) from error
