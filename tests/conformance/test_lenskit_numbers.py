"""Numbers of lenskit's RBP: its error over the grid of patience, where it underflows, what its counts follow from."""

import itertools
from collections.abc import Iterator

import pytest

from cases.lenskit.library import LIBRARY
from cases.lenskit.lists import NEXT_TO_ONE, PATIENCES, CutList, HitList
from cases.lenskit.rbp import NORMALIZE, RBP
from cases.lenskit.summaries import LIST_SUMMARY, SUMMARY
from harness.case import AnyCase
from harness.certificate import Certificate
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.limits import DEFAULT
from harness.outcome import shown as observed
from harness.replay import replay
from harness.verdict import Verdict
from present import present

SUBJECTS = present(LIBRARY, "installed")

pytestmark = pytest.mark.skipif(not SUBJECTS, reason="lenskit is not installed")


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    with Executor(SUBJECTS[0], DEFAULT) as running:
        yield running


@pytest.fixture(scope="module")
def by_patience(executor: Executor) -> dict[str, Certificate]:
    """Run every pattern of length 1 to 10 at every patience."""
    domains = {str(domain.parameters["patience"]): domain for domain in RBP.domains if domain.name != "single hits"}
    return {patience: exhaust(RBP, domain, executor, Watch()) for patience, domain in domains.items()}


@pytest.mark.parametrize("patience", PATIENCES)
def test_every_pattern_is_within_the_bound(patience: str, by_patience: dict[str, Certificate]) -> None:
    certificate = by_patience[patience]
    assert certificate.exhausted
    assert certificate.inputs == sum(2**n for n in range(1, 11)) == 2046
    assert certificate.tally.verdicts() == {Verdict.AGREES: 2046}
    assert certificate.separation is not None
    assert certificate.separation.separates == (patience != NEXT_TO_ONE)


@pytest.mark.parametrize("patience", PATIENCES)
def test_the_largest_error_is_a_few_units_in_the_last_place(patience: str, by_patience: dict[str, Certificate]) -> None:
    error = by_patience[patience].tally.error
    assert error is not None
    assert error.ulps is not None
    assert error.ulps < (20 if patience == "0.1" else 3)
    assert error.of_bound < 0.5


def test_rbp_is_exactly_0_from_rank_4574(executor: Executor) -> None:
    before, at = (HitList((rank,), rank, 0, "0.85") for rank in (4573, 4574))
    values = [float(observed(instance.outcome)) for instance in replay(RBP, executor, [before, at])]
    assert values[0] > 0
    assert values[1] == 0


def test_the_maximum_is_taken_over_the_retrieved_length(executor: Executor) -> None:
    [instance] = replay(NORMALIZE, executor, [CutList((1,), 1, 4, None, "n", "0.85")])
    assert observed(instance.outcome) == "1"
    assert instance.ruling.follows == ("no longer than the retrieved list",)


def test_one_hit_one_miss_and_one_undefined_list(executor: Executor) -> None:
    x = SUMMARY.input_type((1, 0, None), "0.85")
    [summary] = replay(SUMMARY, executor, [x])
    [listed] = replay(LIST_SUMMARY, executor, [x])
    if summary.ruling.verdict is Verdict.AGREES:  # from 2026.1 on
        assert listed.ruling.verdict is Verdict.AGREES
        return
    assert observed(summary.outcome) == "nan"
    assert observed(listed.outcome) == "0.05"


# --- counts, from neither lenskit nor the reference ------------------------------------------------------------


def counted(case: AnyCase, domain: int, executor: Executor) -> dict[int, int]:
    """Return by size how many inputs of a domain follow the first convention of a case."""
    certificate = exhaust(case, case.domains[domain], executor, Watch())
    if not certificate.tally.mismatches():
        pytest.skip("this release does not differ")
    return dict(certificate.tally.causes[next(iter(case.conventions))])


@pytest.mark.parametrize(("domain", "kinds"), [(0, 3), (1, 4)])
def test_the_summary_is_nan_with_an_undefined_list_and_a_defined_one(
    domain: int, kinds: int, executor: Executor
) -> None:
    assert counted(SUMMARY, domain, executor) == {n: kinds**n - (kinds - 1) ** n - 1 for n in range(2, 6)}


def test_the_list_summary_differs_where_an_undefined_list_can_be_seen(executor: Executor) -> None:
    """It cannot where no list is undefined, and where zeros are averaged with zeros."""
    expected = {}
    for n in range(1, 6):
        lists = itertools.product((1, 0, None), repeat=n)
        expected[n] = sum(None in kinds and (1 in kinds or 0 not in kinds) for kinds in lists)
    assert counted(LIST_SUMMARY, 0, executor) == expected


def test_the_normalisation_differs_where_the_list_is_shorter_than_what_could_be_found(executor: Executor) -> None:
    """It cannot where there is no hit, and where a cutoff leaves no more than the list has."""
    expected: dict[int, int] = {}
    for length in range(1, 5):
        for hits in itertools.product((0, 1), repeat=length):
            for missed, cutoff in itertools.product(range(4), (None, *range(1, 6))):
                relevant = sum(hits) + missed
                kept = length if cutoff is None else min(length, cutoff)
                best = relevant if cutoff is None else min(relevant, cutoff)
                expected[length] = expected.get(length, 0) + (any(hits[:kept]) and best > kept)
    assert counted(NORMALIZE, 0, executor) == expected
