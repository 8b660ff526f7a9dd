"""The account of which grades Lucene's judge takes for relevant."""

from collections.abc import Sequence
from string import Template

from cases.lucene import scripts
from cases.lucene.accounts import junit
from cases.lucene.accounts.programs import Call
from cases.lucene.accounts.sources import LICENCE, MAIN, NEEDS, PATCHES, quotation
from cases.lucene.judging import RELEVANCE, TEXT_ZERO, Judged, relevance
from harness.account import Account, Program, RegressionTest, Series, Table
from harness.expected import shown

FORMAT = (
    "The format gives an integer, and `trec_eval` counts a document as relevant if it is at least its relevance level, "
    "which is 1 by default. A document of a negative grade is to it one that was 'in the pool but unjudged' (the help "
    "text in `trec_eval.c`, and `form_res_rels.c`), and not relevant."
)

QUOTED = (
    quotation(
        "trec/TrecJudge.java",
        30,
        "based on Trec format for judgements",
        "The javadoc of the class names the format as what it goes by.",
    ),
    quotation(
        "package-info.java",
        31,
        "For benchmarking TREC collections with TREC QRels, take a look at the",
        "The package offers the judge for TREC's qrels as they are.",
    ),
    quotation(
        "trec/TrecJudge.java",
        41,
        "qnum  0   doc-name     is-relevant",
        "The javadoc of the constructor calls the column a flag; its two sample lines show 1 and 0.",
    ),
    quotation(
        "trec/TrecJudge.java",
        67,
        "boolean relevant = !zero.equals(st.nextToken());",
        "The code compares the column with the text `0`: `-2`, `-1`, `00` and `-0` are other texts.",
    ),
)

AFFECTED = (
    "Whoever judges with `TrecJudge`, or runs `QueryDriver`, on qrels that hold a negative grade: those of the TREC "
    "Web track of 2010 to 2014, where -2 is spam, or qrels of one's own with -1 for 'bad'. Each such document counts "
    "as relevant, so that the number of relevant documents is too high, and P@n, average precision, MRR and recall can "
    "be wrong, in either direction. In the qrels of the Web track of 2012, 858 of 16,055 documents in 48 of 50 topics "
    "are judged wrongly. 3.6.2, 4.10.4 and 8.8.1 were run, from Debian's packages (its jar of 8.8.1 has the file name "
    "`lucene-benchmark-8.7.0.jar`), and behave alike; the comparison came with the class, in 2.3.0. 9 and 10 were not "
    f"run; the same line is in apache/lucene, {MAIN}."
)

UNAFFECTED = (
    "Qrels whose grades are 0 and more, written without a sign or leading zeros: a grade of at least 1 is relevant, "
    "and 0 is not. The submission file for `trec_eval` that `QueryDriver` writes, the index and the search are right."
)

WORKAROUNDS = (
    (
        "Write grades below 1 as `0` before the judge reads them, which changes no value that was right: "
        "`awk '{ print $1, $2, $3, ($4 > 0 ? $4 : 0) }' qrels > qrels.nonnegative`."
    ),
    (
        "Score the submission file that `QueryDriver` writes with `trec_eval` itself, as a contributor "
        "[says that he does](https://github.com/apache/lucene/pull/71)."
    ),
)

DEFENCE = (
    "The constructor's javadoc calls the column `is-relevant` and shows 1 and 0 only, and the package says to provide "
    "one's own `Judge` for other formats; so a negative grade may be held to be outside of what `TrecJudge` reads, and "
    "on that reading nothing was promised for it. Against it: the package offers the judge for TREC's qrels, its "
    "example runs on those of 2006, which are graded, and grades of 2 and more work; and what is outside of a format "
    "is better refused than given the opposite meaning. `trec_eval -h` itself describes the grade as 'a non-negative "
    "integer less than 128, or -1 (unjudged)', so -2 is outside of that text too; -1 is not, `trec_eval` takes every "
    "negative grade as not relevant, and TREC's Web track uses -2. We know of no place where upstream discusses "
    "negative grades: the comparison came with the class (LUCENE-836, 2007)."
)

MEND = (
    "Read the column as an integer, and take a document for relevant if it is at least 1. Three ways to read it were "
    "tried. The one in this folder reads the integer that the text starts with and refuses a text without one, as the "
    "branch `feature/warn-about-floats` of `trec_eval` does (`strtol`, at commit 2428293c of 30 June 2026). One could "
    "take such a text for 0, as `trec_eval` 9.0 and 10.0 and its `main` do (`atol`). "
    "`Integer.parseInt(grade) > 0` is the shortest, and refuses `0.0` and what is beyond an int, too. "
    "`fix-development.patch` brings a test, `TestTrecJudge`."
)

REWORD = (
    "The javadoc of the class would say that the last field is a flag, `0` or `1`, and no grade, and that grades, "
    "negative ones among them, have to be mapped to these two before."
)

TEST = Template("""\
package $package;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.Collections;
import org.apache.lucene.benchmark.quality.QualityQuery;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Test that judgments are read as TREC's: a document is relevant if its grade is at least 1. */
public class $name extends LuceneTestCase {

  private final QualityQuery query = new QualityQuery("q", Collections.emptyMap());

  /** Judges documents d0, d1, ... of these grades. */
  private static TrecJudge judge(String... grades) throws Exception {
    StringBuilder qrels = new StringBuilder();
    for (int i = 0; i < grades.length; i++) {
      qrels.append("q 0 d").append(i).append(' ').append(grades[i]).append('\\n');
    }
    return new TrecJudge(new BufferedReader(new StringReader(qrels.toString())));
  }

$methods
}
""")

METHOD = Template("""\
  public void test$name() throws Exception {
$judge
$asserts
    // $count_says
    assertEquals($count, judge.maxRecall(query));
  }""")

MIXED = Judged(("1", "-2", "0", "-1"))

PACKAGE, TEST_NAME = "org.apache.lucene.benchmark.quality.trec", "TestTrecJudgeGrades"

METHODS = """\
    /** Returns how many documents are relevant, then for each of d0, d1, ... whether it is (1) or not (0). */
    static List<Double> judged(String qrels, int documents) throws Exception {
        TrecJudge judge = new TrecJudge(new BufferedReader(new StringReader(qrels)));
        QualityQuery query = new QualityQuery("q", Map.of());
        List<Double> found = new ArrayList<>();
        found.add((double) judge.maxRecall(query));
        for (int i = 0; i < documents; i++) {
            found.add(judge.isRelevant("d" + i, query) ? 1.0 : 0.0);
        }
        return found;
    }
"""


def steps(grades: Sequence[str]) -> list[str]:
    """Return for each document why it is relevant, or is not."""
    return [
        f"d{i}: grade {grade} is the integer {int(grade)}, which is {'at least' if is_relevant else 'less than'} 1, so "
        f"it is {'relevant' if is_relevant else 'not relevant'}"
        for i, (grade, is_relevant) in enumerate(zip(grades, relevance(grades), strict=True))
    ]


def table(grades: Sequence[str]) -> Table:
    """Return a row for each document."""
    rows = (
        (f"d{i}", grade, "yes" if is_relevant else "no")
        for i, (grade, is_relevant) in enumerate(zip(grades, relevance(grades), strict=True))
    )
    return Table(("document", "grade", "relevant, as documented"), tuple(rows))


def _worked(x: Judged) -> list[str]:
    count = sum(relevance(x.grades))
    return [
        *steps(x.grades),
        f"relevant documents: {count}",
        f"how many are relevant, then whether each one is: {shown(RELEVANCE.expected(x))}",
    ]


def _says(grades: Sequence[str], count: int) -> str:
    """Return how many grades are relevant, in words."""
    if len(grades) == 1:
        return f"the grade {grades[0]} is {'at least' if count else 'less than'} 1"
    many = {0: "none", 1: "one"}.get(count, str(count))
    return f"{many} of the grades {', '.join(grades)} {'is' if count < 2 else 'are'} at least 1"


def _method(name: str, grades: Sequence[str]) -> str:
    relevant = relevance(grades)
    return METHOD.substitute(
        name=name,
        judge=junit.call("    TrecJudge judge = judge(", [scripts.java(grade) for grade in grades], ");"),
        asserts="\n".join(
            f'    assert{"True" if is_relevant else "False"}("grade {grade}", judge.isRelevant("d{i}", query));'
            for i, (grade, is_relevant) in enumerate(zip(grades, relevant, strict=True))
        ),
        count=sum(relevant),
        count_says=_says(grades, sum(relevant)),
    )


def _test(x: Judged) -> RegressionTest:
    methods = [_method("RelevantIfGradeIsAtLeastOne", x.grades)]
    if x != MIXED:
        methods.append(_method("MixedGrades", MIXED.grades))
    return junit.test(
        PACKAGE, TEST_NAME, TEST.substitute(package=PACKAGE, name=TEST_NAME, methods="\n\n".join(methods))
    )


def _call(x: Judged) -> list[str]:
    return [
        "import java.io.*;",
        "import java.util.Map;",
        "import org.apache.lucene.benchmark.quality.QualityQuery;",
        "import org.apache.lucene.benchmark.quality.trec.TrecJudge;",
        "",
        f"String qrels = {scripts.java(scripts.qrels(x.grades))};",
        "TrecJudge judge = new TrecJudge(new BufferedReader(new StringReader(qrels)));",
        f'judge.maxRecall(new QualityQuery("q", Map.of())); // {sum(grade != "0" for grade in x.grades)}',
    ]


def _program(x: Judged) -> Program:
    relevant = relevance(x.grades)
    return Call(
        subject="TrecJudge",
        about="TrecJudge on the qrels of one query: a document is relevant if its grade is at least 1.",
        input=RELEVANCE.describe(x),
        imports=(
            "java.io.BufferedReader",
            "java.io.StringReader",
            "java.util.ArrayList",
            "java.util.Map",
            "org.apache.lucene.benchmark.quality.QualityQuery",
            "org.apache.lucene.benchmark.quality.trec.TrecJudge",
        ),
        methods=METHODS,
        observed=f"judged({scripts.java(scripts.qrels(x.grades))}, {len(x.grades)})",
        documented=(sum(relevant), *relevant),
        control=r'judged("q 0 d0 1\nq 0 d1 0\n", 2)',
        control_value=(1, 1, 0),
        holds="grade 1 is relevant, and grade 0 is not",
    ).program()


SPAM = Series(
    title="one document of grade 1, and others of grade -2",
    along="documents of grade -2",
    inputs=tuple((str(n), Judged(("1", *["-2"] * n))) for n in range(7)),
    value="number of relevant documents",
    part=0,
)

ONE = Series(
    title="a single document",
    along="its grade",
    inputs=tuple((grade, Judged((grade,))) for grade in ("-3", "-2", "-1", "0", "1", "2", "3")),
    value="whether it is relevant",
    part=1,
)

JUDGE = Account(
    case=RELEVANCE.name,
    cause=TEXT_ZERO,
    title="TrecJudge takes documents of a negative grade for relevant",
    fault="`TrecJudge` takes a document for relevant unless the text of its grade is exactly `0`, so that a page of "
    "grade -2, which is spam in the qrels of TREC's Web track, counts as relevant.",
    worked=_worked,
    why=f"The constructor of `TrecJudge` never reads the grade as a number. {FORMAT} The judge compares its text with "
    "`0` instead, keeps every document for which they differ, and `isRelevant` and `maxRecall` answer from what was "
    "kept. Measures follow: `QualityBenchmark` hands both to `QualityStats`.",
    quotations=QUOTED,
    licence=LICENCE,
    needs=NEEDS,
    affected=AFFECTED,
    unaffected=UNAFFECTED,
    workarounds=WORKAROUNDS,
    defence=DEFENCE,
    mend=MEND,
    reword=REWORD,
    rewording=PATCHES / "flag-documented.patch",
    diff=PATCHES / "leading-digits-checked.patch",
    development=(MAIN, PATCHES / "main" / "leading-digits-checked.patch"),
    call=_call,
    language="java",
    size="number of documents",
    test=_test,
    table=lambda x: table(x.grades),
    examples=(
        MIXED,
        Judged(("-2", "1")),
        Judged(("-1",)),
        Judged(("-0",)),
        Judged(("00",)),
        Judged(("0", "1", "2")),
    ),
    series=(SPAM, ONE),
    program=_program,
)
