# /// script
# requires-python = ">=3.11"
# dependencies = ["lenskit==2025.8.1"]
# ///
"""lenskit/rbp-order in lenskit 2025.8.1: 1 item, no hit, 1 test item not retrieved, not ordered.

A user would expect that the recommendation list has to be ordered; one that is not is refused by an
error that says so.

Source: docs/guide/evaluation/rankings.rst (most metrics require the recommendation item list to be
ordered), and the error that an unordered list meets where a cutoff is given.

Nothing promises this: the guide requires an order, and does not say which error its absence meets.

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

RECS = ItemList([1])
TEST = ItemList([2])


def observed():
    return RBP(None).measure_list(RECS, TEST)


def control():
    """A list of one item, which is relevant, scores 1 - p."""
    value = RBP(patience=0.5).measure_list(ItemList([1], ordered=True), ItemList([1]))
    return abs(value - 0.5) < 1e-12


def is_right(value):
    return False


def main():
    print("lenskit", version("lenskit"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "1 item, no hit, 1 test item not retrieved, not ordered")
    print("expected:  ", 'a refusal (ValueError that mentions ordered)')
    try:
        value = observed()
    except Exception as error:
        print("observed:  ", type(error).__name__, error)
        return type(error).__name__ in ('ValueError',) and "ordered" in str(error)
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
