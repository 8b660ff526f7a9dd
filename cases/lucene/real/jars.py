"""Where Java and Lucene's benchmark jars are, and what they are, without starting a JVM.

The folders of Debian are known, since Debian still ships three releases; a jar from elsewhere is named by
``RANKDIFF_LUCENE_JAR``. A file's name may lie about its release: its manifest is asked.
"""

import hashlib
import os
import re
import shutil
import subprocess
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version

from harness.errors import NotInstalledError, UnusableError

JAVA, HOME, JAR = "RANKDIFF_JAVA", "JAVA_HOME", "RANKDIFF_LUCENE_JAR"
"""The environment variables that name a java binary or its home, that home, and jars."""

DEBIAN = Path("/usr/share/java")
"""Where Debian installs jars."""

IN_CACHE = "lucene"
"""The folder in the cache in which jars are looked for."""

NAMES = ("lucene-benchmark-*.jar", "lucene3-benchmark*.jar")
"""How Debian, and Maven, name the benchmark jar."""

JUDGE = "org/apache/lucene/benchmark/quality/trec/TrecJudge.class"
STATISTICS = "org/apache/lucene/benchmark/quality/QualityStats.class"

PARTS = ("core", "analyzers", "analyzers-common", "analysis-common", "queryparser", "queries")
"""The other jars of a release that its whole benchmark needs, by the names of all releases."""

HOW_TO_GET_A_JAR = (
    "on Debian and Ubuntu, install liblucene8-java; or, without installing it, run `apt-get download liblucene8-java` "
    f"and `dpkg -x` the package; then name its lucene-benchmark jar by {JAR}"
)


class NoJavaError(NotInstalledError):
    """No Java was found."""


class NoJavacError(NotInstalledError):
    """Java was found, and no compiler beside it."""


class NoJarError(NotInstalledError):
    """No benchmark jar was found."""


class NoSuchPathError(UnusableError):
    """A path that was named does not exist."""


class NotAJarError(UnusableError):
    """A file that was taken for a jar is none."""


class NoClassesError(UnusableError):
    """A jar without the classes that are tested."""


class JarTooNewError(UnusableError):
    """A jar that the Java at hand is too old for."""


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that can run and compile.

    Attributes
    ----------
    java, javac
        The two programs.
    version
        Such as ``17.0.15``.
    """

    java: Path
    javac: Path
    version: str

    @property
    def feature(self) -> int:
        """The number that Java is known by: 8 for ``1.8.0_392``, 17 for ``17.0.15``."""
        first, second = (*map(int, re.findall(r"\d+", self.version)[:2]), 0)[:2]
        return second if first == 1 else first


@dataclass(frozen=True, slots=True)
class Release:
    """A benchmark jar.

    Attributes
    ----------
    jar
        Its path, without symbolic links.
    sha256
        Its hash.
    version
        The release that its manifest says it is.
    implementation
        What the manifest says besides, such as who built it.
    class_major
        The version of the class-file format of ``TrecJudge``.
    siblings
        Jars of core, analyzers and queryparser of the same release, as far as they were found.
    """

    jar: Path
    sha256: str
    version: str
    implementation: str
    class_major: int
    siblings: tuple[Path, ...]

    @property
    def needs_java(self) -> int:
        """The oldest Java that runs it (JVM specification, 4.1: class files of version 52 came with Java 8)."""
        return self.class_major - 44


def find_java(environ: Mapping[str, str] = os.environ) -> Java:
    """Return the Java that ``RANKDIFF_JAVA``, else ``JAVA_HOME``, else ``PATH`` names.

    Raises
    ------
    NoSuchPathError
        If ``RANKDIFF_JAVA`` is set, and is neither a java binary nor a Java home.
    NoJavaError, NoJavacError
        If there is none, or none with a compiler.
    """
    search = environ.get("PATH", os.defpath)
    java = _named_java(environ) or _home_java(environ) or _which("java", search)
    if java is None:
        raise NoJavaError(
            f"a Java was expected by {JAVA}, by {HOME} or as java on the PATH, and there is none; "
            f"install a JDK (such as openjdk-17-jdk-headless) or set {JAVA} to the home of one"
        )
    beside = java.resolve().with_name("javac")
    javac = beside if _is_program(beside) else _which("javac", search)
    if javac is None:
        raise NoJavacError(
            f"javac was expected beside {java.resolve()} or on the PATH, and there is none; "
            f"install a JDK, not only a JRE, or set {JAVA} to the home of one"
        )
    return Java(java, javac, java_version(java))


def java_version(java: Path) -> str:
    """Return the version of a Java: from the ``release`` file of its home, or else by asking it.

    Raises
    ------
    NoJavaError
        If it does not say.
    """
    try:
        release = (java.resolve().parent.parent / "release").read_text("utf-8", "replace")
    except OSError:
        release = ""
    if found := re.search(r'^JAVA_VERSION="(\d[^"]*)"', release, re.MULTILINE):
        return found[1]
    try:
        done = subprocess.run(
            [java, "-version"], check=False, capture_output=True, text=True, errors="replace", timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoJavaError(f"a Java was expected at {java}, and it does not run: {error}") from error
    if found := re.search(r'version "(\d[^"]*)"', done.stderr + done.stdout):
        return found[1]
    raise NoJavaError(
        f"a version was expected of `{java} -version`, not {(done.stderr + done.stdout)[:200]!r}; "
        f"set {JAVA} to the home of a JDK"
    )


def find_releases(
    environ: Mapping[str, str] = os.environ, cache: Path | None = None, system: Path = DEBIAN
) -> tuple[Release, ...]:
    """Return the benchmark jars at hand, each content once, oldest release first.

    They are those that ``RANKDIFF_LUCENE_JAR`` names, separated as in a ``PATH``. Where it names none, they are
    those in the system's folder and, at any depth, in the cache folder.

    Raises
    ------
    NoJarError
        If there is none.
    NoSuchPathError, NotAJarError, NoClassesError
        If one that was named, or bears such a name, cannot be used.
    """
    named = [Path(part) for part in environ.get(JAR, "").split(os.pathsep) if part]
    for path in named:
        if not path.is_file():
            raise NoSuchPathError(f"{JAR} names {path}, where a file was expected and none is; {HOW_TO_GET_A_JAR}")
    in_cache = () if cache is None else (cache,)
    paths = named or [*_jars(system, NAMES), *(path for name in NAMES for path in _deep(in_cache, name))]
    releases: dict[str, Release] = {}
    for path in dict.fromkeys(path.resolve() for path in paths):
        release = read_release(path, in_cache)
        releases.setdefault(release.sha256, release)
    if not releases:
        where = " or ".join(str(folder) for folder in (system, *in_cache))
        raise NoJarError(f"a lucene-benchmark jar was expected in {where}, and there is none; {HOW_TO_GET_A_JAR}")
    return tuple(sorted(releases.values(), key=lambda release: (_order(release.version), release.sha256)))


def read_release(jar: Path, elsewhere: Iterable[Path] = ()) -> Release:
    """Return what a jar is. Its siblings are looked for beside it, then, at any depth, in folders elsewhere.

    Raises
    ------
    NotAJarError
        If it is no zip file.
    NoClassesError
        If the classes that are tested are not in it.
    """
    try:
        with zipfile.ZipFile(jar) as archive:
            inside = set(archive.namelist())
            absent = [name for name in (JUDGE, STATISTICS) if name not in inside]
            if absent:
                raise NoClassesError(
                    f"{absent[0]} was expected in {jar}, and is not there; name the lucene-benchmark jar by {JAR}, "
                    f"not another one of Lucene's"
                )
            head = archive.read(JUDGE)[:8]
            manifest = archive.read(MANIFEST).decode("utf-8", "replace") if MANIFEST in inside else ""
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, EOFError) as error:
        raise NotAJarError(f"a jar (a zip file) was expected at {jar}: {error}; {HOW_TO_GET_A_JAR}") from error
    if len(head) < 8 or head[:4] != b"\xca\xfe\xba\xbe":
        raise NotAJarError(f"a class file was expected as {JUDGE} in {jar}, not {head!r}; {HOW_TO_GET_A_JAR}")
    said = attributes(manifest)
    implementation = said.get("Implementation-Version", "")
    return Release(
        jar=jar,
        sha256=hashlib.sha256(jar.read_bytes()).hexdigest(),
        version=_version_in(said.get("Specification-Version", ""))
        or _version_in(implementation)
        or _version_in(jar.stem)
        or "unknown",
        implementation=implementation,
        class_major=int.from_bytes(head[6:8], "big"),
        siblings=tuple(_siblings(jar, elsewhere)),
    )


MANIFEST = "META-INF/MANIFEST.MF"


def attributes(manifest: str) -> dict[str, str]:
    """Return the main attributes of a manifest (JAR file specification: a line that begins with a blank goes on)."""
    text = re.sub(r"\r\n?", "\n", manifest).replace("\n ", "")
    main = text.partition("\n\n")[0]
    return dict(line.split(": ", 1) for line in main.split("\n") if ": " in line)


def require_runnable(release: Release, java: Java) -> None:
    """Raise JarTooNewError if a jar needs a newer Java than this."""
    if java.feature < release.needs_java:
        raise JarTooNewError(
            f"{release.jar.name} (Lucene {release.version}) needs Java {release.needs_java} or newer, and {java.java} "
            f"is Java {java.version}; install a newer JDK and set {JAVA} to its home"
        )


def adapter_environment(release: Release, java: Java, classes: Path, shadow: Path | None = None) -> dict[str, str]:
    """Return the variables by which the adapter is told what to call.

    Parameters
    ----------
    release, java
        What is called, and by what.
    classes
        The folder in which it keeps what it compiles.
    shadow
        A folder of Java sources that come before the jar.
    """
    variables = {
        "RANKDIFF_LUCENE_JAVA": str(java.java),
        "RANKDIFF_LUCENE_JAVAC": str(java.javac),
        "RANKDIFF_LUCENE_CLASSPATH": os.pathsep.join(map(str, (release.jar, *release.siblings))),
        "RANKDIFF_LUCENE_CLASSES": str(classes),
    }
    return variables if shadow is None else {**variables, "RANKDIFF_LUCENE_SHADOW": str(shadow)}


def _named_java(environ: Mapping[str, str]) -> Path | None:
    if not (named := environ.get(JAVA)):
        return None
    path = Path(named)
    for candidate in (path / "bin" / "java", path):
        if _is_program(candidate):
            return candidate
    raise NoSuchPathError(f"{JAVA} is {named}, where a java binary or a Java home was expected and none is")


def _home_java(environ: Mapping[str, str]) -> Path | None:
    home = environ.get(HOME)
    java = Path(home or ".") / "bin" / "java"
    return java if home and _is_program(java) else None


def _which(program: str, search: str) -> Path | None:
    found = shutil.which(program, path=search)
    return Path(found) if found else None


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _jars(folder: Path, names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        yield from (path for path in sorted(folder.glob(name)) if _is_binary_jar(path))


def _deep(folders: Iterable[Path], name: str) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in sorted(folder.rglob(name)) if _is_binary_jar(path))


def _is_binary_jar(path: Path) -> bool:
    """Return whether there is a file that holds classes, by its name: a dangling link is none."""
    return path.is_file() and not path.stem.endswith(("-sources", "-javadoc"))


def _siblings(jar: Path, elsewhere: Iterable[Path]) -> Iterator[Path]:
    if "benchmark" not in jar.name:
        return
    for part in PARTS:
        name = jar.name.replace("benchmark", part)
        candidates = (path.resolve() for path in (*_jars(jar.parent, [name]), *_deep(elsewhere, name)))
        if found := next(candidates, None):
            yield found


def _version_in(text: str) -> str | None:
    found = re.search(r"\d+(?:\.\d+)+", text)
    return found[0] if found else None


def _order(version: str) -> Version:
    try:
        return Version(version)
    except InvalidVersion:
        return Version("0")
