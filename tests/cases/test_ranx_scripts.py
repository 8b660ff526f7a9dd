"""Numbers in reproduction scripts."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cases.ranx.scripts import rounded_up


@given(st.fractions(min_value=0, max_value=10, max_denominator=10**30))
def test_a_bound_is_rounded_up_and_not_far(bound: Fraction) -> None:
    rounded = Fraction(rounded_up(bound))
    assert bound <= rounded <= bound * Fraction(1011, 1000)


def test_no_bound_stays_none() -> None:
    assert rounded_up(Fraction(0)) == 0
