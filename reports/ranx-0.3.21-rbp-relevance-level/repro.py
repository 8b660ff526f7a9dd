# /// script
# requires-python = ">=3.9"
# dependencies = ["ranx==0.3.21"]
# ///
"""ranx/rbp-relevance-level in ranx 0.3.21: one document of grade 2, retrieved, "rbp.8-l2".

The documentation says that with a relevance level, as in rbp.8-l2, documents of at least that grade
are relevant (r_i is 1) and all others are not (r_i is 0).

Source: the docstring of ranx.metrics.rank_biased_precision, argument rel_lvl ("Minimum relevance
judgment score to consider a document to be relevant"), and notebooks/6_ranxhub.ipynb ('"-l2"
changes the relevance level for the binary metrics').

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
    relevant = [1]  # in rank order: 1 for a grade of at least 2, else 0
    return (1 - p) * sum(r * p**i for i, r in enumerate(relevant))


def observed():
    return evaluate(QRELS, RUN, "rbp.8-l2")


def control():
    """The precision at this level is right: 1 of 1."""
    return abs(evaluate(QRELS, RUN, "precision-l2") - 1 / 1) <= 1e-12


def is_right(value):
    """Compare at the exact value of the float p; float64 rounding can make up at most the bound here."""
    return abs(Fraction(float(value)) - documented(Fraction(0.8))) <= Fraction(1.78e-16)


def main():
    print("ranx", version("ranx"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", 'one document of grade 2, retrieved, "rbp.8-l2"')
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
