"""What the fields of an input mean is read from the docstring of its class."""

from typing import NamedTuple

from harness.meanings import meanings


class Plain(NamedTuple):
    """A pair.

    Attributes
    ----------
    left, right
        A number,
        such as ``1``.
    other : int
        Another one.
    missing
        No field.

    Notes
    -----
    left
        Nothing.
    """

    other: int
    left: int
    right: int
    unsaid: int


class Silent(NamedTuple):
    n: int


def test_each_field_has_its_words_in_one_line_in_the_order_of_the_fields() -> None:
    words = "A number, such as 1."
    assert list(meanings(Plain).items()) == [("other", "Another one."), ("left", words), ("right", words)]


def test_a_class_that_says_nothing_explains_nothing() -> None:
    assert meanings(Silent) == {}
