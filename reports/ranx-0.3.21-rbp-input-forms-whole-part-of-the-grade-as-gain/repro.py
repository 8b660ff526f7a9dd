# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp-input-forms in ranx 0.3.21: qrels {d0: 2, d1: 1.5}, run d0 > d1, p = 0.8, as objects.

The documentation says that qrels are a Qrels, a dictionary of dictionaries of numbers, a numba
typed list or an array; in each of these forms a document of at least the relevance level, 1, counts
1.

Source: the docstring of ranx.evaluate, arguments qrels and run; the docstring of
ranx.metrics.rank_biased_precision.

Upstream: grades are used as gains on purpose since 0.3.15 (AmenRa/ranx#45); a Qrels holds integers,
and takes the whole part of other numbers.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version

try:
    from ranx import Qrels, Run, evaluate
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

QRELS = {"q0": {"d0": 2, "d1": 1.5}}
RUN = {"q0": {"d0": 2.0, "d1": 1.0}}


def observed():
    return evaluate(Qrels(QRELS), Run(RUN), "rbp.8")


def control():
    """A document of grade 1 alone is relevant, and at rank 1."""
    return evaluate({"q0": {"d0": 1}}, {"q0": {"d0": 1.0}}, "mrr") == 1


def is_right(value):
    """Compare with the documented value; float64 rounding can make up at most the bound here."""
    return abs(value - 0.35999999999999993) <= 7.55e-16


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "qrels {d0: 2, d1: 1.5}, run d0 > d1, p = 0.8, as objects")
    print("documented:", "9/25")
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
