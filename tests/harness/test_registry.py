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


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import json\nfrom json import nosuch\n", 2),
        ("import json\n\n\ndef load():\n    return json.loads('[')\n\n\nload()\n", 5),  # not where json raised it
        ("import json\nimport (\n", 2),
    ],
)
def test_of_a_project_that_fails_the_line_is_named_that_its_author_has_to_mend(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, line: int
) -> None:
    path = tmp_path / "failing_cases.py"
    path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    offer(monkeypatch, "failing_cases:LIBRARY")
    with pytest.raises(BrokenCasesError) as caught:
        registry.libraries()
    assert str(caught.value).endswith(f", in {path}, line {line}); mend it, or remove the project")


def test_a_project_that_is_not_there_is_to_be_installed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "no.such.module:LIBRARY")
    with pytest.raises(BrokenCasesError, match="; reinstall or remove the project that offers it"):
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


def test_all_names_that_are_unknown_are_told(tmp_path: Path) -> None:
    library = miniature.library(tmp_path, miniature.case("right"))
    with pytest.raises(UnknownCaseError, match=r"not 'minni' or 'zzzzzz'; did you mean mini or mini/right\?"):
        registry.select(["minni", "mini", "zzzzzz"], [library])
