# /// script
# requires-python = ">=3.11"
# dependencies = ["lenskit==2025.8.1"]
# ///
"""lenskit/rbp-summary in lenskit 2025.8.1: lists: hit at 1; no test items; p = 0.85.

The documentation says that the mean in a summary of RBP is the mean over the lists that have a
score: it ignores NaN, the score of a list without test items; the mean over none is NaN.

Source: the docstring of lenskit.metrics.ListMetric (averages per-list results: mean, ignoring
NaNs), which RBP is.

Upstream: since 2026.1, MeasurementCollector accumulates in a way that leaves NaN out.

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
    from lenskit.metrics import MeasurementCollector
    from lenskit.data import ItemList
    from lenskit.metrics.ranking import RBP
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

# each list, with its test items
LISTS = [
    (ItemList([1], ordered=True), ItemList([1])),
    (ItemList([1], ordered=True), ItemList([])),
]
METRIC = RBP(patience=0.85)


def documented(p):
    """Return the mean over the 1 list with test items."""
    return (1 - p) * p**0 / 1


def observed():
    collector = MeasurementCollector()
    collector.add_metric(METRIC)
    measure = getattr(collector, "add_list_measurement", None) or collector.measure_list
    for user, (recs, test) in enumerate(LISTS):
        measure(recs, test, user_id=user)
    return collector.summary_metrics()["RBP.mean"]


def control():
    """A list of one item, which is relevant, scores 1 - p."""
    value = RBP(patience=0.5).measure_list(ItemList([1], ordered=True), ItemList([1]))
    return abs(value - 0.5) < 1e-12


def is_right(value):
    return isfinite(value) and abs(Fraction(value) - documented(Fraction(0.85))) <= Fraction(1.67e-16)


def main():
    print("lenskit", version("lenskit"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "lists: hit at 1; no test items; p = 0.85")
    print("documented:", documented(Fraction("0.85")))
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
