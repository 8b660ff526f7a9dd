"""Upstream's sources, as diffs change them: of the tree that the user has, only copies are changed."""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cases.lucene.real import java_file
from cases.lucene.real.java_file import JavaFile
from harness import cache
from harness.errors import PatchError
from harness.printable import listed, printable
from harness.shadow import applying, patch
from harness.shadow.documentation import same_but_for_comments_java
from harness.shadow.patch import FileChange, Patch

_UNIT = re.compile(r"(?:(?:.*/)?src/(?:main/)?java/|(?=org/))((?:[\w$]+/)+[\w$-]+\.java)")
"""The name of a file below a source root: in upstream's tree, or in an unpacked jar of sources."""


@dataclass(frozen=True, slots=True)
class Patched:
    """What diffs make of upstream's sources.

    Attributes
    ----------
    files
        The sources of classes that differ, by their names in the diffs.
    ignored
        What the diffs change beside the classes of the jars.
    is_documentation
        Whether only comments differ.
    """

    files: tuple[JavaFile, ...] = ()
    ignored: tuple[str, ...] = ()
    is_documentation: bool = False


def patched(title: str, paths: Sequence[Path], source: Path, classes: frozenset[str]) -> Patched:
    """Apply diffs to copies of the sources that they change.

    Parameters
    ----------
    title
        What the jars are called in messages.
    paths
        The diffs, in the order in which they apply.
    source
        Upstream's tree, a part of it, or the unpacked jar of its sources.
    classes
        The names of all classes in the jars, such as ``org/apache/lucene/index/Term``.

    Raises
    ------
    PatchError
        If they do not apply, or are not changes of classes in the jars.
    UnusableError
        If there is no git.
    CacheFolderError
        If the copies cannot be written.
    """
    if not source.is_dir():
        raise PatchError(f"a folder with Lucene's sources was expected at {source}, and there is none")
    patches = [patch.read(path) for path in paths]
    changes = [change for each in patches for change in each.files]
    units = {name: unit for change in changes for name, unit in _units(change, classes)}
    names = [name for change in changes for name in change.names]
    ignored = tuple(dict.fromkeys(name for name in names if name not in units))
    if not units:
        raise PatchError(
            f"{patches[0].title} was expected to change a class of {title}, and changes {listed(ignored)}; "
            f"it is against another library or release, or changes no class"
        )
    _refuse_removal(changes, units, classes)
    before = {name: content for name in units if (content := _content(source, name, units[name])) is not None}
    after = _applied(patches, before, list(units), f"the sources in {source}")
    differing = [name for name in after if after[name] != before.get(name)]
    if not differing:
        raise PatchError(f"{patches[0].title} was expected to change a class, and in the end nothing differs")
    return Patched(
        tuple(java_file.of_unit(name, units[name], after[name]) for name in differing),
        ignored,
        all(name in before and _is_documentation(before[name], after[name]) for name in differing),
    )


def _units(change: FileChange, classes: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield name and unit of what is a source of the jars: of a class in them, or of one that is new beside them."""
    packages = {name.rpartition("/")[0] for name in classes}
    for name in change.names:
        if found := _UNIT.fullmatch(name):
            folder = found[1].rpartition("/")[0]
            is_near = folder in packages or (change.old is None and folder.rpartition("/")[0] in packages)
            if found[1].removesuffix(".java") in classes or (is_near and not _is_removal(change)):
                yield name, found[1]


def _is_removal(change: FileChange) -> bool:
    return change.new != change.old and change.old is not None


def _refuse_removal(changes: Sequence[FileChange], units: Mapping[str, str], classes: frozenset[str]) -> None:
    for change in changes:
        old = change.old or ""
        unit = units.get(old, "").removesuffix(".java")
        if _is_removal(change) and unit in classes:
            raise PatchError(
                f"the class {unit.replace('/', '.')} cannot be taken out of its jar, and a diff removes "
                f"{printable(old)}; leave the file in the tree, and change what uses it"
            )


def _content(source: Path, name: str, unit: str) -> bytes | None:
    """Return what is in a source, which is where the diff says, or below another root."""
    path = _found(source, name, unit)
    if path is None:
        return None
    if not path.resolve().is_relative_to(source.resolve()) or path.stat().st_size > java_file.LARGEST:
        raise PatchError(f"{path} should be a source file in {source}, and is a link out of it, or too large")
    try:
        return path.read_bytes()
    except OSError as error:
        raise PatchError(f"a Java file was expected at {path}, and cannot be read: {error.strerror}") from error


def _found(source: Path, name: str, unit: str) -> Path | None:
    parts = name.split("/")
    for start in range(len(parts) - unit.count("/")):
        if (path := source.joinpath(*parts[start:])).is_file():
            return path
    elsewhere = sorted(path for path in source.rglob(unit) if _UNIT.fullmatch(path.relative_to(source).as_posix()))
    if len(elsewhere) > 1:
        raise PatchError(f"{unit} is more than once in {source}: {elsewhere[0]}, {elsewhere[1]}; name a deeper folder")
    return elsewhere[0] if elsewhere else None


def _applied(
    patches: Sequence[Patch], before: Mapping[str, bytes], names: Sequence[str], title: str
) -> Mapping[str, bytes]:
    """Return what is in the files of these names after all patches."""
    shadows = cache.make(cache.cache_folder() / "shadows")
    try:
        with tempfile.TemporaryDirectory(dir=shadows) as temporary:
            tree = Path(temporary)
            for name, content in before.items():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / name).write_bytes(content)
            for each in patches:
                applying.apply(each, tree, names, title)
            return {name: (tree / name).read_bytes() for name in names if (tree / name).is_file()}
    except OSError as error:
        raise cache.unwritable(shadows, error) from error


def _is_documentation(before: bytes, after: bytes) -> bool:
    return same_but_for_comments_java(before.decode(errors="replace"), after.decode(errors="replace"))
