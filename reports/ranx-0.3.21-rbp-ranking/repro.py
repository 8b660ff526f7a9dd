# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp-ranking in ranx 0.3.21: scores -1, 0, document 0 relevant, as array.

The documentation says that documents are ranked by descending score, whatever the scores are.

Source: docs/faq.md ("Relevance scores are used by ranx to sort results before computing the
metrics").

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version
import numpy as np

try:
    from ranx import evaluate
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

QRELS = {"q0": {"d0": 1}}
RUN = {"q0": {"d0": float("-1"), "d1": float("0")}}


def as_array(by_query):
    """Return rows of (document, grade or score), in the order given."""
    return np.array([[[float(d[1:]), v] for d, v in docs.items()] for docs in by_query.values()])



def observed():
    return evaluate(as_array(QRELS), as_array(RUN), "rbp.8")


def control():
    """A relevant document alone is at rank 1."""
    return evaluate(QRELS, {"q0": {"d0": 1.0}}, "mrr") == 1


def is_right(value):
    return abs(value - 0.15999999999999998) <= 3.56e-16


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "scores -1, 0, document 0 relevant, as array")
    print("documented:", "4/25")
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
