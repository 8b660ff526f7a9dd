"""What Lucene's QualityStats gives as the average of several rankings."""

from fractions import Fraction
from math import comb
from typing import NamedTuple

from cases.lucene import scripts
from cases.lucene.measures import CLASS, CONTROL, MAX_POINTS, Ranked, java_call, measures_of, validate_ranked
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, power, sequence, union
from harness.expected import Each, Exactly
from reference.trec import rounding
from reference.trec.measures import mean

EXTRAPOLATED = "P@n of the mean is extrapolated from the mean length of the lists"


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


def means(x: Mean) -> list[Fraction]:
    """Return the means of P@1, P@2, ... over the queries."""
    found = [measures_of(Ranked(*query)) for query in x.queries]
    return [mean(one.precision(n) for one in found) for n in range(1, x.up_to + 1)]


def extrapolated(x: Mean) -> list[Fraction]:
    """Return what comes of P@n at the mean length of the lists, beyond that length."""
    length = Fraction(sum(len(relevant) for _, relevant in x.queries), len(x.queries))
    right = [Fraction(0), *means(x._replace(up_to=max(x.up_to, int(length))))]
    return [right[n] if n <= length else length * right[int(length)] / n for n in range(1, x.up_to + 1)]


def _exactly(values: list[Fraction], topics: int) -> Each:
    # Three more roundings for what is extrapolated: the mean length, a product and a division.
    return Each(tuple(Exactly(value, rounding.of_mean_precision(value, topics + 3)) for value in values))


def _documented_means(x: Mean) -> Each:
    return _exactly(means(x), len(x.queries))


def _by_extrapolation(x: Mean) -> Each:
    return _exactly(extrapolated(x), len(x.queries))


def _mean_domain(queries: int, documents: int, *, thorough: bool = False) -> Domain[Mean]:
    """Return all rankings of up to so many documents for up to so many queries, each with one more to be found."""
    one = mapped(lambda relevant: Ranked(sum(relevant) + 1, relevant), sequence(choice((0, 1)), documents))
    lists = union(*(power(one, n) for n in range(1, queries + 1)))
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
    right = [str(value) for value in means(x)]
    lists = ", ".join(java_call(*query) for query in x.queries)
    return scripts.program(
        f"return precisions(QualityStats.average(new QualityStats[] {{{lists}}}), {x.up_to});",
        methods=[scripts.RANKED_METHOD],
        control=CONTROL,
        right=repr([float(Fraction(one)) for one in right]),
        why=f"The means of P@1 to P@{x.up_to}: {', '.join(right)}.",
        is_right="len(value) == len(DOCUMENTED) and all(abs(a - b) <= 1e-12 for a, b in zip(value, DOCUMENTED))",
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
    conventions={EXTRAPOLATED: _by_extrapolation},
    domains=(_mean_domain(2, 4), _mean_domain(3, 3, thorough=True)),
    describe=_describe_mean,
    script=_mean_script,
    validate=_validate_mean,
    values="P@1, P@2, ... of the average",
)
