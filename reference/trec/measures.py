"""Measures of one ranking as exact rationals, from the grades by rank.

Chris Buckley and Ellen M. Voorhees, "Retrieval System Evaluation", chapter 3 of *TREC: Experiment and Evaluation in
Information Retrieval*, MIT Press 2005, as trec_eval documents them (``trec_eval -h -m MEASURE``). For a topic with R
relevant documents, of which those retrieved are at the ranks r_1 < r_2 < ...:

    P@n             = |{k : r_k <= n}| / n             a shorter ranking is filled with documents that are not relevant
    AP  (map)       = (sum over k of  k / r_k) / R     a relevant document that is not retrieved adds 0
    RR  (recip_rank) = 1 / r_1                         0 without one
    recall (set_recall) = relevant retrieved / R
    R-precision (Rprec) = P@R

Without a relevant document (R = 0) all but P@n and RR are 0, and so are these two if the level is 0 or more.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reference.trec.grade import relevance_value

ZERO = Fraction(0)


class CutoffError(ValueError):
    """A cutoff that is not positive."""

    def __init__(self, cutoff: int) -> None:
        super().__init__(f"a cutoff of at least 1 was expected, not {cutoff}")


@dataclass(frozen=True, slots=True)
class Measures:
    """What is known of one topic's ranking; the measures follow from it.

    Attributes
    ----------
    num_ret
        How many documents were retrieved.
    num_rel
        How many documents of the topic are relevant, retrieved or not.
    num_rel_ret
        How many of those were retrieved.
    ranks
        The ranks of the relevant documents, from 1, rising. With a level below 0 they can be more than ``num_rel_ret``:
        see `evaluate`.
    """

    num_ret: int
    num_rel: int
    num_rel_ret: int
    ranks: tuple[int, ...]

    def precision(self, cutoff: int) -> Fraction:
        """Return P@cutoff.

        Raises
        ------
        CutoffError
            If the cutoff is not positive.
        """
        if cutoff < 1:
            raise CutoffError(cutoff)
        return Fraction(self._within(cutoff), cutoff)

    @property
    def average_precision(self) -> Fraction:
        """AP, which trec_eval prints as map.

        Raises
        ------
        ZeroDivisionError
            If no document is relevant and yet ``ranks`` has one: with a level below 0. trec_eval prints ``inf``.
        """
        if not self.ranks:
            return ZERO
        common = math.lcm(*self.ranks)
        return Fraction(sum(k * (common // rank) for k, rank in enumerate(self.ranks, start=1)), common * self.num_rel)

    @property
    def reciprocal_rank(self) -> Fraction:
        """RR, which trec_eval prints as recip_rank."""
        return Fraction(1, self.ranks[0]) if self.ranks else ZERO

    @property
    def recall(self) -> Fraction:
        """Recall over all that was retrieved, which trec_eval prints as set_recall."""
        return Fraction(self.num_rel_ret, self.num_rel) if self.num_rel else ZERO

    @property
    def r_precision(self) -> Fraction:
        """R-precision, which trec_eval prints as Rprec."""
        return Fraction(self._within(self.num_rel), self.num_rel) if self.num_rel else ZERO

    def _within(self, cutoff: int) -> int:
        return sum(rank <= cutoff for rank in self.ranks)


def evaluate(ranking: Sequence[int | None], judged: Iterable[int], level: int = 1) -> Measures:
    """Return the measures of a ranking.

    Parameters
    ----------
    ranking
        By rank, best first: the document's grade, or ``None`` for one that the qrels do not name. No document is in it
        twice.
    judged
        The grades of all documents that the qrels name for the topic, in any order, retrieved or not.
    level
        The lowest grade that is relevant. A negative grade is never one of R, whatever the level. A level below 0 is
        no use, but trec_eval has an answer to it: at -1 a retrieved document that the qrels do not name is counted in
        P@n, AP, RR and R-precision, at -2 one with a negative grade too, and neither in R or recall.

    >>> found = evaluate([-2, 1], judged=[-2, 1])
    >>> found.precision(1), found.average_precision, found.reciprocal_rank, found.recall
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 2), Fraction(1, 1))
    """
    lowest = max(level, 0)
    num_rel = sum(grade >= lowest for grade in judged)
    if level > 0:
        ranks = tuple([rank for rank, grade in enumerate(ranking, start=1) if grade is not None and grade >= level])
        return Measures(len(ranking), num_rel, len(ranks), ranks)
    values = [relevance_value(grade) for grade in ranking]
    ranks = tuple([rank for rank, value in enumerate(values, start=1) if value >= level])
    return Measures(len(ranking), num_rel, sum(value >= lowest for value in values), ranks)


def mean(values: Iterable[Fraction], topics: int | None = None) -> Fraction:
    """Return the sum of a measure's values over the number of topics, which defaults to that of the values.

    ``topics`` is larger where topics without a value count as 0, as with trec_eval's option ``-c``.

    Raises
    ------
    ZeroDivisionError
        If there are no topics.
    """
    of_topics = list(values)
    return sum(of_topics, start=ZERO) / (len(of_topics) if topics is None else topics)
