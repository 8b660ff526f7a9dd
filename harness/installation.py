"""An installation: where something under test was found on this machine, and what identifies it."""

import importlib.util
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path

from harness.errors import NotInstalledError
from harness.jsontypes import Json


@dataclass(frozen=True, slots=True)
class Unreleased:
    """What something under test is where it is no release of a package index, so that its version does not name it.

    Attributes
    ----------
    kind
        Such as ``checkout`` or ``wheel``.
    content
        What tells it from others of its version: a hash, or a commit; empty if nothing does.
    requirement
        What anybody gets it by; empty if nothing does.
    """

    kind: str
    content: str = ""
    requirement: str = ""

    @property
    def title(self) -> str:
        """What it is, for a person."""
        return f"a {self.kind}"

    @property
    def identity(self) -> str:
        """What tells it from others, in words; empty if nothing does."""
        name = "commit" if self.kind == REPOSITORY else "SHA-256"
        return f"{name} {self.content}" if self.content else ""

    def to_json(self) -> dict[str, Json]:
        """Return it as a part of a subject."""
        return {name: value for name, value in asdict(self).items() if value}


CHECKOUT, WHEEL, SDIST, REPOSITORY, DOWNLOAD = "checkout", "wheel", "source distribution", "git repository", "download"
"""Kinds of what is no release."""


@dataclass(frozen=True, slots=True)
class Installation:
    """Something under test, as it was found.

    Attributes
    ----------
    version
        Its release.
    environment
        What its adapter is told, as environment variables.
    content
        A hash of what it consists of beside the modules of its import packages; empty if there is nothing else.
    python
        The interpreter that runs it, or its adapter.
    interpreter
        What that interpreter says it is: its ``sys.version``.
    packages
        Where its import packages are: the folder of each, or its file where it is a single module.
    patches
        Hashes of the patches in it.
    shadow
        The folder that every module of its import packages has to come from, where it is a patched copy.
    base
        What a patched copy is a copy of.
    origin
        Where it was had from, if not from our own environment: a requirement, a path or an address.
    options
        The options of a command line that name it, if it is not from our own environment.
    unreleased
        What it is, where it is no release of an index.
    requires_python
        Which versions of Python it says that it runs on, as a specifier; empty if it does not say so.
    """

    version: str
    environment: Mapping[str, str] = field(default_factory=dict)
    content: str = ""
    python: str = sys.executable
    interpreter: str = sys.version
    packages: Mapping[str, Path] = field(default_factory=dict)
    patches: tuple[str, ...] = ()
    shadow: Path | None = None
    base: "Installation | None" = None
    origin: str = ""
    options: tuple[str, ...] = ()
    unreleased: Unreleased | None = None
    requires_python: str = ""


Finder = Callable[[], Sequence[Installation]]
"""Finds what is installed, the one to prefer first. It raises NotInstalledError, with the reason, where nothing
is, and UnusableError where something is that cannot be used. It imports nothing of what it finds."""


def distribution(name: str, *packages: str) -> Finder:
    """Return what finds a Python distribution, and its import packages, in our own environment."""

    def find() -> Sequence[Installation]:
        try:
            said = str(metadata.metadata(name).json.get("requires_python", ""))
            return [
                Installation(
                    metadata.version(name),
                    packages=located(packages),
                    requires_python=said,
                    unreleased=_unreleased(name, metadata.distribution(name)),
                )
            ]
        except metadata.PackageNotFoundError as error:
            raise NotInstalledError(f"{name} is not installed") from error

    return find


def _unreleased(name: str, found: metadata.Distribution) -> Unreleased | None:
    """Return what a distribution is that is from elsewhere than an index, as its installer says (PEP 610)."""
    if (found.read_text("INSTALLER") or "").strip() == "conda":
        return None  # it leaves there where the build of its package took the sources from
    try:
        said = json.loads(found.read_text("direct_url.json") or "null")
    except ValueError:
        return None
    match said:
        case {"url": str(), "dir_info": dict()}:
            return Unreleased(CHECKOUT)
        case {"url": str(url), "vcs_info": {"commit_id": str(commit)}}:
            folder = f"#subdirectory={said['subdirectory']}" if said.get("subdirectory") else ""
            is_named = url.startswith("https://") and said["vcs_info"].get("vcs") == "git"
            return Unreleased(REPOSITORY, commit, f"{name} @ git+{url}@{commit}{folder}" if is_named else "")
        case {"url": str(url), "archive_info": dict(archive)}:
            hashes = archive.get("hashes")
            digest = str(hashes.get("sha256", "")) if isinstance(hashes, dict) else ""
            if not url.startswith("file:"):
                return Unreleased(DOWNLOAD, digest, f"{name} @ {url}" if url.startswith("https://") else "")
            return Unreleased(WHEEL if url.endswith(".whl") else SDIST, digest)
    return None


def located(packages: Sequence[str]) -> dict[str, Path]:
    """Return where our own interpreter finds these import packages, as far as it does; nothing is imported."""
    found = {}
    for package in packages:
        spec = importlib.util.find_spec(package)
        if spec and (where := [*(spec.submodule_search_locations or ()), *filter(None, [spec.origin])]):
            found[package] = Path(where[0])
    return found
