"""The bound keeps every right evaluation inside, and puts every wrong one outside."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rbp_evaluations import RIGHT, WRONG, Evaluation
from reference import rbp
from reference.rbp_rounding import U, bound, mean_bound

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
