"""What a subject did with one input, as the worker reports it.

On the wire an outcome is JSON: a float travels as its hexadecimal text, so that no digit is lost; an integer
as a number; a list as a list; everything else, a text too, as an object that names its kind.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from harness.jsontypes import Json


@dataclass(frozen=True, slots=True)
class Value:
    """A number, or a list of outcomes."""

    value: "float | int | tuple[Outcome, ...]"


@dataclass(frozen=True, slots=True)
class Text:
    """A text."""

    text: str


@dataclass(frozen=True, slots=True)
class Returned:
    """Something that is neither a number, nor a text, nor a list of such: its type, and how it prints."""

    type: str
    shown: str


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception: the name of its class, and its message."""

    error: str
    message: str


@dataclass(frozen=True, slots=True)
class Crashed:
    """The process ended: ``signal SIGSEGV``, ``exit 7``."""

    how: str


@dataclass(frozen=True, slots=True)
class Hung:
    """No answer came within the time limit."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The subject does not offer what the case is about."""

    reason: str


Outcome = Value | Text | Returned | Raised | Crashed | Hung | Unsupported


def from_wire(wire: Json) -> Outcome:
    """Read one outcome.

    Raises
    ------
    ValueError
        If it is none.
    """
    match wire:
        case bool() | None:
            pass
        case str():
            return Value(float.fromhex(wire))
        case int():
            return Value(wire)
        case list():
            return Value(tuple(from_wire(part) for part in wire))
        case dict():
            found = _named(wire)
            if found is not None:
                return found
        case _:
            pass
    raise ValueError(f"an outcome was expected, not {json.dumps(wire)[:200]}")


def _named(wire: Mapping[str, Json]) -> "Outcome | None":
    """Return the outcome that an object names, if it names one."""
    match wire:
        case {"text": str(text)}:
            return Text(text)
        case {"raises": str(error), "message": str(message)}:
            return Raised(error, message)
        case {"returned": str(kind), "shown": str(text)}:
            return Returned(kind, text)
        case {"crashed": str(how)}:
            return Crashed(how)
        case {"hung": int(seconds) | float(seconds)}:
            return Hung(seconds)
        case {"unsupported": str(reason)}:
            return Unsupported(reason)
        case _:
            return None


def shown(outcome: Outcome) -> str:
    """Return what a person is shown."""
    match outcome:
        case Value(tuple() as parts):
            return f"[{', '.join(shown(part) for part in parts)}]"
        case Value(number):
            return _shown_number(number)
        case Text(text):
            return ascii(text)
        case Returned(kind, text):
            return f"{text} (a {kind})"
        case Raised(error, message):
            first = message.strip().splitlines()[0] if message.strip() else ""
            return f"{error}: {first[:160]}" if first else error
        case Crashed(how):
            return f"the process ended ({how})"
        case Hung(seconds):
            return f"no answer within {seconds:g} s"
        case Unsupported(reason):
            return f"unsupported: {reason}"


def unsupported(wire: Json) -> str:
    """Return why the subject does not offer what it was asked for; nothing if it does."""
    reason = wire.get("unsupported") if isinstance(wire, dict) else None
    return reason if isinstance(reason, str) else ""


def _shown_number(number: "float | int | tuple[Outcome, ...]") -> str:
    """Show a number to 15 significant digits, at which decimals that a person wrote come back as written."""
    return f"{number:.15g}" if isinstance(number, float) else str(number)
