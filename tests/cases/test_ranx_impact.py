"""What graded gains do to the RBP of runs; the answers of ranx are played here, and seen in tests/conformance."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.ranx.impact import documented
from cases.ranx.library import LIBRARY
from cases.ranx.rbp import RBP
from harness.compare import is_right
from harness.errors import BadInputError
from harness.expected import Exactly
from harness.impact.comparison import Comparison, Files
from harness.impact.run import question
from harness.jsontypes import Json
from harness.outcome import Value
from harness.progress import Progress
from reference import rbp
from reference.rbp_rounding import bound

About = TypeVar("About")

Compare = Callable[..., Comparison]

QRELS = "q 0 a 3\nq 0 b 0\nq 0 c 1\nr 0 a 1\n"
RUN = "q Q0 x 0 9 me\nq Q0 a 0 8 me\nq Q0 c 0 7 me\nr Q0 a 0 1 me\n"


def played(gain: Callable[[int], int], sent: list[Any]) -> Any:
    """Return what answers as ranx would with these gains."""

    def ask(
        call: str, items: Iterable[tuple[About, Sequence[Any]]], total: int, title: str
    ) -> Iterator[tuple[About, Json]]:
        assert (call, title.rpartition("/")[2]) == ("rbp", "run")
        for about, x in items:
            sent.append(x)
            grades, run, persistence = x
            by_rank = [grades[d] if d < len(grades) else 0 for d in run]
            p = float(persistence)
            value = (1 - p) * sum(gain(grade) * p**i for i, grade in enumerate(by_rank) if grade >= 1)
            yield about, {"raises": "KeyError", "message": "q"} if persistence == "0.9" else value.hex()
        assert len(sent) == total

    return ask


@pytest.fixture
def compare(tmp_path: Path) -> Compare:
    """Return a function that compares these files."""
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)

    def run(gain: Callable[[int], int], *settings: str, sent: list[Any] | None = None) -> Comparison:
        asked = question(RBP, [LIBRARY], Files(tmp_path / "qrels", (tmp_path / "run",)), settings)
        answers = played(gain, [] if sent is None else sent)
        return asked.impact.compare(answers, asked.files, asked.settings, Progress(bars=False))

    return run


def grade(r: int) -> int:
    return r


def one(_: int) -> int:
    return 1


def test_the_documented_value_of_each_topic_and_of_the_run_is_exact(compare: Compare) -> None:
    [measure] = compare(grade).measures
    assert measure.name == "RBP, p = 0.8"
    [series] = measure.series
    # An unjudged document, then grades 3 and 1: (p + p^2) / 5, and with grades as gains (3 p + p^2) / 5.
    q, r = series.topics
    assert q.documented == float(Fraction("0.288"))
    assert q.shipped == pytest.approx(0.608, rel=1e-14)
    assert r.documented == 0.2
    assert r.shipped == pytest.approx(0.2, rel=1e-14)
    assert (q.is_affected, r.is_affected, series.total.is_affected) == (True, False, True)
    assert series.total.documented == float(Fraction("0.244"))
    assert series.total.shipped == pytest.approx(0.404, rel=1e-14)


def test_binary_gains_are_not_affected(compare: Compare) -> None:
    assert not compare(one).is_affected


def test_another_persistence_can_be_set(compare: Compare) -> None:
    [measure] = compare(one, "persistence=0.5").measures
    assert measure.name == "RBP, p = 0.5"
    assert measure.series[0].topics[0].documented == 0.375


@pytest.mark.parametrize("text", ["0", "1", "1.0", "0.0", ".8", "0.8 ", "0.8e-1", "nan", "0.99999999999999999", "8"])
def test_what_is_no_persistence_is_refused(text: str, compare: Compare) -> None:
    with pytest.raises(BadInputError, match=r"takes --set persistence=0\.8 \(between 0 and 1\), not"):
        compare(one, f"persistence={text}")


def test_a_run_is_needed(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="at least one --run FILE was expected"):
        question(RBP, [LIBRARY], Files(tmp_path / "qrels"), [])


def test_documents_are_numbers_unjudged_ones_beyond_the_judged(compare: Compare) -> None:
    sent: list[Any] = []
    compare(one, sent=sent)
    assert sent == [((3, 0, 1), (3, 0, 2), "0.8"), ((1,), (0,), "0.8")]


def test_an_error_leaves_the_run_without_a_mean(compare: Compare) -> None:
    [series] = compare(one, "persistence=0.9").measures[0].series
    assert (series.total.shipped, series.total.shown) == (None, "KeyError: q")
    assert series.total.is_affected


@given(
    st.lists(st.sampled_from([None, -2, 0, 1, 2]), min_size=1, max_size=60),
    st.sampled_from(["0.8", "0.5", "0.95", "0.99", "0.123456789", "0.1"]),
)
def test_the_bound_around_the_decimal_holds_all_that_is_right_around_the_float(
    ranked: list[int | None], persistence: str
) -> None:
    p, relevant = rbp.received(persistence), rbp.relevance(ranked)
    exact, within = rbp.binary(relevant, p), bound(relevant, p)
    found = documented(ranked, persistence)
    assert found.value == rbp.binary(relevant, Fraction(persistence))
    assert abs(exact - found.value) + within <= found.within
    assert found.within <= Fraction(1, 2**44) * found.value


def test_a_gain_of_2_for_1_is_never_within_the_bound() -> None:
    ranked = [0] * 100 + [1] + [0] * 10
    right = documented(ranked, "0.8")
    assert isinstance(right, Exactly)
    assert is_right(Value(float(right.value)), right)
    assert not is_right(Value(2 * float(right.value)), right)
