"""What trec_eval computes for several topics, some of which have negative grades alone."""

from dataclasses import replace
from math import comb
from typing import NamedTuple

from cases.trec_eval.promises import HELP, NEGATIVE, RULE, RUNS_9_0, count
from cases.trec_eval.scripts import call, falling_scores
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, sequence
from harness.expected import Each
from reference.trec.measures import evaluate


class Topics(NamedTuple):
    """Several topics.

    Attributes
    ----------
    grades
        For each topic, in the order of evaluation, the grades of its documents, all of which are retrieved.
    """

    grades: tuple[tuple[int, ...], ...]


def _topic_counts(x: Topics) -> Each:
    found = [evaluate(topic, topic) for topic in x.grades]
    return Each(tuple(Each((count(f.num_ret), count(f.num_rel), count(f.num_rel_ret))) for f in found))


ZEROS = "zeros for a first topic whose grades are all negative"

TOPIC_GRADES = (1, 0, -1, -2)


def _zeros(x: Topics) -> Each:
    first, *others = _topic_counts(x).parts
    return Each((Each((count(0),) * 3) if max(x.grades[0]) < 0 else first, *others))


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
    topics = [f"of grade{'s' if len(topic) > 1 else ''} {', '.join(map(str, topic))}" for topic in x.grades]
    return f"one topic {topics[0]}" if len(topics) == 1 else f"topics {' and '.join(topics)}"


def _topics_script(x: Topics) -> Script:
    qrels = {f"t{k}": {f"d{i}": grade for i, grade in enumerate(topic)} for k, topic in enumerate(x.grades)}
    run = {f"t{k}": falling_scores(len(topic)) for k, topic in enumerate(x.grades)}
    documented: dict[str, dict[str, float]] = {}
    for k, topic in enumerate(x.grades):
        found = evaluate(topic, topic)
        documented[f"t{k}"] = {"num_ret": found.num_ret, "num_rel": found.num_rel, "num_rel_ret": found.num_rel_ret}
    return call(qrels, run, documented, _describe_topics(x))


IGNORED = (
    "the help text says that 'queries for which there is no relevance information are ignored', and a topic whose "
    "grades are all negative may be meant by that; if it is evaluated, this is what a user would expect"
)

TOPIC_SOURCE = f"{HELP}, 'Standard evaluation procedure' and 'Rel_info_file format'"

FIRST_TOPIC = Case(
    name="trec_eval/first-topic",
    contract=Contract(
        says=f"a topic has its num_ret, num_rel and num_rel_ret, where {RULE}: one whose grades are all negative has "
        "no relevant document",
        source=f"{TOPIC_SOURCE}; {RUNS_9_0}",
        upstream=f"for such a topic trec_eval itself ends with status 4, 'Can't calculate measure'; {NEGATIVE}",
        unpromised=IGNORED,
    ),
    input_type=Topics,
    call="topics",
    expected=_topic_counts,
    conventions={ZEROS: _zeros},
    domains=(_first_topics(),),
    describe=_describe_topics,
    script=_topics_script,
    modes=("pytrec_eval",),
    values="num_ret, num_rel, num_rel_ret of each topic",
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
