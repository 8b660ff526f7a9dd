# /// script
# requires-python = ">=3.10"
# dependencies = ["pykeen==1.11.1"]
# ///
"""pykeen/inverse-median in pykeen 1.11.1: ranks 2 (int), weights 1.0.

The documentation says that the inverse median rank is 1 / m, for the median or weighted median m of
the ranks; it lies in (0, 1].

Source: the docstring of pykeen.metrics.ranking.InverseMedianRank (the inverse of the median over
all ranks), and its value_range.

Upstream: fixed on the development version (pykeen/pykeen#1558, split into #1573 to #1576).

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version
from fractions import Fraction
from math import isfinite

try:
    import numpy as np
    from pykeen.metrics.ranking import InverseMedianRank, MedianRank
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

RANKS = np.array([2], dtype=int)
WEIGHTS = np.array([1.0])

DOCUMENTED = Fraction(1, 2)  # the inverse of the median


def observed():
    return InverseMedianRank()(RANKS, weights=WEIGHTS)


def control():
    """The median of 1, 2 and 3 is 2."""
    return MedianRank()(np.array([1, 2, 3])) == 2


def is_right(value):
    return isfinite(value) and abs(Fraction(value) - DOCUMENTED) <= Fraction(5.56e-17)


def main():
    print("pykeen", version("pykeen"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "ranks 2 (int), weights 1.0")
    print("documented:", DOCUMENTED)
    value = observed()
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
