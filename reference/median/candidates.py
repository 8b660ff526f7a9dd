"""Numbers of candidates: for each rank, how many there are to be ranked among."""

import operator
from collections.abc import Sequence
from typing import SupportsIndex


class NoRanksError(ValueError):
    """No rank at all: nothing has a median."""

    def __init__(self) -> None:
        super().__init__("the number of candidates of at least one rank was expected: the median of none is undefined")


class CandidatesNotIntegerError(ValueError):
    """A number of candidates that is no integer."""

    def __init__(self, index: int, found: object) -> None:
        super().__init__(f"an integer number of candidates was expected at index {index}, not {found!r}")


class CandidatesOutOfRangeError(ValueError):
    """A number of candidates below 1: there is no rank among them."""

    def __init__(self, index: int, found: int) -> None:
        super().__init__(f"a number of candidates of at least 1 was expected at index {index}, not {found}")


def checked(candidates: Sequence[SupportsIndex]) -> tuple[int, ...]:
    """Return the numbers of candidates, ascending.

    Integers of other types (numpy's) are taken; truth values and floats are not, whatever they are equal to.

    Raises
    ------
    NoRanksError
        If there is none.
    CandidatesNotIntegerError
        If one of them is no integer.
    CandidatesOutOfRangeError
        If one of them is below 1.
    """
    if len(candidates) == 0:
        raise NoRanksError
    return tuple(sorted(_checked(index, found) for index, found in enumerate(candidates)))


def middle(n: int) -> tuple[int, int]:
    """Return which order statistics, from 1 on, the median of ``n`` ranks is the mean of; an odd ``n`` has one."""
    return (n + 1) // 2, n // 2 + 1


def _checked(index: int, found: SupportsIndex) -> int:
    if isinstance(found, bool):
        raise CandidatesNotIntegerError(index, found)
    try:
        number = operator.index(found)
    except TypeError:
        raise CandidatesNotIntegerError(index, found) from None
    if number < 1:
        raise CandidatesOutOfRangeError(index, number)
    return number
