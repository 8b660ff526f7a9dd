"""What the cases about pykeen take for right, worked out by hand."""

from fractions import Fraction
from typing import Any

import pytest

from cases.pykeen import closed_forms
from cases.pykeen.closed_forms import CLOSED_FORMS, CLOSED_FORMS_INT32, ClosedForm
from cases.pykeen.inverse_median import INVERSE_MEDIAN, Inverse
from cases.pykeen.median import INVARIANCE, MEDIAN, ODD_INPUT, WEIGHTED_MEDIAN, Ranks, Weighted
from cases.pykeen.moments import MOMENTS, NO_CLOSED_FORM, Asked, Candidates
from cases.pykeen.sampling import SAMPLING, Sampled
from harness.case import AnyCase
from harness.compare import is_right
from harness.errors import BadInputError
from harness.expected import Each, Enclosed, Exactly, Expected, OneOf, Refusal, Unspecified
from harness.outcome import Value


def values(*numbers: float) -> Value:
    return Value(tuple(map(Value, numbers)))


def test_the_median_is_the_middle_one_or_the_mean_of_two() -> None:
    assert MEDIAN.expected(Ranks((3, 1, 2))) == Exactly(Fraction(2))
    assert MEDIAN.expected(Ranks((4, 1, 2, 3))) == Exactly(Fraction(5, 2))


def test_a_weighted_median_may_be_any_value_between_two() -> None:
    assert WEIGHTED_MEDIAN.expected(Weighted((1, 3), ("0.5", "0.25"), "float")) == Enclosed(Fraction(1), Fraction(1))
    two = WEIGHTED_MEDIAN.expected(Weighted((1, 1, 2), ("1.0", "0.0", "1.0"), "float"))
    assert two == Enclosed(Fraction(1), Fraction(2))


def test_equal_weights_give_the_median() -> None:
    for weight in ("0.1", "0.3", "1.0"):
        assert WEIGHTED_MEDIAN.expected(Weighted((1, 2), (weight,) * 2, "float")) == Exactly(Fraction(3, 2))


def test_a_rank_without_weight_is_expected_not_to_matter() -> None:
    assert INVARIANCE.expected(Weighted((1, 1, 2), ("1", "0", "1"), "float")) == Exactly(Fraction(3, 2))
    assert INVARIANCE.expected(Weighted((1, 2), ("0", "0"), "float")) == Refusal()
    assert isinstance(ODD_INPUT.expected(Weighted((), (), "float")), Unspecified)


def test_the_inverse_of_two_is_one_half() -> None:
    x = Inverse((2,), ("1.0",), "int")
    assert is_right(Value(0.5), INVERSE_MEDIAN.expected(x))
    assert not is_right(Value(0), INVERSE_MEDIAN.expected(x))
    [reading] = INVERSE_MEDIAN.conventions.values()
    assert is_right(Value(0), reading(x))


@pytest.mark.parametrize(
    ("candidates", "mean", "variance"),
    [((1, 2), 1.25, 0.0625), ((10, 10), 5.5, 4.125), ((1, 1, 1, 3, 3), 1.0, 0.0), ((2,), 1.5, 0.25)],
)
def test_the_moments_of_the_median(candidates: tuple[int, ...], mean: float, variance: float) -> None:
    expected = MOMENTS.expected(Candidates(candidates, "int64"))
    std = variance**0.5
    assert is_right(values(mean, variance, std, 0.0), expected)
    assert not is_right(values(mean + 1e-9, variance, std, 0.0), expected)
    assert not is_right(values(mean, variance + 1e-9, std, 0.0), expected)
    assert not is_right(values(mean, variance, std, 1e-9), expected)
    assert not is_right(values(mean, -1e-300, 0.0, 0.0), expected)


def test_the_readings_of_the_median_are_told_apart() -> None:
    upper, lower, independent = (reading(Candidates((2, 2), "int64")) for reading in MOMENTS.conventions.values())
    assert is_right(values(1.75, 0.1875, 0.1875**0.5, 0.0), upper)
    assert is_right(values(1.25, 0.1875, 0.1875**0.5, 0.0), lower)
    assert is_right(values(1.5, 0.09375, 0.09375**0.5, 0.0), independent)


def test_without_a_closed_form_a_refusal_is_right() -> None:
    assert NO_CLOSED_FORM.expected(Asked((2,), ("1.0",), "variance")) == Refusal(("NoClosedFormError",))
    assert isinstance(NO_CLOSED_FORM.expected(Asked((2,), None, "variance")), OneOf)


def test_an_estimate_lies_around_the_truth_and_not_around_the_upper_median() -> None:
    expected = SAMPLING.expected(Sampled((10, 10), None, "numeric_expected_value", 2000, 0))
    assert is_right(Value(5.5), expected)
    assert not is_right(Value(7.15), expected)
    interval = SAMPLING.expected(Sampled((10, 10), None, "numeric_expected_value_with_ci", 2000, 0))
    assert is_right(values(5.4, 0.1, 0.1, 0.2), interval)
    assert not is_right(values(5.5, 0.0, 0.0, 0.0), interval)
    assert not is_right(values(5.6, -0.1, -0.1, -0.2), interval)
    assert not is_right(values(5.4, 0.1, 2.1, 2.2), interval)


def test_an_estimate_of_the_variance_is_not_that_of_the_upper_median() -> None:
    expected = SAMPLING.expected(Sampled((10, 10), None, "numeric_variance", 2000, 0))
    assert is_right(Value(4.125), expected)
    assert not is_right(Value(5.5275), expected)


def closed(metric: str, *candidates: int, dtype: str = "int64") -> Expected:
    return CLOSED_FORMS.expected(ClosedForm(metric, candidates, None, dtype))


def test_closed_forms_by_hand() -> None:
    assert is_right(values(1.5, 0.25), closed("ArithmeticMeanRank", 2))
    assert is_right(values(1.0, 0.25 / 2.25), closed("AdjustedArithmeticMeanRank", 2))
    assert is_right(values(0.0, 1.0), closed("AdjustedArithmeticMeanRankIndex", 2))
    assert is_right(values(0.0, 1.0), closed("ZArithmeticMeanRank", 2))
    assert is_right(values(0.5, 0.25), closed("HitsAtK@1", 2))
    assert not is_right(values(1.5, 0.2500001), closed("ArithmeticMeanRank", 2))


def test_what_is_divided_by_nothing_is_unspecified() -> None:
    assert isinstance(closed("ZArithmeticMeanRank", 1), Unspecified)
    assert isinstance(closed("AdjustedArithmeticMeanRankIndex", 1), Unspecified)


def test_squares_that_wrap_around() -> None:
    assert closed_forms.OVERFLOW**2 > 2**31 - 1 > (closed_forms.OVERFLOW - 1) ** 2
    [reading] = CLOSED_FORMS_INT32.conventions.values()
    x = ClosedForm("ArithmeticMeanRank", (46341,), None, "int32")
    found = reading(x)
    assert isinstance(found, Each)
    wrapped = (46341**2 - 2**32 - 1) / 12
    assert is_right(values(23171.0, wrapped), found)


GOOD: list[tuple[AnyCase, dict[str, Any]]] = [
    (MEDIAN, {"ranks": [1, 2]}),
    (WEIGHTED_MEDIAN, {"ranks": [1, 2], "weights": ["0.5", "0.5"], "dtype": "float"}),
    (MOMENTS, {"candidates": [1, 2], "dtype": "int64"}),
]

BAD: dict[str, list[Any]] = {
    "ranks": [[], [0], [-1], [1.5], None],
    "weights": [["-1", "1"], ["nan", "1"], ["1"], [1, 1], ["a", "b"], ["inf", "1"]],
    "dtype": ["", "float16", None],
    "candidates": [[], [0], [-1], [1.5], None],
}


@pytest.mark.parametrize(
    ("case", "fields"),
    [
        pytest.param(case, {**good, name: value}, id=f"{case.short_name}-{name}-{value}")
        for case, good in GOOD
        for name in good
        for value in BAD[name]
    ],
)
def test_what_is_no_input_is_refused(case: AnyCase, fields: dict[str, Any]) -> None:
    with pytest.raises(BadInputError, match=f"{case.name} expects a JSON object with"):
        case.from_json(fields)
