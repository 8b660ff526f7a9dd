"""A revision of a repository is looked up: it becomes the commit that it is at the moment."""

from pathlib import Path

import pytest

from environments import CHECKOUT, commit, git
from harness.environments import child, repository
from harness.errors import UnusableError
from trees import lay_out


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "upstream", CHECKOUT)


def looked_up(folder: Path, revision: str | None) -> str:
    return repository.commit("doubler", folder.as_uri(), revision)


def test_a_branch_a_tag_a_full_name_and_the_head_are_commits(folder: Path) -> None:
    first = commit(folder)
    git(folder, "tag", "light")
    git(folder, "tag", "--annotate", "--message=x", "annotated")
    git(folder, "branch", "feature/main")
    (folder / "more").touch()
    second = commit(folder)
    assert looked_up(folder, None) == looked_up(folder, "main") == second
    assert looked_up(folder, "refs/heads/main") == second
    assert looked_up(folder, "light") == looked_up(folder, "annotated") == looked_up(folder, "feature/main") == first


def test_a_branch_comes_before_a_tag_of_its_name(folder: Path) -> None:
    commit(folder)
    git(folder, "tag", "main")
    (folder / "more").touch()
    second = commit(folder)
    assert looked_up(folder, "main") == second


def test_a_commit_needs_no_looking_up_where_it_is_whole(folder: Path) -> None:
    assert looked_up(folder / "nowhere", "a" * 40) == "a" * 40
    commit(folder)
    assert looked_up(folder, "abcdef0") == "abcdef0"


def test_a_revision_that_is_not_there_is_named(folder: Path) -> None:
    commit(folder)
    with pytest.raises(UnusableError, match="doubler cannot be installed: its repository has no ain; a branch"):
        looked_up(folder, "ain")


def test_a_repository_without_commits_says_so(folder: Path) -> None:
    git(folder, "init", "--quiet")
    with pytest.raises(UnusableError, match="its repository has no commits"):
        looked_up(folder, None)


def test_a_repository_that_is_not_there_is_told_in_the_words_of_git_on_one_line(folder: Path) -> None:
    with pytest.raises(UnusableError, match=r"git says: .*does not appear to be a git repository") as caught:
        looked_up(folder, "main")
    assert "\n" not in str(caught.value)


def test_a_machine_without_git_is_told_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "output", no_git)
    with pytest.raises(UnusableError, match="there is no git on this machine; install it"):
        looked_up(folder, "main")


def no_git(*_: object) -> tuple[int, str]:
    raise FileNotFoundError
