"""Domains are counted and indexed, smallest first."""

import itertools
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.enumeration import (
    Enumeration,
    arrangement,
    choice,
    mapped,
    pairs,
    permutation,
    power,
    product,
    resized,
    sequence,
    sized,
    subset,
    union,
)

BITS = choice((0, 1))

EXAMPLES: dict[str, Enumeration[Any]] = {
    "choice": choice("abc"),
    "empty choice": choice(()),
    "product": product(choice("ab"), choice("cde"), choice("f")),
    "pairs": pairs(subset("abc"), sequence(BITS, 3)),
    "power": power(subset("ab"), 3),
    "sequence": sequence(BITS, 4),
    "long sequence": sequence(choice(range(9)), 5, at_least=5),
    "subset": subset("abcde"),
    "permutation": permutation("abcd"),
    "no item to permute": permutation(()),
    "arrangement": arrangement("abcd", at_least=1),
    "mapped": mapped(str, sequence(BITS, 3)),
    "union": union(sized(BITS, 3), sized(choice("xyz"), 1), sized(choice("w"), 3)),
}

every_example = pytest.mark.parametrize("domain", EXAMPLES.values(), ids=EXAMPLES.keys())


@every_example
def test_indexing_and_iterating_give_the_same(domain: Enumeration[Any]) -> None:
    assert [domain[i] for i in range(len(domain))] == list(domain)


@every_example
def test_the_length_is_the_number_of_elements(domain: Enumeration[Any]) -> None:
    assert len(list(domain)) == len(domain) == sum(domain.counts().values())


@every_example
def test_no_element_comes_twice(domain: Enumeration[Any]) -> None:
    assert len(set(domain)) == len(domain)


@every_example
def test_sizes_ascend(domain: Enumeration[Any]) -> None:
    sizes = [level.size for level in domain.levels]
    assert sizes == sorted(set(sizes))


@every_example
def test_an_index_outside_is_refused(domain: Enumeration[Any]) -> None:
    for index in (-1, len(domain)):
        with pytest.raises(IndexError, match="was expected"):
            domain[index]


def test_a_product_holds_what_itertools_holds_in_the_same_order() -> None:
    assert list(product(choice("ab"), choice("cd"), choice("ef"))) == list(itertools.product("ab", "cd", "ef"))


def test_permutations_are_those_of_itertools_in_the_same_order() -> None:
    assert list(permutation("abcd")) == list(itertools.permutations("abcd"))


def test_subsets_of_a_size_are_the_combinations_of_itertools_in_the_same_order() -> None:
    for level in subset("abcde").levels:
        assert [level.at(i) for i in range(level.count)] == list(itertools.combinations("abcde", level.size))


def test_arrangements_are_every_permutation_of_every_subset() -> None:
    expected = {p for k in range(1, 5) for p in itertools.permutations("abcd", k)}
    assert set(arrangement("abcd", at_least=1)) == expected
    assert arrangement("abcd").counts() == {k: math.perm(4, k) for k in range(5)}


def test_a_sequence_counts_its_elements_as_size() -> None:
    assert sequence(BITS, 3).counts() == {0: 1, 1: 2, 2: 4, 3: 8}


def test_a_sequence_adds_the_sizes_of_its_elements() -> None:
    # One subset of {a, b}: sizes 1, 2, 2, 3. Two of them: the sums of two.
    ones = {1: 1, 2: 2, 3: 1}
    twos: dict[int, int] = {}
    for (a, m), (b, n) in itertools.product(ones.items(), repeat=2):
        twos[a + b] = twos.get(a + b, 0) + m * n
    expected = {size: ones.get(size, 0) + twos.get(size, 0) + (size == 0) for size in range(7)}
    assert sequence(subset("ab"), 2).counts() == expected


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.integers(0, 3))
def test_a_power_has_the_count_of_its_base_to_the_exponent(values: list[int], exponent: int) -> None:
    assert len(power(choice(values), exponent)) == len(values) ** exponent


def test_a_large_domain_is_indexed_without_being_walked() -> None:
    domain = permutation(range(25))
    assert len(domain.levels) == 1
    assert domain.levels[0].count == math.factorial(25)
    assert domain.levels[0].at(math.factorial(25) - 1) == tuple(reversed(range(25)))


def test_resizing_keeps_the_elements() -> None:
    assert sorted(resized(sequence(BITS, 2), lambda n: -n)) == sorted(sequence(BITS, 2))
