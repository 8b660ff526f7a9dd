"""The fast moments against exact ones, and against enclosures in ball arithmetic."""

import functools
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from flint import arb, arb_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from balls import working_at
from reference.median import fast, moments
from reference.median.candidates import CandidatesNotIntegerError, CandidatesOutOfRangeError, NoRanksError
from reference.median.groups import TooManyCandidatesError
from reference.median.rounding import U

precision = working_at(200)

FB15K = (14_541, 20_466)
"""Entities and test triples of FB15k-237 (Toutanova and Chen, 2015)."""


def errors(sizes: Sequence[int]) -> tuple[float, float]:
    """Return the relative errors of both moments in units of u; of a variance of 0 whether it is not."""
    exact, found = moments.moments(sizes), fast.moments(sizes)
    expected = abs(Fraction(found.expected) - exact.expected) / exact.expected
    if not exact.variance:
        return float(expected / U), math.inf if found.variance else 0.0
    return float(expected / U), float(abs(Fraction(found.variance) - exact.variance) / exact.variance / U)


def distance(found: float, enclosure: arb) -> float:
    """Return how far a float is at most from what is enclosed, relative to it, in units of u."""
    return float(abs((arb(found) - enclosure) / enclosure).upper()) * 2.0**53


def sample(n: int, distinct: int, largest: int, seed: int = 5) -> list[int]:
    chance = random.Random(seed)  # noqa: S311 - a sample, always the same
    sizes = [chance.randint(2, largest) for _ in range(distinct)]
    return [chance.choice(sizes) for _ in range(n)]


def equal_variance(size: int, n: int) -> arb:
    """Enclose the variance for equal numbers of candidates, about the centre of symmetry, by binomial sums.

    P(C(x) < n/2) is summed term by term from the middle outwards, for x above the centre; what is left out of it is
    less than n times the last term. Below the centre, it is 1 less the other two probabilities, by symmetry.
    """
    m, middle = n // 2, (n + 1) // 2 - 1
    centre = arb(size + 1) / 2
    reach = min(size - 1, math.ceil(size / 2 * (1 + 15 / math.sqrt(n))))
    below: dict[int, arb] = {}
    equal: dict[int, arb] = {}
    choose = arb(math.comb(n, m))
    for x in range((size + 1) // 2, reach + 1):
        odds = arb(size - x) / x
        term = choose * (arb(x) / size) ** m * (arb(size - x) / size) ** (n - m)
        equal[x], total = (term, arb(0)) if n % 2 == 0 else (arb(0), term)
        k = m
        while k > 0 and not (k < middle and term < total * arb(2) ** -120):
            term *= odds * k / (n - k + 1)
            k -= 1
            total += term
        below[x] = total + (n * term).union(arb(0)) if k else total
        equal[size - x] = equal[x]
        below[size - x] = 1 - below[x] - equal[x]
    # E[(A - centre)^2] = E[(B - centre)^2], twice the part above: P(B > x) there, and P(A > x) for A.
    squares = arb(0)
    for x in range((size + 1) // 2, reach + 1):
        # Each x counts the step of (v - centre)^2 from v = x to v = x + 1.
        squares += (2 * (x - centre) + 1) * (2 * below[x] + equal[x])
    if size % 2 == 0:  # the step from centre - 1/2 to centre + 1/2 is one of 0, and what lies inside is 1/4
        squares += arb(1) / 4
    # Beyond, at most this for A, B and (B - A)^2 / 4 each.
    rest = arb(0).union(arb(size) ** 2 * (below[reach] + equal[reach])) if reach < size - 1 else arb(0)
    both = total = arb(0)
    for x in range(size - reach, reach + 1):
        both += equal[x] * (1 + 2 * total)
        total = (total + 1) * (arb(x) / (x + 1)) ** m
    return squares + 2 * rest - both / 4 - rest


def mixed_moments(sizes: Sequence[int]) -> tuple[arb, arb]:
    """Enclose both moments by the counting polynomial in ball arithmetic, as they are defined."""
    n, m = len(sizes), len(sizes) // 2
    expected = second = apart = total = arb(0)
    for x in range(max(sizes)):
        polynomial = arb_poly([1])
        for size, count in Counter(sizes).items():
            polynomial *= arb_poly([arb(max(size - x, 0)) / size, arb(min(x, size)) / size]) ** count
        counts = [*polynomial.coeffs(), *[arb(0)] * n]
        survival = sum(counts[: (n + 1) // 2], arb(0)) + sum(counts[: m + 1], arb(0))
        expected += survival / 2
        second += (2 * x + 1) * survival / 2
        if n % 2 == 0:
            apart += counts[m] * (1 + 2 * total)
            free = max(m - sum(size <= x for size in sizes), 0)
            total = (total + 1) * (arb(x) / (x + 1)) ** free if x else arb(0)
    return expected, second - apart / 4 - expected**2


def test_it_is_within_10_units_of_the_exact_moments_on_all_923_multisets() -> None:
    for n in range(1, 7):
        for sizes in combinations_with_replacement(range(1, 7), n):
            expected, variance = errors(sizes)
            assert expected < 2
            assert variance < 10


@pytest.mark.parametrize("n", [7, 30, 31, 64, 120, 121, 250])
@pytest.mark.parametrize("distinct", [1, 2, 7, 50])
def test_it_is_within_40_units_of_the_exact_moments_of_larger_ones(n: int, distinct: int) -> None:
    expected, variance = errors(sample(n, distinct, 40))
    assert expected < 4
    assert variance < 40


@pytest.mark.parametrize("n", [401, 600])
def test_it_is_within_40_units_where_half_of_the_ranks_are_certain(n: int) -> None:
    expected, variance = errors([1] * (n // 2 - 5) + [30] * (n - n // 2 + 5))
    assert expected < 4
    assert variance < 40


@given(st.lists(st.integers(1, 20), min_size=1, max_size=30))
@settings(deadline=None)
def test_both_moments_keep_their_relative_precision(sizes: list[int]) -> None:
    expected, variance = errors(sizes)
    assert expected < 4
    assert variance < 100


@given(
    st.dictionaries(st.integers(1, 300), st.integers(1, 400), min_size=1, max_size=5).map(
        lambda counts: [size for size, count in counts.items() for _ in range(count)]
    )
)
@settings(deadline=None, max_examples=60)
def test_it_stays_in_range_and_does_not_warn(sizes: list[int]) -> None:
    found = fast.moments(sizes)
    assert 1 <= found.expected <= (max(sizes) + 1) / 2
    assert 0 <= found.variance <= (max(sizes) - 1) ** 2 / 4


@pytest.mark.parametrize(("certain", "others"), [(90, 100), (91, 100), (900, 1000)])
def test_a_variance_next_to_0_keeps_its_precision_but_for_its_own_logarithm(certain: int, others: int) -> None:
    sizes = [1] * certain + [2] * others
    expected, variance = errors(sizes)
    assert expected < 1
    assert 0 < moments.moments(sizes).variance < 1e-20
    assert variance < 10 - 4 * math.log(moments.moments(sizes).variance)


@pytest.mark.parametrize(
    "sizes", [[1], [1, 1], [1, 1, 1, 3, 3], [1, 1, 1, 1, 3, 3], [1] * 5 + [3] * 2, [1] * 500, [1] * 300 + [9] * 298]
)
def test_a_median_that_cannot_vary_has_variance_0(sizes: list[int]) -> None:
    assert fast.moments(sizes) == fast.FloatMoments(1.0, 0.0)


@pytest.mark.parametrize("n", [1, 2, 99, 100, 2000, 20_467])
@pytest.mark.parametrize("size", [1, 2, 3, 10, 1000, 14_541])
def test_the_expected_value_of_equal_numbers_is_the_midpoint_exactly(size: int, n: int) -> None:
    assert fast.moments([size] * n).expected == (size + 1) / 2


@pytest.mark.parametrize(("size", "n"), [(9, 4), (10, 4), (10, 5), (40, 101), (41, 100)])
def test_the_enclosure_for_equal_numbers_holds_the_exact_variance(size: int, n: int) -> None:
    exact = moments.moments([size] * n).variance
    enclosure = equal_variance(size, n)
    assert enclosure.overlaps(arb(exact.numerator) / exact.denominator)
    assert enclosure.rel_accuracy_bits() > 70


@pytest.mark.parametrize("sizes", [(1, 2), (3, 4, 9), (5, 5, 7, 9, 9, 11)])
def test_the_enclosures_for_mixed_numbers_hold_the_exact_moments(sizes: tuple[int, ...]) -> None:
    exact = moments.moments(sizes)
    expected, variance = mixed_moments(sizes)
    assert expected.overlaps(arb(exact.expected.numerator) / exact.expected.denominator)
    assert variance.overlaps(arb(exact.variance.numerator) / exact.variance.denominator)


def test_the_variance_of_fb15k_237_is_certified_to_4_units() -> None:
    size, n = FB15K
    enclosure = equal_variance(size, n)
    assert enclosure.rel_accuracy_bits() > 70
    found = fast.moments([size] * n)
    assert found.expected == 7271
    assert distance(found.variance, enclosure) < 4
    assert f"{found.variance:.4f}" == "2582.4930"


@pytest.mark.parametrize(("size", "n"), [(14_541, 20_467), (1000, 2000), (1000, 2001), (10, 20_467), (10_000, 41_000)])
def test_the_variance_of_equal_numbers_is_certified_to_4_units(size: int, n: int) -> None:
    assert distance(fast.moments([size] * n).variance, equal_variance(size, n)) < 4


@pytest.mark.parametrize(("n", "distinct", "largest"), [(300, 20, 300), (401, 30, 300), (500, 50, 400), (999, 8, 200)])
def test_both_moments_of_mixed_numbers_are_certified_to_4_units(n: int, distinct: int, largest: int) -> None:
    sizes = sample(n, distinct, largest)
    found = fast.moments(sizes)
    expected, variance = mixed_moments(sizes)
    assert distance(found.expected, expected) < 2
    assert distance(found.variance, variance) < 4


def test_many_uniform_ranks_have_the_variance_of_a_continuous_median() -> None:
    # Var = N^2 / (4 (n + 2)) + 1/12, for odd n and N far above n, up to what is exponentially small.
    size, n = FB15K[0], 20_467
    assert fast.moments([size] * n).variance == pytest.approx(size**2 / (4 * (n + 2)) + 1 / 12, rel=1e-14)


@functools.cache
def seconds(n: int, distinct: int) -> float:
    """Return the least of three times."""
    sizes = np.array([FB15K[0]] * n if distinct == 1 else sample(n, distinct, FB15K[0]))
    times = []
    for _ in range(3):
        began = time.perf_counter()
        fast.moments(sizes)
        times.append(time.perf_counter() - began)
    return min(times)


def test_equal_numbers_of_the_size_of_fb15k_237_take_less_than_a_second() -> None:
    # It is some hundredths; the limit leaves room for a machine that is busy.
    assert seconds(20_466, 1) < 1


def test_two_hundred_distinct_numbers_take_less_than_two_seconds() -> None:
    assert len(set(sample(20_466, 200, FB15K[0]))) > 190
    assert seconds(20_466, 200) < 2


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_lists_and_arrays_of_integers_are_taken(kind: type) -> None:
    assert fast.moments(kind([10, 10])).variance == pytest.approx(33 / 8, rel=1e-15)


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.int64])
def test_narrow_integers_do_not_overflow(dtype: type[np.integer]) -> None:
    assert fast.moments(np.array([200, 200, 3], dtype=dtype)) == fast.moments([200, 200, 3])


@pytest.mark.parametrize("none", [[], (), np.array([], dtype=np.int64)])
def test_no_rank_is_refused(none: Sequence[int]) -> None:
    with pytest.raises(NoRanksError):
        fast.moments(none)


@pytest.mark.parametrize("below", [[3, 0], np.array([3, 0]), np.array([3, -5])])
def test_a_number_of_candidates_below_1_is_refused_with_its_index(below: Sequence[int]) -> None:
    with pytest.raises(CandidatesOutOfRangeError, match="at index 1"):
        fast.moments(below)


@pytest.mark.parametrize("found", [[3, 2.0], [True, 3], np.array([3.0]), np.array([True])])
def test_what_is_no_integer_is_refused(found: Sequence[int]) -> None:
    with pytest.raises(CandidatesNotIntegerError):
        fast.moments(found)


@pytest.mark.parametrize("found", [[2**53], [3, 10**30], np.array([2**60])])
def test_numbers_that_are_no_floats_to_the_last_place_are_refused(found: Sequence[int]) -> None:
    with pytest.raises(TooManyCandidatesError, match=r"below 2\^53 were expected"):
        fast.moments(found)


def test_a_matrix_is_refused() -> None:
    with pytest.raises(CandidatesNotIntegerError):
        fast.moments(np.array([[3, 4]]))
