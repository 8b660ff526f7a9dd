"""Run a test that is written as Lucene's own are: with Lucene's test framework where it is found, else a stand-in.

It is a program of its own: ``junit.py JAVA JAVAC CLASS-PATH BENCHMARK-JAR TEST``. The framework is looked for beside
the benchmark jar, and what it needs (JUnit, Hamcrest and the runner of randomized tests) there or where Debian installs
jars. A test is written for Lucene's main branch; before 9.1 the framework was in another package, and a copy that
imports from there is run. The status is 0 if the test passes, 1 if an assertion of it fails, and 2 if it cannot be run.
"""

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

TEST_CASE, FORMER_TEST_CASE = "org.apache.lucene.tests.util.LuceneTestCase", "org.apache.lucene.util.LuceneTestCase"
"""The base class of Lucene's tests since 9.1, and before."""

STAND_IN = Path(__file__).with_name("stand_in").joinpath(*TEST_CASE.split(".")).with_suffix(".java")
DEBIAN = Path("/usr/share/java")

PARTS = ("test-framework", "codecs", "core")
"""What the framework consists of, and needs of Lucene."""

OTHERS = ("junit*4*.jar", "hamcrest*.jar", "randomizedtesting-runner*.jar")
"""What it needs beside that; where JUnit holds Hamcrest, another one does no harm."""

PASSES, FAILS, CANNOT_RUN = 0, 1, 2

THROWN = re.compile(r"^\d+\) .*\n([\w.$]+)", re.MULTILINE)
"""How JUnit prints a failure: its number and test, and in the next line what was thrown."""


def main(java: str, javac: str, class_path: str, jar: str, test: str) -> int:
    """Compile a test, run it, print what it printed, and return the status."""
    found = framework(Path(jar))
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join([folder, class_path, *map(str, found)])
        sources = [_adapted(Path(test), found, Path(folder))] if found else [test, str(STAND_IN)]
        compiled = subprocess.run([javac, "-proc:none", "-d", folder, "-cp", path, *sources], check=False)
        if compiled.returncode:
            return CANNOT_RUN
        runner = "org.junit.runner.JUnitCore" if found else TEST_CASE
        options = ["-ea", "-Duser.language=en", "-Duser.country=US", f"-Djava.io.tmpdir={folder}", "-cp", path]
        command = [java, *options, runner, class_of(Path(test))]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True, errors="replace")
    sys.stdout.write(done.stdout)
    thrown = set(THROWN.findall(done.stdout))
    if found and done.returncode and thrown != {"java.lang.AssertionError"}:
        return CANNOT_RUN
    return done.returncode if done.returncode in (PASSES, FAILS) else CANNOT_RUN


def framework(jar: Path) -> list[Path]:
    """Return the jars of Lucene's test framework and of what it needs; none unless all are there."""
    parts = [jar.with_name(jar.name.replace("benchmark", part)) for part in PARTS]
    others = [next(_matching(pattern, (jar.parent, DEBIAN)), None) for pattern in OTHERS]
    found = [path for path in (*parts, *others) if path is not None and path.is_file()]
    return found if len(found) == len(PARTS) + len(OTHERS) else []


def note(jar: Path) -> str:
    """Return what is said of how a test is run with this jar, in a sentence."""
    found = framework(jar)
    if not found:
        return (
            "It was run with a stand-in for `LuceneTestCase`, which has no randomization, since Lucene's own test "
            "framework was not at hand."
        )
    adapted = "" if _has_moved(found) else f", and imported `{FORMER_TEST_CASE}`, as it was called before 9.1"
    return f"It was run by JUnit with Lucene's own test framework, `{found[0].name}`{adapted}."


def _has_moved(found: list[Path]) -> bool:
    """Return whether the framework is in the package of today."""
    with zipfile.ZipFile(found[0]) as archive:
        return TEST_CASE.replace(".", "/") + ".class" in archive.namelist()


def _adapted(test: Path, found: list[Path], folder: Path) -> str:
    """Return the path of the test, or of a copy that imports from where the framework is."""
    if _has_moved(found):
        return str(test)
    copy = folder / test.name
    copy.write_text(test.read_text(encoding="utf-8").replace(TEST_CASE, FORMER_TEST_CASE), encoding="utf-8")
    return str(copy)


def _matching(pattern: str, folders: tuple[Path, ...]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(folder.glob(pattern))


def class_of(test: Path) -> str:
    """Return the name of the class in a source file, by its package and its file name."""
    package = re.search(r"^package ([\w.]+);", test.read_text(encoding="utf-8"), re.MULTILINE)
    return f"{package[1]}.{test.stem}" if package else test.stem


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
