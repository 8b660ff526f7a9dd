"""What a person says of each known divergence of ranx, for the reports about them."""

from typing import Any

from cases.ranx.accounts.comparable import IGNORED
from cases.ranx.accounts.forms import GRADED as GRADED_IN_EVERY_FORM
from cases.ranx.accounts.forms import WHOLE
from cases.ranx.accounts.per_query import KEY_ERROR
from cases.ranx.accounts.persistence import NAMED
from cases.ranx.accounts.queries import ORDER, SAVED
from cases.ranx.accounts.ranking import AS_IT_CAME
from cases.ranx.accounts.rbp import BEYOND_1, GRADED, LEVEL_GRADED
from harness.account import Account

ACCOUNTS: tuple[Account[Any], ...] = (
    GRADED,
    BEYOND_1,
    LEVEL_GRADED,
    NAMED,
    ORDER,
    SAVED,
    KEY_ERROR,
    IGNORED,
    AS_IT_CAME,
    GRADED_IN_EVERY_FORM,
    WHOLE,
)
"""One for each entry of the ledger, in its order."""
