"""How a call of Lucene is written in a reproduction script: a Java program, and the Python that runs it."""

import json
import textwrap
from collections.abc import Sequence
from fractions import Fraction
from string import Template

from harness.case import Script

IMPORTS = """\
import glob
import json
import os
import shutil
import subprocess
import tempfile
import zipfile

HOME = os.environ.get("RANKDIFF_JAVA") or shutil.which("java") or ""
JAVA = os.path.join(HOME, "bin", "java") if os.path.isdir(HOME) else HOME
if not os.path.isfile(JAVA):
    print("Java 11 or newer was expected: on the PATH, or named by RANKDIFF_JAVA")
    print("COULD NOT RUN")
    sys.exit(2)
NAMED = os.environ.get("RANKDIFF_LUCENE_JAR")
FOUND = NAMED.split(os.pathsep) if NAMED else sorted(glob.glob("/usr/share/java/lucene*-benchmark*.jar"))
JAR = os.path.realpath(FOUND[-1]) if FOUND else ""
PATCHED = [path for path in FOUND if os.path.isdir(path)]  # folders of classes that come before the jar
JUDGE = "org/apache/lucene/benchmark/quality/trec/TrecJudge.class"
if not zipfile.is_zipfile(JAR) or JUDGE not in zipfile.ZipFile(JAR).namelist():
    print("Lucene's benchmark jar was expected, not %r. Name it:" % JAR)
    print("    RANKDIFF_LUCENE_JAR=.../lucene-benchmark-VERSION.jar python repro.py")
    print("    RANKDIFF_LUCENE_JAR=PATCHED-CLASSES:.../lucene-benchmark-VERSION.jar python repro.py")
    print("COULD NOT RUN")
    sys.exit(2)
MANIFEST = "META-INF/MANIFEST.MF"
with zipfile.ZipFile(JAR) as archive:
    TOLD = archive.read(MANIFEST).decode("utf-8", "replace") if MANIFEST in archive.namelist() else ""
# The file's name may be that of another release: Debian names the jar of 8.8.1 lucene-benchmark-8.7.0.jar.
RELEASE = " ".join(TOLD.partition("Implementation-Version:")[2].split()[:1]) or "no version"
CLASS_PATH = os.pathsep.join([*PATCHED, JAR])
"""

WHOLE_RELEASE = """\
VERSION = os.path.basename(JAR)[len("lucene-benchmark-") : -len(".jar")]
PARTS = ["benchmark", "core", "analyzers-common", "queryparser"]
NEEDED = [os.path.join(os.path.dirname(JAR), "lucene-%s-%s.jar" % (part, VERSION)) for part in PARTS]
ABSENT = [path for path in NEEDED if not os.path.isfile(path)]
if ABSENT or not VERSION.startswith("8."):
    print("Lucene 8 was expected, with the jars beside lucene-benchmark's that an index needs; not there:")
    print("    " + (", ".join(ABSENT) or "this is %s" % os.path.basename(JAR)))
    print("COULD NOT RUN")
    sys.exit(2)
CLASS_PATH = os.pathsep.join([*PATCHED, *NEEDED])
"""

ABOUT = '*(["patched"] if PATCHED else []), os.path.basename(JAR), "(manifest: %s)" % RELEASE'

BODY = Template('''\
PROGRAM = r"""
import java.io.*;
import java.util.*;
import org.apache.lucene.benchmark.quality.*;
import org.apache.lucene.benchmark.quality.trec.TrecJudge;

public class Repro {
    static Object control() throws Exception {
        $control
    }

    static Object observed() throws Exception {
        $observed
    }

$methods
    public static void main(String[] arguments) throws Exception {
        try {
            Object value = arguments[0].equals("control") ? control() : observed();
            System.out.println(value instanceof String ? quoted((String) value) : value);
        } catch (Throwable error) {
            String message = error.getMessage();
            System.out.println("raised " + error.getClass().getSimpleName());
            System.out.println(quoted(message == null ? "" : message));
        }
    }

    static String quoted(String text) {
        StringBuilder json = new StringBuilder();
        for (char c : text.toCharArray()) json.append(String.format("\\\\u%04x", (int) c));
        return '"' + json.toString() + '"';
    }
}
"""


def run(what):
    """Compile and run the program; return what it answers, or raise what it raised."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "Repro.java")
        with open(source, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        command = [JAVA, "$assertions", "-Duser.language=en", "-cp", CLASS_PATH, source, what]
        lines = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode("ascii").splitlines()
    if lines[0].startswith("raised "):
        raise type(lines[0][len("raised ") :], (Exception,), {})(json.loads(lines[1]))
    return json.loads(lines[0])


def control():
    """$holds"""
    return run("control") == $control_value


def observed():
    return run("observed")


DOCUMENTED = $right
"""$why"""


def is_right(value):
    return $is_right
''')

JUDGE_METHOD = """\
/** Return for each query how many documents are relevant, then whether each document that is asked for is. */
static List<Object> judge(String qrels, String[]... asked) throws Exception {
    TrecJudge judge = new TrecJudge(new BufferedReader(new StringReader(qrels)));
    List<Object> answers = new ArrayList<>();
    for (String[] one : asked) {
        QualityQuery query = new QualityQuery(one[0], new HashMap<String, String>());
        List<Integer> relevant = new ArrayList<>();
        for (int i = 1; i < one.length; i++) relevant.add(judge.isRelevant(one[i], query) ? 1 : 0);
        answers.add(Arrays.asList(judge.maxRecall(query), relevant));
    }
    return answers;
}
"""

RANKED_METHOD = """\
/** Return the statistics of a ranking: how many documents are known to be relevant, and whether each one by rank is. */
static QualityStats ranked(double known, int... relevant) {
    QualityStats stats = new QualityStats(known, 0);
    for (int i = 0; i < relevant.length; i++) stats.addResult(i + 1, relevant[i] == 1, 0);
    return stats;
}

static List<Double> precisions(QualityStats stats, int upTo) {
    List<Double> found = new ArrayList<>();
    for (int n = 1; n <= upTo; n++) found.add(stats.getPrecisionAt(n));
    return found;
}
"""

SHEET_METHOD = """\
static List<Object> sheet(QualityStats stats) {
    return Arrays.asList(
        stats.getNumPoints(), stats.getNumGoodPoints(), stats.getMaxGoodPoints(),
        stats.getAvp(), stats.getMRR(), stats.getRecall(), precisions(stats, QualityStats.MAX_POINTS));
}
"""


def qrels(grades: Sequence[str]) -> str:
    """Return the qrels text of one query, q, whose documents d0, d1, ... have these grades."""
    return "".join(f"q 0 d{i} {grade}\n" for i, grade in enumerate(grades))


def java(text: str) -> str:
    """Return a text as a Java string literal in ASCII.

    JSON's escapes are Java's. A compiler reads an escape by number before all else, so that one for the end of a line
    would end the line; JSON writes those by name.
    """
    return json.dumps(text)


def java_double(value: Fraction | int) -> str:
    """Return a number as a Java expression of type double, as a quotient unless it is an integer."""
    number = Fraction(value)
    return f"{number.numerator}.0" + ("" if number.denominator == 1 else f" / {number.denominator}")


def indented(method: str) -> str:
    """Return the source of a method as it stands in a class."""
    return textwrap.indent(method, " " * 4)


def program(  # noqa: PLR0913 - what the script spells out
    observed: str,
    *,
    methods: Sequence[str],
    control: tuple[str, str, str],
    right: str,
    why: str,
    is_right: str,
    input: str,  # noqa: A002 - the word for it
    assertions: bool = False,
    whole_release: bool = False,
) -> Script:
    """Return a script that runs a program.

    Parameters
    ----------
    observed
        Java statements that return what is asked.
    methods
        The Java methods that they use.
    control
        Java statements whose answer is known, that answer in Python, and what it shows.
    right, why, is_right
        Python expressions: the documented value, why it is, and whether ``value`` is right.
    whole_release
        Whether it needs the jars beside the benchmark's, of the same release: Lucene 8 or newer.
    """
    body = BODY.substitute(
        control=control[0],
        control_value=control[1],
        holds=control[2],
        observed=observed,
        methods=indented("\n".join(methods)),
        right=right,
        why=why,
        is_right=is_right,
        assertions="-ea" if assertions else "-da",
    )
    imports = IMPORTS + (WHOLE_RELEASE if whole_release else "")
    return Script(imports, body, documented="DOCUMENTED", input=input, dependencies=(), about=ABOUT)


JUDGE_CONTROL = (
    'return judge("q 0 d0 1\\nq 0 d1 0\\n", new String[] {"q", "d0", "d1"});',
    "[[1, [1, 0]]]",
    "Grade 1 is relevant, and grade 0 is not.",
)


def judge(
    text: str,
    asked: Sequence[tuple[str, Sequence[str]]],
    *,
    right: object,
    why: str,
    input: str,  # noqa: A002
    assertions: bool = False,
) -> Script:
    """Return a script that asks a judge of a qrels text about documents of queries."""
    queries = "".join(f", new String[] {{{', '.join(java(id_) for id_ in (q, *documents))}}}" for q, documents in asked)
    return program(
        f"return judge({java(text)}{queries});",
        methods=[JUDGE_METHOD],
        control=JUDGE_CONTROL,
        right=repr(right),
        why=why,
        is_right="value == DOCUMENTED",
        input=input,
        assertions=assertions,
    )
