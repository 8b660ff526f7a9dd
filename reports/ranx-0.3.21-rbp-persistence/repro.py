# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp-persistence in ranx 0.3.21: the metric "rbp.".

A user would expect that the persistence is written behind a dot (".p: Yes"), as in rbp.95 for p =
0.95, RBP has no cutoff ("@k: No"), and a metric without a persistence is refused ("RBP requires
persistence value").

Source: docs/metrics.md, table of aliases, row rbp; notebooks/3_evaluation.ipynb (rbp.95); the error
that ranx.evaluate raises for rbp.

Nothing promises this: the documentation lists no other form; that any other string is refused, or
taken for the number that it spells, and never for another number, is what a user would expect.

Upstream: the code takes @ for the dot in a branch of its own, which the table does not list.

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

QRELS = {"q0": {"d0": 1, "d1": 1, "d2": 1}}
RUN = {"q0": {"d0": 3.0, "d1": 2.0, "d2": 1.0}}


def observed():
    """Return 1 - p^3, for the persistence p that ranx takes the metric to name."""
    return evaluate(QRELS, RUN, "rbp.")


def control():
    """All three documents are relevant: the precision of the same run, which RBP has no part in, is 1."""
    return evaluate(QRELS, RUN, "precision") == 1


def is_right(value):
    """Return whether ranx took the metric for what it says."""
    return False  # whatever the value: the metric names no persistence


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", 'the metric "rbp."')
    print("expected:  ", "a refusal")
    try:
        value = observed()
    except Exception as error:
        print("observed:  ", type(error).__name__, error)
        return True
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
