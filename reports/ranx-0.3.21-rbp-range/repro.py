# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp-range in ranx 0.3.21: qrels {d0: 3, d1: 3}, run d0 > d1, "rbp.8".

The documentation says that RBP = (1 - p) * sum of r_i * p^(i-1) with r_i 0 or 1; from which it
follows that it lies in [0, 1], since the weights sum to 1 - p^d.

Source: the docstring of ranx.metrics.rank_biased_precision, and docs/metrics.md, Rank-biased
Precision; Moffat & Zobel 2008, doi:10.1145/1416950.1416952.

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

QRELS = {"q0": {"d0": 3, "d1": 3}}
RUN = {"q0": {"d0": 2.0, "d1": 1.0}}


def observed():
    return evaluate(QRELS, RUN, "rbp.8")


def control():
    """With grades that are 0 or 1 already, ranx gives a right value."""
    ones = {"q0": {document: 1 if grade >= 1 else 0 for document, grade in QRELS["q0"].items()}}
    return is_right(evaluate(ones, RUN, "rbp.8"))


def is_right(value):
    """Allow for float64 rounding, which can make up at most the bound here."""
    return -Fraction(3.78e-16) <= Fraction(float(value)) <= 1 + Fraction(3.78e-16)


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", 'qrels {d0: 3, d1: 3}, run d0 > d1, "rbp.8"')
    print("documented:", "a value in [0, 1]")
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
