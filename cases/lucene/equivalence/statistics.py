"""The statistics in Python and Lucene's own are held to one another, bit by bit."""

from collections.abc import Iterable, Sequence
from math import comb
from typing import NamedTuple

from hypothesis import strategies as st

from cases.lucene import scripts
from cases.lucene.equivalence.answers import WHY, alike, answer, contract, require_flag, switch, value
from cases.lucene.equivalent import calls
from cases.lucene.measures import (
    CONTROL,
    Ranked,
    java_call,
    long_rankings,
    ranked_domain,
    rankings,
    validate_ranked,
)
from harness.case import Case, Domain, Script
from harness.enumeration import choice, mapped, pairs, sequence, sized


class Averaged(NamedTuple):
    """Rankings for several queries.

    Attributes
    ----------
    queries
        For each query how many documents are known to be relevant, and its ranking: by rank, 1 if the document is
        relevant, else 0.
    assertions
        Whether Java's assertions are on.
    """

    queries: tuple[tuple[int, tuple[int, ...]], ...]
    assertions: bool


class Logged(NamedTuple):
    """A log of one ranking, or of the mean of several.

    Attributes
    ----------
    queries
        For each query how many documents are known to be relevant, and its ranking: by rank, 1 if the document is
        relevant, else 0.
    title
        The title of the log.
    padding
        How many empty lines come before it, and after.
    prefix
        What each line of a number begins with.
    assertions
        Whether Java's assertions are on.
    """

    queries: tuple[tuple[int, tuple[int, ...]], ...]
    title: str
    padding: int
    prefix: str
    assertions: bool


class Added(NamedTuple):
    """Results that are added under the ranks given.

    Attributes
    ----------
    known
        How many documents are known to be relevant, retrieved or not.
    results
        For each result the rank that is given, and 1 if the document is relevant, else 0.
    """

    known: int
    results: tuple[tuple[int, int], ...]


class Cut(NamedTuple):
    """A ranking that is cut.

    Attributes
    ----------
    known
        How many documents are known to be relevant, retrieved or not.
    relevant
        By rank, best first: 1 if the document is relevant, else 0.
    n
        The cutoff.
    """

    known: int
    relevant: tuple[int, ...]
    n: int


METHODS = [scripts.RANKED_METHOD, scripts.SHEET_METHOD]


def _statistics_script(observed: str, right: object, described: str, *, assertions: bool = True) -> Script:
    return scripts.program(
        f"return {observed};",
        methods=METHODS,
        control=CONTROL,
        right=repr(right).replace("nan", 'float("nan")'),
        why=WHY,
        is_right="repr(value) == repr(DOCUMENTED)",
        input=described,
        assertions=assertions,
    )


def _describe_ranked(known: int, relevant: Sequence[int]) -> str:
    return f"{list(relevant)} of {known}"


STATISTICS = Case(
    name="lucene/equivalence-statistics",
    contract=contract("the QualityStats of one ranking"),
    input_type=Ranked,
    call="stats",
    expected=lambda x: answer(calls.stats, x),
    alike=alike(calls.stats),
    domains=(ranked_domain(10),),
    describe=lambda x: _describe_ranked(*x),
    script=lambda x: _statistics_script(f"sheet({java_call(*x)})", calls.stats(*x), _describe_ranked(*x)),
    beyond=long_rankings(),
    validate=validate_ranked,
    modes=("real",),
)


def _averages(queries: int, documents: int) -> Domain[Averaged]:
    """Return the mean of up to so many rankings, some of which have no relevant document."""
    each = sized(rankings(documents, 1), 0)
    count = 2 * (2 ** (documents + 1) - 1)
    return Domain(
        name="rankings for queries",
        parameters={"queries": queries, "documents": documents},
        inputs=mapped(lambda two: Averaged(*two), pairs(sequence(each, queries), choice((True, False)))),
        counts=lambda: {n: 2 * count**n for n in range(queries + 1)},
    )


def _average_call(queries: Iterable[tuple[int, tuple[int, ...]]]) -> str:
    return f"QualityStats.average(new QualityStats[] {{{', '.join(java_call(*query) for query in queries)}}})"


def _describe_averaged(x: Averaged | Logged) -> str:
    lists = " and ".join(_describe_ranked(*query) for query in x.queries) or "no query"
    return f"{lists}, {switch(x.assertions)}"


def _validate_log(x: Logged) -> None:
    (x.title + x.prefix).encode()
    if not 0 <= x.padding <= MOST_PADDING:
        raise ValueError(f"a padding of 0 to {MOST_PADDING} lines was expected, not {x.padding}")
    _validate_queries(x)


MOST_PADDING = 100


def _validate_queries(x: Averaged | Logged) -> None:
    for known, relevant in x.queries:
        validate_ranked(Ranked(known, relevant))
    require_flag(x.assertions)


@st.composite
def long_averages(draw: st.DrawFn) -> Averaged:
    """Draw up to eight rankings."""
    return Averaged(tuple(draw(st.lists(long_rankings(), max_size=8))), draw(st.booleans()))


AVERAGES = Case(
    name="lucene/equivalence-average",
    contract=contract("QualityStats.average()"),
    input_type=Averaged,
    call="average",
    expected=lambda x: answer(calls.average, x),
    alike=alike(calls.average),
    domains=(_averages(2, 4),),
    describe=_describe_averaged,
    script=lambda x: _statistics_script(
        f"sheet({_average_call(x.queries)})", value(calls.average, x), _describe_averaged(x), assertions=x.assertions
    ),
    beyond=long_averages(),
    validate=_validate_queries,
    modes=("real",),
)


def _logs() -> Domain[Logged]:
    """Return logs of the mean of up to two rankings, under every title, padding and prefix of a few."""
    settings = mapped(
        lambda parts: (parts[0][0], parts[0][1], parts[1]),
        pairs(pairs(choice(("", "T", " \t")), choice((0, 2))), choice(("", "  "))),
    )
    each = sized(rankings(3, 1), 0)
    return Domain(
        name="logs",
        parameters={"queries": 2, "documents": 3},
        inputs=mapped(
            lambda parts: Logged(parts[0][0], *parts[0][1], parts[1]),
            pairs(pairs(sequence(each, 2, at_least=1), settings), choice((True, False))),
        ),
        counts=lambda: {n: 2 * 12 * 30**n for n in (1, 2)},
    )


@st.composite
def long_logs(draw: st.DrawFn) -> Logged:
    """Draw the log of up to four rankings, with counts up to a million."""
    known = st.integers(0, 10**6)
    lists = draw(st.lists(st.tuples(known, st.lists(st.integers(0, 1), max_size=25)), min_size=1, max_size=4))
    words = st.text(st.characters(codec="ascii", min_codepoint=32), max_size=8)
    return Logged(
        tuple(Ranked(sum(relevant) + more, tuple(relevant)) for more, relevant in lists),
        draw(words),
        draw(st.integers(0, 3)),
        draw(words),
        draw(st.booleans()),
    )


LOG_METHOD = """\
static String log(QualityStats stats, String title, int padding, String prefix) {
    StringWriter written = new StringWriter();
    PrintWriter writer = new PrintWriter(written);
    stats.log(title, padding, writer, prefix);
    writer.flush();
    return written.toString().replace(System.lineSeparator(), "\\n");
}
"""


def _log_script(x: Logged) -> Script:
    stats = java_call(*x.queries[0]) if len(x.queries) == 1 else _average_call(x.queries)
    return scripts.program(
        f"return log({stats}, {scripts.java(x.title)}, {x.padding}, {scripts.java(x.prefix)});",
        methods=[scripts.RANKED_METHOD, LOG_METHOD],
        control=CONTROL,
        right=ascii(value(calls.log, x)),
        why=WHY,
        is_right="value == DOCUMENTED",
        input=f"a log of {_describe_averaged(x)}",
        assertions=x.assertions,
    )


LOG = Case(
    name="lucene/equivalence-log",
    contract=contract("QualityStats.log()"),
    input_type=Logged,
    call="log",
    expected=lambda x: answer(calls.log, x),
    alike=alike(calls.log),
    domains=(_logs(),),
    describe=lambda x: (
        f"a log of {_describe_averaged(x)}, titled {x.title!r}, padding {x.padding}, prefix {x.prefix!r}"
    ),
    script=_log_script,
    beyond=long_logs(),
    validate=_validate_log,
    modes=("real",),
)


def _additions() -> Domain[Added]:
    one = pairs(choice((0, 1, 2, 3)), choice((0, 1)))
    return Domain(
        name="ranks as given",
        parameters={"results": 3},
        inputs=mapped(lambda results: Added(2, results), sequence(one, 3)),
        counts=lambda: {n: 8**n for n in range(4)},
    )


def _added_call(x: Added) -> str:
    adds = " ".join(f"stats.addResult({n}, {'true' if relevant else 'false'}, 0);" for n, relevant in x.results)
    return f"QualityStats stats = new QualityStats({x.known}, 0); {adds} return sheet(stats);"


def _describe_added(x: Added) -> str:
    return f"results {[list(one) for one in x.results]} of {x.known}"


RANKS = Case(
    name="lucene/equivalence-ranks",
    contract=contract("QualityStats.addResult() with any rank"),
    input_type=Added,
    call="add_result",
    expected=lambda x: answer(calls.add_result, x),
    alike=alike(calls.add_result),
    domains=(_additions(),),
    describe=_describe_added,
    script=lambda x: scripts.program(
        _added_call(x),
        methods=METHODS,
        control=CONTROL,
        right=repr(value(calls.add_result, x)),
        why=WHY,
        is_right="value == DOCUMENTED",
        input=_describe_added(x),
    ),
    modes=("real",),
)


def _cuts() -> Domain[Cut]:
    numbers = sized(choice(range(-2, 24)), 0)
    return Domain(
        name="cutoffs",
        parameters={"documents": 5},
        inputs=mapped(lambda two: Cut(*two[0], two[1]), pairs(rankings(5, 0), numbers)),
        counts=lambda: {n: 26 * sum(comb(n, k) for k in range(n + 1)) for n in range(6)},
    )


def _describe_cut(x: Cut) -> str:
    return f"P@{x.n} of {_describe_ranked(x.known, x.relevant)}"


CUTOFFS = Case(
    name="lucene/equivalence-cutoffs",
    contract=contract("QualityStats.getPrecisionAt() with any cutoff"),
    input_type=Cut,
    call="precision_at",
    expected=lambda x: answer(calls.precision_at, x),
    alike=alike(calls.precision_at),
    domains=(_cuts(),),
    describe=_describe_cut,
    script=lambda x: _statistics_script(
        f"{java_call(x.known, x.relevant)}.getPrecisionAt({x.n})", value(calls.precision_at, x), _describe_cut(x)
    ),
    modes=("real",),
)
