# /// script
# requires-python = ">=3.9"
# dependencies = []
# ///
"""lucene/relevance in lucene-benchmark 8.8.1: one document of grade -2.

The documentation says that TrecJudge judges 'based on Trec format for judgements'. In that format
the grade is an integer: trec_eval describes it as 'a non-negative integer less than 128, or -1
(unjudged)', reads any, and at its default relevance level takes a document for relevant if it is at
least 1; in the qrels of TREC's Web track -2 is spam.

Source: the javadoc of org.apache.lucene.benchmark.quality.trec.TrecJudge and of its constructor;
the package documents itself as 'for benchmarking TREC collections with TREC QRels'; trec_eval -h,
'Rel_info_file format', and its default relevance level of 1.

Upstream: the comparison with the text 0 came with the class (LUCENE-836, 2007), and nothing that
was said about it mentions negative grades. The constructor's javadoc calls the column 'is-relevant'
and shows 1 and 0 only, so a maintainer may hold that a negative grade is outside what it reads.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
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

PROGRAM = r"""
import java.io.*;
import java.util.*;
import org.apache.lucene.benchmark.quality.*;
import org.apache.lucene.benchmark.quality.trec.TrecJudge;

public class Repro {
    static Object control() throws Exception {
        return judge("q 0 d0 1\nq 0 d1 0\n", new String[] {"q", "d0", "d1"});
    }

    static Object observed() throws Exception {
        return judge("q 0 d0 -2\n", new String[] {"q", "d0"});
    }

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
        for (char c : text.toCharArray()) json.append(String.format("\\u%04x", (int) c));
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
        command = [JAVA, "-da", "-Duser.language=en", "-cp", CLASS_PATH, source, what]
        lines = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode("ascii").splitlines()
    if lines[0].startswith("raised "):
        raise type(lines[0][len("raised ") :], (Exception,), {})(json.loads(lines[1]))
    return json.loads(lines[0])


def control():
    """Grade 1 is relevant, and grade 0 is not."""
    return run("control") == [[1, [1, 0]]]


def observed():
    return run("observed")


DOCUMENTED = [[0, [0]]]
"""A grade of at least 1 is relevant."""


def is_right(value):
    return value == DOCUMENTED


def main():
    print(*(["patched"] if PATCHED else []), os.path.basename(JAR), "(manifest: %s)" % RELEASE, "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "one document of grade -2")
    print("documented:", DOCUMENTED)
    value = observed()
    print("observed:  ", value)
    return is_right(value)


if __name__ == "__main__":
    try:
        status = 0 if main() else 1
    except BaseException:  # a script that fails shows nothing about the library
        traceback.print_exc()
        status = 2
    print({0: "OK", 1: "DEFECT PRESENT", 2: "COULD NOT RUN"}[status])
    sys.exit(status)
