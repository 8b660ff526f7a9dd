"""What a program that calls Lucene is given as its class path: patched classes, if there are any, then the jars."""

import os
from pathlib import Path

from cases.lucene.real import jars
from harness.installation import Installation

JARS, JAVA, JAVAC = "RANKDIFF_LUCENE_CLASSPATH", "RANKDIFF_LUCENE_JAVA", "RANKDIFF_LUCENE_JAVAC"
"""Where the adapter is told of the jars, the benchmark's first, and of the programs that run and compile."""


def benchmark_jar(installation: Installation) -> str:
    """Return the path of the benchmark jar."""
    return installation.environment[JARS].split(os.pathsep)[0]


def with_patched(classes: Path, installation: Installation) -> str:
    """Return what scripts take for the jar: a folder of patched classes, and the benchmark jar after it."""
    return os.pathsep.join([str(classes), benchmark_jar(installation)])


def class_path(installation: Installation) -> str:
    """Return the folders of patched classes, then all jars."""
    told = installation.environment.get(jars.JAR, "").split(os.pathsep)
    patched = [path for path in told if path and Path(path).is_dir()]
    return os.pathsep.join([*patched, installation.environment[JARS]])


def command(installation: Installation, *arguments: str) -> list[str]:
    """Return the command that runs Java with that class path, in a locale in which every release can log."""
    java = installation.environment[JAVA]
    return [java, "-Duser.language=en", "-Duser.country=US", "-cp", class_path(installation), *arguments]
