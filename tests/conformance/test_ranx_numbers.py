"""The numbers that were reported of ranx, computed anew on the installed one.

The documented values are worked out here; what is observed must be that, or what the ledger says of this
version: grades as gains.
"""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from cases.ranx.library import LIBRARY
from cases.ranx.rankings import JudgedRanking
from cases.ranx.rbp import RAW_GRADE, RBP
from harness import ledger
from harness.certificate import Instance
from harness.execute import Executor
from harness.expected import shown_fraction
from harness.limits import DEFAULT
from harness.outcome import Value
from harness.replay import replay
from harness.verdict import Verdict
from present import present

SUBJECT = next(iter(present(LIBRARY, "compiled")), None)

pytestmark = pytest.mark.skipif(SUBJECT is None, reason="ranx is not installed")

TWO = JudgedRanking((3, 2), (0, 1), "0.8")
SIX = JudgedRanking((3,) * 6, tuple(range(6)), "0.8")
SMALLEST = JudgedRanking((2,), (0,), "0.8")

P = Fraction(4, 5)


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    assert SUBJECT is not None
    with Executor(SUBJECT, DEFAULT) as running:
        yield running


def observe(executor: Executor, x: JudgedRanking) -> Instance:
    [instance] = replay(RBP, executor, [x])
    return instance


def is_graded() -> bool:
    assert SUBJECT is not None
    return bool(ledger.read(LIBRARY.ledger).entries_for(RBP.name, SUBJECT.version))


@pytest.mark.parametrize(
    ("x", "documented", "with_grades"),
    [
        (TWO, 1 - P**2, (3 + 2 * P) / 5),
        (SIX, 1 - P**6, 3 * (1 - P**6)),
        (SMALLEST, 1 - P, Fraction(2, 5)),
    ],
    ids=["two documents of grades 3 and 2", "six of grade 3", "the smallest"],
)
def test_the_reported_inputs(executor: Executor, x: JudgedRanking, documented: Fraction, with_grades: Fraction) -> None:
    instance = observe(executor, x)
    assert instance.expected_shown == shown_fraction(documented)
    observed = with_grades if is_graded() else documented
    assert instance.observed_shown == f"{float(observed):.15g}"
    assert (RAW_GRADE in instance.ruling.follows) == is_graded()


def test_two_documents_are_reported_as_2_56_times_and_six_as_more_than_1(executor: Executor) -> None:
    if not is_graded():
        pytest.skip("this ranx does not use grades as gains")
    two, six = observe(executor, TWO).outcome, observe(executor, SIX).outcome
    assert isinstance(two, Value)
    assert isinstance(two.value, float)
    assert f"{two.value / float(1 - P**2):.2f}" == "2.56"
    assert isinstance(six, Value)
    assert isinstance(six.value, float)
    assert six.value > 1


@pytest.mark.parametrize("x", [TWO, SIX, SMALLEST], ids=["two", "six", "one"])
def test_with_grades_replaced_by_1_subject_and_reference_agree(executor: Executor, x: JudgedRanking) -> None:
    assert observe(executor, x._replace(grades=(1,) * len(x.grades))).ruling.verdict is Verdict.AGREES
