"""What every case of every library has to hold to."""

import ast
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from harness import registry
from harness.case import Case
from harness.certificate import Instance
from harness.compare import Ruling
from harness.errors import BadInputError
from harness.installation import Installation
from harness.meanings import meanings
from harness.outcome import Crashed, Outcome, Raised, Value
from harness.script import render
from harness.subject import Subject
from harness.verdict import Verdict

LIBRARIES = {case.name: library for library in registry.libraries() for case in library.cases}
CASES = [case for library in registry.libraries() for case in library.cases]

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)

SMALL = 20_000
SAMPLE = 40

OURS = {"harness", "reference", "cases"}


def sample(case: Case[Any]) -> Iterator[Any]:
    """Yield inputs from all over the first domain of a case."""
    inputs = case.domains[0].inputs
    yield from (inputs[i] for i in range(0, len(inputs), max(1, len(inputs) // SAMPLE)))


@every_case
def test_every_domain_holds_what_its_formula_says(case: Case[Any]) -> None:
    for domain in case.domains:
        domain.verify_counts()
        assert len(domain.inputs) > 1


@every_case
def test_no_input_is_listed_twice(case: Case[Any]) -> None:
    for domain in case.domains:
        if len(domain.inputs) <= SMALL:
            texts = [json.dumps(case.to_json(x)) for x in domain.inputs]
            assert len(set(texts)) == len(texts)


@every_case
def test_an_input_comes_back_from_json(case: Case[Any]) -> None:
    for x in sample(case):
        assert case.from_json(json.loads(json.dumps(case.to_json(x)))) == x


@every_case
@pytest.mark.parametrize("fields", [{}, {"grades": 1}, {"nothing": []}])
def test_what_is_no_input_is_refused(case: Case[Any], fields: dict[str, Any]) -> None:
    with pytest.raises(BadInputError, match=case.name):
        case.from_json(fields)


@every_case
def test_each_field_of_an_input_is_explained(case: Case[Any]) -> None:
    assert list(meanings(case.input_type)) == list(case.input_type._fields)


@pytest.mark.parametrize("case", [case for case in CASES if case.alike], ids=lambda case: case.name)
def test_inputs_that_are_alike_have_the_same_expected_value(case: Case[Any]) -> None:
    assert case.alike is not None
    expected: dict[Any, Any] = {}
    for x in itertools.islice(case.domains[0].inputs, 3000):
        assert expected.setdefault(case.alike(x), case.expected(x)) == case.expected(x)


@every_case
def test_its_modes_are_those_of_its_library(case: Case[Any]) -> None:
    assert set(case.modes) <= {mode.name for mode in LIBRARIES[case.name].modes}


@every_case
def test_the_contract_completes_a_sentence_and_names_its_source(case: Case[Any]) -> None:
    assert not case.contract.says.endswith(".")
    assert case.contract.source
    assert not case.contract.source.endswith(".")


@every_case
@pytest.mark.parametrize(
    "outcome", [Value(0.123), Raised("KeyError", "'x'"), Crashed("signal SIGSEGV")], ids=["value", "error", "crash"]
)
def test_every_script_is_python_that_imports_nothing_of_ours(case: Case[Any], outcome: Outcome) -> None:
    subject = Subject(LIBRARIES[case.name], LIBRARIES[case.name].usual_mode(case), Installation("1.0"))
    for x in itertools.islice(sample(case), 10):
        source = render(Instance(case, x, case.expected(x), outcome, Ruling(Verdict.DIFFERS)), subject)
        tree = ast.parse(source, feature_version=(3, 9))
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not {name.split(".")[0] for name in imported} & OURS
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert {"control", "observed", "is_right", "main"} <= defined
