"""Enclosures hold what they should, and little else: against exact rationals, and against the balls of Arb."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from balls import working_at
from reference import enclosure
from reference.enclosure import BITS, WORKING, Enclosure, ExponentTooLargeError, NotPositiveError, exp, ln, total

precision = working_at(400)
HALF = Fraction(1, 2)
NARROW = Fraction(1, 2**150)

# Of any size: from 2^-400 to 2^400.
rationals = st.builds(
    lambda n, d, shift: Fraction(n, d) * Fraction(2) ** shift,
    st.integers(-(2**90), 2**90),
    st.integers(1, 2**90),
    st.integers(-310, 310),
)
positive = rationals.map(abs).filter(bool)
enclosures = st.builds(lambda x, y: (Enclosure.between(min(x, y), max(x, y)), x, y), rationals, rationals)
"""An enclosure with two numbers that it holds."""

Held = tuple[Enclosure, Fraction, Fraction]


def _from_to(x: Fraction, y: Fraction) -> Held:
    """Return an enclosure that holds two positive numbers, the second at most 2^60 times the first."""
    y = x * (1 + y % 2**60)
    return Enclosure.between(x, y), x, y


def ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def holds(held: Enclosure, of: arb) -> bool:
    """Return whether a number, of which 400 bits are known, lies inside."""
    return bool(ball(held.low) <= of) and bool(of <= ball(held.high))


@given(rationals)
def test_a_rational_lies_in_its_enclosure_and_nothing_is_narrower_by_more_than_a_bit(x: Fraction) -> None:
    held = Enclosure.of(x)
    assert x in held
    assert held.width <= abs(x) * Fraction(2, 2**BITS)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_enclosure_of_a_float_is_the_float(x: float) -> None:
    assert Enclosure.of(Fraction(x)).low == Enclosure.of(Fraction(x)).high == Fraction(x)
    assert float(Enclosure.of(Fraction(x))) == x


@given(enclosures, enclosures)
def test_sums_differences_and_products_of_what_lies_inside_lie_inside(first: Held, second: Held) -> None:
    (e, *xs), (f, *ys) = first, second
    for x in xs:
        for y in ys:
            assert x + y in e + f
            assert x - y in e - f
            assert x * y in e * f


@given(enclosures, positive, positive)
def test_quotients_of_what_lies_inside_lie_inside(dividend: Held, y: Fraction, z: Fraction) -> None:
    held, *xs = dividend
    divisor, *ys = _from_to(y, z)
    for x in xs:
        for divided_by in ys:
            assert x / divided_by in held / divisor


@given(rationals, positive)
def test_an_operation_on_rationals_leaves_a_width_of_the_last_bits(x: Fraction, y: Fraction) -> None:
    e, f = Enclosure.of(x), Enclosure.of(y)
    last_bits = Fraction(8, 2**BITS)
    assert (e + f).width <= last_bits * (abs(x) + y)
    assert (e * f).width <= last_bits * abs(x * y)
    assert (e / f).width <= last_bits * abs(x / y)


@given(enclosures, st.integers(0, 12))
def test_powers_of_what_lies_inside_lie_inside(base: Held, n: int) -> None:
    held, *xs = base
    for x in xs:
        assert x**n in held**n


def test_a_power_below_every_float_keeps_its_precision() -> None:
    held = Enclosure.of(Fraction(5e-324)) ** 199_999
    # 2^-1074, 199,999 times: a power of two is exact.
    assert held.lower == held.upper == 1 << (held.lower.bit_length() - 1)
    assert held.lower.bit_length() - 1 + held.exponent == -1074 * 199_999
    deep = Enclosure.of(Fraction(0.85)) ** 199_999
    assert (deep.upper - deep.lower) * 2**135 < deep.lower


def test_a_sum_of_numbers_far_apart_is_as_wide_as_its_last_bit() -> None:
    one, tiny = Enclosure.of(1), Enclosure(1, 1, -(10**30))
    # 1 + 2^-(10^30) lies between 1 and the next number of 160 bits; neither order makes it long.
    for held in (one + tiny, tiny + one):
        assert held.low == 1
        assert 1 < held.high <= 1 + Fraction(4, 2**BITS)
    assert (Enclosure.of(0) + tiny).exponent == (tiny + 0).exponent == -(10**30)


def test_the_sum_of_no_terms_is_0() -> None:
    assert total([]).low == total([]).high == 0
    assert total([Enclosure.of(1), Enclosure.of(HALF)]).low == Fraction(3, 2)


@given(positive)
def test_the_logarithm_of_a_rational_is_enclosed_narrowly(x: Fraction) -> None:
    held = ln(x)
    assert holds(held, ball(x).log())
    assert held.width <= NARROW * abs(held.low)


@given(st.integers(1, 1074), st.sampled_from((-1, 1)))
def test_the_logarithm_keeps_its_relative_precision_next_to_1(k: int, sign: int) -> None:
    epsilon = Fraction(sign, 2**k)
    held = ln(1 + epsilon) if epsilon > -1 else ln(HALF)
    # epsilon - epsilon^2 / 2 + epsilon^3 / 3 - ..., alternating or all of one sign.
    if k > 200:
        assert abs(held.low / epsilon - 1) < NARROW
    assert held.width <= NARROW * abs(held.low)


@pytest.mark.parametrize(
    "x", [Fraction(3, 4), Fraction(3, 2), Fraction(2, 3), Fraction(4, 3), HALF, Fraction(2), Fraction(5e-324)]
)
def test_the_logarithm_is_right_at_the_ends_of_its_series(x: Fraction) -> None:
    # A neighbour on either side takes the other branch.
    for y in (x, x * (1 - Fraction(1, 2**80)), x * (1 + Fraction(1, 2**80))):
        assert holds(ln(y), ball(y).log())


def test_the_logarithm_of_1_is_0() -> None:
    assert ln(1).low == ln(1).high == 0


@pytest.mark.parametrize("function", [ln, exp])
def test_the_series_alone_hold_what_they_should_where_nothing_is_rounded_to_fewer_bits(
    function: Callable[[Fraction], Enclosure], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enclosure, "BITS", 400)
    for i in range(1, 2000):
        # From 3/4 to 3/2, where no power of two is taken out; from 1/5 to 4/5 for the exponential.
        x = Fraction(3, 4) * (1 + Fraction(i, 2000)) if function is ln else Fraction(1, 5) + Fraction(3 * i, 10_000)
        value = ball(x).log() if function is ln else ball(x).exp()
        assert holds(function(x), value)
        assert function(x).width <= Fraction(16, 2**WORKING)


@given(positive, positive)
def test_the_logarithm_of_an_enclosure_holds_those_of_both_ends(x: Fraction, y: Fraction) -> None:
    held, *xs = _from_to(x, y)
    for inside in xs:
        assert holds(ln(held), ball(inside).log())


@pytest.mark.parametrize("x", [0, -1, Fraction(-1, 3), Enclosure.between(0, 1), Enclosure.between(-1, 1)])
def test_what_may_be_0_or_less_has_no_logarithm_and_divides_nothing(x: Enclosure | Fraction | int) -> None:
    with pytest.raises(NotPositiveError, match="a number above 0 was expected"):
        ln(x)
    with pytest.raises(NotPositiveError):
        Enclosure.of(1) / x


@given(st.fractions(-(2**20), 2**20) | st.floats(-1e5, 1e5).map(Fraction))
def test_the_exponential_of_a_rational_is_enclosed_narrowly(x: Fraction) -> None:
    held = exp(x)
    assert holds(held, ball(x).exp())
    assert (held.upper - held.lower) * 2**150 < (1 + abs(x)) * held.lower


@given(st.integers(-(2**40), 2**40))
def test_the_exponential_undoes_the_logarithm_of_any_size(x: int) -> None:
    assert x in ln(exp(x))
    assert ln(exp(x)).width <= NARROW * (1 + abs(x))


@given(positive)
def test_the_logarithm_undoes_the_exponential(x: Fraction) -> None:
    assert x in exp(ln(x))


@pytest.mark.parametrize("x", [Fraction(0), Fraction(1, 2**400), Fraction(-1, 2**400), Fraction(1), Fraction(-1)])
def test_the_exponential_is_right_next_to_0_and_1(x: Fraction) -> None:
    assert holds(exp(x), ball(x).exp())


def test_the_exponential_of_what_lies_far_below_0_lies_between_0_and_next_to_nothing() -> None:
    for x in (Fraction(-1.7e308), Fraction(-(2**41))):
        assert exp(x).lower == 0
        # e^-1 < 2^-1.44
        assert exp(x).upper.bit_length() + exp(x).exponent < -1.44 * 2**40


def test_the_exponential_of_what_lies_far_above_0_is_refused() -> None:
    with pytest.raises(ExponentTooLargeError, match="below 2\\^41"):
        exp(2**41)


def test_ends_that_cross_are_refused() -> None:
    with pytest.raises(ValueError, match="lower <= upper was expected"):
        Enclosure(1, 0, 0)


@given(st.floats(min_value=5e-324, allow_infinity=False))
def test_the_logarithm_is_next_to_the_platforms(x: float) -> None:
    assume(x != 1)
    assert abs(float(ln(Fraction(x))) / math.log(x) - 1) < 1e-15


def test_a_negative_power_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        Enclosure.of(2) ** -1
