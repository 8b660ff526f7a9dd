"""Settle a run against the ledger, strictly in both directions.

A divergence that is not listed is news, and so is a listed one that is gone, or whose counts moved in a domain
that was run whole. So a run without a problem means exactly what the ledger says.
"""

import itertools
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Literal

from packaging.version import Version

from harness.case import AnyCase
from harness.certificate import Certificate
from harness.compare import Ruling
from harness.errors import BadInputError
from harness.hunt import Hunt
from harness.jsontypes import Json
from harness.ledger import Count, Entry, Ledger, overlap
from harness.subject import Subject

NOTHING: Mapping[str, bool] = MappingProxyType({})

Kind = Literal["new", "gone", "moved", "uncounted", "cut_short", "overlap", "orphan", "overdue"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Where a run and the ledger part; ``cause`` is that of the divergence, where it is about one."""

    kind: Kind
    case: str
    text: str
    cause: str = ""

    @property
    def word(self) -> str:
        """Its kind, for a person."""
        return self.kind.replace("_", " ")

    def to_json(self) -> dict[str, Json]:
        """Return it as an entry of the ledger's ``problems``."""
        return {"kind": self.kind, "case": self.case, "text": self.text, "cause": self.cause}


def is_explained(ruling: Ruling, entries: Iterable[Entry]) -> bool:
    """Return whether one of the entries accounts for a mismatch: whether it has that cause."""
    return any(ruling.cause == entry.cause for entry in entries)


def settle_case(
    subject: Subject,
    entries: Sequence[Entry],
    certificates: Sequence[Certificate],
    hunt: Hunt | None,
    refuted: Collection[str] = (),
    shown: Mapping[str, bool] = NOTHING,
) -> list[Problem]:
    """Return where the certificates and the hunt of one case part from its entries in the ledger.

    In a mode that the ledger does not count, its counts are not compared, and a cause that the usual mode
    refuted is left out.

    Parameters
    ----------
    shown
        By cause of which the entries list inputs beyond the domains: whether one of them shows it.
    """
    known = {entry.cause for entry in entries}
    if not subject.mode.is_counted:
        known |= set(refuted)
    problems = [problem for certificate in certificates for problem in _news(subject, known, certificate)]
    told = known.union(*(certificate.tally.causes for certificate in certificates))
    if hunt:
        problems += [
            Problem(
                "new",
                hunt.case.name,
                f"{subject.title} {hunt.case.short_name}: found beyond, {i.ruling.cause!r}",
                i.ruling.cause,
            )
            for i in hunt.found
            if i.ruling.cause not in told
        ]
    if subject.mode.is_counted:
        whole = [one for one in certificates if one.exhausted and not one.is_unsupported]
        for entry in entries:
            gone = _gone(subject, entry, whole, shown)
            problems += [gone] if gone else _moved(subject, entry, whole)
    return problems


def settle_ledger(ledger: Ledger, cases: Iterable[AnyCase]) -> list[Problem]:
    """Return what is wrong with a ledger itself: entries and counts about nothing, and entries that overlap."""
    by_name = {case.name: case for case in cases}
    problems: list[Problem] = []
    for entry in ledger.entries:
        case = by_name.get(entry.case)
        if case is None:
            text = f"{_where(entry)}: no case is called {entry.case}; rename the entry or remove it"
            problems.append(Problem("orphan", entry.case, text))
            continue
        problems += _miscounting(entry, case)
    return problems + _overlapping(ledger)


def overdue(ledger: Ledger, version: str, today: date) -> list[Problem]:
    """Return the entries about this version whose review date has passed."""
    return [
        Problem("overdue", entry.case, f"{_where(entry)}: {entry.case} was to be reviewed by {entry.review}")
        for entry in ledger.entries
        if entry.covers(version) and entry.is_overdue(today)
    ]


def _overlapping(ledger: Ledger) -> list[Problem]:
    """Return every two entries that are about the same cause in the same case, at some version."""
    return [
        Problem(
            "overlap",
            one.case,
            f"{ledger.path.name}, lines {one.line} and {other.line}: each is about {one.cause!r} in {one.case}, and "
            f"their versions overlap ({one.versions} and {other.versions}); end one where the other begins, or keep "
            "one",
        )
        for one, other in itertools.combinations(ledger.entries, 2)
        if (one.case, one.cause) == (other.case, other.cause) and overlap(one.versions, other.versions)
    ]


def _news(subject: Subject, known: Collection[str], certificate: Certificate) -> list[Problem]:
    case, tally = certificate.case, certificate.tally
    head = f"{subject.title} {case.short_name}"
    news = sorted((found[0], cause) for cause, found in tally.first.items() if cause not in known)
    problems = [
        Problem(
            "new",
            case.name,
            f"{head}: a divergence that is not in the ledger, {cause!r}, on {tally.causes[cause].total():,} of "
            f"{certificate.inputs:,} inputs of {certificate.domain.title}",
            cause,
        )
        for _, cause in news
    ]
    if not certificate.exhausted:
        text = f"{head}: {certificate.inputs:,} of {len(certificate.domain.inputs):,} inputs of "
        problems.append(Problem("cut_short", case.name, f"{text}{certificate.domain.title} were run"))
    return problems


def _moved(subject: Subject, entry: Entry, whole: Sequence[Certificate]) -> list[Problem]:
    """Compare the counts of an entry with those of domains that were run whole."""
    head = f"{subject.title} {entry.case.partition('/')[2]}"
    problems: list[Problem] = []
    for certificate in whole:
        found, counts = _found(entry, certificate), entry.counts_of(certificate.domain)
        if not counts:
            text = f"{_where(entry)}, has no count of {entry.cause!r} for {certificate.domain.title}; it is {found}"
            problems.append(Problem("uncounted", entry.case, f"{head}: {text}", entry.cause))
        elif found != (recorded := _recorded(counts[0])):
            text = (
                f"{head}: the ledger counts {recorded} mismatches by size in {certificate.domain.title}, "
                f"this run {found} ({_where(entry)})"
            )
            problems.append(Problem("moved", entry.case, text, entry.cause))
    return problems


def _gone(subject: Subject, entry: Entry, whole: Sequence[Certificate], shown: Mapping[str, bool]) -> Problem | None:
    """Return that what an entry expects in these domains, or beyond them, was not seen at all."""
    recorded = [count for certificate in whole for count in entry.counts_of(certificate.domain)[:1]]
    is_expected = any(map(_recorded, recorded)) or shown.get(entry.cause) is False
    is_seen = any(_found(entry, certificate) for certificate in whole) or shown.get(entry.cause)
    if is_seen or not is_expected:
        return None
    head = f"{subject.described}, {entry.case.partition('/')[2]}: the divergence known as {entry.cause!r}"
    others = sorted({cause for certificate in whole for cause in certificate.tally.causes})
    if others:
        text = f"is not shown any more, and {' and '.join(map(repr, others))} is: that is no fix ({_where(entry)})"
    elif not subject.is_acceptable:
        text = (
            f"is gone: what is in it mends that, and nothing else differs. Once it is released, "
            f"`rankdiff ledger --accept {entry.case}` ends the entry ({_where(entry)})"
        )
    else:
        version = Version(subject.version).public
        text = (
            f"is gone, and nothing else differs: {subject.version} fixed it, if no release before did; "
            f"end its versions ({entry.versions}) with <{version}, or remove the entry if nothing is left "
            f"({_where(entry)}): `{subject.command('ledger', '--accept', entry.case)}` does so"
        )
    return Problem("gone", entry.case, f"{head} {text}", entry.cause)


def _found(entry: Entry, certificate: Certificate) -> dict[int, int]:
    """Return how many mismatches of an entry's cause a domain showed, by size."""
    return dict(sorted(certificate.tally.causes.get(entry.cause, {}).items()))


def _recorded(count: Count) -> dict[int, int]:
    return {size: n for size, n in count.mismatches.items() if n}


def _miscounting(entry: Entry, case: AnyCase) -> list[Problem]:
    problems = [
        Problem(
            "orphan", entry.case, f"{_where(entry)}: {entry.case} has no domain {count.domain} {dict(count.parameters)}"
        )
        for count in entry.counts
        if not any(count.is_about(domain) for domain in case.domains)
    ]
    problems += [
        Problem("overlap", entry.case, f"{_where(entry)}: more than one count is about {domain.title}; keep one")
        for domain in case.domains
        if len(entry.counts_of(domain)) > 1
    ]
    problems += [
        Problem("orphan", entry.case, f"{_where(entry)}: {text} is no input of {entry.case} any more ({error})")
        for text in entry.beyond
        if (error := _refusal(case, text))
    ]
    if not entry.beyond and not any(n for count in entry.counts for n in count.mismatches.values()):
        problems.append(Problem("orphan", entry.case, f"{_where(entry)}: it counts no mismatch at all; remove it"))
    if entry.versions.is_unsatisfiable():
        text = f"{_where(entry)}: no version is in {entry.versions}; correct it, or remove the entry"
        problems.append(Problem("orphan", entry.case, text))
    return problems


def _refusal(case: AnyCase, text: str) -> str:
    """Return why a text is no input of a case; nothing if it is one."""
    try:
        case.from_json(json.loads(text))
    except BadInputError as error:
        return str(error)
    return ""


def _where(entry: Entry) -> str:
    return f"{entry.path.name}, line {entry.line}"
