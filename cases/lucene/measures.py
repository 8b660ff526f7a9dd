"""What Lucene's QualityStats computes for one ranking."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

from cases.lucene import scripts
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import Enumeration, choice, mapped, pairs, sequence
from harness.expected import Each, Exactly
from reference.trec import rounding
from reference.trec.measures import Measures

MAX_POINTS = 20
"""QualityStats knows P@n for n up to this."""

FIRST = 5
"""Where the javadoc of QualityStats.getMRR() cuts the list."""

MOST = 10**9
"""Far below the numbers from which on a log's digits are not modelled: docs/lucene.md."""

ANY_RANK = "reciprocal rank at any rank"

CLASS = "org.apache.lucene.benchmark.quality.QualityStats"


class Ranked(NamedTuple):
    """A ranking for one query.

    Attributes
    ----------
    known
        How many documents are known to be relevant, retrieved or not.
    relevant
        By rank, best first: 1 if the document is relevant, else 0.
    """

    known: int
    relevant: tuple[int, ...]


def measures_of(x: Ranked) -> Measures:
    """Return the exact measures of a ranking."""
    ranks = tuple(rank for rank, relevant in enumerate(x.relevant, start=1) if relevant)
    return Measures(len(x.relevant), x.known, len(ranks), ranks)


def _precisions(measures: Measures, up_to: int) -> Each:
    values = [measures.precision(n) for n in range(1, up_to + 1)]
    return Each(tuple(Exactly(value, rounding.of_precision(value)) for value in values))


def _sheet(x: Ranked, reciprocal_rank: Fraction) -> Each:
    measures = measures_of(x)
    ap, recall = measures.average_precision, measures.recall
    return Each(
        (
            Exactly(Fraction(measures.num_ret)),
            Exactly(Fraction(measures.num_rel_ret)),
            Exactly(Fraction(measures.num_rel)),
            Exactly(ap, rounding.of_average_precision(ap, measures.num_rel_ret)),
            Exactly(reciprocal_rank, rounding.of_quotient(reciprocal_rank)),
            Exactly(recall, rounding.of_quotient(recall)),
            _precisions(measures, MAX_POINTS),
        )
    )


def documented(x: Ranked) -> Each:
    """Return the measures as Lucene documents them: only a relevant document among the first five has a rank."""
    return _sheet(x, measures_of(Ranked(x.known, x.relevant[:FIRST])).reciprocal_rank)


def _at_any_rank(x: Ranked) -> Each:
    return _sheet(x, measures_of(x).reciprocal_rank)


def rankings(documents: int, missed: int) -> Enumeration[Ranked]:
    """Return all rankings of up to that many documents, with 0 to ``missed`` relevant ones that were not retrieved."""
    return mapped(
        lambda parts: Ranked(sum(parts[0]) + parts[1], parts[0]),
        pairs(sequence(choice((0, 1)), documents), choice(range(missed + 1))),
    )


def ranked_domain(documents: int, *, thorough: bool = False) -> Domain[Ranked]:
    """Return all rankings of up to so many documents, with up to two relevant ones that were not retrieved."""
    return Domain(
        name="rankings",
        parameters={"documents": documents, "missed": 2},
        inputs=rankings(documents, 2),
        counts=lambda: {n: 3 * 2**n for n in range(documents + 1)},
        thorough=thorough,
    )


def _describe(x: Ranked) -> str:
    return f"relevance by rank {list(x.relevant)}, {x.known} known to be relevant"


def validate_ranked(x: Ranked) -> None:
    """Raise ValueError for what is no ranking."""
    if not all(type(one) is int and one in {0, 1} for one in x.relevant):
        raise ValueError(f"relevance of 0 or 1 by rank was expected, not {x.relevant!r}")
    if not sum(x.relevant) <= x.known <= MOST:
        raise ValueError(f"{sum(x.relevant)} to {MOST} known to be relevant were expected, not {x.known}")


def java_call(known: int, relevant: Sequence[int]) -> str:
    """Return the Java expression for a ranking's statistics."""
    return f"ranked({', '.join(map(str, (known, *relevant)))})"


CONTROL = ("return precisions(ranked(1, 1), 1);", "[1.0]", "A relevant document at rank 1 gives a P@1 of 1.")


IS_RIGHT = """\
len(value[6]) == len(DOCUMENTED[6]) and all(
        abs(a - b) <= 1e-12 for a, b in zip([*value[:6], *value[6]], [*DOCUMENTED[:6], *DOCUMENTED[6]])
    )"""


def _script(x: Ranked) -> Script:
    measures, right = measures_of(x), documented(x)
    values = [float(one.value) for one in right.parts if isinstance(one, Exactly)]
    precisions = [float(measures.precision(n)) for n in range(1, MAX_POINTS + 1)]
    return scripts.program(
        f"return sheet({java_call(*x)});",
        methods=[scripts.RANKED_METHOD, scripts.SHEET_METHOD],
        control=CONTROL,
        right=repr([*values, precisions]),
        why="Points, good points, max good points, AP, RR within the first five, recall, P@1 to P@20.",
        is_right=IS_RIGHT,
        input=_describe(x),
    )


@st.composite
def long_rankings(draw: st.DrawFn) -> Ranked:
    """Draw a ranking of up to 60 documents."""
    relevant = tuple(draw(st.lists(st.integers(0, 1), max_size=60)))
    return Ranked(sum(relevant) + draw(st.integers(0, 1000)), relevant)


MEASURES = Case(
    name="lucene/measures",
    contract=Contract(
        says="QualityStats gives 'the precision at rank n: |{relevant hits within first n hits}| / n', 'the average "
        "precision at recall points' over all relevant documents, 'the recall: |{relevant hits found}| / |{relevant "
        "hits existing}|', and the reciprocal rank, '1/r where r is the rank of the first correct result, or 0 if "
        "there are no correct results within the top 5 results'",
        source=f"the javadoc of {CLASS}: getPrecisionAt(int), getAvp(), getRecall(), getMRR()",
        upstream="the cut of the reciprocal rank at five is documented, after the TREC-10 question answering track; "
        "trec_eval's recip_rank has none",
    ),
    input_type=Ranked,
    call="stats",
    expected=documented,
    conventions={ANY_RANK: _at_any_rank},
    domains=(ranked_domain(8), ranked_domain(11, thorough=True)),
    describe=_describe,
    script=_script,
    beyond=long_rankings(),
    validate=validate_ranked,
    values=f"points, good points, max good points, AP, MRR, recall, [P@1 to P@{MAX_POINTS}]",
)
