"""The account of the precision at n that an average of statistics gives."""

from collections.abc import Iterator
from string import Template

from cases.lucene import scripts
from cases.lucene.accounts import junit
from cases.lucene.accounts.programs import Call
from cases.lucene.accounts.sources import LICENCE, MAIN, NEEDS, PATCHES, quotation
from cases.lucene.average import AVERAGE, EXTRAPOLATED, Mean, extrapolated, means
from cases.lucene.measures import java_call
from harness.account import Account, Program, RegressionTest, Series, Table
from harness.expected import shown

TEST = Template("""\
package $package;

import org.apache.lucene.tests.util.LuceneTestCase;

/** Test that the average of stats has the average of each measure. */
public class $name extends LuceneTestCase {

  /** Returns the stats of a query, by whether each document found is relevant (1) or not. */
  private static QualityStats stats(int maxGoodPoints, int... relevant) {
    QualityStats stats = new QualityStats(maxGoodPoints, 0);
    for (int i = 0; i < relevant.length; i++) {
      stats.addResult(i + 1, relevant[i] == 1, 0);
    }
    return stats;
  }

$methods
}
""")

METHOD = Template("""\
  public void testPrecisionAtOfAverage$name() {
    QualityStats[] stats = {
$stats
    };
    QualityStats avg = QualityStats.average(stats);
$asserts
  }""")

PACKAGE, TEST_NAME = "org.apache.lucene.benchmark.quality", "TestQualityStats"


def precision(relevant: tuple[int, ...], n: int) -> str:
    """Return a precision at n as it is counted."""
    return f"{sum(relevant[:n])}/{n}"


def _terms(x: Mean, n: int) -> str:
    total = " + ".join(precision(relevant, n) for _, relevant in x.queries)
    return f"({total}) / {len(x.queries)} = {means(x)[n - 1]}" if len(x.queries) > 1 else f"{total} = {means(x)[n - 1]}"


def _worked(x: Mean) -> Iterator[str]:
    yield "P@n is the number of relevant documents among the first n, divided by n; that of the average is the mean"
    for n in range(1, x.up_to + 1):
        yield f"P@{n} = {_terms(x, n)}"
    yield f"P@1 to P@{x.up_to}: {shown(AVERAGE.expected(x))}"


def _table(x: Mean) -> Table:
    rows = (
        (f"query {k}", str(known), ", ".join(map(str, relevant)) or "none retrieved")
        for k, (known, relevant) in enumerate(x.queries, start=1)
    )
    return Table(("query", "known to be relevant", "relevance by rank"), tuple(rows))


def _method(name: str, x: Mean) -> str:
    stats = [junit.call("      stats(", list(map(str, (known, *relevant))), "),") for known, relevant in x.queries]
    asserts = [
        f"    // {_terms(x, n)}\n    assertEquals({scripts.java_double(value)}, avg.getPrecisionAt({n}), 1E-6);"
        for n, value in enumerate(means(x), start=1)
    ]
    return METHOD.substitute(name=name, stats="\n".join(stats), asserts="\n".join(asserts))


def _test(x: Mean) -> RegressionTest:
    methods = [_method("IsAverageOfPrecisions", x)]
    if x != LONG_AND_SHORT:
        methods.append(_method("OfALongAndAShortList", LONG_AND_SHORT))
    source = TEST.substitute(package=PACKAGE, name=TEST_NAME, methods="\n\n".join(methods))
    return junit.test(PACKAGE, TEST_NAME, source)


def _call(x: Mean) -> Iterator[str]:
    yield "import org.apache.lucene.benchmark.quality.QualityStats;"
    yield ""
    names = [f"q{k}" for k in range(1, len(x.queries) + 1)]
    for name, (known, relevant) in zip(names, x.queries, strict=True):
        yield f"QualityStats {name} = new QualityStats({known}, 0);"
        if len(relevant) > 2:
            is_relevant = f"\"{''.join(map(str, relevant))}\".charAt(i) == '1'"
            yield f"for (int i = 0; i < {len(relevant)}; i++) {name}.addResult(i + 1, {is_relevant}, 0);"
        elif relevant:
            yield " ".join(f"{name}.addResult({i}, {str(one == 1).lower()}, 0);" for i, one in enumerate(relevant, 1))
    # The first n at which it shows, or the last.
    seen, right = extrapolated(x), means(x)
    n = next((n for n in range(1, x.up_to + 1) if seen[n - 1] != right[n - 1]), x.up_to)
    yield f"QualityStats average = QualityStats.average(new QualityStats[] {{{', '.join(names)}}});"
    yield f"average.getPrecisionAt({n}); // {float(seen[n - 1]):.6g}; the mean of the P@{n} is {_terms(x, n)}"


def _program(x: Mean) -> Program:
    lists = ", ".join(java_call(*query) for query in x.queries)
    return Call(
        subject="QualityStats",
        about=f"P@1 to P@{x.up_to} of QualityStats.average(): each is the mean of the precisions at that rank.",
        input=AVERAGE.describe(x),
        imports=("java.util.ArrayList", "org.apache.lucene.benchmark.quality.QualityStats"),
        methods=scripts.indented(scripts.RANKED_METHOD),
        observed=f"precisions(QualityStats.average(new QualityStats[] {{{lists}}}), {x.up_to})",
        documented=tuple(float(value) for value in means(x)),
        control="precisions(ranked(1, 1), 2)",
        control_value=(1, 0.5),
        holds="the precisions of a single query are right",
    ).program()


def _lists(*found: int, up_to: int = 10) -> Mean:
    """Return queries that retrieve so many documents, all of which are relevant, and nothing else."""
    return Mean(tuple((max(n, 1), (1,) * n) for n in found), up_to, assertions=True)


LONG_AND_SHORT = _lists(10, 2)
"""The mean of P@10 is 3/5, and 2/5 is observed."""

TOO_HIGH = Mean(((2, (1, 1)), (2, (1, 1, 0))), 4, assertions=True)
"""Two of two, and two of three: the mean length is no integer."""

AT_TEN = Series(
    title="one query finds its 2 relevant documents, another n, nothing else is retrieved",
    along="n",
    inputs=tuple((str(n), _lists(2, n)) for n in (0, 2, 4, 6, 8, 10, 14, 20)),
    value="P@10 of the average",
    part=9,
)

EMPTY = Series(
    title="one query finds its 5 relevant documents, the others nothing",
    along="queries that find nothing",
    inputs=tuple((str(n), _lists(5, *[0] * n, up_to=5)) for n in range(6)),
    value="P@5 of the average",
    part=4,
)

MEAN = Account(
    case=AVERAGE.name,
    cause=EXTRAPOLATED,
    title="P@n of QualityStats.average() is no mean beyond the mean length of the lists",
    fault="For n beyond the mean length of the lists, `getPrecisionAt(n)` of `QualityStats.average()` is not the mean "
    "of the queries' precisions at n, but is computed from that mean length and the precision there.",
    worked=lambda x: tuple(_worked(x)),
    why="`average()` computes the right means: it asks each query for its precision at every rank up to 20, and stores "
    "the mean. But `getPrecisionAt(n)` does not return what is stored where n is larger than the number of points. For "
    "a single query that is right: beyond its last hit the relevant ones stay as many, and the precision falls as 1/n. "
    "In an average the number of points is the mean length of the lists, which some queries exceed; it is cut to a "
    "whole number, which selects another rank, and is 0 where the mean length is below 1. The stored means for the "
    "ranks beyond are never read.",
    quotations=(
        quotation(
            "QualityStats.java",
            190,
            "Create a QualityStats object that is the average of the input QualityStats objects.",
            "The javadoc of `average()` promises an average.",
        ),
        quotation(
            "QualityStats.java",
            104,
            "Return the precision at rank n:",
            "The javadoc of `getPrecisionAt(n)` says what is averaged at n.",
        ),
        quotation(
            "QualityStats.java", 228, "avg.pAt[j] /= m;", "The code computes the mean of the precisions at each rank."
        ),
        quotation(
            "QualityStats.java",
            113,
            "return (numPoints * pAt[(int)numPoints])/n;",
            "Beyond the mean length that mean is not what `getPrecisionAt` returns.",
        ),
    ),
    licence=LICENCE,
    needs=NEEDS,
    affected="Whoever reads P@n from `QualityStats.average()` for an n beyond the mean number of hits: where some "
    "queries find few documents, or none, and others find many. The value may be too low or too high. 3.6.2, 4.10.4 "
    "and 8.8.1 were run, from Debian's packages (its jar of 8.8.1 has the file name `lucene-benchmark-8.7.0.jar`), and "
    f"behave alike. 9 and 10 were not run; the same code is in apache/lucene, {MAIN}.",
    unaffected="P@n of a single query; P@n of an average for n up to the mean length of the lists, so every n up to 20 "
    "where queries find 20 documents or more on average; and the other measures of the average. The log of an average "
    "is not affected either: it prints P@n for n below the mean length only.",
    workarounds=(
        (
            "Average `getPrecisionAt(n)` yourself, over the queries that have relevant documents: "
            "`Arrays.stream(stats).filter(s -> s.getMaxGoodPoints() > 0)"
            ".mapToDouble(s -> s.getPrecisionAt(n)).average()`."
        ),
    ),
    defence="The javadoc of `getPrecisionAt` speaks of hits of one result list, and an average has none: that the "
    "precision at n of an average is the mean of the precisions at n is the usual meaning, and is what `average()` "
    "computes, but no sentence spells it out. `log()` shows P@n of an average only below the mean length, where it is "
    "right, so that nothing that the package itself prints is wrong. We know of no place where upstream discusses it.",
    mend="`addResult` would store the precision for its own rank and for every later one up to 20 (the relevant hits "
    "so far, divided by that rank; the next hit writes over it), and `getPrecisionAt` would return what is stored, "
    "without a case for n beyond the number of points. Then `average()` is right as it stands. "
    "`fix-development.patch` brings a test, `TestQualityStatsAverage`.",
    reword="The javadoc of `average()` would say up to which n the precisions of the average are means: the whole part "
    "of `getNumPoints()`.",
    diff=PATCHES / "mean-precision.patch",
    development=(MAIN, PATCHES / "main" / "mean-precision.patch"),
    call=lambda x: tuple(_call(x)),
    language="java",
    size="number of retrieved documents",
    test=_test,
    table=_table,
    examples=(LONG_AND_SHORT, _lists(2, 0), TOO_HIGH, _lists(1, 1)),
    series=(AT_TEN, EMPTY),
    program=_program,
)
