"""The accounts of pykeen's divergences: what they work out, quote and test; pykeen itself is not started here."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cases.pykeen.accounts import by_hand
from cases.pykeen.accounts.halves import halves
from cases.pykeen.closed_forms import CLOSED_FORMS_INT32
from cases.pykeen.library import HERE, LIBRARY
from cases.pykeen.median import INVARIANCE
from harness import ledger
from harness.account import Account, Quotation
from harness.case import AnyCase
from harness.expected import Each, Enclosed, Exactly, Unspecified, shown
from proposals import is_installed

CASES = {case.name: case for case in LIBRARY.cases}
MOST = 200

every_account = pytest.mark.parametrize("account", LIBRARY.accounts, ids=lambda one: f"{one.case}: {one.cause}")


def inputs(case: AnyCase) -> Iterator[Any]:
    """Yield some inputs of the first domain, as far apart as they can be."""
    given = case.domains[0].inputs
    for i in range(0, len(given), max(1, len(given) // MOST)):
        yield given[i]


def own_inputs(account: Account[Any]) -> list[Any]:
    return [*account.examples, *(x for one in account.series for _, x in one.inputs)]


@every_account
def test_what_is_worked_out_ends_with_the_expected_value(account: Account[Any]) -> None:
    case = CASES[account.case]
    for x in [*inputs(case), *own_inputs(account)]:
        assert account.worked(x)[-1].endswith(shown(case.expected(x)))


@every_account
def test_a_table_has_a_cell_for_every_head(account: Account[Any]) -> None:
    assert account.table is not None
    for x in [*inputs(CASES[account.case]), *own_inputs(account)]:
        table = account.table(x)
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.heads)}


@every_account
def test_a_regression_test_is_one_short_function(account: Account[Any]) -> None:
    case = CASES[account.case]
    for x in [*inputs(case), *own_inputs(account)]:
        if isinstance(case.expected(x), Unspecified):
            continue
        source = account.test(x).source
        [function] = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        assert function.name.startswith("test_")
        assert any(isinstance(node, ast.Assert | ast.With) for node in function.body)
        assert len(source.splitlines()) <= 40
        assert all(len(line) <= 120 for line in source.splitlines())


@every_account
def test_a_size_is_named_where_there_is_one(account: Account[Any]) -> None:
    sizes = {size for domain in CASES[account.case].domains for size in domain.counts()}
    assert bool(account.size) == (sizes != {0})


def test_what_three_accounts_of_a_case_are_about_is_told_apart() -> None:
    says = [one.says for one in LIBRARY.accounts if one.case == INVARIANCE.name]
    assert len(says) == len({*says, ""}) - 1 == 3


@every_account
def test_a_call_is_a_few_lines_that_end_with_it(account: Account[Any]) -> None:
    assert account.call
    assert account.language == "python"
    for x in [*inputs(CASES[account.case]), *own_inputs(account)]:
        lines = account.call(x)
        assert 0 < len(lines) <= 8
        assert isinstance(ast.parse("\n".join(lines)).body[-1], ast.Expr)


@pytest.mark.skipif(not is_installed(LIBRARY), reason="pykeen is not installed")
def test_the_calls_of_all_examples_are_taken_by_the_library() -> None:
    calls = []
    for account in LIBRARY.accounts:
        assert account.call
        calls += ["\n".join(account.call(x)) for x in account.examples]
    raised = f"""
raised = set()
for call in {calls!r}:
    try:
        exec(call)
    except Exception as error:
        raised.add(type(error).__name__)
print(*raised)
"""
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", raised], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) <= {"UFuncTypeError"}


def test_no_regression_test_has_the_name_of_another_or_of_one_in_a_patch() -> None:
    names = [name for one in LIBRARY.accounts for name in re.findall(r"def (test_\w+)", one.test(_first(one)).source)]
    patches = [path.read_text() for path in (HERE / "patches").glob("*.patch")]
    assert len(set(names)) == len(names)
    assert not {*names} & {name for text in patches for name in re.findall(r"^\+def (test_\w+)", text, re.MULTILINE)}


def _first(account: Account[Any]) -> Any:
    return account.examples[0]


def changed_lines(patch: Path) -> list[str]:
    """Return what a patch changes, but for imports and the one value that the development version scales."""
    lines = [line for line in patch.read_text().splitlines() if re.match(r"[-+](?![-+]{2} )", line)]
    lines = [line.removesuffix(" / WEIGHTED_MEDIAN_SCALE") for line in lines]
    return [line for line in lines if not re.match(r"\+(from pykeen|    [\w]+,$|\)$)", line)]


def test_the_patch_of_the_development_version_makes_the_same_change() -> None:
    patches = {one.development[1] for one in LIBRARY.accounts if one.development}
    [patch] = patches
    assert changed_lines(patch) == changed_lines(HERE / "patches" / "weighted-median.patch")


def lines_with(quotation: Quotation, packages: dict[str, Path]) -> list[int]:
    package, _, rest = quotation.file.partition("/")
    lines = (packages[package] / rest).read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1) if quotation.text in line]


@every_account
@pytest.mark.skipif(not is_installed(LIBRARY), reason="pykeen is not installed")
def test_every_quotation_stands_once_in_what_is_installed(account: Account[Any]) -> None:
    [installation] = LIBRARY.modes[0].find()
    if not ledger.read(LIBRARY.ledger).entries_for(account.case, installation.version):
        pytest.skip("another release is installed")
    for quotation in account.quotations:
        assert len(quotation.text) <= 100
        if quotation.line is None:
            assert len(lines_with(quotation, dict(installation.packages))) == 1
        else:
            assert quotation.source


@pytest.mark.parametrize(
    ("ranks", "weights", "low", "high"),
    [
        ((1, 5, 9), (1, 0, 1), 1, 9),  # half of the weight is at 1, the other half at 9
        ((1, 5, 9), (1, 1, 1), 5, 5),  # two thirds lie on either side of 5
        ((4, 2, 3, 1), (1, 1, 1, 1), 2, 3),
        ((7, 7), (0, 3), 7, 7),
    ],
)
def test_the_ends_of_the_weighted_medians(
    ranks: tuple[int, ...], weights: tuple[int, ...], low: int, high: int
) -> None:
    found = halves(ranks, [Fraction(weight) for weight in weights])
    assert (found.low, found.high) == (low, high)


def test_moments_by_hand_lie_where_the_reference_has_them() -> None:
    checked = 0
    for domain in CLOSED_FORMS_INT32.domains:
        given = domain.inputs
        for i in range(0, len(given), max(1, len(given) // MOST)):
            expected = CLOSED_FORMS_INT32.expected(given[i])
            found, _ = by_hand.moments(given[i])
            if found is None:
                assert isinstance(expected, Unspecified) or "Geometric" in given[i].metric
                continue
            assert isinstance(expected, Each)
            for value, part in zip(found, expected.parts, strict=True):
                assert isinstance(part, Exactly | Enclosed)
                low, high = (part.value,) * 2 if isinstance(part, Exactly) else (part.low, part.high)
                assert low - part.within <= value <= high + part.within
            checked += 1
    assert checked > MOST / 2
