"""The adapter of the canaries: they take the third of a number without its sign, and refuse 13."""

import math


def right(n: int) -> float:
    """Return the third, rounded once."""
    if n == 13:
        raise ValueError("13 is refused")
    return abs(n) / 3


def wrong(n: int) -> float:
    """Return the third, but two floats beside it for 2, not for -2, and a value for 13."""
    third = abs(n) / 3
    return third + 2 * math.ulp(third) if n == 2 else third


def platform() -> dict[str, str]:
    """Return what the canaries are."""
    return {"version": "1"}
