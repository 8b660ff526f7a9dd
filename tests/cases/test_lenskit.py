"""What the cases about lenskit take for right, worked out by hand."""

import math
import runpy
import sys
import types
from fractions import Fraction
from typing import Any

import pytest

from cases.lenskit.library import LIBRARY
from cases.lenskit.lists import CutList, HitList, Lists
from cases.lenskit.log_mean import LOG_RBP_MEASUREMENTS, LOG_RBP_SUMMARY, Measurements
from cases.lenskit.log_rbp import LOG_RBP, LOG_RBP_CUTOFF
from cases.lenskit.log_rbp_class import CALLS, SIGNATURE
from cases.lenskit.odd_lists import DUPLICATES, RANKS, Duplicates, Ranked
from cases.lenskit.rbp import CUTOFF, EMPTY, NORMALIZE, RBP, Empty
from cases.lenskit.summaries import LIST_SUMMARY, SUMMARY
from cases.lenskit.weights import LOG_WEIGHTS, PATIENCE, WEIGHTS, LogWeighted, Patience, Weighted
from harness.case import AnyCase, Case
from harness.certificate import Instance
from harness.compare import Ruling, is_right
from harness.errors import BadInputError
from harness.expected import Each, Exactly, Expected, OneOf, Refusal, Special, Unspecified
from harness.installation import Installation
from harness.outcome import Raised, Text, Value
from harness.script import render
from harness.subject import Subject
from harness.verdict import Verdict

NAN = Special("nan")
MINUS_INFINITY = Special("-inf")


def holds(expected: Expected, value: float) -> bool:
    """Return whether a value is right to all the digits that a test writes."""
    return is_right(Value(value), expected)


def exact(expected: Expected) -> Fraction:
    assert isinstance(expected, Exactly)
    assert expected.written is not None
    return expected.written


# --- RBP -------------------------------------------------------------------------------------------------------


def test_rbp_of_hits_at_1_and_3() -> None:
    assert exact(RBP.expected(HitList((1, 3), 3, 0, "0.5"))) == Fraction(5, 8)
    assert exact(RBP.expected(HitList((), 3, 1, "0.5"))) == 0
    assert RBP.expected(HitList((), 3, 0, "0.5")) == NAN


@pytest.mark.parametrize(
    ("cutoff", "value"), [(None, Fraction(111, 400)), (1, Fraction(3, 20)), (2, Fraction(111, 400))]
)
def test_a_cutoff_keeps_the_first_items(cutoff: int | None, value: Fraction) -> None:
    assert exact(CUTOFF.expected(CutList((1, 2), 2, 0, cutoff, "n", "0.85"))) == value


def test_a_cutoff_of_0_leaves_a_choice_and_a_negative_one_none() -> None:
    zero = CUTOFF.expected(CutList((1,), 1, 0, 0, "n", "0.85"))
    refusal = CUTOFF.expected(CutList((1,), 1, 0, -1, "n", "0.85"))
    assert isinstance(refusal, Refusal)
    assert zero == OneOf((Exactly(Fraction(0)), refusal))


@pytest.mark.parametrize(
    ("given", "by_n", "by_k"), [("n", True, False), ("k", True, True), ("position", True, True), (".n", True, False)]
)
@pytest.mark.parametrize("case", [CUTOFF, LOG_RBP_CUTOFF], ids=lambda case: case.short_name)
@pytest.mark.parametrize("cutoff", [-1, 0])
def test_a_negative_k_may_be_refused_by_the_name_that_it_was_given(
    case: Case[CutList], cutoff: int, given: str, *, by_n: bool, by_k: bool
) -> None:
    expected = case.expected(CutList((1,), 1, 0, cutoff, given, "0.85"))
    for message, is_due in (("n must be positive or None", by_n), ("k must be positive or None", by_k)):
        assert is_right(Raised("ValueError", message), expected) == is_due
        assert not is_right(Raised("TypeError", message), expected)


def test_a_script_about_a_negative_k_takes_either_refusal_and_no_value() -> None:
    x = CutList((1,), 1, 0, -1, "k", "0.85")
    instance = Instance(CUTOFF, x, CUTOFF.expected(x), Value(0.15), Ruling(Verdict.DIFFERS))
    source = render(instance, Subject(LIBRARY, LIBRARY.modes[0], Installation("2025.4.0")))
    assert "\n    return (False)\n" in source
    assert source.count('"n must be positive" in str(error) or ') == 1
    assert source.count('"k must be positive" in str(error)\n') == 1


def test_a_release_without_rbp_is_told_that_it_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("lenskit", "lenskit.metrics"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    with pytest.raises(ImportError, match=r"cannot import name 'RBP' from 'lenskit\.metrics'"):
        runpy.run_path(str(LIBRARY.modes[0].adapter))


def test_rbp_is_normalised_by_what_could_be_found() -> None:
    p = Fraction(17, 20)
    assert exact(NORMALIZE.expected(CutList((1,), 1, 4, None, "n", "0.85"))) == (1 - p) / (1 - p**5)
    assert exact(NORMALIZE.expected(CutList((1,), 1, 4, 2, "n", "0.85"))) == (1 - p) / (1 - p**2)
    assert exact(NORMALIZE.expected(CutList((1, 2), 2, 0, 5, "n", "0.85"))) == 1
    assert exact(NORMALIZE.expected(CutList((), 0, 1, None, "n", "0.85"))) == 0
    assert NORMALIZE.expected(CutList((), 1, 0, None, "n", "0.85")) == NAN


@pytest.mark.parametrize("options", ["", "n = 1", "normalize"])
def test_nothing_retrieved_scores_0(options: str) -> None:
    assert EMPTY.expected(Empty(0, 1, True, options)) == Exactly(Fraction(0))  # noqa: FBT003 - a field
    assert EMPTY.expected(Empty(0, 0, True, options)) == NAN  # noqa: FBT003 - a field


@pytest.mark.parametrize("options", ["LogRankWeight", "weight_field"])
def test_nothing_over_nothing_is_unspecified(options: str) -> None:
    assert isinstance(EMPTY.expected(Empty(0, 1, True, options)), Unspecified)  # noqa: FBT003 - a field


def test_an_item_twice_is_unspecified_and_its_readings_are_told_apart() -> None:
    x = Duplicates((1, 1, 2), (1, 2))
    assert isinstance(DUPLICATES.expected(x), Unspecified)
    p = Fraction(17, 20)
    values = [exact(reading(x)) / (1 - p) for reading in DUPLICATES.conventions.values()]
    assert values == [1 + p + p**2, 1 + p**2, 1 + p]


def test_other_ranks_are_unspecified() -> None:
    assert exact(RANKS.expected(Ranked((2,), (1, 2)))) == Fraction(51, 400)
    assert isinstance(RANKS.expected(Ranked((2,), (0, 1))), Unspecified)
    assert isinstance(RANKS.expected(Ranked((2,), (1, 3))), Unspecified)


def test_weights_of_ones_own_are_over_their_sum_or_that_of_their_series() -> None:
    hits, weights = (2,), (2, 1, 1)
    by_given = {given: WEIGHTS.expected(Weighted(hits, weights, given)) for given in ("weight", "weight_field")}
    assert {expected.value for expected in by_given.values() if isinstance(expected, Exactly)} == {Fraction(1, 4)}
    series = WEIGHTS.expected(Weighted(hits, weights, "weight with series sum 8"))
    assert isinstance(series, Exactly)
    assert series.value == Fraction(1, 8)
    assert isinstance(WEIGHTS.expected(Weighted((1,), (0, 0), "weight")), Unspecified)


def test_logarithmic_weights() -> None:
    expected = LOG_WEIGHTS.expected(LogWeighted((1, 3), 3, 0, "2", 0))
    ones = 1 + 1 / math.log2(3)
    assert holds(expected, ones / (1 + ones))
    assert not holds(expected, ones / (1 + ones) + 1e-14)


@pytest.mark.parametrize("patience", ["0", "1", "-0.5", "nan", "inf", "True", "False", "None"])
def test_what_is_no_patience_is_refused(patience: str) -> None:
    expected = PATIENCE.expected(Patience(patience, "RBP"))
    assert isinstance(expected, Refusal | OneOf)


def test_the_mean_leaves_out_undefined_lists() -> None:
    for case in (SUMMARY, LIST_SUMMARY):
        assert exact(case.expected(Lists((1, 0, None), "0.85"))) == Fraction(3, 40)
        assert case.expected(Lists((None, None), "0.85")) == NAN


# --- LogRBP ----------------------------------------------------------------------------------------------------


def first(expected: Expected) -> Expected:
    assert isinstance(expected, Each)
    return expected.parts[0]


@pytest.mark.parametrize(
    ("hits", "value"), [((1,), -1.8971199848858813), ((5001,), -814.4917674737606), ((1, 2), math.log(0.2775))]
)
def test_the_logarithm_of_rbp(hits: tuple[int, ...], value: float) -> None:
    assert holds(first(LOG_RBP.expected(HitList(hits, max(hits), 0, "0.85"))), value)


def test_a_list_without_a_hit_and_one_without_test_items() -> None:
    assert first(LOG_RBP.expected(HitList((), 2, 1, "0.85"))) == MINUS_INFINITY
    assert first(LOG_RBP.expected(HitList((), 0, 1, "0.85"))) == MINUS_INFINITY
    assert first(LOG_RBP.expected(HitList((), 2, 0, "0.85"))) == NAN


@pytest.mark.parametrize(
    ("ranks", "logmean", "n"),
    [
        ((1, 0, None), -2.590267165445826, 2),
        ((5001, 0), -815.1849146543204, 2),
        ((0, 0, None), -math.inf, 2),
        ((None, None), math.nan, 0),
    ],
)
def test_the_log_mean(ranks: tuple[int | None, ...], logmean: float, n: int) -> None:
    expected = LOG_RBP_SUMMARY.expected(Lists(ranks, "0.85"))
    keys = Text("LogRBP.logmean LogRBP.n")
    by_rank = {1: -1.8971199848858813, 5001: -814.4917674737606, 0: -math.inf, None: math.nan}
    lists = Value(tuple(Value(by_rank[rank]) for rank in ranks))
    assert is_right(Value((keys, Value(logmean), Value(n), lists)), expected)
    assert not is_right(Value((keys, Value(logmean), Value(n + 1), lists)), expected)
    assert not is_right(Value((Text("LogRBP.logmean LogRBP.mean LogRBP.n"), Value(logmean), Value(n), lists)), expected)
    assert not is_right(Value((keys, Value(-1.0), Value(n), lists)), expected)
    zeros = Value((Value(0.0),) * len(ranks))
    assert not is_right(Value((keys, Value(logmean), Value(n), zeros)), expected)


@pytest.mark.parametrize(
    ("measurements", "logmean", "n"),
    [
        ((), math.nan, 0),
        (("None", "nan"), math.nan, 0),
        (("-inf", "None"), -math.inf, 1),
        (("-inf", "-0.0"), -math.log(2), 2),
    ],
)
def test_the_log_mean_of_measurements(measurements: tuple[str, ...], logmean: float, n: int) -> None:
    expected = LOG_RBP_MEASUREMENTS.expected(Measurements(measurements))
    assert is_right(Value((Text("logmean n"), Value(logmean), Value(n))), expected)


def test_the_signature_and_nothing_beside_it() -> None:
    made = CALLS["n=5, patience=0.5"]
    module = "lenskit.metrics.ranking._logrbp"
    texts = [Text(text) for text in ("LogRBP@5", module, "5", "GeometricRankWeight")]
    for signature in ("n=None, *, k=None, patience=0.85", "n=None, *, k=None, patience=0.85, scale=None"):
        value = Value((*texts, Text(signature), Value(0.5), Value(0.5)))
        assert is_right(value, made) == (signature == SIGNATURE)
    assert isinstance(CALLS["weight=LogRankWeight()"], Refusal)


# --- what is no input ------------------------------------------------------------------------------------------

GOOD: list[tuple[AnyCase, dict[str, Any]]] = [
    (RBP, {"hits": [1], "retrieved": 1, "missed": 0, "patience": "0.85"}),
    (CUTOFF, {"hits": [1], "retrieved": 1, "missed": 0, "cutoff": None, "given": "n", "patience": "0.85"}),
    (WEIGHTS, {"hits": [1], "weights": [1], "given": "weight"}),
    (LOG_WEIGHTS, {"hits": [1], "retrieved": 1, "missed": 0, "base": "2", "offset": 0}),
    (SUMMARY, {"ranks": [1, None], "patience": "0.85"}),
    (LOG_RBP_MEASUREMENTS, {"measurements": ["-inf"]}),
]

BAD: dict[str, list[Any]] = {
    "hits": [[2], [0], [-1], [1, 1], 1, None, ["1"]],
    "retrieved": [0, -1, 1.5, "1"],
    "missed": [-1, None],
    "patience": ["0", "1", "nan", "half", "", 0.85, None],
    "cutoff": ["1", 1.5, True],
    "given": ["", "l"],
    "weights": [[-1], [], ["1"]],
    "base": ["1", "0", "-2", "nan", "two"],
    "offset": [-1],
    "ranks": [[], [-1], ["1"], None],
    "measurements": [["inf"], ["x"], [1], [None], None],
}


@pytest.mark.parametrize(
    ("case", "fields"),
    [
        pytest.param(case, {**good, name: value}, id=f"{case.short_name}-{name}-{value}")
        for case, good in GOOD
        for name in good
        for value in BAD[name]
    ],
)
def test_what_is_no_input_is_refused(case: AnyCase, fields: dict[str, Any]) -> None:
    with pytest.raises(BadInputError, match=f"{case.name} expects a JSON object with"):
        case.from_json(fields)


@pytest.mark.parametrize(("case", "fields"), GOOD, ids=lambda part: getattr(part, "short_name", ""))
def test_what_is_one_is_taken(case: AnyCase, fields: dict[str, Any]) -> None:
    assert case.to_json(case.from_json(fields)) == {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
