"""A patched copy of the import packages of a Python installation, named by its content and never changed again."""

import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Self

from filelock import FileLock

from harness import cache
from harness.errors import PatchError, UnusableError
from harness.installation import Installation
from harness.printable import listed, printable
from harness.shadow import applying
from harness.shadow import patch as patches
from harness.shadow.documentation import is_documentation
from harness.shadow.packages import EXTENSIONS, Packages, digest, files_of, is_bytecode, read, root_of
from harness.shadow.patch import Patch, is_below
from harness.shadow.proposal import Proposal, Shadowed

MANIFEST = "rankdiff.json"
"""What a shadow holds, written last."""

UNFINISHED = ".python-"
"""How the names of what is used while one is made begin."""

FORMAT = "rankdiff shadow 1"
"""How shadows are made: part of their names."""

NOT_SOURCES = frozenset({"benchmark", "benchmarks", "doc", "docs", "example", "examples", "test", "tests"})
"""Folders of upstream's tree that hold no package, whatever else is named like one there."""


@dataclass(frozen=True, slots=True)
class _Manifest:
    """What a shadow holds, and what was found out when it was made.

    Attributes
    ----------
    files, links
        The hash of each file, and the target of each link.
    changed, ignored, is_documentation
        As in `Shadowed`.
    """

    files: Mapping[str, str]
    links: Mapping[str, str]
    changed: tuple[str, ...]
    ignored: tuple[str, ...]
    is_documentation: bool

    @classmethod
    def of(cls, folder: Path) -> Self | None:
        """Return the manifest of a shadow, or none where it is not whole, or no longer what was made."""
        try:
            read = json.loads((folder / MANIFEST).read_bytes())
            found = cls(**{**read, "changed": tuple(read["changed"]), "ignored": tuple(read["ignored"])})
            there = _contents(folder)
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return found if (found.files, found.links) == there else None


def shadow(title: str, installation: Installation, proposal: Proposal) -> Shadowed:
    """Put patches before a Python installation: copy its import packages into the cache, and patch the copy.

    The copy is named by what it is made from. It holds no compiled Python code, links to compiled extensions, and is
    found first by the interpreter of the installation that is returned. The installation itself is only read.

    Parameters
    ----------
    title
        What messages call the installation, such as ``doubler 1.0``.
    installation
        What to put them before.
    proposal
        Unified diffs against upstream's tree. The folder of a package in that tree is found by its name; what they
        change outside of it is ignored.

    Raises
    ------
    PatchError
        If one of them cannot be read, does not apply, or changes nothing of it, or more than texts.
    UnusableError
        If the installation cannot be read, there is no git, or the path of the cache cannot be imported from.
    CacheFolderError
        If the cache cannot be written.
    """
    given = _given(proposal)
    if os.pathsep in str(cache.cache_folder()):
        raise UnusableError(
            f"a patched copy has to be in a folder whose path has no {os.pathsep!r}, and the cache is "
            f"{cache.cache_folder()}; set {cache.VARIABLE} to another one"
        )
    packages = read(title, installation)
    key = _key(installation, packages, given)
    shadows = cache.make(cache.cache_folder() / "shadows")
    folder = shadows / key
    try:
        with FileLock(shadows / f"{UNFINISHED}lock"):
            manifest = _Manifest.of(folder) or _make(folder, title, packages, given)
    except OSError as error:
        raise cache.unwritable(shadows, error) from error
    path = filter(None, [str(folder), installation.environment.get("PYTHONPATH")])
    return Shadowed(
        replace(
            installation,
            environment={**installation.environment, "PYTHONPATH": os.pathsep.join(path)},
            content=key,
            packages={name: folder / root_of(name, where) for name, where in installation.packages.items()},
            patches=(*installation.patches, digest(b"".join(data for _, data in given))[:8]),
            shadow=folder,
            base=installation,
        ),
        manifest.changed,
        manifest.ignored,
        manifest.is_documentation,
    )


def _given(proposal: Proposal) -> list[tuple[Path, bytes]]:
    """Return the patches of a proposal that is of nothing else, each with its bytes."""
    if proposal.replacements or proposal.source:
        raise PatchError(
            "a change of a Python library is given as unified diffs against upstream's tree, and nothing else; "
            "a file that replaces a class, or a source tree, is for a library in Java"
        )
    if not proposal.patches:
        raise PatchError("no patch is given; name a unified diff against upstream's tree, such as git diff writes it")
    return [(path, patches.load(path)) for path in proposal.patches]


def _key(installation: Installation, packages: Packages, given: Sequence[tuple[Path, bytes]]) -> str:
    """Return the name of a shadow: a hash of all that it is made from."""
    python = os.path.realpath(installation.python)
    hashes = [digest(data) for _, data in given]
    parts = [FORMAT, installation.interpreter, python, installation.content, packages.content(), hashes]
    return digest(json.dumps(parts).encode())[:16]


# --- the copy --------------------------------------------------------------------------------------------------


def _make(folder: Path, title: str, packages: Packages, given: Sequence[tuple[Path, bytes]]) -> _Manifest:
    """Make a shadow beside its place, and move it there when it is whole; whatever is there is removed."""
    for left in folder.parent.glob(f"{UNFINISHED}*/"):  # by a run that was killed: its lock is ours now
        shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=folder.parent) as room:
        copy = Path(room, "copy")
        read = [patches.parse(path, data) for path, data in given]
        _write(packages, copy)
        applied = [(patch, _apply(patch, copy, packages, title)) for patch in read]
        manifest = _manifest(packages, copy, applied)
        if not manifest.changed:
            names = " and ".join(patch.title for patch in read)
            raise PatchError(
                f"{names} should change {title}, and leave it as it is; give a patch that changes something"
            )
        (copy / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1))
        if folder.exists():
            folder.rename(Path(room, "replaced"))
        copy.rename(folder)
    return manifest


def _write(packages: Packages, copy: Path) -> None:
    """Write a copy of packages: files anew, and links to their extensions."""
    for name, data in packages.files.items():
        path = copy / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for name, target in packages.extensions.items():
        path = copy / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)


def _apply(patch: Patch, copy: Path, packages: Packages, title: str) -> dict[str, str]:
    """Apply a patch to a copy, and return the name in upstream's tree of each package that it changes."""
    found = {root: _prefix(patch, root, packages) for root in packages.roots}
    prefixes = {root: prefix for root, prefix in found.items() if prefix is not None}
    if not prefixes:
        raise _outside(patch, packages, title)
    upstream = {root: str(PurePosixPath(prefix, root)) for root, prefix in prefixes.items()}
    _refuse_compiled(patch, list(upstream.values()))
    with tempfile.TemporaryDirectory(dir=copy.parent) as room:
        tree = Path(room)
        for root, name in upstream.items():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / root).rename(tree / name)
        applying.apply(patch, tree, list(upstream.values()), title)
        for root, name in upstream.items():
            if (tree / name).exists():
                (tree / name).rename(copy / root)
    return upstream


def _prefix(patch: Patch, root: str, packages: Packages) -> str | None:
    """Return the folder of upstream's tree that a package is in, by the names in a patch; none if it is in none.

    It is the one under which most names are names of the package's files. ``src``, and the root, need no such name.
    """
    known: Counter[str] = Counter()
    for name in {name for file in patch.files for name in file.names}:
        for match in re.finditer(rf"(?<![^/]){re.escape(root)}(?![^/])", name):
            prefix, below = name[: match.start()].rstrip("/"), name[match.start() :]
            if NOT_SOURCES.isdisjoint(prefix.split("/")) and (below != root or root in packages.files):
                known[prefix] += below in packages.files or below in packages.extensions
    likely = {prefix: count for prefix, count in known.items() if count or prefix.rpartition("/")[2] in ("", "src")}
    return max(likely, key=lambda prefix: (likely[prefix], -len(prefix)), default=None)


def _outside(patch: Patch, packages: Packages, title: str) -> PatchError:
    """Return what to raise for a patch that changes nothing of the packages."""
    names = [file.name for file in patch.files]
    sources = [name.split("/") for name in names if name.endswith(".py")]
    inner = [parts[1:] if parts[0] in ("src", "lib") else parts for parts in sources]
    others = {parts[0] for parts in inner if len(parts) > 1} - NOT_SOURCES
    about = f"it seems to be about {printable(min(others))}" if len(others) == 1 else "it is about something else"
    is_, root = " and ".join(packages.roots), packages.roots[0]
    return PatchError(
        f"{patch.title} changes nothing of {title}, which is {is_}: it changes {listed(names)}; {about}; "
        f"give a diff of the sources of {title}, whose names hold {root}/"
    )


def _refuse_compiled(patch: Patch, roots: Sequence[str]) -> None:
    """Raise PatchError for compiled code in a patch of the packages."""
    for name in {name for file in patch.files for name in file.names if is_below(name, roots)}:
        if is_bytecode(name) or PurePosixPath(name).suffix in EXTENSIONS:
            raise PatchError(f"{patch.title} changes {printable(name)}, which is compiled code; give the sources alone")


# --- what came out ---------------------------------------------------------------------------------------------


def _manifest(packages: Packages, copy: Path, applied: Sequence[tuple[Patch, Mapping[str, str]]]) -> _Manifest:
    """Return what a patched copy holds, and how it differs from the packages."""
    files, links = _contents(copy)
    before, after = packages.files, {name: (copy / name).read_bytes() for name in files}
    upstream = {root: name for _, names in applied for root, name in names.items()}
    changed = {
        upstream[name.partition("/")[0]] + name.removeprefix(name.partition("/")[0])
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name)
    }
    ignored = {
        name
        for patch, roots in applied
        for file in patch.files
        for name in file.names
        if not is_below(name, roots.values())
    }
    return _Manifest(files, links, _shown(changed), _shown(ignored), is_documentation(before, after))


def _shown(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(printable, sorted(names)))


def _contents(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the hash of every file of a shadow but its manifest, and the target of every link."""
    files, links = {}, {}
    for name, path in files_of(folder):
        if path.is_symlink():
            links[name] = str(path.readlink())
        elif name != MANIFEST:
            files[name] = digest(path.read_bytes())
    return files, links
