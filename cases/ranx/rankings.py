"""Judged rankings: the inputs of the cases about the value of one query, and the domains that they make up."""

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from harness.case import Domain
from harness.enumeration import Enumeration, arrangement, choice, mapped, pairs, power, sized, union
from reference.rbp import received

PERSISTENCES = ("0.8", "0.5", "0.85", "0.95", "0.99")
"""The usual ones. All but 0.5 tell p from 1 - p."""


class JudgedRanking(NamedTuple):
    """One topic: judged documents, and a run over them and some unjudged ones.

    Attributes
    ----------
    grades
        The grades of the judged documents d0, d1, ...
    run
        The documents that are retrieved, best first, as indices of ``grades``; a larger number is an unjudged
        document (u0, u1, ...).
    persistence
        The persistence p, a number between 0 and 1 in quotes.
    """

    grades: tuple[int, ...]
    run: tuple[int, ...]
    persistence: str

    def by_rank(self) -> tuple[int | None, ...]:
        """Return the grades in rank order, None for an unjudged document."""
        return grades_by_rank(self.grades, self.run)


class LevelledRanking(NamedTuple):
    """A judged ranking with a relevance level.

    Attributes
    ----------
    grades
        The grades of the judged documents d0, d1, ...
    run
        The documents that are retrieved, best first, as indices of ``grades``; a larger number is an unjudged
        document (u0, u1, ...).
    persistence
        The persistence p, a number between 0 and 1 in quotes.
    level
        The least grade of a relevant document.
    """

    grades: tuple[int, ...]
    run: tuple[int, ...]
    persistence: str
    level: int


def validate_ranking(x: JudgedRanking | LevelledRanking) -> None:
    """Refuse what ranx could not be blamed for.

    Raises
    ------
    ValueError
        If something is not of its form.
    """
    if not x.grades or not all(type(grade) is int for grade in x.grades):
        raise ValueError("grades are one or more integers")
    if not x.run or not all(type(d) is int and d >= 0 for d in x.run) or len(set(x.run)) < len(x.run):
        raise ValueError("a run lists one or more documents by number, from 0 on, each once")
    if not re.fullmatch(r"0\.[0-9]+", x.persistence) or not _is_persistence(x):
        raise ValueError('a persistence is a number between 0 and 1, both excluded, and written as "0.8"')


def grades_by_rank(grades: Sequence[int], run: Iterable[int]) -> tuple[int | None, ...]:
    """Return the grades in rank order, None for an unjudged document."""
    judged = len(grades)
    return tuple([grades[d] if d < judged else None for d in run])


Documents = tuple[int, ...]


def pools(grades: Iterable[int], documents: int, unjudged: int) -> Enumeration[tuple[Documents, Documents]]:
    """Return (grades, run) for 1 to ``documents`` judged documents.

    The run is every permutation of every non-empty subset of the judged documents and ``unjudged`` more.
    The size is the number of judged documents.
    """
    levels = tuple(grades)
    return union(
        *(
            sized(pairs(power(choice(levels), n), arrangement(range(n + unjudged), at_least=1)), n)
            for n in range(1, documents + 1)
        )
    )


def count_pools(grades: int, documents: int, unjudged: int, times: int = 1) -> dict[int, int]:
    """Return how many `pools` there are by size: g^n * sum over k of (n + u)! / (n + u - k)!."""
    return {
        n: times * grades**n * sum(math.perm(n + unjudged, k) for k in range(1, n + unjudged + 1))
        for n in range(1, documents + 1)
    }


def judged_rankings(persistence: str, unjudged: int, *, thorough: bool) -> Domain[JudgedRanking]:
    """Return grades 0 to 3, 1 to 4 judged documents, every permutation of every non-empty subset as run."""
    return Domain(
        name="judged rankings",
        parameters={"persistence": persistence, "unjudged": unjudged},
        inputs=mapped(
            lambda pool: JudgedRanking(pool[0], pool[1], persistence),
            pools(range(4), 4, unjudged),
        ),
        counts=lambda: count_pools(4, 4, unjudged),
        thorough=thorough,
    )


def all_judged_rankings() -> tuple[Domain[JudgedRanking], ...]:
    """Return the judged rankings at every persistence, without and with an unjudged document in the pool."""
    return tuple(
        judged_rankings(persistence, unjudged, thorough=(persistence, unjudged) != (PERSISTENCES[0], 0))
        for unjudged in (0, 1)
        for persistence in PERSISTENCES
    )


def levelled_rankings(
    name: str, grades: range, levels: range, documents: int, *, thorough: bool
) -> Domain[LevelledRanking]:
    """Return judged rankings with every relevance level, at persistence 0.8."""
    return Domain(
        name=name,
        parameters={"persistence": "0.8"},
        inputs=mapped(
            lambda x: LevelledRanking(x[0][0], x[0][1], "0.8", x[1]),
            pairs(pools(grades, documents, 0), choice(levels)),
        ),
        counts=lambda: count_pools(len(grades), documents, 0, len(levels)),
        thorough=thorough,
    )


@st.composite
def long_rankings(draw: st.DrawFn, lowest: int = 0) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    """Draw longer pools, larger grades, more unjudged documents and odd persistences."""
    grades = draw(st.lists(st.integers(lowest, 20), min_size=1, max_size=30))
    unjudged = draw(st.integers(0, 10))
    pool = list(range(len(grades) + unjudged))
    run = draw(st.permutations(pool))[: draw(st.integers(1, len(pool)))]
    digits = draw(st.from_regex(r"[0-9]{0,5}[1-9]", fullmatch=True))
    return tuple(grades), tuple(run), f"0.{digits}"


def long_judged_rankings() -> st.SearchStrategy[JudgedRanking]:
    """Draw judged rankings beyond the domain."""
    return long_rankings().map(lambda drawn: JudgedRanking(*drawn)).filter(_is_persistence)


def long_levelled_rankings() -> st.SearchStrategy[LevelledRanking]:
    """Draw judged rankings with a relevance level beyond the domain."""
    return st.builds(
        lambda drawn, level: LevelledRanking(drawn[0], drawn[1], drawn[2], level),
        long_rankings(-3),
        st.integers(-3, 20),
    ).filter(_is_persistence)


def _is_persistence(x: JudgedRanking | LevelledRanking) -> bool:
    return 0 < received(x.persistence) < 1
