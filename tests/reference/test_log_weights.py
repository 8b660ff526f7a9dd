"""RBP with logarithmic weights, by hand and against Arb."""

from fractions import Fraction
from itertools import product

import pytest
from flint import arb

from balls import working_at
from reference.enclosure import NotPositiveError
from reference.log_weights import EmptyRankingError, weight, weighted_rbp

precision = working_at(400)


def test_the_weights_of_base_2_by_hand() -> None:
    # 1 / log2(4) = 1/2, 1 / log2(2) = 1; clipped, rank 1 weighs as rank 2; with an offset of 1, rank 3 as rank 4 does.
    two, half = Fraction(2), Fraction(1, 2)
    for rank, offset, value in [
        (1, 0, Fraction(1)),
        (2, 0, Fraction(1)),
        (4, 0, half),
        (1, 1, Fraction(1)),
        (3, 1, half),
    ]:
        assert value in weight(rank, two, offset)
        assert weight(rank, two, offset).width < Fraction(1, 2**150)


def test_the_weight_of_a_rank_that_is_the_square_of_the_base_is_one_half() -> None:
    assert Fraction(1, 2) in weight(9, Fraction(3))


def test_a_ranking_with_hits_alone_scores_1() -> None:
    assert 1 in weighted_rbp([True] * 7)
    assert 1 in weighted_rbp([True] * 7, offset=3)


def test_a_ranking_without_a_hit_scores_0() -> None:
    assert weighted_rbp([0, 0]).low == weighted_rbp([0, 0]).high == 0


def test_the_score_of_two_ranks_by_hand() -> None:
    # Clipped, both weigh alike; with an offset of 2, 1 / log 3 and 1 / log 4.
    assert Fraction(1, 2) in weighted_rbp([0, 1])
    three, four = 1 / arb(3).log(), 1 / arb(4).log()
    assert abs(float(weighted_rbp([0, 1], offset=2)) - float(four / (three + four))) < 1e-15


@pytest.mark.parametrize("offset", [0, 1, 5])
def test_the_score_is_the_quotient_that_arb_gives_on_every_pattern_of_six_ranks(offset: int) -> None:
    weights = [1 / arb(rank + offset if offset else max(rank, 2)).log() for rank in range(1, 7)]
    for pattern in product((0, 1), repeat=6):
        enclosure = weighted_rbp(pattern, offset)
        value = sum((w for r, w in zip(pattern, weights, strict=True) if r), start=arb(0)) / sum(weights, start=arb(0))
        assert abs(value - arb(enclosure.lower) * arb(2) ** enclosure.exponent) < arb(2) ** -150
        assert enclosure.width < Fraction(1, 2**150)


def test_an_empty_ranking_is_refused() -> None:
    with pytest.raises(EmptyRankingError, match="at least one document was expected"):
        weighted_rbp([])


def test_a_base_that_is_no_base_is_refused() -> None:
    with pytest.raises(NotPositiveError):
        weight(1, Fraction(0))
