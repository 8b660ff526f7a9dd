"""A requirement: what a user wrote to say which version of a distribution is meant."""

import ast
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from packaging import requirements
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)

from harness.errors import BadRequirementError

WHEEL = ".whl"
SDISTS = (".tar.gz", ".zip")
PROJECT_FILES = ("pyproject.toml", "setup.py")

EXPECTED = (
    "a release such as name==1.0, a wheel such as ./name-1.0-py3-none-any.whl, a checkout such as ./name, "
    "or a git URL such as git+https://example.org/name@main"
)

PREFIX = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)\s*(?P<extras>\[[^\]]*\])?\s*@\s*(?P<target>\S.*)")
"""The form ``name[extras] @ target`` (PEP 508)."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release from a package index, or what another URL leads to: ``text`` is for the installer as it stands."""

    text: str
    name: str | None
    is_pinned: bool


@dataclass(frozen=True, slots=True)
class Archive:
    """A wheel, or a source distribution, on this machine."""

    path: Path
    prefix: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Checkout:
    """A source tree on this machine."""

    folder: Path
    prefix: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Repository:
    """A git repository at a revision: a branch, a tag, a commit, or none for its head.

    Attributes
    ----------
    url
        For git, without ``git+``.
    fragment
        What a URL says after ``#``, such as ``subdirectory=python``.
    """

    url: str
    revision: str | None
    fragment: str
    prefix: str
    name: str | None


Requirement = Release | Archive | Checkout | Repository


def distribution_name(spec: str) -> str | None:
    """Return the normalised name of the distribution that a requirement is about; none if only installing can tell.

    Raises
    ------
    BadRequirementError
        If it is no requirement.
    """
    return parse(spec).name


def parse(spec: str) -> Requirement:
    """Return what a requirement says; files are looked at, the network is not.

    Raises
    ------
    BadRequirementError
        If it is no requirement, or names a file or folder that cannot be installed.
    """
    text = spec.strip()
    if not text or not text.isprintable():
        raise _bad(spec)
    match = PREFIX.fullmatch(text)
    if match is None:
        return _parse_target(spec, text, "", None)
    prefix = f"{match['name']}{match['extras'] or ''} @ "
    return _parse_target(spec, match["target"], prefix, canonicalize_name(match["name"]))


def _parse_target(spec: str, target: str, prefix: str, name: str | None) -> Requirement:
    if target.startswith("-") or ("://" in target and " " in target):
        raise _bad(spec, "an option of an installer is none, and a URL has no blank")
    if target.startswith("git+"):
        return _repository(spec, target, prefix, name)
    if target.startswith("file:"):
        return _local(spec, Path(unquote(urlsplit(target).path)), prefix, name)
    if "://" in target:
        file_name = unquote(urlsplit(target).path).rpartition("/")[2]
        return Release(prefix + target, name or _name_in(file_name), is_pinned=False)
    if prefix or "/" in target or target.startswith((".", "~")) or target.endswith((WHEEL, *SDISTS)):
        return _local(spec, Path(target).expanduser(), prefix, name)
    return _release(spec, target)


def _release(spec: str, text: str) -> Release:
    try:
        parsed = requirements.Requirement(text)
    except requirements.InvalidRequirement as error:
        raise _bad(spec, str(error).splitlines()[0]) from error
    pinned = any(each.operator in {"==", "==="} and not each.version.endswith(".*") for each in parsed.specifier)
    return Release(text, canonicalize_name(parsed.name), pinned)


def _repository(spec: str, target: str, prefix: str, name: str | None) -> Repository:
    parts = urlsplit(target.removeprefix("git+"))
    if not parts.scheme or not parts.path:
        raise _bad(spec, "a git URL has a scheme and a path")
    path, _, revision = parts.path.rpartition("@") if "@" in parts.path else (parts.path, "", "")
    if revision.startswith("-"):
        raise _bad(spec, "a revision is a branch, a tag or a commit")
    egg = re.search(r"(?:^|&)egg=([\w.-]+)", parts.fragment)
    named = name or (canonicalize_name(egg[1]) if egg else None)
    return Repository(
        urlunsplit((parts.scheme, parts.netloc, path, parts.query, "")), revision or None, parts.fragment, prefix, named
    )


def _local(spec: str, written: Path, prefix: str, name: str | None) -> Archive | Checkout:
    path = written.resolve()
    if path.is_dir():
        if not any((path / project_file).is_file() for project_file in PROJECT_FILES):
            raise _bad(spec, f"the folder {path} has neither pyproject.toml nor setup.py")
        return Checkout(path, prefix, name or _name_of_project(spec, path) or _name_in_setup(path))
    if not path.is_file():
        raise _bad(spec, f"there is no file or folder {path}")
    if path.name.endswith(WHEEL) and _name_in(path.name) is None:
        raise _bad(spec, "the file name of a wheel says name, version and tags, as in name-1.0-py3-none-any.whl")
    if not path.name.endswith((WHEEL, *SDISTS)):
        raise _bad(spec, f"the file {path} is neither a wheel nor a source distribution")
    return Archive(path, prefix, name or _name_in(path.name))


def _name_in(file_name: str) -> str | None:
    """Return the name of the distribution that a file name says, if it does."""
    try:
        if file_name.endswith(WHEEL):
            return parse_wheel_filename(file_name)[0]
        return parse_sdist_filename(file_name)[0]
    except (InvalidWheelFilename, InvalidSdistFilename):
        return None


def _name_of_project(spec: str, folder: Path) -> str | None:
    path = folder / "pyproject.toml"
    if not path.is_file():
        return None
    try:
        name = tomllib.loads(path.read_text("utf-8")).get("project", {}).get("name")
    except (OSError, ValueError, AttributeError) as error:
        raise _bad(spec, f"{path} cannot be read: {error}") from error
    return canonicalize_name(name) if isinstance(name, str) else None


def _name_in_setup(folder: Path) -> str | None:
    """Return the name that setup.py gives to setup() as a literal, if it does; nothing of it is run."""
    try:
        tree = ast.parse((folder / "setup.py").read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("setup") | ast.Attribute(attr="setup"), keywords=keywords):
                given = {keyword.arg: keyword.value for keyword in keywords}
                match given.get("name"):
                    case ast.Constant(str(name)):
                        return canonicalize_name(name)
    return None


def _bad(spec: str, reason: str = "") -> BadRequirementError:
    return BadRequirementError(f"{spec!r} is no requirement{f' ({reason})' if reason else ''}; expected {EXPECTED}")
