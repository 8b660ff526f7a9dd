# /// script
# requires-python = ">=3.10"
# dependencies = ["pykeen==1.11.1"]
# ///
"""pykeen/median-sampled-values in pykeen 1.11.1: candidates 2, 2, 2, weights 1.0, 1.0, 2.0, 50
samples, seed 2.

The documentation says that get_sampled_values calculates the metric on sampled rank arrays; the
generator makes it reproducible.

Source: the docstring of pykeen.metrics.ranking.RankBasedMetric.get_sampled_values.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
from importlib.metadata import version

try:
    import numpy as np
    from pykeen.metrics.ranking import MedianRank, generate_ranks
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

CANDIDATES = np.array([2, 2, 2])
WEIGHTS = np.array([1.0, 1.0, 2.0])


def differing():
    """Count the sampled values that are not the metric of the ranks that were drawn."""
    sampled = MedianRank().get_sampled_values(
        num_candidates=CANDIDATES,
        num_samples=50,
        weights=WEIGHTS,
        generator=np.random.default_rng(2),
        memory_intense=True,
    )
    rng = np.random.default_rng(2)
    drawn = generate_ranks(CANDIDATES, prefix_shape=(50,), seed=rng)
    values = [MedianRank()(ranks, weights=WEIGHTS) for ranks in drawn]
    return sum(a != b for a, b in zip(sampled, values))

DOCUMENTED = 0  # sampled values that are another than the metric's


def observed():
    return differing()


def control():
    """The median of 1, 2 and 3 is 2."""
    return MedianRank()(np.array([1, 2, 3])) == 2


def is_right(value):
    return value == 0


def main():
    print("pykeen", version("pykeen"), "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "candidates 2, 2, 2, weights 1.0, 1.0, 2.0, 50 samples, seed 2")
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
