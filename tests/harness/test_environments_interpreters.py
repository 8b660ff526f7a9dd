"""Interpreters are found by version or by path; one that is not there is refused with those that are."""

import os
import sys
from pathlib import Path

import pytest

from harness.environments import interpreters
from harness.environments.interpreters import Interpreter
from harness.errors import UnusableError

OURS = interpreters.ours()


def script(path: Path, version: str, name: str | None = None) -> Path:
    """Write what answers as an interpreter of this version does, whatever it is asked."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"""#!/bin/sh\necho a greeting\necho '["{name or path}", "{version}", "Python {version}"]'\n""")
    path.chmod(0o755)
    return path


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the PATH, and pyenv, have interpreters of a test's own."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}::{tmp_path / 'pyenv' / 'shims'}")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    script(tmp_path / "bin" / "python3.9", "3.9.2")
    script(tmp_path / "bin" / "python3", "2.7.18")
    script(tmp_path / "pyenv" / "versions" / "3.14.1" / "bin" / "python3", "3.14.1")
    script(tmp_path / "pyenv" / "versions" / "3.9.10" / "bin" / "python3", "3.9.10")
    script(tmp_path / "pyenv" / "shims" / "python3.12", "3.12.0")
    (tmp_path / "bin" / "python3.10").write_text("no program")
    (tmp_path / "bin" / "python3.10").chmod(0o755)
    (tmp_path / "bin" / "python3.11").symlink_to(sys.executable)
    return tmp_path


def test_an_interpreter_says_its_file_and_its_version() -> None:
    assert interpreters.asked(sys.executable) == OURS
    assert os.path.realpath(sys.executable) == OURS.path
    assert sys.version == OURS.description
    assert OURS.minor == sys.version_info[:2]


@pytest.mark.parametrize("path", ["/nowhere/python", "/bin/sh", "/"])
def test_what_is_no_interpreter_says_nothing(path: str) -> None:
    assert interpreters.asked(path) is None


@pytest.mark.usefixtures("elsewhere")
def test_ours_comes_first_and_others_of_a_sufficient_age_follow_the_newest_first() -> None:
    found = interpreters.found(uv=None)
    assert found[0] == OURS
    assert [each.version for each in found[1:]] == ["3.14.1", "3.9.10", "3.9.2"]


def test_the_first_of_each_minor_version_stands_for_it() -> None:
    several = [Interpreter("", version, "") for version in ("3.11.7", "3.14.1", "3.11.9", "3.9.10", "3.9.2")]
    assert [each.version for each in interpreters.one_of_each_minor(several)] == ["3.11.7", "3.14.1", "3.9.10"]


def test_those_of_uv_are_found(elsewhere: Path) -> None:
    managed = script(elsewhere / "managed" / "cpython-3.13" / "bin" / "python3", "3.13.5")
    uv = elsewhere / "uv"
    uv.write_text(f"#!/bin/sh\necho {managed.parents[2]}\n")
    uv.chmod(0o755)
    assert "3.13.5" in [each.version for each in interpreters.found(str(uv))]
    uv.write_text("#!/bin/sh\necho broken\nexit 2\n")
    assert "3.13.5" not in [each.version for each in interpreters.found(str(uv))]


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("3.14", "3.14.1"),
        ("python3.14", "3.14.1"),
        ("3.9", "3.9.10"),
        ("3.9.2", "3.9.2"),
        ("3", OURS.version),
        (OURS.version, OURS.version),
    ],
)
def test_a_version_names_ours_or_the_newest_that_begins_with_it(text: str, version: str) -> None:
    assert interpreters.named(text, uv=None).version == version


def test_a_path_names_an_interpreter(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(elsewhere))
    assert interpreters.named(str(elsewhere / "bin" / "python3.9"), uv=None).version == "3.9.2"
    assert interpreters.named("~/bin/python3.9", uv=None).version == "3.9.2"


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("text", ["3.1", "3.12", "4"])
def test_a_version_that_is_not_there_is_refused_with_those_that_are(text: str) -> None:
    with pytest.raises(UnusableError, match=rf"Python {text} was not found; .*, 3\.14\.1, 3\.9\.10, 3\.9\.2; name one"):
        interpreters.named(text, uv=None)


@pytest.mark.parametrize("text", ["./python", "/bin/sh", "3.x", "newest", "3.9.1.2"])
def test_what_names_no_interpreter_is_refused(text: str) -> None:
    with pytest.raises(UnusableError, match="or the path of an interpreter that runs, was expected"):
        interpreters.named(text, uv=None)


def test_an_interpreter_that_is_too_old_is_refused(elsewhere: Path) -> None:
    with pytest.raises(UnusableError, match=r"Python 3\.8 or newer was expected, but .* is 2\.7\.18"):
        interpreters.named(str(elsewhere / "bin" / "python3"), uv=None)
