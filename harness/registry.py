"""Which libraries and cases there are: found through the entry-point group ``rankdiff.cases``."""

import difflib
import re
from collections.abc import Iterable, Sequence
from importlib import metadata

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
    for name in names:
        if name not in known:
            raise UnknownCaseError(_unknown(name, known))
    chosen = set(names) or {library.name for library in available}
    selected = (
        (library, tuple(c for c in library.cases if library.name in chosen or c.name in chosen))
        for library in available
    )
    return [(library, cases) for library, cases in selected if cases]


def _unknown(name: str, known: Iterable[str]) -> str:
    by_short_name = {full.partition("/")[2] or full: full for full in known}
    near = difflib.get_close_matches(name, [*known, *by_short_name], n=3, cutoff=0.5)
    names = dict.fromkeys(by_short_name.get(one, one) for one in near)
    hint = f"did you mean {' or '.join(names)}?" if names else "there is nothing of a like name."
    return f"a case or a library was expected, not {name!r}; {hint} `rankdiff cases` lists them all."


def _load(point: metadata.EntryPoint) -> Library:
    try:
        library = point.load()
    except Exception as error:
        raise BrokenCasesError(
            f"the entry point {point.name} = {point.value} of {GROUP} does not load "
            f"({type(error).__name__}: {error}); reinstall or remove the project that offers it"
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
