"""The logarithm of rank-biased precision, and of its mean over rankings, enclosed between rationals.

The weights of RBP fall geometrically, so that deep hits have a score below every float64: the logarithm says what is
left of it. It is proposed as a metric of its own in LensKit (lenskit/lkpy#1159), which averages RBP, not its logarithm:

    ln RBP      =  ln( (1 - p) * sum over hits of p^(r-1) )
    log mean    =  ln( (1/n) * sum over the n rankings of RBP )

RBP is that of Moffat & Zobel, "Rank-biased precision for measurement of retrieval effectiveness", ACM TOIS 27(1),
2008. A ranking is given by the ranks of its hits, counted from 1, ascending. ``None`` stands for the logarithm of 0: a
ranking without a hit scores 0, and counts in the mean as 0.

Both are one sum over ranks, the second over those of all rankings together. With r_1 the first of them

    ln( (1 - p) * sum p^(r-1) )  =  ln(1 - p)  +  (r_1 - 1) ln p  +  ln( 1 + p^(r_2 - r_1) (1 + p^(r_3 - r_2) (1 + ...

which is Horner's scheme over the gaps: every number in it is at least 1, however deep the ranks are. For ranks up to
2^40 and every float p the enclosures are narrower than 2^-100.
"""

import functools
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from reference.enclosure import Enclosure, exp, ln, total


class RanksOutOfOrderError(ValueError):
    """Ranks of hits that are not ascending, or start below 1."""

    def __init__(self, ranks: Sequence[int]) -> None:
        super().__init__(f"the ranks of hits were expected, from 1 on and each above the one before, not {ranks}")


class PersistenceWithoutLogarithmError(ValueError):
    """A persistence outside 0 < p < 1: ln p or ln(1 - p) is not defined."""

    def __init__(self, persistence: Fraction) -> None:
        super().__init__(f"a persistence p with 0 < p < 1 was expected, not {persistence}")


def ln_rbp(ranks: Sequence[int], p: Fraction) -> Enclosure | None:
    """Return the natural logarithm of the RBP of one ranking, or ``None`` for that of 0.

    Parameters
    ----------
    ranks
        The ranks of the hits, counted from 1, ascending.
    p
        Persistence, 0 < p < 1; the exact value of the float64 that a library receives.

    Raises
    ------
    RanksOutOfOrderError
        If ``ranks`` are not ascending ranks.
    PersistenceWithoutLogarithmError
        If ``p`` is not a persistence with a logarithm.
    """
    check(ranks)
    return _ln_sum(ranks, p)


def ln_mean_rbp(rankings: Sequence[Sequence[int]], p: Fraction) -> Enclosure | None:
    """Return the natural logarithm of the mean RBP of several rankings, or ``None`` for that of 0.

    Parameters
    ----------
    rankings
        By ranking: the ranks of its hits, counted from 1, ascending. One without a hit scores 0 and counts.
    p
        Persistence, 0 < p < 1.

    Raises
    ------
    RanksOutOfOrderError
        If the ranks of a ranking are not ascending ranks.
    PersistenceWithoutLogarithmError
        If ``p`` is not a persistence with a logarithm.
    ValueError
        If there is no ranking.
    """
    if not rankings:
        raise ValueError("at least one ranking was expected: the mean of none is not defined")
    for ranks in rankings:
        check(ranks)
    score = _ln_sum(sorted(rank for ranks in rankings for rank in ranks), p)
    return None if score is None else score - _ln_count(len(rankings))


def ln_mean_exp(values: Sequence[Fraction | None]) -> Enclosure | None:
    """Return ln( (1/n) * sum of e^v ): the log mean of measurements that are given as logarithms.

    Parameters
    ----------
    values
        Exact logarithms; ``None`` is that of 0.

    Returns
    -------
    Enclosure | None
        The logarithm of the mean, or ``None`` for that of 0.

    Raises
    ------
    ValueError
        If there is no value.
    """
    if not values:
        raise ValueError("at least one value was expected: the mean of none is not defined")
    finite = [v for v in values if v is not None]
    if not finite:
        return None
    top = max(finite)
    return ln(total(exp(v - top) for v in finite)) + top - _ln_count(len(values))


def check(ranks: Sequence[int]) -> None:
    """Refuse what are not ranks of hits, ascending.

    Raises
    ------
    RanksOutOfOrderError
        If they are not.
    """
    if (ranks and ranks[0] < 1) or any(a >= b for a, b in pairwise(ranks)):
        raise RanksOutOfOrderError(ranks)


class Persistence(NamedTuple):
    """A persistence with its logarithms."""

    p: Enclosure
    ln: Enclosure
    ln_rest: Enclosure
    """ln(1 - p)"""


@functools.lru_cache(maxsize=256)
def persistence(p: Fraction) -> Persistence:
    """Return p, ln p and ln(1 - p).

    Raises
    ------
    PersistenceWithoutLogarithmError
        If ``p`` is not a persistence with a logarithm.
    """
    if not 0 < p < 1:
        raise PersistenceWithoutLogarithmError(p)
    return Persistence(Enclosure.of(p), ln(p), ln(1 - p))


def _ln_sum(ranks: Sequence[int], p: Fraction) -> Enclosure | None:
    """Return ln( (1 - p) * sum p^(r-1) ) for ascending ranks, of which some may be equal."""
    given = persistence(p)
    if not ranks:
        return None
    horner = _ONE
    for gap in reversed([b - a for a, b in pairwise(ranks)]):
        horner = _ONE + _power(given.p, gap) * horner
    return given.ln_rest + given.ln * (ranks[0] - 1) + ln(horner)


_ONE = Enclosure.of(1)


@functools.lru_cache(maxsize=65536)
def _power(p: Enclosure, n: int) -> Enclosure:
    return p**n


@functools.lru_cache(maxsize=256)
def _ln_count(n: int) -> Enclosure:
    return ln(n)
