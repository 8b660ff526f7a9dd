"""Ranks by their number of candidates, as arrays: what counting them at an x needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from reference.median.candidates import CandidatesOutOfRangeError, NoRanksError, checked

Floats = npt.NDArray[np.float64]


class TooManyCandidatesError(ValueError):
    """A number of candidates that is no float to the last place."""

    def __init__(self, found: int) -> None:
        super().__init__(f"numbers of candidates below 2^53 were expected, not {found}: use the exact route")


_POINT = 128
"""Binary places behind the point."""


@dataclass(frozen=True, slots=True)
class Counted:
    """By x: the probabilities that C(x), the number of ranks up to x, is below n / 2, equal to it, and above."""

    below: Floats
    equal: Floats
    above: Floats


@dataclass(frozen=True, slots=True)
class Groups:
    """The numbers of candidates, ascending, and how many ranks have each."""

    sizes: Floats
    counts: Floats
    known: Floats
    """By k: how many ranks the k smallest groups have."""
    rates: Sequence[int]
    """By k: how fast C(x) grows in the mean with all but the k smallest groups, sum of 1 / N in units of 2^-_POINT."""

    @property
    def n(self) -> int:
        """How many ranks there are."""
        return int(self.known[-1])

    @property
    def largest(self) -> int:
        """The largest number of candidates."""
        return int(self.sizes[-1])

    def done(self, x: Floats) -> npt.NDArray[np.intp]:
        """Return how many groups have no rank above x."""
        return np.searchsorted(self.sizes, x, side="right")

    def excess(self, x: Floats) -> Floats:
        """Return the mean of C(x) less n / 2, rounded once."""
        unit = 1 << _POINT
        return np.array(
            [
                (int(at) * self.rates[k] + int(2 * self.known[k] - self.n) * (unit >> 1)) / unit
                for at, k in zip(x.tolist(), self.done(x).tolist(), strict=True)
            ]
        )


def grouped(candidates: Sequence[SupportsIndex] | npt.NDArray[np.integer]) -> Groups:
    """Group the ranks.

    Raises
    ------
    NoRanksError
        If there is no rank.
    CandidatesNotIntegerError
        If a number of candidates is no integer.
    CandidatesOutOfRangeError
        If a number of candidates is below 1.
    TooManyCandidatesError
        If a number of candidates is 2^53 or more.
    """
    vector = _vector(candidates)
    if vector.max() >= 2**53:
        raise TooManyCandidatesError(int(vector.max()))
    sizes, counts = np.unique(vector, return_counts=True)
    rates = [(int(count) << _POINT) // int(size) for size, count in zip(sizes, counts, strict=True)]
    return Groups(
        sizes=sizes.astype(np.float64),
        counts=counts.astype(np.float64),
        known=np.concatenate([[0.0], np.cumsum(counts, dtype=np.float64)]),
        rates=[*list(accumulate(reversed(rates)))[::-1], 0],
    )


def _vector(candidates: Sequence[SupportsIndex] | npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Return numbers of candidates as an array, checked."""
    if not isinstance(candidates, np.ndarray):
        return np.array([min(size, 2**53) for size in checked(candidates)], dtype=np.int64)
    if candidates.ndim != 1 or not np.issubdtype(candidates.dtype, np.integer):
        return np.array(checked(list(candidates)), dtype=np.int64)
    if not candidates.size:
        raise NoRanksError
    if candidates.min() < 1:
        index = int(np.argmax(candidates < 1))
        raise CandidatesOutOfRangeError(index, int(candidates[index]))
    return candidates
