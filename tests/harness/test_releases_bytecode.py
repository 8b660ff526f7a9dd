"""The bytecode of dependencies is lent from one release to the next; that of the library or other sources is not."""

from dataclasses import replace
from pathlib import Path

import environments
import releases
from harness.progress import Progress
from harness.releases.filling import fill
from harness.releases.matrix import question
from harness.releases.running import How

USES_HELPER = "import helper\n\n\n" + releases.RIGHT


def helper(folder: Path, version: str, source: str) -> None:
    environments.wheel(folder, "helper", version, source=source)


def links(cache: Path, package: str) -> list[int]:
    """Return how many names each bytecode file of a package has."""
    return sorted(path.stat().st_nlink for path in cache.glob(f"compiled/**/{package}/__init__.*.pyc"))


def run(folder: Path) -> None:
    library = releases.library(folder)
    found = fill(replace(question(library, library.cases, None), how=How(jobs=1)), Progress(bars=False))
    assert {outcome.verdict for outcome in found.cells.values()} == {"agrees"}


def test_bytecode_of_the_same_dependency_is_lent(wheels: Path, tmp_path: Path, own_cache: Path) -> None:
    helper(wheels, "1.0", "ONE = 1\n")
    for version in ("0.3", "0.4"):
        releases.release(wheels, version, USES_HELPER, requires="helper")
    run(tmp_path)
    assert links(own_cache, "helper") == [2, 2]


def test_bytecode_of_the_library_is_not_lent(wheels: Path, tmp_path: Path, own_cache: Path) -> None:
    helper(wheels, "1.0", "ONE = 1\n")
    for version in ("0.3", "0.4"):
        releases.release(wheels, version, USES_HELPER, requires="helper")
    run(tmp_path)
    assert links(own_cache, "doubler") == [1, 1]


def test_bytecode_of_another_release_of_a_dependency_is_not_lent(wheels: Path, tmp_path: Path, own_cache: Path) -> None:
    helper(wheels, "1.0", "ONE = 1\n")
    helper(wheels, "2.0", "ONE = 2\n")
    releases.release(wheels, "0.3", USES_HELPER, requires="helper==1.0")
    releases.release(
        wheels,
        "0.4",
        USES_HELPER.replace("import helper", "import helper\nassert helper.ONE == 2"),
        requires="helper==2.0",
    )
    run(tmp_path)
    assert links(own_cache, "helper") == [1, 1]
