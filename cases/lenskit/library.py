"""How lenskit is run, and its cases."""

from pathlib import Path

from cases.lenskit.accounts import ACCOUNTS
from cases.lenskit.log_mean import LOG_RBP_MEASUREMENTS, LOG_RBP_SUMMARY
from cases.lenskit.log_rbp import LOG_RBP, LOG_RBP_CUTOFF, LOG_RBP_ORDER, LOG_RBP_RANKS
from cases.lenskit.log_rbp_class import LOG_RBP_PARAMETERS
from cases.lenskit.odd_lists import DUPLICATES, ORDER, RANKS
from cases.lenskit.rbp import CUTOFF, CUTOFF_ATTRIBUTE, EMPTY, NORMALIZE, RBP
from cases.lenskit.summaries import LIST_SUMMARY, SUMMARY
from cases.lenskit.weights import LOG_WEIGHTS, PATIENCE, WEIGHTS
from harness.library import Library, Mode

HERE = Path(__file__).parent

INSTALLED = Mode.of_distribution("lenskit", HERE / "adapter.py")

LOG_RBP_CASES = (
    LOG_RBP,
    LOG_RBP_CUTOFF,
    LOG_RBP_ORDER,
    LOG_RBP_RANKS,
    LOG_RBP_SUMMARY,
    LOG_RBP_MEASUREMENTS,
    LOG_RBP_PARAMETERS,
)
"""About a metric that no release has yet."""

LIBRARY = Library(
    name="lenskit",
    modes=(INSTALLED,),
    cases=(
        RBP,
        CUTOFF,
        CUTOFF_ATTRIBUTE,
        NORMALIZE,
        EMPTY,
        DUPLICATES,
        ORDER,
        RANKS,
        WEIGHTS,
        LOG_WEIGHTS,
        PATIENCE,
        SUMMARY,
        LIST_SUMMARY,
        *LOG_RBP_CASES,
    ),
    ledger=HERE / "known.toml",
    constraints=("torch==2.13.0",),  # an open range may pull a build of several GB
    accounts=ACCOUNTS,
)
