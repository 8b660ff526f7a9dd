"""What is said of trec_eval's divergences holds: the steps end in the expected value, and the tests say it too."""

import ast
import itertools
import json
from typing import Any

import pytest

from cases.trec_eval.accounts import ACCOUNTS, bindings, program
from cases.trec_eval.library import LIBRARY
from cases.trec_eval.topics import Topics
from harness import ledger
from harness.account import Account
from harness.case import AnyCase
from harness.expected import shown

each_account = pytest.mark.parametrize("account", ACCOUNTS, ids=lambda account: account.case)

ONE = Topics(((-1,),))
TWO = Topics(((1,), (-2,)))


def case_of(account: Account[Any]) -> AnyCase:
    return next(case for case in LIBRARY.cases if case.name == account.case)


def test_each_known_divergence_has_an_account() -> None:
    known = [(entry.case, entry.cause) for entry in ledger.read(LIBRARY.ledger).entries]
    assert sorted(known) == sorted((account.case, account.cause) for account in ACCOUNTS)


@each_account
def test_the_last_step_is_the_expected_value(account: Account[Any]) -> None:
    case = case_of(account)
    for x in itertools.islice(case.domains[0].inputs, 200):
        assert list(account.worked(x))[-1].endswith(f": {shown(case.expected(x))}")


def test_the_steps_for_two_topics_are_those_by_hand() -> None:
    assert list(bindings.CRASH.worked(Topics(((2, 0), (-2,))))) == [
        "t0: 2 retrieved, so num_ret = 2",
        "t0: grades [2, 0], 1 of which at least 1, so num_rel = 1",
        "t0: every judged document is retrieved, so num_rel_ret = num_rel = 1",
        "t1: 1 retrieved, so num_ret = 1",
        "t1: grades [-2], 0 of which at least 1, so num_rel = 0",
        "t1: every judged document is retrieved, so num_rel_ret = num_rel = 0",
        "num_ret, num_rel and num_rel_ret of each topic: [[2, 1, 1], [1, 0, 0]]",
    ]


@each_account
def test_its_inputs_are_inputs_of_the_case(account: Account[Any]) -> None:
    case = case_of(account)
    assert account.examples
    assert [case.from_json(json.loads(json.dumps(case.to_json(x)))) for x in account.examples] == list(account.examples)


@each_account
def test_a_table_has_a_row_for_each_document_and_a_cell_for_each_head(account: Account[Any]) -> None:
    assert account.table is not None
    table = account.table(TWO)
    assert len(table.rows) == 2
    assert {len(row) for row in table.rows} == {len(table.heads)}


@each_account
def test_a_quotation_is_short_and_says_where_it_was_read(account: Account[Any]) -> None:
    for quotation in account.quotations:
        assert len(quotation.text) <= 100
        assert quotation.line
        assert quotation.source


@each_account
def test_the_test_is_one_small_function(account: Account[Any]) -> None:
    source = account.test(TWO).source
    found = [node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    assert len([name for name in found if name.startswith("test_")]) == 1
    assert len(source.splitlines()) <= 60
    assert "$" not in source


def test_the_test_of_the_bindings_holds_the_dictionaries_and_the_counts() -> None:
    source = bindings.ZERO_COUNTS.test(ONE).source
    for line in ("'q1': {'d0': -1},", "'q1': {'d0': 1.0},", "'q1': {'num_ret': 1, 'num_rel': 0, 'num_rel_ret': 0},"):
        assert line in source


def test_the_test_of_the_program_holds_the_files_and_what_is_printed() -> None:
    source = program.CRASH.test(TWO).source
    for text in ("t0 0 d0 1\nt1 0 d0 -2\n", "t0 Q0 d0 1 0 r\nt1 Q0 d0 1 -1 r\n", "num_rel               \tt1\t0\n"):
        assert text in source


def test_where_the_whole_program_ends_the_test_runs_it_in_a_child() -> None:
    for account in (bindings.CRASH, program.CRASH):
        assert "subprocess.run(" in account.test(TWO).source
