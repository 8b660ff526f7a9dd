"""Bisection: look at as few of a row of releases as are needed to find where what they show changes.

It takes for granted that between two releases which show the same nothing changed, and that between two which differ
there is one change. Each change that it finds is proven: the two neighbours of it were looked at.
"""

from collections.abc import Callable, Hashable, Iterator

Look = Callable[[int], Hashable | None]
"""Looks at one place of a row; it returns None where nothing can be known."""


def bisect(places: int, look: Look) -> None:
    """Look at both ends of a row, and between places that differ until they are neighbours.

    Places where nothing can be known are passed over.
    """
    low = next((place for place in range(places) if look(place) is not None), None)
    if low is None:
        return
    high = next(place for place in reversed(range(places)) if look(place) is not None)
    _between(low, high, look)


def _between(low: int, high: int, look: Look) -> None:
    if look(low) == look(high):
        return
    middle = next((place for place in _from_the_middle(low, high) if look(place) is not None), None)
    if middle is not None:
        _between(low, middle, look)
        _between(middle, high, look)


def _from_the_middle(low: int, high: int) -> Iterator[int]:
    """Yield the places strictly between two, the middle one first, then those nearest to it."""
    middle = (low + high) // 2
    yield from sorted(range(low + 1, high), key=lambda place: abs(place - middle))
