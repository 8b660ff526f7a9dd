"""The adapter of the releases of a doubler: it imports what it calls, as the adapter of a library does."""

import doubler
from doubler import double as of_this_release


class Unsupported(Exception):
    pass


def double(n):
    return of_this_release(n)


def halve(n):
    if not hasattr(doubler, "halve"):
        raise Unsupported("this doubler does not halve")
    return doubler.halve(n)
