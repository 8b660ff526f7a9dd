"""From an expected value and an outcome to a verdict, in exact arithmetic.

A float is right when it lies within the bound of the exact value. A mismatch is compared with the case's
conventions: one that it follows is its cause, not an excuse for it. Where the bound does not tell the right
value from a convention's, the input is undecidable, and nothing is widened.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from harness.expected import (
    Each,
    Enclosed,
    Exactly,
    Expected,
    OneOf,
    Refusal,
    Special,
    Unspecified,
    Verbatim,
    refusals,
)
from harness.jsontypes import Json
from harness.outcome import Crashed, Hung, Outcome, Raised, Returned, Text, Unsupported, Value, from_wire
from harness.verdict import Verdict


class Error(NamedTuple):
    """How far a float lies from the exact value.

    Attributes
    ----------
    of_bound
        In units of the bound: at most 1 for a right float.
    ulps
        In units of the last place of the exact value, rounded to a float; None where that is no measure, since the
        bound is an absolute one.
    """

    of_bound: float
    ulps: float | None


LARGEST_IN_ULPS = 2**40
"""Beyond this a distance is not told in units of the last place: the value is next to 0, and the bound is not."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on one outcome; for a mismatch also its cause.

    ``follows`` names the conventions under which a mismatch, or what nothing promises, would be right. ``cause`` is
    the first of them, or else a signature: a few words for the kind of mismatch; what is no mismatch has none.
    ``error`` is how far a right float lies from the exact value.
    """

    verdict: Verdict
    follows: tuple[str, ...] = ()
    cause: str = ""
    error: "Error | None" = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is right for one input, or for all inputs that are alike, and what each convention would give.

    Rulings are remembered by the outcome's wire form: alike inputs mostly get the same outcome.
    """

    expected: Expected
    conventions: Mapping[str, Expected] = field(default_factory=dict)
    _rulings: dict[str, Ruling] = field(default_factory=dict, repr=False, compare=False)

    def rule(self, wire: Json) -> Ruling:
        """Return the ruling on an outcome in wire form."""
        key = wire if isinstance(wire, str) else repr(wire)
        ruling = self._rulings.get(key)
        if ruling is None:
            ruling = self._rulings[key] = ruling_on(from_wire(wire), self.expected, self.conventions)
        return ruling


def ruling_on(outcome: Outcome, expected: Expected, conventions: Mapping[str, Expected]) -> Ruling:
    """Return the verdict on an outcome, and for a mismatch its cause."""
    verdict = _verdict(outcome, expected)
    if verdict.is_mismatch:
        follows = tuple(name for name, other in conventions.items() if is_right(outcome, other))
        return Ruling(verdict, follows, follows[0] if follows else _signature(outcome, expected))
    if verdict is Verdict.UNSPECIFIED:
        said = {name: other for name, other in conventions.items() if not isinstance(other, Unspecified)}
        return Ruling(verdict, tuple(name for name, other in said.items() if is_right(outcome, other)))
    if verdict is Verdict.AGREES and any(confusable(expected, other) for other in conventions.values()):
        return Ruling(Verdict.UNDECIDABLE)
    return Ruling(verdict, error=error_of(outcome, expected) if verdict is Verdict.AGREES else None)


def is_right(outcome: Outcome, expected: Expected) -> bool:
    """Return whether the outcome is one that the expected value allows."""
    match expected, outcome:
        case Unspecified(), _:
            return True
        case OneOf(choices), _:
            return any(is_right(outcome, choice) for choice in choices)
        case Refusal(errors, message, mentions), Raised(error, said):
            return (not errors or error in errors) and message in {None, said} and mentions in said
        case Verbatim(text), Text(observed):
            return text == observed
        case Each(parts), Value(tuple() as values):
            return len(parts) == len(values) and all(map(is_right, values, parts))
        case Special(name), Value(float() as x):
            return math.isnan(x) if name == "nan" else x == float(name)
        case Exactly(value, within), Value(int() | float() as x):
            return _is_finite(x) and abs(Fraction(x) - value) <= within
        case Enclosed(low, high, within), Value(int() | float() as x):
            return _is_finite(x) and low - within <= Fraction(x) <= high + within
        case _:
            return False


def error_of(outcome: Outcome, expected: Expected) -> Error | None:
    """Return how far a right outcome lies from the exact value, where rounding is allowed for; the farthest part."""
    match expected, outcome:
        case OneOf(choices), _:
            return next((error_of(outcome, choice) for choice in choices if is_right(outcome, choice)), None)
        case Each(parts), Value(tuple() as values):
            errors = [error for error in map(error_of, values, parts) if error]
            return max(errors, key=lambda error: error.of_bound, default=None)
        case Exactly(value, within), Value(int() | float() as x) if within:
            distance = abs(Fraction(x) - value)
            return Error(float(distance / within), _in_ulps(distance, value))
        case Enclosed(low, high, within), Value(int() | float() as x) if within:
            return Error(float(max(low - Fraction(x), Fraction(x) - high, Fraction(0)) / within), None)
        case _:
            return None


def _in_ulps(distance: Fraction, value: Fraction) -> float | None:
    """Return a distance in units of the last place of a value; None where the bound dwarfs the value."""
    unit = Fraction(math.ulp(value))
    return float(distance / unit) if distance < unit * LARGEST_IN_ULPS else None


def confusable(right: Expected, other: Expected) -> bool:
    """Return whether the two part, and yet one and the same float could be right under both."""
    match right, other:
        case OneOf(choices), _:
            return not any(_same(choice, other) for choice in choices) and any(
                confusable(choice, other) for choice in choices
            )
        case _, OneOf(choices):
            return not any(_same(right, choice) for choice in choices) and any(
                confusable(right, choice) for choice in choices
            )
        case Each(parts), Each(others) if len(parts) == len(others):
            pairs = list(zip(parts, others, strict=True))
            parting = [confusable(a, b) for a, b in pairs]
            return any(parting) and all(c or _same(a, b) for c, (a, b) in zip(parting, pairs, strict=True))
        case ((Exactly() | Enclosed()), (Exactly() | Enclosed())):
            low, high, within = _interval(right)
            other_low, other_high, slack = _interval(other)
            reach = within + slack
            part = other_low < low or other_high > high
            return part and other_low <= high + reach and other_high >= low - reach
        case _:
            return False


def _interval(expected: Exactly | Enclosed) -> tuple[Fraction, Fraction, Fraction]:
    if isinstance(expected, Exactly):
        return expected.value, expected.value, expected.within
    return expected.low, expected.high, expected.within


def _same(right: Expected, other: Expected) -> bool:
    """Return whether they ask for the same value, however exactly and however written."""
    match right, other:
        case ((Exactly() | Enclosed()), (Exactly() | Enclosed())):
            return _interval(right)[:2] == _interval(other)[:2]
        case Each(parts), Each(others):
            return len(parts) == len(others) and all(map(_same, parts, others))
        case _:
            return right == other


def _is_finite(x: float) -> bool:
    return isinstance(x, int) or math.isfinite(x)


def _verdict(outcome: Outcome, expected: Expected) -> Verdict:
    match outcome:
        case Crashed():
            return Verdict.CRASHES
        case Hung():
            return Verdict.HANGS
        case Unsupported():
            return Verdict.UNSUPPORTED
        case _ if isinstance(expected, Unspecified):
            return Verdict.UNSPECIFIED
        case _ if is_right(outcome, expected):
            return Verdict.AGREES
        case Raised() if not any(refusals(expected)):
            return Verdict.RAISES
        case _:
            return Verdict.DIFFERS


def _signature(outcome: Outcome, expected: Expected) -> str:
    match outcome:
        case Crashed(how):
            return f"crashes ({how})"
        case Hung():
            return "hangs"
        case Raised(error, _):
            return f"raises {error}"
        case Returned(kind, _):
            return f"returns a {kind}"
        case Value(float() as x) if math.isnan(x):
            return "returns NaN"
        case Value() | Text() if isinstance(expected, Refusal):
            return "a value where a refusal is due"
        case _:
            return "another value"
