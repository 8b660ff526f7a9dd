"""How a call of ranx is written in a reproduction script."""

import json
import math
from collections.abc import Mapping
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from string import Template

from harness.case import Script

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
    """With grades that are 0 or 1 already, ranx gives the documented value."""
    ones = {"q0": {document: 1 if grade >= $level else 0 for document, grade in QRELS["q0"].items()}}
    return is_right(evaluate(ones, RUN, "$control"))


def is_right(value):
    """Compare at the exact value of the float p; float64 rounding can make up at most the bound here."""
    return abs(Fraction(float(value)) - documented(Fraction($p))) <= Fraction($bound)
''')


def imports(names: str) -> str:
    """Return guarded imports: a library that does not import is no verdict."""
    return f"""\
from fractions import Fraction

try:
    from ranx import {names}
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)
"""


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
    body = BY_VALUE.substitute(
        qrels=json.dumps({"q0": qrels}),
        run=json.dumps({"q0": run}),
        relevant=relevant,
        why=f"1 for a grade of at least {level}, else 0",
        metric=metric,
        control=metric.partition("-l")[0],
        level=level,
        p=persistence,
        bound=f"{rounded_up(bound)!r}",
    )
    return Script(
        imports=imports("evaluate"),
        body=body,
        documented=f'documented(Fraction("{persistence}"))',
        input=input,
    )


def rounded_up(bound: Fraction) -> float:
    """Return a float no smaller than the bound, with three digits if that is possible."""
    context = Context(prec=3, rounding=ROUND_CEILING)
    rounded = float(context.divide(Decimal(bound.numerator), Decimal(bound.denominator)))
    return rounded if Fraction(rounded) >= bound else math.nextafter(rounded, math.inf)
