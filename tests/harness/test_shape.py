"""A value from JSON is refused, in words, where it has not the shape of an input."""

import pytest

from harness.jsontypes import Json
from harness.shape import described, misfit

FITTING: list[tuple[object, Json]] = [
    (int, 3),
    (str, "a"),
    (bool, True),
    (int | None, None),
    (float, 1),
    (tuple[int, ...], []),
    (tuple[int | None, ...], [1, None]),
    (tuple[tuple[str, tuple[int, ...]], ...], [["q", [1, 0]]]),
    (object, {"anything": 1}),
]

NOT_FITTING: list[tuple[object, Json, str]] = [
    (int, True, "x should be an integer, not True"),
    (int, 1.0, "x should be an integer, not 1.0"),
    (bool, 1, "x should be true or false, not 1"),
    (str, 5, "x should be a text, not 5"),
    (tuple[str, ...], "12", "x should be a list of which each is a text, not '12'"),
    (tuple[int, ...], [1, "2"], "x[1] should be an integer, not '2'"),
    (int | None, "1", "x should be an integer or null, not '1'"),
    (tuple[str, int], ["q"], "x should be a list of 2: a text, an integer, not ['q']"),
    (tuple[tuple[int, ...], ...], [[1], [True]], "x[1][0] should be an integer, not True"),
]


@pytest.mark.parametrize(("hint", "value"), FITTING)
def test_a_value_of_the_shape_is_not_refused(hint: object, value: Json) -> None:
    assert misfit(value, hint, "x") == ""


@pytest.mark.parametrize(("hint", "value", "words"), NOT_FITTING)
def test_a_value_of_another_shape_is_refused_and_told_where(hint: object, value: Json, words: str) -> None:
    assert misfit(value, hint, "x") == words


def test_a_shape_is_described_in_words() -> None:
    assert described(tuple[tuple[str, int | None], ...]) == (
        "a list of which each is a list of 2: a text, an integer or null"
    )
