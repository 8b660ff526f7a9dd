# /// script
# requires-python = ">=3.10"
# dependencies = ["pykeen==1.11.1"]
# ///
"""pykeen/median-sampling in pykeen 1.11.1: numeric_expected_value, candidates 2, 2, 2, weights 1.0,
1.0, 2.0, 2000 samples, seed 2.

The documentation says that numeric_expected_value and numeric_variance, and expected_value and
variance where num_samples is given, estimate the moments of the metric from so many random rank
vectors; the variants with a confidence interval estimate its ends.

Source: the docstrings of pykeen.metrics.ranking.RankBasedMetric.numeric_expected_value and its
siblings.

Upstream: the interval is that of a bootstrap, and comes with its median in the middle, as the code
has it.

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

DOCUMENTED = [(1.4249271054632076, 1.5750728945367924)]  # where it lies, but for one in a thousand million seeds


def observed():
    return [MedianRank().numeric_expected_value(
        num_candidates=CANDIDATES,
        weights=WEIGHTS,
        num_samples=2000,
        generator=np.random.default_rng(2),
    )]


def control():
    """The median of 1, 2 and 3 is 2."""
    return MedianRank()(np.array([1, 2, 3])) == 2


def is_right(value):
    return all(low - 1e-9 <= part <= high + 1e-9 for part, (low, high) in zip(value, DOCUMENTED))


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
