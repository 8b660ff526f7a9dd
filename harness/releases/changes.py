"""The releases at which something changed: where a divergence came, and where it went."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.jsontypes import Json
from harness.releases.outcome import Outcome

Row = Sequence[tuple[str, Outcome]]
"""Releases and what each showed of one case, ascending."""

NOT_LOOKED_AT = Outcome("", "", "cannot_run", "not looked at")
"""What is known of a release that was not run: nothing."""


@dataclass(frozen=True, slots=True)
class Change:
    """How long a divergence lasted, as far as is known.

    Attributes
    ----------
    first_bad, last_good
        The first release that shows it, and the one before, which offers the case and does not. No first one is known
        where the row begins with it; the one before is none where that does not offer the case.
    first_fixed, last_bad
        The first release that does not show it any more, and the last that does.
    instead_of
        Divergences that the one before the first bad one shows, and the first bad one does not: it is good only of
        this one.
    replaced_by
        Divergences that the first fixed release shows, and the last bad one does not: it is fixed only of this one.
    skipped
        The releases between those neighbours, of which nothing is known.
    """

    case: str
    cause: str
    first_bad: str | None
    last_good: str | None
    first_fixed: str | None
    last_bad: str | None
    skipped: tuple[str, ...]
    instead_of: tuple[str, ...] = ()
    replaced_by: tuple[str, ...] = ()

    @property
    def versions(self) -> tuple[str, ...]:
        """The releases that it rests on."""
        found = (self.last_good, self.first_bad, self.last_bad, self.first_fixed)
        return tuple(dict.fromkeys(version for version in found if version))

    def to_json(self) -> dict[str, Json]:
        """Return it as an entry of ``changes``."""
        return {
            "case": self.case,
            "cause": self.cause,
            "first_bad": self.first_bad,
            "last_good": self.last_good,
            "first_fixed": self.first_fixed,
            "last_bad": self.last_bad,
            "skipped": list(self.skipped),
            "instead_of": list(self.instead_of),
            "replaced_by": list(self.replaced_by),
        }


@dataclass(frozen=True, slots=True)
class Offer:
    """Where a library begins, or ends, to offer what a case is about."""

    case: str
    is_begin: bool
    before: str
    after: str
    skipped: tuple[str, ...]


def changes(row: Row, *, is_whole: bool) -> list[Change]:
    """Return how long each divergence of a case lasted, in the order in which they came.

    Parameters
    ----------
    is_whole
        Whether no release is before the row: then what shows a divergence from the start came with it.
    """
    found = [change for cause in _causes(row) for change in _of_cause(row, cause, is_whole=is_whole)]
    place = {version: k for k, (version, _) in enumerate(row)}
    return sorted(found, key=lambda change: place[change.first_bad or row[0][0]])


def offers(row: Row) -> Iterator[Offer]:
    """Yield where a case begins to be offered, or is no longer."""
    known = _known(row)
    for (i, before), (j, after) in itertools.pairwise(known):
        if (before.status == "run") != (after.status == "run"):
            skipped = tuple(version for version, _ in row[i + 1 : j])
            yield Offer(after.case, after.status == "run", row[i][0], row[j][0], skipped)


def _causes(row: Row) -> list[str]:
    return list(dict.fromkeys(cause for _, outcome in row for cause in outcome.causes))


def _of_cause(row: Row, cause: str, *, is_whole: bool) -> Iterator[Change]:
    known = _known(row)
    shows = [cause in outcome.causes for _, outcome in known]
    starts = [k for k, it in enumerate(shows) if it and not (k and shows[k - 1])]
    for start in starts:
        end = next((k for k in range(start, len(shows)) if not shows[k]), None)
        before = known[start - 1] if start else None
        after = known[end] if end is not None else None
        (first, bad), (last, still) = known[start], known[(end if end is not None else len(known)) - 1]
        earlier = row[before[0] + 1 if before else 0 : first]
        skipped = [*earlier, *(row[last + 1 : after[0]] if after else ())]
        is_first = before is not None or (is_whole and all(outcome is not NOT_LOOKED_AT for _, outcome in earlier))
        yield Change(
            case=bad.case,
            cause=cause,
            first_bad=row[first][0] if is_first else None,
            last_good=row[before[0]][0] if before and before[1].status == "run" else None,
            first_fixed=row[after[0]][0] if after else None,
            last_bad=row[last][0] if after else None,
            skipped=tuple(version for version, _ in skipped),
            instead_of=_only(before[1], bad) if before else (),
            replaced_by=_only(after[1], still) if after else (),
        )


def _only(one: Outcome, other: Outcome) -> tuple[str, ...]:
    """Return the causes that one outcome shows and its neighbour does not."""
    return tuple(cause for cause in one.causes if cause not in other.causes)


def _known(row: Row) -> list[tuple[int, Outcome]]:
    """Return the releases of which something is known, by their place in the row."""
    return [(place, outcome) for place, (_, outcome) in enumerate(row) if outcome.state is not None]
