"""What trec_eval computes for one topic, for several, and in which order it takes the documents."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import NamedTuple

from hypothesis import strategies as st

from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, pairs, sequence
from harness.expected import Each, Exactly
from reference.trec import rounding
from reference.trec.dialect import Dialect
from reference.trec.measures import evaluate
from reference.trec.ranking import Scored, ranked, score

CUTOFFS = (1, 2, 3, 4, 5, 10, 100)

RULE = (
    "a document is relevant if its grade is at least 1, one with a negative grade is 'in the pool but unjudged', and "
    "one that is not in the qrels is not relevant"
)

HELP = "trec_eval -h"

RUNS_9_0 = "pytrec_eval-terrier has trec_eval 9.0 built in"


class Ranking(NamedTuple):
    """A topic's ranking.

    Attributes
    ----------
    grades
        By rank: the grade, or None for a document that the qrels do not name.
    others
        The grades of judged documents that were not retrieved. One of grade 0 is always there, besides these.
    """

    grades: tuple[int | None, ...]
    others: tuple[int, ...]


class Topics(NamedTuple):
    """Several topics.

    Attributes
    ----------
    grades
        For each topic, in the order of evaluation, the grades of its documents, all of which are retrieved.
    """

    grades: tuple[tuple[int, ...], ...]


class Scores(NamedTuple):
    """The scores of the documents d0, d1, ... of one topic, as text."""

    texts: tuple[str, ...]


def _count(n: int) -> Exactly:
    return Exactly(Fraction(n))


def _measures(x: Ranking) -> Each:
    found = evaluate(x.grades, [0, *x.others, *(grade for grade in x.grades if grade is not None)])
    ap = found.average_precision
    quotients = (found.reciprocal_rank, found.recall, found.r_precision)
    precisions = [found.precision(n) for n in CUTOFFS]
    return Each(
        (
            _count(found.num_ret),
            _count(found.num_rel),
            _count(found.num_rel_ret),
            Exactly(ap, rounding.of_average_precision(ap, found.num_rel_ret)),
            *(Exactly(value, rounding.of_quotient(value)) for value in quotients),
            Each(tuple(Exactly(value, rounding.of_precision(value)) for value in precisions)),
        )
    )


def _rankings(documents: int, *, thorough: bool = False) -> Domain[Ranking]:
    return Domain(
        name="rankings",
        parameters={"documents": documents},
        inputs=mapped(
            lambda two: Ranking(*two),
            pairs(sequence(choice((-2, -1, 0, 1, 2, None)), documents, at_least=1), choice(OTHERS)),
        ),
        counts=lambda: {n: len(OTHERS) * 6**n for n in range(1, documents + 1)},
        thorough=thorough,
    )


OTHERS = ((), (1,), (-1,), (2, 1))


@st.composite
def _long_rankings(draw: st.DrawFn) -> Ranking:
    grade = st.integers(-3, 200)
    ranking = draw(st.lists(st.none() | grade, min_size=1, max_size=50))
    return Ranking(tuple(ranking), tuple(draw(st.lists(grade, max_size=10))))


def _validate_ranking(x: Ranking) -> None:
    grades = [grade for grade in x.grades if grade is not None]
    if not x.grades or not all(type(grade) is int and abs(grade) < 10**6 for grade in (*grades, *x.others)):
        raise ValueError(
            "a ranking of integer grades between -10^6 and 10^6 was expected, null for an unjudged document"
        )


def _describe_ranking(x: Ranking) -> str:
    grades = ", ".join("not judged" if grade is None else str(grade) for grade in x.grades)
    return f"grades by rank {grades}; not retrieved {[0, *x.others]}"


IMPORTS = """\
try:
    import pytrec_eval
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)
"""

BODY = '''\
QRELS = {qrels}
RUN = {run}


def control():
    """The measures are offered. Nothing is evaluated first: that could change what is observed."""
    return {offered} <= pytrec_eval.supported_measures


def observed():
    found = pytrec_eval.RelevanceEvaluator(QRELS, {measures}).evaluate(RUN)
    return {{topic: {{name: found[topic][name] for name in DOCUMENTED[topic]}} for topic in DOCUMENTED}}


DOCUMENTED = {documented}


def is_right(value):
    return all(abs(value[t][name] - right) < 1e-9 for t, of in DOCUMENTED.items() for name, right in of.items())
'''


def _script(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    documented: dict[str, dict[str, float]],
    text: str,
) -> Script:
    names = sorted({name for of_topic in documented.values() for name in of_topic})
    measures = "{" + ", ".join(json.dumps(name.replace("P_", "P.")) for name in names) + "}"
    offered = "{" + ", ".join(sorted({json.dumps("P" if name.startswith("P_") else name) for name in names})) + "}"
    body = BODY.format(
        offered=offered,
        qrels=json.dumps(qrels),
        run=json.dumps(run),
        measures=measures,
        documented=json.dumps(documented),
    )
    return Script(IMPORTS, body, documented="DOCUMENTED", input=text)


def _scores(count: int) -> dict[str, float]:
    return {f"d{i}": float(count - i) for i in range(count)}


def _ranking_script(x: Ranking) -> Script:
    qrels = {f"d{i}": grade for i, grade in enumerate(x.grades) if grade is not None}
    qrels |= {f"o{i}": grade for i, grade in enumerate(x.others)} | {"z": 0}
    found = evaluate(x.grades, qrels.values())
    documented = {
        "num_ret": found.num_ret,
        "num_rel": found.num_rel,
        "num_rel_ret": found.num_rel_ret,
        "map": float(found.average_precision),
        "recip_rank": float(found.reciprocal_rank),
        "set_recall": float(found.recall),
        "Rprec": float(found.r_precision),
        **{f"P_{n}": float(found.precision(n)) for n in CUTOFFS},
    }
    return _script({"q": qrels}, {"q": _scores(len(x.grades))}, {"q": documented}, _describe_ranking(x))


MEASURES = Case(
    name="trec_eval/measures",
    contract=Contract(
        says="num_ret, num_rel, num_rel_ret, map, recip_rank, set_recall, Rprec and P are those of the ranking, where "
        f"{RULE}",
        source=f"{HELP} and {HELP} -m MEASURE; {RUNS_9_0}",
    ),
    input_type=Ranking,
    call="measures",
    expected=_measures,
    domains=(_rankings(4), _rankings(5, thorough=True)),
    describe=_describe_ranking,
    script=_ranking_script,
    alike=lambda x: (x.grades, x.others),
    beyond=_long_rankings(),
    validate=_validate_ranking,
    modes=("pytrec_eval",),
)


def _topic_counts(x: Topics) -> Each:
    found = [evaluate(topic, topic) for topic in x.grades]
    return Each(tuple(Each((_count(f.num_ret), _count(f.num_rel), _count(f.num_rel_ret))) for f in found))


ZEROS = "zeros for a first topic whose grades are all negative"

TOPIC_GRADES = (1, 0, -1, -2)


def _zeros(x: Topics) -> Each:
    first, *others = _topic_counts(x).parts
    return Each((Each((_count(0),) * 3) if max(x.grades[0]) < 0 else first, *others))


def _first_topics() -> Domain[Topics]:
    """Return one topic of up to three documents."""
    topic = sequence(choice(TOPIC_GRADES), 3, at_least=1)
    return Domain(
        name="one topic",
        parameters={"documents": 3},
        inputs=mapped(lambda grades: Topics((grades,)), topic),
        counts=lambda: {n: len(TOPIC_GRADES) ** n for n in range(1, 4)},
    )


def _later_topics() -> Domain[Topics]:
    """Return a topic of grade 1, and after it up to two topics of up to two documents."""
    topic = sequence(choice(TOPIC_GRADES), 2, at_least=1)
    # A sequence adds one for each of its elements: a topic counts, and so do its documents.
    return Domain(
        name="topics after one of grade 1",
        parameters={"topics": 2, "documents": 2},
        inputs=mapped(lambda later: Topics(((1,), *later)), sequence(topic, 2, at_least=1)),
        counts=lambda: {
            topics + documents: comb(topics, documents - topics) * len(TOPIC_GRADES) ** documents
            for topics in (1, 2)
            for documents in range(topics, 2 * topics + 1)
        },
    )


def _describe_topics(x: Topics) -> str:
    return "topics of grades " + " and ".join(", ".join(map(str, topic)) for topic in x.grades)


def _topics_script(x: Topics) -> Script:
    qrels = {f"t{k}": {f"d{i}": grade for i, grade in enumerate(topic)} for k, topic in enumerate(x.grades)}
    run = {f"t{k}": _scores(len(topic)) for k, topic in enumerate(x.grades)}
    documented: dict[str, dict[str, float]] = {}
    for k, topic in enumerate(x.grades):
        found = evaluate(topic, topic)
        documented[f"t{k}"] = {"num_ret": found.num_ret, "num_rel": found.num_rel, "num_rel_ret": found.num_rel_ret}
    return _script(qrels, run, documented, _describe_topics(x))


NEGATIVE = (
    "the help text allows -1 as the only negative grade, and no version holds a grade to that; the qrels of the TREC "
    "Web track use -2"
)

TOPIC_SOURCE = f"{HELP}, 'Standard evaluation procedure' and 'Rel_info_file format'"

FIRST_TOPIC = Case(
    name="trec_eval/first-topic",
    contract=Contract(
        says=f"a topic has its num_ret, num_rel and num_rel_ret, where {RULE}: one whose grades are all negative has "
        "no relevant document",
        source=f"{TOPIC_SOURCE}; {RUNS_9_0}",
        upstream="for such a topic trec_eval itself ends with status 4, 'Can't calculate measure'",
    ),
    input_type=Topics,
    call="topics",
    expected=_topic_counts,
    conventions={ZEROS: _zeros},
    domains=(_first_topics(),),
    describe=_describe_topics,
    script=_topics_script,
    modes=("pytrec_eval",),
)

LATER_TOPICS = replace(
    FIRST_TOPIC,
    name="trec_eval/later-topics",
    contract=Contract(
        says=f"each topic has its num_ret, num_rel and num_rel_ret, where {RULE}: one whose grades are all negative "
        "has no relevant document",
        source=f"{TOPIC_SOURCE}; {RUNS_9_0}",
        upstream=NEGATIVE,
    ),
    conventions={},
    domains=(_later_topics(),),
)

DOUBLE = "scores in double precision, as from 10.0 on"

SCORES = ("0", "1", "1.0000000000000002", "1.00000001", "16777216", "16777217", "-1", "-0.0", "1e308", "inf")


def _ranks(x: Scores, dialect: Dialect) -> Each:
    scored = [Scored(f"d{i}".encode(), score(text.encode(), dialect)) for i, text in enumerate(x.texts)]
    order = ranked(scored)
    return Each(tuple(_count(1 + order.index(one.docno)) for one in scored))


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


def _validate_scores(x: Scores) -> None:
    if not x.texts or any(math.isnan(float(text)) for text in x.texts):
        raise ValueError("scores were expected; a NaN has no place in an order")


def _describe_scores(x: Scores) -> str:
    return "scores " + ", ".join(f"d{i}: {text}" for i, text in enumerate(x.texts))


def _scores_script(x: Scores) -> Script:
    ranks = [part.value for part in _ranks(x, Dialect.V9_0).parts if isinstance(part, Exactly)]
    scored = {f"d{i}": float(text) for i, text in enumerate(x.texts)}
    qrels = {f"t {name}": {name: 1} for name in scored}
    documented = {f"t d{i}": {"recip_rank": float(1 / rank)} for i, rank in enumerate(ranks)}
    return _script(qrels, dict.fromkeys(qrels, scored), documented, _describe_scores(x))


ORDER = Case(
    name="trec_eval/order",
    contract=Contract(
        says="a topic's documents are ranked by score, the highest first, and documents of equal scores by their name, "
        "the greatest first; trec_eval 9.0, which is built in, keeps a score in single precision",
        source=f"{HELP}: 'ranks are assigned by sorting by the sim field with ties broken deterministicly (using "
        "docno)'; the direction, and the precision, are measured",
        upstream="10.0 keeps scores in double precision (usnistgov/trec_eval#34)",
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
)
