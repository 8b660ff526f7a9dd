"""How pykeen is run, and its cases."""

from pathlib import Path

from cases.pykeen.accounts import ACCOUNTS
from cases.pykeen.closed_forms import CLOSED_FORMS, CLOSED_FORMS_INT32, CLOSED_FORMS_ODD_INPUT, VALUES
from cases.pykeen.inverse_median import INVERSE_MEDIAN
from cases.pykeen.median import INVARIANCE, MEDIAN, ODD_INPUT, WEIGHTED_MEDIAN
from cases.pykeen.moments import MOMENTS, MOMENTS_LARGE, NO_CLOSED_FORM
from cases.pykeen.sampling import SAMPLED_VALUES, SAMPLING
from harness.library import Library, Mode

HERE = Path(__file__).parent

INSTALLED = Mode.of_distribution("pykeen", HERE / "adapter.py")

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
        MOMENTS_LARGE,
        NO_CLOSED_FORM,
        SAMPLING,
        SAMPLED_VALUES,
        CLOSED_FORMS,
        VALUES,
        CLOSED_FORMS_INT32,
        CLOSED_FORMS_ODD_INPUT,
    ),
    ledger=HERE / "known.toml",
    accounts=ACCOUNTS,
    constraints=("torch==2.13.0",),  # an open range may pull a build of several GB
)
