r"""Rank-Biased Precision as exact rationals.

Alistair Moffat and Justin Zobel, "Rank-biased precision for measurement of retrieval effectiveness",
ACM Transactions on Information Systems 27(1), 2008, doi:10.1145/1416950.1416952:

    RBP = (1 - p) * sum over ranks i = 1..d of  r_i * p^(i-1),      0 <= r_i <= 1,   0 <= p < 1

where ``p`` is the persistence: the probability that a user goes on from one document to the next.

A ranking is given as a sequence by rank, best first. Its entries are gains, or ``None`` for a document
that nobody judged; an unjudged document gains nothing but takes up its rank. A cutoff takes a prefix of it.
"""

import functools
from collections.abc import Sequence
from fractions import Fraction

Gain = int | Fraction


class PersistenceOutOfRangeError(ValueError):
    """A persistence outside 0 <= p < 1, for which RBP is not defined."""

    def __init__(self, persistence: Fraction) -> None:
        super().__init__(f"a persistence p with 0 <= p < 1 was expected, not {persistence}")


class NothingAchievableError(ValueError):
    """No relevant document that a ranking could hold: the best one scores 0, and nothing can be divided by it."""

    def __init__(self, achievable: int) -> None:
        super().__init__(f"at least one relevant document was expected, not {achievable}")


class WeightsOutOfRangeError(ValueError):
    """Weights of which one is negative, or that are normalised by 0 or less."""

    def __init__(self, weights: Sequence[Gain], normalisation: Gain) -> None:
        super().__init__(
            f"weights of at least 0 and a normalisation above 0 were expected, not {weights} and {normalisation}"
        )


def received(written: str) -> Fraction:
    """Return the exact value of the float64 that a library gets for the decimal ``written``.

    >>> received("0.5")
    Fraction(1, 2)
    >>> received("0.8") == Fraction(4, 5)
    False

    Raises
    ------
    ValueError
        If ``written`` is not a number.
    """
    return Fraction(float(written))


def binary(relevant: Sequence[bool | int], p: Fraction) -> Fraction:
    """Return the RBP of Moffat & Zobel (2008) for binary relevance.

    Parameters
    ----------
    relevant
        By rank, best first: whether the document is relevant. An unjudged one is not.
    p
        Persistence, 0 <= p < 1.

    Raises
    ------
    PersistenceOutOfRangeError
        If ``p`` is not a persistence.
    """
    return graded([1 if r else 0 for r in relevant], p)


def graded(gains: Sequence[Gain | None], p: Fraction) -> Fraction:
    """Return (1 - p) * sum of g_i * p^(i-1), for gains in any unit.

    It lies in [0, 1] if every gain does. Which gain a grade is worth is a choice of its own: see
    `raw_gains` and `gains_over_top`.

    Raises
    ------
    PersistenceOutOfRangeError
        If ``p`` is not a persistence.
    """
    _check(p)
    return (1 - p) * sum((gain * power(p, i) for i, gain in enumerate(gains) if gain), start=Fraction(0))


def normalised(relevant: Sequence[bool | int], p: Fraction, achievable: int) -> Fraction:
    """Return the binary RBP over that of the best ranking: ``achievable`` relevant documents, and nothing before them.

    The best one scores (1 - p) * (1 + p + ... + p^(k-1)) = 1 - p^k, for k = ``achievable``. What it may hold is for
    the caller to say: all relevant documents of the topic, or as many as the cutoff leaves room for.

    Raises
    ------
    PersistenceOutOfRangeError
        If ``p`` is not a persistence.
    NothingAchievableError
        If ``achievable`` is below 1.
    """
    if achievable < 1:
        raise NothingAchievableError(achievable)
    return binary(relevant, p) / (1 - power(p, achievable))


def weighted(relevant: Sequence[bool | int], weights: Sequence[Gain], normalisation: Gain | None = None) -> Fraction:
    """Return the sum of the weights of the relevant documents over a normalisation.

    Parameters
    ----------
    relevant
        By rank, best first: whether the document is relevant.
    weights
        By rank, at least 0; as many.
    normalisation
        What to divide by; the sum of all weights if ``None``.

    Raises
    ------
    WeightsOutOfRangeError
        If a weight is negative, or the normalisation not positive.
    ValueError
        If there are not as many weights as documents.
    """
    divisor = sum(weights) if normalisation is None else normalisation
    if divisor <= 0 or any(weight < 0 for weight in weights):
        raise WeightsOutOfRangeError(weights, divisor)
    return sum((Fraction(w) for r, w in zip(relevant, weights, strict=True) if r), start=Fraction(0)) / divisor


@functools.lru_cache(maxsize=4096)
def power(p: Fraction, i: int) -> Fraction:
    """Return p^i; the powers of the usual persistences are asked for again and again."""
    return p**i


def residual(gains: Sequence[Gain | None], p: Fraction, top: Gain = 1) -> Fraction:
    """Return how much the score would grow if all that is unknown had the top gain.

    Unknown are the unjudged documents of the ranking (``None``) and everything below its last rank:

        residual = top * ( (1 - p) * sum over unjudged i of p^(i-1)  +  p^d )

    (Moffat & Zobel 2008, who report it beside every score.) The score plus its residual is the score's upper bound.

    Raises
    ------
    PersistenceOutOfRangeError
        If ``p`` is not a persistence.
    """
    unjudged = graded([1 if gain is None else 0 for gain in gains], p)
    return top * (unjudged + p ** len(gains))


def relevance(grades: Sequence[int | None], level: int = 1) -> list[bool]:
    """Return by rank whether a document is relevant: judged, and with a grade of at least ``level``."""
    return [grade is not None and grade >= level for grade in grades]


def raw_gains(grades: Sequence[int | None], level: int = 1) -> list[int]:
    """Return gains with the mapping *raw grade*: a grade of at least ``level`` is worth itself."""
    return [grade if grade is not None and grade >= level else 0 for grade in grades]


def gains_over_top(grades: Sequence[int | None], top: int, level: int = 1) -> list[Fraction]:
    """Return gains with the mapping *grade over top grade*: grade / top for a grade of at least ``level``.

    ``top`` is the highest grade of the scale, or of the topic; if it is below 1, nothing has a gain.
    """
    if top < 1:
        return [Fraction(0)] * len(grades)
    return [Fraction(gain, top) for gain in raw_gains(grades, level)]


def _check(p: Fraction) -> None:
    if not 0 <= p < 1:
        raise PersistenceOutOfRangeError(p)
