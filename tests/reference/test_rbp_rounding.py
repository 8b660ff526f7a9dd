"""The bound keeps every right evaluation inside, and puts every wrong one outside."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rbp_evaluations import RIGHT, WRONG, Evaluation, power
from reference import rbp
from reference.log_weights import EmptyRankingError, weighted_rbp
from reference.rbp_rounding import SMALLEST, U, bound, log_weighted_bound, mean_bound, normalised_bound, weighted_bound

PERSISTENCES = (0.1, 0.3, 0.5, 0.8, 0.85, 0.95, 0.99, 0.999, 1 - 2**-20)

Gains = tuple[float | None, ...]


def excess(evaluate: Evaluation, gains: Sequence[float | None], p: float) -> Fraction:
    """Return by how much an evaluation lies outside the bound; 0 or less is inside."""
    exact_gains = [None if g is None else Fraction(g) for g in gains]
    exact = rbp.graded(exact_gains, Fraction(p))
    return abs(Fraction(evaluate(gains, p)) - exact) - bound(exact_gains, Fraction(p))


def patterns(longest: int) -> Iterator[Gains]:
    for length in range(1, longest + 1):
        yield from product((0.0, 1.0), repeat=length)


@pytest.mark.parametrize("evaluate", RIGHT, ids=lambda f: f.__name__)
@pytest.mark.parametrize("p", PERSISTENCES)
def test_right_evaluations_lie_inside_on_every_pattern_of_eight_ranks(evaluate: Evaluation, p: float) -> None:
    assert not [gains for gains in patterns(8) if excess(evaluate, gains, p) > 0]


@pytest.mark.parametrize("evaluate", RIGHT, ids=lambda f: f.__name__)
@given(
    st.lists(st.none() | st.integers(0, 20).map(float), min_size=1, max_size=300),
    st.floats(0.1, 1 - 2**-20),
)
@settings(max_examples=60, deadline=None)
def test_right_evaluations_lie_inside_on_long_graded_rankings(
    evaluate: Evaluation, gains: list[float | None], p: float
) -> None:
    assert excess(evaluate, gains, p) <= 0


@pytest.mark.parametrize("evaluate", RIGHT, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("rank", "p"), [(1500, 0.8), (4348, 0.85), (4573, 0.85), (30_000, 0.99), (700, 1e-10)])
def test_right_evaluations_lie_inside_where_a_deep_hit_underflows(evaluate: Evaluation, rank: int, p: float) -> None:
    gains = (*(0.0,) * (rank - 1), 1.0)
    assert excess(evaluate, gains, p) <= 0


# A hit at the last rank, a gap before a hit, and an unjudged document: what the wrong ones have to fail on.
TELLING: Gains = (1.0, None, 0.0, 1.0, 0.0, 1.0)


@pytest.mark.parametrize("evaluate", WRONG, ids=lambda f: f.__name__)
@pytest.mark.parametrize("p", [0.1, 0.8, 0.85, 0.95, 0.99])
def test_wrong_evaluations_lie_outside_on_the_telling_ranking(evaluate: Evaluation, p: float) -> None:
    assert excess(evaluate, TELLING, p) > 0


@pytest.mark.parametrize("evaluate", WRONG, ids=lambda f: f.__name__)
def test_wrong_evaluations_lie_outside_by_a_factor_of_a_hundred(evaluate: Evaluation) -> None:
    gains = [None if g is None else Fraction(g) for g in TELLING]
    p = 0.85
    distance = abs(Fraction(evaluate(TELLING, p)) - rbp.graded(gains, Fraction(p)))
    assert distance > 100 * bound(gains, Fraction(p))


def test_one_half_hides_the_swap_of_p_and_one_minus_p_and_single_precision() -> None:
    judged_patterns = [(*gains[:1], None, *gains[1:]) for gains in patterns(7)]
    hidden = {
        evaluate.__name__ for evaluate in WRONG if all(excess(evaluate, gains, 0.5) <= 0 for gains in judged_patterns)
    }
    assert hidden == {"swapped", "single_precision"}


def test_no_other_persistence_of_the_usual_ones_hides_any_of_them() -> None:
    for p in (0.8, 0.85, 0.95, 0.99):
        for evaluate in WRONG:
            assert any(excess(evaluate, (*gains[:1], None, *gains[1:]), p) > 0 for gains in patterns(5))


def test_the_bound_of_one_hit_at_the_first_rank_by_hand() -> None:
    # h = 1, i = 0: the power counts 2, h + 5 = 6; t = 1/2. And 4 + 4 of the smallest float for underflow.
    assert bound([1], Fraction(1, 2)) == U * Fraction(1, 2) * 8 + 8 * Fraction(1, 2**1074)


@pytest.mark.parametrize("evaluate", RIGHT, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("rank", "p"), [(318, 0.1), (3240, 0.8)])
def test_right_evaluations_lie_inside_where_a_large_gain_meets_an_underflow(
    evaluate: Evaluation, rank: int, p: float
) -> None:
    assert excess(evaluate, (*(0.0,) * (rank - 1), 1000.0), p) <= 0


def test_a_persistence_below_every_float_has_a_bound() -> None:
    assert bound([1, 1], Fraction(1, 10**400)) > 0


def test_the_bound_of_a_ranking_without_hits_is_0() -> None:
    assert bound([0, None, 0], Fraction(4, 5)) == 0
    assert bound([], Fraction(0)) == 0


def test_the_bound_of_the_mean_covers_right_means() -> None:
    p = 0.8
    rankings = [gains for gains in patterns(4) if any(gains)]
    values = [RIGHT[0](gains, p) for gains in rankings]
    exact = [rbp.graded([Fraction(g or 0) for g in gains], Fraction(p)) for gains in rankings]
    allowed = mean_bound([[Fraction(g or 0) for g in gains] for gains in rankings], Fraction(p))
    for mean in (sum(values) / len(values), math.fsum(values) / len(values), sum(reversed(values)) / len(values)):
        assert abs(Fraction(mean) - sum(exact, Fraction(0)) / len(exact)) <= allowed
    assert allowed < 100 * U


def test_the_mean_of_no_ranking_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one ranking was expected"):
        mean_bound([], Fraction(1, 2))


def test_what_is_no_persistence_is_refused() -> None:
    with pytest.raises(rbp.PersistenceOutOfRangeError):
        bound([1], Fraction(1))


Normalised = Callable[[Gains, float, int], float]
Weighted = Callable[[Gains, list[float]], float]


def over_the_first_weights(relevant: Gains, p: float, k: int) -> float:
    weights = np.exp(np.log(p) * np.arange(max(k, len(relevant))))
    return float(weights[: len(relevant)][np.array(relevant) > 0].sum() / weights[:k].sum())


def over_the_best_rbp(relevant: Gains, p: float, k: int) -> float:
    return power(relevant, p) / power((1.0,) * k, p)


def over_the_closed_form(relevant: Gains, p: float, k: int) -> float:
    return power(relevant, p) / (1 - p**k)


def over_the_infinite_sum(relevant: Gains, p: float, _: int) -> float:
    return power(relevant, p)


def over_one_more(relevant: Gains, p: float, k: int) -> float:
    return over_the_first_weights(relevant, p, k + 1)


@pytest.mark.parametrize("evaluate", [over_the_first_weights, over_the_best_rbp, over_the_closed_form])
@pytest.mark.parametrize("p", PERSISTENCES)
def test_right_normalised_scores_lie_inside_on_every_pattern_of_six_ranks(evaluate: Normalised, p: float) -> None:
    for gains in patterns(6):
        for k in (1, 2, 3, 6, 20):
            exact = rbp.normalised([g == 1 for g in gains], Fraction(p), k)
            within = normalised_bound([g == 1 for g in gains], Fraction(p), k)
            assert abs(Fraction(evaluate(gains, p, k)) - exact) <= within


@pytest.mark.parametrize("evaluate", [over_the_infinite_sum, over_one_more])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.8, 0.85, 0.95, 0.99])
def test_wrong_normalised_scores_lie_outside_by_a_factor_of_a_billion(evaluate: Normalised, p: float) -> None:
    exact = rbp.normalised([True, False, True], Fraction(p), 3)
    distance = abs(Fraction(evaluate((1.0, 0.0, 1.0), p, 3)) - exact)
    assert distance > 10**9 * normalised_bound([True, False, True], Fraction(p), 3)


def test_a_difference_that_loses_half_of_its_digits_is_not_covered() -> None:
    # 1 - p^2 is about 2^-19, and magnifies what is rounded in p^2 by 2^19; or 2^-39, and by 2^39.
    assert normalised_bound([True], Fraction(1 - 2**-20), 2) > 2**19 * U
    assert normalised_bound([True], Fraction(1 - 2**-40), 2) < 100 * U


def test_the_normalised_bound_of_one_hit_of_one_by_hand() -> None:
    # p^0 counts 2, h + 5 is 6, the quotient 1. Its divisor as a sum: 2 in p^0, 3 as an RBP. As 1 - p: 5 in p^1, as
    # 3 ln 2 + 2 is rounded up, times p / (1 - p) = 1; and 1, which is more. And 5 of the smallest float, over 1 - p.
    assert normalised_bound([True], Fraction(1, 2), 1) == U * (2 + 6 + 1 + (5 + 1)) + 10 * SMALLEST


def test_the_normalised_bound_without_a_hit_is_0() -> None:
    assert normalised_bound([False], Fraction(1, 2), 3) == 0
    assert normalised_bound([], Fraction(0), 1) == 0


def test_what_cannot_be_normalised_has_no_bound() -> None:
    with pytest.raises(rbp.NothingAchievableError):
        normalised_bound([True], Fraction(1, 2), 0)
    with pytest.raises(rbp.PersistenceOutOfRangeError):
        normalised_bound([True], Fraction(1), 1)


def weights_in_order(relevant: Gains, weights: list[float]) -> float:
    return sum(w for g, w in zip(relevant, weights, strict=True) if g) / sum(weights)


def weights_reversed(relevant: Gains, weights: list[float]) -> float:
    total = sum(reversed(weights))
    return sum(w for g, w in reversed(list(zip(relevant, weights, strict=True))) if g) / total


def weights_at_once(relevant: Gains, weights: list[float]) -> float:
    array = np.array(weights)
    return float(array[np.array(relevant) > 0].sum() / array.sum())


@pytest.mark.parametrize("evaluate", [weights_in_order, weights_reversed, weights_at_once])
@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1e6)), min_size=1, max_size=50))
def test_right_scores_with_given_weights_lie_inside(evaluate: Weighted, ranking: list[tuple[bool, float]]) -> None:
    relevant, weights = tuple(float(r) for r, _ in ranking), [w for _, w in ranking]
    assume(sum(weights) > 0)
    exact_weights = [Fraction(w) for w in weights]
    exact = rbp.weighted([g > 0 for g in relevant], exact_weights)
    within = weighted_bound([g > 0 for g in relevant], exact_weights)
    assert abs(Fraction(evaluate(relevant, weights)) - exact) <= within


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1e6)), min_size=1, max_size=50), st.floats(0.1, 1e6))
def test_right_scores_with_a_given_normalisation_lie_inside(ranking: list[tuple[bool, float]], divisor: float) -> None:
    relevant, weights = [r for r, _ in ranking], [Fraction(w) for _, w in ranking]
    value = sum(w for r, w in ranking if r) / divisor
    exact = rbp.weighted(relevant, weights, Fraction(divisor))
    assert abs(Fraction(value) - exact) <= weighted_bound(relevant, weights, Fraction(divisor))


def test_the_bound_with_given_weights_by_hand() -> None:
    # Two hits of three: one addition, and two below if all are added; the quotient, and 2 to spare. The value is 3/4.
    weights = [Fraction(1), Fraction(1), Fraction(2)]
    assert weighted_bound([1, 0, 1], weights) == (1 + 2 + 1 + 2) * U * Fraction(3, 4) + SMALLEST
    assert weighted_bound([1, 0, 1], weights, Fraction(4)) == (1 + 1 + 2) * U * Fraction(3, 4) + SMALLEST
    assert weighted_bound([0, 0, 0], weights) == 0


def by_logarithms(relevant: Gains, offset: int) -> float:
    ranks = np.arange(1, len(relevant) + 1)
    return weights_at_once(relevant, list(np.log(2) / np.log(ranks + offset if offset else np.maximum(ranks, 2))))


def by_base_2(relevant: Gains, offset: int) -> float:
    ranks = range(1, len(relevant) + 1)
    return weights_in_order(relevant, [1 / math.log2(rank + offset if offset else max(rank, 2)) for rank in ranks])


def by_base_10(relevant: Gains, offset: int) -> float:
    ranks = range(1, len(relevant) + 1)
    return weights_reversed(relevant, [1 / math.log10(rank + offset if offset else max(rank, 2)) for rank in ranks])


@pytest.mark.parametrize("evaluate", [by_logarithms, by_base_2, by_base_10])
@pytest.mark.parametrize("offset", [0, 1, 7])
def test_right_scores_with_logarithmic_weights_lie_inside(evaluate: Callable[[Gains, int], float], offset: int) -> None:
    for gains in [*patterns(7), (1.0, 0.0, 0.0) * 300]:
        relevant = [g == 1 for g in gains]
        exact = weighted_rbp(relevant, offset)
        assert abs(Fraction(evaluate(gains, offset)) - exact.low) <= log_weighted_bound(relevant, offset)


@pytest.mark.parametrize("offset", [0, 1])
def test_the_other_offset_lies_outside_by_a_factor_of_a_trillion(offset: int) -> None:
    relevant = [True, False, True]
    distance = abs(Fraction(by_logarithms((1.0, 0.0, 1.0), 1 - offset)) - weighted_rbp(relevant, offset).low)
    assert distance > 10**12 * log_weighted_bound(relevant, offset)


def test_the_bound_with_logarithmic_weights_by_hand() -> None:
    # 6 above, 6 below, h + n + 1 = 4 (one hit of two), and the score is 1/2 if both ranks weigh alike.
    assert abs(log_weighted_bound([1, 0]) / U - 8) < Fraction(1, 2**100)
    with pytest.raises(EmptyRankingError):
        log_weighted_bound([])
