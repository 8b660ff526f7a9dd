"""The entries of ledgers, as a person and as a program reads them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from harness.case import titled
from harness.jsontypes import Json
from harness.ledger import Count, Entry, Ledger, read
from harness.ledgers.changes import shown_versions
from harness.run import Selection
from harness.settle import Problem, settle_ledger
from harness.terminal import counted, wrapped
from harness.version import VERSION

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Listed:
    """Entries of one library's ledger, and what is wrong with it.

    Attributes
    ----------
    today
        The day by which a review is overdue or is not.
    """

    library: str
    ledger: Ledger
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]
    today: date

    @property
    def overdue(self) -> int:
        """How many reviews are overdue."""
        return sum(entry.is_overdue(self.today) for entry in self.entries)


def listed(selection: Selection, names: Collection[str], today: date) -> list[Listed]:
    """Return the entries of the cases that are selected; where none is named, those about no case, too."""
    found = []
    for library, cases in selection:
        ledger = read(library.ledger)
        about = {case.name for case in cases}
        entries = tuple(entry for entry in ledger.entries if entry.case in about or not names)
        found.append(Listed(library.name, ledger, entries, tuple(settle_ledger(ledger, library.cases)), today))
    return found


def lines(listed: Sequence[Listed]) -> Iterator[str]:
    """Yield what a person is shown."""
    for one in listed:
        for entry in one.entries:
            yield from _entry(entry, one.today)
            yield ""
    for one in listed:
        for problem in one.problems:
            yield from wrapped(f"{problem.word}: ", problem.text)
    count = sum(len(one.entries) for one in listed)
    overdue = sum(one.overdue for one in listed)
    late = f", {overdue} to be reviewed again" if overdue else ""
    yield f"{counted(count, 'known divergence')}{late}."


def document(listed: Sequence[Listed]) -> dict[str, Json]:
    """Return the same for a program, by the schema in ``harness/schema/ledger.schema.json``."""
    return {
        "schema": SCHEMA,
        "rankdiff": VERSION,
        "ledgers": [
            {
                "library": one.library,
                "known": [_entry_json(entry, one.today) for entry in one.entries],
                "problems": [problem.to_json() for problem in one.problems],
            }
            for one in listed
        ],
    }


def _entry(entry: Entry, today: date) -> Iterator[str]:
    yield f"{entry.case}: {entry.cause}"
    late = "  OVERDUE" if entry.is_overdue(today) else ""
    facts = {
        "versions": shown_versions(entry.versions),
        "says": entry.says,
        "upstream": entry.upstream,
        "review": f"{entry.review}{late}",
        "fix": ", ".join(path.name for path in entry.fix),
        "counts": "; ".join(map(_count, entry.counts)),
        "beyond": ", ".join(entry.beyond),
        "where": f"{entry.path.name}, line {entry.line}",
    }
    for name, text in facts.items():
        if text:
            yield from wrapped(f"    {name:<10}", text)


def _count(count: Count) -> str:
    return f"{sum(count.mismatches.values()):,} in {titled(count.domain, count.parameters)}"


def _entry_json(entry: Entry, today: date) -> dict[str, Json]:
    return {
        "case": entry.case,
        "versions": shown_versions(entry.versions),
        "cause": entry.cause,
        "upstream": entry.upstream,
        "says": entry.says,
        "review": entry.review.isoformat(),
        "counts": [
            {
                "domain": count.domain,
                "parameters": dict(count.parameters),
                "mismatches": {str(size): n for size, n in count.mismatches.items()},
            }
            for count in entry.counts
        ],
        "fix": [path.relative_to(entry.path.parent).as_posix() for path in entry.fix],
        "beyond": list(entry.beyond),
        "line": entry.line,
        "overdue": entry.is_overdue(today),
    }
