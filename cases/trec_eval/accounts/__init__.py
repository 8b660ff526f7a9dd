"""What a person says of each known divergence of trec_eval, for the reports about it."""

from typing import Any

from cases.trec_eval.accounts import bindings, program
from harness.account import Account

ACCOUNTS: tuple[Account[Any], ...] = (bindings.ZERO_COUNTS, bindings.CRASH, program.FAILURE, program.CRASH)
