"""What trec_eval computes for the ranking of one topic."""

from typing import NamedTuple

from hypothesis import strategies as st

from cases.trec_eval.promises import HELP, RULE, RUNS_9_0, count
from cases.trec_eval.scripts import call, falling_scores
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, pairs, sequence
from harness.expected import Each, Exactly
from reference.trec import rounding
from reference.trec.measures import evaluate

CUTOFFS = (1, 2, 3, 4, 5, 10, 100)


class Ranking(NamedTuple):
    """A topic's ranking.

    Attributes
    ----------
    grades
        By rank: the grade, or null for a document that the qrels do not name.
    others
        The grades of judged documents that were not retrieved. One of grade 0 is always there, besides these.
    """

    grades: tuple[int | None, ...]
    others: tuple[int, ...]


def _measures(x: Ranking) -> Each:
    found = evaluate(x.grades, [0, *x.others, *(grade for grade in x.grades if grade is not None)])
    ap = found.average_precision
    quotients = (found.reciprocal_rank, found.recall, found.r_precision)
    precisions = [found.precision(n) for n in CUTOFFS]
    return Each(
        (
            count(found.num_ret),
            count(found.num_rel),
            count(found.num_rel_ret),
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
    return call({"q": qrels}, {"q": falling_scores(len(x.grades))}, {"q": documented}, _describe_ranking(x))


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
    values="num_ret, num_rel, num_rel_ret, map, recip_rank, set_recall, Rprec, "
    f"[P_n for n of {', '.join(map(str, CUTOFFS))}]",
)
