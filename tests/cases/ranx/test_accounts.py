"""The accounts of ranx: they work out what the reference expects, and quote what is there; no ranx is run here."""

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from cases.ranx.library import HERE, LIBRARY
from cases.ranx.persistence import DIGITS as NAMED
from cases.ranx.persistence import PERSISTENCE, Spelling
from cases.ranx.rankings import JudgedRanking
from cases.ranx.rbp import RAW_GRADE, RBP
from harness import ledger
from harness.account import Account
from harness.case import Case
from harness.expected import Exactly, shown
from proposals import is_installed

CASES = {case.name: case for case in LIBRARY.cases}

every_account = pytest.mark.parametrize("account", LIBRARY.accounts, ids=lambda one: f"{one.case}: {one.cause}")

SAMPLE = 200
SHORT = 100
"""Characters of a quotation."""


def case_of(account: Account[Any]) -> Case[Any]:
    return CASES[account.case]


def named(account: Account[Any]) -> list[Any]:
    """Return the inputs that an account names."""
    return [*account.examples, *(x for one in account.series for _, x in one.inputs)]


def sample(account: Account[Any]) -> Iterator[Any]:
    """Yield inputs from all over the first domain, and those that an account names."""
    inputs = case_of(account).domains[0].inputs
    yield from (inputs[i] for i in range(0, len(inputs), max(1, len(inputs) // SAMPLE)))
    yield from named(account)


def account_of(case: str, cause: str) -> Account[Any]:
    found = LIBRARY.account(case, cause)
    assert found is not None
    return found


# --- worked out by hand ------------------------------------------------------------------------------------------


@every_account
def test_the_last_step_holds_the_value_that_the_reference_expects(account: Account[Any]) -> None:
    for x in sample(account):
        last = account.worked(x)[-1]
        assert re.search(rf"(?<![\w./]){re.escape(shown(case_of(account).expected(x)))}$", last), (x, last)


def evaluated(side: str) -> Fraction:
    """Return the value of one side of an equation."""
    source = re.sub(r"\d+(\.\d+)?", lambda number: f"Fraction('{number[0]}')", side.replace("^", "**"))
    value = eval(source, {"Fraction": Fraction})  # noqa: S307 - digits, brackets and operators, by the test before
    assert isinstance(value, Fraction)
    return value


@every_account
def test_both_sides_of_every_equation_are_equal(account: Account[Any]) -> None:
    equations = 0
    for x in sample(account):
        for line in account.worked(x):
            found = re.search(r"\b(?:RBP|mean) = ([-\d./ +*^()=]+)$", line)
            if found and "..." not in line:
                equations += 1
                for left, right in pairwise(found[1].split(" = ")):
                    assert evaluated(left) == evaluated(right), line
    assert equations


def test_a_persistence_is_worked_out_at_what_is_written() -> None:
    worked = account_of(PERSISTENCE.name, NAMED).worked
    # 1 - (4/5)^3 = 61/125
    assert worked(Spelling("rbp.8"))[-1].endswith(" = 61/125")
    assert worked(Spelling("rbp.80"))[-1].endswith(" = 61/125")
    assert worked(Spelling("rbp.0.8"))[-1] == "due: a refusal or 61/125"
    assert worked(Spelling("rbp.8-l2"))[-1] == "RBP = 0"
    assert worked(Spelling("rbp@10"))[-1] == "due: a refusal"


# --- inputs ------------------------------------------------------------------------------------------------------


@every_account
def test_a_series_has_a_few_places_and_each_only_once(account: Account[Any]) -> None:
    assert 1 <= len(account.series) <= 3
    for one in account.series:
        places = [place for place, _ in one.inputs]
        assert 4 <= len(places) == len(set(places)) <= 10


@every_account
def test_a_table_has_a_row_for_each_part_of_an_input(account: Account[Any]) -> None:
    assert account.table
    for x in sample(account):
        table = account.table(x)
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.heads)}


def test_the_known_numbers_are_among_the_examples_of_rbp() -> None:
    expected = {x: shown(RBP.expected(x)) for x in account_of(RBP.name, RAW_GRADE).examples}
    assert expected[JudgedRanking((3, 2), (0, 1), "0.8")] == "9/25"
    # 1 - (4/5)^6 = 1 - 4096/15625
    assert expected[JudgedRanking((3,) * 6, tuple(range(6)), "0.8")] == "0.737856"


# --- quotations --------------------------------------------------------------------------------------------------


@every_account
def test_a_quotation_is_short_and_tells_where_it_stands(account: Account[Any]) -> None:
    for one in account.quotations:
        assert 0 < len(one.text) <= SHORT
        assert "\n" not in one.text
        assert one.file.startswith("ranx/") == (one.line is None) == (not one.source)


@pytest.mark.skipif(not is_installed(LIBRARY), reason="no ranx is installed")
@every_account
def test_what_is_quoted_stands_in_its_file_once(account: Account[Any]) -> None:
    [installation] = LIBRARY.modes[0].find()
    if account.cause not in {
        e.cause for e in ledger.read(LIBRARY.ledger).entries_for(account.case, installation.version)
    }:
        pytest.skip("the installed release does not show it")
    for one in account.quotations:
        if one.line is None:
            text = (installation.packages["ranx"].parent / one.file).read_text()
            assert text.count(one.text) == 1, one.text


# --- the other words ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "account", [one for one in LIBRARY.accounts if one.cause == RAW_GRADE], ids=lambda one: one.case
)
def test_graded_gains_are_told_as_chosen_and_both_remedies_are_offered(account: Account[Any]) -> None:
    for number in (45, 58):
        assert f"https://github.com/AmenRa/ranx/issues/{number}" in account.defence
    assert "0.3.15" in account.defence
    assert account.rewording
    assert account.rewording.is_file()
    [entry] = [e for e in ledger.read(LIBRARY.ledger).entries if (e.case, e.cause) == (account.case, account.cause)]
    assert [path.name for path in entry.fix] == ["binary-gain.patch"]
    assert account.span == (Fraction(0), Fraction(1))


NUMBERS = (0.005, 0.05, 0.1, 0.123, 0.5, 0.8, 0.85, 0.949, 0.95, 0.99, 0.994, 0.9949)


@pytest.mark.parametrize("p", NUMBERS)
def test_a_number_is_written_as_the_workaround_says(p: float) -> None:
    account = account_of(PERSISTENCE.name, NAMED)
    assert '`"rbp" + f"{p:.2f}"[1:]`' in account.workarounds[0]
    expected = PERSISTENCE.expected(Spelling("rbp" + f"{p:.2f}"[1:]))
    assert isinstance(expected, Exactly)
    assert expected.written == 1 - Fraction(f"{p:.2f}") ** 3
    assert float(f"{p:.2f}") > 0


@every_account
def test_a_size_is_named_where_there_is_one(account: Account[Any]) -> None:
    sizes = case_of(account).domains[0].counts()
    assert bool(account.size) == (set(sizes) != {0})


# --- a call to copy ----------------------------------------------------------------------------------------------


@every_account
def test_a_call_is_a_few_lines_of_python(account: Account[Any]) -> None:
    assert account.call
    assert account.language == "python"
    for x in sample(account):
        lines = account.call(x)
        assert 0 < len(lines) <= 8
        assert isinstance(ast.parse("\n".join(lines)).body[-1], ast.Expr)


# --- regression tests --------------------------------------------------------------------------------------------


def names_of_tests(tree: ast.Module) -> list[str]:
    return [one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")]


def names_in_patches() -> list[str]:
    """Return the tests that our patches bring into upstream's suite."""
    patches = [path.read_text() for path in (HERE / "patches").glob("*.patch")]
    return [name for text in patches for name in re.findall(r"^\+def (test_\w+)", text, re.MULTILINE)]


def test_no_two_regression_tests_in_one_file_have_one_name() -> None:
    found = [account.test(account.examples[0]) for account in LIBRARY.accounts]
    names = [(one.place, *names_of_tests(ast.parse(one.source))) for one in found]
    assert len(set(names)) == len(names)


@every_account
def test_a_regression_test_is_one_small_test_for_every_input(account: Account[Any]) -> None:
    for x in sample(account):
        source = account.test(x).source
        tree = ast.parse(source)
        [name] = names_of_tests(tree)
        assert name not in names_in_patches()
        assert source.count("\n") <= 60
        assert re.search(r"^    (    |)(assert |with pytest\.raises)", source, re.MULTILINE)


@every_account
def test_a_regression_test_goes_where_upstream_tests_the_same(account: Account[Any]) -> None:
    test = account.test(case_of(account).domains[0].inputs[0])
    calls = "rank_biased_precision(" if test.place.endswith("/rank_biased_precision_test.py") else "evaluate("
    assert re.fullmatch(r"tests/unit/ranx/(meta|metrics)/\w+_test\.py", test.place)
    assert calls in test.source
    assert test.note


@pytest.mark.parametrize(
    ("metric", "check"),
    [
        ("rbp.", "with pytest.raises(ValueError):"),
        ("rbp.0.8", "except ValueError:"),
        ("rbp.8", 'assert np.allclose(evaluate(qrels, run, "rbp.8"), 61 / 125)'),
    ],
)
def test_a_regression_test_of_a_metric_asks_for_what_is_due(metric: str, check: str) -> None:
    account = account_of(PERSISTENCE.name, NAMED)
    assert check in account.test(Spelling(metric)).source
