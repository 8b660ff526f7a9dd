"""A regression test in the style of Lucene's own: a class of LuceneTestCase, run by JUnit or by our stand-in."""

from pathlib import Path

from cases.lucene.real import junit
from cases.lucene.real.class_path import JAVA, JAVAC, benchmark_jar, class_path
from harness.account import RegressionTest
from harness.installation import Installation


def test(package: str, simple: str, source: str) -> RegressionTest:
    """Return a test that is a class of this package and simple name."""
    folder = package.replace(".", "/")
    return RegressionTest(
        place=f"lucene/benchmark/src/test/{folder}/{simple}.java",
        source=source,
        name=f"{simple}.java",
        shown=f"./gradlew :lucene:benchmark:test --tests {package}.{simple}",
        command=_run,
    )


def _run(installation: Installation, path: Path) -> list[str]:
    java, javac = installation.environment[JAVA], installation.environment[JAVAC]
    jar = benchmark_jar(installation)
    return [installation.python, "-I", str(Path(junit.__file__)), java, javac, class_path(installation), jar, str(path)]
