"""What is kept of releases: which results are taken again, which of several is shown, and what is never kept."""

from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import NoReturn

import pytest
from packaging.version import Version

import by_hand
import miniature
import releases
from harness.environments import contents
from harness.errors import UnreachableError, WorkerSlowToStartError
from harness.execute import Executor
from harness.library import Library
from harness.progress import Progress
from harness.releases import filling, index, kept, running
from harness.releases.code import code
from harness.releases.kept import Basis, Source
from harness.releases.matrix import question
from harness.releases.outcome import Outcome

MODE = miniature.mode()
CASE = "mini/double"
RELEASE = Version("0.3")
MORNING, EVENING = "2026-11-02T06:00:00Z", "2026-11-02T18:00:00Z"
THERE = Source("abc", "what was there")


def keep(at: str, *, code: str = "code", wanted: str = "abc", source: Source = THERE) -> Outcome:
    """Keep a result of a moment, and return it."""
    outcome = Outcome(CASE, MODE.name, "run", kept=at)
    kept.write(MODE, RELEASE, outcome, Basis(code, wanted), source)
    return outcome


def recalled(fingerprint: Callable[[str], str]) -> Outcome | None:
    return kept.read(MODE, RELEASE, CASE, Basis("code", "abc"), fingerprint)


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("latest", ["abc", "xyz"])
def test_of_the_results_of_several_environments_the_latest_is_shown(latest: str) -> None:
    kept_of = {wanted: keep(EVENING if wanted == latest else MORNING, wanted=wanted) for wanted in ("abc", "xyz")}
    assert kept.all_of(MODE, "code") == {(RELEASE, CASE): kept_of[latest]}


@pytest.mark.usefixtures("own_cache")
def test_a_later_try_that_could_not_be_installed_hides_no_result() -> None:
    ran = keep(MORNING, wanted="abc")
    keep(EVENING, wanted="xyz", source=Source())
    assert kept.all_of(MODE, "code") == {(RELEASE, CASE): ran}


@pytest.mark.usefixtures("own_cache")
def test_a_damaged_record_is_none(own_cache: Path) -> None:
    keep(MORNING)
    [path] = own_cache.glob("releases/**/*.json")
    path.write_text("[" * 100_000)
    assert kept.all_of(MODE, "code") == {}


@pytest.mark.usefixtures("own_cache")
def test_results_of_other_code_are_not_shown() -> None:
    ours = keep(MORNING, wanted="abc")
    keep(EVENING, code="other", wanted="xyz")
    assert kept.all_of(MODE, "code") == {(RELEASE, CASE): ours}
    assert kept.all_of(MODE, "neither") == {}


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize(("at", "is_taken"), [("2026-11-02T00:00:00Z", True), ("2026-11-01T23:59:59Z", False)])
def test_what_could_not_be_installed_is_kept_for_a_day(
    monkeypatch: pytest.MonkeyPatch,
    at: str,
    is_taken: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(kept, "now", lambda: EVENING)
    outcome = keep(at, source=Source())
    assert recalled(lambda _: "") == (outcome if is_taken else None)


def test_what_is_kept_stays_where_its_environment_was_removed(own_cache: Path) -> None:
    outcome = keep(MORNING)
    assert recalled(lambda name: contents.fingerprint(own_cache / "environments" / name)) == outcome
    assert recalled(lambda _: "something else") is None


def test_a_disturbed_run_is_an_obstacle_and_what_it_said_from_then_on_is_not_kept(
    mini: Callable[..., Library], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mode = miniature.mode(is_distribution=True)
    library = mini(miniature.case("right"), miniature.case("ends_once"), modes=[mode])
    [installed] = mode.find()
    monkeypatch.setattr(filling, "sing", lambda _: by_hand.SONGS)
    monkeypatch.setattr(index, "releases", lambda *_, **__: [Version(installed.version)])
    monkeypatch.setattr(running, "obtain", lambda *_: installed)
    monkeypatch.setenv("RANKDIFF_TEST_ONCE", str(tmp_path / "once"))
    of = filling.fill(question(library, library.cases, None), Progress(bars=False))
    [obstacle] = of.obstacles
    assert "ran clean in a fresh one" in obstacle
    assert {case for _, case in of.cells} == {"mini/right", "mini/ends-once"}
    assert {case for _, case in kept.all_of(mode, code(library))} == {"mini/right"}


@pytest.mark.parametrize("start", [True, False])
def test_what_says_nothing_about_a_release_is_an_obstacle_and_not_kept(
    mini: Callable[..., Library],
    monkeypatch: pytest.MonkeyPatch,
    start: bool,  # noqa: FBT001
) -> None:
    mode = miniature.mode(is_distribution=True)
    library = mini(miniature.case("right"), modes=[mode])
    [installed] = mode.find()

    def fail(*_: object) -> NoReturn:
        raise WorkerSlowToStartError("no answer") if start else UnreachableError("a server said 503")

    monkeypatch.setattr(filling, "sing", lambda _: by_hand.SONGS)
    monkeypatch.setattr(index, "releases", lambda *_, **__: [Version(installed.version)])
    monkeypatch.setattr(running, "obtain", (lambda *_: installed) if start else fail)
    if start:
        monkeypatch.setattr(Executor, "start", fail)
    of = filling.fill(question(library, library.cases, None), Progress(bars=False))
    assert of.obstacles == (("no answer",) if start else ("a server said 503",))
    assert [one.status for one in of.cells.values()] == ["cannot_run"]
    assert kept.all_of(mode, code(library)) == {}


def test_the_code_of_a_case_is_that_of_the_versions_of_what_it_imports_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = releases.library(tmp_path)
    before = code(library)
    version = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: f"{version(name)}.1")
    assert code(library) != before
