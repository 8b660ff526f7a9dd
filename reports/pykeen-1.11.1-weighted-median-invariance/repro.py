# /// script
# requires-python = ">=3.10"
# dependencies = ["pykeen==1.11.1"]
# ///
"""pykeen/weighted-median-invariance in pykeen 1.11.1: ranks 1, weights 1 (int).

A user would expect that a rank of weight 0 does not matter to the weighted median, integer weights
work like the same floats, and weights that sum to 0 are refused; between two medians the midpoint
is taken, as without weights.

Source: the documentation page of pykeen.metrics.ranking.MedianRank, as the development version has
it (commit 05c7bbb20), for what the weighted median is.

Nothing promises this: the documentation of 1.11.1 says nothing of zero weights or of the type of
weights, and that of the development version calls weights positive.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version

try:
    import numpy as np
    from pykeen.metrics.ranking import MedianRank
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

RANKS = np.array([1])
WEIGHTS = np.array([1])

DOCUMENTED = 1  # the median


def observed():
    return MedianRank()(RANKS, weights=WEIGHTS)


def control():
    """The median of 1, 2 and 3 is 2."""
    return MedianRank()(np.array([1, 2, 3])) == 2


def is_right(value):
    return value == DOCUMENTED


def main():
    print("pykeen", version("pykeen"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "ranks 1, weights 1 (int)")
    print("expected:  ", DOCUMENTED)
    try:
        value = observed()
    except BaseException as error:
        if type(error).__name__ != 'UFuncTypeError':
            raise
        print("observed:  ", type(error).__name__, error)
        return False
    print("observed:  ", value)
    return is_right(value)


if __name__ == "__main__":
    try:
        status = 0 if main() else 1
    except BaseException:  # a script that fails shows nothing about the library
        traceback.print_exc()
        status = 2
    print({0: "OK", 1: "DEFECT PRESENT", 2: "COULD NOT RUN"}[status])
    sys.exit(status)
