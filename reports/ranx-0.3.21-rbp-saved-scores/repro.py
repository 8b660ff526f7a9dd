# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp-saved-scores in ranx 0.3.21: relevant document of q0 at 1, q1 at 1; qrels in the order q1
q0 as dict, run q0 q1 as Run.

The documentation says that the per-query scores that evaluate saves in a Run stand under the query
that they belong to.

Source: the docstring of ranx.evaluate ("Access scores for each query", save_results_in_run).

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

QRELS = {"q1": {"d3": 1}, "q0": {"d0": 1}}
RUN = {"q0": {"d0": 2.0, "d2": 1.0}, "q1": {"d3": 2.0, "d5": 1.0}}


def observed():
    run = Run(RUN)
    evaluate(QRELS, run, "rbp.8")
    return [float(run.scores["rbp.8"][query]) for query in sorted(RUN)]


def control():
    """With both as ranx's own objects, the saved reciprocal ranks are right."""
    run = Run(RUN)
    evaluate(Qrels(QRELS), run, "mrr")
    return [run.scores["mrr"][query] for query in sorted(RUN)] == [1.0, 1.0]


def is_right(value):
    """Compare with the documented value; float64 rounding can make up at most the bound here."""
    return abs(value[0] - 0.19999999999999996) <= 3.56e-16 and abs(value[1] - 0.19999999999999996) <= 3.56e-16


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "relevant document of q0 at 1, q1 at 1; qrels in the order q1 q0 as dict, run q0 q1 as Run")
    print("documented:", "1/5, 1/5")
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
