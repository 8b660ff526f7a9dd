"""Patches are read by two readers that agree, and applied whole, at exactly their context, or not at all."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import CacheFolderError, PatchError, UnusableError
from harness.printable import listed
from harness.shadow import applying, patch
from harness.shadow.patch import FileChange, Patch

HUNK = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
BEFORE, AFTER = "one\ntwo\nthree\n", "one\n2\nthree\n"

Write = Callable[[str | bytes], Path]
Git = Callable[..., bytes]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a patch."""

    def to_file(text: str | bytes) -> Path:
        path = tmp_path / "fix.patch"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return to_file


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a tree with one file, in which the hunk fits."""
    folder = tmp_path / "tree"
    (folder / "org").mkdir(parents=True)
    (folder / "org/X.java").write_text(BEFORE)
    return folder


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Return a function that runs git in a repository of its own."""
    folder = tmp_path / "upstream"
    folder.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    author = {f"GIT_{who}_{what}": "m@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**kept, **author, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def run(*arguments: str) -> bytes:
        done = subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True)
        return done.stdout

    run("init", "--quiet")
    return run


@pytest.fixture
def commits(git: Git, tmp_path: Path) -> Git:
    """Return git in a repository whose last commit changes, adds, removes, renames, and has odd names."""
    root = tmp_path / "upstream"
    for name, text in {
        "p/x.py": BEFORE,
        "p/gone.py": "gone\n",
        "p/old.py": "a\nb\nc\nd\n",
        'p/ü"q\\.py': "u\n",
    }.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    git("add", "--all")
    git("commit", "--quiet", "--message=first")
    (root / "p/x.py").write_text(AFTER)
    (root / "p/gone.py").unlink()
    (root / "p/old.py").rename(root / "p/renamed.py")
    (root / "p/renamed.py").chmod(0o755)
    (root / "p/new.py").write_text("new\n")
    (root / "p/empty.py").touch()
    (root / 'p/ü"q\\.py').write_text("v\n")
    git("add", "--all")
    git("commit", "--quiet", "--message=second, with a line\n\n--- that looks like a header")
    return git


def names(read: Patch) -> set[tuple[str | None, str | None]]:
    return {(file.old, file.new) for file in read.files}


def refused(path: Path, *expected: str) -> None:
    """Check that a patch is refused, in words that name it and say these things."""
    with pytest.raises(PatchError) as caught:
        patch.read(path)
    for words in (path.name, *expected):
        assert words in str(caught.value)


def refused_by(tree: Path, path: Path, *expected: str, roots: tuple[str, ...] = ("org",)) -> None:
    """Check that a patch is not applied, in words that name it and its tree, and that the tree stays as it is."""
    read = patch.read(path)
    before = contents(tree)
    with pytest.raises(PatchError) as caught:
        applying.apply(read, tree, roots, "lucene 8")
    for words in (path.name, "lucene 8", *expected):
        assert words in str(caught.value)
    assert contents(tree) == before


def contents(tree: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(tree)): path.read_bytes() if path.is_file() else None for path in tree.rglob("*")}


# --- what is read ----------------------------------------------------------------------------------------------

CHANGES = {
    ("p/x.py", "p/x.py"),
    ("p/gone.py", None),
    (None, "p/new.py"),
    (None, "p/empty.py"),
    ("p/old.py", "p/renamed.py"),
    ('p/ü"q\\.py', 'p/ü"q\\.py'),
}


@pytest.mark.parametrize(
    "options",
    [
        ("diff", "HEAD~1"),
        ("-c", "diff.mnemonicPrefix=true", "diff", "HEAD~1"),
        ("-c", "core.quotePath=false", "diff", "HEAD~1"),
        ("diff", "--full-index", "--binary", "HEAD~1"),
        ("diff", "--no-prefix", "HEAD~1"),
        ("format-patch", "--stdout", "-1"),
        ("show",),
    ],
    ids=" ".join,
)
def test_all_that_git_writes_is_read(write: Write, commits: Git, options: tuple[str, ...]) -> None:
    assert names(patch.read(write(commits(*options)))) == CHANGES


def test_a_name_with_a_space_needs_the_usual_sides(write: Write, commits: Git, tmp_path: Path) -> None:
    (tmp_path / "upstream/p/a b.py").write_text("new\n")
    commits("add", "--all")
    assert (None, "p/a b.py") in names(patch.read(write(commits("diff", "HEAD~1"))))
    refused(write(commits("diff", "--no-prefix", "HEAD~1")), "a/ and b/ before names")


@pytest.mark.parametrize(
    "header",
    [
        "--- p/x.py\n+++ p/x.py\n",
        "--- a/p/x.py\n+++ b/p/x.py\n",
        "--- p/x.py\t2024-01-02 03:04:05.000000000 +0100\n+++ p/x.py\t2024-01-02 03:04:06.000000000 +0100\n",
        "--- p/x.py.orig\n+++ p/x.py\n",
        "--- p/x.py\n+++ p/x.py.new\n",
        "diff -ru old/p/x.py new/p/x.py\n--- old/p/x.py\n+++ new/p/x.py\n",
        "diff --git p/x.py p/x.py\nindex 1..2\n--- p/x.py\n+++ p/x.py\n",
        "Only in old/p: y.py\nBinary files old/p/z.pyc and new/p/z.pyc differ\n--- old/p/x.py\n+++ new/p/x.py\n",
    ],
)
def test_the_name_is_found_whatever_wrote_the_header(write: Write, header: str) -> None:
    assert names(patch.read(write(header + HUNK))) == {("p/x.py", "p/x.py")}


def test_a_folder_that_is_called_like_a_side_is_no_side(write: Write) -> None:
    read = patch.read(write(f"--- a/x.py\n+++ a/x.py\n{HUNK}"))
    assert names(read) == {("a/x.py", "a/x.py")}


def test_two_files_at_the_root_are_no_sides(write: Write) -> None:
    read = patch.read(write(f"--- y.py\n+++ x.py\n{HUNK}"))
    assert names(read) == {("x.py", "x.py")}


def test_one_new_file_of_a_tree_without_sides_keeps_its_folder(write: Write) -> None:
    read = patch.read(write("--- /dev/null\n+++ src/x.py\n@@ -0,0 +1 @@\n+one\n"))
    assert names(read) == {(None, "src/x.py")}


def test_a_line_added_to_an_empty_file_does_not_make_it_new(write: Write) -> None:
    read = patch.read(
        write("diff --git a/x.py b/x.py\nindex e69de29..2 100644\n--- a/x.py\n+++ b/x.py\n@@ -0,0 +1 @@\n+1\n")
    )
    assert names(read) == {("x.py", "x.py")}


def test_every_form_of_a_quoted_name_is_decoded(write: Write) -> None:
    quoted = r"""\a\b\f\n\r\t\v\"\\\303\274\377"""
    read = patch.read(write(f'--- "a/{quoted}"\n+++ "b/{quoted}"\n{HUNK}'))
    assert [file.name for file in read.files] == ['\a\b\f\n\r\t\v"\\ü\udcff']


def test_hunks_know_their_place_in_file_and_diff(write: Write) -> None:
    read = patch.read(
        write(f"From: me\n\n--- a/x\n+++ b/x\n{HUNK}@@ -10 +10 @@\n-a\n\\ No newline at end of file\n+b\n")
    )
    [file] = read.files
    assert [(hunk.start, list(hunk.body)) for hunk in file.hunks] == [(1, [5, 6, 7, 8]), (10, [10, 11, 12])]


def test_modes_are_read_as_git_reads_them(write: Write) -> None:
    read = patch.read(
        write("diff --git a/x b/x\nold mode 100644\nnew mode 0100755 \ndiff --git a/y b/y\nnew file mode 120000\n")
    )
    assert [(file.modes, file.is_regular, file.is_mode_only) for file in read.files] == [
        (("100644", "0100755"), True, True),
        (("120000",), False, False),
    ]


def test_names_of_a_file_are_given_once_each() -> None:
    renamed = FileChange("a", "b", (), is_binary=False, hunks=())
    changed = FileChange("a", "a", (), is_binary=False, hunks=())
    assert (renamed.names, renamed.name, changed.names, changed.name) == (("a", "b"), "b", ("a",), "a")


# --- what is no patch ------------------------------------------------------------------------------------------


def test_a_patch_that_is_not_there_is_refused(tmp_path: Path) -> None:
    refused(tmp_path / "absent.patch", "cannot be read", "No such file", "git diff")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    refused(tmp_path, "cannot be read", "directory")


def test_a_path_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(PatchError, match="cannot be read"):
        patch.read(Path("\0"))


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_patch_is_refused(write: Write, text: str) -> None:
    refused(write(text), "is empty", "git diff")


def test_a_huge_patch_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patch, "LIMIT", 2_000_000)
    refused(write(b"x" * 2_000_001), "more than 2 MB")


def test_a_patch_of_the_largest_size_is_read(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"--- a/x\n+++ b/x\n{HUNK}"
    monkeypatch.setattr(patch, "LIMIT", len(text))
    assert names(patch.read(write(text))) == {("x", "x")}


def test_a_patch_in_utf_16_is_refused_with_the_way_to_write_it(write: Write) -> None:
    refused(write(f"--- a/x\n+++ b/x\n{HUNK}".encode("utf-16")), "UTF-16", "--output")


@pytest.mark.parametrize("text", ["Hello.\n", "\0\1\2", "<html>\n", "--- a/x\n+++ b/x\n"])
def test_what_is_no_diff_is_refused(write: Write, text: str) -> None:
    refused(write(text), "git diff")


@pytest.mark.parametrize(
    "text",
    [
        f"--- a/x\n+++ b/x\n{HUNK[:-8]}",  # cut short
        f"--- a/x\n+++ b/x\n{HUNK}@@ -9{'9' * 5000} +1 @@\n",  # a line number of 5,000 digits
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n*two\n",
    ],
)
def test_a_damaged_diff_is_refused(write: Write, text: str) -> None:
    refused(write(text), "cannot be read as a unified diff")


def test_a_diff_that_only_git_finds_damaged_is_refused(write: Write) -> None:
    header = "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..bdc955b\nGIT binary patch\nliteral 2\n"
    refused(
        write(header + "JcmZQzU|;|M00aO5\n\nliteral 0\nHcmV?d00001\n\n"), "damaged", "'corrupt binary patch at line 7"
    )


def test_a_word_that_binary_files_differ_is_no_patch(write: Write) -> None:
    refused(write("Binary files old/x.so and new/x.so differ\n"), "only says that binary files differ")


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../x", "p/../../x", "p/./x", "p//x", ".git/hooks/pre-commit", "p/.GIT/config", r"p/\000x"],
)
def test_a_name_outside_of_the_tree_is_refused(write: Write, name: str) -> None:
    raw = f'"{name}"' if "\\" in name else name
    refused(write(f"--- {raw}\n+++ {raw}\n{HUNK}"), "relative to upstream's root")


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", ".git/config"])
def test_a_name_outside_of_the_tree_is_refused_behind_sides_too(write: Write, name: str) -> None:
    refused(write(f"--- a/{name}\n+++ b/{name}\n{HUNK}"), "relative to upstream's root")


def test_a_rename_from_outside_of_the_tree_is_refused(write: Write) -> None:
    text = "diff --git a/../x b/x\nsimilarity index 100%\nrename from ../x\nrename to x\n"
    refused(write(text), "relative to upstream's root")


def test_two_readings_that_differ_are_refused(write: Write) -> None:
    # Without a tab, a date is a part of the name to unidiff, and none to git.
    date = "2024-01-02 03:04:05.000000000 +0100"
    refused(write(f"--- x.py {date}\n+++ x.py {date}\n{HUNK}"), "ambiguous", "x.py 2024", "x.py to git")


def test_what_a_terminal_would_obey_is_escaped_in_messages(write: Write) -> None:
    path = write(f"--- a/\x1b[2J/../x\n+++ b/\x1b[2J/../x\n{HUNK}")
    with pytest.raises(PatchError) as caught:
        patch.read(path)
    assert r"\x1b[2J" in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_folder_holds_what_is_below_it_and_itself() -> None:
    below = {name: patch.is_below(name, ["net", "org/a"]) for name in ("org/a", "org/a/b", "org/ab", "org", "net2")}
    assert below == {"org/a": True, "org/a/b": True, "org/ab": False, "org": False, "net2": False}


def test_a_list_of_names_is_short() -> None:
    assert listed("abcdefg") == "a, b, c, d, e and 2 more"
    assert listed(["a", "b\n", "a"]) == r"a, b\n"


# --- what is applied -------------------------------------------------------------------------------------------

PATCH = f"--- a/org/X.java\n+++ b/org/X.java\n{HUNK}"


def applied(tree: Path, path: Path, *roots: str) -> str:
    applying.apply(patch.read(path), tree, roots or ("org",), "lucene 8")
    return (tree / "org/X.java").read_bytes().decode()


@pytest.mark.parametrize("root", ["org", "org/X.java"])
def test_a_patch_is_applied_to_a_folder_or_a_file(tree: Path, write: Write, root: str) -> None:
    assert applied(tree, write(PATCH), root) == AFTER


def test_a_patch_without_sides_is_applied(tree: Path, write: Write) -> None:
    assert applied(tree, write(PATCH.replace("a/", "").replace("b/", ""))) == AFTER


def test_context_may_be_at_another_line(tree: Path, write: Write) -> None:
    (tree / "org/X.java").write_text("zero\n" * 12 + BEFORE)
    assert applied(tree, write(PATCH.replace("@@ -1,3 +1,3 @@", "@@ -3,3 +3,3 @@"))) == "zero\n" * 12 + AFTER


def test_context_has_to_be_there_as_it_is(tree: Path, write: Write) -> None:
    (tree / "org/X.java").write_text(BEFORE.replace("three", "four"))
    refused_by(
        tree, write(PATCH), "org/X.java, hunk 1 of 1, at line 1", "    one\n    two\n    three\nand they are not there"
    )


def test_the_hunk_that_does_not_fit_is_named(tree: Path, write: Write) -> None:
    second = "@@ -30,2 +30,2 @@\n three\n-\tfour\u202e\n+4\n"
    refused_by(
        tree, write(PATCH + second), "hunk 2 of 2, at line 30", "    three\n    \\tfour\\u202e\n", "make it against"
    )


def test_a_long_context_is_shortened(tree: Path, write: Write) -> None:
    absent = "".join(f" line {n}\n" for n in range(20))
    refused_by(
        tree, write(f"--- a/org/X.java\n+++ b/org/X.java\n@@ -1,20 +1,21 @@\n{absent}+new\n"), "line 11\n    ...\n"
    )


def test_one_file_that_does_not_fit_stops_the_others(tree: Path, write: Write) -> None:
    (tree / "org/Y.java").write_text("other\n")
    refused_by(tree, write(PATCH + PATCH.replace("X", "Y")), "org/Y.java, hunk 1 of 1")


def test_a_patch_that_is_applied_already_is_called_so(tree: Path, write: Write) -> None:
    (tree / "org/X.java").write_text(AFTER)
    refused_by(tree, write(PATCH), "already applied")


def test_a_file_that_is_not_there_is_named(tree: Path, write: Write) -> None:
    refused_by(tree, write(PATCH.replace("X", "Y")), "org/Y.java, which is not there")


def test_a_new_file_that_is_there_is_named(tree: Path, write: Write) -> None:
    new = "--- /dev/null\n+++ b/org/X.java\n@@ -0,0 +1 @@\n+other\n"
    refused_by(tree, write(new), "adds org/X.java, which is there already")


def test_what_is_outside_of_the_roots_is_left_alone(tree: Path, write: Write) -> None:
    (tree / "X.java").write_text(BEFORE)
    link = "diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+/etc\n"
    picture = "diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n"
    assert applied(tree, write(f"{PATCH}{PATCH.replace('org/', '')}{link}{picture}")) == AFTER
    assert contents(tree) == {"org": None, "org/X.java": AFTER.encode(), "X.java": BEFORE.encode()}


@pytest.mark.parametrize("root", ["org", "o*g"])
def test_a_root_is_no_pattern_and_no_beginning_of_a_name(tree: Path, write: Write, root: str) -> None:
    folders = ("org", "o*g", "org2")
    for folder in folders:
        (tree / folder).mkdir(exist_ok=True)
        (tree / folder / "X.java").write_text(BEFORE)
    text = "".join(PATCH.replace("org", folder) for folder in folders)
    applying.apply(patch.read(write(text)), tree, [root], "lucene 8")
    assert [folder for folder in folders if (tree / folder / "X.java").read_text() == AFTER] == [root]


def test_a_patch_of_other_files_is_refused(tree: Path, write: Write) -> None:
    refused_by(tree, write(PATCH.replace("org", "net")), "changes nothing of lucene 8", "net/X.java")


@pytest.mark.parametrize(("old", "new"), [("org/X.java", "docs/X.java"), ("docs/X.java", "org/Y.java")])
def test_a_rename_over_the_border_is_refused(tree: Path, write: Write, old: str, new: str) -> None:
    text = f"diff --git a/{old} b/{new}\nsimilarity index 100%\nrename from {old}\nrename to {new}\n"
    refused_by(tree, write(text), f"moves {old} to {new}", "--no-renames")


@pytest.mark.parametrize("mode", ["120000", "160000", "0120000", " 120000", "120000 ", "+120000"])
def test_links_and_submodules_are_refused(tree: Path, write: Write, mode: str) -> None:
    text = f"diff --git a/org/l b/org/l\nnew file mode {mode}\n--- /dev/null\n+++ b/org/l\n@@ -0,0 +1 @@\n+/etc\n"
    with pytest.raises(PatchError, match=r"symbolic link or a submodule|damaged|cannot be read"):
        applying.apply(patch.read(write(text)), tree, ["org"], "lucene 8")
    assert contents(tree) == {"org": None, "org/X.java": BEFORE.encode()}


@pytest.mark.parametrize("options", [(), ("--binary",)], ids=["named", "given"])
def test_binary_changes_are_refused(
    tree: Path, write: Write, commits: Git, tmp_path: Path, options: tuple[str, ...]
) -> None:
    (tmp_path / "upstream/org").mkdir()
    (tmp_path / "upstream/org/x.bin").write_bytes(b"\0\1")
    commits("add", "--all")
    refused_by(tree, write(commits("diff", *options, "HEAD")), "org/x.bin, which is binary")


def test_a_change_of_modes_alone_is_refused(tree: Path, write: Write) -> None:
    text = "diff --git a/org/X.java b/org/X.java\nold mode 100644\nnew mode 100755\n"
    refused_by(tree, write(text), "only the mode of org/X.java")


def test_a_change_of_a_mode_beside_another_is_applied(tree: Path, write: Write) -> None:
    (tree / "org/Y.java").write_text("")
    mode = "diff --git a/org/Y.java b/org/Y.java\nold mode 100644\nnew mode 100755\n"
    assert applied(tree, write(mode + f"diff --git a/org/X.java b/org/X.java\n{PATCH}")) == AFTER


def test_a_name_that_cannot_be_printed_is_refused(tree: Path, write: Write) -> None:
    new = '--- /dev/null\n+++ "b/org/\\033[2J.java"\n@@ -0,0 +1 @@\n+other\n'
    refused_by(tree, write(new), r"org/\x1b[2J.java, whose name cannot be printed")


def test_names_with_spaces_quotes_and_letters_beyond_ascii_are_applied(tree: Path, write: Write) -> None:
    new = '--- /dev/null\n+++ "b/org/a \\"\\\\\\303\\274.java"\n@@ -0,0 +1 @@\n+other\n'
    applying.apply(patch.read(write(new)), tree, ["org"], "lucene 8")
    assert (tree / 'org/a "\\ü.java').read_text() == "other\n"


# --- line ends -------------------------------------------------------------------------------------------------


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def test_a_patch_that_was_saved_with_crlf_fits_a_file_with_lf(tree: Path, write: Write) -> None:
    assert applied(tree, write(crlf(PATCH))) == AFTER


def test_a_faithful_patch_fits_a_file_with_crlf(tree: Path, write: Write) -> None:
    (tree / "org/X.java").write_bytes(crlf(BEFORE).encode())
    header, at, body = PATCH.partition("@@ -1,3 +1,3 @@\n")
    assert applied(tree, write(header + at + crlf(body))) == crlf(AFTER)


def test_a_patch_that_was_saved_with_crlf_fits_each_file_as_it_is(tree: Path, write: Write) -> None:
    (tree / "org/Y.java").write_bytes(crlf(BEFORE).encode())
    new = "--- /dev/null\n+++ b/org/Z.java\n@@ -0,0 +1 @@\n+other\n"
    assert applied(tree, write(crlf(PATCH + PATCH.replace("X", "Y") + new))) == AFTER
    assert (tree / "org/Y.java").read_bytes() == crlf(AFTER).encode()
    assert (tree / "org/Z.java").read_bytes() == b"other\n"


def test_a_patch_with_lf_for_a_file_with_crlf_is_refused_with_the_reason(tree: Path, write: Write) -> None:
    (tree / "org/X.java").write_bytes(crlf(BEFORE).encode())
    refused_by(tree, write(PATCH), "these lines with LF, and the file has CRLF")


# --- git -------------------------------------------------------------------------------------------------------


def test_the_repository_around_a_tree_does_not_matter(tree: Path, write: Write, git: Git, tmp_path: Path) -> None:
    inside = tmp_path / "upstream/cache/tree"
    shutil.copytree(tree, inside)
    git("add", "--all")
    assert applied(inside, write(PATCH)) == AFTER


def test_how_git_is_configured_does_not_matter(
    tree: Path, write: Write, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("config", "core.bare", "false")
    home = tmp_path / "home"
    (home / "git").mkdir(parents=True)
    (home / ".gitconfig").write_text("[apply]\nwhitespace = fix\n[core]\nautocrlf = true\neol = crlf\n")
    (home / "git/attributes").write_text("* text eol=crlf\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "upstream/.git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    assert applied(tree, write(PATCH.replace("+2\n", "+2  \n"))) == AFTER.replace("2", "2  ")


def test_without_git_the_next_step_is_to_install_it(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(PATCH)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UnusableError, match="install git"):
        patch.read(path)


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, last: str) -> None:
    """Put a git first on the path that reads and checks as git does, and then does something else."""
    folder.mkdir()
    script = folder / "git"
    real = shutil.which("git")
    script.write_text(f'#!/bin/sh\ncase "$*" in *--check*|*--numstat*) exec {real} "$@" ;; esac\n{last}\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_a_git_that_skips_a_patch_is_not_believed(
    tree: Path, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path / "bin", monkeypatch, "exit 0")
    with pytest.raises(UnusableError, match="skipped a part"):
        applied(tree, write(PATCH))


def test_a_full_disk_is_not_blamed_on_the_patch(
    tree: Path, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path / "bin", monkeypatch, "echo 'error: unable to write file: No space left on device' >&2; exit 1")
    with pytest.raises(CacheFolderError, match=re.escape("No space left on device")):
        applied(tree, write(PATCH))
