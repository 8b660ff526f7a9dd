"""Every form of input gives a query the same value in ranx, whatever kind of number a grade is."""

import json
import math
from fractions import Fraction
from string import Template
from typing import NamedTuple

from cases.ranx import scripts
from cases.ranx.ranking import FORMS
from cases.ranx.rbp import RAW_GRADE
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import arrangement, choice, mapped, pairs, power, sized, union
from harness.expected import Exactly
from harness.script import rounded_up
from reference import rbp
from reference.rbp import Gain
from reference.rbp_rounding import bound

WHOLE_PART = "whole part of the grade as gain"

P, WRITTEN = rbp.received("0.8"), Fraction("0.8")


class FormedRanking(NamedTuple):
    """One topic with any numbers as grades, in a form of input.

    Attributes
    ----------
    grades
        The grades of the judged documents d0, d1, ..., each a number in quotes.
    run
        The documents that are retrieved, best first, as indices of ``grades``; the number after the last is an
        unjudged document.
    form
        How both are given: ``dict``, ``objects`` (a Qrels and a Run), ``array`` or ``list`` (a numba typed list).
    """

    grades: tuple[str, ...]
    run: tuple[int, ...]
    form: str


GRADES = ("0", "1", "2", "0.5", "1.5")


def formed_rankings(documents: int) -> Domain[FormedRanking]:
    """Return up to so many judged documents and one unjudged, every run over them, in every form of input."""
    return Domain(
        name="formed rankings",
        parameters={"documents": documents},
        inputs=union(
            *(
                sized(
                    mapped(
                        lambda x: FormedRanking(*x[0], x[1]),
                        pairs(pairs(power(choice(GRADES), n), arrangement(range(n + 1), at_least=1)), choice(FORMS)),
                    ),
                    n,
                )
                for n in range(1, documents + 1)
            )
        ),
        counts=lambda: {
            n: len(GRADES) ** n * sum(math.perm(n + 1, k) for k in range(1, n + 2)) * len(FORMS)
            for n in range(1, documents + 1)
        },
    )


def _grades(x: FormedRanking) -> list[Fraction | None]:
    """Return the grades in rank order, None for the unjudged document."""
    return [Fraction(x.grades[d]) if d < len(x.grades) else None for d in x.run]


def _exactly(gains: list[Gain]) -> Exactly:
    return Exactly(rbp.graded(gains, P), bound(gains, P), rbp.graded(gains, WRITTEN))


def _binary(x: FormedRanking) -> Exactly:
    return _exactly([int(grade is not None and grade >= 1) for grade in _grades(x)])


def _raw(x: FormedRanking) -> Exactly:
    return _exactly([grade if grade is not None and grade >= 1 else 0 for grade in _grades(x)])


def _whole(x: FormedRanking) -> Exactly:
    return _exactly([int(grade) if grade is not None and grade >= 1 else 0 for grade in _grades(x)])


def _describe(x: FormedRanking) -> str:
    judged = ", ".join(f"d{j}: {grade}" for j, grade in enumerate(x.grades))
    return f"qrels {{{judged}}}, run {' > '.join(f'd{d}' for d in x.run)}, p = 0.8, as {x.form}"


BODY = Template('''\
QRELS = $qrels
RUN = $run
$helpers

def observed():
    return evaluate($call, "rbp.8")


def control():
    """A document of grade 1 alone is relevant, and at rank 1."""
    return evaluate({"q0": {"d0": 1}}, {"q0": {"d0": 1.0}}, "mrr") == 1


def is_right(value):
    """Compare with the documented value; float64 rounding can make up at most the bound here."""
    return abs(value - $value) <= $bound
''')


def numbers(x: FormedRanking) -> dict[str, float]:
    """Return the grades as numbers, integers where they are written so."""
    return {f"d{j}": float(grade) if "." in grade else int(grade) for j, grade in enumerate(x.grades)}


def _script(x: FormedRanking) -> Script:
    expected = _binary(x)
    body = BODY.substitute(
        qrels=json.dumps({"q0": numbers(x)}),
        run=json.dumps({"q0": {f"d{d}": float(len(x.run) - i) for i, d in enumerate(x.run)}}),
        helpers=scripts.helpers(x.form),
        call=scripts.arguments(x.form),
        value=repr(float(expected.value)),
        bound=repr(rounded_up(2 * expected.within)),
    )
    return Script(scripts.form_imports(x.form), body, json.dumps(str(expected.written)), _describe(x))


INPUT_FORMS = Case(
    name="ranx/rbp-input-forms",
    contract=Contract(
        says="qrels are a Qrels, a dictionary of dictionaries of numbers, a numba typed list or an array; in each of "
        "these forms a document of at least the relevance level, 1, counts 1",
        source="the docstring of ranx.evaluate, arguments qrels and run; the docstring of "
        "ranx.metrics.rank_biased_precision",
        upstream="grades are used as gains on purpose since 0.3.15 (AmenRa/ranx#45); a Qrels holds integers, and takes "
        "the whole part of other numbers",
    ),
    input_type=FormedRanking,
    call="rbp_input_forms",
    expected=_binary,
    conventions={RAW_GRADE: _raw, WHOLE_PART: _whole},
    domains=(formed_rankings(2),),
    describe=_describe,
    script=_script,
)
