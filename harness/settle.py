"""Settle a run against the ledger, strictly in both directions.

A divergence that is not listed is news, and so is a listed one that is gone, or whose counts moved in a domain
that was run whole. So a run without a problem means exactly what the ledger says.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from harness.certificate import Certificate
from harness.compare import Ruling
from harness.hunt import Hunt
from harness.jsontypes import Json
from harness.ledger import Entry, Ledger
from harness.subject import Subject

Kind = Literal["new", "gone", "moved", "uncounted", "overlap", "orphan"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Where a run and the ledger part."""

    kind: Kind
    case: str
    text: str

    def to_json(self) -> dict[str, Json]:
        """Return it as an entry of the ledger's ``problems``."""
        return {"kind": self.kind, "case": self.case, "text": self.text}


def is_explained(ruling: Ruling, entry: Entry | None) -> bool:
    """Return whether an entry accounts for a mismatch: by a convention that it follows, or by its signature."""
    return entry is not None and any(cause in entry.causes for cause in (ruling.cause, *ruling.follows))


def settle_case(
    subject: Subject,
    entry: Entry | None,
    certificates: Sequence[Certificate],
    hunt: Hunt | None,
    unconfirmed: Collection[str] = (),
) -> list[Problem]:
    """Return where the certificates and the hunt of one case part from its entry in the ledger.

    The ledger is about the mode that users run. In another one its counts are not compared, and a cause that
    users' mode did not confirm is left out.
    """
    problems: list[Problem] = []
    title = subject.title
    left_out = () if subject.is_as_users_run_it else unconfirmed
    for certificate in certificates:
        problems += _news(title, entry, certificate, left_out)
        if entry is not None and certificate.exhausted and subject.is_as_users_run_it:
            problems += _moved(title, entry, certificate)
    if hunt:
        problems += [
            Problem(
                "new",
                hunt.case.name,
                f"{title} {hunt.case.short_name}: a new divergence was found, {i.ruling.cause}",
            )
            for i in hunt.found
            if i.ruling.cause not in left_out
        ]
    gone = [p for p in problems if p.kind == "gone"]
    if entry is not None and gone and len(gone) == sum(c.exhausted for c in certificates):
        text = (
            f"{title}: the divergence known as {' / '.join(entry.causes)!r} is gone: end its versions "
            f"({entry.versions}) below {subject.version} ({entry.path.name}, line {entry.line})"
        )
        problems = [p for p in problems if p.kind != "gone"] + [Problem("gone", entry.case, text)]
    return problems


def settle_ledger(ledger: Ledger, cases: Iterable[str], version: str | None) -> list[Problem]:
    """Return what is wrong with a ledger itself: entries about no case, and entries that overlap."""
    names = set(cases)
    problems = [
        Problem(
            "orphan",
            entry.case,
            f"{entry.path.name}, line {entry.line}: no case is called {entry.case}; rename the entry or remove it",
        )
        for entry in ledger.entries
        if entry.case not in names
    ]
    for case in sorted(names):
        both = ledger.entries_for(case, version) if version else []
        if len(both) > 1:
            lines = ", ".join(str(entry.line) for entry in both)
            text = f"{ledger.path.name}, lines {lines}: more than one entry is about {case} at {version}; keep one"
            problems.append(Problem("overlap", case, text))
    return problems


def overdue(ledger: Ledger, version: str, today: date) -> list[str]:
    """Return a warning for each entry about this version whose review date has passed."""
    return [
        f"{entry.path.name}, line {entry.line}: {entry.case} was to be reviewed by {entry.review}"
        for entry in ledger.entries
        if entry.covers(version) and entry.review < today
    ]


def _news(title: str, entry: Entry | None, certificate: Certificate, left_out: Collection[str]) -> list[Problem]:
    news = [
        (index, instance)
        for index, instance in certificate.tally.first.values()
        if not is_explained(instance.ruling, entry) and instance.ruling.cause not in left_out
    ]
    name = certificate.case.short_name
    return [
        Problem(
            "new",
            certificate.case.name,
            f"{title} {name}: a divergence that is not in the ledger, {instance.ruling.cause!r}, "
            f"on {certificate.tally.causes[instance.ruling.cause]:,} of {certificate.inputs:,} inputs "
            f"of {certificate.domain.title}",
        )
        for _, instance in sorted(news, key=lambda found: found[0])
    ]


def _moved(title: str, entry: Entry, certificate: Certificate) -> list[Problem]:
    case, domain = certificate.case, certificate.domain
    found = {size: n for size, n in certificate.tally.mismatches().items() if n}
    count = entry.count_of(domain)
    if count is None:
        text = (
            f"{title} {case.short_name}: {entry.path.name}, line {entry.line}, has no count for {domain.title}; "
            f"it is {found}"
        )
        return [Problem("uncounted", case.name, text)]
    recorded = {size: n for size, n in count.mismatches.items() if n}
    if found == recorded:
        return []
    if not found:
        return [Problem("gone", case.name, f"{title} {case.short_name}: nothing is wrong any more in {domain.title}")]
    text = (
        f"{title} {case.short_name}: the ledger counts {recorded} mismatches by size in {domain.title}, "
        f"this run {found} ({entry.path.name}, line {entry.line})"
    )
    return [Problem("moved", case.name, text)]
