"""Run a test that is written as Lucene's own are: with Lucene's test framework where it is found, else a stand-in.

It is a program of its own: ``junit.py JAVA JAVAC CLASS-PATH BENCHMARK-JAR TEST``. The framework is looked for beside
the benchmark jar, and what it needs (JUnit, Hamcrest and the runner of randomized tests) there or where Debian installs
jars. The status is 0 if the test passes, 1 if an assertion of it fails, and 2 if it cannot be run.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

STAND_IN = Path(__file__).with_name("stand_in") / "org" / "apache" / "lucene" / "util" / "LuceneTestCase.java"
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
        sources = [test] if found else [test, str(STAND_IN)]
        compiled = subprocess.run([javac, "-proc:none", "-d", folder, "-cp", path, *sources], check=False)
        if compiled.returncode:
            return CANNOT_RUN
        runner = "org.junit.runner.JUnitCore" if found else "org.apache.lucene.util.LuceneTestCase"
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


def _matching(pattern: str, folders: tuple[Path, ...]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(folder.glob(pattern))


def class_of(test: Path) -> str:
    """Return the name of the class in a source file, by its package and its file name."""
    package = re.search(r"^package ([\w.]+);", test.read_text(encoding="utf-8"), re.MULTILINE)
    return f"{package[1]}.{test.stem}" if package else test.stem


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
