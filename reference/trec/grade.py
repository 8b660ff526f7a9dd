"""The text of a grade, and when a grade is relevant.

``trec_eval -h``: *rel, a non-negative integer less than 128, or -1 (unjudged)*. No version holds a grade to that range.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from reference.trec.dialect import Dialect
from reference.trec.refusal import IntegerError

LARGEST = 2**63 - 1
SMALLEST = -(2**63)

UNPOOLED = -1
UNJUDGED = -2

_INTEGER = re.compile(rb"[ \t\n\v\f\r]*([+-]?)0*([0-9]*)")


class PartialInteger(NamedTuple):
    """Text of which only the start is an integer; the checked dialect warns of it."""

    text: bytes
    value: int


def unheard(_: PartialInteger) -> None:
    """Take no notice of a warning."""


def integer(text: bytes, dialect: Dialect, warn: Callable[[PartialInteger], None] = unheard) -> int:
    """Return the integer that a text starts with: an optional sign and decimal digits.

    9.0 and 10.0 read as C's ``atol`` does: without digits it is 0, and beyond 64 bits it is the nearest integer within.
    The checked dialect refuses both, and tells ``warn`` if something follows the integer.

    >>> integer(b"1.5", Dialect.V10_0), integer(b"rel", Dialect.V10_0), integer(b"-2", Dialect.V10_0)
    (1, 0, -2)

    Raises
    ------
    IntegerError
        In the checked dialect, if there is no digit or the integer is beyond 64 bits.
    """
    start = _INTEGER.match(text)
    assert start is not None  # noqa: S101  # every part of the pattern may be empty
    sign, digits = start[1], start[2]
    if dialect.checks_integers and not text[start.end(1) : start.end()]:
        raise IntegerError(text, out_of_range=False)
    # More than 19 digits are beyond 64 bits, however many they are.
    value = int(digits or b"0") if len(digits) <= 19 else LARGEST + 2
    if sign == b"-":
        value = -value
    if not SMALLEST <= value <= LARGEST:
        if dialect.checks_integers:
            raise IntegerError(text, out_of_range=True)
        return LARGEST if value > 0 else SMALLEST
    if dialect.checks_integers and start.end() < len(text):
        warn(PartialInteger(text, value))
    return value


def relevance_value(grade: int | None) -> int:
    """Return what a level is compared with: a grade of at least 0 itself, and -1 or -2 for the rest.

    ``trec_eval -h``: *A rel judgement is set to -1 if the document was not in the pool or -2 if the document was in the
    pool but unjudged. Otherwise it is set to the value in rel_info_file.* Unjudged is every negative grade; ``None``
    is a document that the qrels do not name.
    """
    if grade is None:
        return UNPOOLED
    return grade if grade >= 0 else UNJUDGED


def is_relevant(grade: int | None, level: int = 1) -> bool:
    """Return whether a retrieved document counts as relevant: its grade is at least ``level``.

    A document with a negative grade is in the pool but unjudged. With a level of 0 or more it is not relevant, and
    neither is one that the qrels do not name. (Measured: ``-l -1`` makes the latter relevant, and ``-l -2`` both.)

    >>> [is_relevant(grade) for grade in (1, -2, 0, -1, None)]
    [True, False, False, False, False]
    """
    return relevance_value(grade) >= level
