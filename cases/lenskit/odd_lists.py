"""Lists that RBP was hardly made for: with an item twice, not ordered, with ranks of their own."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from cases.lenskit import scripts
from cases.lenskit.lists import USUAL, describe_hits, patterns
from cases.lenskit.rbp import DOCSTRING, binary
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, pairs, power, sized, subset, union
from harness.expected import Exactly, Expected, Refusal, Unspecified
from reference import rbp
from reference.rbp_rounding import U

P = rbp.received(USUAL)

# --- an item twice -----------------------------------------------------------------------------------------------


class Duplicates(NamedTuple):
    """A list that may hold an item twice.

    Attributes
    ----------
    items
        The items of the list, by number, best first.
    test
        The test items, by number.
    """

    items: tuple[int, ...]
    test: tuple[int, ...]

    def hits(self, items: tuple[int, ...]) -> tuple[int, ...]:
        """Return the ranks of the hits in these items."""
        return tuple(rank for rank, item in enumerate(items, 1) if item in self.test)


def _every(x: Duplicates) -> Exactly:
    return binary(x.hits(x.items), USUAL)


def _first(x: Duplicates) -> Exactly:
    first = [rank for rank in x.hits(x.items) if x.items.index(x.items[rank - 1]) == rank - 1]
    return binary(first, USUAL)


def _without(x: Duplicates) -> Exactly:
    once = tuple(dict.fromkeys(x.items))
    return binary(x.hits(once), USUAL)


def _duplicates(x: Duplicates) -> Expected:
    if len(set(x.items)) < len(x.items):
        return Unspecified("nothing says whether a list may hold an item twice, and what it counts then")
    return _every(x)


def _describe_duplicates(x: Duplicates) -> str:
    return f"items {', '.join(map(str, x.items))}, test items {', '.join(map(str, x.test))}, p = {USUAL}"


def _duplicates_script(x: Duplicates) -> Script:
    return scripts.call(
        _duplicates(x),
        setup=scripts.lists(f"ItemList({list(x.items)}, ordered=True)", f"ItemList({list(x.test)})"),
        returns="return RBP().measure_list(RECS, TEST)",
        input=_describe_duplicates(x),
    )


def lists_with_duplicates(items: int, length: int) -> Domain[Duplicates]:
    """Return every list over these items, with every set of test items; the size is the length."""
    names = range(1, items + 1)
    return Domain(
        name="lists with duplicates",
        parameters={"items": items, "length": length},
        inputs=mapped(
            lambda x: Duplicates(*x),
            union(*(sized(pairs(power(choice(names), n), subset(names, at_least=1)), n) for n in range(1, length + 1))),
        ),
        counts=lambda: {n: items**n * (2**items - 1) for n in range(1, length + 1)},
    )


DUPLICATES = Case(
    name="lenskit/rbp-duplicates",
    contract=Contract(
        says="RBP counts each item of the list that is a test item; of an item that occurs twice nothing is said",
        source=f"{DOCSTRING}, and that of lenskit.data.ItemList",
    ),
    input_type=Duplicates,
    call="rbp_duplicates",
    expected=_duplicates,
    conventions={
        "every occurrence counts": _every,
        "the first occurrence counts": _first,
        "the list without repetitions": _without,
    },
    domains=(lists_with_duplicates(3, 4),),
    describe=_describe_duplicates,
    script=_duplicates_script,
)

# --- no order ----------------------------------------------------------------------------------------------------


class Unordered(NamedTuple):
    """A list that is not ordered.

    Attributes
    ----------
    hits
        The places of the hits, from 1, ascending; where there is none, a test item is missed.
    retrieved
        How many items the list has.
    cutoff
        The cutoff n, or null for none.
    """

    hits: tuple[int, ...]
    retrieved: int
    cutoff: int | None


def _describe_unordered(x: Unordered) -> str:
    cutoff = "" if x.cutoff is None else f", n = {x.cutoff}"
    return f"{describe_hits(x.hits, x.retrieved, 0 if x.hits else 1)}, not ordered{cutoff}"


def _unordered_script(metric: str, expected: Expected) -> Callable[[Unordered], Script]:
    def script(x: Unordered) -> Script:
        recs = f"ItemList({list(range(1, x.retrieved + 1))})"
        return scripts.call(
            expected,
            setup=scripts.lists(recs, scripts.relevant(x.hits, x.retrieved, 0 if x.hits else 1)),
            returns=f"return {metric}({x.cutoff}).measure_list(RECS, TEST)",
            needs=(metric,),
            input=_describe_unordered(x),
        )

    return script


def unordered_lists(length: int) -> Domain[Unordered]:
    """Return patterns, each without a cutoff and with every one; where there is no hit, a test item was missed."""
    cutoffs = (None, *range(1, length + 1))
    return Domain(
        name="unordered lists",
        parameters={"length": length},
        inputs=mapped(
            lambda x: Unordered(*x[0], x[1]),
            pairs(union(*map(patterns, range(1, length + 1))), choice(cutoffs)),
        ),
        counts=lambda: {n: 2**n * len(cutoffs) for n in range(1, length + 1)},
    )


def order(name: str, metric: str) -> Case[Unordered]:
    """Return the case about lists without an order, for a metric."""
    due = Refusal(("ValueError",), mentions="ordered")
    return Case(
        name=name,
        contract=Contract(
            says="the recommendation list has to be ordered; one that is not is refused by an error that says so",
            source="docs/guide/evaluation/rankings.rst (most metrics require the recommendation item list to be "
            "ordered), and the error that an unordered list meets where a cutoff is given",
            unpromised="the guide requires an order, and does not say which error its absence meets",
        ),
        input_type=Unordered,
        call=name.partition("/")[2].replace("-", "_"),
        expected=lambda _: due,
        domains=(unordered_lists(3),),
        describe=_describe_unordered,
        script=_unordered_script(metric, due),
    )


ORDER = order("lenskit/rbp-order", "RBP")

# --- ranks of its own ----------------------------------------------------------------------------------------------


class Ranked(NamedTuple):
    """A list of which each item has a rank of its own.

    Attributes
    ----------
    hits
        The places of the hits in the list, from 1, ascending.
    ranks
        The rank of each item.
    """

    hits: tuple[int, ...]
    ranks: tuple[int, ...]


def is_usual(x: Ranked) -> bool:
    """Return whether the ranks are those that the list would have anyway."""
    return x.ranks == tuple(range(1, len(x.ranks) + 1))


def by_given_ranks(x: Ranked) -> Exactly:
    """Return RBP with the exponent r - 1, whatever the ranks r are.

    The bound is that of `reference.rbp_rounding`, which holds for the magnitude of an exponent: |ln p| is below 1/3.
    """
    terms = [((1 - P) * P ** (rank - 1), abs(rank - 1)) for rank in (x.ranks[place - 1] for place in x.hits)]
    within = sum((term * (exponent + 2 + len(terms) + 5) for term, exponent in terms), start=Fraction(0)) * U
    return Exactly(sum((term for term, _ in terms), start=Fraction(0)), within)


def _by_given_ranks(x: Ranked) -> Expected:
    return _ranked(x) if is_usual(x) else by_given_ranks(x)


def _ranked(x: Ranked) -> Expected:
    if is_usual(x):
        return binary(x.hits, USUAL)
    return Unspecified(
        "ranks are said to begin with 1 and to follow the order of the list; nothing says what others count for"
    )


def describe_ranked(x: Ranked) -> str:
    """Return an input in a few words."""
    return f"{describe_hits(x.hits, len(x.ranks), 0)} (places), ranks {', '.join(map(str, x.ranks))}"


def ranked_script(x: Ranked, expected: Expected, metric: str = "RBP") -> Script:
    """Return a script that measures a list with ranks of its own."""
    items = list(range(1, len(x.ranks) + 1))
    return scripts.call(
        expected,
        setup=scripts.lists(f"ItemList({items}, rank={list(x.ranks)})", scripts.relevant(x.hits, len(items), 0)),
        returns=f"return {metric}().measure_list(RECS, TEST)",
        needs=(metric,),
        input=describe_ranked(x),
    )


def lists_with_ranks(length: int, ranks: range) -> Domain[Ranked]:
    """Return patterns with a hit, and every tuple of ranks; the size is the length."""
    return Domain(
        name="lists with ranks",
        parameters={"length": length, "ranks": f"{ranks[0]} to {ranks[-1]}"},
        inputs=mapped(
            lambda x: Ranked(x[0][0], x[1]),
            union(*(pairs(patterns(n, at_least=1), power(choice(ranks), n)) for n in range(1, length + 1))),
        ),
        counts=lambda: {n: (2**n - 1) * len(ranks) ** n for n in range(1, length + 1)},
    )


RANKS = Case(
    name="lenskit/rbp-ranks",
    contract=Contract(
        says="ranks begin with 1; with the ranks 1, 2, ... of its own a list scores as without",
        source="the docstrings of lenskit.data.ItemList.ranks (item ranks start with 1, and are based on the "
        "order in the list) and RankWeight.weight (ranks must start with 1)",
        upstream="a list whose first rank is not 1 is accepted with a DataWarning",
    ),
    input_type=Ranked,
    call="rbp_ranks",
    expected=_ranked,
    conventions={"the exponent is the given rank - 1": _by_given_ranks},
    domains=(lists_with_ranks(3, range(5)),),
    describe=describe_ranked,
    script=lambda x: ranked_script(x, _ranked(x)),
)
