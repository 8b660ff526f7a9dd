"""How trec_eval is run, and its cases: built into pytrec_eval-terrier, or as the program that the user names."""

from pathlib import Path

from cases.trec_eval.accounts import ACCOUNTS
from cases.trec_eval.binary import program
from cases.trec_eval.order import ORDER
from cases.trec_eval.output import OUTPUT, PROGRAM_FIRST_TOPIC, PROGRAM_LATER_TOPICS
from cases.trec_eval.rankings import MEASURES
from cases.trec_eval.topics import FIRST_TOPIC, LATER_TOPICS
from harness.library import Library, Mode

HERE = Path(__file__).parent

PYTREC_EVAL = Mode.of_distribution(
    "pytrec-eval-terrier", HERE / "pytrec_eval" / "adapter.py", "pytrec_eval", "pytrec_eval", "pytrec_eval_ext"
)

BINARY = Mode(
    name="binary",
    distribution="trec_eval",
    find=program.find,
    packages=(),
    adapter=HERE / "binary" / "adapter.py",
)

LIBRARY = Library(
    name="trec_eval",
    modes=(PYTREC_EVAL, BINARY),
    cases=(
        MEASURES,
        ORDER,
        FIRST_TOPIC,
        LATER_TOPICS,
        OUTPUT,
        PROGRAM_FIRST_TOPIC,
        PROGRAM_LATER_TOPICS,
    ),
    ledger=HERE / "known.toml",
    accounts=ACCOUNTS,
)
