# /// script
# requires-python = ">=3.11"
# dependencies = ["lenskit==2025.8.1"]
# ///
"""lenskit/rbp-empty in lenskit 2025.8.1: an empty list, 1 test item not retrieved, normalize.

The documentation says that RBP is a sum over the test items that a list retrieves, divided by a
maximum that depends on the weights or, with normalize=True, on the test data, and is above 0 where
there are test items; from which it follows that a list that retrieves nothing scores 0, with any
cutoff and normalised too. Without test items the normalised score is not defined, and is NaN.

Source: the docstring of lenskit.metrics.ranking.RBP, no sentence of which is about empty lists;
upstream's test_rbp_empty (0); the documentation of the proposed LogRBP (lenskit/lkpy#1159), which
says of RBP that it is 0 then.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version

try:
    from lenskit.data import ItemList
    from lenskit.metrics.ranking import RBP
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

RECS = ItemList([], ordered=True)
TEST = ItemList([1])


def observed():
    return RBP(normalize=True).measure_list(RECS, TEST)


def control():
    """A list of one item, which is relevant, scores 1 - p."""
    value = RBP(patience=0.5).measure_list(ItemList([1], ordered=True), ItemList([1]))
    return abs(value - 0.5) < 1e-12


def is_right(value):
    return value == 0


def main():
    print("lenskit", version("lenskit"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "an empty list, 1 test item not retrieved, normalize")
    print("documented:", '0')
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
