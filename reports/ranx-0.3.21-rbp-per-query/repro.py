# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp-per-query in ranx 0.3.21: relevant document of q0 at 1; qrels as dict, run as dict,
return_mean=False.

The documentation says that with return_mean=False, evaluate returns the scores for individual
queries, in every form of input; their mean is what it returns otherwise.

Source: the docstring of ranx.evaluate ("Whether to return the metric scores averaged over the query
set or the scores for individual queries").

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version

try:
    from ranx import evaluate
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

QRELS = {"q0": {"d0": 1}}
RUN = {"q0": {"d0": 2.0, "d2": 1.0}}


def observed():
    values = evaluate(QRELS, RUN, "rbp.8", return_mean=False)
    return [*map(float, values), float(evaluate(QRELS, RUN, "rbp.8"))]


def control():
    """The mean exists, and that of the reciprocal ranks is right."""
    evaluate(QRELS, RUN, "rbp.8")
    mean = evaluate(QRELS, RUN, "mrr")
    return abs(mean - 1.0) <= 1e-12


def is_right(value):
    """Compare with the documented value; float64 rounding can make up at most the bound here."""
    return abs(value[0] - 0.19999999999999996) <= 3.56e-16 and abs(value[1] - 0.19999999999999996) <= 4.45e-16


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "relevant document of q0 at 1; qrels as dict, run as dict, return_mean=False")
    print("documented:", "per query 1/5; mean 1/5")
    try:
        value = observed()
    except BaseException as error:
        if type(error).__name__ != 'KeyError':
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
