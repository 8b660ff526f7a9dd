"""The library whose cases a subject that the user names is tested with, and that subject as its installation."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from packaging.utils import canonicalize_name

from harness.environments.environment import Wanted, obtain
from harness.environments.requirement import distribution_name
from harness.errors import UnknownCaseError
from harness.installation import Finder, Installation
from harness.library import Library, Mode
from harness.progress import Progress


def library_at(available: Sequence[Library], wanted: Wanted, names: Collection[str], progress: Progress) -> Library:
    """Return the library that a wanted subject is a version of; the subject is installed when it is first looked for.

    Modes that run something else, and the cases about those alone, are left out.

    Parameters
    ----------
    names
        The cases and libraries that the user named, if any.

    Raises
    ------
    BadRequirementError
        If it is no requirement.
    UnknownCaseError
        If there are no cases for it, or it does not say what it is and no library is named.
    """
    distribution = distribution_name(wanted.spec)
    named = {name.partition("/")[0] for name in names}
    having = [(library, modes) for library in available if (modes := _modes(library, distribution))]
    fitting = [(library, modes) for library, modes in having if not named or library.name in named]
    match fitting:
        case [(library, modes)]:
            return _at(library, modes, wanted, progress)
        case []:
            about = distribution or "it"
            tested = ", ".join(sorted({mode.distribution for library in available for mode in _modes(library, None)}))
            among = f" among the cases of {' and '.join(sorted(named))}" if named and having else ""
            raise UnknownCaseError(
                f"a subject that there are cases for was expected ({tested}), not {wanted.spec!r}: "
                f"there is none about {about}{among}"
            )
        case _:
            names_of = " or ".join(library.name for library, _ in fitting)
            example = fitting[0][1][0].distribution
            raise UnknownCaseError(
                f"{wanted.spec!r} does not say which library it is; name {names_of} too, or its distribution before "
                f"it, as in {f'{example} @ {wanted.spec}'!r}"
            )


def _modes(library: Library, distribution: str | None) -> list[Mode]:
    """Return the modes that run a distribution; those that run any, if none is named."""
    return [
        mode
        for mode in library.modes
        if mode.is_distribution and distribution in {None, canonicalize_name(mode.distribution)}
    ]


def _at(library: Library, modes: Sequence[Mode], wanted: Wanted, progress: Progress) -> Library:
    @cache
    def installed(distribution: str) -> Installation:
        mode = next(mode for mode in modes if mode.distribution == distribution)
        return obtain(wanted, mode, library, progress)

    def finder(distribution: str) -> Finder:
        return lambda: [installed(distribution)]

    found = tuple(replace(mode, find=finder(mode.distribution)) for mode in modes)
    about = tuple(case for case in library.cases if any(case.is_about(mode.name) for mode in found))
    others = tuple(case for case in library.cases if not any(case.is_about(mode.name) for mode in found))
    return replace(library, modes=found, cases=about, elsewhere=others)
