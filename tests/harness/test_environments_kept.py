"""The environments in the cache are listed with what they hold, and removed unless somebody needs them."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock

from environments import CHECKOUT, Stub, library, obtained
from harness import cli, registry
from harness.environments import using
from harness.environments.kept import Kept, Removed, chosen, environments, remove
from harness.environments.listing import lines, removed_lines
from harness.environments.making import MANIFEST
from harness.errors import UnknownEnvironmentError
from trees import lay_out

DAY = 86400.0


@pytest.fixture(autouse=True)
def not_held(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let go in the end of what a test obtained; a process does when it ends."""
    monkeypatch.setattr(using, "_HELD", {})
    yield
    let_go()


def let_go() -> None:
    for lock in using._HELD.values():
        os.close(lock)
    using._HELD.clear()


def made(spec: str = "doubler==1.0") -> Kept:
    """Make an environment that nobody uses."""
    obtained(spec, Stub())
    let_go()
    return next(one for one in environments() if one.requirement == spec)


def kept_named(name: str, requirement: str = "doubler==1.0", used: float = 0.0) -> Kept:
    return Kept(name, requirement, (), "1.0", "3.11.7", 10, 1, 0.0, used)


def test_an_environment_is_listed_with_what_was_installed(own_cache: Path) -> None:
    one = made()
    assert (own_cache / "environments" / one.name / MANIFEST).is_file()
    assert (one.requirement, one.version, one.python) == ("doubler==1.0", "1.0", sys.version.split()[0])


def test_a_checkout_is_listed_and_chosen_by_its_folder_wherever_it_was_named_from(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = lay_out(tmp_path / "tree", CHECKOUT)
    monkeypatch.chdir(folder)
    one = made("./")
    assert f"{one.name}  {folder} (1.0)  " in "\n".join(lines([one]))
    assert chosen(environments(), [str(folder)], None) == [one]
    assert own_cache.exists()


def test_its_size_is_that_of_all_files_and_its_own_that_of_files_with_no_other_name(own_cache: Path) -> None:
    folder = own_cache / "environments" / "abc"
    folder.mkdir(parents=True)
    before = environments()[0]
    (folder / "alone").write_bytes(b"x" * 8192)
    (folder / "shared").write_bytes(b"x" * 4096)
    (own_cache / "other").hardlink_to(folder / "shared")
    [after] = environments()
    assert (after.size - before.size, after.own - before.own) == (12288, 8192)


def test_the_one_last_used_comes_first(own_cache: Path) -> None:
    first, second = made("doubler==1.0"), made("doubler===1.0")
    folder = own_cache / "environments"
    os.utime(folder / f"{first.name}.use.lock", (2e9, 2e9))
    assert [one.name for one in environments()] == [first.name, second.name]


def test_what_was_not_made_to_its_end_is_listed_as_not_whole(own_cache: Path) -> None:
    (own_cache / "environments" / "abc").mkdir(parents=True)
    assert [(one.name, one.requirement) for one in environments()] == [("abc", "")]


def test_a_manifest_of_something_else_is_not_believed(own_cache: Path) -> None:
    folder = own_cache / "environments" / "abc"
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_text(json.dumps({"key": "def", "requirement": "doubler==1.0"}))
    assert [one.requirement for one in environments()] == [""]


def test_one_that_is_removed_is_gone_and_made_again_when_it_is_wanted(own_cache: Path) -> None:
    one = made()
    assert remove(one).reason == ""
    assert not (own_cache / "environments" / one.name).exists()
    assert made().name == one.name


def compiled(cache: Path, key: str, place: Path) -> Path:
    """Lay out the code that was compiled for a subject in a place."""
    folder = cache / "compiled" / key
    inner = folder / "pyc" / place.relative_to(place.anchor)
    inner.mkdir(parents=True)
    (inner / "module.cpython-311.pyc").write_bytes(b"x" * 4096)
    return folder


def test_what_was_compiled_for_it_goes_with_it_and_nothing_else(own_cache: Path) -> None:
    one = made()
    ours = compiled(own_cache, "abc", own_cache / "environments" / one.name)
    others = compiled(own_cache, "def", own_cache / "environments" / "other")
    assert remove(one).reason == ""
    assert not ours.exists()
    assert others.exists()


def test_its_size_is_that_of_what_was_compiled_for_it_too(own_cache: Path) -> None:
    one = made()
    compiled(own_cache, "abc", own_cache / "environments" / one.name)
    [after] = environments()
    assert after.own - one.own >= 4096


def test_one_that_is_being_made_stays(own_cache: Path) -> None:
    one = made()
    with FileLock(using.making(own_cache / "environments", one.name)):
        assert remove(one).reason == "it is being made"
    assert environments() == [one]


HOLDS = """
import sys
from pathlib import Path
from harness.environments import using
using.begin(Path(sys.argv[1]), sys.argv[2])
print("held", flush=True)
sys.stdin.read()
"""


def test_one_that_a_run_uses_stays_until_the_run_ends(own_cache: Path) -> None:
    one = made()
    arguments = [sys.executable, "-c", HOLDS, str(own_cache / "environments"), one.name]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdout
        assert run.stdout.readline() == b"held\n"
        assert remove(one).reason == "a run uses it"
        run.kill()
    assert remove(one).reason == ""


def test_one_that_several_runs_use_stays_until_the_last_has_ended(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = own_cache / "environments"
    (folder / "abc").mkdir(parents=True)
    [one] = environments()
    lock = fcntl.flock
    monkeypatch.setattr(fcntl, "flock", lambda file, how: lock(file, how | fcntl.LOCK_NB))  # none may have to wait
    runs: list[dict[Path, int]] = [{}, {}]
    for held in runs:
        monkeypatch.setattr(using, "_HELD", held)
        using.begin(folder, one.name)
    for held in runs:
        assert remove(one).reason == "a run uses it"
        monkeypatch.setattr(using, "_HELD", held)
        let_go()
    assert remove(one).reason == ""


def test_one_that_was_used_again_is_not_unused(own_cache: Path) -> None:
    folder = own_cache / "environments"
    (folder / "abc").mkdir(parents=True)
    lock = folder / "abc.use.lock"
    using.begin(folder, "abc")
    for path in (lock, folder / "abc"):
        os.utime(path, (1e9, 1e9))
    assert [one.name for one in chosen(environments(), [], 1)] == ["abc"]
    using.begin(folder, "abc")
    assert chosen(environments(), [], 1) == []


def test_one_that_was_obtained_is_held_by_who_obtained_it(own_cache: Path) -> None:
    obtained("doubler==1.0", Stub())
    [one] = environments()
    assert remove(one).reason == "a run uses it"
    assert (own_cache / "environments" / one.name).is_dir()


def test_a_removal_that_was_ended_leaves_nothing_that_is_taken_for_an_environment(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = made()

    def fails(path: Path) -> None:
        raise OSError(5, "Input/output error", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", fails)
        assert remove(one).reason == "it cannot be removed: Input/output error"
    assert [left.requirement for left in environments()] == [""]
    assert not (own_cache / "environments" / one.name).exists()
    [left] = environments()
    assert remove(left).reason == ""
    assert environments() == []


def test_names_beginnings_of_names_and_requirements_choose() -> None:
    there = [kept_named("abc", "a==1"), kept_named("abd", "b==1"), kept_named("xyz", "b==1")]
    assert [one.name for one in chosen(there, ["x"], None)] == ["xyz"]
    assert [one.name for one in chosen(there, ["abc"], None)] == ["abc"]
    assert [one.name for one in chosen(there, ["b==1", "xyz"], None)] == ["abd", "xyz"]


def test_without_names_all_are_chosen() -> None:
    there = [kept_named("abc"), kept_named("xyz")]
    assert chosen(there, [], None) == there


def test_those_that_were_not_used_for_so_many_days_are_chosen() -> None:
    now = time.time()
    there = [kept_named("new", used=now - DAY), kept_named("old", used=now - 3 * DAY)]
    assert [one.name for one in chosen(there, [], 2)] == ["old"]


@pytest.mark.parametrize(
    ("name", "reason"), [("q", "lists them"), ("", "lists them"), ("ab", "several begin: abc, abd")]
)
def test_a_name_that_is_none_or_of_several_is_refused(name: str, reason: str) -> None:
    with pytest.raises(UnknownEnvironmentError, match=reason):
        chosen([kept_named("abc"), kept_named("abd")], [name], None)


def test_only_what_was_removed_is_counted_as_freed() -> None:
    removed, left = (replace(kept_named(name), own=own) for name, own in (("abc", 20), ("xyz", 4000)))
    assert list(removed_lines([Removed(removed), Removed(left, "a run uses it")])) == [
        "removed  abc  doubler==1.0",
        "left     xyz  doubler==1.0: a run uses it",
        "1 environment removed, 20 B freed.",
    ]


@pytest.mark.parametrize(
    ("requirement", "shown"),
    [
        ("doubler==1.0", "doubler==1.0"),
        ("doubler==1.0 as of 2022-01-01", "doubler==1.0 as of 2022-01-01"),
        ("doubler", "doubler (1.0)"),
        ("./", "./ (1.0)"),
    ],
)
def test_the_version_is_told_where_what_was_asked_for_does_not_name_it(requirement: str, shown: str) -> None:
    _, row, *_ = lines([kept_named("abc", requirement)])
    assert row.startswith(f"abc   {shown}  ")


@pytest.fixture
def rankdiff(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Return a function that runs the command."""
    assert not own_cache.exists()
    monkeypatch.setattr(registry, "libraries", lambda: [library()])
    return lambda *arguments: cli.main(["environments", *arguments])


def test_the_command_lists_and_removes(rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    one = made()
    assert rankdiff() == 0
    assert f"{one.name}  doubler==1.0" in capsys.readouterr().out
    assert rankdiff("--remove", "doubler==1.0") == 0
    assert f"removed  {one.name}  doubler==1.0" in capsys.readouterr().out
    assert rankdiff() == 0
    assert capsys.readouterr().out == "There are no environments.\n"


def test_the_command_ends_with_2_where_one_is_still_there(
    rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    obtained("doubler==1.0", Stub())
    assert rankdiff("--remove", "--all", "--json") == 2
    said = json.loads(capsys.readouterr().out)
    assert said["removed"] == []
    assert [one["reason"] for one in said["left"]] == ["a run uses it"]


@pytest.mark.parametrize("arguments", [["--all"], ["--remove"], ["--remove", "abc", "--all"], ["--unused-for", "3"]])
def test_a_removal_says_of_what(
    rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert rankdiff(*arguments) == 2
    assert "was expected" in capsys.readouterr().err


def test_nothing_a_manifest_says_reaches_the_terminal_as_it_is(
    rankdiff: Callable[..., int], own_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = own_cache / "environments" / "abc"
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_text(json.dumps({"key": "abc", "requirement": "\x1b[2Jdoubler"}))
    assert rankdiff() == 0
    assert "\x1b" not in capsys.readouterr().out
