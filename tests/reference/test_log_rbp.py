"""The logarithm of RBP against values by hand, against RBP itself, and against the balls of Arb."""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from balls import working_at
from reference import rbp
from reference.enclosure import Enclosure, exp, ln
from reference.log_rbp import (
    PersistenceWithoutLogarithmError,
    RanksOutOfOrderError,
    ln_mean_exp,
    ln_mean_rbp,
    ln_rbp,
)

precision = working_at(400)

PERSISTENCES = (0.1, 0.5, 0.8, 0.85, 0.9, 0.95, 0.99, 0.999, 1 - 2**-20)
EXTREME = (5e-324, 1e-300, 1e-10, 1 - 2**-53)
NARROW = Fraction(1, 2**100)
P = Fraction(0.85)

Ranks = tuple[int, ...]

# Up to ten hits within thirty ranks.
shallow = st.sets(st.integers(1, 30), max_size=10).map(lambda ranks: tuple(sorted(ranks)))
hits = shallow.filter(bool)
persistences = st.floats(1e-3, 1 - 2**-20).map(Fraction)


def patterns(longest: int) -> Iterator[Ranks]:
    """Return the ranks of the hits of every ranking up to a length that has one."""
    for size in range(1, longest + 1):
        yield from combinations(range(1, longest + 1), size)


def deep(count: int) -> list[Ranks]:
    """Return rankings with a few hits up to rank 200,000; the one that is deepest comes first."""
    chance = random.Random(1159)  # noqa: S311 - a sample, always the same
    sample = [tuple(sorted(chance.sample(range(1, 200_001), chance.randint(1, 20)))) for _ in range(count)]
    return [(200_000,), (199_999, 200_000), (1, 200_000), *sample]


def ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def by_arb(ranks: Sequence[int], p: float) -> arb:
    """Return ln RBP as it is written, p^(r-1) by p^(r-1), in an arithmetic that has no least number."""
    base = ball(Fraction(p))
    return ((1 - base) * sum((base ** (rank - 1) for rank in ranks), start=arb(0))).log()


def distance(enclosure: Enclosure | None, value: arb) -> arb:
    """Return how far the farthest of an enclosure may be from a ball, which has to meet it."""
    assert enclosure is not None
    low, high = ball(enclosure.low), ball(enclosure.high)
    assert low.union(high).overlaps(value)
    return max((low - value).abs_upper(), (high - value).abs_upper())


def some(enclosure: Enclosure | None) -> Enclosure:
    assert enclosure is not None
    return enclosure


def meet(first: Enclosure | None, second: Enclosure | None) -> bool:
    """Return whether two enclosures can be of one number."""
    first, second = some(first), some(second)
    return first.low <= second.high and second.low <= first.high


@pytest.mark.parametrize("p", PERSISTENCES + EXTREME)
def test_it_is_what_arb_says_on_every_pattern_of_ten_ranks(p: float) -> None:
    limit = ball(NARROW)
    for ranks in patterns(10):
        assert distance(ln_rbp(ranks, Fraction(p)), by_arb(ranks, p)) < limit


@pytest.mark.parametrize("p", PERSISTENCES + EXTREME)
def test_it_is_what_arb_says_of_deep_hits(p: float) -> None:
    limit = ball(NARROW)
    for ranks in deep(20):
        assert distance(ln_rbp(ranks, Fraction(p)), by_arb(ranks, p)) < limit


@pytest.mark.parametrize("p", PERSISTENCES + EXTREME)
def test_the_log_mean_is_what_arb_says_of_deep_and_of_shallow_hits(p: float) -> None:
    rankings = [*deep(5), (), (1, 2), (2, 7), (1,), ()]
    for chosen in (rankings, rankings[:6], rankings[3:4], rankings[5:]):
        mean = sum((by_arb(ranks, p).exp() for ranks in chosen if ranks), start=arb(0)) / len(chosen)
        assert distance(ln_mean_rbp(chosen, Fraction(p)), mean.log()) < ball(NARROW)


@pytest.mark.parametrize("p", EXTREME)
def test_a_deep_hit_is_enclosed_narrowly_at_any_persistence(p: float) -> None:
    for ranks in deep(20):
        assert some(ln_rbp(ranks, Fraction(p))).width < NARROW


def test_a_hit_at_the_first_rank_is_the_logarithm_of_one_minus_p() -> None:
    assert meet(ln_rbp((1,), P), ln(1 - P))
    assert abs(some(ln_rbp((1,), P)).low - Fraction("-1.8971199848858813")) < Fraction(1, 10**15)


def test_a_hit_at_rank_5001_is_far_below_the_smallest_float_and_finite() -> None:
    assert rbp.binary((0,) * 5000 + (1,), P) < Fraction(5e-324)
    enclosure = some(ln_rbp((5001,), P))
    assert abs(enclosure.low - Fraction("-814.4917674737605777")) < Fraction(1, 10**16)


def test_the_log_mean_counts_a_ranking_without_a_hit_as_0() -> None:
    # It is half of the other's.
    for rank in (1, 5001):
        assert meet(ln_mean_rbp([(rank,), ()], P), some(ln_rbp((rank,), P)) - ln(2))


def test_the_table_of_log_means() -> None:
    assert abs(some(ln_mean_rbp([(1,), ()], P)).low - Fraction("-2.590267165445826")) < Fraction(1, 10**15)
    assert abs(some(ln_mean_rbp([(5001,), ()], P)).low - Fraction("-815.18491465432")) < Fraction(1, 10**11)


def test_it_keeps_its_precision_where_rbp_is_next_to_1() -> None:
    # One hit at the first rank: ln(1 - p) = -p - p^2/2 - ...
    for p in (Fraction(5e-324), Fraction(1e-300)):
        assert abs(some(ln_rbp((1,), p)).low / -p - 1) < NARROW


def test_without_a_hit_it_is_the_logarithm_of_0() -> None:
    assert ln_rbp((), P) is None
    assert ln_mean_rbp([(), ()], P) is None
    assert ln_mean_exp([None, None]) is None


@given(hits, persistences)
def test_it_is_the_logarithm_of_rbp(ranks: Ranks, p: Fraction) -> None:
    score = rbp.binary([rank in ranks for rank in range(1, ranks[-1] + 1)], p)
    assert meet(ln_rbp(ranks, p), ln(score))
    assert score in exp(some(ln_rbp(ranks, p)))


@given(st.lists(shallow, min_size=1, max_size=6), persistences)
def test_the_log_mean_is_the_logarithm_of_the_mean(rankings: list[Ranks], p: Fraction) -> None:
    scores = [rbp.binary([rank in ranks for rank in range(1, 31)], p) for ranks in rankings]
    mean = sum(scores, start=Fraction(0)) / len(scores)
    if mean == 0:
        assert ln_mean_rbp(rankings, p) is None
    else:
        assert meet(ln_mean_rbp(rankings, p), ln(mean))


@given(st.lists(shallow, min_size=1, max_size=6).filter(any), persistences)
def test_the_log_mean_of_measurements_is_that_of_their_rankings(rankings: list[Ranks], p: Fraction) -> None:
    enclosures = [ln_rbp(ranks, p) for ranks in rankings]
    # The measurements at their low ends give no more than the mean, and at their high ends no less.
    below = some(ln_mean_exp([None if e is None else e.low for e in enclosures]))
    above = some(ln_mean_exp([None if e is None else e.high for e in enclosures]))
    mean = some(ln_mean_rbp(rankings, p))
    assert below.low <= mean.high
    assert mean.low <= above.high
    assert above.high - below.low < NARROW


@given(hits, st.floats(0.1, 1 - 2**-20).map(Fraction), st.integers(1, 5))
def test_one_more_hit_raises_it_and_further_down_it_falls(ranks: Ranks, p: Fraction, gap: int) -> None:
    score = some(ln_rbp(ranks, p))
    assert some(ln_rbp((*ranks, ranks[-1] + gap), p)).low > score.high
    assert some(ln_rbp(tuple(rank + 1 for rank in ranks), p)).high < score.low


@given(hits, persistences, st.integers(0, 100_000))
def test_further_down_it_falls_by_ln_p_a_rank(ranks: Ranks, p: Fraction, lower: int) -> None:
    assert meet(ln_rbp(tuple(rank + lower for rank in ranks), p), some(ln_rbp(ranks, p)) + ln(p) * lower)


@given(st.lists(st.none() | st.floats(-1e4, 1e3).map(Fraction), min_size=1, max_size=8).filter(any))
def test_the_log_mean_of_measurements_is_what_arb_says(values: list[Fraction | None]) -> None:
    mean = sum((ball(v).exp() for v in values if v is not None), start=arb(0)) / len(values)
    assert distance(ln_mean_exp(values), mean.log()) < ball(NARROW)


@given(st.lists(st.none() | st.floats(-700, 0).map(Fraction), min_size=1, max_size=8), st.randoms())
def test_the_order_of_measurements_does_not_matter(values: list[Fraction | None], chance: random.Random) -> None:
    shuffled = chance.sample(values, len(values))
    if any(v is not None for v in values):
        assert meet(ln_mean_exp(values), ln_mean_exp(shuffled))


def test_the_log_mean_of_equal_measurements_is_their_value() -> None:
    v = Fraction(-815.25)
    assert v in some(ln_mean_exp([v] * 7))
    # One of two is a 0.
    assert meet(ln_mean_exp([v, None]), Enclosure.of(v) - ln(2))


def test_measurements_far_apart_leave_the_largest() -> None:
    assert meet(ln_mean_exp([Fraction(-1.7e308), Fraction(-1)]), Enclosure.of(-1) - ln(2))


@pytest.mark.parametrize("ranks", [(0,), (-1, 3), (2, 1), (1, 1), (3, 3, 4)])
def test_what_are_no_ascending_ranks_is_refused(ranks: Ranks) -> None:
    with pytest.raises(RanksOutOfOrderError, match="each above the one before"):
        ln_rbp(ranks, P)
    with pytest.raises(RanksOutOfOrderError):
        ln_mean_rbp([(1,), ranks], P)


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1), Fraction(-1, 2)])
@pytest.mark.parametrize("ranks", [(), (1,)])
def test_a_persistence_without_a_logarithm_is_refused(p: Fraction, ranks: Ranks) -> None:
    with pytest.raises(PersistenceWithoutLogarithmError, match="0 < p < 1 was expected"):
        ln_rbp(ranks, p)
    with pytest.raises(PersistenceWithoutLogarithmError):
        ln_mean_rbp([ranks], p)


def test_the_mean_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one ranking was expected"):
        ln_mean_rbp([], P)
    with pytest.raises(ValueError, match="at least one value was expected"):
        ln_mean_exp([])
