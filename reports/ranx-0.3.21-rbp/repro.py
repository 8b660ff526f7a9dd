# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp in ranx 0.3.21: one document of grade 2, retrieved, "rbp.8".

The documentation says that RBP = (1 - p) * sum of r_i * p^(i-1), where r_i is 1 if the i-th
document is relevant, that is of grade 1 or more, and 0 if not.

Source: the docstring of ranx.metrics.rank_biased_precision, and docs/metrics.md, Rank-biased
Precision ("r_i is either 0 or 1"); rel_lvl defaults to 1.

Upstream: grades are used as gains on purpose since 0.3.15 (AmenRa/ranx#45; the changelog of 0.3.15
says 'Fixed rank_biased_precision considering relevance as binary instead of graded'); the docstring
was not changed, so code and documentation disagree. In AmenRa/ranx#58 the maintainer says that all
metrics but (n)DCG take relevance as binary.

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

QRELS = {"q0": {"d0": 2}}
RUN = {"q0": {"d0": 1.0}}


def documented(p):
    """Return RBP = (1 - p) * sum of r_i * p^(i-1), with r_i = 1 where the i-th document is relevant."""
    relevant = [1]  # in rank order: 1 for a grade of at least 1, else 0
    return (1 - p) * sum(r * p**i for i, r in enumerate(relevant))


def observed():
    return evaluate(QRELS, RUN, "rbp.8")


def control():
    """With grades that are 0 or 1 already, ranx gives a right value."""
    ones = {"q0": {document: 1 if grade >= 1 else 0 for document, grade in QRELS["q0"].items()}}
    return is_right(evaluate(ones, RUN, "rbp.8"))


def is_right(value):
    """Compare at the exact value of the float p; float64 rounding can make up at most the bound here."""
    return abs(Fraction(float(value)) - documented(Fraction(0.8))) <= Fraction(1.78e-16)


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", 'one document of grade 2, retrieved, "rbp.8"')
    print("documented:", documented(Fraction("0.8")))
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
