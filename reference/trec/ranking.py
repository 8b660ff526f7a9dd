"""The order of a topic's documents: by score, as trec_eval reads one, and by document among equal scores.

``trec_eval -h -m num_ret``: *ranks are assigned by sorting by the sim field with ties broken deterministicly (using
docno)*. It was seen to compare documents byte by byte, the greater one first.
"""

import itertools
import math
import re
import struct
from collections.abc import Sequence
from typing import NamedTuple

from reference.trec.dialect import Dialect
from reference.trec.refusal import RepeatedDocumentError, UndefinedBehaviourError

_NUMBER = re.compile(
    rb"[ \t\n\v\f\r]*(?P<sign>[+-]?)"
    rb"(?:(?P<infinity>inf)|(?P<nan>nan)"
    rb"|(?P<hexadecimal>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)"
    rb"|(?P<decimal>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?))",
    re.IGNORECASE,
)


class Scored(NamedTuple):
    """A retrieved document with its score."""

    docno: bytes
    score: float


def score(text: bytes, dialect: Dialect) -> float:
    """Return the number that a text starts with, as C's ``atof`` reads it; without one it is 0.

    A number may be decimal, hexadecimal, ``inf`` or ``nan``. In 9.0 it is then rounded to single precision.

    >>> score(b"1,5", Dialect.V10_0), score(b"0x10", Dialect.V10_0), score(b"best", Dialect.V10_0)
    (1.0, 16.0, 0.0)
    """
    value = _double(text)
    return _single(value) if dialect.rounds_scores_to_float32 else value


def ranked(results: Sequence[Scored], depth: int | None = None) -> list[bytes]:
    """Return the first ``depth`` documents by falling score, those of equal scores by falling bytes.

    Raises
    ------
    RepeatedDocumentError
        If a document is twice among them.
    UndefinedBehaviourError
        If a score is NaN. It would compare equal to every score, so the order would depend on the sorting algorithm.
    """
    if any(math.isnan(result.score) for result in results):
        raise UndefinedBehaviourError("a NaN score equals every score, so that C's qsort has no order to sort by")
    ranking = sorted(results, key=lambda result: (result.score, result.docno), reverse=True)
    docnos = [result.docno for result in ranking[:depth]]
    if len(set(docnos)) < len(docnos):
        seen = sorted(docnos)
        raise RepeatedDocumentError("run", next(a for a, b in itertools.pairwise(seen) if a == b))
    return docnos


def _double(text: bytes) -> float:
    number = _NUMBER.match(text)
    if number is None:
        return 0.0
    if number["nan"]:
        return math.nan
    sign = -1.0 if number["sign"] == b"-" else 1.0
    if number["infinity"]:
        return sign * math.inf
    if number["decimal"]:
        return sign * float(number["decimal"])
    try:
        return sign * float.fromhex(number["hexadecimal"].decode())
    except OverflowError:
        return sign * math.inf


def _single(value: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)
