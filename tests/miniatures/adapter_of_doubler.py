"""The adapter of the distribution that `doubler.py` lays out: it calls what a patch may change."""

import doubler

RAISES = (ValueError, RuntimeError)


class Unsupported(Exception):
    pass


def double(n):
    if not hasattr(doubler, "double"):
        raise Unsupported("this doubler does not double")
    return doubler.double(n)


def platform():
    return {"version": "1.0"}
