"""A proposed change of Lucene, put before its jar.

The jars hold no sources. So a class is replaced by a whole Java file: one that is given, or one that a diff makes of
upstream's. The adapter compiles it in front of the jar, and refuses a JVM that has one of its classes from elsewhere.
Reproduction scripts are told where the compiled classes are, before the jar.
The other classes stay as they were compiled: a constant that javac copied into them keeps its value there.
"""

import contextlib
import hashlib
import os
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cases.lucene.real import class_path, jars, java_file, source_tree
from cases.lucene.real.java_file import JavaFile
from cases.lucene.real.source_tree import Patched
from harness import cache
from harness.errors import PatchError, UnusableError
from harness.installation import Installation
from harness.shadow.proposal import Proposal, Shadowed

ADAPTER = Path(__file__).with_name("adapter.py")

SHADOW, CLASSPATH, CLASSES = "RANKDIFF_LUCENE_SHADOW", class_path.JARS, "RANKDIFF_LUCENE_CLASSES"
"""What the adapter is told: where Java sources before the jar are, which jars, and where compiled classes are kept."""

HOW_TO_GET_SOURCES = (
    "give the source tree by --source: Debian's (`apt-get source lucene8`, with a deb-src line in apt's sources), "
    "the unpacked -sources.jar of Maven Central, or a checkout of apache/lucene-solr at releases/lucene-solr/8.8.1; "
    "or give the whole class by --java"
)


def shadow(title: str, installation: Installation, proposal: Proposal) -> Shadowed:
    """Put a proposal before Lucene's jar, compiled; nothing but the cache is written.

    Raises
    ------
    PatchError
        If it is not a change of classes in the jars that compiles.
    UnusableError
        If a jar cannot be read, or something stands before it already.
    CacheFolderError
        If the cache cannot be written.
    """
    if SHADOW in installation.environment:
        raise UnusableError(f"{title} has a shadow already, and takes no other; give all changes at once")
    classes = _classes(installation)
    given = [_of_the_jars(java_file.read(path), classes) for path in proposal.replacements]
    patched = _patched(title, proposal, classes)
    files = (*given, *patched.files)
    _require_one_of_each(files)
    content = _digest(files)
    sources, compiled = _placed(title, installation, files, content)
    return Shadowed(
        replace(
            installation,
            environment={
                **installation.environment,
                SHADOW: str(sources),
                jars.JAR: class_path.with_patched(compiled, installation),
            },
            content=hashlib.sha256(f"{installation.content} {content}".encode()).hexdigest(),
            patches=(*installation.patches, _label(proposal)),
            base=installation,
        ),
        changed=(*[file.unit for file in given], *[file.name for file in patched.files]),
        ignored=patched.ignored,
        is_documentation=not given and patched.is_documentation,
    )


def _classes(installation: Installation) -> frozenset[str]:
    """Return the names of all classes in the jars."""
    found: set[str] = set()
    for jar in installation.environment[CLASSPATH].split(os.pathsep):
        try:
            with zipfile.ZipFile(jar) as archive:
                found.update(name.removesuffix(".class") for name in archive.namelist() if name.endswith(".class"))
        except (OSError, zipfile.BadZipFile) as error:
            raise UnusableError(f"a jar was expected at {jar}, and cannot be read: {error}") from error
    return frozenset(found)


def _of_the_jars(file: JavaFile, classes: frozenset[str]) -> JavaFile:
    if file.binary_name in classes:
        return file
    simple = file.binary_name.rpartition("/")[2]
    alike = sorted(name.replace("/", ".") for name in classes if name.rpartition("/")[2] == simple)
    raise PatchError(
        f"{file.name} declares {file.binary_name.replace('/', '.')}, which is not in Lucene's jars here, so that it is "
        f"against another library or release; a class of the jars was expected"
        + (f", such as {' or '.join(alike)}" if alike else "")
    )


def _patched(title: str, proposal: Proposal, classes: frozenset[str]) -> Patched:
    if not proposal.patches and not proposal.replacements:
        raise PatchError("a diff or a Java file was expected, and nothing is proposed")
    if not proposal.patches:
        if proposal.source is not None:
            raise PatchError(f"{proposal.source} is a source tree, and no diff that applies to it is given; give one")
        return Patched()
    if proposal.source is None:
        raise PatchError(
            f"{proposal.patches[0]} is a diff, and {title} has no sources that it could apply to; {HOW_TO_GET_SOURCES}"
        )
    return source_tree.patched(title, proposal.patches, proposal.source, classes)


def _require_one_of_each(files: Sequence[JavaFile]) -> None:
    seen: dict[str, str] = {}
    for file in files:
        if file.unit in seen:
            raise PatchError(f"{seen[file.unit]} and {file.name} are the same class, {file.binary_name}; give one")
        seen[file.unit] = file.name


def _digest(files: Sequence[JavaFile]) -> str:
    """Return a hash of the units and what is in them."""
    digest = hashlib.sha256()
    for unit, content in sorted((file.unit, file.content) for file in files):
        digest.update(f"{unit}\0{hashlib.sha256(content).hexdigest()}\0".encode())
    return digest.hexdigest()


def _label(proposal: Proposal) -> str:
    """Return a short hash of what was proposed, as it was given."""
    given = b"".join(path.read_bytes() for path in (*proposal.patches, *proposal.replacements))
    return hashlib.sha256(given).hexdigest()[:8]


def _placed(title: str, installation: Installation, files: Sequence[JavaFile], content: str) -> tuple[Path, Path]:
    """Return the folder in the cache that holds these files, and no others, and that of what they compile to."""
    shadows = cache.make(cache.cache_folder() / "shadows")
    cache.make(Path(installation.environment[CLASSES]))
    wanted = {file.unit: file.content for file in files}
    folder = shadows / content[:16]
    try:
        with tempfile.TemporaryDirectory(dir=shadows) as temporary:
            fresh = Path(temporary) / "new"
            for unit, text in wanted.items():
                (fresh / unit).parent.mkdir(parents=True, exist_ok=True)
                (fresh / unit).write_bytes(text)
            compiled = _compile(title, installation, fresh, files)
            if _content(folder) != wanted:
                with contextlib.suppress(FileNotFoundError):
                    folder.rename(Path(temporary) / "edited")
                fresh.rename(folder)
    except OSError as error:
        if _content(folder) != wanted:  # else another run was faster
            raise cache.unwritable(folder, error) from error
        compiled = _compile(title, installation, folder, files)
    return folder, compiled


def _content(folder: Path) -> Mapping[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _compile(title: str, installation: Installation, sources: Path, files: Sequence[JavaFile]) -> Path:
    """Have the adapter compile the sources, as it will when it runs, and return the folder of the classes."""
    done = subprocess.run(
        [installation.python, "-I", str(ADAPTER)],
        env={**os.environ, **installation.environment, SHADOW: str(sources)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = " ".join(done.stderr.replace(f"{sources}/", "").split())
        raise PatchError(
            f"{title} with the proposal was expected to compile: {''.join(filter(str.isprintable, said))[-1000:]}"
        )
    classes = Path(done.stdout.removesuffix("\n"))
    for file in files:
        if not file.unit.endswith("-info.java") and not (classes / f"{file.binary_name}.class").is_file():
            raise PatchError(f"{file.name} should declare the class {file.binary_name.replace('/', '.')}, and does not")
    return classes
