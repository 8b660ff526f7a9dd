"""Fixtures that more than one room's tests use."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import miniature
from harness.case import Case
from harness.finding import FindingsFolder
from harness.library import Library
from harness.progress import Progress
from harness.report import Report
from harness.run import Options, check

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def pytest_configure() -> None:
    """Have interrupts noticed, in children too, where this is a background job of a shell, which ignores them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_signals() -> Iterator[None]:
    """Take back what the command line does with signals: it ends its process, which here goes on, and has children."""
    before = [signal.getsignal(number) for number in SIGNALS]
    yield
    for number, handler in zip(SIGNALS, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a test a cache folder of its own."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("RANKDIFF_CACHE", str(cache))
    return cache


@pytest.fixture
def wheels(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return the one folder that installers find releases in, without a network.

    uv, which takes a wheel for the one that it last saw at the same path, has a cache for this run of the tests alone.
    """
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name in list(os.environ):
        if name.startswith(("PIP_", "UV_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "uv"))
    assert not own_cache.exists()
    return folder


@pytest.fixture
def mini(own_cache: Path) -> Callable[..., Library]:
    """Return a function that makes a library in miniature from cases and the text of a ledger."""

    def make(*cases: Case[Any], ledger: str = miniature.EMPTY_LEDGER, **fields: Any) -> Library:
        path = own_cache.parent / "known.toml"
        path.write_text(ledger)
        return miniature.library(path, *cases, **fields)

    return make


@pytest.fixture
def run_check(tmp_path: Path) -> Callable[..., Report]:
    """Return a function that checks a library, with short limits and findings in the test's folder."""

    def run(library: Library, **options: Any) -> Report:
        settings: dict[str, Any] = {
            "findings": FindingsFolder(tmp_path / "findings"),
            "limits": miniature.QUICK,
            **options,
        }
        return check([(library, library.cases)], Options(**settings), Progress(bars=False))

    return run
