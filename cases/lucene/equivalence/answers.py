"""What the equivalent in Python answers, as what is expected of Lucene: to the last bit and letter."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from harness.case import Contract
from harness.expected import Each, Exactly, Expected, Refusal, Special, Verbatim

UNSAID = {"StringIndexOutOfBoundsException"}
"""Errors of Java's own library: their message is that of a version of Java."""

WHY = "The equivalent in Python gives this."


def answer(call: Callable[..., Any], x: Iterable[object]) -> Expected:
    """Return what the equivalent does with an input, as what is expected of Lucene: to the last bit and letter."""
    found = _called(call, x)
    if not isinstance(found, Exception):
        return expected(found)
    name = type(found).__name__
    return Refusal((name,), None if name in UNSAID else str(found))


def _called(call: Callable[..., Any], x: Iterable[object]) -> object:
    """Return what the equivalent gives, or the error that it raises."""
    try:
        return call(*x)
    except Exception as error:  # noqa: BLE001 - the error is the answer
        return error


def expected(value: object) -> Expected:
    """Return a value as what is expected, exactly."""
    match value:
        case str():
            return Verbatim(value)
        case list() | tuple():
            return Each(tuple(expected(part) for part in value))
        case float() if math.isnan(value):
            return Special("nan")
        case float() if math.isinf(value):
            return Special("inf" if value > 0 else "-inf")
        case int() | float():
            return Exactly(Fraction(value))
        case _:
            raise TypeError(f"a number, a text or a list was expected, not {value!r}")


def alike(call: Callable[..., Any]) -> Callable[[Iterable[object]], str]:
    """Return what tells inputs apart: what the equivalent answers, which is all that is expected."""

    def key(x: Iterable[object]) -> str:
        found = _called(call, x)
        return f"raised {type(found).__name__} {found}" if isinstance(found, Exception) else repr(found)

    return key


def value(call: Callable[..., Any], x: Iterable[object]) -> object:
    """Return what the equivalent gives; None where it refuses, which is told by the frame of the script."""
    found = _called(call, x)
    return None if isinstance(found, Exception) else found


def contract(what: str) -> Contract:
    """Return the contract of an equivalence."""
    return Contract(
        says=f"{what}, as this project writes it in Python to test without Java, does what Lucene's own class does, "
        "bit by bit, errors and messages included",
        source="cases/lucene/equivalent, and the classes of org.apache.lucene.benchmark.quality",
        unpromised="Lucene promises nothing here; a divergence is a fault of the equivalent, or a change in Lucene",
    )


def require_flag(assertions: object) -> None:
    """Raise TypeError for what is neither on nor off."""
    if not isinstance(assertions, bool):
        raise TypeError(f"assertions are on (true) or off (false), not {assertions!r}")


def switch(assertions: bool) -> str:  # noqa: FBT001 - it is a part of the input
    """Return the flag in words."""
    return f"assertions {'on' if assertions else 'off'}"
