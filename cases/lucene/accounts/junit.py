"""A regression test in the style of Lucene's own: a class of LuceneTestCase, run by JUnit or by our stand-in."""

import functools
from collections.abc import Sequence
from pathlib import Path

from cases.lucene.real import jars, junit
from cases.lucene.real.class_path import JAVA, JAVAC, benchmark_jar, class_path
from harness.account import RegressionTest
from harness.cache import cache_folder
from harness.errors import RankdiffError
from harness.installation import Installation

LICENCE = """\
/*
 * Licensed to the Apache Software Foundation (ASF) under one or more
 * contributor license agreements.  See the NOTICE file distributed with
 * this work for additional information regarding copyright ownership.
 * The ASF licenses this file to You under the Apache License, Version 2.0
 * (the "License"); you may not use this file except in compliance with
 * the License.  You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
"""
"""What every file of Lucene begins with; its build checks that."""

COLUMNS = 100
"""How long a line may be, as google-java-format writes it."""


def test(package: str, simple: str, source: str) -> RegressionTest:
    """Return a test that is a class of this package and simple name, for Lucene's main branch."""
    place = f"lucene/benchmark/src/test/{package.replace('.', '/')}/{simple}.java"
    return RegressionTest(
        place=place,
        source=LICENCE + source,
        name=f"{simple}.java",
        shown=f"./gradlew :lucene:benchmark:test --tests {package}.{simple} # in a checkout of Lucene's main branch",
        command=_run,
        note=_note(),
    )


def call(before: str, arguments: Sequence[str], after: str) -> str:
    """Return a call on one line, or with its arguments on the next one, or with each on its own."""
    indent = " " * (len(before) - len(before.lstrip()) + 4)
    together = ", ".join(arguments)
    for lines in (f"{before}{together}{after}", f"{before}\n{indent}{together}{after}"):
        if all(len(line) <= COLUMNS for line in lines.splitlines()):
            return lines
    return f"{before}\n" + ",\n".join(indent + one for one in arguments) + after


@functools.cache
def _note() -> str:
    """Return what the runner finds beside the newest jar."""
    try:
        return junit.note(jars.find_releases(cache=cache_folder() / jars.IN_CACHE)[-1].jar)
    except RankdiffError:  # without a jar nothing is run
        return ""


def _run(installation: Installation, path: Path) -> list[str]:
    java, javac = installation.environment[JAVA], installation.environment[JAVAC]
    jar = benchmark_jar(installation)
    return [installation.python, "-I", str(Path(junit.__file__)), java, javac, class_path(installation), jar, str(path)]
