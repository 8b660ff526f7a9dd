"""Recommendation lists with their hits: the inputs of the cases, and the domains that they make up."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from hypothesis import strategies as st

from harness.case import Domain
from harness.enumeration import Enumeration, choice, mapped, pairs, power, sized, subset, union

USUAL = "0.85"
"""lenskit's default patience."""

NEXT_TO_ONE = "0.99999904632568359375"
"""1 - 2^-20, in full."""

PATIENCES = (USUAL, "0.1", "0.5", "0.8", "0.9", "0.95", "0.99", "0.999", NEXT_TO_ONE)
"""From strong to hardly any discount. All but 0.5 tell p from 1 - p."""

DEEPEST = 200_000
"""The longest list that is hunted with."""

DEEPEST_EXACT = 5_000
LONGEST = 1_000_000
"""The deepest hit, and the longest list, that are taken from a user."""


class HitList(NamedTuple):
    """A recommendation list, and its test items: the hits, and those that it misses.

    Attributes
    ----------
    hits
        The ranks of the hits, from 1, ascending.
    retrieved
        How many items the list has.
    missed
        How many test items are not in the list.
    patience
        The patience p, a number between 0 and 1 in quotes.
    """

    hits: tuple[int, ...]
    retrieved: int
    missed: int
    patience: str

    @property
    def relevant(self) -> int:
        """The number of test items."""
        return len(self.hits) + self.missed


class CutList(NamedTuple):
    """The same with a cutoff.

    Attributes
    ----------
    hits
        The ranks of the hits, from 1, ascending.
    retrieved
        How many items the list has.
    missed
        How many test items are not in the list.
    cutoff
        The cutoff, or null for none.
    given
        How it is given: as the argument ``n`` or ``k``, as the first one (``position``), or set afterwards (``.n``,
        ``.k``).
    patience
        The patience p, a number between 0 and 1 in quotes.
    """

    hits: tuple[int, ...]
    retrieved: int
    missed: int
    cutoff: int | None
    given: str
    patience: str

    @property
    def relevant(self) -> int:
        """The number of test items."""
        return len(self.hits) + self.missed

    @property
    def kept(self) -> tuple[int, ...]:
        """The hits down to the cutoff."""
        return self.hits if self.cutoff is None else tuple(rank for rank in self.hits if rank <= self.cutoff)


class Lists(NamedTuple):
    """Several recommendation lists.

    Attributes
    ----------
    ranks
        For each list the rank of its one hit, from 1; 0 for a list without a hit, null for one without test items.
    patience
        The patience p, a number between 0 and 1 in quotes.
    """

    ranks: tuple[int | None, ...]
    patience: str

    @property
    def hits(self) -> list[tuple[int, ...]]:
        """The hits of every list whose score is defined."""
        return [(rank,) if rank else () for rank in self.ranks if rank is not None]

    @property
    def hits_or_none(self) -> list[tuple[int, ...]]:
        """The hits of every list, as if one without test items had no hit."""
        return [(rank,) if rank else () for rank in self.ranks]


def relevance(hits: Sequence[int], retrieved: int | None = None) -> list[bool]:
    """Return by rank whether the item is a hit; down to the last hit, without a length: what follows has no weight."""
    found = set(hits)
    return [rank in found for rank in range(1, (max(hits, default=0) if retrieved is None else retrieved) + 1)]


# --- what is no input ------------------------------------------------------------------------------------------


def validate_hits(hits: Sequence[int], retrieved: int, missed: int = 0) -> None:
    """Refuse hits that are no ranks of the list.

    Raises
    ------
    ValueError
        If so.
    """
    ranks = [0, *hits, retrieved + 1]
    if any(later <= earlier for earlier, later in pairwise(ranks)) or missed < 0:
        raise ValueError("hits are ranks from 1 to the number of items retrieved, ascending; missed is 0 or more")
    if max(retrieved, missed) > LONGEST:
        raise ValueError(f"a list has at most {LONGEST:,} items, and misses at most as many")


def validate_patience(patience: str) -> None:
    """Refuse what is no patience.

    Raises
    ------
    ValueError
        If it is not a number between 0 and 1.
    """
    if not 0 < number(patience) < 1:
        raise ValueError("a patience is a number between 0 and 1, both excluded, in quotes")


def number(text: str) -> float:
    """Return the float that a plain decimal is.

    Raises
    ------
    ValueError
        If it is none, as Python would write it: a script shows it as it is.
    """
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?", text):
        raise ValueError(f"a number is written as 0.85 or 1e-300, not {text!r}")
    return float(text)


def validate_exact(hits: Sequence[int], missed: int = 0) -> None:
    """Refuse what is too deep for an exact RBP: its denominator has 53 bits for each rank.

    Raises
    ------
    ValueError
        If so.
    """
    if max([*hits, missed]) > DEEPEST_EXACT:
        raise ValueError(
            f"an exact RBP is had down to rank {DEEPEST_EXACT:,}; below, lenskit/log-rbp has its logarithm"
        )


def validate_hit_list(x: HitList) -> None:
    """Refuse what lenskit could not be blamed for."""
    validate_hits(x.hits, x.retrieved, x.missed)
    validate_patience(x.patience)


def validate_cut_list(x: CutList) -> None:
    """Refuse what lenskit could not be blamed for."""
    validate_hits(x.hits, x.retrieved, x.missed)
    validate_exact(x.hits, x.missed)
    validate_patience(x.patience)
    if x.given not in GIVEN:
        raise ValueError(f"a cutoff is given as {', '.join(GIVEN)}")


def validate_lists(x: Lists) -> None:
    """Refuse what lenskit could not be blamed for."""
    validate_patience(x.patience)
    if not x.ranks or any(rank is not None and rank < 0 for rank in x.ranks):
        raise ValueError("one or more lists are asked for, each by the rank of its hit, 0 or null")
    if max(rank or 0 for rank in x.ranks) > LONGEST:
        raise ValueError(f"a list has at most {LONGEST:,} items")


def validate_exact_lists(x: Lists) -> None:
    """Refuse the same, and what is too deep for an exact RBP."""
    validate_lists(x)
    validate_exact([rank or 0 for rank in x.ranks])


# --- domains ---------------------------------------------------------------------------------------------------


Pattern = tuple[tuple[int, ...], int]
"""The hits of a list, and how many items it has."""


def patterns(length: int, at_least: int = 0) -> Enumeration[Pattern]:
    """Return the relevance patterns of one length with at least so many hits; the length is their size."""
    return mapped(lambda hits: (hits, length), sized(subset(range(1, length + 1), at_least), length))


def all_patterns(patience: str, up_to: int = 10) -> Domain[HitList]:
    """Return every pattern up to a length; where there is no hit, there is a relevant item that was missed."""
    return Domain(
        name="relevance patterns",
        parameters={"patience": patience, "up_to": up_to},
        inputs=mapped(
            lambda x: HitList(x[0], x[1], 0 if x[0] else 1, patience), union(*map(patterns, range(1, up_to + 1)))
        ),
        counts=lambda: {n: 2**n for n in range(1, up_to + 1)},
        thorough=patience != USUAL,
    )


def single_hits(up_to: int) -> Domain[HitList]:
    """Return lists that end with their only hit, at every rank down to ``up_to``; the size is its number of bits."""
    by_bits = range(1, up_to.bit_length() + 1)
    return Domain(
        name="single hits",
        parameters={"patience": USUAL, "up_to": up_to},
        inputs=union(
            *(
                sized(
                    mapped(
                        lambda rank: HitList((rank,), rank, 0, USUAL),
                        choice(range(2 ** (bits - 1), min(2**bits, up_to + 1))),
                    ),
                    bits,
                )
                for bits in by_bits
            )
        ),
        counts=lambda: {bits: min(2 ** (bits - 1), up_to + 1 - 2 ** (bits - 1)) for bits in by_bits},
        thorough=True,
    )


def collections(ranks: Sequence[int | None], up_to: int, patience: str, *, thorough: bool) -> Domain[Lists]:
    """Return one to ``up_to`` lists, each of one of these kinds; the size is their number."""
    kinds = ["undefined" if rank is None else f"hit at {rank}" if rank else "no hit" for rank in ranks]
    return Domain(
        name="collections",
        parameters={"lists": ", ".join(kinds), "patience": patience, "up_to": up_to},
        inputs=mapped(
            lambda x: Lists(x, patience),
            union(*(sized(power(choice(ranks), n), n) for n in range(1, up_to + 1))),
        ),
        counts=lambda: {n: len(ranks) ** n for n in range(1, up_to + 1)},
        thorough=thorough,
    )


def shallow_collections() -> tuple[Domain[Lists], ...]:
    """Return the collections of hits at the top."""
    return (
        collections((1, 0, None), 5, USUAL, thorough=False),
        collections((1, 2, 0, None), 5, "0.5", thorough=True),
    )


def deep_collection() -> Domain[Lists]:
    """Return the collections of lists some of whose RBPs are below the smallest float."""
    return collections((5001, 4574, 1, 0, None), 4, USUAL, thorough=True)


GIVEN = ("n", "k", "position")
"""How a cutoff can be given."""


LONGER = 64
"""Beyond what is exhausted: a list as long as a page of results, and as many lists."""

FAR = (4574, 32_768, 65_537, DEEPEST)
ODD_PATIENCES = (USUAL, "5e-324", "1e-300", "0.9999999999999999")


def long_lists() -> Domain[HitList]:
    """Return lists of nothing but hits, and lists with a deep one; the size is the number of hits."""
    return Domain(
        name="long lists",
        parameters={"hits": f"1 to {LONGER}", "deepest": DEEPEST},
        inputs=union(
            sized(
                mapped(
                    lambda x: HitList((1, x[0]), x[0], 0, x[1]),
                    pairs(choice(FAR), choice(ODD_PATIENCES)),
                ),
                2,
            ),
            *(sized(choice([HitList(tuple(range(1, n + 1)), n, 0, USUAL)]), n) for n in range(1, LONGER + 1)),
        ),
        counts=lambda: {n: 1 + (len(FAR) * len(ODD_PATIENCES) if n == 2 else 0) for n in range(1, LONGER + 1)},
    )


def long_collections() -> Domain[Lists]:
    """Return up to so many lists, in turn with a hit at 1, at 2 and none; the size is their number."""
    return Domain(
        name="long collections",
        parameters={"up_to": 2 * LONGER, "patience": USUAL},
        inputs=union(
            *(sized(choice([Lists(tuple((k + 1) % 3 for k in range(n)), USUAL)]), n) for n in range(1, 2 * LONGER + 1))
        ),
        counts=lambda: dict.fromkeys(range(1, 2 * LONGER + 1), 1),
    )


class Shape(NamedTuple):
    """The lists of a domain of cut lists: their lengths, up to how many test items they miss, and the cutoffs."""

    lengths: range
    missed: int
    cuts: tuple[int | None, ...]


def cutoffs(name: str, given: Sequence[str], shape: Shape, patience: str = USUAL) -> Domain[CutList]:
    """Return patterns with relevant items that were not retrieved, and cutoffs; the size is the length."""
    lengths, missed, cuts = shape
    return Domain(
        name=name,
        parameters={
            "length": f"{lengths[0]} to {lengths[-1]}" if len(lengths) > 1 else lengths[0],
            "missed": missed,
            "patience": patience,
        },
        inputs=mapped(
            lambda x: CutList(x[0][0][0], x[0][0][1], x[0][1], x[1][0], x[1][1], patience),
            pairs(with_missed(lengths, missed), pairs(choice(cuts), choice(given))),
        ),
        counts=lambda: {
            n: (2**n * (missed + 1) - 1) * len(cuts) * len(given)  # but for the one without a relevant item
            for n in lengths
            if n or missed
        },
        thorough=patience != USUAL,
    )


def with_missed(lengths: range, missed: int) -> Enumeration[tuple[Pattern, int]]:
    """Return patterns of these lengths, with up to ``missed`` relevant items more: one or more in all."""
    return union(
        *(
            pairs(patterns(n, at_least=0 if more else 1), choice([more]))
            for n in lengths
            for more in range(missed + 1)
            if n or more
        )
    )


# --- beyond ----------------------------------------------------------------------------------------------------


def patiences(lowest: float, highest: float) -> st.SearchStrategy[str]:
    """Draw a patience as the shortest text of a float."""
    return st.floats(lowest, highest, exclude_min=lowest == 0, exclude_max=highest == 1).map(repr)


@st.composite
def deep_lists(draw: st.DrawFn, deepest: int, patience: st.SearchStrategy[str]) -> HitList:
    """Draw lists down to ``deepest``, with hits that may be far apart, or side by side."""
    apart = draw(st.sets(st.integers(1, deepest), max_size=8))
    first, length = draw(st.integers(1, deepest)), draw(st.sampled_from([0, 0, 0, 40])) and draw(st.integers(1, 40))
    hits = sorted({*apart, *range(first, min(first + length, deepest + 1))})
    retrieved = (hits[-1] if hits else 0) + draw(st.integers(0, 3))
    missed = draw(st.integers(0, 3)) if hits else draw(st.integers(1, 3))
    return HitList(tuple(hits), retrieved, missed, draw(patience))


def deep_collections() -> st.SearchStrategy[Lists]:
    """Draw collections with hits anywhere, and any patience."""
    rank = st.none() | st.integers(0, 10) | st.integers(0, DEEPEST)
    lists = st.lists(rank, min_size=1, max_size=40).map(tuple)
    return st.builds(Lists, lists, patiences(0, 1))


# --- words -----------------------------------------------------------------------------------------------------


def shown_patience(patience: str) -> str:
    """Return a patience as a person would write it."""
    return "1 - 2^-20" if patience == NEXT_TO_ONE else patience


def describe_hits(hits: Sequence[int], retrieved: int, missed: int) -> str:
    """Return a list in a few words."""
    if not retrieved:
        listed = "an empty list"
    else:
        listed = f"{retrieved} item{'s' if retrieved > 1 else ''}"
        at = f"hit{'s' if len(hits) > 1 else ''} at {', '.join(map(str, hits))}"
        listed += f", {at}" if hits else ", no hit"
    if missed:
        return f"{listed}, {missed} test item{'s' if missed > 1 else ''} not retrieved"
    return listed if hits else f"{listed}, no test items"


def describe_hit_list(x: HitList) -> str:
    """Return an input in a few words."""
    return f"{describe_hits(x.hits, x.retrieved, x.missed)}, p = {shown_patience(x.patience)}"


def describe_cut_list(x: CutList) -> str:
    """Return an input in a few words."""
    given = {"position": f"n = {x.cutoff}, as first argument"}.get(x.given, f"{x.given} = {x.cutoff}")
    cutoff = "no cutoff" if x.cutoff is None and x.given == "n" else given
    patience = "" if x.patience == USUAL else f", p = {shown_patience(x.patience)}"
    return f"{describe_hits(x.hits, x.retrieved, x.missed)}, {cutoff}{patience}"


def describe_lists(x: Lists) -> str:
    """Return an input in a few words."""
    kinds = ["no test items" if rank is None else f"hit at {rank}" if rank else "no hit" for rank in x.ranks]
    return f"lists: {'; '.join(kinds)}; p = {shown_patience(x.patience)}"
