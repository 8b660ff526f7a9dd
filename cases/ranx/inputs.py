"""The inputs of the cases about RBP, and the domains that they make up."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from harness.case import Domain
from harness.enumeration import (
    Enumeration,
    arrangement,
    choice,
    mapped,
    pairs,
    permutation,
    power,
    sized,
    subset,
    union,
)
from reference.rbp import received

PERSISTENCES = ("0.8", "0.5", "0.85", "0.95", "0.99")
"""The usual ones. All but 0.5 tell p from 1 - p."""


class JudgedRanking(NamedTuple):
    """One topic: the grades of the judged documents, and a run over them and some unjudged ones.

    ``run`` lists documents by number, best first; a number beyond the grades is an unjudged document.
    """

    grades: tuple[int, ...]
    run: tuple[int, ...]
    persistence: str

    def by_rank(self) -> tuple[int | None, ...]:
        """Return the grades in rank order, None for an unjudged document."""
        return grades_by_rank(self.grades, self.run)


class LevelledRanking(NamedTuple):
    """A judged ranking with a relevance level."""

    grades: tuple[int, ...]
    run: tuple[int, ...]
    persistence: str
    level: int


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
        sizes="documents",
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
        sizes="documents",
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


class Spelling(NamedTuple):
    """A metric string."""

    metric: str


SPELLINGS = [
    "rbp.8",
    "rbp.95",
    "rbp.05",
    "rbp.80",
    "rbp.1",
    "rbp.10",
    "rbp.0",
    "rbp.123456789",
    "rbp",
    "rbp.",
    "rbp@",
    "RBP.8",
    "Rbp.8",
    "xrbp.8",
    "rbp8",
    "rbp-8",
    "rbp.-5",
    "rbp.+5",
    "rbp.8@10",
    "rbp@10.8",
    "rbp@8",
    "rbp@10",
    "rbp@80",
    "rbp@100",
    "rbp.0.8",
    "rbp@0.8",
    "rbp@.8",
    "rbp..8",
    "rbp.1.0",
    "rbp.2.5",
    "rbp.8.5",
    "rbp.8_5",
    "rbp.8e-1",
    "rbp.nan",
    "rbp.inf",
    "rbp.8p",
    "rbp:.8",
    "rbp(.8)",
    "rbp.8%",
    "rbp.four",
]
"""How people write a persistence, and how they might: the documented form first."""


def spellings() -> Domain[Spelling]:
    """Return the spellings that people write."""
    return Domain(
        name="spellings",
        parameters={},
        inputs=mapped(Spelling, choice(SPELLINGS)),
        counts=lambda: {0: len(SPELLINGS)},
        sizes="list",
    )


CHARACTERS = "018.@_ "


def strings(length: int, *, thorough: bool) -> Domain[Spelling]:
    """Return ``rbp`` and every string of up to ``length`` characters of a small alphabet behind it."""
    return Domain(
        name="strings",
        parameters={"characters": CHARACTERS, "length": length},
        inputs=mapped(
            lambda characters: Spelling("rbp" + "".join(characters)),
            union(*(sized(power(choice(CHARACTERS), n), n) for n in range(length + 1))),
        ),
        counts=lambda: {n: len(CHARACTERS) ** n for n in range(length + 1)},
        sizes="characters",
        thorough=thorough,
    )


def odd_spellings() -> st.SearchStrategy[Spelling]:
    """Draw longer strings behind ``rbp``."""
    return st.text("0123456789.@_ +-/٨", max_size=8).map(lambda text: Spelling("rbp" + text))


class Queries(NamedTuple):
    """Several queries, each with one relevant document.

    ``ranks`` says at which rank each query retrieves it (0: not at all); the orders say in which order the
    queries stand in qrels and run.
    """

    ranks: tuple[int, ...]
    qrels_order: tuple[int, ...]
    run_order: tuple[int, ...]
    qrels_form: str
    run_form: str


FORMS = (("dict", "dict"), ("dict", "Run"), ("Qrels", "dict"), ("Qrels", "Run"))
"""Every pairing of a dict, a Qrels and a Run."""

RANKS = (1, 2, 0)


def _ordered(queries: int, forms: Sequence[tuple[str, str]]) -> Enumeration[Queries]:
    """Return so many queries in every order in qrels and in run, in each of the forms."""
    orders = permutation(range(queries))
    return mapped(
        lambda x: Queries(x[0][0], *x[0][1], *x[1]),
        pairs(pairs(power(choice(RANKS), queries), pairs(orders, orders)), choice(forms)),
    )


def query_orders(queries: int, *, thorough: bool) -> Domain[Queries]:
    """Return up to so many queries, in every order in qrels and in run, in every form of input.

    Arrays, and typed lists of them, have no query ids: they are paired by position by their nature, so only
    equal orders are asked of them.
    """

    def of(n: int) -> Enumeration[Queries]:
        arrays = mapped(
            lambda x: Queries(x[0][0], x[0][1], x[0][1], x[1], x[1]),
            pairs(pairs(power(choice(RANKS), n), permutation(range(n))), choice(("array", "list"))),
        )
        return sized(union(_ordered(n, FORMS), arrays), n)

    return Domain(
        name="query orders",
        parameters={"queries": queries},
        inputs=union(*(of(n) for n in range(1, queries + 1))),
        counts=lambda: {n: 3**n * (math.factorial(n) ** 2 * 4 + math.factorial(n) * 2) for n in range(1, queries + 1)},
        sizes="queries",
        thorough=thorough,
    )


def saved_orders(queries: int) -> Domain[Queries]:
    """Return up to so many queries, in every order in qrels and in run, where the run is a Run."""
    forms = [pair for pair in FORMS if pair[1] == "Run"]
    return Domain(
        name="query orders",
        parameters={"queries": queries},
        inputs=union(*(sized(_ordered(n, forms), n) for n in range(1, queries + 1))),
        counts=lambda: {n: 3**n * math.factorial(n) ** 2 * 2 for n in range(1, queries + 1)},
        sizes="queries",
    )


class PerQuery(NamedTuple):
    """Several queries in one order, in one form of input; whether results are saved in the run."""

    ranks: tuple[int, ...]
    qrels_form: str
    run_form: str
    save: bool


PER_QUERY_FORMS: tuple[tuple[str, str, bool], ...] = tuple(
    (pair[0], pair[1], save)
    for pair in (*FORMS, ("array", "array"), ("list", "list"))
    for save in ((True, False) if "Run" in pair else (True,))
)


def per_query_forms(queries: int) -> Domain[PerQuery]:
    """Return up to so many queries in every form of input, results saved and not."""
    return Domain(
        name="input forms",
        parameters={"queries": queries},
        inputs=union(
            *(
                sized(
                    mapped(
                        lambda x: PerQuery(x[0], *x[1]),
                        pairs(power(choice(RANKS), n), choice(PER_QUERY_FORMS)),
                    ),
                    n,
                )
                for n in range(1, queries + 1)
            )
        ),
        counts=lambda: {n: 3**n * 8 for n in range(1, queries + 1)},
        sizes="queries",
    )


class Comparable(NamedTuple):
    """The queries that are judged, and those that are retrieved; each finds its relevant document first."""

    judged: tuple[int, ...]
    retrieved: tuple[int, ...]
    qrels_form: str
    run_form: str


def comparable_sets() -> Domain[Comparable]:
    """Return every two non-empty sets of up to three queries, in every form with query ids."""
    sets = subset(range(3), at_least=1)
    return Domain(
        name="query sets",
        parameters={"queries": 3},
        inputs=mapped(
            lambda x: Comparable(*x[0], *x[1]),
            pairs(pairs(sets, sets), choice(FORMS)),
        ),
        counts=lambda: {
            size: 4 * sum(math.comb(3, a) * math.comb(3, size - a) for a in range(1, min(size, 4)) if size - a <= 3)
            for size in range(2, 7)
        },
        sizes="queries",
    )


class EmptyQuery(NamedTuple):
    """One query with an empty ranking, or without judgements, and some others that are complete."""

    empty: tuple[str, ...]
    others: int
    qrels_form: str
    run_form: str


def empty_queries() -> Domain[EmptyQuery]:
    """Return a query that is empty in run, qrels or both, alone and beside another."""
    empties = (("run",), ("qrels",), ("qrels", "run"))
    return Domain(
        name="empty queries",
        parameters={},
        inputs=union(
            *(
                sized(
                    mapped(
                        lambda x: EmptyQuery(x[0][0], x[0][1], *x[1]),
                        pairs(pairs(choice(empties), choice((others,))), choice(FORMS)),
                    ),
                    others + 1,
                )
                for others in (0, 1)
            )
        ),
        counts=lambda: {1: 12, 2: 12},
        sizes="queries",
    )


class Scored(NamedTuple):
    """Scores of the documents of one query, which of them is relevant, and the form of input."""

    scores: tuple[str, ...]
    relevant: int
    form: str


SCORES = ("-1", "0", "1", "nan")


def scored_documents(documents: int) -> Domain[Scored]:
    """Return up to so many documents with every score from a few, ties and NaN included."""

    def of(n: int) -> Enumeration[Scored]:
        return sized(
            mapped(
                lambda x: Scored(*x[0], x[1]),
                pairs(pairs(power(choice(SCORES), n), choice(range(n))), choice(("dict", "Run"))),
            ),
            n,
        )

    return Domain(
        name="scored documents",
        parameters={"documents": documents},
        inputs=union(*(of(n) for n in range(1, documents + 1))),
        counts=lambda: {n: 4**n * n * 2 for n in range(1, documents + 1)},
        sizes="documents",
    )
