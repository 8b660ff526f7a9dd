# /// script
# requires-python = ">=3.11"
# dependencies = ["lenskit==2025.8.1"]
# ///
"""lenskit/rbp-normalize in lenskit 2025.8.1: an empty list, 1 test item not retrieved, no cutoff.

The documentation says that with normalize=True, RBP is divided by the maximum achievable with the
provided test data, as nDCG is: by the RBP of a list that begins with all test items, or with n of
them where a cutoff n is less.

Source: the docstring of lenskit.metrics.ranking.RBP (normalize); lenskit's NDCG takes the minimum
of the number of test items and n.

Upstream: the code takes the length of the retrieved list where that is less than the number of test
items. The docstring calls the normalisation experimental, and warns of using it for published
results; in lenskit/lkpy#1032 (2026-03-13) the maintainer thinks that it should rather be removed.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version
from fractions import Fraction

try:
    from lenskit.data import ItemList
    from lenskit.metrics.ranking import RBP
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

RECS = ItemList([], ordered=True)
TEST = ItemList([1])


def documented(p):
    """Return the sum of p^(i-1) over the ranks i of the hits, over that of a list that begins with the test items."""
    return 0


def observed():
    metric = RBP(normalize=True)
    return metric.measure_list(RECS, TEST)


def control():
    """A list of one item, which is relevant, scores 1 - p."""
    value = RBP(patience=0.5).measure_list(ItemList([1], ordered=True), ItemList([1]))
    return abs(value - 0.5) < 1e-12


def is_right(value):
    return value == documented(Fraction(0.85))


def main():
    print("lenskit", version("lenskit"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "an empty list, 1 test item not retrieved, no cutoff")
    print("documented:", documented(Fraction("0.85")))
    try:
        value = observed()
    except BaseException as error:
        if type(error).__name__ != 'ZeroDivisionError':
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
