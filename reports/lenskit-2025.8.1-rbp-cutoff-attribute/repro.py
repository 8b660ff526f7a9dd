# /// script
# requires-python = ">=3.11"
# dependencies = ["lenskit==2025.8.1"]
# ///
"""lenskit/rbp-cutoff-attribute in lenskit 2025.8.1: 1 item, hit at 1, .k = None.

A user would expect that setting the attribute n of a metric, or its deprecated alias k, sets the
cutoff.

Source: the docstring of RankingMetricBase (n: the maximum length of rankings to consider; k:
deprecated alias for n).

Nothing promises this: k is documented as an argument; that it can be set is seen in the code alone,
where the property k has a setter, under the name set_k.

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
    from lenskit.data import ItemList
    from lenskit.metrics.ranking import RBP
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

RECS = ItemList([1], ordered=True)
TEST = ItemList([1])


def documented(p):
    """Return RBP = (1 - p) * sum of p^(i-1) over the ranks i of the hits down to the cutoff."""
    return (1 - p) * (p**0)


def observed():
    metric = RBP()
    metric.k = None
    return metric.measure_list(RECS, TEST)


def control():
    """A list of one item, which is relevant, scores 1 - p."""
    value = RBP(patience=0.5).measure_list(ItemList([1], ordered=True), ItemList([1]))
    return abs(value - 0.5) < 1e-12


def is_right(value):
    return isfinite(value) and abs(Fraction(value) - documented(Fraction(0.85))) <= Fraction(1.34e-16)


def main():
    print("lenskit", version("lenskit"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "1 item, hit at 1, .k = None")
    print("expected:  ", documented(Fraction("0.85")))
    try:
        value = observed()
    except BaseException as error:
        if type(error).__name__ != 'AttributeError':
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
