"""The bound keeps every right evaluation of the logarithm inside, and puts every wrong one outside."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from reference.log_rbp import PersistenceWithoutLogarithmError, RanksOutOfOrderError, ln_mean_exp, ln_mean_rbp, ln_rbp
from reference.log_rbp_rounding import bound, mean_bound, mean_exp_bound
from reference.rbp_rounding import U

Ranks = tuple[int, ...]
Evaluation = Callable[[Ranks, float], float]
Mean = Callable[[Sequence[float]], float]

NEIGHBOURS: Ranks = tuple(range(150_001, 150_301))
"""Many hits next to each other, far down: what a fold rounds is as large as their depth, each time."""

PERSISTENCES = (1e-10, 0.1, 0.5, 0.8, 0.85, 0.95, 0.99, 0.999, 1 - 2**-20)
EXTREME = (5e-324, 1e-300, 1 - 2**-53)


def exponents(ranks: Ranks, p: float) -> npt.NDArray[np.float64]:
    slope: np.float64 = np.log(np.float64(p))
    return slope * (np.array(ranks) - 1.0)


def shifted(ranks: Ranks, p: float) -> float:
    x = exponents(ranks, p)
    return float(np.log1p(-p) + (x.max() + np.log(np.exp(x - x.max()).sum())))


def over_the_series(ranks: Ranks, p: float) -> float:
    x = exponents(ranks, p)
    return float(np.log(np.exp(x - x[0]).sum()) + x[0] - np.log(1 / (1 - p)))


def folded(ranks: Ranks, p: float) -> float:
    return float(np.logaddexp.reduce(exponents(ranks, p)) + np.log(1 - p))


def folded_from_the_deepest(ranks: Ranks, p: float) -> float:
    return float(np.logaddexp.reduce(exponents(ranks, p)[::-1] + np.log1p(-p)))


def first_hit_apart(ranks: Ranks, p: float) -> float:
    first = math.log1p(-p) + (ranks[0] - 1) * math.log(p)
    return first + math.log(math.fsum(p ** (rank - ranks[0]) for rank in ranks))


def others_below_one(ranks: Ranks, p: float) -> float:
    x = exponents(ranks, p) + math.log(1 - p)
    return float(x[0] + np.log1p(np.exp(x[1:] - x[0])[::-1].sum()))


def logarithm_of_rbp(ranks: Ranks, p: float) -> float:
    return math.log((1 - p) * sum(p ** (rank - 1) for rank in ranks))


RIGHT: tuple[Evaluation, ...] = (
    shifted,
    over_the_series,
    folded,
    folded_from_the_deepest,
    first_hit_apart,
    others_below_one,
)


def off_by_one_exponent(ranks: Ranks, p: float) -> float:
    return shifted(tuple(rank + 1 for rank in ranks), p)


def no_one_minus_p(ranks: Ranks, p: float) -> float:
    return shifted(ranks, p) - math.log1p(-p)


def base_2(ranks: Ranks, p: float) -> float:
    return shifted(ranks, p) / math.log(2)


def first_hit_alone(ranks: Ranks, p: float) -> float:
    return shifted(ranks[:1], p)


def sum_of_logarithms(ranks: Ranks, p: float) -> float:
    return float((exponents(ranks, p) + math.log1p(-p)).sum())


def single_precision(ranks: Ranks, p: float) -> float:
    x = exponents(ranks, p).astype(np.float32)
    return float(np.log1p(np.float32(-p)) + np.log(np.exp(x).sum()))


WRONG: tuple[Evaluation, ...] = (
    off_by_one_exponent,
    no_one_minus_p,
    base_2,
    first_hit_alone,
    sum_of_logarithms,
    single_precision,
)


def used(evaluate: Evaluation, ranks: Ranks, p: float) -> Fraction:
    """Return which part of the bound an evaluation uses; 1 or less is inside."""
    exact = ln_rbp(ranks, Fraction(p))
    assert exact is not None
    value = Fraction(evaluate(ranks, p))
    return max(abs(value - exact.low), abs(value - exact.high)) / bound(ranks, Fraction(p))


def patterns(longest: int) -> Iterator[Ranks]:
    for size in range(1, longest + 1):
        yield from combinations(range(1, longest + 1), size)


def deep(count: int) -> Iterator[Ranks]:
    """Return rankings with a few hits or many, next to each other or not, down to rank 200,000."""
    chance = random.Random(1159)  # noqa: S311 - a sample, always the same
    for _ in range(count):
        last = chance.choice((50, 300, 5000, 200_000))
        yield tuple(sorted(chance.sample(range(1, last + 1), chance.randint(1, 40))))
    yield from ((5001,), (200_000,), (199_999, 200_000), (1, 200_000), tuple(range(1, 301)), NEIGHBOURS)


@pytest.mark.parametrize("evaluate", [*RIGHT, logarithm_of_rbp], ids=lambda f: f.__name__)
@pytest.mark.parametrize("p", PERSISTENCES)
def test_right_evaluations_use_no_more_than_half_of_it_on_every_pattern_of_eight_ranks(
    evaluate: Evaluation, p: float
) -> None:
    assert max(used(evaluate, ranks, p) for ranks in patterns(8)) < Fraction(1, 2)


@pytest.mark.parametrize("evaluate", RIGHT, ids=lambda f: f.__name__)
@pytest.mark.parametrize("p", PERSISTENCES + EXTREME)
def test_right_evaluations_use_no_more_than_half_of_it_where_hits_are_deep(evaluate: Evaluation, p: float) -> None:
    assert max(used(evaluate, ranks, p) for ranks in deep(30)) < Fraction(1, 2)


def test_a_fold_loses_more_than_rounding_its_result_once_with_each_term_would_explain() -> None:
    # 4 A + h + 2 ln(h + 1) + |lse| + |ln RBP| + 2 |ln(1 - p)| + 6, which a sum that is shifted as a whole stays below.
    x = exponents(NEIGHBOURS, 0.99)
    score = shifted(NEIGHBOURS, 0.99)
    depth = float(-(x * np.exp(x - x[0])).sum() / np.exp(x - x[0]).sum())
    lse = score - math.log1p(-0.99)
    once = 4 * depth + 300 + 2 * math.log(301) + abs(lse) + abs(score) - 2 * math.log1p(-0.99) + 6
    share = bound(NEIGHBOURS, Fraction(0.99)) / U / Fraction(once)
    assert used(shifted, NEIGHBOURS, 0.99) * share < 1 < used(folded, NEIGHBOURS, 0.99) * share
    assert used(folded, NEIGHBOURS, 0.99) < Fraction(1, 2)


# Two hits next to each other, and a gap before the last: what the wrong ones have to fail on.
TELLING: Ranks = (2, 3, 5)


@pytest.mark.parametrize("evaluate", WRONG, ids=lambda f: f.__name__)
@pytest.mark.parametrize("p", [0.1, 0.5, 0.8, 0.85, 0.95, 0.99])
def test_wrong_evaluations_lie_outside_by_a_factor_of_a_trillion_or_a_million_in_single_precision(
    evaluate: Evaluation, p: float
) -> None:
    assert used(evaluate, TELLING, p) > (10**6 if evaluate is single_precision else 10**12)


@pytest.mark.parametrize("evaluate", [off_by_one_exponent, no_one_minus_p, base_2, first_hit_alone])
@pytest.mark.parametrize("ranks", [(5001, 5002), (200_000, 200_010)])
def test_wrong_evaluations_lie_outside_by_far_where_hits_are_deep(evaluate: Evaluation, ranks: Ranks) -> None:
    assert used(evaluate, ranks, 0.85) > 10**6


def test_the_largest_weight_alone_is_seen_while_the_next_is_above_2_to_the_minus_30() -> None:
    for p in (0.1, 0.5, 0.85, 0.99):
        gap = math.floor(30 * math.log(2) / -math.log(p))
        assert used(first_hit_alone, (1, 1 + gap), p) > 10**3
        assert used(first_hit_alone, (1, 1 + 3 * gap), p) < 1


def test_the_bound_of_a_hit_at_the_first_rank_by_hand() -> None:
    # A = 0, h = 1, lse = 0, and M = |ln RBP| = |ln(1 - p)| = ln 2: 1 * (M + 4) + M + 3 M + 6.
    assert abs(bound((1,), Fraction(1, 2)) / U - Fraction(5 * math.log(2) + 10)) < Fraction(1, 10**4)


def test_the_bound_of_a_deep_hit_is_what_its_logarithm_was_multiplied_from() -> None:
    # A = 5000 |ln p| = 812.6, four times; ln RBP = -814.5, twice.
    at_5001 = bound((5001,), Fraction(0.85))
    assert 4 * 812.5 + 2 * 814.4 < at_5001 / U < 4 * 812.7 + 2 * 814.6 + 20
    assert at_5001 < Fraction(6, 10**13)


def test_the_bound_without_a_hit_is_0() -> None:
    assert bound((), Fraction(1, 2)) == 0
    assert mean_bound([(), ()], Fraction(1, 2)) == 0
    assert mean_exp_bound([None]) == 0


def test_persistences_that_are_no_floats_have_a_bound() -> None:
    for p in (Fraction(1, 10**400), 1 - Fraction(1, 10**400), Fraction(1, 3)):
        assert bound((1, 2, 5), p) > 0


def mean_by_a_shift(values: Sequence[float]) -> float:
    x = np.array(values)
    return float(x.max() + np.log(np.exp(x - x.max()).sum()) - np.log(len(x)))


def mean_below_the_logarithm(values: Sequence[float]) -> float:
    x = np.array(values)
    return float(x.max() + np.log(np.exp(x - x.max()).mean()))


def mean_by_a_fold(values: Sequence[float]) -> float:
    return float(np.logaddexp.reduce(np.array(values)) - np.log(len(values)))


def mean_of_shares(values: Sequence[float]) -> float:
    return float(np.logaddexp.reduce(np.array(values) - math.log(len(values))))


def mean_scaled_anew(values: Sequence[float]) -> float:
    top, scaled = -math.inf, 0.0
    for v in values:
        if v > top:
            scaled = scaled * math.exp(top - v) + 1
            top = v
        elif v > -math.inf:
            scaled += math.exp(v - top)
    return top + math.log(scaled) - math.log(len(values))


RIGHT_MEANS: tuple[Mean, ...] = (
    mean_by_a_shift,
    mean_below_the_logarithm,
    mean_by_a_fold,
    mean_of_shares,
    mean_scaled_anew,
)


def mean_of_logarithms(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def mean_without_zeros(values: Sequence[float]) -> float:
    return mean_by_a_shift([v for v in values if v > -math.inf])


def largest(values: Sequence[float]) -> float:
    return max(values) - math.log(len(values))


def sum_without_count(values: Sequence[float]) -> float:
    return mean_by_a_shift(values) + math.log(len(values))


WRONG_MEANS: tuple[Mean, ...] = (mean_of_logarithms, mean_without_zeros, largest, sum_without_count)


def collections(count: int) -> Iterator[list[Ranks]]:
    """Return collections of rankings, of which some have no hit."""
    chance = random.Random(1159)  # noqa: S311 - a sample, always the same
    candidates = [*deep(30), *patterns(4), (), (), (), ()]
    for _ in range(count):
        chosen = chance.sample(candidates, chance.randint(1, 20))
        if any(chosen):
            yield chosen
    yield [(1,), ()]
    yield [(5001,), ()]
    yield [(5001,), (5003,), (5004,)]
    yield [(200_000,)] * 10
    yield [(1,)] * 100


@pytest.mark.parametrize("mean", RIGHT_MEANS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("p", [0.1, 0.85, 0.99, 1 - 2**-20])
def test_right_means_lie_inside(mean: Mean, p: float) -> None:
    for rankings in collections(40):
        values = [shifted(ranks, p) if ranks else -math.inf for ranks in rankings]
        exact = ln_mean_rbp(rankings, Fraction(p))
        assert exact is not None
        assert abs(Fraction(mean(values)) - exact.low) <= mean_bound(rankings, Fraction(p)) / 2


@pytest.mark.parametrize("mean", RIGHT_MEANS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("centre", [0.0, 1.5, -814.5, -1e5])
def test_right_means_of_given_measurements_lie_inside(mean: Mean, centre: float) -> None:
    chance = random.Random(1159)  # noqa: S311 - a sample, always the same
    for size in (1, 2, 3, 5, 20, 300):
        for _ in range(10):
            values = [chance.choice((chance.gauss(centre, 3), centre, -math.inf)) for _ in range(size)]
            given = [Fraction(v) if v > -math.inf else None for v in [*values, centre]]
            exact = ln_mean_exp(given)
            assert exact is not None
            assert abs(Fraction(mean([*values, centre])) - exact.low) <= mean_exp_bound(given) / 2


@pytest.mark.parametrize("mean", WRONG_MEANS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("ranks", [(1, 3), (5001, 5003)])
def test_wrong_means_lie_outside_by_far(mean: Mean, ranks: tuple[int, int]) -> None:
    p = 0.85
    rankings: list[Ranks] = [(rank,) for rank in ranks] + [()]
    values = [shifted(hits, p) if hits else -math.inf for hits in rankings]
    exact = ln_mean_rbp(rankings, Fraction(p))
    assert exact is not None
    assert abs(mean(values) - float(exact)) > 10**9 * mean_bound(rankings, Fraction(p))


def test_the_bound_of_a_mean_of_given_measurements_by_hand() -> None:
    # Two values of 0: the log mean is 0, and M = ln 2 before n = 2 is divided by; k = 2.
    by_hand = 2 * (math.log(2) + 4) + math.log(2) + 3 * math.log(2) + 4
    assert abs(mean_exp_bound([Fraction(0), Fraction(0)]) / U - Fraction(by_hand)) < Fraction(1, 10**4)


def test_the_bound_of_a_mean_is_that_of_its_measurements_and_the_worst_of_the_rankings() -> None:
    p = Fraction(0.85)
    alone = mean_exp_bound([Fraction(shifted((3,), 0.85)), None])
    assert abs(mean_bound([(3,), ()], p) - bound((3,), p) - alone) < U / 1000


def test_the_mean_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one ranking was expected"):
        mean_bound([], Fraction(1, 2))
    with pytest.raises(ValueError, match="at least one value was expected"):
        mean_exp_bound([])


def test_what_is_refused_by_the_reference_is_refused_here() -> None:
    with pytest.raises(RanksOutOfOrderError):
        bound((2, 1), Fraction(1, 2))
    with pytest.raises(RanksOutOfOrderError):
        mean_bound([(0,)], Fraction(1, 2))
    for ranks in ((), (1,)):
        with pytest.raises(PersistenceWithoutLogarithmError):
            bound(ranks, Fraction(1))
