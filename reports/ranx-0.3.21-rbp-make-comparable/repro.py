# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp-make-comparable in ranx 0.3.21: qrels of q0 as dict, run of q1 as dict,
make_comparable=True.

The documentation says that make_comparable=True adds empty results for queries missing from the
run, and removes those that the qrels do not have; by the definition of RBP, an empty result scores
0.

Source: the docstring of ranx.evaluate, argument make_comparable, and the message of the error that
it raises without ("Pass `make_comparable=True` to add empty results ...").

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

QRELS = {"q0": {"d0": 1}}
RUN = {"q1": {"d3": 2.0, "d5": 1.0}}


def observed():
    return evaluate(QRELS, RUN, "rbp.8", make_comparable=True)


def control():
    """With both as ranx's own objects, the mean reciprocal rank is right."""
    mean = evaluate(Qrels(QRELS), Run(RUN), "mrr", make_comparable=True)
    return abs(mean - 0.0) <= 1e-12


def is_right(value):
    """Compare with the documented value; float64 rounding can make up at most the bound here."""
    return abs(value - 0.0) <= 0.0


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "qrels of q0 as dict, run of q1 as dict, make_comparable=True")
    print("documented:", "0")
    try:
        value = observed()
    except BaseException as error:
        if type(error).__name__ != 'AssertionError':
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
