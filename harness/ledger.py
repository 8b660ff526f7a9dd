"""The ledger: the divergences of a library that are already known, read from its ``known.toml``.

An entry names its case, the versions it is true of (open above until a release fixes it), the cause by which
its mismatches are recognised, and how many there are in each domain by size.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NoReturn

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from harness.case import AnyDomain, Parameters
from harness.errors import BrokenLedgerError

SCHEMA = 1

UNREPORTED = "unreported"
"""What stands for the link where upstream has not been told."""

OPTIONAL = {"fix", "beyond"}
"""Keys that an entry need not have."""

HEADER = re.compile(r"\s*\[\[\s*known\s*\]\]")
"""What stands before each entry, at the beginning of a line."""

HTTPS = "https://"


@dataclass(frozen=True, slots=True)
class Count:
    """How many mismatches a domain holds, by size.

    ``parameters`` need not name all of the domain's: one that is left out does not matter to the count.
    """

    domain: str
    parameters: Parameters
    mismatches: Mapping[int, int]

    def is_about(self, domain: AnyDomain) -> bool:
        """Return whether it counts this domain."""
        return self.domain == domain.name and self.parameters.items() <= domain.parameters.items()


@dataclass(frozen=True, slots=True)
class Entry:
    """One known divergence.

    Attributes
    ----------
    case, versions
        What it is about.
    cause
        A convention or a signature; a mismatch with another cause is news.
    upstream
        A link to where upstream talks about it, or ``unreported``.
    says
        What is known of it, in a line.
    review
        When somebody should look again.
    line
        Where it stands in the ledger.
    fix
        Patches of ours that mend it, in the order in which they apply; none if there is none.
    beyond
        Inputs outside the domains that show it, as JSON: every run sends them to the subject. They stand for a
        divergence that a hunt found and no domain holds.
    """

    case: str
    versions: SpecifierSet
    cause: str
    upstream: str
    says: str
    review: date
    counts: tuple[Count, ...]
    path: Path
    line: int
    fix: tuple[Path, ...] = ()
    beyond: tuple[str, ...] = ()

    def covers(self, version: str) -> bool:
        """Return whether it is about this version; no entry is about one that PEP 440 cannot order."""
        try:
            return self.versions.contains(Version(version), prereleases=True)
        except InvalidVersion:
            return False

    def is_overdue(self, today: date) -> bool:
        """Return whether its review date has passed."""
        return self.review < today

    def counts_of(self, domain: AnyDomain) -> list[Count]:
        """Return the counts of a domain; an entry in order has one for each domain."""
        return [count for count in self.counts if count.is_about(domain)]


@dataclass(frozen=True, slots=True)
class Ledger:
    """All entries of one library."""

    path: Path
    entries: tuple[Entry, ...]

    def entries_for(self, case: str, version: str) -> list[Entry]:
        """Return the entries about a case at a version; a ledger in order has at most one for each cause."""
        return [entry for entry in self.entries if entry.case == case and entry.covers(version)]


def overlap(one: SpecifierSet, other: SpecifierSet) -> bool:
    """Return whether some version, pre-releases included, is in both."""
    return not (one & other).is_unsatisfiable()


def is_link(text: str) -> bool:
    """Return whether a text is what an entry can name as its link."""
    return text == UNREPORTED or (text.startswith(HTTPS) and text != HTTPS and text.isprintable())


def read(path: Path) -> Ledger:
    """Read a ledger.

    Raises
    ------
    BrokenLedgerError
        If it cannot be read; the message names file and line, and what was expected.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokenLedgerError(f"{path}: a ledger in UTF-8 was expected here ({error})") from error
    try:
        document = tomllib.loads(text)
    except RecursionError as error:
        raise BrokenLedgerError(f"{path}: TOML was expected, but brackets in it are nested without an end") from error
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        where = f"{path}:{line[1]}" if line else f"{path}:{len(text.splitlines())}"
        raise BrokenLedgerError(
            f"{where}: TOML was expected: {error}; correct this line, or what is open before it: a text stands between "
            "quotes on one line, every bracket and brace is closed, and an entry sets each key once"
        ) from error
    reader = _Reader(path, text.splitlines())
    return Ledger(path, tuple(reader.entries(document)))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns a parsed document into entries, and names the line of what is wrong."""

    path: Path
    lines: list[str]

    def entries(self, document: Mapping[str, object]) -> Iterable[Entry]:
        if document.get("schema") != SCHEMA:
            self._fail(self._line_of("schema", 1), f"schema = {SCHEMA}", document.get("schema"))
        extra = set(document) - {"schema", "known"}
        if extra:
            key = min(extra)
            self._fail(self._line_of(key, 1), "only schema and [[known]] entries at the top", key)
        known = document.get("known", [])
        if not isinstance(known, list):
            self._fail(self._line_of("known", 1), "[[known]] entries", known)
        starts = [i for i, line in enumerate(self.lines, 1) if HEADER.match(line)]
        if len(starts) != len(known):
            self._fail(self._line_of("known", 1), "each entry under a [[known]] of its own", f"{len(known)} entries")
        for start, fields in zip(starts, known, strict=True):
            yield self._entry(fields, start)

    def _entry(self, fields: Mapping[str, object], start: int) -> Entry:
        keys = {"case", "versions", "cause", "upstream", "says", "review", "counts"}
        for key in sorted(set(fields) - keys - OPTIONAL):  # before what is missing: it may be that, misspelled
            self._fail(self._line_of(key, start), f"one of the keys {', '.join(sorted(keys | OPTIONAL))}", key)
        for key in sorted(keys - set(fields)):
            self._fail(start, f"a key {key!r} in this entry", sorted(fields))
        versions = self._text(fields, "versions", start)
        try:
            specifiers = SpecifierSet(versions)
        except InvalidSpecifier:
            self._fail(self._line_of("versions", start), 'a PEP 440 range such as ">=0.3.15"', versions)
        upstream = self._text(fields, "upstream", start)
        if not is_link(upstream):
            expected = f'a link that begins with {HTTPS}, such as "{HTTPS}example.org/1", or "{UNREPORTED}"'
            self._fail(self._line_of("upstream", start), expected, upstream)
        review = fields["review"]
        if type(review) is not date:  # a datetime is a date, too
            expected = "a date such as 2027-05-31, without quotes and without a time"
            self._fail(self._line_of("review", start), expected, review)
        return Entry(
            case=self._text(fields, "case", start),
            versions=specifiers,
            cause=self._text(fields, "cause", start),
            upstream=upstream,
            says=self._text(fields, "says", start),
            review=review,
            counts=self._counts(fields["counts"], self._line_of("counts", start)),
            path=self.path,
            line=start,
            fix=self._fix(fields.get("fix", []), self._line_of("fix", start)),
            beyond=self._beyond(fields.get("beyond", []), self._line_of("beyond", start)),
        )

    def _beyond(self, texts: object, line: int) -> tuple[str, ...]:
        """Return the inputs that are listed."""
        expected = """a list of inputs as JSON objects such as ['{"n": 41}']"""
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            self._fail(line, expected, texts)
        for text in texts:
            try:
                is_input = isinstance(json.loads(text), dict)
            except ValueError:
                is_input = False
            if not is_input:
                self._fail(line, expected, text)
        return tuple(texts)

    def _fix(self, names: object, line: int) -> tuple[Path, ...]:
        """Return the files that are named, beside the ledger."""
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self._fail(line, 'a list of patches such as ["patches/fix.patch"]', names)
        paths = tuple(self.path.parent / name for name in names)
        for path in paths:
            if not path.is_file():
                self._fail(line, "a patch that is there", str(path))
        return paths

    def _counts(self, counts: object, line: int) -> tuple[Count, ...]:
        if not isinstance(counts, list) or not counts:
            self._fail(line, "a list of counts, one for each domain", counts)
        lines = self._lines_of_counts(len(counts), line)
        which = (f"count {number} of {len(counts)}" for number in range(1, len(counts) + 1))
        return tuple(map(self._count, counts, lines, which))

    def _count(self, fields: object, line: int, which: str) -> Count:
        match fields:
            case {
                "domain": str(domain),
                "parameters": dict(parameters),
                "mismatches": dict(mismatches),
                **rest,
            } if (
                not rest
                and all(str(size).isdecimal() and str(int(size)) == size for size in mismatches)
                and all(type(n) is int and n >= 0 for n in mismatches.values())
                and all(isinstance(value, str | int) for value in parameters.values())
            ):
                return Count(domain, parameters, {int(size): n for size, n in mismatches.items()})
            case _:
                example = '{ domain = "...", parameters = { unjudged = 0 }, mismatches = { 1 = 2 } }'
                return self._fail(line, f"{which} to be such as {example}", fields)

    def _text(self, fields: Mapping[str, object], key: str, start: int) -> str:
        value = fields[key]
        if not isinstance(value, str) or not value.strip():
            self._fail(self._line_of(key, start), f"a text for {key!r}", value)
        return value

    def _line_of(self, key: str, start: int) -> int:
        """Return the line where a key is set, from a line on; that line if it is not."""
        pattern = re.compile(rf"\s*(\[+\s*)?([\w.]+\.)?[\"']?{re.escape(key)}[\"']?\s*(=|\]|\.)")
        for number in range(start, len(self.lines) + 1):
            if number > start and HEADER.match(self.lines[number - 1]):
                break
            if pattern.match(self.lines[number - 1]):
                return number
        return start

    def _lines_of_counts(self, total: int, start: int) -> list[int]:
        """Return the line of each count, where each begins one; otherwise that from which they stand."""
        found = []
        for number, line in enumerate(self.lines[start - 1 :], start):
            if HEADER.match(line):
                break
            if line.lstrip().startswith("{"):
                found.append(number)
        return found if len(found) == total else [start] * total

    def _fail(self, line: int, expected: str, found: object) -> NoReturn:
        raise BrokenLedgerError(f"{self.path}:{line}: expected {expected}, found {found!r}")
