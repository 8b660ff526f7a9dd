"""The bounds keep every right evaluation of the moments inside, and put every wrong one outside."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt
import pytest

from reference.median import conventions, fast, moments, rounding
from reference.median.candidates import CandidatesOutOfRangeError, NoRanksError
from reference.median.rounding import U

Floats = npt.NDArray[np.float64]
Values = tuple[float, float]
Evaluation = Callable[[Sequence[int]], Values]
Sizes = tuple[int, ...]


def from_counts(counts: Floats, sizes: Sequence[int]) -> Values:
    """Return the moments from P(C(x) = k) by x and k, second moments less the squares of the first."""
    n = len(sizes)
    x = np.arange(len(counts))
    below = counts[:, : (n + 1) // 2].sum(axis=1)
    up_to = counts[:, : n // 2 + 1].sum(axis=1)
    expected = float((below + up_to).sum() / 2)
    second = float(((2 * x + 1) * (below + up_to)).sum() / 2)
    if n % 2 == 0:
        equal = counts[:, n // 2]
        both = total = 0.0
        for at in range(1, len(x)):
            both += equal[at] * total
            free = n // 2 - sum(size <= at for size in sizes)
            total = (total + 1) * (at / (at + 1)) ** max(free, 0)
        second -= (float(equal.sum()) + 2 * both) / 4
    return expected, second - expected**2


def recurrence(sizes: Sequence[int]) -> Values:
    counts = np.zeros((max(sizes), len(sizes) + 1))
    counts[:, 0] = 1
    x = np.arange(max(sizes))
    for size in sizes:
        p = np.minimum(x, size)[:, None] / size
        grown = counts * (1 - p)
        grown[:, 1:] += counts[:, :-1] * p
        counts = grown
    return from_counts(counts, sizes)


def convolved_binomials(sizes: Sequence[int]) -> Values:
    """Convolve a binomial distribution for each number of candidates, and sum over all pairs for E[AB]."""
    n, k = len(sizes), max(sizes)
    counts = np.empty((k, n + 1))
    for x in range(k):
        row = np.ones(1)
        for size, count in Counter(sizes).items():
            p = min(x / size, 1.0)
            row = np.convolve(row, [math.comb(count, j) * p**j * (1 - p) ** (count - j) for j in range(count + 1)])
        counts[x] = row
    low, high = (n + 1) // 2, n // 2 + 1
    a, b = counts[:, :low].sum(axis=1), counts[:, :high].sum(axis=1)
    weights = 2 * np.arange(k) + 1
    product = (weights * a).sum()  # of a median that is one rank, the square
    if low < high:
        # P(A > a, B > b) is P(A > a) for b <= a, and P(B > b) - P(C(a) = n/2 = C(b)) for b > a.
        product = sum(a[at] * (at + 1) + b[at + 1 :].sum() - both_equal(counts, sizes, at) for at in range(k))
    expected = (a.sum() + b.sum()) / 2
    return float(expected), float(((weights * (a + b)).sum() + 2 * product) / 4 - expected**2)


def both_equal(counts: Floats, sizes: Sequence[int], a: int) -> float:
    """Return the sum over b > a of P(C(a) = n/2 = C(b)), from the conditional probability given C(b)."""
    m = len(sizes) // 2
    total = 0.0
    for b in range(a + 1, len(counts)):
        free = m - sum(size <= b for size in sizes)
        if free >= 0:
            up_to_a = math.prod(min(a, size) / size for size in sizes if size <= b)
            total += counts[b, m] * up_to_a * (a / b) ** free
    return total


def transform(sizes: Sequence[int]) -> Values:
    """Invert the characteristic function of C(x), and take the moments about the mean."""
    n, k = len(sizes), max(sizes)
    x = np.arange(k)
    turns = np.exp(-2j * np.pi * np.arange(n + 1) / (n + 1))
    product = np.ones((k, n + 1), dtype=np.complex128)
    for size, count in Counter(sizes).items():
        p = np.minimum(x, size)[:, None] / size
        product *= (1 - p + p * turns) ** count
    counts = np.fft.ifft(product, axis=1).real
    below, equal = counts[:, : (n + 1) // 2].sum(axis=1), counts[:, n // 2]
    up_to = below + (equal if n % 2 == 0 else 0)
    expected = float((below + up_to).sum() / 2)
    about = round(expected)
    later, before = x >= about, x < about
    squares = 0.0
    for survival in (below, up_to):
        squares += float(((2 * (x - about) + 1) * survival)[later].sum())
        squares += float(((2 * (about - x) - 1) * (1 - survival))[before].sum())
    if n % 2 == 0:
        free = n // 2 - np.array([sum(size <= at for size in sizes) for at in x])
        steps = np.where(free > 0, free * np.log(np.maximum(x, 1) / (np.maximum(x, 1) + 1)), 0)
        total = both = 0.0
        for at in range(1, k):
            both += equal[at] * total
            total = (total + 1) * math.exp(steps[at])
        squares -= (float(equal.sum()) + 2 * both) / 2
    return expected, squares / 2 - (expected - about) ** 2


def fast_route(sizes: Sequence[int]) -> Values:
    found = fast.moments(sizes)
    return found.expected, found.variance


RIGHT: tuple[Evaluation, ...] = (recurrence, convolved_binomials, transform, fast_route)


def multisets(longest: int, largest: int) -> Iterator[Sizes]:
    for n in range(1, longest + 1):
        yield from combinations_with_replacement(range(1, largest + 1), n)


def larger(number: int) -> Iterator[Sizes]:
    """Return odd and even numbers of ranks, with one number of candidates or more; the most and the least too."""
    chance = random.Random(5)  # noqa: S311 - a sample, always the same
    for _ in range(number):
        distinct = [chance.randint(1, chance.choice((5, 30, 200))) for _ in range(chance.choice((1, 2, 5, 50)))]
        yield tuple(chance.choice(distinct) for _ in range(chance.randint(2, 50)))
    yield from ((200,) * 50, (200,) * 49, (1, 200), (200,), (1,) * 25 + (200,) * 25, (2,) * 50)


def used(values: Values, exact: moments.Moments, bound: rounding.Bound) -> tuple[Fraction, Fraction]:
    """Return which parts of the bound the two moments use; 1 or less is inside."""
    expected, variance = (Fraction(value) for value in values)
    return abs(expected - exact.expected) / bound.expected, abs(variance - exact.variance) / bound.variance


@pytest.mark.parametrize("evaluate", RIGHT, ids=lambda f: f.__name__)
def test_right_evaluations_use_no_more_than_half_of_the_small_bound_on_all_small_multisets(
    evaluate: Evaluation,
) -> None:
    for sizes in multisets(6, 6):
        assert max(used(evaluate(sizes), moments.moments(sizes), rounding.small(sizes))) < Fraction(1, 2)


@pytest.mark.parametrize("evaluate", RIGHT, ids=lambda f: f.__name__)
def test_right_evaluations_use_no_more_than_half_of_the_small_bound_up_to_50_ranks_among_200(
    evaluate: Evaluation,
) -> None:
    for sizes in larger(24):
        assert max(used(evaluate(sizes), moments.moments(sizes), rounding.small(sizes))) < Fraction(1, 2)


WRONG = (conventions.upper_median, conventions.lower_median, conventions.uncorrelated_middle)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda f: f.__name__)
def test_other_conventions_lie_outside_of_the_small_bound_by_a_factor_of_a_billion_wherever_they_differ(
    wrong: Callable[[Sizes], moments.Moments],
) -> None:
    differ = 0
    for sizes in multisets(6, 6):
        right, bound, other = moments.moments(sizes), rounding.small(sizes), wrong(sizes)
        if other != right:
            differ += 1
            off = used((float(other.expected), float(other.variance)), right, bound)
            assert max(off) > 10**9
            assert (off[0] > 10**9) == (other.expected != right.expected)
    assert differ > 500


def survival_off_by_one(sizes: Sequence[int]) -> Values:
    expected, variance = recurrence(sizes)
    return expected - 1, variance


def second_moment_alone(sizes: Sequence[int]) -> Values:
    expected, variance = recurrence(sizes)
    return expected, variance + expected**2


def without_half(sizes: Sequence[int]) -> Values:
    """Take 2x in place of 2x + 1."""
    expected, variance = recurrence(sizes)
    return expected, variance - expected


@pytest.mark.parametrize("wrong", [survival_off_by_one, second_moment_alone, without_half], ids=lambda f: f.__name__)
def test_wrong_evaluations_lie_outside_of_the_small_bound_by_far(wrong: Evaluation) -> None:
    for sizes in ((1, 2), (3, 3, 4), (10, 10), (200,) * 50):
        assert max(used(wrong(sizes), moments.moments(sizes), rounding.small(sizes))) > 10**5


def lgamma_probabilities(size: int, n: int) -> Values:
    """Sum binomial probabilities, each by lgamma, for equal numbers of candidates; second moment less the square."""
    k = np.arange(n // 2 + 1)
    choose = math.lgamma(n + 1) - np.array([math.lgamma(j + 1) + math.lgamma(n - j + 1) for j in k])
    below, equal = np.ones(size), np.zeros(size)
    reach = 8 * size / math.sqrt(n)
    below[math.ceil(size / 2 + reach) :] = 0
    for x in range(max(1, math.ceil(size / 2 - reach)), min(size, math.ceil(size / 2 + reach))):
        p = x / size
        chances = np.exp(choose + k * math.log(p) + (n - k) * math.log1p(-p))
        below[x] = chances[: (n + 1) // 2].sum()
        equal[x] = chances[n // 2] if n % 2 == 0 else 0
    survival = below + equal / 2
    expected = float(survival.sum())
    second = float(((2 * np.arange(size) + 1) * survival).sum())
    if n % 2 == 0:
        both = total = 0.0
        for at in range(1, size):
            both += equal[at] * total
            total = (total + 1) * (at / (at + 1)) ** (n // 2)
        second -= (float(equal.sum()) + 2 * both) / 4
    return expected, float(second - expected**2)


def some_of(n: int, distinct: int, largest: int) -> Sizes:
    chance = random.Random(distinct)  # noqa: S311 - a sample, always the same
    sizes = [chance.randint(2, largest) for _ in range(distinct)]
    return tuple(chance.choice(sizes) for _ in range(n))


def share_of_large(values: Values, sizes: Sequence[int]) -> tuple[Fraction, Fraction]:
    found = fast.moments(sizes)
    reference = moments.Moments(Fraction(found.expected), Fraction(found.variance))
    return used(values, reference, rounding.large(len(sizes), found.expected, found.variance))


@pytest.mark.parametrize("evaluate", [recurrence, transform], ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [200, 401])
@pytest.mark.parametrize("distinct", [1, 20])
def test_right_evaluations_use_no_more_than_half_of_the_large_bound(
    evaluate: Evaluation, n: int, distinct: int
) -> None:
    sizes = some_of(n, distinct, 1000)
    assert max(share_of_large(evaluate(sizes), sizes)) < Fraction(1, 2)


@pytest.mark.parametrize(("size", "n"), [(1000, 400), (14541, 2000), (14541, 2001), (14541, 20466)])
def test_summed_binomial_probabilities_use_no_more_than_half_of_the_large_bound(size: int, n: int) -> None:
    assert max(share_of_large(lgamma_probabilities(size, n), [size] * n)) < Fraction(1, 2)


def test_other_conventions_lie_outside_of_the_large_bound_by_a_factor_of_100_000() -> None:
    # The two in the middle of n uniform ranks among N are N / (n + 1) apart, and each is half of it off.
    for n, size in ((2000, 14541), (20466, 14541)):
        found = fast.moments([size] * n)
        bound = rounding.large(n, found.expected, found.variance)
        assert Fraction(size, 2 * (n + 1)) > 10**5 * bound.expected
        # Var A and Var B are near Var; with no covariance the variance would be half of it.
        assert Fraction(found.variance) / 2 > 10**5 * bound.variance


def test_the_bounds_by_hand() -> None:
    # K = 3, n = 2: 3 * (6 + 3), and 8 * 9 * (2 + 3). Then 64 * 10 * 2, and 32 * 10 * (4 + 1/2).
    assert rounding.small([1, 3]) == rounding.Bound(27 * U, 360 * U)
    assert rounding.large(9, 2.0, 0.5) == rounding.Bound(1280 * U, 1440 * U)


def test_what_the_reference_refuses_is_refused_here() -> None:
    with pytest.raises(NoRanksError):
        rounding.small([])
    with pytest.raises(CandidatesOutOfRangeError):
        rounding.small([3, 0])
    for values in ((0, 1.0, 0.0), (1, 0.5, 0.0), (1, 1.0, -1.0), (1, math.nan, 0.0), (1, 1.0, math.nan)):
        with pytest.raises(ValueError, match="were expected"):
            rounding.large(*values)
