"""How pykeen is run, and its cases."""

from pathlib import Path

from cases.pykeen.closed_forms import CLOSED_FORMS, CLOSED_FORMS_INT32, CLOSED_FORMS_ODD_INPUT
from cases.pykeen.median import INVARIANCE, INVERSE_MEDIAN, MEDIAN, ODD_INPUT, WEIGHTED_MEDIAN
from cases.pykeen.moments import MOMENTS, NO_CLOSED_FORM, SAMPLING
from harness.case import Library, Mode
from harness.installation import distribution

HERE = Path(__file__).parent

INSTALLED = Mode(
    name="installed",
    distribution="pykeen",
    find=distribution("pykeen"),
    packages=("pykeen",),
    adapter=HERE / "adapter.py",
)

LIBRARY = Library(
    name="pykeen",
    modes=(INSTALLED,),
    cases=(
        MEDIAN,
        WEIGHTED_MEDIAN,
        INVARIANCE,
        ODD_INPUT,
        INVERSE_MEDIAN,
        MOMENTS,
        NO_CLOSED_FORM,
        SAMPLING,
        CLOSED_FORMS,
        CLOSED_FORMS_INT32,
        CLOSED_FORMS_ODD_INPUT,
    ),
    ledger=HERE / "known.toml",
)
