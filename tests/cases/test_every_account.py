"""What holds of every account: it is about a known divergence, it has a title, and its inputs are inputs."""

import json
from typing import Any

import pytest

from harness import ledger, registry
from harness.account import Account
from harness.library import Library

LIBRARIES = registry.libraries()

CASES = {case.name: case for library in LIBRARIES for case in library.cases}

ACCOUNTS = [account for library in LIBRARIES for account in library.accounts]

every_library = pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)

every_account = pytest.mark.parametrize("account", ACCOUNTS, ids=lambda account: f"{account.case}-{account.cause}")


@every_library
def test_every_entry_of_the_ledger_has_an_account_in_its_order(library: Library) -> None:
    entries = ledger.read(library.ledger).entries
    assert [(one.case, one.cause) for one in library.accounts] == [(entry.case, entry.cause) for entry in entries]


@every_library
def test_a_title_is_short_and_names_one_account(library: Library) -> None:
    titles = [account.title for account in library.accounts]
    assert len(set(titles)) == len(titles)
    assert all(0 < len(title) <= 80 for title in titles)


@every_account
def test_every_input_that_is_shown_is_one_of_the_case(account: Account[Any]) -> None:
    case = CASES[account.case]
    inputs = [*account.examples, *(x for series in account.series for _, x in series.inputs)]
    assert inputs
    assert [case.from_json(json.loads(json.dumps(case.to_json(x)))) for x in inputs] == inputs
