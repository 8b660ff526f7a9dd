"""What Lucene's QualityStats computes for one ranking, and for the mean over rankings."""

from fractions import Fraction
from math import comb
from typing import NamedTuple

from hypothesis import strategies as st

from cases.lucene import scripts
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import Enumeration, choice, mapped, pairs, sequence, union
from harness.expected import Each, Exactly
from reference.trec import rounding
from reference.trec.measures import Measures, evaluate, mean

MAX_POINTS = 20
"""QualityStats knows P@n for n up to this."""

FIRST = 5
"""Where the javadoc of QualityStats.getMRR() cuts the list."""

ANY_RANK = "reciprocal rank at any rank"
EXTRAPOLATED = "P@n of the mean is extrapolated from the mean length of the lists"

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


class Mean(NamedTuple):
    """Rankings for several queries, whose mean is taken.

    Attributes
    ----------
    queries
        For each, how many documents are known to be relevant, one at least, and the relevance by rank.
    up_to
        The largest n of P@n that is asked for.
    assertions
        Whether Java's assertions are on.
    """

    queries: tuple[tuple[int, tuple[int, ...]], ...]
    up_to: int
    assertions: bool


def _measures(x: Ranked) -> Measures:
    return evaluate(x.relevant, [1] * x.known)


def _precisions(measures: Measures, up_to: int) -> Each:
    values = [measures.precision(n) for n in range(1, up_to + 1)]
    return Each(tuple(Exactly(value, rounding.of_precision(value)) for value in values))


def _sheet(x: Ranked, reciprocal_rank: Fraction) -> Each:
    measures = _measures(x)
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
    return _sheet(x, evaluate(x.relevant[:FIRST], [1] * x.known).reciprocal_rank)


def _at_any_rank(x: Ranked) -> Each:
    return _sheet(x, _measures(x).reciprocal_rank)


def rankings(documents: int, missed: int) -> Enumeration[Ranked]:
    """Return all rankings of up to that many documents, with 0 to ``missed`` relevant ones that were not retrieved."""
    return mapped(
        lambda parts: Ranked(sum(parts[0]) + parts[1], parts[0]),
        pairs(sequence(choice((0, 1)), documents), choice(range(missed + 1))),
    )


def _ranked_domain(documents: int, *, thorough: bool = False) -> Domain[Ranked]:
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
    if type(x.known) is not int or x.known < sum(x.relevant):
        raise ValueError(f"{x.known!r} known to be relevant, but {sum(x.relevant)} were retrieved")


def _call(x: Ranked) -> str:
    return f"ranked({', '.join(map(str, (x.known, *x.relevant)))})"


CONTROL = ("return precisions(ranked(1, 1), 1);", "[1.0]", "A relevant document at rank 1 gives a P@1 of 1.")


def _script(x: Ranked) -> Script:
    measures, right = _measures(x), documented(x)
    values = [float(one.value) for one in right.parts if isinstance(one, Exactly)]
    precisions = [float(measures.precision(n)) for n in range(1, MAX_POINTS + 1)]
    return scripts.program(
        f"return sheet({_call(x)});",
        methods=[scripts.RANKED_METHOD, scripts.SHEET_METHOD],
        control=CONTROL,
        right=repr([*values, precisions]),
        why="Points, good points, max good points, AP, RR within the first five, recall, P@1 to P@20.",
        is_right="all(abs(a - b) <= 1e-12 for a, b in zip([*value[:6], *value[6]], [*DOCUMENTED[:6], *DOCUMENTED[6]]))",
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
    domains=(_ranked_domain(8), _ranked_domain(11, thorough=True)),
    describe=_describe,
    script=_script,
    beyond=long_rankings(),
    validate=validate_ranked,
)


def _means(x: Mean) -> list[Fraction]:
    found = [_measures(Ranked(*query)) for query in x.queries]
    return [mean(one.precision(n) for one in found) for n in range(1, x.up_to + 1)]


def _extrapolated(x: Mean) -> Each:
    """Return what comes of P@n at the mean length of the lists, beyond that length."""
    length = Fraction(sum(len(relevant) for _, relevant in x.queries), len(x.queries))
    means = [Fraction(0), *_means(x._replace(up_to=max(x.up_to, int(length))))]
    values = [means[n] if n <= length else length * means[int(length)] / n for n in range(1, x.up_to + 1)]
    return _exactly(values, len(x.queries))


def _exactly(values: list[Fraction], topics: int) -> Each:
    # Two more roundings for what is extrapolated: a product and a division.
    return Each(tuple(Exactly(value, rounding.of_mean_precision(value, topics + 2)) for value in values))


def _documented_means(x: Mean) -> Each:
    return _exactly(_means(x), len(x.queries))


def _mean_domain(queries: int, documents: int, *, thorough: bool = False) -> Domain[Mean]:
    """Return all rankings of up to so many documents for up to so many queries, each with one more to be found."""
    one = mapped(lambda relevant: Ranked(sum(relevant) + 1, relevant), sequence(choice((0, 1)), documents))
    lists = union(*(_powered(one, n) for n in range(1, queries + 1)))
    return Domain(
        name="rankings for queries",
        parameters={"queries": queries, "documents": documents},
        inputs=mapped(lambda parts: Mean(parts, documents, assertions=True), lists),
        counts=lambda: {
            total: 2**total * sum(_compositions(total, q, documents) for q in range(1, queries + 1))
            for total in range(queries * documents + 1)
        },
        thorough=thorough,
    )


def _powered(part: Enumeration[Ranked], n: int) -> Enumeration[tuple[Ranked, ...]]:
    empty: Enumeration[tuple[Ranked, ...]] = choice([()])
    for _ in range(n):
        empty = mapped(lambda two: (*two[0], two[1]), pairs(empty, part))
    return empty


def _compositions(total: int, parts: int, largest: int) -> int:
    """Return in how many ways a total is a sum of so many ordered parts from 0 to ``largest``."""
    return sum(
        (-1) ** k * comb(parts, k) * comb(total - k * (largest + 1) + parts - 1, parts - 1)
        for k in range(parts + 1)
        if total >= k * (largest + 1)
    )


def _describe_mean(x: Mean) -> str:
    return "relevance by rank " + " and ".join(str(list(relevant)) for _, relevant in x.queries)


def _validate_mean(x: Mean) -> None:
    if not x.queries or not 1 <= x.up_to <= MAX_POINTS or not isinstance(x.assertions, bool):
        raise ValueError(f"a query or more, and a cutoff from 1 to {MAX_POINTS}, were expected")
    for known, relevant in x.queries:
        validate_ranked(Ranked(known, relevant))
        if not known:
            raise ValueError("each query should have a relevant document")


def _mean_script(x: Mean) -> Script:
    right = [str(value) for value in _means(x)]
    lists = ", ".join(_call(Ranked(*query)) for query in x.queries)
    return scripts.program(
        f"return precisions(QualityStats.average(new QualityStats[] {{{lists}}}), {x.up_to});",
        methods=[scripts.RANKED_METHOD],
        control=CONTROL,
        right=repr([float(Fraction(one)) for one in right]),
        why=f"The means of P@1 to P@{x.up_to}: {', '.join(right)}.",
        is_right="all(abs(a - b) <= 1e-12 for a, b in zip(value, DOCUMENTED))",
        input=_describe_mean(x),
        assertions=x.assertions,
    )


AVERAGE = Case(
    name="lucene/average",
    contract=Contract(
        says="QualityStats.average() gives 'a QualityStats object that is the average of the input QualityStats "
        "objects', and getPrecisionAt(n) 'the precision at rank n': so that of the average is the mean of the "
        "precisions at rank n",
        source=f"the javadoc of {CLASS}: average(QualityStats[]), getPrecisionAt(int)",
        upstream="queries without a relevant document are left out of the mean, by a choice that is commented in the "
        "code; every query here has one",
    ),
    input_type=Mean,
    call="mean_precisions",
    expected=_documented_means,
    conventions={EXTRAPOLATED: _extrapolated},
    domains=(_mean_domain(2, 4), _mean_domain(3, 3, thorough=True)),
    describe=_describe_mean,
    script=_mean_script,
    validate=_validate_mean,
)
