"""Cases are found through entry points."""

import re
from importlib import metadata
from pathlib import Path

import pytest

import miniature
from harness import registry
from harness.errors import BrokenCasesError, UnknownCaseError


def offer(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    point = metadata.EntryPoint("other", value, registry.GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point] if group == registry.GROUP else [])


def test_another_project_can_offer_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "cases.ranx.library:LIBRARY")
    assert [library.name for library in registry.libraries()] == ["ranx"]


@pytest.mark.parametrize("value", ["no.such.module:LIBRARY", "cases.ranx.library:NOTHING"])
def test_an_entry_point_that_does_not_load_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    offer(monkeypatch, value)
    with pytest.raises(BrokenCasesError, match=re.escape(f"other = {value} of rankdiff.cases does not load")):
        registry.libraries()


def test_an_entry_point_that_is_no_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "pathlib:Path")
    with pytest.raises(BrokenCasesError, match=r"should be a harness\.library\.Library, not a type"):
        registry.libraries()


def test_names_select_libraries_and_cases(tmp_path: Path) -> None:
    library = miniature.library(tmp_path, miniature.case("right"), miniature.case("tripled"))
    assert registry.select([], [library]) == [(library, library.cases)]
    assert registry.select(["mini"], [library]) == [(library, library.cases)]
    assert registry.select(["mini/tripled"], [library]) == [(library, library.cases[1:])]


def test_a_name_unlike_any_is_refused(tmp_path: Path) -> None:
    library = miniature.library(tmp_path, miniature.case("right"))
    with pytest.raises(UnknownCaseError, match=r"there is nothing of a like name\. `rankdiff cases` lists them all"):
        registry.select(["zzzzzz"], [library])
