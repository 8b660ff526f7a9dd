"""Apply a patch to files and folders of a tree, by ``git apply``: all of it, or nothing."""

import errno
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from harness import cache
from harness.errors import PatchError, UnusableError
from harness.printable import listed, printable
from harness.shadow import git
from harness.shadow.patch import STEP, FileChange, Patch, has_crlf, is_below

CONTEXT = 12
"""Lines of context that a message shows."""

NOT_THE_PATCH = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)
"""Why a file cannot be written, whatever a patch says."""


def apply(patch: Patch, tree: Path, roots: Sequence[str], title: str) -> None:
    """Apply a patch to files and folders of a tree.

    Context lines have to be there as they are, at their line or at another. Nothing is changed unless all of it fits;
    what git finds in the way only while it writes leaves a part, so the tree has to be a copy.

    Parameters
    ----------
    patch
        What to apply.
    tree
        A folder whose files have the names that the patch gives them.
    roots
        The files and folders that it applies to, relative to the tree; whatever else it changes is ignored.
    title
        What messages call the tree, such as ``doubler 1.0``.

    Raises
    ------
    PatchError
        If it does not apply, or what it does is more than a change of texts.
    UnusableError
        If git is not there, or does not do what it should.
    CacheFolderError
        If the tree cannot be written.
    """
    included = [file for file in patch.files if any(is_below(name, roots) for name in file.names)]
    _refuse_unfit(patch, included, roots, title)
    text = patch.for_tree(tree)
    command = [f"-p{patch.strip}", "-v", "--whitespace=nowarn", *(f"--include={p}" for p in _patterns(roots))]
    tried = git.apply(tree, text, "--check", *command)
    if tried.returncode:
        undone = git.apply(tree, text, "--check", "--reverse", *command)
        raise _already(patch, title) if not undone.returncode else _refusal(patch, tree, title, git.words(tried.stderr))
    done = git.apply(tree, text, *command)
    if done.returncode and any(os.strerror(code) in git.words(done.stderr) for code in NOT_THE_PATCH):
        raise cache.unwritable(tree, OSError(errno.EIO, f"git apply: {printable(git.words(done.stderr).strip())}"))
    if done.returncode:
        raise _refusal(patch, tree, title, git.words(done.stderr))
    if done.stderr.count(b"Applied patch ") < len(included):
        raise UnusableError(
            f"git should have applied {patch.title} to {title}, and skipped a part of it; "
            "see that git is git 2.32 or newer, outside of any work tree"
        )


def _refuse_unfit(patch: Patch, included: Sequence[FileChange], roots: Sequence[str], title: str) -> None:
    """Raise PatchError for what is more, or less, than a change of texts."""
    if not included:
        names = listed(file.name for file in patch.files)
        raise PatchError(f"{patch.title} changes nothing of {title}: it changes {names}")
    for file in included:
        moved = not all(is_below(name, roots) for name in file.names)
        if moved:
            what, step = (
                f"moves {file.old} to {file.new}, over the border of {title}",
                "make it with git diff --no-renames",
            )
        elif not all(name.isprintable() for name in file.names):
            what, step = f"has a file {file.name}, whose name cannot be printed", "give the file another name"
        elif not file.is_regular:
            what, step = (
                f"makes {file.name} a symbolic link or a submodule",
                "a shadow has ordinary files: give its text",
            )
        elif file.is_binary:
            what, step = f"changes {file.name}, which is binary", "give the sources alone"
        else:
            continue
        raise PatchError(f"{patch.title} cannot be tried on {title}: it {printable(what)}; {step}")
    if all(file.is_mode_only for file in included):
        names = listed(file.name for file in included)
        raise PatchError(f"{patch.title} changes only the mode of {names} in {title}; {STEP} of their text")


def _patterns(roots: Iterable[str]) -> Iterable[str]:
    """Yield git's patterns for files and folders."""
    for root in roots:
        literal = re.sub(r"([\\*?\[\]])", r"\\\1", root)
        yield from (literal, f"{literal}/*")


def _already(patch: Patch, title: str) -> PatchError:
    """Return what to raise for a patch that can be taken back."""
    return PatchError(
        f"{patch.title} is already applied: {title} has what it adds and lacks what it removes; "
        "name a release without it, or give each patch once"
    )


def _refusal(patch: Patch, tree: Path, title: str, words: str) -> PatchError:
    """Return what to raise for a patch that git refuses, by what it says."""
    start = f"{patch.title} does not apply to {title}: "
    step = f"make it against {title}, or name the release that it was made for"
    failed = re.search(r"^error: patch failed: (.*):(\d+)$", words, re.MULTILINE)
    if failed:
        name, line = failed[1], int(failed[2])
        hunks = [hunk.start for file in patch.files if file.old == name for hunk in file.hunks]
        which = f"hunk {hunks.index(line) + 1} of {len(hunks)}" if line in hunks else "a hunk"
        ends = " with LF, and the file has CRLF" if has_crlf(tree / name) and b"\r\n" not in patch.data else ""
        return PatchError(
            f"{start}{printable(name)}, {which}, at line {line}, expects these lines{ends}\n{_context(words)}\n"
            f"and they are not there; {step}"
        )
    absent = re.search(r"^error: (.*): No such file or directory$", words, re.MULTILINE)
    if absent:
        return PatchError(f"{start}it changes {printable(absent[1])}, which is not there; {step}")
    there = re.search(r"^error: (.*): already exists in working directory$", words, re.MULTILINE)
    if there:
        return PatchError(f"{start}it adds {printable(there[1])}, which is there already; {step}")
    said = next((line for line in words.splitlines() if line.startswith(("error: ", "fatal: "))), words[:200])
    return PatchError(f"{start}git says {printable(said.partition(': ')[2])}; {step}")


def _context(words: str) -> str:
    """Return the lines that git was looking for, indented."""
    _, _, after = words.partition("error: while searching for:\n")
    lines = after.partition("\nerror: patch failed")[0].removesuffix("\n").split("\n")
    shown = [f"    {printable(line)[:200]}" for line in lines[:CONTEXT]]
    return "\n".join(shown + ["    ..."] * (len(lines) > CONTEXT))
