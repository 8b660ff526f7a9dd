"""The matrix: what a user asks of the releases of a library, and what they showed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from packaging.version import Version

from harness.case import AnyCase
from harness.errors import UnknownModeError
from harness.library import Library, Mode
from harness.releases import index, kept
from harness.releases.changes import NOT_LOOKED_AT, Change, Offer, Row, changes, offers
from harness.releases.code import code
from harness.releases.outcome import Outcome, confirmed
from harness.releases.running import How

Cells = Mapping[tuple[Version, str], Outcome]


@dataclass(frozen=True, slots=True)
class Question:
    """What a user wants to know.

    Attributes
    ----------
    mode
        The mode that fills the matrix.
    first, last
        The releases between which it is filled, both included.
    pre
        Whether pre-releases are in it.
    bisect
        Whether only as many releases are run as are needed to find each change.
    again
        Whether what is kept is run again.
    """

    library: Library
    cases: tuple[AnyCase, ...]
    mode: Mode
    first: Version | None = None
    last: Version | None = None
    pre: bool = False
    bisect: bool = False
    again: bool = False
    how: How = field(default_factory=How)

    @property
    def counting(self) -> Mode | None:
        """The mode whose word counts, where that is another one than fills the matrix."""
        if self.mode.is_counted:
            return None
        return next((mode for mode in _modes(self.library) if mode.is_counted), None)

    def holds(self, version: Version) -> bool:
        """Return whether a release is asked for: one in the range, and no pre-release unless these are, too."""
        if version.is_prerelease and not self.pre:
            return False
        return (self.first is None or self.first <= version) and (self.last is None or version <= self.last)


@dataclass(frozen=True, slots=True)
class Matrix:
    """What releases showed.

    Attributes
    ----------
    releases
        Those of the range, ascending, whether they were looked at or not.
    is_whole
        Whether no release is before the range.
    cells
        By release and case. Where the mode that counts was asked, it is its outcome.
    obstacles
        What kept it from being whole.
    """

    question: Question
    releases: tuple[Version, ...]
    is_whole: bool
    cells: Cells
    obstacles: tuple[str, ...] = ()

    def row(self, case: AnyCase) -> Row:
        """Return the releases that were looked at, with what each showed of a case, ascending."""
        return row_of(self.releases, self.cells, case)

    @property
    def changes(self) -> list[Change]:
        """Where each divergence came and went, case by case."""
        rows = [self._with_gaps(trusted(self.row(case))) for case in self.question.cases]
        return [change for row in rows for change in changes(row, is_whole=self.is_whole)]

    def offers(self, case: AnyCase) -> list[Offer]:
        """Return where a case begins to be offered, or is no longer."""
        return list(offers(self._with_gaps(self.row(case))))

    def _with_gaps(self, row: Row) -> Row:
        """Return all releases of the range, those of which a row says nothing included."""
        known = dict(row)
        return [(version, known.get(version, NOT_LOOKED_AT)) for version in map(str, self.releases)]

    def newest(self, case: AnyCase) -> tuple[Version, Outcome] | None:
        """Return the newest release of the range, and what it shows of a case."""
        if not self.releases:
            return None
        newest = self.releases[-1]
        outcome = self.cells.get((newest, case.name))
        return (newest, outcome) if outcome else None


def question(library: Library, cases: Sequence[AnyCase], mode: str | None, named: Sequence[str] = ()) -> Question:
    """Return the question about cases of a library in a mode: a quick one where none is named and there is one.

    Raises
    ------
    UnknownModeError
        If there is no such mode, it runs nothing that a package index has releases of, or a case that was named is not
        about it.
    """
    having = _modes(library)
    if not having:
        raise UnknownModeError(f"{library.name} is no Python distribution in any mode: a package index has none of it")
    if mode is None:
        chosen = next((one for one in having if not one.is_counted), having[0])
    else:
        chosen = library.mode(mode)
        if chosen not in having:
            names = " or ".join(one.name for one in having)
            raise UnknownModeError(
                f"{library.name} in the mode {mode} is no Python distribution, of which a package index has releases; "
                f"expected {names}"
            )
    others = [case.name for case in cases if not case.is_about(chosen.name) and case.name in named]
    if others:
        raise UnknownModeError(f"{', '.join(others)}: not about the mode {chosen.name}")
    return Question(library, tuple(case for case in cases if case.is_about(chosen.name)), chosen)


def recalled(asked: Question, *obstacles: str) -> Matrix:
    """Return the matrix of what is kept of the present code; nothing is run, and no index is asked.

    The releases are those that the index had when it was last asked.
    """
    digest = code(asked.library)
    names = {case.name for case in asked.cases}
    quick, counted = (
        {at: one for at, one in kept.all_of(mode, digest).items() if at[1] in names and asked.holds(at[0])}
        if mode
        else {}
        for mode in (asked.mode, asked.counting)
    )
    seen = {version for version, _ in quick}
    listed = {version for version in index.remembered(asked.mode.distribution) if asked.holds(version)}
    releases = tuple(sorted(seen | listed)) if seen else ()
    return Matrix(asked, releases, is_whole=False, cells=merged(asked, quick, counted), obstacles=obstacles)


def merged(asked: Question, quick: Cells, counted: Cells) -> dict[tuple[Version, str], Outcome]:
    """Return what is known of each release and case: the word of the mode that counts, where it was asked."""
    if asked.mode.is_counted:
        return {at: replace(one, confirmed=True if one.status == "run" else None) for at, one in quick.items()}
    return {at: confirmed(one, counted[at]) if at in counted else one for at, one in quick.items()}


def row_of(releases: Sequence[Version], cells: Cells, case: AnyCase) -> list[tuple[str, Outcome]]:
    """Return the releases of which something is known, with what each showed of a case, in their order."""
    return [(str(version), cells[version, case.name]) for version in releases if (version, case.name) in cells]


def is_refuted(row: Row) -> bool:
    """Return whether the mode that counts says something else than a quick mode of one release of a row."""
    return any(outcome.confirmed is False for _, outcome in row)


def trusted(row: Row) -> Row:
    """Return the releases of a row whose outcomes a change can rest on.

    Where a quick mode is refuted once, its word is worth nothing in the whole row, but for what it could not run.
    """
    if not is_refuted(row):
        return row
    return [(version, one) for version, one in row if one.confirmed is not None or one.status != "run"]


def _modes(library: Library) -> list[Mode]:
    """Return the modes that run what a package index has releases of; all of one distribution."""
    found = [mode for mode in library.modes if mode.is_distribution]
    return [mode for mode in found if mode.distribution == found[0].distribution]
