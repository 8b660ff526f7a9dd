"""In which order trec_eval takes the documents of a topic."""

import re
from typing import NamedTuple

from hypothesis import strategies as st

from cases.trec_eval.promises import HELP, count
from cases.trec_eval.scripts import call
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, sequence
from harness.expected import Each, Exactly
from reference.trec.dialect import Dialect
from reference.trec.ranking import Scored, ranked, score


class Scores(NamedTuple):
    """The scores of the documents of one topic.

    Attributes
    ----------
    texts
        The score of each document d0, d1, ..., a decimal number or inf in quotes.
    """

    texts: tuple[str, ...]


DOUBLE = "scores in double precision, as from 10.0 on"

SCORES = ("0", "1", "1.0000000000000002", "1.00000001", "16777216", "16777217", "-1", "-0.0", "1e308", "inf")


def _ranks(x: Scores, dialect: Dialect) -> Each:
    scored = [Scored(f"d{i}".encode(), score(text.encode(), dialect)) for i, text in enumerate(x.texts)]
    order = ranked(scored)
    return Each(tuple(count(1 + order.index(one.docno)) for one in scored))


def _score_domain(documents: int) -> Domain[Scores]:
    return Domain(
        name="scores",
        parameters={"documents": documents},
        inputs=mapped(Scores, sequence(choice(SCORES), documents, at_least=1)),
        counts=lambda: {n: len(SCORES) ** n for n in range(1, documents + 1)},
    )


@st.composite
def _many_scores(draw: st.DrawFn) -> Scores:
    numbers = st.floats(allow_nan=False, width=64).map(repr) | st.integers(-3, 3).map(str) | st.sampled_from(SCORES)
    return Scores(tuple(draw(st.lists(numbers, min_size=1, max_size=30))))


NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf")
"""What C and Python read alike."""


def _validate_scores(x: Scores) -> None:
    if not x.texts:
        raise ValueError("at least one score was expected")
    for text in x.texts:
        if not NUMBER.fullmatch(text):
            raise ValueError(f"a decimal number or inf was expected as the text of a score, not {text!r}")


def _describe_scores(x: Scores) -> str:
    return "scores " + ", ".join(f"d{i}: {text}" for i, text in enumerate(x.texts))


def _scores_script(x: Scores) -> Script:
    ranks = [part.value for part in _ranks(x, Dialect.V9_0).parts if isinstance(part, Exactly)]
    scored = {f"d{i}": float(text) for i, text in enumerate(x.texts)}
    qrels = {f"t {name}": {name: 1} for name in scored}
    documented = {f"t d{i}": {"recip_rank": float(1 / rank)} for i, rank in enumerate(ranks)}
    return call(qrels, dict.fromkeys(qrels, scored), documented, _describe_scores(x))


ORDER = Case(
    name="trec_eval/order",
    contract=Contract(
        says="a topic's documents are ranked by score, the highest first, and documents of equal scores by their name, "
        "the greatest first; trec_eval 9.0, which is built in, keeps a score in single precision",
        source=f"{HELP}: 'ranks are assigned by sorting by the sim field with ties broken deterministicly (using "
        "docno)', 'Sim is assumed to be higher for the docs to be retrieved first', and in 9.0 'sim (a float)'",
        upstream="10.0 keeps scores in double precision (usnistgov/trec_eval#34)",
        unpromised="the help text does not say which of two documents of equal scores comes first; that was measured",
    ),
    input_type=Scores,
    call="ranks",
    expected=lambda x: _ranks(x, Dialect.V9_0),
    conventions={DOUBLE: lambda x: _ranks(x, Dialect.V10_0)},
    domains=(_score_domain(3),),
    describe=_describe_scores,
    script=_scores_script,
    beyond=_many_scores(),
    validate=_validate_scores,
    modes=("pytrec_eval",),
    values="the rank of each document",
)
