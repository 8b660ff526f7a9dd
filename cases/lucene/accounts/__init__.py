"""What a person says of each known divergence of Lucene's quality benchmark, for the reports about it."""

from typing import Any

from cases.lucene.accounts.judge import JUDGE
from cases.lucene.accounts.mean import MEAN
from cases.lucene.accounts.searches import SEARCHES
from harness.account import Account

ACCOUNTS: tuple[Account[Any], ...] = (JUDGE, MEAN, SEARCHES)
