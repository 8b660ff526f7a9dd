"""What became of one input: every pair of verdicts has one name, and the table of the design is among them."""

import math
from fractions import Fraction
from itertools import product

import pytest

from harness.compare import Ruling, ruling_on
from harness.expected import Exactly, Expected, Refusal, Unspecified
from harness.outcome import Crashed, Hung, Outcome, Raised, Returned, Text, Unsupported, Value
from harness.shadow.transition import Transition, is_same, transition
from harness.verdict import Verdict

TWO = Exactly(Fraction(2), Fraction(1, 8))
NOBODY_SAYS = Unspecified("nobody says")

RIGHT, RIGHT_TOO = Value(2.0), Value(2.0625)
WRONG, WRONG_TOO = Value(3.0), Value(4.0)
LACKING = Unsupported("not there")
ERROR, OTHER_ERROR = Raised("ValueError", "2"), Raised("KeyError", "2")


def became(before: Outcome, after: Outcome, expected: Expected = TWO) -> Transition:
    """Return what became of an input."""
    old, new = (ruling_on(outcome, expected, {}) for outcome in (before, after))
    return transition((before, old), (after, new))


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (RIGHT, RIGHT, Transition.UNCHANGED),
        (RIGHT, RIGHT_TOO, Transition.CHANGED_RIGHT),
        (RIGHT, WRONG, Transition.BROKEN),
        (RIGHT, ERROR, Transition.BROKEN),
        (RIGHT, Crashed("exit 7"), Transition.BROKEN),
        (RIGHT, Hung(1), Transition.BROKEN),
        (RIGHT, LACKING, Transition.BROKEN),
        (WRONG, RIGHT, Transition.FIXED),
        (ERROR, RIGHT, Transition.FIXED),
        (Hung(1), RIGHT, Transition.FIXED),
        (WRONG, WRONG, Transition.STILL_WRONG),
        (WRONG, WRONG_TOO, Transition.CHANGED_WRONG),
        (ERROR, Raised("ValueError", "another message"), Transition.STILL_WRONG),
        (ERROR, OTHER_ERROR, Transition.CHANGED_WRONG),
        (WRONG, ERROR, Transition.CHANGED_WRONG),
        (LACKING, LACKING, Transition.UNCHANGED),
        (LACKING, RIGHT, Transition.ADDED),
        (LACKING, WRONG, Transition.ADDED_WRONG),
        (WRONG, LACKING, Transition.BROKEN),
    ],
)
def test_where_the_right_value_is_known(before: Outcome, after: Outcome, kind: Transition) -> None:
    assert became(before, after) is kind


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (RIGHT, RIGHT, Transition.UNCHANGED),
        (RIGHT, WRONG, Transition.CHANGED_UNSPECIFIED),
        (RIGHT, ERROR, Transition.CHANGED_UNSPECIFIED),
        (ERROR, RIGHT, Transition.CHANGED_UNSPECIFIED),
        (LACKING, RIGHT, Transition.CHANGED_UNSPECIFIED),
        (RIGHT, LACKING, Transition.BROKEN),
        (RIGHT, Crashed("exit 7"), Transition.BROKEN),
        (RIGHT, Hung(1), Transition.BROKEN),
        (Crashed("exit 7"), RIGHT, Transition.FIXED),
    ],
)
def test_where_nothing_says_what_is_right(before: Outcome, after: Outcome, kind: Transition) -> None:
    assert became(before, after, NOBODY_SAYS) is kind


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (Verdict.UNDECIDABLE, Verdict.DIFFERS, Transition.BROKEN),
        (Verdict.DIFFERS, Verdict.UNDECIDABLE, Transition.CHANGED_UNDECIDED),
        (Verdict.UNDECIDABLE, Verdict.AGREES, Transition.CHANGED_RIGHT),
        (Verdict.AGREES, Verdict.UNDECIDABLE, Transition.CHANGED_RIGHT),
        (Verdict.UNDECIDABLE, Verdict.UNDECIDABLE, Transition.CHANGED_RIGHT),
    ],
)
def test_an_undecidable_value_may_be_right(before: Verdict, after: Verdict, kind: Transition) -> None:
    assert transition((Value(2.0), Ruling(before)), (Value(2.5), Ruling(after))) is kind


def test_an_undecidable_value_that_stays_is_unchanged() -> None:
    assert transition(*[(RIGHT, Ruling(Verdict.UNDECIDABLE))] * 2) is Transition.UNCHANGED


def test_a_refusal_that_is_due_is_fixed_when_it_comes() -> None:
    assert became(RIGHT, ERROR, Refusal(("ValueError",))) is Transition.FIXED
    assert became(ERROR, OTHER_ERROR, Refusal(("ValueError",))) is Transition.BROKEN


@pytest.mark.parametrize(("old", "new"), list(product(Verdict, Verdict)))
def test_every_pair_of_verdicts_has_a_name(old: Verdict, new: Verdict) -> None:
    kind = transition((Value(1.0), Ruling(old)), (Value(2.0), Ruling(new)))
    assert kind.is_better <= (old.is_mismatch or old is Verdict.UNSUPPORTED)
    assert new.is_mismatch <= (not kind.is_better)
    assert kind.is_worse <= (not old.is_mismatch or new is Verdict.UNSUPPORTED)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Value(float("nan")), Value(float("nan")), True),
        (Value(0.0), Value(-0.0), False),
        (Value(0.1), Value(0.1 + 2**-56), False),
        (Value(1), Value(1.0), True),
        (Value(0), Value(0.0), True),
        (Value(0), Value(-0.0), False),
        (Value(2**53 + 1), Value(2.0**53), False),
        (Value(10**400), Value(math.inf), False),
        (Value(10**400), Value(1.0), False),
        (Value(math.nan), Value(1.0), False),
        (Value(1), Value(math.nan), False),
        (Value((Value(1), Value(0.5))), Value((Value(1), Value(0.5))), True),
        (Value((Value(1),)), Value((Value(1), Value(1))), False),
        (Value((Value(1),)), Value((Value(2),)), False),
        (Text("a"), Text("a"), True),
        (Text("a"), Text("b"), False),
        (Returned("Result", "<Result at 0x7f00>"), Returned("Result", "<Result at 0x7fff>"), True),
        (Returned("Result", "<Result a>"), Returned("Result", "<Result b>"), False),
        (Returned("Result", "x"), Returned("Other", "x"), False),
        (Hung(1), Hung(2), True),
        (Crashed("exit 1"), Crashed("exit 1"), True),
        (Crashed("exit 1"), Crashed("signal SIGSEGV"), False),
        (Unsupported("a"), Unsupported("a"), True),
        (Value(1.0), Text("1.0"), False),
    ],
)
def test_outcomes_are_the_same_to_a_user(one: Outcome, other: Outcome, *, same: bool) -> None:
    assert is_same(one, other) is same


def test_what_decides_is_better_or_worse() -> None:
    assert {kind for kind in Transition if kind.is_decisive} == {
        Transition.FIXED,
        Transition.ADDED,
        Transition.BROKEN,
        Transition.ADDED_WRONG,
    }


def test_what_is_better_or_unchanged_is_not_shown_one_by_one() -> None:
    silent = {kind for kind in Transition if not kind.is_told}
    assert silent == {Transition.FIXED, Transition.ADDED, Transition.UNCHANGED}
