"""What a reference can say of an input: the forms of an expected value."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True, slots=True)
class Exactly:
    """One exact value, and how far a right float may lie from it.

    ``written`` is the value at the decimals that a person wrote, where it differs from the one at the floats
    that the library received: it is what a person is shown.
    """

    value: Fraction
    within: Fraction = Fraction(0)
    written: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Enclosed:
    """The true value lies somewhere in [low, high]; a right float lies no further outside than ``within``."""

    low: Fraction
    high: Fraction
    within: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Special:
    """A float that is no number."""

    name: Literal["nan", "inf", "-inf"]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A text, to the letter."""

    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """The library should refuse the input, with one of these errors (class names); any error if none is named.

    ``message`` is what the error should say, to the letter; anything if it is None. ``mentions`` is a word that has to
    stand in it, such as the name of the argument that is refused.
    """

    errors: tuple[str, ...] = ()
    message: str | None = None
    mentions: str = ""


@dataclass(frozen=True, slots=True)
class Each:
    """A list of values, one for each part."""

    parts: tuple["Expected", ...]


@dataclass(frozen=True, slots=True)
class OneOf:
    """The contract leaves a choice: any of these is right."""

    choices: tuple["Expected", ...]


@dataclass(frozen=True, slots=True)
class Unspecified:
    """No promise covers this input; the reason says why."""

    reason: str


LARGE = 1000
"""A denominator beyond this says little to a reader."""

Expected = Exactly | Enclosed | Special | Verbatim | Refusal | Each | OneOf | Unspecified


def exact_values(expected: Expected) -> Iterator[Exactly]:
    """Yield the exact values in an expected value, at any depth."""
    match expected:
        case Exactly():
            yield expected
        case Each(parts) | OneOf(parts):
            for part in parts:
                yield from exact_values(part)
        case _:
            pass


def known_values(expected: Expected, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Enclosed]]:
    """Yield the numbers in an expected value that are known to within their bound, with their place in a list.

    An enclosure that is wider than its bound leaves a choice: it is no such number.
    """
    match expected:
        case Exactly(value, within):
            yield place, Enclosed(value, value, within)
        case Enclosed(low, high, within) if high - low <= within:
            yield place, expected
        case Each(parts):
            for i, part in enumerate(parts):
                yield from known_values(part, (*place, i))
        case OneOf(choices):
            for choice in choices:
                yield from known_values(choice, place)
        case _:
            pass


def refusals(expected: Expected) -> Iterator[Refusal]:
    """Yield the refusals that are right here."""
    match expected:
        case Refusal():
            yield expected
        case OneOf(choices):
            for choice in choices:
                yield from refusals(choice)
        case _:
            pass


LONG = 128
"""Bits of a numerator or denominator beyond which a fraction is shown as a decimal, whether that is exact or not."""

DIGITS = Context(prec=15, Emin=MIN_EMIN, Emax=MAX_EMAX)
"""Those that a float has for certain, at any magnitude: a right value may lie below every float."""


def shown_fraction(value: Fraction) -> str:
    """Return a small fraction as it is, and one with a large denominator as a decimal if that is short and exact.

    One of very many digits is rounded to 15.
    """
    decimal = f"{_decimal(value):g}"
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > LONG:
        return decimal
    return decimal if value.denominator > LARGE and Fraction(decimal) == value else str(value)


def shown_ratio(value: Fraction) -> str:
    """Return a ratio to three digits, at any magnitude."""
    return f"{_decimal(value):.3g}"


def _decimal(value: Fraction) -> Decimal:
    """Return a rational to 15 digits, without zeros at the end."""
    return DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(DIGITS)


def _shown_enclosure(low: Fraction, high: Fraction) -> str:
    """Return a number where both ends are the same to 15 digits, and else both."""
    if low == high:
        return shown_fraction(low)
    ends = _decimal(low), _decimal(high)
    if ends[0] == ends[1]:
        return f"{ends[0]:g}"
    return f"a value in [{_shown_end(low)}, {_shown_end(high)}]"


def _shown_end(value: Fraction) -> str:
    """Return a small fraction as it is, and another to six digits: an end is seldom looked at closer."""
    return str(value) if value.denominator <= LARGE else f"{_decimal(value):.6g}"


def shown(expected: Expected) -> str:
    """Return what a person is shown."""
    match expected:
        case Exactly(value, _, written):
            return shown_fraction(value if written is None else written)
        case Enclosed(low, high, _):
            return _shown_enclosure(low, high)
        case Special(name):
            return "NaN" if name == "nan" else name
        case Verbatim(text):
            return ascii(text)
        case Refusal(errors, message, mentions):
            said = f": {message}" if message else ""
            about = f" that mentions {mentions}" if mentions else ""
            return f"a refusal ({' or '.join(errors)}{said}{about})" if errors else f"a refusal{about}"
        case Each(parts):
            return f"[{', '.join(shown(part) for part in parts)}]"
        case OneOf(choices):
            return " or ".join(shown(choice) for choice in choices)
        case Unspecified(reason):
            return f"unspecified: {reason}"
