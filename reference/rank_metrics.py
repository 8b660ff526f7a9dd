r"""Rank-based metrics and their moments under random ranks, by enumerating every outcome.

A metric turns n ranks r_i, with weights w_i, into one number (Hoyt, Berrendorf, Galkin, Tresp and Gyori, "A Unified
Framework for Rank-based Evaluation Metrics for Link Prediction", arXiv:2203.07544):

====================  ===========================================
arithmetic mean rank  sum of w_i r_i / W,  with W the sum of the w_i
geometric mean rank   (product of r_i^(w_i)) ^ (1 / W)
mean reciprocal rank  sum of w_i / r_i / W
hits at k             sum of w_i [r_i <= k] / W
====================  ===========================================

Without weights each is 1. Under random ranks the r_i are independent and uniform on 1..N_i, so that each of the
product of the N_i outcomes is as likely as any other: the moments are plain averages over all of them. That is the
definition; it is meant for small vectors.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from reference.enclosure import Enclosure, exp, ln, total
from reference.rbp_rounding import U

Weights = Sequence[Fraction]


class Moments(NamedTuple):
    """Expectation, second moment and variance."""

    expectation: Enclosure
    second: Enclosure
    variance: Enclosure


class CandidatesOutOfRangeError(ValueError):
    """Numbers of candidates or weights from which no outcome can be made."""

    def __init__(self, candidates: Sequence[int], weights: Weights) -> None:
        super().__init__(
            "a fraction as weight was expected for each number of candidates, of a positive sum and none negative, and "
            f"candidates that are integers from 1 on, not {list(candidates)} with {[str(weight) for weight in weights]}"
        )


def arithmetic(ranks: Sequence[int], weights: Weights) -> Enclosure:
    """Return the weighted arithmetic mean of the ranks."""
    return Enclosure.of(_mean([Fraction(rank) for rank in ranks], weights))


def reciprocal(ranks: Sequence[int], weights: Weights) -> Enclosure:
    """Return the weighted mean of the reciprocal ranks: the inverse of the harmonic mean."""
    return Enclosure.of(_mean([Fraction(1, rank) for rank in ranks], weights))


def hits(k: int) -> Callable[[Sequence[int], Weights], Enclosure]:
    """Return the metric that says which share of the weight has a rank of at most k."""
    return lambda ranks, weights: Enclosure.of(_mean([Fraction(rank <= k) for rank in ranks], weights))


def geometric(ranks: Sequence[int], weights: Weights) -> Enclosure:
    """Return the weighted geometric mean of the ranks."""
    logs = (_ln(rank) * (weight / sum(weights)) for rank, weight in zip(ranks, weights, strict=True))
    return exp(total(logs))


def moments(
    metric: Callable[[Sequence[int], Weights], Enclosure], candidates: Sequence[int], weights: Weights | None = None
) -> Moments:
    """Return the moments of a metric over every outcome.

    Parameters
    ----------
    metric
        One of this module.
    candidates
        The N_i, from 1 on.
    weights
        As many, none negative, of a positive sum; all 1 without.

    Raises
    ------
    CandidatesOutOfRangeError
        If they are not so.
    """
    given = [Fraction(1)] * len(candidates) if weights is None else list(weights)
    if any(type(size) is not int for size in candidates) or not all(isinstance(weight, Fraction) for weight in given):
        raise CandidatesOutOfRangeError(candidates, given)
    if not candidates or len(given) != len(candidates) or sum(given) <= 0 or min(given) < 0 or min(candidates) < 1:
        raise CandidatesOutOfRangeError(candidates, given)
    values = [metric(outcome, given) for outcome in outcomes(candidates)]
    expectation = total(values) / len(values)
    centred = (value - expectation for value in values)
    variance = total(difference * difference for difference in centred) / len(values)
    second = total(value * value for value in values) / len(values)
    return Moments(expectation, second, variance)


def outcomes(candidates: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every vector of ranks."""
    return itertools.product(*(range(1, n + 1) for n in candidates))


def roundings(candidates: Sequence[int]) -> int:
    """Return c, so that a sensible float64 evaluation is off by at most c u times E[M], and c u times E[M^2].

    The latter is for the variance, also as E[M^2] - E[M]^2, which cancels. Sums run over the n ranks, or over the N_i;
    logarithms of ranks reach ln K for K = max N_i, and the exponential turns their error into a relative one:
    n + K additions and n logarithms with 3 roundings each, twice for the square, and 8 for the rest.
    """
    n, largest = len(candidates), max(candidates)
    return math.ceil(4 * (largest + 3 * n + 8) * (1 + math.log(largest)))


def within(candidates: Sequence[int], magnitude: Enclosure) -> Fraction:
    """Return the bound for a moment: of E[M] for the expectation, of E[M^2] for the variance."""
    return roundings(candidates) * U * magnitude.high


def _mean(values: Sequence[Fraction], weights: Weights) -> Fraction:
    return sum((w * v for w, v in zip(weights, values, strict=True)), start=Fraction(0)) / sum(weights)


@functools.lru_cache(maxsize=4096)
def _ln(rank: int) -> Enclosure:
    return ln(rank)
