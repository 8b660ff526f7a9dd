"""A checkout's sources are those that git knows, or that look like sources; they are copied with git's answers."""

from pathlib import Path

from environments import CHECKOUT, commit, git
from harness.environments import checkout
from trees import lay_out

JUNK = {
    "build/lib/stale.py": "",
    "dist/old.whl": "",
    "doubler/__pycache__/a.pyc": "",
    "doubler/b.pyc": "",
    ".tox/a": "",
    ".venv/pyvenv.cfg": "",
    ".venv/lib.py": "",
    "cache/CACHEDIR.TAG": "",
    "doubler.egg-info/PKG-INFO": "",
}


def names(folder: Path) -> set[str]:
    return {str(name) for name in checkout.sources(folder)}


def content(folder: Path) -> str:
    return checkout.content(folder, checkout.sources(folder))


def test_outside_of_git_what_a_build_or_a_cache_left_is_no_source(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, {**CHECKOUT, **JUNK, "doubler/build/__init__.py": ""})
    assert names(folder) == {*CHECKOUT, "doubler/build/__init__.py"}


def test_in_a_repository_what_git_ignores_is_no_source_and_what_it_does_not_know_yet_is(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, {**CHECKOUT, ".gitignore": "ignored.py\n", "gone.py": "", "build/kept.py": ""})
    commit(folder)
    (folder / "gone.py").unlink()
    lay_out(folder, {"ignored.py": "", "doubler/ü new.py": ""})
    assert names(folder) == {*CHECKOUT, ".gitignore", "build/kept.py", "doubler/ü new.py"}


def test_a_repository_within_another_is_a_source_tree_of_its_own(tmp_path: Path) -> None:
    outer = lay_out(tmp_path, {"pyproject.toml": "", ".gitignore": "vendored/\n"})
    inner = lay_out(tmp_path / "vendored", CHECKOUT)
    commit(outer)
    assert names(inner) == {*CHECKOUT}
    nested = lay_out(tmp_path / "nested", CHECKOUT)
    commit(nested)
    assert names(outer) == {"pyproject.toml", ".gitignore", *(f"nested/{name}" for name in CHECKOUT)}


def test_the_content_is_that_of_texts_names_permissions_and_links(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "one", CHECKOUT)
    assert content(folder) == content(lay_out(tmp_path / "two", CHECKOUT))
    seen = {content(folder)}
    source = folder / "doubler" / "__init__.py"
    source.write_text("changed")
    seen.add(content(folder))
    source.chmod(0o755)
    seen.add(content(folder))
    source.rename(source.with_name("other.py"))
    seen.add(content(folder))
    source.symlink_to("other.py")
    seen.add(content(folder))
    source.unlink()
    source.symlink_to("missing.py")
    seen.add(content(folder))
    assert len(seen) == 6


def test_a_copy_has_the_same_content_and_the_same_answers_of_git(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "tree", CHECKOUT)
    (folder / "link").symlink_to("doubler")
    head = commit(folder)
    git(folder, "tag", "v7")
    copied = tmp_path / "copy"
    checkout.copy(folder, checkout.sources(folder), copied)
    assert content(copied) == content(folder)
    assert git(copied, "describe", "--tags", "--long", "--dirty") == f"v7-0-g{head[:7]}"
    assert (copied / "link").is_symlink()


def test_a_copy_of_a_work_tree_of_git_has_its_answers(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "tree", CHECKOUT)
    head = commit(folder)
    git(folder, "worktree", "add", "--quiet", str(tmp_path / "second"))
    copied = tmp_path / "copy"
    checkout.copy(tmp_path / "second", checkout.sources(tmp_path / "second"), copied)
    assert git(copied, "rev-parse", "HEAD") == head


def test_a_repository_is_described_and_another_folder_is_not(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "tree", CHECKOUT)
    assert not checkout.described(folder)
    head = commit(folder)
    assert checkout.described(folder) == head[:7]


def test_what_a_link_leads_to_outside_of_the_tree_is_a_source(tmp_path: Path) -> None:
    outside = lay_out(tmp_path / "outside", {"core.py": "VALUE = 1\n", "package/deep.py": "DEEP = 1\n"})
    folder = lay_out(tmp_path / "checkout", {"pyproject.toml": "", "own.py": ""})
    (folder / "core.py").symlink_to(outside / "core.py")
    (folder / "package").symlink_to(outside / "package")
    (folder / "inside.py").symlink_to("own.py")
    was = content(folder)
    copied = tmp_path / "copied"
    checkout.copy(folder, checkout.sources(folder), copied)
    assert (copied / "core.py").read_text() == "VALUE = 1\n"
    assert (copied / "package/deep.py").read_text() == "DEEP = 1\n"
    assert not (copied / "core.py").is_symlink()
    assert (copied / "inside.py").is_symlink()
    for file, text in (("core.py", "VALUE = 2\n"), ("package/deep.py", "DEEP = 2\n")):
        (outside / file).write_text(text)
        assert content(folder) != was
        was = content(folder)
