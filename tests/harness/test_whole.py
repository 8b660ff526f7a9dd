"""A file is written whole or not at all, and nothing else is replaced by one."""

import os
from pathlib import Path

import pytest

from harness import whole


def test_a_text_takes_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for text in ("one\n", "two\n"):
        whole.write(path, text)
        assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_where_it_fails_the_file_stays_as_it_was_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\n")

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space"):
        whole.write(path, "two\n")
    assert path.read_text() == "one\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "link", tmp_path / "there" / "a.txt"
    link.symlink_to(target)
    whole.write(link, "one\n")
    assert link.is_symlink()
    assert target.read_text() == "one\n"


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        with pytest.raises(OSError, match="a file was expected"):
            whole.write(path, "one\n")
    assert pipe.is_fifo()
    assert tmp_path.is_dir()


def test_letters_that_are_no_text_are_written_as_escapes(tmp_path: Path) -> None:
    whole.write(tmp_path / "a.txt", "\ud800\n")
    assert (tmp_path / "a.txt").read_text() == "\\ud800\n"
