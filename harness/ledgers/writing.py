"""Write changes into a ledger: its comments and its order are kept, and what was written is read back first."""

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Table

from harness.errors import AcceptError, BrokenLedgerError
from harness.ledger import HEADER, Count, Entry, Ledger, read
from harness.ledgers.changes import Change, shown_versions


def rendered(entry: Entry) -> str:
    """Return an entry as TOML, in the way in which ledgers are written."""
    fix = ", ".join(_text(path.relative_to(entry.path.parent).as_posix()) for path in entry.fix)
    beyond = ", ".join(map(_text, entry.beyond))
    lines = [
        "[[known]]",
        f"case = {_text(entry.case)}",
        f"versions = {_text(shown_versions(entry.versions))}",
        f"cause = {_text(entry.cause)}",
        *(_words(entry) if entry.says else []),
        *([f"fix = [{fix}]"] if fix else []),
        *([f"beyond = [{beyond}]"] if beyond else []),
        _counts(entry.counts),
    ]
    return "\n".join(lines) + "\n"


def write(ledger: Ledger, changes: Sequence[Change]) -> None:
    """Write changes into a ledger, whole or not at all.

    Raises
    ------
    AcceptError
        If it cannot be written, was changed meanwhile, or would not say what was meant.
    """
    try:
        with ledger.path.open(encoding="utf-8", newline="") as file:
            before = file.read()
        if read(ledger.path) != ledger:
            raise AcceptError(f"{ledger.path} was changed meanwhile; nothing was written: run the same again")
        ending = "\r\n" if "\r\n" in before else "\n"
        after = changed(before.replace("\r\n", "\n"), ledger, changes).replace("\n", ending)
        _replace(ledger.path.resolve(), after, _meant(ledger, changes))
    except (OSError, UnicodeDecodeError) as error:
        raise AcceptError(f"{ledger.path} cannot be written ({error}); nothing was changed") from error
    except (BrokenLedgerError, TOMLKitError) as error:
        raise AcceptError(f"{ledger.path} would not be in order any more ({error}); nothing was changed") from error


def changed(text: str, ledger: Ledger, changes: Sequence[Change]) -> str:
    """Return the text of a ledger with changes in it."""
    for change in sorted(changes, key=lambda one: one.before.line if one.before else 0, reverse=True):
        if change.before and change.after is None:
            text = _without(text, change.before)
    left = [entry for entry in ledger.entries if not any(c.before == entry and c.after is None for c in changes)]
    document = tomlkit.parse(text)
    known = document.get("known")
    for change in changes:
        if change.before and change.after and isinstance(known, AoT):
            _update(known[left.index(change.before)], change.before, change.after, change.note)
    added = [rendered(change.after) for change in changes if change.before is None and change.after]
    return "\n".join([tomlkit.dumps(document).rstrip("\n") + "\n", *added])


def _meant(ledger: Ledger, changes: Sequence[Change]) -> list[Entry]:
    """Return the entries that the ledger should have."""
    by_line = {change.before.line: change.after for change in changes if change.before}
    kept = (by_line.get(entry.line, entry) for entry in ledger.entries)
    added = (change.after for change in changes if change.before is None)
    return [entry for entry in (*kept, *added) if entry]


def _replace(path: Path, text: str, meant: Iterable[Entry]) -> None:
    """Write a text in place of a ledger, where it holds the entries that were meant."""
    # It is read where it will be: patches are named beside it.
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", newline="", dir=path.parent, suffix=".toml", delete=False
    ) as file:
        written = Path(file.name)
        file.write(text)
    try:
        if list(map(_said, read(written).entries)) != list(map(_said, meant)):
            raise AcceptError(f"{path} would not say what was meant; nothing was changed: write it by hand")
        shutil.copymode(path, written)
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)


def _said(entry: Entry) -> Entry:
    """Return an entry without where it stands."""
    counts = tuple(Count(one.domain, dict(one.parameters), dict(one.mismatches)) for one in entry.counts)
    return replace(entry, counts=counts, path=Path(), line=0)


def _update(table: Table, before: Entry, after: Entry, note: str) -> None:
    """Change an entry in place."""
    if after.versions != before.versions:
        table["versions"] = shown_versions(after.versions)
        if note:
            trivia = table["versions"].trivia
            trivia.comment = "# " + "; ".join(filter(None, [trivia.comment.lstrip("# "), note]))
            trivia.comment_ws = trivia.comment_ws or "  "
    for key in ("upstream", "says", "review"):
        if getattr(after, key) != getattr(before, key):
            table[key] = getattr(after, key)
    if after.counts != before.counts:
        table["counts"] = tomlkit.parse(_counts(after.counts))["counts"]


def _without(text: str, entry: Entry) -> str:
    """Return a text without an entry, and with the comments before the next one."""
    lines = text.splitlines(keepends=True)
    first = entry.line - 1
    starts = (i for i in range(first + 1, len(lines)) if HEADER.match(lines[i]))
    end = next(starts, len(lines))
    while end > first + 1 and re.match(r"\s*(#|$)", lines[end - 1]):
        end -= 1
    return "".join([*lines[:first], *lines[end:]])


def _words(entry: Entry) -> list[str]:
    """Return what a person says of it; an entry that is only proposed has no such words yet."""
    return [
        f"upstream = {_text(entry.upstream)}",
        f"says = {_text(entry.says)}",
        f"review = {entry.review.isoformat()}",
    ]


def _counts(counts: Iterable[Count]) -> str:
    return "\n".join(["counts = [", *(f"    {line}," for line in map(_count, counts)), "]"])


def _count(count: Count) -> str:
    parameters = _inline((key, str(n) if isinstance(n, int) else _text(n)) for key, n in count.parameters.items())
    mismatches = _inline((str(size), str(n)) for size, n in count.mismatches.items())
    return f"{{ domain = {_text(count.domain)}, parameters = {parameters}, mismatches = {mismatches} }}"


def _inline(pairs: Iterable[tuple[str, str]]) -> str:
    inside = ", ".join(f"{tomlkit.key(key).as_string()} = {value}" for key, value in pairs)
    return f"{{ {inside} }}" if inside else "{}"


def _text(value: str) -> str:
    return tomlkit.string(value).as_string()


def shown(change: Change) -> Iterator[str]:
    """Yield the lines that tell a person of a change."""
    if change.before is None and change.after:
        yield f"{change.why}; a new entry:"
        yield from (f"    {line}" for line in rendered(change.after).splitlines())
    elif change.before and change.after is None:
        yield f"{change.why}; no version is left for the entry of line {change.before.line}, which is removed:"
        yield f"    {change.before.case}: {change.before.cause} ({shown_versions(change.before.versions)})"
    elif change.before and change.after:
        yield f"{change.why}; the entry of line {change.before.line} becomes:"
        yield from (f"    {line}" for line in rendered(change.after).splitlines())
        if change.note:
            yield f"    with a note on its end: {change.note}"
