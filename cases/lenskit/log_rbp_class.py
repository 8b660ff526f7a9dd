"""What the documentation of the proposed LogRBP promises of the class: its signature, its attributes, its refusals."""

from collections.abc import Mapping
from itertools import product as every
from typing import NamedTuple

from cases.lenskit import scripts
from cases.lenskit.lists import USUAL
from cases.lenskit.log_rbp import PAGE, UPSTREAM
from cases.lenskit.rbp import NEGATIVE
from cases.lenskit.weights import NO_NUMBER, TOO_HIGH, TOO_LOW
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped
from harness.expected import Each, Exactly, Expected, OneOf, Refusal, Unspecified, Verbatim
from reference.rbp import received


class Arguments(NamedTuple):
    """A call of LogRBP.

    Attributes
    ----------
    arguments
        What stands in its brackets, as Python would write it.
    """

    arguments: str


SIGNATURE = "n=None, *, k=None, patience=0.85"


def _made(n: int | None, patience: str) -> Expected:
    given = Exactly(received(patience))
    label = "LogRBP" if n is None else f"LogRBP@{n}"
    texts = (label, "lenskit.metrics.ranking._logrbp", str(n), "GeometricRankWeight", SIGNATURE)
    return Each((*map(Verbatim, texts), given, given))


UNKNOWN = Refusal(("TypeError",))

LENGTHS = {"": None, "5": 5, "n=5": 5, "k=5": 5, "None": None, "n=None": None, "k=None": None, "n=None, k=5": 5}
PATIENCE = {"": USUAL, "patience=0.85": "0.85", "patience=0.5": "0.5", "patience=0.999": "0.999"}

REFUSED: Mapping[str, Expected] = {
    "patience=0.0": TOO_LOW,
    "patience=-1": TOO_LOW,
    "patience=False": TOO_LOW,
    "patience=1.0": TOO_HIGH,
    "patience=2": TOO_HIGH,
    "patience=True": TOO_HIGH,
    "patience=nan": OneOf((TOO_LOW, TOO_HIGH)),
    "patience=inf": TOO_HIGH,
    "patience=None": NO_NUMBER,
    "-1": NEGATIVE,
    "n=-1": NEGATIVE,
    "k=-1": NEGATIVE,
    "5, 0.5": UNKNOWN,
    "weight=GeometricRankWeight()": UNKNOWN,
    "weight=LogRankWeight()": UNKNOWN,
    "weight_field='weight'": UNKNOWN,
    "normalize=True": UNKNOWN,
    "base=2": UNKNOWN,
}


def accepted() -> dict[str, Expected]:
    """Return every way to pass a length and a patience, and what it makes."""
    return {
        ", ".join(filter(None, [length, patience])): _made(LENGTHS[length], PATIENCE[patience])
        for length, patience in every(LENGTHS, PATIENCE)
    }


CALLS: dict[str, Expected] = {**accepted(), **REFUSED, "n=5, k=3": Unspecified("nothing says which one counts")}


def _describe_arguments(x: Arguments) -> str:
    return f"LogRBP({x.arguments})"


def _arguments_script(x: Arguments) -> Script:
    return scripts.call(
        CALLS[x.arguments],
        setup="",
        returns=f"metric = LogRBP({x.arguments})\n    weight = type(metric.weight).__name__\n"
        "    parameters = inspect.signature(LogRBP).parameters.values()\n"
        "    bare = [p.replace(annotation=inspect.Parameter.empty) for p in parameters]\n"
        "    signature = str(inspect.Signature(bare))[1:-1]\n"
        "    return [metric.label, type(metric).__module__, str(metric.n), weight, signature, "
        "metric.weight.patience, metric.patience]",
        also=("import inspect",),
        needs=("LogRBP", "GeometricRankWeight", "LogRankWeight"),
        input=_describe_arguments(x),
    )


LOG_RBP_PARAMETERS = Case(
    name="lenskit/log-rbp-parameters",
    contract=Contract(
        says="LogRBP(n=None, *, k=None, patience=0.85) is the whole signature: rank weights of one's own and "
        "weight_field are not accepted; its module is lenskit.metrics.ranking._logrbp, its attributes weight, a "
        "GeometricRankWeight, and patience, which lies between 0 and 1 as that asks for",
        source=f"{PAGE}; the signature of GeometricRankWeight",
        upstream=UPSTREAM,
    ),
    input_type=Arguments,
    call="log_rbp_parameters",
    expected=lambda x: CALLS[x.arguments],
    domains=(
        Domain(
            name="calls",
            parameters={},
            inputs=mapped(Arguments, choice(CALLS)),
            counts=lambda: {0: len(LENGTHS) * len(PATIENCE) + len(REFUSED) + 1},
        ),
    ),
    describe=_describe_arguments,
    script=_arguments_script,
    values="label, module, n, the class of the weight, the signature, the weight's patience, and the metric's",
)
