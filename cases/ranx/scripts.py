"""How a call of ranx is written in a reproduction script."""

import json
from collections.abc import Mapping
from fractions import Fraction
from string import Template

from harness.case import Script
from harness.script import guarded, rounded_up

BY_VALUE = Template('''\
QRELS = $qrels
RUN = $run


def documented(p):
    """Return RBP = (1 - p) * sum of r_i * p^(i-1), with r_i = 1 where the i-th document is relevant."""
    relevant = $relevant  # in rank order: $why
    return (1 - p) * sum(r * p**i for i, r in enumerate(relevant))


def observed():
    return evaluate(QRELS, RUN, "$metric")


def control():
$control


def is_right(value):
    """Compare at the exact value of the float p; float64 rounding can make up at most the bound here."""
    return abs(Fraction(float(value)) - documented(Fraction($p))) <= Fraction($bound)
''')


ZERO_CONTROL = '''\
    """A document of grade 0 scores 0."""
    return evaluate({"q0": {"d0": 0}}, {"q0": {"d0": 1.0}}, "rbp.8") == 0'''
"""For an input whose grades are 0 and 1: the control may not be what the script is about."""


def ones_control(level: int, metric: str) -> str:
    """Return the control that replaces grades by 0 or 1."""
    return f'''\
    """With grades that are 0 or 1 already, ranx gives a right value."""
    ones = {{"q0": {{document: 1 if grade >= {level} else 0 for document, grade in QRELS["q0"].items()}}}}
    return is_right(evaluate(ones, RUN, "{metric}"))'''


def level_control(level: int, hits: int, retrieved: int) -> str:
    """Return the control that asks another metric about the same run, at the same level."""
    return f'''\
    """The precision at this level is right: {hits} of {retrieved}."""
    return abs(evaluate(QRELS, RUN, "precision-l{level}") - {hits} / {retrieved}) <= 1e-12'''


FRACTION = "from fractions import Fraction\n\n"


def imports(names: str) -> str:
    """Return guarded imports of ranx."""
    return guarded(f"from ranx import {names}")


def by_value(  # noqa: PLR0913 - what the script spells out
    qrels: Mapping[str, int],
    run: Mapping[str, float],
    *,
    relevant: list[int],
    level: int,
    persistence: str,
    metric: str,
    bound: Fraction,
    input: str,  # noqa: A002 - the word for it
) -> Script:
    """Return a script about the value of one query."""
    control = ones_control(level, metric) if any(grade not in (0, 1) for grade in qrels.values()) else ZERO_CONTROL
    if "-l" in metric:
        control = level_control(level, sum(relevant), len(relevant))
    body = BY_VALUE.substitute(
        qrels=json.dumps({"q0": qrels}),
        run=json.dumps({"q0": run}),
        relevant=relevant,
        why=f"1 for a grade of at least {level}, else 0",
        metric=metric,
        control=control,
        p=persistence,
        bound=f"{rounded_up(bound)!r}",
    )
    return Script(
        imports=FRACTION + imports("evaluate"),
        body=body,
        documented=f'documented(Fraction("{persistence}"))',
        input=input,
    )


AS_ARRAY = '''

def as_array(by_query):
    """Return rows of (document, grade or score), in the order given."""
    return np.array([[[float(d[1:]), v] for d, v in docs.items()] for docs in by_query.values()])

'''


def helpers(form: str) -> str:
    """Return the helper that a form of input needs."""
    return AS_ARRAY if form in {"array", "list"} else ""


def wrapped(form: str, name: str) -> str:
    """Return how a dict of that name is given in a form of input."""
    calls = {"dict": name, "array": f"as_array({name})", "list": f"TypedList(list(as_array({name})))"}
    return calls.get(form, f"{form}({name})")


def arguments(form: str) -> str:
    """Return both arguments in one form; ``objects`` are a Qrels and a Run."""
    qrels, run = ("Qrels", "Run") if form == "objects" else (form, form)
    return f"{wrapped(qrels, 'QRELS')}, {wrapped(run, 'RUN')}"


def form_imports(*forms: str) -> str:
    """Return what a script imports for these forms of input."""
    names = {name for form in forms for name in (("Qrels", "Run") if form == "objects" else (form,))}
    arrays = "import numpy as np\n\n" if {"array", "list"} & names else ""
    lists = "from numba.typed import List as TypedList\n" if "list" in names else ""
    return arrays + lists + imports(", ".join([*sorted(names & {"Qrels", "Run"}), "evaluate"]))
