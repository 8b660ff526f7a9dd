"""What a person says of each known divergence of lenskit."""

from typing import Any

from cases.lenskit.accounts.cutoff import CUTOFF_ATTRIBUTE_ACCOUNT
from cases.lenskit.accounts.normalization import NORMALIZE_ACCOUNT
from cases.lenskit.accounts.nothing_left import EMPTY_ACCOUNT, NOTHING_LEFT_ACCOUNT
from cases.lenskit.accounts.order import ORDER_ACCOUNT
from cases.lenskit.accounts.summaries import LIST_SUMMARY_ACCOUNT, SUMMARY_ACCOUNT
from harness.account import Account

ACCOUNTS: tuple[Account[Any], ...] = (
    NORMALIZE_ACCOUNT,
    NOTHING_LEFT_ACCOUNT,
    EMPTY_ACCOUNT,
    CUTOFF_ATTRIBUTE_ACCOUNT,
    ORDER_ACCOUNT,
    SUMMARY_ACCOUNT,
    LIST_SUMMARY_ACCOUNT,
)
