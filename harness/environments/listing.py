"""The environments in the cache, as a person and a program read them."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from harness.environments.kept import Kept, Removed
from harness.jsontypes import Json
from harness.terminal import columns, counted
from harness.version import VERSION

SCHEMA = 1
UNITS = ("B", "kB", "MB", "GB", "TB")


def document(there: Sequence[Kept]) -> dict[str, Json]:
    """Return what ``--json`` prints of a list."""
    return {"schema": SCHEMA, "rankdiff": VERSION, "environments": [one.to_json() for one in there]}


def removed_document(removed: Sequence[Removed]) -> dict[str, Json]:
    """Return what ``--json`` prints of a removal."""
    return {
        "schema": SCHEMA,
        "rankdiff": VERSION,
        "removed": [one.environment.to_json() for one in removed if not one.reason],
        "left": [{**one.environment.to_json(), "reason": one.reason} for one in removed if one.reason],
    }


def lines(there: Sequence[Kept]) -> Iterator[str]:
    """Yield the lines of a list."""
    if not there:
        yield "There are no environments."
        return
    rows = [("name", "installed", "Python", "size", "of its own", "made", "last used")]
    rows += [
        (one.name, _installed(one), one.python, _size(one.size), _size(one.own), _day(one.created), _day(one.used))
        for one in there
    ]
    yield from columns(rows, indent="")
    yield ""
    many, own = counted(len(there), "environment"), _size(sum(one.own for one in there))
    yield f"{many}; removing them frees {own}: the rest is shared with an installer's cache."
    yield "Next: rankdiff environments --remove NAME ..., or --all, or --unused-for 30"


def removed_lines(removed: Sequence[Removed]) -> Iterator[str]:
    """Yield the lines of a removal."""
    for one in removed:
        what = f"{one.environment.name}  {_installed(one.environment)}"
        yield f"left     {what}: {one.reason}" if one.reason else f"removed  {what}"
    gone = [one.environment for one in removed if not one.reason]
    yield f"{counted(len(gone), 'environment')} removed, {_size(sum(one.own for one in gone))} freed."


def _installed(one: Kept) -> str:
    """Return what was installed: where it is on this machine, or the requirement, with a version that this lacks."""
    if not one.requirement:
        return "not whole"
    version = "" if f"=={one.version}" in one.requirement else f" ({one.version})"
    return ", ".join([f"{one.source or one.requirement}{version}", *one.beside])


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def _size(count: int) -> str:
    size, unit = float(count), 0
    while size >= 1000 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.0f} {UNITS[unit]}" if unit < 3 else f"{size:.1f} {UNITS[unit]}"
