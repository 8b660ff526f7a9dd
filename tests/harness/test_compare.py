"""Verdicts, worked out by hand."""

import math
from fractions import Fraction

import pytest

from harness.compare import Error, Judgement, Ruling, confusable, error_of, is_right, ruling_on
from harness.expected import Each, Enclosed, Exactly, Expected, OneOf, Refusal, Special, Unspecified, Verbatim, shown
from harness.outcome import Crashed, Hung, Outcome, Raised, Returned, Text, Unsupported, Value
from harness.outcome import shown as observed
from harness.verdict import Verdict

FIFTH = Exactly(Fraction(1, 5), Fraction(1, 2**50))
TWO_FIFTHS = Exactly(Fraction(2, 5), Fraction(1, 2**50))
RANGE = Enclosed(Fraction(0), Fraction(1), Fraction(1, 2**50))
REFUSAL = Refusal()
NAN = Value(math.nan)


@pytest.mark.parametrize(
    ("outcome", "expected", "verdict"),
    [
        (Value(0.2), FIFTH, Verdict.AGREES),
        (Value(math.nextafter(0.2, 1)), FIFTH, Verdict.AGREES),
        (Value(0.2 + 2**-48), FIFTH, Verdict.DIFFERS),
        (NAN, FIFTH, Verdict.DIFFERS),
        (Value(math.inf), FIFTH, Verdict.DIFFERS),
        (Value((Value(0.2),)), FIFTH, Verdict.DIFFERS),
        (Value(3), Exactly(Fraction(3)), Verdict.AGREES),
        (Value(10**400), Exactly(Fraction(10**400)), Verdict.AGREES),
        (Returned("str", "'0.2'"), FIFTH, Verdict.DIFFERS),
        (Returned("NoneType", "None"), FIFTH, Verdict.DIFFERS),
        (Raised("KeyError", "'a'"), FIFTH, Verdict.RAISES),
        (Crashed("signal SIGSEGV"), FIFTH, Verdict.CRASHES),
        (Hung(1), FIFTH, Verdict.HANGS),
        (Unsupported("no"), FIFTH, Verdict.UNSUPPORTED),
        (Value(0.0), RANGE, Verdict.AGREES),
        (Value(1 + 2**-52), RANGE, Verdict.AGREES),
        (Value(1.08), RANGE, Verdict.DIFFERS),
        (Value(-0.75), RANGE, Verdict.DIFFERS),
        (NAN, RANGE, Verdict.DIFFERS),
        (NAN, Special("nan"), Verdict.AGREES),
        (Value(0.0), Special("nan"), Verdict.DIFFERS),
        (Value(-math.inf), Special("-inf"), Verdict.AGREES),
        (Value(math.inf), Special("-inf"), Verdict.DIFFERS),
        (Value(0.2), REFUSAL, Verdict.DIFFERS),
        (Raised("ValueError", ""), REFUSAL, Verdict.AGREES),
        (Raised("KeyError", ""), Refusal(("ValueError",)), Verdict.DIFFERS),
        (Raised("ValueError", ""), Refusal(("ValueError",)), Verdict.AGREES),
        (Crashed("exit 7"), REFUSAL, Verdict.CRASHES),
        (Value(0.4), OneOf((FIFTH, TWO_FIFTHS)), Verdict.AGREES),
        (Value(0.3), OneOf((FIFTH, TWO_FIFTHS)), Verdict.DIFFERS),
        (Raised("ValueError", ""), OneOf((REFUSAL, FIFTH)), Verdict.AGREES),
        (Raised("ValueError", ""), OneOf((FIFTH, TWO_FIFTHS)), Verdict.RAISES),
        (Value((Value(0.2), Value(0.4))), Each((FIFTH, TWO_FIFTHS)), Verdict.AGREES),
        (Value((Value(0.4), Value(0.2))), Each((FIFTH, TWO_FIFTHS)), Verdict.DIFFERS),
        (Value((Value(0.2),)), Each((FIFTH, TWO_FIFTHS)), Verdict.DIFFERS),
        (Value(0.2), Each((FIFTH,)), Verdict.DIFFERS),
        (Value(0.2), Unspecified("why"), Verdict.UNSPECIFIED),
        (NAN, Unspecified("why"), Verdict.UNSPECIFIED),
        (Raised("KeyError", ""), Unspecified("why"), Verdict.UNSPECIFIED),
        (Crashed("exit 7"), Unspecified("why"), Verdict.CRASHES),
        (Text("P@1: 0.2\n"), Verbatim("P@1: 0.2\n"), Verdict.AGREES),
        (Text("P@1: 0.2"), Verbatim("P@1: 0.2\n"), Verdict.DIFFERS),
        (Text("p@1: 0.2\n"), Verbatim("P@1: 0.2\n"), Verdict.DIFFERS),
        (Text("0.2"), FIFTH, Verdict.DIFFERS),
        (Value(0.2), Verbatim("0.2"), Verdict.DIFFERS),
        (Returned("str", "'0.2'"), Verbatim("0.2"), Verdict.DIFFERS),
        (Raised("KeyError", "0.2"), Verbatim("0.2"), Verdict.RAISES),
        (Text(""), REFUSAL, Verdict.DIFFERS),
        (Text("a"), Unspecified("why"), Verdict.UNSPECIFIED),
        (Value((Text("a"), Value(0.2))), Each((Verbatim("a"), FIFTH)), Verdict.AGREES),
        (Value((Text("b"), Value(0.2))), Each((Verbatim("a"), FIFTH)), Verdict.DIFFERS),
        (Text("a"), OneOf((Verbatim("b"), Verbatim("a"))), Verdict.AGREES),
        (Raised("ValueError", "line 1"), Refusal(("ValueError",), "line 1"), Verdict.AGREES),
        (Raised("ValueError", "line 2"), Refusal(("ValueError",), "line 1"), Verdict.DIFFERS),
        (Raised("ValueError", ""), Refusal(("ValueError",), ""), Verdict.AGREES),
        (Raised("ValueError", "why"), Refusal(("ValueError",), ""), Verdict.DIFFERS),
        (Raised("KeyError", "line 1"), Refusal(("ValueError",), "line 1"), Verdict.DIFFERS),
        (Raised("KeyError", "line 1"), Refusal((), "line 1"), Verdict.AGREES),
        (Raised("B", "b"), OneOf((Refusal(("A",), "a"), Refusal(("B",), "b"))), Verdict.AGREES),
        (Raised("A", "b"), OneOf((Refusal(("A",), "a"), Refusal(("B",), "b"))), Verdict.DIFFERS),
    ],
)
def test_the_verdict(outcome: Outcome, expected: Expected, verdict: Verdict) -> None:
    assert ruling_on(outcome, expected, {}).verdict is verdict


def test_a_mismatch_that_follows_a_convention_has_it_as_its_cause() -> None:
    ruling = ruling_on(Value(0.4), FIFTH, {"half": Exactly(Fraction(1, 10)), "double": TWO_FIFTHS})
    assert ruling == Ruling(Verdict.DIFFERS, ("double",), "double")


def test_a_mismatch_that_follows_none_has_a_signature_as_its_cause() -> None:
    causes: dict[Outcome, str] = {
        Value(0.3): "another value",
        NAN: "returns NaN",
        Returned("str", "'x'"): "returns a str",
        Raised("KeyError", "'rbp'"): "raises KeyError",
        Crashed("exit 7"): "crashes (exit 7)",
        Hung(1): "hangs",
    }
    assert {outcome: ruling_on(outcome, FIFTH, {}).cause for outcome in causes} == causes
    assert ruling_on(Value(1.0), REFUSAL, {}).cause == "a value where a refusal is due"
    assert ruling_on(Text("1.0"), REFUSAL, {}).cause == "a value where a refusal is due"


def test_what_nothing_promises_follows_every_convention_that_allows_it_and_has_no_cause() -> None:
    readings = {"half": Exactly(Fraction(1, 10)), "double": TWO_FIFTHS, "twice": TWO_FIFTHS}
    ruling = ruling_on(Value(0.4), Unspecified("why"), readings)
    assert ruling == Ruling(Verdict.UNSPECIFIED, ("double", "twice"), "")


def test_a_text_is_shown_with_what_cannot_be_seen() -> None:
    assert shown(Verbatim("a\t\N{NO-BREAK SPACE}\n")) == "'a\\t\\xa0\\n'"
    assert observed(Text("a\t\udc80\n")) == "'a\\t\\udc80\\n'"


def test_a_refusal_is_shown_with_what_it_should_say() -> None:
    assert shown(Refusal(("ValueError", "KeyError"), "line 1")) == "a refusal (ValueError or KeyError: line 1)"


def test_an_input_whose_right_value_is_a_conventions_too_is_decided() -> None:
    assert ruling_on(Value(0.2), FIFTH, {"same": FIFTH}).verdict is Verdict.AGREES


def test_right_and_wrong_within_the_bound_are_undecidable() -> None:
    close = Exactly(FIFTH.value + FIFTH.within, FIFTH.within)
    assert ruling_on(Value(0.2), FIFTH, {"close": close}).verdict is Verdict.UNDECIDABLE


def test_a_value_that_is_wrong_by_any_reading_differs_even_where_right_ones_are_close() -> None:
    close = Exactly(FIFTH.value + FIFTH.within, FIFTH.within)
    assert ruling_on(Value(0.3), FIFTH, {"close": close}).verdict is Verdict.DIFFERS


def test_just_out_of_range_is_confusable_with_in_range() -> None:
    assert confusable(RANGE, Exactly(1 + RANGE.within / 2))
    assert not confusable(RANGE, Exactly(Fraction(1, 2)))
    assert not confusable(RANGE, Exactly(Fraction(2)))


def test_lists_are_confusable_only_where_every_part_is_or_is_equal() -> None:
    close = Exactly(FIFTH.value + FIFTH.within, FIFTH.within)
    assert confusable(Each((FIFTH, TWO_FIFTHS)), Each((close, TWO_FIFTHS)))
    assert not confusable(Each((FIFTH, TWO_FIFTHS)), Each((close, FIFTH)))
    assert not confusable(Each((FIFTH, TWO_FIFTHS)), Each((FIFTH, TWO_FIFTHS)))


def test_comparison_is_exact_at_the_edge_of_the_bound() -> None:
    edge = Exactly(Fraction(0), Fraction(2.0**-1074))
    assert is_right(Value(2.0**-1074), edge)
    assert not is_right(Value(2.0**-1073), edge)


def test_a_judgement_remembers_by_what_the_outcome_is() -> None:
    judgement = Judgement(FIFTH)
    assert judgement.rule((0.2).hex()).verdict is Verdict.AGREES
    assert judgement.rule((0.4).hex()).verdict is Verdict.DIFFERS
    assert judgement.rule({"raises": "E", "message": ""}).verdict is Verdict.RAISES
    assert judgement.rule((0.2).hex()).verdict is Verdict.AGREES


def test_a_choice_is_confusable_where_one_of_it_is() -> None:
    close = Exactly(FIFTH.value + FIFTH.within, FIFTH.within)
    assert confusable(OneOf((REFUSAL, FIFTH)), close)
    assert confusable(close, OneOf((REFUSAL, FIFTH)))
    assert not confusable(OneOf((REFUSAL, FIFTH)), TWO_FIFTHS)
    assert not confusable(OneOf((REFUSAL, FIFTH)), REFUSAL)


def test_ranges_are_confusable_where_they_nearly_meet() -> None:
    tenth = Fraction(1, 10)
    assert confusable(Enclosed(Fraction(0), Fraction(1), tenth), Enclosed(1 + tenth, Fraction(2), tenth))
    assert confusable(Exactly(Fraction(1, 2), tenth), Enclosed(Fraction(11, 20), Fraction(3, 5)))
    assert not confusable(Enclosed(Fraction(0), Fraction(1), tenth), Enclosed(Fraction(2), Fraction(3), tenth))


def test_parts_are_the_same_however_they_are_written() -> None:
    close = Exactly(FIFTH.value + FIFTH.within, FIFTH.within)
    otherwise = Exactly(TWO_FIFTHS.value, 2 * TWO_FIFTHS.within, Fraction(2, 5))
    assert confusable(Each((FIFTH, TWO_FIFTHS)), Each((close, otherwise)))


def test_a_refusal_can_be_asked_to_mention_what_it_is_about() -> None:
    due = Refusal(("ValueError",), mentions="size")
    assert is_right(Raised("ValueError", "the size is negative"), due)
    assert not is_right(Raised("ValueError", "negative"), due)
    assert shown(due) == "a refusal (ValueError that mentions size)"
    assert shown(Refusal(mentions="size")) == "a refusal that mentions size"


@pytest.mark.parametrize(
    ("outcome", "expected", "error"),
    [
        (Value(0.5), Exactly(Fraction(1, 2)), None),
        (Value(0.5), Exactly(Fraction(1, 2), Fraction(1, 4)), Error(0.0, 0.0)),
        (Value(math.nextafter(0.5, 1)), Exactly(Fraction(1, 2), Fraction(1, 2**52)), Error(0.5, 1.0)),
        (Value(2.0**-20), Exactly(Fraction(0), Fraction(1)), Error(2.0**-20, None)),
        (Value(1.5), Enclosed(Fraction(0), Fraction(1), Fraction(1)), Error(0.5, None)),
        (Value(0.5), Enclosed(Fraction(0), Fraction(1), Fraction(1)), Error(0.0, None)),
        (Raised("ValueError", ""), Refusal(), None),
    ],
)
def test_a_right_value_has_an_error(outcome: Outcome, expected: Expected, error: Error | None) -> None:
    assert ruling_on(outcome, expected, {}) == Ruling(Verdict.AGREES, error=error)


def test_the_error_of_a_list_is_that_of_its_farthest_part() -> None:
    half = Exactly(Fraction(1, 2), Fraction(1, 2**50))
    assert error_of(Value((Value(0.5), Value(0.5 + 2**-51))), Each((half, half))) == Error(0.5, 4.0)
    assert error_of(Value((Text("a"),)), Each((Verbatim("a"),))) is None


def test_the_error_of_a_choice_is_that_of_the_choice_that_is_right() -> None:
    choices = OneOf((Exactly(Fraction(5), Fraction(1)), Exactly(Fraction(1, 2), Fraction(1, 4))))
    assert error_of(Value(0.5), choices) == Error(0.0, 0.0)


def test_a_wrong_value_has_no_error() -> None:
    assert ruling_on(Value(0.3), FIFTH, {}).error is None


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (Exactly(Fraction(1, 3)), "1/3"),
        (Exactly(Fraction(7, 10**6)), "0.000007"),
        (Exactly(Fraction(0.1)), "3602879701896397/36028797018963968"),
        (Exactly(Fraction(3, 20) * Fraction(0.85) ** 5000), "1.86517605132067e-354"),  # below every float
        (Enclosed(Fraction(0), Fraction(1)), "a value in [0, 1]"),
        (Enclosed(Fraction(1, 3), Fraction(1, 3)), "1/3"),
        (Enclosed(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 2**100)), "0.333333333333333"),
    ],
)
def test_an_exact_value_is_shown_so_that_a_person_can_read_it(expected: Expected, text: str) -> None:
    assert shown(expected) == text


def test_a_reading_that_says_nothing_either_is_not_followed() -> None:
    unsaid = Unspecified("nobody says")
    assert ruling_on(Value(0.2), unsaid, {"a fifth": FIFTH, "silence": unsaid}).follows == ("a fifth",)
