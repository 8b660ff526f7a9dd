"""The rooms stay rooms."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HARNESS = ROOT / "harness"

LIBRARIES = {"ranx", "lenskit", "pykeen", "lucene", "trec", "numba", "torch"}
METRICS = {"rbp", "ndcg", "precision", "recall", "persistence", "grade"}


def words(text: str) -> set[str]:
    return {"".join(filter(str.isalnum, word)).lower() for word in text.replace("_", " ").replace("-", " ").split()}


@pytest.mark.parametrize("path", sorted(HARNESS.rglob("*.py")), ids=lambda path: path.name)
def test_the_harness_names_no_metric_and_no_library(path: Path) -> None:
    assert words(path.read_text()) & (LIBRARIES | METRICS) == set()


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name.split(".")[0] for name in names}


STANDARD = set(sys.stdlib_module_names)


def test_the_worker_needs_the_standard_library_alone_and_reads_on_python_3_8() -> None:
    worker = HARNESS / "worker.py"
    assert imported(worker) <= STANDARD
    ast.parse(worker.read_text(), feature_version=(3, 8))


@pytest.mark.parametrize("path", sorted((ROOT / "reference").rglob("*.py")), ids=lambda path: path.name)
def test_the_reference_imports_nothing_but_itself_and_numbers(path: Path) -> None:
    assert imported(path) <= STANDARD | {"reference", "numpy", "scipy"}


ADAPTERS = sorted((ROOT / "cases").rglob("adapter.py"))

EQUIVALENT = ROOT / "cases" / "lucene" / "equivalent"
"""The one subject that is ours."""


@pytest.mark.parametrize("path", ADAPTERS, ids=lambda path: path.parent.name)
def test_an_adapter_imports_its_library_and_arrays_alone(path: Path) -> None:
    if path.parent == EQUIVALENT:
        assert all(f"{name}.".startswith("cases.lucene.equivalent.") for name in names(path))
        return
    assert imported(path) <= STANDARD | {path.parent.name, "numpy", "numba"}
    ast.parse(path.read_text(), feature_version=(3, 8))


@pytest.mark.parametrize("path", sorted(EQUIVALENT.glob("*.py")), ids=lambda path: path.name)
def test_the_equivalent_of_a_library_needs_nothing_but_itself(path: Path) -> None:
    assert imported(path) <= STANDARD | {"cases"}
    assert {name for name in names(path) if name.startswith("cases")} <= {
        name for name in names(path) if name.startswith("cases.lucene.equivalent")
    } | {"cases.lucene"}


def names(path: Path) -> set[str]:
    """Return every name that an import in a file mentions, whole."""
    tree = ast.parse(path.read_text())
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module or ""}
    return found


def test_adapters_are_imported_by_nobody() -> None:
    for room in ("harness", "reference", "cases"):
        for path in (ROOT / room).rglob("*.py"):
            assert not [name for name in names(path) if name.split(".")[-1] == "adapter"]
