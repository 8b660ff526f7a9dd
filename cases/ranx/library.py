"""How ranx is run, and its cases."""

from dataclasses import replace
from pathlib import Path

from cases.ranx.accounts import ACCOUNTS
from cases.ranx.forms import INPUT_FORMS
from cases.ranx.persistence import PERSISTENCE
from cases.ranx.queries import MAKE_COMPARABLE, PER_QUERY, QUERY_ORDER, SAVED_SCORES
from cases.ranx.ranking import RANKING
from cases.ranx.rbp import LEVEL, RANGE, RBP
from harness.library import Library, Mode

HERE = Path(__file__).parent

COMPILED = Mode.of_distribution("ranx", HERE / "adapter.py", "compiled")
"""What users run."""

INTERPRETED = replace(COMPILED, name="interpreted", environment={"NUMBA_DISABLE_JIT": "1"}, is_counted=False)
"""It is another function: last bits, and the order of ties, differ."""

FORGOTTEN = (("ranx>=0.3.8,<=0.3.10", "matplotlib"), ("ranx>=0.3.8,<=0.3.11", "seaborn"))
"""Without these, `import ranx` fails: so it was seen of each of them, and of no other release from 0.2.7 on."""

LIBRARY = Library(
    name="ranx",
    modes=(COMPILED, INTERPRETED),
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
    caches=("NUMBA_CACHE_DIR",),
    first_call="ranx may compile, for a minute",
    undated=("ir-datasets",),  # of 2022 and before: it builds with a header that few machines have
    forgotten=FORGOTTEN,
    accounts=ACCOUNTS,
)
