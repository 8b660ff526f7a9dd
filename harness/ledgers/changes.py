"""How a ledger has to change to say what was seen: entries that are new, that end, or that count anew."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from packaging.specifiers import SpecifierSet

from harness.errors import AcceptError
from harness.ledger import Count, Entry, Ledger, overlap
from harness.ledgers.seen import Seen

OPEN = ("<", "<=")
"""The operators that end a range."""


@dataclass(frozen=True, slots=True)
class Change:
    """One entry, as it is and as it should be.

    Attributes
    ----------
    before
        The entry as it is; none for a new one.
    after
        The entry as it should be; none where no version is left for it.
    why
        What was seen, in a few words.
    note
        What a person says of an end, beside the versions: the entry keeps its own words, which are about what is left.
    """

    before: Entry | None
    after: Entry | None
    why: str
    note: str = ""

    @property
    def is_end(self) -> bool:
        """Whether an entry is ended, and stays true of what is left."""
        return self.before is not None and self.after is not None and self.after.versions != self.before.versions


def changes(ledger: Ledger, seen: Seen, cause: str | None = None) -> list[Change]:
    """Return what has to change for the ledger to say what was seen of a case; nothing where it does.

    A cause that was seen and is not listed gets an entry from the tested version on; one that is listed and gone is
    ended below it. Where counts moved, the entry is ended and another follows it; where nothing is below the
    tested version, or the case has other domains now, it counts anew.

    Parameters
    ----------
    cause
        The one cause to look at; all of them if none is named.

    Raises
    ------
    AcceptError
        If there is no such cause.
    """
    listed = ledger.entries_for(seen.case.name, seen.version)
    known = {entry.cause for entry in listed}
    shown = [one for one in (*seen.causes, *seen.beyond) if one not in known]
    if cause is not None and cause not in known.union(shown):
        names = "; ".join(sorted(known.union(shown))) or "there is none"
        raise AcceptError(f"a cause that {seen.title} shows, or that is listed, was expected, not {cause!r}: {names}")
    found = [change for entry in listed if cause in {None, entry.cause} for change in _of_entry(entry, seen)]
    return found + [_new(ledger, seen, one) for one in shown if cause in {None, one}]


def shown_versions(versions: SpecifierSet) -> str:
    """Return a range as a ledger writes it: where it begins, then where it ends."""
    return ", ".join(map(str, sorted(versions, key=lambda one: (one.operator in OPEN, str(one)))))


def _of_entry(entry: Entry, seen: Seen) -> Iterator[Change]:
    """Yield how an entry about the tested version has to change."""
    counts = seen.counts(entry.cause)
    recorded = [entry.counts_of(domain) for domain in seen.domains]
    listed = [dict(_positive(of_domain[0])) if of_domain else None for of_domain in recorded]
    found = [dict(_positive(count)) for count in counts]
    if not any(found) and not seen.shown.get(entry.cause):
        if any(listed) or entry.cause in seen.shown:
            yield Change(entry, _ended(entry, seen), f"gone in {seen.title}")
    elif None in listed:
        yield Change(entry, replace(entry, counts=_counted(entry, seen)), "a domain that is not counted")
    elif found != listed:
        ended = _ended(entry, seen)
        if ended is None:
            yield Change(entry, replace(entry, counts=_counted(entry, seen)), f"other counts in {seen.title}")
        else:
            since = SpecifierSet(f">={seen.public}") & SpecifierSet(_ends(entry.versions))
            yield Change(entry, ended, f"other counts from {seen.title} on")
            follower = replace(entry, versions=since, counts=_counted(entry, seen))
            yield Change(None, follower, f"other counts from {seen.title} on")


def _new(ledger: Ledger, seen: Seen, cause: str) -> Change:
    """Return the entry of a cause that is not listed: from the tested version on, where no other entry follows."""
    others = [entry for entry in ledger.entries if (entry.case, entry.cause) == (seen.case.name, cause)]
    ranges = (SpecifierSet(f">={seen.public}"), SpecifierSet(f"=={seen.public}"))
    free = [one for one in ranges if not any(overlap(one, other.versions) for other in others)]
    if not free:
        lines = ", ".join(str(other.line) for other in others)
        raise AcceptError(
            f"{ledger.path}: an entry of {cause!r} in {seen.case.name} for {seen.version} would overlap that of line "
            f"{lines}; correct its versions first"
        )
    entry = Entry(
        case=seen.case.name,
        versions=free[0],
        cause=cause,
        upstream="",
        says="",
        review=date.max,
        counts=seen.counts(cause),
        path=ledger.path,
        line=0,
        beyond=seen.beyond.get(cause, ()),
    )
    return Change(None, entry, f"new in {seen.title}")


def _ended(entry: Entry, seen: Seen) -> Entry | None:
    """Return an entry that ends below the tested version; none where nothing is left of it."""
    begins = ",".join(str(one) for one in entry.versions if one.operator not in OPEN)
    versions = SpecifierSet(begins) & SpecifierSet(f"<{seen.public}")
    return None if versions.is_unsatisfiable() else replace(entry, versions=versions)


def _ends(versions: SpecifierSet) -> str:
    return ",".join(str(one) for one in versions if one.operator in {*OPEN, "!="})


def _counted(entry: Entry, seen: Seen) -> tuple[Count, ...]:
    """Return the counts that were seen, and those of domains that the subject does not offer as they were."""
    there = {id(domain) for domain in seen.domains}
    others = [domain for domain in seen.case.domains if id(domain) not in there]
    return (*seen.counts(entry.cause), *(count for domain in others for count in entry.counts_of(domain)))


def _positive(count: Count) -> Iterator[tuple[int, int]]:
    return ((size, n) for size, n in sorted(count.mismatches.items()) if n)
