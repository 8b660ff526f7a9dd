"""What is said of trec_eval's divergences holds: the steps end in the expected value, and the tests say it too."""

import ast
import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cases.trec_eval.accounts import ACCOUNTS, bindings, program
from cases.trec_eval.library import LIBRARY
from cases.trec_eval.topics import FIRST_TOPIC, Topics
from harness.account import Account
from harness.case import AnyCase
from harness.expected import shown
from proposals import is_installed

each_account = pytest.mark.parametrize("account", ACCOUNTS, ids=lambda account: account.case)

ONE = Topics(((-1,),))
TWO = Topics(((1,), (-2,)))


def case_of(account: Account[Any]) -> AnyCase:
    return next(case for case in LIBRARY.cases if case.name == account.case)


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
def test_the_test_is_small_and_has_a_second_input_where_one_tells_little(account: Account[Any]) -> None:
    source = account.test(TWO).source
    found = [node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    assert len([name for name in found if name.startswith("test_")]) == (2 if account.case == FIRST_TOPIC.name else 1)
    assert len(source.splitlines()) <= 75
    assert "$" not in source


def test_the_test_of_the_bindings_holds_the_dictionaries_and_the_counts() -> None:
    source = bindings.ZERO_COUNTS.test(ONE).source
    for line in ("'t0': {'d0': -1},", "'t0': {'d0': 1.0},", "'t0': {'num_ret': 1, 'num_rel': 0, 'num_rel_ret': 0},"):
        assert line in source


def test_the_test_of_the_program_holds_the_files_and_what_is_printed() -> None:
    source = program.CRASH.test(TWO).source
    for text in ("t0 0 d0 1\nt1 0 d0 -2\n", "t0 Q0 d0 1 0 r\nt1 Q0 d0 1 -1 r\n", "num_rel               \tt1\t0\n"):
        assert text in source


def test_where_the_whole_program_ends_the_test_runs_it_in_a_child() -> None:
    for account in (bindings.CRASH, program.CRASH):
        assert "subprocess.run(" in account.test(TWO).source


# --- what a report is headed by, and a call to copy ----------------------------------------------------------------


@each_account
def test_it_says_what_a_size_counts_and_brings_a_patch_for_the_main_branch(account: Account[Any]) -> None:
    assert account.size.startswith("number of ")
    assert account.development is not None
    which, path = account.development
    assert which.startswith("main of usnistgov/trec_eval at commit ")
    assert "+    if (max_rel < 0)\n" in path.read_text()
    assert "`fix-development.patch`" in account.mend


def called(account: Account[Any], x: Topics) -> list[str]:
    assert account.call is not None
    return list(account.call(x))


@each_account
def test_a_call_is_short_and_can_be_read(account: Account[Any]) -> None:
    for x in (TWO, *account.examples):
        lines = called(account, x)
        assert len(lines) <= 8
        if account.language == "python":
            compile("\n".join(lines), "call", "exec")
        else:
            subprocess.run(["sh", "-n"], input="\n".join(lines), text=True, check=True)


def test_the_files_of_a_call_of_the_program_are_those_that_are_written(tmp_path: Path) -> None:
    *printed, _ = called(program.CRASH, TWO)
    subprocess.run(["sh"], input="\n".join(printed), text=True, check=True, cwd=tmp_path)
    assert (tmp_path / "qrels").read_text() == "t0 0 d0 1\nt1 0 d0 -2\n"
    assert (tmp_path / "results").read_text() == "t0 Q0 d0 1 0 r\nt1 Q0 d0 1 -1 r\n"


@pytest.mark.skipif(not is_installed(LIBRARY), reason="needs pytrec_eval-terrier")
def test_the_value_behind_a_call_of_the_bindings_is_what_they_give() -> None:
    for x in (ONE, *bindings.ZERO_COUNTS.examples):
        *before, last = called(bindings.ZERO_COUNTS, x)
        call, _, told = last.partition("  # ")
        script = "\n".join([*before, f"print({call})"])
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert float(done.stdout) == float(told)
