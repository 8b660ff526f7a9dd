"""Each installer is told the same things in its own words."""

import itertools
import sys
import sysconfig
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

from environments import UV
from harness.environments import child, installer, interpreters
from harness.environments.installer import Order, Pip, Uv
from harness.errors import UnusableError


def order(workspace: Path, **fields: Any) -> Order:
    given: dict[str, Any] = {
        "title": "doubler==1.0",
        "arguments": ("doubler==1.0", "pytest"),
        "interpreter": interpreters.ours(),
        "workspace": workspace,
        "constraints": (),
        "latest": None,
        "undated": (),
        "today": date(2026, 11, 30),
    }
    return Order(**given | fields)


def pairs(command: list[str]) -> list[tuple[str, str]]:
    return list(itertools.pairwise(command))


@pytest.mark.parametrize("by", [Uv("uv"), Pip()])
def test_an_order_without_a_date_names_none_and_ends_with_the_requirements(tmp_path: Path, by: Uv | Pip) -> None:
    _, install = by.commands(order(tmp_path, undated=("data",)))
    assert install[-2:] == ["doubler==1.0", "pytest"]
    assert not any("newer" in word or "prior" in word or word == "--constraint" for word in install)


@pytest.mark.parametrize("by", [Uv("uv"), Pip()])
def test_constraints_are_written_to_a_file_that_is_named(tmp_path: Path, by: Uv | Pip) -> None:
    _, install = by.commands(order(tmp_path, constraints=("torch==2.13.0", "numpy<3")))
    (path,) = (value for option, value in pairs(install) if option == "--constraint")
    assert Path(path).read_text() == "torch==2.13.0\nnumpy<3\n"


def test_uv_takes_releases_up_to_the_end_of_a_day_and_of_today_for_those_without_a_bound(tmp_path: Path) -> None:
    _, install = Uv("uv").commands(order(tmp_path, latest=date(2022, 12, 31), undated=("a", "b")))
    assert [pair for pair in pairs(install) if pair[0].startswith("--exclude-newer")] == [
        ("--exclude-newer", "2023-01-01T00:00:00Z"),
        ("--exclude-newer-package", "a=2026-12-01T00:00:00Z"),
        ("--exclude-newer-package", "b=2026-12-01T00:00:00Z"),
    ]


def test_a_pip_that_knows_dates_takes_releases_up_to_the_end_of_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installer, "_version_of_ours", lambda: Version("26.0"))
    _, install = Pip().commands(order(tmp_path, latest=date(2022, 12, 31)))
    assert ("--uploaded-prior-to", "2023-01-01T00:00:00Z") in pairs(install)


@pytest.mark.parametrize(
    ("version", "said"), [(Version("25.3"), r"pip 25\.3 takes no date"), (None, "the pip of the interpreter takes no")]
)
def test_any_other_pip_refuses_a_date_and_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: Version | None, said: str
) -> None:
    monkeypatch.setattr(installer, "_version_of_ours", lambda: version)
    with pytest.raises(UnusableError, match=rf"doubler==1\.0 cannot be installed: {said}.*; install uv, or pip 26\.0"):
        Pip().commands(order(tmp_path, latest=date(2022, 12, 31)))


@pytest.mark.parametrize(("version", "is_used"), [("22.2.2", False), ("22.3", True)])
def test_our_pip_is_used_if_it_installs_for_others(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    version: str,
    is_used: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(metadata, "version", lambda _: version)
    venv, install = Pip().commands(order(tmp_path))
    assert ("--without-pip" in venv) is is_used
    assert (install[0] == sys.executable) is is_used


def test_without_a_pip_of_ours_that_of_the_interpreter_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", no_pip)
    venv, install = Pip().commands(order(tmp_path))
    assert "--without-pip" not in venv
    assert install[:4] == [str(tmp_path / "environment" / "bin" / "python"), "-I", "-m", "pip"]


def no_pip(_: str) -> str:
    raise metadata.PackageNotFoundError


def test_uv_is_told_of_the_indexes_that_pip_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("UV_FIND_LINKS", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_INDEX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_FIND_LINKS", "/one  /two")
    monkeypatch.setenv("PIP_INDEX_URL", "https://example.org/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://a.example.org https://b.example.org")
    variables = Uv("uv").variables()
    assert variables["UV_FIND_LINKS"] == "/one,/two"
    assert variables["UV_INDEX_URL"] == "https://example.org/simple"
    assert variables["UV_EXTRA_INDEX_URL"] == "https://a.example.org https://b.example.org"


def test_what_uv_is_told_itself_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    for pip, uv in (("FIND_LINKS", "FIND_LINKS"), ("INDEX_URL", "DEFAULT_INDEX"), ("EXTRA_INDEX_URL", "INDEX")):
        monkeypatch.setenv(f"PIP_{pip}", "theirs")
        monkeypatch.setenv(f"UV_{uv}", "own")
        monkeypatch.delenv(f"UV_{pip}", raising=pip == uv) if pip != uv else None
    variables = Uv("uv").variables()
    assert "theirs" not in {text for name, text in variables.items() if name.startswith("UV_")}


@pytest.mark.parametrize(("value", "is_told"), [("1", True), ("true", True), ("0", False), ("", False)])
def test_uv_uses_no_index_where_pip_uses_none(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    value: str,
    is_told: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", value)
    _, install = Uv("uv").commands(order(tmp_path))
    assert ("--no-index" in install) is is_told


def test_neither_our_python_nor_our_environment_reaches_an_installer_and_nothing_asks() -> None:
    ours = {
        "PYTHONPATH": "x",
        "PYTHONHOME": "x",
        "VIRTUAL_ENV": "x",
        "UV_SYSTEM_PYTHON": "1",
        "PIP_TARGET": "x",
        "GIT_DIR": "x",
        "GIT_ASKPASS": "x",
        "PIP_USER": "1",
        "HTTPS_PROXY": "kept",
    }
    assert child.environment(ours) == {
        "HTTPS_PROXY": "kept",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "PIP_NO_INPUT": "1",
        "PIP_USER": "0",
    }


def test_uv_is_the_installer_where_it_is_on_the_path_and_pip_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path / "scripts"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installer.found() == Pip()
    for folder in (tmp_path, tmp_path / "scripts"):
        folder.mkdir(exist_ok=True)
        (folder / "uv").touch(0o755)
        assert installer.found() == Uv(str(folder / "uv"))


def test_an_installer_has_a_version() -> None:
    assert Pip().title.startswith("pip ") or Pip().title == "the pip of the interpreter"
    if UV:
        assert Uv(UV).title.startswith("uv ")
        assert " " not in Uv(UV).title.removeprefix("uv ")
