"""Numbers of pykeen's medians, one by one."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from cases.pykeen.closed_forms import METRICS
from cases.pykeen.library import LIBRARY
from cases.pykeen.median import INVARIANCE, WEIGHTED_MEDIAN, Weighted
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.limits import DEFAULT
from harness.outcome import Value
from harness.replay import replay
from harness.verdict import Verdict
from present import present

SUBJECTS = present(LIBRARY, "installed")

pytestmark = pytest.mark.skipif(not SUBJECTS, reason="pykeen is not installed")


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    with Executor(SUBJECTS[0], DEFAULT) as running:
        yield running


def test_equal_weights_are_wrong_with_six_ranks_and_with_none_fewer(executor: Executor) -> None:
    certificate = exhaust(WEIGHTED_MEDIAN, WEIGHTED_MEDIAN.domains[1], executor, Watch())
    assert {size for cause in certificate.tally.causes.values() for size in cause} == {6}


def test_one_to_six_with_weights_of_one_tenth(executor: Executor) -> None:
    [instance] = replay(WEIGHTED_MEDIAN, executor, [Weighted((1, 2, 3, 4, 5, 6), ("0.1",) * 6, "float")])
    assert instance.expected_shown == "7/2"
    assert instance.outcome == Value(3)


def test_a_rank_without_weight_is_an_invariance_and_no_contract(executor: Executor) -> None:
    x = Weighted((1, 1, 2), ("1.0", "0.0", "1.0"), "float")
    [promised] = replay(WEIGHTED_MEDIAN, executor, [x])
    [expected] = replay(INVARIANCE, executor, [x])
    assert promised.outcome == Value(1.0)
    assert promised.ruling.verdict is Verdict.AGREES
    assert expected.expected_shown == "3/2"
    assert expected.ruling.verdict is Verdict.DIFFERS


LISTED = """
from pykeen.metrics.ranking import rank_based_metric_resolver as resolver
print(*(metric.__name__ for metric in resolver.lookup_dict.values() if metric.closed_expectation))
"""


def test_every_metric_that_claims_a_closed_form_has_its_case() -> None:
    """The median's is a case of its own."""
    listed = subprocess.run([sys.executable, "-c", LISTED], check=True, capture_output=True, text=True).stdout.split()
    assert set(listed) - {"MedianRank"} == {metric.partition("@")[0] for metric in METRICS}
