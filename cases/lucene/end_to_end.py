"""What a user of Lucene's quality benchmark reads: its statistics, its log and the summary of QueryDriver."""

from fractions import Fraction
from typing import NamedTuple

from cases.lucene import scripts
from cases.lucene.judging import GRADES, TEXT_ZERO, relevance
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import Enumeration, choice, mapped, product, sized, union
from harness.expected import Each, Exactly
from reference.trec import rounding
from reference.trec.measures import Measures, evaluate

THIRD_DECIMAL = Fraction(1, 2000)
"""Half of the last decimal that is printed."""


class Searched(NamedTuple):
    """Judged documents that a search returns.

    Attributes
    ----------
    grades
        The text of each document's grade, by rank; one of them at least is relevant.
    """

    grades: tuple[str, ...]


def _reading(relevant: list[bool]) -> Each:
    """Return what is read in the statistics, in the log and in the summary."""
    measures = evaluate(relevant, relevant)
    printed = _numbers(measures, decimals=True)
    return Each((_numbers(measures), printed, printed))


def _numbers(measures: Measures, *, decimals: bool = False) -> Each:
    """Return the numbers in the order of a log; it leaves out P@n for the last rank."""
    ap = measures.average_precision
    values = [
        (Fraction(measures.num_ret), Fraction(0)),
        (Fraction(measures.num_rel_ret), Fraction(0)),
        (Fraction(measures.num_rel), Fraction(0)),
        # The mean of a single AP is taken back from a product: two roundings more.
        (ap, rounding.of_average_precision(ap, measures.num_rel_ret + 2)),
        (measures.reciprocal_rank, rounding.of_quotient(measures.reciprocal_rank)),
        (measures.recall, rounding.of_quotient(measures.recall)),
    ]
    precisions = [measures.precision(n) for n in range(1, measures.num_ret)]
    values += [(value, rounding.of_precision(value)) for value in precisions]
    slack = THIRD_DECIMAL if decimals else Fraction(0)
    return Each(tuple(Exactly(value, bound + slack) for value, bound in values))


def _documented(x: Searched) -> Each:
    return _reading(relevance(x.grades))


def _by_text(x: Searched) -> Each:
    return _reading([grade != "0" for grade in x.grades])


def _with_a_relevant_one(documents: int) -> Enumeration[Searched]:
    """Return all grades of so many documents, one of which at least is relevant: by the first that is."""
    relevant = [grade for grade in GRADES if int(grade) > 0]
    others = [grade for grade in GRADES if int(grade) <= 0]
    by_first = union(
        *(
            product(*[choice(others)] * k, choice(relevant), *[choice(GRADES)] * (documents - k - 1))
            for k in range(documents)
        )
    )
    return sized(mapped(Searched, by_first), documents)


def _domain(documents: int, *, thorough: bool = False) -> Domain[Searched]:
    return Domain(
        name="searches",
        parameters={"documents": documents},
        inputs=union(*(_with_a_relevant_one(n) for n in range(1, documents + 1))),
        # All that there are, without those in which nothing is relevant.
        counts=lambda: {n: 5**n - 3**n for n in range(1, documents + 1)},
        thorough=thorough,
    )


def _describe(x: Searched) -> str:
    return f"a search that returns {len(x.grades)} documents of grades {', '.join(x.grades)}"


SUMMARY_METHOD = """\
/** Index documents so that they rank in this order, and return the numbers in the summary that QueryDriver prints. */
static List<Double> summary(String qrels, String... documents) throws Exception {
    java.nio.file.Path folder = java.nio.file.Files.createTempDirectory("repro");
    org.apache.lucene.index.IndexWriter writer = new org.apache.lucene.index.IndexWriter(
        org.apache.lucene.store.FSDirectory.open(folder.resolve("index")),
        new org.apache.lucene.index.IndexWriterConfig(new org.apache.lucene.analysis.standard.StandardAnalyzer()));
    for (int i = 0; i < documents.length; i++) {
        String body = "filler ".repeat(i) + "wanted ".repeat(documents.length - i);
        org.apache.lucene.document.Document document = new org.apache.lucene.document.Document();
        document.add(new org.apache.lucene.document.StoredField("docname", documents[i]));
        document.add(new org.apache.lucene.document.TextField("body", body, org.apache.lucene.document.Field.Store.NO));
        writer.addDocument(document);
    }
    writer.close();
    String topic = "<top>\\n<num> Number: q\\n<title> wanted\\n<desc> Description:\\n<narr> Narrative:\\n</top>\\n";
    java.nio.file.Files.writeString(folder.resolve("topics"), topic);
    java.nio.file.Files.writeString(folder.resolve("qrels"), qrels);
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true));
    try {
        org.apache.lucene.benchmark.quality.trec.QueryDriver.main(new String[] {
            folder.resolve("topics").toString(), folder.resolve("qrels").toString(),
            folder.resolve("submission").toString(), folder.resolve("index").toString()});
    } finally {
        System.setOut(before);
    }
    String text = printed.toString();
    List<Double> numbers = new ArrayList<>();
    for (String line : text.substring(text.lastIndexOf("SUMMARY")).split("\\\\R")) {
        if (!line.contains(": ") || line.contains("Seconds")) continue;
        System.err.println(line.trim());
        numbers.add(Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)));
    }
    return numbers;
}
"""


def _script(x: Searched) -> Script:
    relevant = relevance(x.grades)
    numbers = [float(one.value) for one in _numbers(evaluate(relevant, relevant)).parts if isinstance(one, Exactly)]
    names = ", ".join(scripts.java(f"d{i}") for i in range(len(x.grades)))
    return scripts.program(
        f"return summary({scripts.java(scripts.qrels(x.grades))}, {names});",
        methods=[SUMMARY_METHOD],
        control=(
            'return summary("q 0 d0 0\\nq 0 d1 1\\n", "d0", "d1");',
            "[2.0, 1.0, 1.0, 0.5, 0.5, 1.0, 0.0]",
            "With grades 0 and 1 the summary is right, and so the index ranks as it should.",
        ),
        right=repr(numbers),
        why="Points, good points, max good points, AP, MRR, recall, then P@n, by grades of at least 1.",
        is_right="len(value) == len(DOCUMENTED) and all(abs(a - b) < 6e-4 for a, b in zip(value, DOCUMENTED))",
        input=_describe(x),
        whole_release=True,
    )


END_TO_END = Case(
    name="lucene/end-to-end",
    contract=Contract(
        says="QualityBenchmark computes 'precision and recall' with a judge 'based on Trec format for judgements', and "
        "QueryDriver prints their summary: of the documents that are relevant in that format, a grade of at least 1",
        source="the javadoc of org.apache.lucene.benchmark.quality, 'Search Quality Benchmarking', and of "
        "org.apache.lucene.benchmark.quality.trec.TrecJudge and QueryDriver; trec_eval -h",
        upstream="it follows from lucene/relevance; a grade below 0 may be held to be outside what TrecJudge reads",
    ),
    input_type=Searched,
    call="end_to_end",
    expected=_documented,
    conventions={TEXT_ZERO: _by_text},
    domains=(_domain(2), _domain(3, thorough=True)),
    describe=_describe,
    script=_script,
    modes=("real", "corrected"),
    values="points, good points, max good points, AP, MRR, recall, P@1, ...: computed, in the log, in the summary",
)
"""At most five documents are searched, so that the cut of MRR at five does not show."""
