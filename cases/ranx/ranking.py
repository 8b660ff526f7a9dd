"""How ranx ranks documents by their scores, and where nothing says how."""

import json
import math
from string import Template
from typing import NamedTuple

from cases.ranx import scripts
from cases.ranx.rbp import binary
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import Enumeration, choice, mapped, pairs, power, sized, union
from harness.expected import Exactly, Expected, Unspecified
from harness.script import rounded_up
from reference import rbp
from reference.rbp_rounding import bound


class Scored(NamedTuple):
    """Documents of one query, one of which is relevant, with scores.

    Attributes
    ----------
    scores
        The score of each document, a number or nan in quotes.
    relevant
        The relevant document, as an index of ``scores``.
    form
        How both are given: ``dict``, ``objects`` (a Qrels and a Run), ``array`` or ``list`` (a numba typed list).
    """

    scores: tuple[str, ...]
    relevant: int
    form: str


AS_GIVEN = "in the order given"

SCORES = ("-1", "0", "1", "nan")

FORMS = ("dict", "objects", "array", "list")
"""A dict of dicts, a Qrels and a Run, an array, a numba typed list of arrays."""


def scored_documents(documents: int) -> Domain[Scored]:
    """Return up to so many documents with every score from a few, ties and NaN included."""

    def of(n: int) -> Enumeration[Scored]:
        return sized(
            mapped(
                lambda x: Scored(*x[0], x[1]),
                pairs(pairs(power(choice(SCORES), n), choice(range(n))), choice(FORMS)),
            ),
            n,
        )

    return Domain(
        name="scored documents",
        parameters={"documents": documents},
        inputs=union(*(of(n) for n in range(1, documents + 1))),
        counts=lambda: {n: 4**n * n * 4 for n in range(1, documents + 1)},
    )


def _ranking(x: Scored) -> Expected:
    """Return the value by descending score, where ties and NaN do not leave the order open."""
    scores = [float(score) for score in x.scores]
    if any(math.isnan(score) for score in scores):
        return Unspecified("ranx documents no place for a NaN score")
    if len(set(scores)) < len(scores):
        return Unspecified("ranx documents no order for equal scores")
    order = sorted(range(len(scores)), key=lambda j: -scores[j])
    return binary(tuple(int(j == x.relevant) for j in order), "0.8")


def _as_given(x: Scored) -> Expected:
    return binary(tuple(int(j == x.relevant) for j in range(len(x.scores))), "0.8")


RANKING_BODY = Template('''\
QRELS = {"q0": {"$relevant": 1}}
RUN = {"q0": $run}
$helpers

def observed():
    return evaluate($call, "rbp.8")


def control():
    """A relevant document alone is at rank 1."""
    return evaluate(QRELS, {"q0": {"$relevant": 1.0}}, "mrr") == 1


def is_right(value):
    return abs(value - $value) <= $bound
''')


def _ranking_script(x: Scored) -> Script:
    expected = _ranking(x)
    value = expected if isinstance(expected, Exactly) else binary((1,), "0.8")
    run = ", ".join(f'"d{j}": float("{score}")' for j, score in enumerate(x.scores))
    body = RANKING_BODY.substitute(
        relevant=f"d{x.relevant}",
        run=f"{{{run}}}",
        call=scripts.arguments(x.form),
        helpers=scripts.helpers(x.form),
        bound=repr(rounded_up(2 * bound([1], rbp.received("0.8")))),
        value=repr(float(value.value)),
    )
    return Script(scripts.form_imports(x.form), body, json.dumps(str(value.written)), _describe_scored(x))


def _describe_scored(x: Scored) -> str:
    return f"scores {', '.join(x.scores)}, document {x.relevant} relevant, as {x.form}"


RANKING = Case(
    name="ranx/rbp-ranking",
    contract=Contract(
        says="documents are ranked by descending score, whatever the scores are",
        source='docs/faq.md ("Relevance scores are used by ranx to sort results before computing the metrics")',
    ),
    input_type=Scored,
    call="rbp_ranking",
    expected=_ranking,
    conventions={AS_GIVEN: _as_given},
    domains=(scored_documents(3),),
    describe=_describe_scored,
    script=_ranking_script,
)
