# /// script
# requires-python = ">=3.11"
# dependencies = ["lenskit==2025.8.1"]
# ///
"""lenskit/rbp-list-summary in lenskit 2025.8.1: lists: no test items; p = 0.85.

A user would expect that the mean of RBP in RunAnalysisResult.list_summary is the documented mean of
the metric over the same lists, which ignores the NaN of a list without test items.

Source: the docstring of lenskit.metrics.ListMetric (mean, ignoring NaNs), which is about the
metric's own summary.

Nothing promises this: whether the score of a list without test items is a missing value is nowhere
said; if it is, a mean that counts it as 0 is as documented.

Upstream: the docstring of list_summary says that missing metric values are filled with their
defaults, which is 0 for RBP, and that of add_metric that the default is for a user without
recommendations; RunAnalysis is deprecated since 2026.1.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version
from math import isnan

try:
    from lenskit.data import ItemListCollection
    from lenskit.metrics import RunAnalysis
    from lenskit.data import ItemList
    from lenskit.metrics.ranking import RBP
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

# each list, with its test items
LISTS = [
    (ItemList([1], ordered=True), ItemList([])),
]
METRIC = RBP(patience=0.85)


def observed():
    recs = ItemListCollection.from_dict({user: recs for user, (recs, _) in enumerate(LISTS)}, "user_id")
    tests = ItemListCollection.from_dict({user: test for user, (_, test) in enumerate(LISTS)}, "user_id")
    result = RunAnalysis(METRIC).measure(recs, tests)
    return result.list_summary().loc["RBP", "mean"]


def control():
    """A list of one item, which is relevant, scores 1 - p."""
    value = RBP(patience=0.5).measure_list(ItemList([1], ordered=True), ItemList([1]))
    return abs(value - 0.5) < 1e-12


def is_right(value):
    return isnan(value)


def main():
    print("lenskit", version("lenskit"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "lists: no test items; p = 0.85")
    print("expected:  ", 'NaN')
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
