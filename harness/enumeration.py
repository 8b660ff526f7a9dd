"""Finite sets of inputs that are counted and indexed, smallest first, and built from a few combinators.

This is functional enumeration in the manner of FEAT (Duregard, Jansson and Wang, Haskell 2012): a set is a
list of levels, one for each size; a level knows its count and finds its i-th element without enumerating
the ones before it. So ``i < j`` means that element i is no larger than element j, an index replays one
input, and the first index where something is wrong is the smallest such input in the set: proved, not found.
"""

import functools
import itertools
import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
S = TypeVar("S")

REMEMBERED = 4096
"""Elements of a level no larger than this are built once and kept: they are the parts of larger ones."""


@dataclass(frozen=True, slots=True)
class Level(Generic[T]):
    """The elements of one size: how many, and which one is the i-th."""

    size: int
    count: int
    at: Callable[[int], T]


@dataclass(frozen=True, slots=True)
class Enumeration(Generic[T]):
    """A finite set in a fixed order, by ascending size."""

    levels: tuple[Level[T], ...]

    def __len__(self) -> int:
        return sum(level.count for level in self.levels)

    def __getitem__(self, index: int) -> T:
        rest = index if index >= 0 else sum(level.count for level in self.levels)
        for level in self.levels:
            if rest < level.count:
                return level.at(rest)
            rest -= level.count
        last = sum(level.count for level in self.levels) - 1
        raise IndexError(f"an index from 0 to {last} was expected, not {index}")

    def __iter__(self) -> Iterator[T]:
        for level in self.levels:
            yield from map(level.at, range(level.count))

    def counts(self) -> dict[int, int]:
        """Return how many elements there are of each size."""
        return {level.size: level.count for level in self.levels}


def choice(values: Iterable[T]) -> Enumeration[T]:
    """Return the given values, each of size 0, in the given order."""
    items = tuple(values)
    return Enumeration((Level(0, len(items), items.__getitem__),)) if items else Enumeration(())


def union(*parts: Enumeration[T]) -> Enumeration[T]:
    """Return the elements of all parts; within a size, those of an earlier part come first.

    The parts are taken to be disjoint: an element of two parts is listed, and counted, twice.
    """
    return _from_levels(level for part in parts for level in part.levels)


def product(*parts: Enumeration[T]) -> Enumeration[tuple[T, ...]]:
    """Return every tuple with one element of each part; its size is the sum of theirs."""
    return _from_levels(_product_level(levels) for levels in itertools.product(*(p.levels for p in parts)))


def pairs(first: Enumeration[T], second: Enumeration[S]) -> Enumeration[tuple[T, S]]:
    """Return every pair with one element of each part; its size is the sum of theirs."""
    return _from_levels(_remembered(_pair_level(a, b)) for a, b in itertools.product(first.levels, second.levels))


def power(part: Enumeration[T], length: int) -> Enumeration[tuple[T, ...]]:
    """Return every tuple of ``length`` elements of ``part``; its size is the sum of theirs."""
    return product(*[part] * length)


def sequence(part: Enumeration[T], up_to: int, at_least: int = 0) -> Enumeration[tuple[T, ...]]:
    """Return every tuple of ``at_least`` to ``up_to`` elements; each element adds one to the size."""
    counted = resized(part, lambda size: size + 1)
    return union(*(power(counted, length) for length in range(at_least, up_to + 1)))


def subset(items: Sequence[T], at_least: int = 0) -> Enumeration[tuple[T, ...]]:
    """Return every subset of at least that many items, each in the order of ``items``; its size is theirs."""
    n = len(items)

    def level(k: int) -> Level[tuple[T, ...]]:
        return _remembered(Level(k, math.comb(n, k), lambda i: _combination(items, k, i)))

    return Enumeration(tuple(level(k) for k in range(at_least, n + 1)))


def permutation(items: Sequence[T]) -> Enumeration[tuple[T, ...]]:
    """Return every order of the items, the given one first; size 0."""
    return Enumeration((_remembered(Level(0, math.factorial(len(items)), lambda i: _order(items, i))),))


def arrangement(items: Sequence[T], at_least: int = 0) -> Enumeration[tuple[T, ...]]:
    """Return every permutation of every subset of at least that many items; its size is the subset's."""

    def level(chosen: Level[tuple[T, ...]]) -> Level[tuple[T, ...]]:
        orders = math.factorial(chosen.size)
        return _remembered(
            Level(chosen.size, chosen.count * orders, lambda i: _order(chosen.at(i // orders), i % orders))
        )

    return Enumeration(tuple(level(chosen) for chosen in subset(items, at_least).levels))


def mapped(function: Callable[[T], S], part: Enumeration[T]) -> Enumeration[S]:
    """Return the elements with ``function`` applied to each; it should be one to one."""

    def level(old: Level[T]) -> Level[S]:
        return Level(old.size, old.count, lambda i: function(old.at(i)))

    return Enumeration(tuple(level(old) for old in part.levels))


def resized(part: Enumeration[T], size: Callable[[int], int]) -> Enumeration[T]:
    """Return the same elements with another notion of size."""
    return _from_levels(Level(size(level.size), level.count, level.at) for level in part.levels)


def sized(part: Enumeration[T], size: int) -> Enumeration[T]:
    """Return the same elements, in the same order, all of the given size."""
    return resized(part, lambda _: size)


def _from_levels(levels: Iterable[Level[T]]) -> Enumeration[T]:
    by_size: dict[int, list[Level[T]]] = {}
    for level in levels:
        if level.count:
            by_size.setdefault(level.size, []).append(level)
    return Enumeration(tuple(_concatenated(by_size[size]) for size in sorted(by_size)))


def _concatenated(levels: list[Level[T]]) -> Level[T]:
    if len(levels) == 1:
        return levels[0]
    starts = list(itertools.accumulate((level.count for level in levels), initial=0))

    def at(i: int) -> T:
        k = bisect_right(starts, i) - 1
        return levels[k].at(i - starts[k])

    return Level(levels[0].size, starts[-1], at)


def _pair_level(first: Level[T], second: Level[S]) -> Level[tuple[T, S]]:
    one, other, width = first.at, second.at, second.count
    return Level(first.size + second.size, first.count * width, lambda i: (one(i // width), other(i % width)))


def _product_level(levels: tuple[Level[T], ...]) -> Level[tuple[T, ...]]:
    size = sum(level.size for level in levels)
    count = math.prod(level.count for level in levels)

    def at(i: int) -> tuple[T, ...]:
        found: list[T] = []
        for level in reversed(levels):
            i, k = divmod(i, level.count)
            found.append(level.at(k))
        return tuple(reversed(found))

    return _remembered(Level(size, count, at))


def _remembered(level: Level[T]) -> Level[T]:
    if level.count > REMEMBERED:
        return level
    return Level(level.size, level.count, functools.cache(level.at))


def _combination(items: Sequence[T], k: int, index: int) -> tuple[T, ...]:
    """Return the index-th k-subset in lexicographic order."""
    chosen: list[T] = []
    for i, item in enumerate(items):
        if len(chosen) == k:
            break
        with_item = math.comb(len(items) - i - 1, k - len(chosen) - 1)
        if index < with_item:
            chosen.append(item)
        else:
            index -= with_item
    return tuple(chosen)


def _order(items: Sequence[T], index: int) -> tuple[T, ...]:
    """Return the index-th order of the items, lexicographic in their positions (the factorial number system)."""
    left = list(items)
    found: list[T] = []
    while left:
        k, index = divmod(index, math.factorial(len(left) - 1))
        found.append(left.pop(k))
    return tuple(found)
