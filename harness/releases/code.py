"""The code that a result depends on, as one hash: the case's, the reference's, and that of the machine that ran it."""

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

from harness import execute, exhaust, process
from harness.library import Library


def code(library: Library) -> str:
    """Return a hash of all sources that decide what a case of a library is found to show.

    They are the sources beside its adapters and those that run a domain, and what these import, of projects that are
    not installed from elsewhere; of the others, the versions. The ledger is none of them.

    Raises
    ------
    OSError
        If one cannot be read.
    """
    ours, others = reached(library)
    digest = hashlib.sha256()
    for path in sorted(ours):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for name in sorted(others):
        digest.update(f"{name} {_version(name)}\0".encode())
    return digest.hexdigest()


def reached(library: Library) -> tuple[frozenset[Path], frozenset[str]]:
    """Return the sources that decide what a case is found to show, and the packages of others that they import.

    Raises
    ------
    OSError
        If one cannot be read.
    """
    folders = sorted({mode.adapter.parent for mode in library.modes})
    tested = {package.partition(".")[0] for mode in library.modes for package in mode.packages}
    starts = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    starts += [Path(module.__file__ or "") for module in (execute, exhaust, process)]
    ours, others = _reached((*starts, process.WORKER))
    return ours, others - tested


@cache
def _reached(starts: tuple[Path, ...]) -> tuple[frozenset[Path], frozenset[str]]:
    """Return the files that these reach by imports, and the packages of others that they import."""
    ours, others, left = set(starts), set[str](), list(starts)
    while left:
        for name in _imported(left.pop()):
            root = name.partition(".")[0]
            if root in sys.stdlib_module_names:
                continue
            if _distribution(root):
                others.add(root)
            elif (path := _file(name)) and path not in ours:
                ours.add(path)
                left.append(path)
    return frozenset(ours), frozenset(others)


def _file(name: str) -> Path | None:
    """Return the file of a module, beside its root package, which is looked for; nothing is imported."""
    root, *inner = name.split(".")
    spec = importlib.util.find_spec(root)
    for folder in spec.submodule_search_locations or () if spec else ():
        place = Path(folder, *inner)
        for path in (place / "__init__.py", place.with_suffix(".py") if inner else place / "__init__.py"):
            if path.is_file():
                return path
    return None


def _imported(path: Path) -> Iterator[str]:
    """Yield the names of all that a file imports, modules or not, and of the packages that hold them."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in found:
            parts = name.split(".")
            yield from (".".join(parts[: k + 1]) for k in range(len(parts)))


OURS = "rankdiff"


@cache
def _distribution(root: str) -> str | None:
    """Return the distribution of others that an import package belongs to."""
    names = [name for name in _distributions().get(root, []) if name != OURS]
    return names[0] if names else None


@cache
def _distributions() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


def _version(root: str) -> str:
    name = _distribution(root)
    return metadata.version(name) if name else ""
