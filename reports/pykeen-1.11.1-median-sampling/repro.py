# /// script
# requires-python = ">=3.9"
# dependencies = ["pykeen==1.11.1"]
# ///
"""pykeen/median-sampling in pykeen 1.11.1: numeric_expected_value, candidates 2, 2, 2, weights 1.0,
1.0, 2.0, 2000 samples, seed 2.

The documentation says that numeric_expected_value and numeric_variance estimate the moments of the
metric from num_samples random rank vectors, and their variants with a confidence interval give its
ends and the median of bootstrapped estimates.

Source: the docstrings of pykeen.metrics.ranking.RankBasedMetric.numeric_expected_value and its
siblings.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version

try:
    import numpy as np
    from pykeen.metrics.ranking import MedianRank
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

CANDIDATES = np.array([2, 2, 2])
WEIGHTS = np.array([1.0, 1.0, 2.0])

DOCUMENTED = (1.426828261915022, 1.573171738084978)  # where an estimate lies, but for one in 1,000,000,000 seeds


def observed():
    return MedianRank().numeric_expected_value(
        num_candidates=CANDIDATES,
        weights=WEIGHTS,
        num_samples=2000,
        generator=np.random.default_rng(2),
    )


def control():
    """The median of 1, 2 and 3 is 2."""
    return MedianRank()(np.array([1, 2, 3])) == 2


def is_right(value):
    return np.all(DOCUMENTED[0] - 1e-9 <= np.asarray(value)) and np.all(np.asarray(value) <= DOCUMENTED[1] + 1e-9)


def main():
    print("pykeen", version("pykeen"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "numeric_expected_value, candidates 2, 2, 2, weights 1.0, 1.0, 2.0, 2000 samples, seed 2")
    print("documented:", DOCUMENTED)
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
