"""Settle a run against the ledger, strictly in both directions.

A divergence that is not listed is news, and so is a listed one that is gone, or whose counts moved in a domain
that was run whole. So a run without a problem means exactly what the ledger says.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from harness.case import AnyCase
from harness.certificate import Certificate
from harness.compare import Ruling
from harness.hunt import Hunt
from harness.jsontypes import Json
from harness.ledger import Entry, Ledger
from harness.subject import Subject

Kind = Literal["new", "gone", "moved", "uncounted", "cut_short", "overlap", "orphan"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Where a run and the ledger part."""

    kind: Kind
    case: str
    text: str

    def to_json(self) -> dict[str, Json]:
        """Return it as an entry of the ledger's ``problems``."""
        return {"kind": self.kind, "case": self.case, "text": self.text}


def is_explained(ruling: Ruling, entries: Iterable[Entry]) -> bool:
    """Return whether one of the entries accounts for a mismatch: whether it has that cause."""
    return any(ruling.cause == entry.cause for entry in entries)


def settle_case(
    subject: Subject,
    entries: Sequence[Entry],
    certificates: Sequence[Certificate],
    hunt: Hunt | None,
    refuted: Collection[str] = (),
) -> list[Problem]:
    """Return where the certificates and the hunt of one case part from its entries in the ledger.

    In a mode that the ledger does not count, its counts are not compared, and a cause that the usual mode
    refuted is left out.
    """
    known = {entry.cause for entry in entries}
    if not subject.mode.is_counted:
        known |= set(refuted)
    problems = [problem for certificate in certificates for problem in _news(subject, known, certificate)]
    if hunt:
        problems += [
            Problem("new", hunt.case.name, f"{subject.title} {hunt.case.short_name}: found beyond, {i.ruling.cause!r}")
            for i in hunt.found
            if i.ruling.cause not in known
        ]
    if subject.mode.is_counted:
        whole = [one for one in certificates if one.exhausted and not one.is_unsupported]
        problems += [problem for entry in entries for problem in _compared(subject, entry, whole)]
    return problems


def settle_ledger(ledger: Ledger, cases: Iterable[AnyCase], version: str | None) -> list[Problem]:
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
    for name in sorted(by_name):
        lines: dict[str, list[Entry]] = {}
        for entry in ledger.entries_for(name, version) if version else []:
            lines.setdefault(entry.cause, []).append(entry)
        for cause, same in lines.items():
            if len(same) > 1:
                where = ", ".join(str(entry.line) for entry in same)
                text = f"{ledger.path.name}, lines {where}: each is about {cause!r} in {name} at {version}; keep one"
                problems.append(Problem("overlap", name, text))
    return problems


def overdue(ledger: Ledger, version: str, today: date) -> list[str]:
    """Return a warning for each entry about this version whose review date has passed."""
    return [
        f"{entry.path.name}, line {entry.line}: {entry.case} was to be reviewed by {entry.review}"
        for entry in ledger.entries
        if entry.covers(version) and entry.review < today
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
        )
        for _, cause in news
    ]
    if not certificate.exhausted:
        text = f"{head}: {certificate.inputs:,} of {len(certificate.domain.inputs):,} inputs of "
        problems.append(Problem("cut_short", case.name, f"{text}{certificate.domain.title} were run"))
    return problems


def _compared(subject: Subject, entry: Entry, whole: Sequence[Certificate]) -> list[Problem]:
    """Compare the counts of an entry with those of domains that were run whole."""
    head = f"{subject.title} {entry.case.partition('/')[2]}"
    problems: list[Problem] = []
    expected = seen = 0
    for certificate in whole:
        found = dict(sorted(certificate.tally.causes.get(entry.cause, {}).items()))
        counts = entry.counts_of(certificate.domain)
        if not counts:
            text = f"{_where(entry)}, has no count of {entry.cause!r} for {certificate.domain.title}; it is {found}"
            problems.append(Problem("uncounted", entry.case, f"{head}: {text}"))
            continue
        recorded = {size: n for size, n in counts[0].mismatches.items() if n}
        expected += sum(recorded.values())
        seen += sum(found.values())
        if found != recorded:
            text = (
                f"{head}: the ledger counts {recorded} mismatches by size in {certificate.domain.title}, "
                f"this run {found} ({_where(entry)})"
            )
            problems.append(Problem("moved", entry.case, text))
    if expected and not seen:
        text = (
            f"{head}: the divergence known as {entry.cause!r} is gone; if {subject.version} fixed it, end its versions "
            f"({entry.versions}) below that, or remove the entry if nothing is left ({_where(entry)})"
        )
        return [Problem("gone", entry.case, text)]
    return problems


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
    if not any(n for count in entry.counts for n in count.mismatches.values()):
        problems.append(Problem("orphan", entry.case, f"{_where(entry)}: it counts no mismatch at all; remove it"))
    return problems


def _where(entry: Entry) -> str:
    return f"{entry.path.name}, line {entry.line}"
