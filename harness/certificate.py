"""A certificate: the outcome of running a subject over a domain."""

import itertools
import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from harness.case import AnyCase, AnyDomain
from harness.compare import Error, Ruling
from harness.expected import Exactly, Expected, exact_values, known_values, shown_ratio
from harness.expected import shown as expected_shown
from harness.jsontypes import Json
from harness.outcome import Outcome, Value
from harness.outcome import shown as outcome_shown
from harness.subject import Subject
from harness.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Instance:
    """One input with what was right, what was observed, and the ruling."""

    case: AnyCase
    x: NamedTuple
    expected: Expected
    outcome: Outcome
    ruling: Ruling

    @property
    def source_word(self) -> str:
        """What the right value is: documented, or only expected where nothing promises it."""
        return "expected" if self.case.contract.unpromised else "documented"

    @property
    def expected_shown(self) -> str:
        """The right value, for a person."""
        return expected_shown(self.expected)

    @property
    def observed_shown(self) -> str:
        """The observed value, for a person; with all its digits where fewer would not tell it from the right one."""
        text = outcome_shown(self.outcome)
        match self.expected, self.outcome:
            case _, Value(float() as x) if text == self.expected_shown:
                return repr(x)
            case _:
                return text

    @property
    def ratio(self) -> str:
        """The observed value over the right one, to three digits; empty where that says nothing."""
        match self.expected, self.outcome:
            case Exactly(value, _, written), Value(int() | float() as observed) if value and math.isfinite(observed):
                return shown_ratio(Fraction(observed) / (value if written is None else written))
            case _:
                return ""

    def to_json(self) -> dict[str, Json]:
        """Return it as ``smallest`` of a certificate."""
        return {
            "input": self.case.to_json(self.x),
            "expected": _expected_json(self.expected),
            "observed": _observed_json(self),
            "verdict": str(self.ruling.verdict),
            "follows": list(self.ruling.follows),
            "cause": self.ruling.cause,
        }


LONGEST = 4000
"""Digits of a number that is written out; Python converts no more than 4,300."""


def _expected_json(expected: Expected) -> dict[str, Json]:
    values = [exact.value for exact in exact_values(expected)]
    shown: dict[str, Json] = {"shown": expected_shown(expected)}
    if not values or any(max(abs(v.numerator), v.denominator) >= 10**LONGEST for v in values):
        return shown
    texts: list[Json] = [str(value) for value in values]
    return {**shown, "exact": texts[0] if len(texts) == 1 else texts}


def _observed_json(instance: Instance) -> dict[str, Json]:
    hexes = list(_hexes(instance.outcome))
    match instance.outcome:
        case Value(tuple()):
            return {"shown": instance.observed_shown, "hex": list(hexes)}
        case Value():
            return {"shown": instance.observed_shown, "hex": hexes[0]}
        case _:
            return {"shown": instance.observed_shown}


def _hexes(outcome: Outcome) -> "list[str]":
    match outcome:
        case Value(tuple() as parts):
            return [text for part in parts for text in _hexes(part)]
        case Value(float() as x):
            return [x.hex()]
        case Value(int() as n):
            return [str(n)]
        case _:
            return []


@dataclass(slots=True)
class Tally:
    """Counts of what was executed so far, by size; and the first instance of every kind of mismatch."""

    by_size: dict[int, Counter[Verdict]] = field(default_factory=dict)
    follows: Counter[str] = field(default_factory=Counter)
    """By convention: how many mismatches follow it."""
    readings: Counter[str] = field(default_factory=Counter)
    """By convention: how many of the inputs that nothing promises follow it."""
    causes: dict[str, Counter[int]] = field(default_factory=dict)
    """By cause: how many mismatches of each size."""
    error: Error | None = None
    """The largest error of a right value, in units of its bound."""
    unsupported: str = ""
    """Why the subject does not offer this, by the first input of which it says so."""
    first: dict[str, tuple[int, Instance]] = field(default_factory=dict)
    """By cause: the index, and what was seen there."""

    def verdicts(self) -> Counter[Verdict]:
        """Return the counts over all sizes."""
        return sum(self.by_size.values(), Counter())

    def mismatches(self) -> int:
        """Return how many mismatches there are."""
        return sum(counts.total() for counts in self.causes.values())

    def take(self, error: Error) -> None:
        """Keep what is larger, each measure for itself."""
        if self.error is None:
            self.error = error
        elif error.of_bound > self.error.of_bound or (error.ulps or 0.0) > (self.error.ulps or 0.0):
            ulps = [one.ulps for one in (error, self.error) if one.ulps is not None]
            self.error = Error(max(error.of_bound, self.error.of_bound), max(ulps, default=None))

    def by_cause(self) -> Counter[str]:
        """Return how many mismatches each cause has."""
        return Counter({cause: counts.total() for cause, counts in self.causes.items()})


@dataclass(frozen=True, slots=True)
class Separation:
    """Whether the bound tells every two different right values of a domain apart."""

    values: int
    smallest_gap: Fraction
    largest_bound: Fraction
    separates: bool


def separation(expected: "Collection[Expected]") -> Separation | None:
    """Return the separation of a set of expected values; None where fewer than two known ones are among them.

    Of lists, each part is compared with the same part of the others: all parts have to separate.
    """
    by_place: dict[tuple[int, ...], dict[tuple[Fraction, Fraction], Fraction]] = {}
    for one in expected:
        for place, known in known_values(one):
            ends, bounds = (known.low, known.high), by_place.setdefault(place, {})
            bounds[ends] = max(known.within, bounds.get(ends, Fraction(0)))
    apart = [one for one in map(_separation, by_place.values()) if one]
    if not apart:
        return None
    return Separation(
        max(one.values for one in apart),
        min(one.smallest_gap for one in apart),
        max(one.largest_bound for one in apart),
        all(one.separates for one in apart),
    )


def _separation(bounds: Mapping[tuple[Fraction, Fraction], Fraction]) -> Separation | None:
    """Return the separation of numbers that are known to lie between two ends; those that may be the same are one."""
    apart: list[tuple[Fraction, Fraction, Fraction]] = []
    for (low, high), within in sorted(bounds.items()):
        if apart and low <= apart[-1][1]:
            first, last, before = apart.pop()
            apart.append((first, max(last, high), max(before, within)))
        else:
            apart.append((low, high, within))
    pairs = list(itertools.pairwise(apart))
    if not pairs:
        return None
    return Separation(
        len(apart),
        min(b[0] - a[1] for a, b in pairs),
        max(within for _, _, within in apart),
        all(a[2] + b[2] < b[0] - a[1] for a, b in pairs),
    )


@dataclass(frozen=True, slots=True)
class Certificate:
    """What running a subject over one domain showed.

    Attributes
    ----------
    exhausted
        Whether every input of the domain was executed.
    """

    case: AnyCase
    subject: Subject
    domain: AnyDomain
    exhausted: bool
    tally: Tally
    separation: Separation | None

    @property
    def inputs(self) -> int:
        """How many inputs were executed."""
        return self.tally.verdicts().total()

    @property
    def is_unsupported(self) -> bool:
        """Whether the subject offers nothing of this domain: nothing is known of it then."""
        return self.inputs > 0 and self.tally.verdicts()[Verdict.UNSUPPORTED] == self.inputs

    @property
    def smallest(self) -> tuple[int, Instance] | None:
        """The first mismatch and its index, if there is one."""
        return next(iter(self.smallest_by_cause.values()), None)

    @property
    def smallest_by_cause(self) -> dict[str, tuple[int, Instance]]:
        """The first mismatch of each cause and its index, in the order of the domain."""
        return dict(sorted(self.tally.first.items(), key=lambda found: found[1][0]))

    def to_json(self) -> dict[str, Json]:
        """Return it as an entry of ``certificates``."""
        smallest = self.smallest
        kinds = {name: self.tally.follows.get(name, 0) for name in self.case.conventions}
        readings = {name: self.tally.readings.get(name, 0) for name in self.case.conventions}
        return {
            "case": self.case.name,
            "status": "run",
            "subject": self.subject.to_json(),
            "domain": domain_json(self.domain),
            "exhausted": self.exhausted,
            "separates": self.separation.separates if self.separation else None,
            "separation": _separation_json(self.separation),
            "error": _error_json(self.tally.error),
            "inputs": self.inputs,
            "by_size": [
                {
                    "size": size,
                    "inputs": counts.total(),
                    "verdicts": verdicts_json(counts),
                    "causes": {cause: n for cause, sizes in self.tally.causes.items() if (n := sizes.get(size))},
                }
                for size, counts in self.tally.by_size.items()
            ],
            "verdicts": verdicts_json(self.tally.verdicts()),
            "conventions": kinds,
            "readings": readings,
            "causes": dict(self.tally.by_cause()),
            "smallest": {"index": smallest[0], **smallest[1].to_json()} if smallest else None,
            "smallest_by_cause": {
                cause: {"index": index, **instance.to_json()}
                for cause, (index, instance) in self.smallest_by_cause.items()
            },
        }


def domain_json(domain: AnyDomain) -> dict[str, Json]:
    """Return what identifies a domain."""
    return {"name": domain.name, "parameters": dict(domain.parameters)}


def verdicts_json(counts: Mapping[Verdict, int]) -> dict[str, Json]:
    """Return the count of every verdict, the ones that did not occur included."""
    return {str(verdict): counts.get(verdict, 0) for verdict in Verdict}


def _error_json(found: Error | None) -> Json:
    if found is None:
        return None
    return {"of_bound": f"{found.of_bound:.3g}", "ulps": None if found.ulps is None else f"{found.ulps:.3g}"}


def _separation_json(found: Separation | None) -> Json:
    if found is None:
        return None
    return {
        "values": found.values,
        "smallest_gap": f"{float(found.smallest_gap):.3g}",
        "largest_bound": f"{float(found.largest_bound):.3g}",
    }
