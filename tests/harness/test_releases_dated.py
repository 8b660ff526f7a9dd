"""A release that does not install with today's dependencies is given those of the day on which it was uploaded."""

import functools
import http.server
import io
import json
import tarfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

import environments
import releases
from harness.environments.installer import Pip, Uv
from harness.progress import Progress
from harness.releases import filling
from harness.releases.dated import uploaded
from harness.releases.matrix import Matrix, question
from harness.releases.running import How
from harness.releases.text import lines

pytestmark = pytest.mark.skipif(environments.UV is None, reason="uv is not there, and no other installer knows the day")

UPLOADED = {
    "helper-1.0-py3-none-any.whl": "2019-03-04T05:06:07Z",
    "doubler-0.3-py3-none-any.whl": "2020-02-03T23:59:59.123456Z",
    "helper-2.0.tar.gz": "2021-01-01T00:00:00Z",
}
"""When each file came to the index."""

DAY = date(2020, 2, 3)


class Index(http.server.SimpleHTTPRequestHandler):
    """A package index that says when each file was uploaded (PEP 691, PEP 700)."""

    extensions_map: Mapping[str, str] = {  # type: ignore[assignment]
        ".json": "application/vnd.pypi.simple.v1+json",
        "": "application/octet-stream",
    }

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer with a page, or with a file."""
        if self.path.startswith("/simple/"):
            self.path = f"{self.path.rstrip('/')}.json"
        super().do_GET()


@pytest.fixture
def index(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder that an index on this machine offers; the wheels of `UPLOADED` have to be in it."""
    (wheels / "simple").mkdir()
    handler = functools.partial(Index, directory=str(wheels))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.delenv("PIP_FIND_LINKS")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("UV_NO_CACHE", "1")
        yield wheels
        server.shutdown()
        serving.join()


def offer(folder: Path, days: Mapping[str, str] = UPLOADED) -> None:
    """Write the page of each distribution of which there are wheels, with the days that are known."""
    for name in ("doubler", "helper"):
        files = [
            {"filename": path.name, "url": f"../../{path.name}", "hashes": {}, "requires-python": ">=3.8"}
            | ({"upload-time": days[path.name]} if path.name in days else {})
            for path in sorted(folder.glob(f"{name}-*"))
        ]
        page = {"meta": {"api-version": "1.1"}, "name": name, "versions": [], "files": files}
        (folder / "simple" / f"{name}.json").write_text(json.dumps(page))


def lay_out(folder: Path) -> None:
    """Write a release that works with the helper of its day, and a later helper that cannot be built."""
    releases.release(folder, "0.3", "import helper\n" + releases.RIGHT, requires="helper")
    environments.wheel(folder, "helper", "1.0", source="ONE = 1\n")
    tree = {
        "pyproject.toml": environments.CHECKOUT["pyproject.toml"].replace("doubler", "helper").replace("2.5", "2.0"),
        "backend.py": "raise RuntimeError('this Python is too new')\n",
        "PKG-INFO": "Metadata-Version: 2.1\nName: helper\nVersion: 2.0\n",
    }
    with tarfile.open(folder / "helper-2.0.tar.gz", "w:gz") as archive:
        for name, text in tree.items():
            member = tarfile.TarInfo(f"helper-2.0/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))


def found(folder: Path, **how: Any) -> Matrix:
    library = releases.library(folder)
    asked = question(library, library.cases, None)
    return filling.fill(replace(asked, how=How(**how)), Progress(bars=False))


def test_the_day_is_that_of_the_first_file_of_the_release_in_universal_time(index: Path) -> None:
    lay_out(index)
    later = {f"doubler-0.3-{tag}-none-any.whl": "2023-04-05T06:07:08Z" for tag in ("py2.py3", "py3.py30")}
    for name in later:
        (index / name).hardlink_to(index / "doubler-0.3-py3-none-any.whl")
    offer(index, {**UPLOADED, **later})
    assert environments.UV
    assert uploaded("doubler", Version("0.3"), Uv(environments.UV)) == DAY


def test_it_is_not_known_where_the_index_does_not_say_it_or_there_is_no_such_release(index: Path) -> None:
    lay_out(index)
    offer(index, {})
    assert environments.UV
    assert uploaded("doubler", Version("0.3"), Uv(environments.UV)) is None
    assert uploaded("doubler", Version("0.4"), Uv(environments.UV)) is None
    assert uploaded("doubler", Version("0.3"), Pip()) is None


def test_a_release_that_todays_dependencies_do_not_suit_is_given_those_of_its_day(index: Path, tmp_path: Path) -> None:
    lay_out(index)
    offer(index)
    of = found(tmp_path)
    [outcome] = of.cells.values()
    assert (outcome.verdict, outcome.reason) == ("agrees", f"with dependencies as of {DAY}")
    assert f"0.3 with dependencies as of {DAY}" in "\n".join(lines(of, []))


def test_a_day_that_was_named_is_the_only_one_that_is_tried(index: Path, tmp_path: Path) -> None:
    lay_out(index)
    offer(index)
    [outcome] = found(tmp_path, exclude_newer=date(2022, 1, 1)).cells.values()
    assert outcome.status == "cannot_run"
    [outcome] = found(tmp_path, exclude_newer=date(2020, 12, 31)).cells.values()
    assert (outcome.verdict, outcome.reason) == ("agrees", "")


def test_what_today_says_is_told_where_its_own_day_does_not_suit_it_either(index: Path, tmp_path: Path) -> None:
    lay_out(index)
    offer(index, {**UPLOADED, "helper-2.0.tar.gz": "2019-06-07T08:09:10Z"})
    [outcome] = found(tmp_path).cells.values()
    assert outcome.status == "cannot_run"
    assert "helper" in outcome.reason
    assert str(DAY) not in outcome.reason
    assert str(tmp_path) not in outcome.reason
