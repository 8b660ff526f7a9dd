"""The project that ``docs/cases-of-others.md`` shows: its files are taken from the page, installed, and run."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import layered
import toyrank
from toyrank import FILES, LEDGER


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toyrank.installed(tmp_path_factory.mktemp("toyrank"))


def check(python: Path, folder: Path) -> tuple[int, dict[str, Any]]:
    """Return the status of a check of it, and its report."""
    done = subprocess.run(
        [python.with_name("rankdiff"), "check", "toyrank", "--json"],
        cwd=folder,
        env={**os.environ, "RANKDIFF_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


def test_the_whole_project_is_shorter_than_sixty_lines() -> None:
    last = dict(FILES)
    lines = [line for text in last.values() for line in text.splitlines() if line.strip()]
    assert sorted(last) == ["pyproject.toml", "toyrank_cases/__init__.py", "toyrank_cases/adapter.py", LEDGER]
    assert len(lines) < 60


def test_its_check_finds_the_divergence_that_the_page_names(python: Path, tmp_path: Path) -> None:
    status, report = check(python, tmp_path)
    [certificate] = report["certificates"]
    smallest = certificate["smallest"]
    assert status == 1
    assert (certificate["inputs"], certificate["verdicts"]["differs"]) == (42, 5)
    assert certificate["causes"] == {"a short list is its own k": 5}
    assert smallest["input"] == {"relevant": [1], "k": 2}
    assert (smallest["expected"]["shown"], smallest["observed"]["shown"]) == ("1/2", "1")


def test_its_finding_is_confirmed_in_a_fresh_process(python: Path, tmp_path: Path) -> None:
    _, report = check(python, tmp_path)
    assert [finding["confirmed"] for finding in report["findings"]] == [True]


def test_with_the_entry_of_the_page_its_check_is_as_the_ledger_says(python: Path, tmp_path: Path) -> None:
    installed = layered.packages(python) / LEDGER
    before = installed.read_text()
    installed.write_text(dict(FILES)[LEDGER])
    try:
        status, report = check(python, tmp_path)
    finally:
        installed.write_text(before)
    assert (status, report["ledger"]["problems"]) == (0, [])
