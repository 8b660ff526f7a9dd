"""A wanted subject is made an environment of its own, once; nothing half-made is ever used or left."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from importlib import metadata
from pathlib import Path

import pytest

from environments import CHECKOUT, UV, Stub, commit, git, library, obtained, wheel
from harness.environments import environment, interpreters
from harness.environments.installer import Installer, Pip, Uv
from harness.environments.making import MANIFEST
from harness.environments.recipe import Part, Recipe
from harness.errors import CacheFolderError, UnusableError
from trees import lay_out

HERE = Path(__file__).parents[1]
ROOT = HERE.parent

OURS = f"{sys.version_info.major}.{sys.version_info.minor}"

FAILS = "import sys; print({!r}); sys.exit(3)"
"""A program of a stub that fails, having said this."""

needs_uv = pytest.mark.skipif(UV is None, reason="uv is not there")


@pytest.fixture(params=[pytest.param("uv", marks=needs_uv), "pip"])
def by(request: pytest.FixtureRequest) -> Installer:
    return Uv(UV or "") if request.param == "uv" else Pip()


@pytest.fixture
def either() -> Installer:
    """Return an installer, where it does not matter which."""
    return Uv(UV) if UV else Pip()


def kept(cache: Path) -> list[str]:
    """Return what is in the cache but for locks and logs."""
    folder = cache / "environments"
    return sorted(path.name for path in folder.iterdir() if path.suffix not in {".lock", ".log"})


def manifest(cache: Path) -> Path:
    (path,) = cache.glob(f"environments/*/{MANIFEST}")
    return path


def counting(path: Path) -> Stub:
    """Return an installer that counts how often it installs, in the length of a file."""
    return Stub(f"open({str(path)!r}, 'a').write('x')")


def test_a_release_is_installed_once_and_where_it_is_is_known_without_importing_it(
    wheels: Path, own_cache: Path, by: Installer
) -> None:
    wheel(wheels, version="1.0")
    wheel(wheels, version="1.1")
    found = obtained("doubler==1.0", by)
    folder = manifest(own_cache).parent
    assert found.version == "1.0"
    assert found.python == str(folder / "bin" / "python")
    assert found.interpreter == sys.version
    assert found.packages == {"doubler": folder / "lib" / f"python{OURS}" / "site-packages" / "doubler"}
    assert found.origin == "doubler==1.0"
    written = manifest(own_cache).stat().st_mtime_ns
    assert obtained("doubler==1.0", by) == found
    assert manifest(own_cache).stat().st_mtime_ns == written
    assert list(folder.rglob("*.pyc")) == []
    assert list(own_cache.glob("environments/*.log")) == []


def test_the_manifest_says_what_was_made_from_what(wheels: Path, own_cache: Path, either: Installer) -> None:
    wheel(wheels)
    wheel(wheels, "other")
    obtained("doubler", either, library(constraints=("doubler<2",)), extras=("other",))
    said = json.loads(manifest(own_cache).read_text())
    assert said["key"] == manifest(own_cache).parent.name
    assert said["packages"] == {"doubler": f"lib/python{OURS}/site-packages/doubler"}
    assert said["python"] == "bin/python"
    assert said["installer"] == either.title
    assert said["constraints"] == ["doubler<2"]
    assert (said["requirement"], said["beside"], said["version"]) == ("doubler", ["other"], "1.0")


def test_what_a_constraint_excludes_is_not_installed(wheels: Path, by: Installer) -> None:
    wheel(wheels, version="1.0")
    wheel(wheels, version="1.1")
    assert obtained("doubler", by, library(constraints=("doubler<1.1",))).version == "1.0"


def test_a_wheel_is_known_by_its_content_and_not_by_its_place(wheels: Path, tmp_path: Path, either: Installer) -> None:
    first = wheel(tmp_path / "one")
    found = obtained(str(first), either)
    second = wheel(tmp_path / "two")
    assert replace(obtained(f"doubler @ {second.as_uri()}", either), origin="", content="").version == "1.0"
    assert obtained(str(second), either).packages == found.packages
    wheel(tmp_path / "two", requires=["doubler>0"])
    assert obtained(str(second), either).packages != found.packages
    assert list(wheels.iterdir()) == []


@pytest.mark.usefixtures("wheels")
def test_a_checkout_is_built_from_a_copy_of_its_sources_as_they_are_now(tmp_path: Path, by: Installer) -> None:
    tree = {**CHECKOUT, "backend.py": f"{CHECKOUT['backend.py']}\nopen('left.txt', 'w')\n"}
    folder = lay_out(tmp_path / "tree", {**tree, "doubler/__pycache__/stale.py": ""})
    before = sorted(folder.rglob("*"))
    found = obtained(str(folder), by)
    assert found.version == "2.5"
    assert sorted(folder.rglob("*")) == before
    assert [path.name for path in found.packages["doubler"].iterdir()] == ["__init__.py"]
    lay_out(folder, {"doubler/__init__.py": "changed"})
    changed = obtained(str(folder), by)
    assert (changed.packages["doubler"] / "__init__.py").read_text() == "changed"
    assert changed.content != found.content


@pytest.mark.usefixtures("wheels")
def test_a_branch_is_installed_at_the_commit_that_it_is_now(tmp_path: Path, by: Installer) -> None:
    folder = lay_out(tmp_path / "upstream", CHECKOUT)
    commit(folder)
    url = f"git+{folder.as_uri()}@main#egg=doubler"
    found = obtained(url, by)
    assert found.version == "2.5"
    assert obtained(url, by) == found
    lay_out(folder, {"doubler/__init__.py": "changed"})
    head = commit(folder)
    changed = obtained(url, by)
    assert (changed.packages["doubler"] / "__init__.py").read_text() == "changed"
    git(folder, "checkout", "--quiet", "--detach")
    git(folder, "branch", "--delete", "--force", "main")
    assert obtained(f"doubler @ git+{folder.as_uri()}@{head}", by).version == "2.5"


@pytest.mark.parametrize(
    ("spec", "reasons"),
    [
        ("doubler==9.9", ("there is no version of doubler==9.9", "No matching distribution found for doubler==9.9")),
        ("absent-doubler", ("absent-doubler was not found", "No matching distribution found for absent-doubler")),
        ("clash", ("depend on doubler==0.9", "clash 1.0 depends on doubler==0.9")),
        ("future", ("future==1.0 requires Python >=99", "future requires Python >=99")),
        ("./broken-1.0-py3-none-any.whl", ("end of central directory", "Wheel 'broken' located at .* is invalid")),
        ("./unbuildable", ("RuntimeError: it cannot be built", "RuntimeError: it cannot be built")),
    ],
)
def test_what_cannot_be_installed_is_told_in_one_line_with_the_reason_and_the_log(
    wheels: Path,
    own_cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    by: Installer,
    spec: str,
    reasons: tuple[str, str],
) -> None:
    wheel(wheels)
    wheel(wheels, "clash", requires=["doubler==0.9"])
    wheel(wheels, "future", python=">=99")
    lay_out(wheels, {"broken-1.0-py3-none-any.whl": "no archive"})
    lay_out(wheels / "unbuildable", {**CHECKOUT, "backend.py": "raise RuntimeError('it cannot be built')"})
    monkeypatch.chdir(wheels)
    monkeypatch.setattr(interpreters, "found", lambda _: [interpreters.ours()])
    extras = ("doubler==1.0",) if spec == "clash" else ()
    with pytest.raises(UnusableError) as caught:
        obtained(spec, by, extras=extras)
    said = str(caught.value)
    reason = reasons[isinstance(by, Pip)]
    assert re.fullmatch(
        rf"{re.escape(spec)} cannot be installed: .*{reason}.*; all that was said is in (\S+\.log)", said
    )
    assert Path(said.rpartition(" ")[2]).stat().st_size > 0
    assert kept(own_cache) == []


def test_a_failure_is_not_remembered(wheels: Path, either: Installer) -> None:
    with pytest.raises(UnusableError):
        obtained("doubler==1.0", either)
    wheel(wheels)
    assert obtained("doubler==1.0", either).version == "1.0"


def test_another_distribution_is_refused_and_not_kept(wheels: Path, own_cache: Path, either: Installer) -> None:
    wheel(wheels, "other")
    with pytest.raises(UnusableError, match="other was installed, but it is not doubler, which these cases are about"):
        obtained("other", either)
    assert kept(own_cache) == []


def test_where_our_python_does_not_suit_another_does_and_is_remembered(
    wheels: Path, monkeypatch: pytest.MonkeyPatch, by: Installer
) -> None:
    newest = max(interpreters.found(by.uv), key=lambda each: each.minor)
    if newest == interpreters.ours():
        pytest.skip("no newer Python is there")
    minor = ".".join(map(str, newest.minor))
    wheel(wheels, python=f">={minor}")
    found = obtained("doubler==1.0", by)
    assert found.interpreter == newest.description
    assert found.packages["doubler"].parts[-3] == f"python{minor}"
    monkeypatch.setattr(interpreters, "found", lambda _: [])
    (wheels / "doubler-1.0-py3-none-any.whl").unlink()
    assert obtained("doubler==1.0", by) == found


def test_every_python_that_was_tried_is_told(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = interpreters.ours()
    several = [ours, *(replace(ours, version=version) for version in ("3.98.1", "3.97.2"))]
    monkeypatch.setattr(interpreters, "found", lambda _: several)
    with pytest.raises(UnusableError) as caught:
        obtained("doubler==1.0", Stub(FAILS.format("ERROR: Package 'x' requires a different Python: 3.1 not in '>4'")))
    assert f"with Python {ours.version}, 3.98.1, 3.97.2: x requires Python >4; all that was" in str(caught.value)
    assert kept(own_cache) == []


@pytest.mark.usefixtures("own_cache")
def test_a_named_python_is_the_only_one_that_is_tried(tmp_path: Path) -> None:
    count = tmp_path / "count"
    failing = Stub(
        f"{counting(count).program}; raise SystemExit('ERROR: x.whl is not a supported wheel on this platform')"
    )
    with pytest.raises(
        UnusableError, match=r"cannot be installed: x\.whl is not a supported wheel on this platform; all"
    ):
        obtained("doubler==1.0", failing, python=OURS)
    assert count.read_text() == "x"


@pytest.mark.usefixtures("own_cache")
def test_a_failure_that_is_not_about_python_is_not_tried_with_another(tmp_path: Path) -> None:
    count = tmp_path / "count"
    failing = Stub(f"{counting(count).program};raise SystemExit('ERROR: no')")
    with pytest.raises(UnusableError, match=r"doubler==1\.0 cannot be installed: no; all that was said"):
        obtained("doubler==1.0", failing)
    assert count.read_text() == "x"


@pytest.mark.parametrize(
    ("spec", "times"), [("doubler==1.0", 1), ("doubler", 2), ("doubler>=1", 2), ("doubler==1.*", 2)]
)
def test_what_is_not_pinned_is_looked_up_anew_on_another_day(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str, times: int
) -> None:
    stub = counting(tmp_path / "count")
    for day in (1, 1, 2, 2):
        monkeypatch.setattr(environment, "today", lambda day=day: date(2026, 11, day))
        obtained(spec, stub)
    assert (tmp_path / "count").read_text() == "x" * times
    assert len(kept(own_cache)) == times


def test_today_is_a_day_in_utc() -> None:
    before = datetime.now(UTC).date()
    assert before <= environment.today() <= datetime.now(UTC).date()


def test_whatever_an_environment_is_made_from_makes_another(own_cache: Path, tmp_path: Path) -> None:
    stub = counting(tmp_path / "count")
    contents = {
        obtained("doubler==1.0", stub).content,
        obtained("doubler==1.0", stub, exclude_newer=date(2022, 1, 1)).content,
        obtained("doubler==1.0", stub, exclude_newer=date(2022, 1, 2)).content,
        obtained("doubler==1.0", stub, extras=("pytest",)).content,
        obtained("doubler==1.0", stub, library(constraints=("torch==1",))).content,
        obtained("doubler==1.0", stub, library(constraints=("torch==2",))).content,
        obtained("doubler==1.0", stub, library(undated=("data",))).content,
    }
    assert len(contents) == len(kept(own_cache)) == 7


def test_every_interpreter_has_an_environment_of_its_own() -> None:
    made_from = Recipe("", (Part("doubler==1.0", "doubler==1.0", is_pinned=True),), (), None, (), date(2026, 11, 1))
    ours = interpreters.ours()
    others = ours, replace(ours, path="/elsewhere/python"), replace(ours, description="built today")
    assert len({made_from.key(interpreter) for interpreter in others}) == 3


def test_asking_what_is_there_writes_no_bytecode_even_where_starting_python_imports_something(own_cache: Path) -> None:
    site = obtained("doubler==1.0", Stub()).packages["doubler"].parent
    lay_out(site, {"hook.pth": "import hook\n", "hook.py": "import builtins\nbuiltins.hooked = True\n"})
    assert obtained("doubler==1.0", Stub()).packages["doubler"].parent == site
    assert list(site.rglob("*.pyc")) == []
    assert kept(own_cache) == [manifest(own_cache).parent.name]


def test_the_content_changes_with_the_version_of_any_distribution_in_it(own_cache: Path) -> None:
    found = obtained("doubler==1.0", Stub())
    (found.packages["doubler"].parent / "dependency-2.0.dist-info").mkdir()
    assert obtained("doubler==1.0", Stub()).content != found.content
    assert kept(own_cache) == [manifest(own_cache).parent.name]


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"key": "another"}'])
def test_a_folder_without_its_manifest_is_made_again(own_cache: Path, tmp_path: Path, text: str | None) -> None:
    stub = counting(tmp_path / "count")
    found = obtained("doubler==1.0", stub)
    stale = found.packages["doubler"] / "stale.py"
    stale.touch()
    manifest(own_cache).unlink() if text is None else manifest(own_cache).write_text(text)
    assert obtained("doubler==1.0", stub) == found
    assert not stale.exists()
    assert (tmp_path / "count").read_text() == "xx"


def test_an_environment_whose_interpreter_is_gone_is_made_again(own_cache: Path, tmp_path: Path) -> None:
    stub = counting(tmp_path / "count")
    found = obtained("doubler==1.0", stub)
    Path(found.python).unlink()
    Path(found.python).symlink_to(tmp_path / "removed")
    assert obtained("doubler==1.0", stub) == found
    assert (tmp_path / "count").read_text() == "xx"
    assert len(kept(own_cache)) == 1


def test_what_stands_in_the_place_of_an_environment_is_replaced(own_cache: Path) -> None:
    found = obtained("doubler==1.0", Stub())
    folder = manifest(own_cache).parent
    shutil.rmtree(folder)
    folder.write_text("a file")
    assert obtained("doubler==1.0", Stub()) == found


@pytest.mark.parametrize("place", ["cache", "environments"])
def test_a_cache_that_cannot_be_made_says_how_to_choose_another(own_cache: Path, place: str) -> None:
    path = own_cache if place == "cache" else own_cache / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("a file")
    with pytest.raises(CacheFolderError, match="set RANKDIFF_CACHE to a folder that can be written"):
        obtained("doubler==1.0", Stub())


@pytest.mark.parametrize("method", ["mkdir", "write_text", "replace", "open"])
def test_a_cache_that_cannot_be_written_leaves_nothing_half_made(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    (own_cache / "environments").mkdir(parents=True)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr("tempfile._os.mkdir" if method == "mkdir" else f"pathlib.Path.{method}", refuse)
        with pytest.raises(CacheFolderError, match="Permission denied"):
            obtained("doubler==1.0", Stub())
    assert kept(own_cache) == []


def test_a_lock_that_cannot_be_taken_is_told(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("harness.environments.environment.FileLock.acquire", refuse)
    with pytest.raises(CacheFolderError, match=re.escape(str(own_cache))):
        obtained("doubler==1.0", Stub())


def test_a_full_disk_is_told_as_that_and_leaves_nothing_half_made(own_cache: Path) -> None:
    with pytest.raises(CacheFolderError, match=r"No space left on device.*on a disk with space left"):
        obtained("doubler==1.0", Stub(FAILS.format("error: x\n  cause: No space left on device (os error 28)")))
    assert kept(own_cache) == []


@pytest.mark.usefixtures("own_cache")
def test_an_installer_that_is_gone_is_told() -> None:
    with pytest.raises(UnusableError, match=r"uv cannot be run: .*nowhere"):
        obtained("doubler==1.0", Gone("/nowhere/uv"))


class Gone(Uv):
    """A uv that was removed after it was found."""

    title = "uv"


def test_nothing_is_installed_in_our_own_environment(wheels: Path, by: Installer) -> None:
    before = {(each.name, each.version) for each in metadata.distributions()}
    wheel(wheels, "doubler")
    wheel(wheels, "other-doubler".replace("-", "_"))
    obtained("doubler", by, extras=("other-doubler",))
    assert {(each.name, each.version) for each in metadata.distributions()} == before


@needs_uv
def test_uv_heeds_no_configuration_of_the_folder_we_run_in(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel(wheels)
    lay_out(tmp_path, {"uv.toml": "this is no configuration"})
    monkeypatch.chdir(tmp_path)
    assert obtained("doubler==1.0", Uv(UV or "")).version == "1.0"


@needs_uv
def test_uv_takes_no_sources_from_a_checkout(wheels: Path, tmp_path: Path) -> None:
    wheel(wheels, "other")
    sources = "dependencies = ['other']\n[tool.uv.sources]\nother = { path = '/nowhere' }\n"
    folder = lay_out(tmp_path / "tree", {**CHECKOUT, "pyproject.toml": CHECKOUT["pyproject.toml"] + sources})
    assert obtained(str(folder), Uv(UV or "")).version == "2.5"


def test_a_password_in_an_address_is_not_shown(own_cache: Path) -> None:
    with pytest.raises(UnusableError) as caught:
        obtained("doubler @ https://user:secret@example.org/x.whl", Stub(FAILS.format("ERROR: no")))
    assert "doubler @ https://example.org/x.whl" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert kept(own_cache) == []


@pytest.mark.usefixtures("own_cache")
def test_a_checkout_that_changes_while_it_is_copied_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = lay_out(tmp_path / "tree", CHECKOUT)
    monkeypatch.setattr("shutil.copy2", lambda _, copied, **__: Path(copied).write_text("another"))
    with pytest.raises(UnusableError, match="changed while it was copied; try again"):
        obtained(str(folder), Stub())


RUN = """
import sys
from contextlib import contextmanager
from environments import Stub, library
from harness.environments.environment import Wanted, obtain

class Progress:
    @contextmanager
    def waiting(self, title):
        print(title, flush=True)
        yield

of = library()
print(obtain(Wanted("doubler==1.0"), of.modes[0], of, Progress(), Stub(sys.argv[1])).content, flush=True)
"""
"""A run of its own, which tells what it waits for."""

HOLD = """
import os
open({count!r}, "a").write("x")
open({pid!r}, "w").write(str(os.getpid()))
os.read(os.open({gate!r}, os.O_RDONLY), 1)
"""
"""The program of a stub that waits at a gate."""


class Gate:
    """A gate that the installers of other runs wait at."""

    def __init__(self, folder: Path) -> None:
        self.count, self.pid, gate = folder / "count", folder / "pid", folder / "gate"
        os.mkfifo(gate)
        self._file = os.open(gate, os.O_RDWR)
        self.program = HOLD.format(count=str(self.count), pid=str(self.pid), gate=str(gate))

    def open(self) -> None:
        """Let two of them through."""
        os.write(self._file, b"..")


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path)


@contextmanager
def run(gate: Gate) -> Iterator["subprocess.Popen[str]"]:
    """Start a run; whatever happens, it is ended."""
    path = os.pathsep.join(map(str, (HERE, ROOT)))
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, gate.program],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def installing(gate: Gate, process: "subprocess.Popen[str]") -> int:
    """Return the installer's process id, when it waits at the gate."""
    assert said(process) == "waiting for doubler==1.0"
    assert said(process) == "installing doubler==1.0 with stub 1.0"
    while not (gate.pid.exists() and gate.pid.read_text()):
        os.sched_yield()
    return int(gate.pid.read_text())


def test_of_two_runs_at_once_one_installs_and_the_other_waits(own_cache: Path, gate: Gate) -> None:
    with run(gate) as first, run(gate) as second:
        told = said(first), said(second)
        assert told == ("waiting for doubler==1.0",) * 2
        gate.open()
        contents = {last for process in (first, second) for last in process.communicate()[0].splitlines()[-1:]}
    assert contents == {obtained("doubler==1.0", Stub()).content}
    assert gate.count.read_text() == "x"
    assert len(kept(own_cache)) == 1


def test_a_run_that_was_killed_blocks_nobody_and_what_it_left_is_removed(own_cache: Path, gate: Gate) -> None:
    with run(gate) as process:
        installing(gate, process)
        process.kill()
        process.wait()
        (left,) = kept(own_cache)
        assert left.endswith(".partial")
        obtained("doubler==1.0", Stub())
        assert kept(own_cache) == [manifest(own_cache).parent.name]
        gate.open()


def test_an_interrupt_ends_the_installer_and_leaves_nothing_half_made(own_cache: Path, gate: Gate) -> None:
    with run(gate) as process:
        pid = installing(gate, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) != 0
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert kept(own_cache) == []
