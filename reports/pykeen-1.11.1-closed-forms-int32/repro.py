# /// script
# requires-python = ">=3.10"
# dependencies = ["pykeen==1.11.1"]
# ///
"""pykeen/closed-forms-int32 in pykeen 1.11.1: ArithmeticMeanRank, candidates 46341 as int32.

A user would expect that the moments depend on the numbers of candidates alone, in whichever
integers an array holds them.

Source: the docstring of pykeen.metrics.ranking.RankBasedMetric.variance.

Nothing promises this: the documentation asks for an array of numbers of candidates, and does not
say which integer types it may have.

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
    from pykeen.metrics.ranking import ArithmeticMeanRank, MedianRank
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

METRIC = ArithmeticMeanRank()
CANDIDATES = np.array([46341], dtype=np.int32)
WEIGHTS = None

DOCUMENTED = [23171.0, 178957356.66666666]  # expectation and variance over every outcome


def observed():
    return [f(CANDIDATES, weights=WEIGHTS) for f in (METRIC.expected_value, METRIC.variance)]


def control():
    """The median of 1, 2 and 3 is 2."""
    return MedianRank()(np.array([1, 2, 3])) == 2


def is_right(value):
    return isfinite(value[0]) and abs(Fraction(value[0]) - Fraction(DOCUMENTED[0])) <= Fraction(1.13e-05) and isfinite(value[1]) and abs(Fraction(value[1]) - Fraction(DOCUMENTED[1])) <= Fraction(0.347)


def main():
    print("pykeen", version("pykeen"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "ArithmeticMeanRank, candidates 46341 as int32")
    print("expected:  ", DOCUMENTED)
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
