"""Which libraries and cases there are: found through the entry-point group ``rankdiff.cases``."""

import difflib
import re
import traceback
from collections.abc import Collection, Iterable, Sequence
from importlib import metadata
from pathlib import Path

from harness.case import AnyCase
from harness.errors import BrokenCasesError, UnknownCaseError
from harness.library import Library

GROUP = "rankdiff.cases"

WORD = re.compile(r"\w[\w.+-]*", re.ASCII)
"""A part of a name, which is a part of the names of files too."""


def libraries() -> list[Library]:
    """Return all libraries that installed projects offer cases for, by name.

    Raises
    ------
    BrokenCasesError
        If an entry point does not load, is no library, or has names that are not words.
    """
    found = [_load(point) for point in metadata.entry_points(group=GROUP)]
    return sorted(found, key=lambda library: library.name)


def select(names: Sequence[str], available: Sequence[Library]) -> list[tuple[Library, tuple[AnyCase, ...]]]:
    """Return the libraries and cases that the names stand for; all of them if there are no names.

    Raises
    ------
    UnknownCaseError
        If a name is neither a library nor a case; the message offers the nearest ones.
    """
    known = {name for library in available for name in (library.name, *(c.name for c in library.cases))}
    verify_known(names, known)
    chosen = set(names) or {library.name for library in available}
    selected = (
        (library, tuple(c for c in library.cases if library.name in chosen or c.name in chosen))
        for library in available
    )
    return [(library, cases) for library, cases in selected if cases]


def verify_known(names: Iterable[str], known: Collection[str], expected: str = "a case or a library") -> None:
    """Refuse names that are not among those that are known.

    Raises
    ------
    UnknownCaseError
        If there are any; the message tells all, and offers the nearest ones.
    """
    unknown = [name for name in dict.fromkeys(names) if name not in known]
    if not unknown:
        return
    by_short_name = {full.partition("/")[2] or full: full for full in known}
    near = [one for name in unknown for one in difflib.get_close_matches(name, [*known, *by_short_name], 3, 0.5)]
    offered = dict.fromkeys(by_short_name.get(one, one) for one in near)
    hint = f"did you mean {' or '.join(offered)}?" if offered else "there is nothing of a like name."
    found = " or ".join(map(repr, unknown))
    raise UnknownCaseError(f"{expected} was expected, not {found}; {hint} `rankdiff cases` lists them all.")


def _load(point: metadata.EntryPoint) -> Library:
    try:
        library = point.load()
    except Exception as error:
        place = _place(point, error)
        advice = "mend it, or remove the project" if place else "reinstall or remove the project that offers it"
        raise BrokenCasesError(
            f"the entry point {point.name} = {point.value} of {GROUP} does not load "
            f"({type(error).__name__}: {error}{place}); {advice}"
        ) from error
    if not isinstance(library, Library):
        raise BrokenCasesError(
            f"the entry point {point.name} = {point.value} of {GROUP} should be a harness.library.Library, "
            f"not a {type(library).__name__}"
        )
    for name in (library.name, *(case.name.removeprefix(f"{library.name}/") for case in library.cases)):
        if not WORD.fullmatch(name):
            raise BrokenCasesError(
                f"the entry point {point.name} = {point.value} of {GROUP} should name its library by a word, and each "
                f"case by that, a slash and a word, of letters, digits and .+_-, not {name!r}"
            )
    return library


def _place(point: metadata.EntryPoint, error: Exception) -> str:
    """Return where the project of an entry point failed: its last line on the way there; nothing if none was run."""
    package = point.module.partition(".")[0]
    lines = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] == package
    ]
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_file():
        lines.append((error.filename, error.lineno or 1))  # of what could not be run, the traceback has no line
    return ", in {}, line {}".format(*lines[-1]) if lines else ""
