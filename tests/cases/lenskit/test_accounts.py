"""What is said of lenskit's divergences holds, as far as it can be seen without starting lenskit."""

import ast
import importlib.util
import math
import re
from fractions import Fraction
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cases.lenskit.library import HERE, LIBRARY
from cases.lenskit.lists import CutList
from cases.lenskit.rbp import CUTOFF, NORMALIZE
from harness import ledger
from harness.account import Account
from harness.case import AnyCase
from harness.expected import Exactly, Expected, OneOf, Refusal, Special, Unspecified, shown

CASES = {case.name: case for case in LIBRARY.cases}
ENTRIES = ledger.read(LIBRARY.ledger).entries

FOUND = importlib.util.find_spec("lenskit")
FOLDER = Path(FOUND.origin).parents[1] if FOUND and FOUND.origin else None


def case_of(account: Account[Any]) -> AnyCase:
    return CASES[account.case]


def name_of(account: Account[Any]) -> str:
    return f"{case_of(account).short_name}: {account.cause}"


every_account = pytest.mark.parametrize("account", LIBRARY.accounts, ids=name_of)


def says(line: str, expected: Expected) -> bool:
    """Return whether the end of a line is what is expected."""
    match expected:
        case Exactly() | Special():
            return line.endswith(f" {shown(expected)}")
        case Refusal(errors):
            return "a refusal" in line and all(error in line for error in errors)
        case Unspecified():
            return line.endswith("unspecified")
        case OneOf((Exactly() as value, Refusal() as refusal)):
            return line.endswith(f"{shown(value)} or a refusal") and says(line, refusal)
        case _:
            return False


def shown_inputs(account: Account[Any]) -> list[Any]:
    """Return every input that an account shows."""
    return [*account.examples, *(x for series in account.series for _, x in series.inputs)]


def mismatched(account: Account[Any]) -> list[Any]:
    """Return inputs of the domains that the ledger counts for this cause: those that show it, where a reading tells."""
    [entry] = [one for one in ENTRIES if (one.case, one.cause) == (account.case, account.cause)]
    domains = [
        domain
        for domain in case_of(account).domains
        for count in entry.counts_of(domain)
        if any(count.mismatches.values())
    ]
    case = case_of(account)
    reading = case.conventions.get(account.cause)
    return [
        x
        for domain in domains
        for x in islice(iter(domain.inputs), 200)
        if reading is None or reading(x) != case.expected(x)
    ]


@every_account
def test_the_steps_come_to_the_expected_value(account: Account[Any]) -> None:
    case = case_of(account)
    inputs = [*islice(iter(case.domains[0].inputs), 200), *mismatched(account), *shown_inputs(account)]
    for x in inputs:
        *_, last = account.worked(x)
        assert says(last, case.expected(x)), (x, last)


def test_the_steps_are_written_out() -> None:
    [account] = [one for one in LIBRARY.accounts if one.cause == "no longer than the retrieved list"]
    assert account.worked(CutList((1,), 1, 4, 2, "n", "0.85")) == [
        "p = 0.85 = 17/20",
        "n = 2 keeps the whole list, of 1 item",
        "sum of p^(i-1) over the ranks i of the hits: p^0 = 1",
        "there are 5 test items, of which n = 2 allows 2, so that the best list begins with 2 hits: p^0 + p^1 = 37/20",
        "normalised RBP = (1 - p) * 1 / ((1 - p) * 37/20) = 20/37",
    ]


@every_account
def test_every_series_has_four_to_ten_places(account: Account[Any]) -> None:
    for series in account.series:
        assert 4 <= len(dict(series.inputs)) <= 10


@every_account
def test_every_table_has_a_cell_under_every_head(account: Account[Any]) -> None:
    assert account.table
    for x in mismatched(account):
        table = account.table(x)
        assert {len(row) for row in table.rows} <= {len(table.heads)}


@every_account
def test_a_size_is_named_where_there_is_one(account: Account[Any]) -> None:
    sizes = {size for domain in case_of(account).domains for size in domain.counts()}
    assert bool(account.size) == (sizes != {0})


@every_account
def test_a_call_is_a_few_lines_that_end_with_it(account: Account[Any]) -> None:
    assert account.call
    assert account.language == "python"
    for x in [*mismatched(account), *shown_inputs(account)]:
        lines = account.call(x)
        assert 0 < len(lines) <= 8
        assert isinstance(ast.parse("\n".join(lines)).body[-1], ast.Expr)


def observed(account: Account[Any], x: Any) -> Any:
    """Return what comes of the call to copy: a value, or the name of an error."""
    assert account.call
    *lines, last = account.call(x)
    names: dict[str, Any] = {}
    try:
        exec("\n".join(lines), names)  # noqa: S102 - an account's own call
        return eval(last, names)  # noqa: S307 - the same
    except (ArithmeticError, AssertionError, AttributeError, ValueError) as error:
        return type(error).__name__


@pytest.mark.skipif(FOLDER is None, reason="lenskit is not installed")
@pytest.mark.filterwarnings("ignore")
@every_account
def test_a_call_shows_the_divergence(account: Account[Any]) -> None:
    installed = metadata.version("lenskit")
    if account not in [
        LIBRARY.account(one.case, one.cause) for one in ledger.read(LIBRARY.ledger).entries_for(account.case, installed)
    ]:
        pytest.skip("the installed release does not show it")
    _, raises, error = account.cause.partition("raises ")
    if raises:
        assert error in [observed(account, x) for x in mismatched(account)[:60]]
        return
    x = mismatched(account)[0]
    expected, value = case_of(account).expected(x), observed(account, x)
    assert math.isnan(value) if account.cause.startswith("NaN") else not math.isnan(value)
    assert not isinstance(expected, Exactly) or not math.isclose(value, expected.value)


def names_in_patches() -> set[str]:
    """Return the tests that our patches bring into upstream's suite."""
    patches = [path.read_text() for path in (HERE / "patches").glob("*.patch")]
    return {name for text in patches for name in re.findall(r"^\+def (test_\w+)", text, re.MULTILINE)}


def test_no_two_regression_tests_have_one_name() -> None:
    names = [
        re.findall(r"^def (test_\w+)", account.test(mismatched(account)[0]).source, re.MULTILINE)
        for account in LIBRARY.accounts
    ]
    assert len({name for found in names for name in found}) == sum(map(len, names))


@every_account
def test_every_regression_test_is_a_small_file_with_one_test_or_two(account: Account[Any]) -> None:
    for x in mismatched(account)[:50]:
        if isinstance(case_of(account).expected(x), Unspecified):
            continue
        source = account.test(x).source
        tests = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        assert 1 <= len(tests) <= 2
        assert not {test.name for test in tests} & names_in_patches()
        assert all(
            test.name.startswith("test_rbp_" if "rank_rbp" in account.test(x).place else "test_") for test in tests
        )
        assert 8 <= len(source.splitlines()) <= 40
        assert max(map(len, source.splitlines())) <= 120


@pytest.mark.skipif(FOLDER is None, reason="lenskit is not installed")
@every_account
def test_every_quotation_is_found_once(account: Account[Any]) -> None:
    assert FOLDER
    for quotation in account.quotations:
        if quotation.line is not None:
            assert quotation.source
            continue
        lines = (FOLDER / quotation.file).read_text(encoding="utf-8").splitlines()
        assert sum(line.count(quotation.text) for line in lines) == 1, quotation


def test_dividing_by_hand_gives_the_documented_value() -> None:
    for x in islice(iter(NORMALIZE.domains[0].inputs), 700):
        if not x.relevant or (x.cutoff is not None and x.cutoff < 1):
            continue
        plain, normalised = CUTOFF.expected(x), NORMALIZE.expected(x)
        assert isinstance(plain, Exactly)
        assert isinstance(normalised, Exactly)
        best = 1 - Fraction(float(x.patience)) ** (x.relevant if x.cutoff is None else min(x.cutoff, x.relevant))
        assert plain.value / best == normalised.value
