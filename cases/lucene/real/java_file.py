"""A Java file, and which class it declares, by its text alone."""

import re
from dataclasses import dataclass
from pathlib import Path

from harness.errors import PatchError

LARGEST = 4 << 20
"""Bytes of a file; the largest of Lucene's has a tenth of it."""

CLASS_FILE = b"\xca\xfe\xba\xbe"
"""How a compiled class starts (JVM specification, 4.1)."""

_NO_CODE = re.compile(
    r"""//[^\n\r]*|/\*.*?\*/|\"""(?:\\.|.)*?\"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)
_PACKAGE = re.compile(r"\s*package\s+([\w.]+)\s*;")
_TYPE = r"(?:class|interface|enum|record)\s+(\w+)"
_PUBLIC_TYPE = re.compile(rf"\bpublic\s+(?:(?:abstract|final|strictfp|sealed|non-sealed)\s+)*@?{_TYPE}")
_ANY_TYPE = re.compile(rf"\b{_TYPE}")


@dataclass(frozen=True, slots=True)
class JavaFile:
    """A Java source file.

    Attributes
    ----------
    name
        What messages call it: a path, or its name in upstream's tree.
    unit
        Where it belongs below a source root, such as ``org/apache/lucene/index/Term.java``.
    content
        What is in it: valid UTF-8.
    """

    name: str
    unit: str
    content: bytes

    @property
    def binary_name(self) -> str:
        """The class, as jars name it, without its suffix: ``org/apache/lucene/index/Term``."""
        return self.unit.removesuffix(".java")

    @property
    def text(self) -> str:
        """Its text."""
        return self.content.decode()


def read(path: Path) -> JavaFile:
    """Return a Java file and the unit that it declares; the file may have any name.

    Raises
    ------
    PatchError
        If it is no text file in UTF-8, or declares no class.
    """
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            raise PatchError(f"a Java file of at most {LARGEST:,} bytes was expected at {path}, and none is there")
        content = path.read_bytes()
    except OSError as error:
        raise PatchError(f"a Java file was expected at {path}, and cannot be read: {error.strerror}") from error
    return of_content(str(path), content)


def of_content(name: str, content: bytes) -> JavaFile:
    """Return a Java file with this content, and the unit that it declares.

    Raises
    ------
    PatchError
        If it is no text in UTF-8, or declares no class.
    """
    code = _code(name, content)
    if declared := _PUBLIC_TYPE.search(code) or _ANY_TYPE.search(code):
        return JavaFile(name, f"{_folder(code)}{declared[1]}.java", content)
    raise PatchError(f"a Java file that declares a class was expected as {name}, and none is declared in it")


def of_unit(name: str, unit: str, content: bytes) -> JavaFile:
    """Return a Java file with this content, which belongs where this unit is.

    Raises
    ------
    PatchError
        If it is no text in UTF-8, or declares another package than that of the unit.
    """
    folder = _folder(_code(name, content))
    if not unit.startswith(folder) or "/" in unit.removeprefix(folder):
        declared = folder.replace("/", ".")[:-1] or "none"
        raise PatchError(f"{name} should declare the package of its folder, and declares {declared}")
    return JavaFile(name, unit, content)


def _code(name: str, content: bytes) -> str:
    """Return Java source without comments and literals."""
    if content.startswith(CLASS_FILE):
        raise PatchError(f"Java source was expected in {name}, not a compiled class; give the .java file")
    try:
        return _NO_CODE.sub(" ", content.decode())
    except UnicodeDecodeError as error:
        raise PatchError(f"{name} is not UTF-8 ({error.reason} at byte {error.start}); save it in UTF-8") from error


def _folder(code: str) -> str:
    """Return the folder of the package that is declared, with a slash at its end; empty if none is."""
    package = _PACKAGE.match(code)
    return f"{package[1].replace('.', '/')}/" if package else ""
