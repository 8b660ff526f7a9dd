# /// script
# requires-python = ">=3.9"
# dependencies = []
# ///
"""lucene/end-to-end in lucene-benchmark 8.8.1: a search that returns 2 documents of grades 1, -2.

The documentation says that QualityBenchmark computes 'precision and recall' with a judge 'based on
Trec format for judgements', and QueryDriver prints their summary: of the documents that are
relevant in that format, a grade of at least 1.

Source: the javadoc of org.apache.lucene.benchmark.quality, 'Search Quality Benchmarking', and of
org.apache.lucene.benchmark.quality.trec.TrecJudge and QueryDriver; trec_eval -h.

Upstream: it follows from lucene/relevance; a grade below 0 may be held to be outside what TrecJudge
reads.

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

PROGRAM = r"""
import java.io.*;
import java.util.*;
import org.apache.lucene.benchmark.quality.*;
import org.apache.lucene.benchmark.quality.trec.TrecJudge;

public class Repro {
    static Object control() throws Exception {
        return summary("q 0 d0 0\nq 0 d1 1\n", "d0", "d1");
    }

    static Object observed() throws Exception {
        return summary("q 0 d0 1\nq 0 d1 -2\n", "d0", "d1");
    }

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
        String topic = "<top>\n<num> Number: q\n<title> wanted\n<desc> Description:\n<narr> Narrative:\n</top>\n";
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
        for (String line : text.substring(text.lastIndexOf("SUMMARY")).split("\\R")) {
            if (!line.contains(": ") || line.contains("Seconds")) continue;
            System.err.println(line.trim());
            numbers.add(Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)));
        }
        return numbers;
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
    """With grades 0 and 1 the summary is right, and so the index ranks as it should."""
    return run("control") == [2.0, 1.0, 1.0, 0.5, 0.5, 1.0, 0.0]


def observed():
    return run("observed")


DOCUMENTED = [2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
"""Points, good points, max good points, AP, MRR, recall, then P@n, by grades of at least 1."""


def is_right(value):
    return len(value) == len(DOCUMENTED) and all(abs(a - b) < 6e-4 for a, b in zip(value, DOCUMENTED))


def main():
    print(*(["patched"] if PATCHED else []), os.path.basename(JAR), "(manifest: %s)" % RELEASE, "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "a search that returns 2 documents of grades 1, -2")
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
