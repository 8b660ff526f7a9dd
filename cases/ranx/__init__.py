"""ranx: https://github.com/AmenRa/ranx."""

from pathlib import Path

from cases.ranx.forms import INPUT_FORMS
from cases.ranx.persistence import PERSISTENCE
from cases.ranx.queries import MAKE_COMPARABLE, PER_QUERY, QUERY_ORDER, SAVED_SCORES
from cases.ranx.ranking import RANKING
from cases.ranx.rbp import LEVEL, RANGE, RBP
from harness.case import Library

HERE = Path(__file__).parent

LIBRARY = Library(
    name="ranx",
    distribution="ranx",
    packages=("ranx",),
    adapter=HERE / "adapter.py",
    cases=(
        RBP,
        RANGE,
        LEVEL,
        PERSISTENCE,
        RANKING,
        QUERY_ORDER,
        SAVED_SCORES,
        PER_QUERY,
        MAKE_COMPARABLE,
        INPUT_FORMS,
    ),
    ledger=HERE / "known.toml",
    modes={"compiled": {}, "interpreted": {"NUMBA_DISABLE_JIT": "1"}},
    caches=("NUMBA_CACHE_DIR",),
    first_call="ranx may compile, for a minute",
)
"""Users run the compiled code. The interpreted one is another function: last bits, and the order of ties, differ."""
