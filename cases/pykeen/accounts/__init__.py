"""What a person says of each known divergence of pykeen, for the reports about them."""

from typing import Any

from cases.pykeen.accounts.int32 import INT32
from cases.pykeen.accounts.invariance import INTEGER_WEIGHTS, NO_WEIGHT_AT_ALL, WEIGHTLESS_NEIGHBOUR
from cases.pykeen.accounts.inverse_median import INTEGER_RECIPROCAL
from cases.pykeen.accounts.sampling import TRUNCATED_ESTIMATES, TRUNCATED_SAMPLES
from cases.pykeen.accounts.weighted_median import MIDDLE_RANK
from harness.account import Account

ACCOUNTS: tuple[Account[Any], ...] = (
    MIDDLE_RANK,
    INTEGER_WEIGHTS,
    NO_WEIGHT_AT_ALL,
    WEIGHTLESS_NEIGHBOUR,
    INTEGER_RECIPROCAL,
    TRUNCATED_ESTIMATES,
    TRUNCATED_SAMPLES,
    INT32,
)
"""One for each entry of the ledger, in its order."""
