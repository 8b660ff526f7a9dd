"""The account of what a user of the quality benchmark reads: it follows from the judge."""

from collections.abc import Iterator
from fractions import Fraction
from string import Template

from cases.lucene import scripts
from cases.lucene.accounts import judge, junit
from cases.lucene.accounts.programs import Call
from cases.lucene.accounts.sources import LICENCE, MAIN, NEEDS, PATCHES, quotation
from cases.lucene.end_to_end import END_TO_END, Searched
from cases.lucene.judging import TEXT_ZERO, relevance
from harness.account import Account, Program, RegressionTest
from harness.expected import shown
from reference.trec.measures import Measures, evaluate

TEST = Template("""\
package $package;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.Collections;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.benchmark.quality.trec.TrecJudge;
import org.apache.lucene.benchmark.quality.utils.SimpleQQParser;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Test that a quality run counts documents of a grade of at least 1 as relevant, and no others. */
public class $name extends LuceneTestCase {

  /** Searches documents d0, d1, ... that rank in this order and have these grades. */
  private static QualityStats search(String... grades) throws Exception {
    StringBuilder qrels = new StringBuilder();
    try (Directory dir = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
      try (IndexWriter writer = new IndexWriter(dir, config)) {
        for (int i = 0; i < grades.length; i++) {
          Document doc = new Document();
          doc.add(new StoredField("docname", "d" + i));
          // the more often it has the word, the higher it ranks
          String body = "wanted ".repeat(grades.length - i) + "filler ".repeat(i);
          doc.add(new TextField("body", body, Field.Store.NO));
          writer.addDocument(doc);
          qrels.append("q 0 d").append(i).append(' ').append(grades[i]).append('\\n');
        }
      }
      QualityQuery[] qqs = {new QualityQuery("q", Collections.singletonMap("title", "wanted"))};
      Judge judge = new TrecJudge(new BufferedReader(new StringReader(qrels.toString())));
      QualityQueryParser parser = new SimpleQQParser("title", "body");
      try (IndexReader reader = DirectoryReader.open(dir)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        return new QualityBenchmark(qqs, parser, searcher, "docname").execute(judge, null, null)[0];
      }
    }
  }

$methods
}
""")

METHOD = Template("""\
  public void testStatsOf$name() throws Exception {
$search
$asserts
  }""")

PACKAGE, TEST_NAME = "org.apache.lucene.benchmark.quality", "TestGradedQualityRun"

METHODS = """\
    /** Searches documents that rank as d0, d1, ..., and returns the statistics. */
    static List<Double> searched(String qrels, int documents) throws Exception {
        Directory directory = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
            for (int i = 0; i < documents; i++) {
                Document document = new Document();
                document.add(new StoredField("docname", "d" + i));
                String body = "wanted ".repeat(documents - i) + "filler ".repeat(i);
                document.add(new TextField("body", body, Field.Store.NO));
                writer.addDocument(document);
            }
        }
        QualityQuery[] queries = {new QualityQuery("q", Map.of("title", "wanted"))};
        Judge judge = new TrecJudge(new BufferedReader(new StringReader(qrels)));
        try (IndexReader reader = DirectoryReader.open(directory)) {
            QualityStats stats = new QualityBenchmark(
                queries, new SimpleQQParser("title", "body"), new IndexSearcher(reader), "docname")
                .execute(judge, null, null)[0];
            List<Double> numbers = new ArrayList<>(List.of(
                stats.getNumPoints(), stats.getNumGoodPoints(), stats.getMaxGoodPoints(),
                stats.getAvp(), stats.getMRR(), stats.getRecall()));
            for (int n = 1; n < documents; n++) {
                numbers.add(stats.getPrecisionAt(n));
            }
            return numbers;
        }
    }
"""

IMPORTS = (
    "java.io.BufferedReader",
    "java.io.StringReader",
    "java.util.ArrayList",
    "java.util.Map",
    "org.apache.lucene.analysis.standard.StandardAnalyzer",
    "org.apache.lucene.benchmark.quality.Judge",
    "org.apache.lucene.benchmark.quality.QualityBenchmark",
    "org.apache.lucene.benchmark.quality.QualityQuery",
    "org.apache.lucene.benchmark.quality.QualityStats",
    "org.apache.lucene.benchmark.quality.trec.TrecJudge",
    "org.apache.lucene.benchmark.quality.utils.SimpleQQParser",
    "org.apache.lucene.document.Document",
    "org.apache.lucene.document.Field",
    "org.apache.lucene.document.StoredField",
    "org.apache.lucene.document.TextField",
    "org.apache.lucene.index.DirectoryReader",
    "org.apache.lucene.index.IndexReader",
    "org.apache.lucene.index.IndexWriter",
    "org.apache.lucene.index.IndexWriterConfig",
    "org.apache.lucene.search.IndexSearcher",
    "org.apache.lucene.store.ByteBuffersDirectory",
    "org.apache.lucene.store.Directory",
)


def _measures(x: Searched) -> Measures:
    relevant = relevance(x.grades)
    return evaluate(relevant, relevant)


def _numbers(found: Measures) -> tuple[float, ...]:
    """Return points, good points, max good points, AP, MRR, recall, then P@n but for the last rank."""
    values = (found.average_precision, found.reciprocal_rank, found.recall)
    precisions = (found.precision(n) for n in range(1, found.num_ret))
    return (found.num_ret, found.num_rel_ret, found.num_rel, *map(float, (*values, *precisions)))


def _worked(x: Searched) -> Iterator[str]:
    found = _measures(x)
    yield from judge.steps(x.grades)
    yield f"points {found.num_ret} (retrieved), good points {found.num_rel_ret}, max good points {found.num_rel}"
    ranks = [rank for rank, relevant in enumerate(relevance(x.grades), start=1) if relevant]
    terms = " + ".join(f"{i}/{rank}" for i, rank in enumerate(ranks, start=1))
    yield f"AP = ({terms}) / {found.num_rel} = {found.average_precision}"
    yield f"MRR = 1/{ranks[0]} = {found.reciprocal_rank}, from the first relevant rank"
    yield f"recall = {found.num_rel_ret}/{found.num_rel} = {found.recall}"
    precisions = [f"P@{n}" for n in range(1, found.num_ret)]
    for n, name in enumerate(precisions, start=1):
        yield f"{name} = {sum(rank <= n for rank in ranks)}/{n} = {found.precision(n)}"
    numbers = ", ".join(["points", "good points", "max good points", "AP", "MRR", "recall", *precisions])
    yield f"three times, as computed, as logged and as printed, {numbers}: {shown(END_TO_END.expected(x))}"


def _method(name: str, x: Searched) -> str:
    found = _measures(x)
    asserted: list[tuple[Fraction | int, str]] = [
        (found.num_rel_ret, "stats.getNumGoodPoints()"),
        (found.num_rel, "stats.getMaxGoodPoints()"),
        (found.average_precision, "stats.getAvp()"),
        (found.reciprocal_rank, "stats.getMRR()"),
        (found.recall, "stats.getRecall()"),
        *((found.precision(n), f"stats.getPrecisionAt({n})") for n in range(1, len(x.grades))),
    ]
    return METHOD.substitute(
        name=name,
        search=junit.call("    QualityStats stats = search(", [scripts.java(grade) for grade in x.grades], ");"),
        asserts="\n".join(f"    assertEquals({scripts.java_double(value)}, {call}, 1E-6);" for value, call in asserted),
    )


def _test(x: Searched) -> RegressionTest:
    methods = [_method("GradedJudgments", x)]
    if x != SPAM_FIRST:
        methods.append(_method("NegativeGradeAtTheTop", SPAM_FIRST))
    source = TEST.substitute(package=PACKAGE, name=TEST_NAME, methods="\n\n".join(methods))
    return junit.test(PACKAGE, TEST_NAME, source)


def _call(x: Searched) -> list[str]:
    return [
        "import java.io.*;",
        "import java.util.Map;",
        "import org.apache.lucene.benchmark.quality.*;",
        "import org.apache.lucene.benchmark.quality.trec.TrecJudge;",
        "",
        f"String qrels = {scripts.java(scripts.qrels(x.grades))};",
        "Judge judge = new TrecJudge(new BufferedReader(new StringReader(qrels)));",
        'QualityQuery query = new QualityQuery("q", Map.of());',
        "// as QualityBenchmark does with its hits",
        "QualityStats stats = new QualityStats(judge.maxRecall(query), 0);",
        f'for (int i = 0; i < {len(x.grades)}; i++) stats.addResult(i + 1, judge.isRelevant("d" + i, query), 0);',
        f"stats.getNumGoodPoints(); // {float(sum(grade != '0' for grade in x.grades))}",
    ]


def _program(x: Searched) -> Program:
    return Call(
        subject="TrecJudge",
        about="What QualityBenchmark computes for a search that TrecJudge judges: relevant is a grade of at least 1.",
        input=END_TO_END.describe(x),
        imports=IMPORTS,
        methods=METHODS,
        observed=f"searched({scripts.java(scripts.qrels(x.grades))}, {len(x.grades)})",
        documented=_numbers(_measures(x)),
        control=r'searched("q 0 d0 0\nq 0 d1 1\n", 2)',
        control_value=(2, 1, 1, 0.5, 0.5, 1, 0),
        holds="with grades 0 and 1 the statistics are right",
        parts=("benchmark", "core", "queryparser"),
    ).program()


SPAM_FIRST = Searched(("-2", "1"))

SEARCHES = Account(
    case=END_TO_END.name,
    cause=TEXT_ZERO,
    title="QualityBenchmark counts retrieved documents of a negative grade as relevant",
    fault="The statistics that `QualityBenchmark` computes and logs, and the summary that `QueryDriver` prints, count "
    "retrieved documents of a negative grade as relevant ones.",
    worked=lambda x: tuple(_worked(x)),
    why="It follows from `TrecJudge`, which takes a document for relevant unless the text of its grade is `0`. "
    f"{judge.FORMAT} `QualityBenchmark` asks the judge for the number of relevant documents and for each hit, and "
    "`QualityStats` computes all measures from that; its own arithmetic is right.",
    quotations=(
        *judge.QUOTED,
        quotation(
            "trec/QueryDriver.java",
            48,
            "submissionFile: output submission file for trec_eval",
            "`QueryDriver` writes for `trec_eval`, whose numbers for the same search differ from those that it prints.",
        ),
    ),
    licence=LICENCE,
    needs=NEEDS,
    affected=judge.AFFECTED,
    unaffected=judge.UNAFFECTED,
    workarounds=judge.WORKAROUNDS,
    defence=judge.DEFENCE,
    mend=f"In `TrecJudge` alone. {judge.MEND}",
    reword=judge.REWORD,
    rewording=PATCHES / "flag-documented.patch",
    diff=PATCHES / "leading-digits-checked.patch",
    development=(MAIN, PATCHES / "main" / "leading-digits-checked.patch"),
    call=_call,
    language="java",
    size="number of documents",
    test=_test,
    table=lambda x: judge.table(x.grades),
    examples=(
        SPAM_FIRST,
        Searched(("1", "-2", "-2")),
        Searched(("-2", "-2", "1")),
        Searched(("2", "0", "1")),
    ),
    program=_program,
)
