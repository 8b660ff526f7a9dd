"""Several queries in every form of input: the inputs of the cases about queries, and their domains."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from harness.case import Domain
from harness.enumeration import Enumeration, choice, mapped, pairs, permutation, power, sized, subset, union


class Queries(NamedTuple):
    """Several queries, each with one relevant document.

    Attributes
    ----------
    ranks
        For each query the rank at which it retrieves it, from 1; 0 if it does not.
    qrels_order
        The queries in the order in which they stand in qrels, as indices of ``ranks``.
    run_order
        The same for the run.
    qrels_form
        How qrels are given: ``dict``, ``Qrels``, ``array`` or ``list`` (a numba typed list).
    run_form
        How the run is given: ``dict``, ``Run``, ``array`` or ``list`` (a numba typed list).
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
    )


class PerQuery(NamedTuple):
    """Several queries in one order, each with one relevant document.

    Attributes
    ----------
    ranks
        For each query the rank at which it retrieves it, from 1; 0 if it does not.
    qrels_form
        How qrels are given: ``dict``, ``Qrels``, ``array`` or ``list`` (a numba typed list).
    run_form
        How the run is given: ``dict``, ``Run``, ``array`` or ``list`` (a numba typed list).
    save
        Whether results are saved in the run.
    """

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
    )


class Comparable(NamedTuple):
    """Queries that are judged and queries that are retrieved; each finds its relevant document first.

    Attributes
    ----------
    judged
        The queries in qrels, by number.
    retrieved
        The queries in the run, by number.
    qrels_form
        How qrels are given: ``dict`` or ``Qrels``.
    run_form
        How the run is given: ``dict`` or ``Run``.
    """

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
    )
