"""The cases of ranx: what they expect, worked out by hand, and how they read; no ranx is run here."""

import ast
import itertools
import re
from fractions import Fraction
from typing import Any

import pytest

from cases.ranx.forms import INPUT_FORMS, FormedRanking
from cases.ranx.library import LIBRARY
from cases.ranx.persistence import PERSISTENCE, Spelling
from cases.ranx.queries import MAKE_COMPARABLE, PER_QUERY, QUERY_ORDER, SAVED_SCORES
from cases.ranx.query_sets import Comparable, PerQuery, Queries
from cases.ranx.ranking import RANKING, Scored
from cases.ranx.rankings import JudgedRanking, LevelledRanking, judged_rankings
from cases.ranx.rbp import LEVEL, OVER_TOP, RANGE, RAW_GRADE, RBP
from harness import cli, ledger
from harness.case import Case
from harness.certificate import Instance
from harness.compare import Ruling
from harness.errors import BadInputError
from harness.expected import Each, Enclosed, Exactly, Expected, OneOf, Refusal, Unspecified, shown
from harness.installation import Installation
from harness.outcome import Outcome, Raised, Value
from harness.script import render
from harness.subject import Subject
from harness.verdict import Verdict

every_case = pytest.mark.parametrize("case", LIBRARY.cases, ids=lambda case: case.name)


def written(expected: Expected) -> Fraction:
    assert isinstance(expected, Exactly)
    assert expected.written is not None
    return expected.written


# --- domains ---------------------------------------------------------------------------------------------------


@every_case
def test_every_domain_holds_what_its_closed_formula_says(case: Case[Any]) -> None:
    for domain in case.domains:
        domain.verify_counts()


@pytest.mark.parametrize(("unjudged", "total"), [(0, 17_412), (1, 87_552)])
def test_the_judged_rankings_are_as_many_as_the_count_by_hand(unjudged: int, total: int) -> None:
    assert len(judged_rankings("0.8", unjudged, thorough=False).inputs) == total


@pytest.mark.parametrize("unjudged", [0, 1])
def test_the_judged_rankings_are_what_itertools_makes(unjudged: int) -> None:
    domain = judged_rankings("0.8", unjudged, thorough=False)
    for n in (1, 2, 3):
        pool = range(n + unjudged)
        expected = {
            JudgedRanking(grades, run, "0.8")
            for grades in itertools.product(range(4), repeat=n)
            for k in range(1, n + unjudged + 1)
            for run in itertools.permutations(pool, k)
        }
        [level] = [level for level in domain.inputs.levels if level.size == n]
        found = [level.at(i) for i in range(level.count)]
        assert len(found) == len(set(found))
        assert set(found) == expected


def test_the_first_domain_is_the_plain_one_at_four_fifths() -> None:
    plain = [domain.parameters for domain in RBP.domains if not domain.thorough]
    assert plain == [{"persistence": "0.8", "unjudged": 0}]
    assert RBP.domains[0].parameters == plain[0]
    thorough = {(domain.parameters["persistence"], domain.parameters["unjudged"]) for domain in RBP.domains}
    assert thorough == set(itertools.product(("0.5", "0.8", "0.85", "0.95", "0.99"), (0, 1)))


@every_case
def test_inputs_that_are_said_to_be_alike_are_alike(case: Case[Any]) -> None:
    if case.alike is None:
        return
    seen: dict[Any, Any] = {}
    for x in itertools.islice(case.domains[0].inputs, 3000):
        judged = (case.expected(x), {name: reading(x) for name, reading in case.conventions.items()})
        assert seen.setdefault(case.alike(x), judged) == judged


# --- expected values -------------------------------------------------------------------------------------------


def test_rbp_counts_grades_of_1_and_more_as_1() -> None:
    x = JudgedRanking((3, 2), (0, 1), "0.8")
    assert written(RBP.expected(x)) == Fraction(9, 25)
    assert written(RBP.conventions[RAW_GRADE](x)) == Fraction(23, 25)
    # By hand: one fifth of 3/3 at rank 1 and 2/3 at rank 2, which weighs 4/5.
    assert written(RBP.conventions[OVER_TOP](x)) == Fraction(23, 75)


def test_an_unjudged_document_takes_up_its_rank() -> None:
    x = JudgedRanking((1,), (1, 0), "0.8")
    assert written(RBP.expected(x)) == Fraction(4, 25)


def test_the_compared_value_is_at_the_float_and_the_shown_one_at_the_decimal() -> None:
    expected = RBP.expected(JudgedRanking((2,), (0,), "0.8"))
    assert isinstance(expected, Exactly)
    assert expected.value == 1 - Fraction(0.8)
    assert shown(expected) == "1/5"


def test_the_range_is_0_to_1() -> None:
    expected = RANGE.expected(JudgedRanking((3, 3), (0, 1), "0.8"))
    assert isinstance(expected, Enclosed)
    assert expected.low == 0
    assert expected.high == 1
    assert expected.within < Fraction(1, 2**48)


def test_a_level_of_2_leaves_grade_1_out() -> None:
    assert written(LEVEL.expected(LevelledRanking((1, 2), (0, 1), "0.8", 2))) == Fraction(4, 25)
    assert written(LEVEL.conventions[RAW_GRADE](LevelledRanking((1, 2), (0, 1), "0.8", 2))) == Fraction(8, 25)


def test_a_level_of_0_counts_grade_0() -> None:
    assert written(LEVEL.expected(LevelledRanking((0,), (0,), "0.8", 0))) == Fraction(1, 5)
    assert written(LEVEL.conventions[RAW_GRADE](LevelledRanking((0,), (0,), "0.8", 0))) == 0


@pytest.mark.parametrize(
    ("metric", "persistence"),
    [("rbp.8", "4/5"), ("rbp.95", "19/20"), ("rbp.05", "1/20"), ("rbp.80", "4/5"), ("rbp.1", "1/10"), ("rbp.0", "0")],
)
def test_the_documented_spelling_names_its_decimals(metric: str, persistence: str) -> None:
    assert written(PERSISTENCE.expected(Spelling(metric))) == 1 - Fraction(persistence) ** 3


@pytest.mark.parametrize(
    "metric", ["rbp", "rbp.", "rbp@", "rbp@8", "rbp@10", "RBP.8", "rbp.8@10", "rbp.8_5", "rbp.8 ", "rbp.-5", "rbp.٨"]
)
def test_any_other_spelling_is_to_be_refused(metric: str) -> None:
    assert PERSISTENCE.expected(Spelling(metric)) == Refusal()


@pytest.mark.parametrize("metric", ["rbp.0.8", "rbp@0.8", "rbp@.8", "rbp..8"])
def test_a_spelled_number_may_be_refused_or_taken_for_itself(metric: str) -> None:
    expected = PERSISTENCE.expected(Spelling(metric))
    assert isinstance(expected, OneOf)
    refusal, value = expected.choices
    assert refusal == Refusal()
    assert written(value) == 1 - Fraction(4, 5) ** 3


def test_a_persistence_that_no_float_below_1_comes_close_to_is_unspecified() -> None:
    assert isinstance(PERSISTENCE.expected(Spelling("rbp." + "9" * 20)), Unspecified)


def test_ties_and_nan_are_unspecified_and_nothing_else_is() -> None:
    assert isinstance(RANKING.expected(Scored(("0", "0"), 0, "dict")), Unspecified)
    assert isinstance(RANKING.expected(Scored(("nan", "0"), 0, "dict")), Unspecified)
    assert written(RANKING.expected(Scored(("0", "1"), 0, "dict"))) == Fraction(4, 25)
    assert written(RANKING.expected(Scored(("-1",), 0, "objects"))) == Fraction(1, 5)


def test_the_mean_does_not_depend_on_any_order() -> None:
    for qrels_order, run_order in itertools.product([(0, 1), (1, 0)], repeat=2):
        x = Queries((1, 2), qrels_order, run_order, "dict", "dict")
        assert written(QUERY_ORDER.expected(x)) == (Fraction(1, 5) + Fraction(4, 25)) / 2


def test_pairing_by_position_finds_nothing_where_orders_part() -> None:
    [reading] = QUERY_ORDER.conventions.values()
    assert written(reading(Queries((1, 2), (0, 1), (1, 0), "dict", "dict"))) == 0
    # A Qrels is sorted: only the dict's order is left to part from it.
    assert written(reading(Queries((1, 2), (1, 0), (1, 0), "Qrels", "dict"))) == 0
    assert written(reading(Queries((1, 2), (1, 0), (0, 1), "Qrels", "Run"))) == Fraction(9, 50)


def test_saved_scores_belong_to_their_queries() -> None:
    expected = SAVED_SCORES.expected(Queries((1, 2), (1, 0), (0, 1), "dict", "Run"))
    assert shown(expected) == "[1/5, 4/25]"


def test_per_query_values_come_with_their_mean() -> None:
    expected = PER_QUERY.expected(PerQuery((1, 0), "dict", "dict", save=True))
    assert isinstance(expected, Each)
    assert shown(expected) == "[1/5, 0, 1/10]"


def test_a_query_that_is_missing_from_the_run_scores_0() -> None:
    assert written(MAKE_COMPARABLE.expected(Comparable((0, 1), (1, 2), "dict", "dict"))) == Fraction(1, 10)


def test_a_fractional_grade_counts_from_the_level_on() -> None:
    x = FormedRanking(("1.5", "0.5"), (0, 1), "dict")
    assert written(INPUT_FORMS.expected(x)) == Fraction(1, 5)
    raw, whole = (written(reading(x)) for reading in INPUT_FORMS.conventions.values())
    assert (raw, whole) == (Fraction(3, 10), Fraction(1, 5))


def test_a_mismatch_is_a_retrieved_grade_of_2_or_more() -> None:
    # The counts of the ledger, without ranx and without the reference: raw grades and 0/1 part there.
    for unjudged, by_size in ((0, {1: 2, 2: 40, 3: 720, 4: 13_952}), (1, {1: 6, 2: 144, 3: 3_120, 4: 72_192})):
        domain = judged_rankings("0.8", unjudged, thorough=False)
        found: dict[int, int] = {}
        for x in domain.inputs:
            graded = any(d < len(x.grades) and x.grades[d] >= 2 for d in x.run)
            found[len(x.grades)] = found.get(len(x.grades), 0) + graded
        assert found == by_size


@pytest.mark.parametrize(
    "fields",
    [
        {"grades": [], "run": [0], "persistence": "0.8"},
        {"grades": [1], "run": [], "persistence": "0.8"},
        {"grades": [1], "run": [-1], "persistence": "0.8"},
        {"grades": [1], "run": [0, 0], "persistence": "0.8"},
        {"grades": [1.5], "run": [0], "persistence": "0.8"},
        {"grades": [1], "run": [0], "persistence": 0.8},
        {"grades": [1], "run": [0], "persistence": "8e-1"},
        {"grades": [1], "run": [0], "persistence": "0.0"},
    ],
)
def test_what_ranx_could_not_be_blamed_for_is_no_input(fields: Any) -> None:
    with pytest.raises(BadInputError):
        RBP.from_json(fields)


@pytest.mark.parametrize("persistence", ["1.8", "0.0", "8e-1"])
def test_a_persistence_is_refused_with_the_range_that_it_has_to_be_in(persistence: str) -> None:
    with pytest.raises(BadInputError, match=r'a number between 0 and 1, both excluded, and written as "0\.8"'):
        RBP.from_json({"grades": [3, 2], "run": [0, 1], "persistence": persistence})


@pytest.mark.parametrize("arguments", [["cases", "ranx/rbp"], ["replay", "ranx/rbp", '{"grades": [1]}']], ids=" ".join)
def test_what_a_number_in_a_run_is_stands_below_the_example(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(arguments)
    said = "".join(capsys.readouterr())
    assert re.search(
        r'"run": \[0\], "persistence": "0.8"}\n +grades +The grades .*\n'
        r" +run +The documents .* as indices of grades; a larger number is an unjudged document \(u0, u1, ...\)\.\n"
        r" +persistence +The persistence p, a number between 0 and 1 in quotes\.\n",
        said,
    )


def test_a_level_behind_the_persistence_is_no_other_spelling() -> None:
    assert written(PERSISTENCE.expected(Spelling("rbp.8-l1"))) == 1 - Fraction(4, 5) ** 3
    assert PERSISTENCE.expected(Spelling("rbp.8-l2")) == Exactly(Fraction(0))


# --- text ------------------------------------------------------------------------------------------------------


@every_case
def test_a_contract_names_its_source(case: Case[Any]) -> None:
    assert case.contract.says
    assert "docs/" in case.contract.source or "docstring" in case.contract.source


@pytest.mark.parametrize("case", [RBP, RANGE, LEVEL], ids=lambda case: case.name)
def test_what_is_deliberate_upstream_is_named_as_that(case: Case[Any]) -> None:
    assert "on purpose since 0.3.15 (AmenRa/ranx#45" in case.contract.upstream
    [entry] = ledger.read(LIBRARY.ledger).entries_for(case.name, "0.3.21")
    assert "deliberate since 0.3.15" in entry.says
    assert entry.upstream == "https://github.com/AmenRa/ranx/issues/45"
    assert not ledger.read(LIBRARY.ledger).entries_for(case.name, "0.3.14")


class ScoredRun(dict[str, dict[str, float]]):
    """A run that keeps the scores of its queries, as ranx has it."""

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.scores: dict[str, dict[str, float]] = {}


def evaluated(qrels: Any, run: Any, metric: str, *, return_mean: bool = True, **_: Any) -> Any:
    """Stand in for a ranx whose RBP is wrong, and all else right."""
    level = int(metric.partition("-l")[2] or 1)
    by_query = {}
    for query, judged in qrels.items():
        scores = run.get(query, {})
        relevant = [judged.get(one, 0) >= level for one in sorted(scores, key=scores.get, reverse=True)]
        right = {
            "rbp": 0.777 * any(relevant),
            "mrr": 1 / (1 + relevant.index(True)) if any(relevant) else 0.0,
            "precision": sum(relevant) / max(1, len(relevant)),
        }
        by_query[query] = right[re.split(r"[.@-]", metric)[0]]
    if isinstance(run, ScoredRun):
        run.scores[metric] = by_query
    return sum(by_query.values()) / len(by_query) if return_mean else list(by_query.values())


RELEVANT = {
    RBP.name: JudgedRanking((1,), (0,), "0.8"),
    LEVEL.name: LevelledRanking((2,), (0,), "0.8", 2),
    INPUT_FORMS.name: FormedRanking(("1",), (0,), "dict"),
}
"""An input whose RBP is not 0, where that is not the first one."""


@pytest.mark.parametrize("case", [case for case in LIBRARY.cases if case is not RANGE], ids=lambda case: case.name)
def test_a_script_shows_an_rbp_that_is_wrong_itself_for_its_control_rests_on_other_metrics(case: Case[Any]) -> None:
    script = case.script(RELEVANT.get(case.name, case.domains[0].inputs[0]))
    names: dict[str, Any] = {"evaluate": evaluated, "Qrels": dict, "Run": ScoredRun, "Fraction": Fraction}
    exec(script.body, names)  # noqa: S102 - our own script
    assert names["control"]()
    assert not names["is_right"](names["observed"]())


def test_the_smallest_divergence_reads_as_a_sentence() -> None:
    assert RBP.describe(JudgedRanking((2,), (0,), "0.8")) == "one document of grade 2, retrieved, p = 0.8"
    assert RBP.describe(JudgedRanking((3, 2), (0, 2, 1), "0.8")) == "qrels {d0: 3, d1: 2}, run d0 > u0 > d1, p = 0.8"


@every_case
@pytest.mark.parametrize("outcome", [Value(0.123), Raised("KeyError", "'rbp'")], ids=["value", "error"])
def test_every_script_is_python_that_imports_nothing_of_ours(case: Case[Any], outcome: Outcome) -> None:
    subject = Subject(LIBRARY, LIBRARY.mode("compiled"), Installation("0.3.21"))
    for x in itertools.islice(case.domains[0].inputs, 0, None, 97):
        instance = Instance(case, x, case.expected(x), outcome, Ruling(Verdict.DIFFERS))
        source = render(instance, subject)
        tree = ast.parse(source, feature_version=(3, 9))
        modules = {
            name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
        }
        assert modules <= {"fractions", "importlib", "numba", "numpy", "platform", "ranx", "sys", "traceback"}
        assert 'dependencies = ["ranx==0.3.21"]' in source
        assert {"control", "observed", "is_right", "main"} <= {
            node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
        }
