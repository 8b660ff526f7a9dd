# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp-query-order in ranx 0.3.21: relevant document of q0 at 1, q1 at 1; qrels in the order q0 q1
as dict, run q1 q0 as dict.

The documentation says that qrels and run can each be a dictionary of dictionaries, and, in an
error, that their query ids have to match; from which it follows that a ranking is judged by the
judgements of the same query, in whatever order the queries stand, and that every form of input
gives the same value.

Source: the docstring of ranx.evaluate, arguments qrels and run, which lists the forms alone (Qrels
or Run, Dict[str, Dict[str, Number]], numba typed list or numpy array); the error that it raises
where ids do not match ("Qrels and Run query ids do not match").

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

QRELS = {"q0": {"d0": 1}, "q1": {"d3": 1}}
RUN = {"q1": {"d3": 2.0, "d5": 1.0}, "q0": {"d0": 2.0, "d2": 1.0}}


def observed():
    return evaluate(QRELS, RUN, "rbp.8")


def control():
    """With both as ranx's own objects, the mean reciprocal rank is right."""
    in_order = {query: RUN[query] for query in QRELS}
    mean = evaluate(Qrels(QRELS), Run(in_order), "mrr")
    return abs(mean - 1.0) <= 1e-12


def is_right(value):
    """Compare with the documented value; float64 rounding can make up at most the bound here."""
    return abs(value - 0.19999999999999996) <= 4.89e-16


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "relevant document of q0 at 1, q1 at 1; qrels in the order q0 q1 as dict, run q1 q0 as dict")
    print("documented:", "1/5")
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
