# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp-empty in ranx 0.3.21: a query that is empty in run; qrels as dict, run as dict.

The documentation says that RBP = (1 - p) * sum of r_i * p^(i-1), which is 0 for an empty ranking,
and for a query without relevant documents.

Source: docs/metrics.md, Rank-biased Precision.

Nothing promises this: the formula covers it, but ranx does not say that such a query is accepted.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version
from fractions import Fraction

try:
    from ranx import evaluate
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

QRELS = {"q0": {"d0": 1}}
RUN = {"q0": {}}


def observed():
    return evaluate(QRELS, RUN, "rbp.8")


def control():
    """With nothing empty, every query scores 1/5."""
    value = evaluate({"q0": {"d0": 1}}, {"q0": {"d0": 2.0, "d2": 1.0}}, "rbp.8")
    return abs(value - 0.19999999999999996) <= 3.56e-16


def is_right(value):
    """Compare with the documented value; float64 rounding can make up at most the bound here."""
    return abs(value - 0.0) <= 0.0


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "a query that is empty in run; qrels as dict, run as dict")
    print("expected:  ", "0")
    try:
        value = observed()
    except Exception as error:
        if type(error).__name__ != "TypingError":
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
