"""How lenskit is run, and its cases."""

from pathlib import Path

from cases.lenskit import log_rbp
from cases.lenskit.odd_lists import DUPLICATES, ORDER, RANKS
from cases.lenskit.rbp import CUTOFF, CUTOFF_ATTRIBUTE, EMPTY, NORMALIZE, RBP
from cases.lenskit.summaries import LIST_SUMMARY, SUMMARY
from cases.lenskit.weights import LOG_WEIGHTS, PATIENCE, WEIGHTS
from harness.case import Library, Mode

HERE = Path(__file__).parent

INSTALLED = Mode.of_distribution("lenskit", HERE / "adapter.py")

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
        *log_rbp.CASES,
    ),
    ledger=HERE / "known.toml",
)
