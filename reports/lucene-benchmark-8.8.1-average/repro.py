# /// script
# requires-python = ">=3.9"
# dependencies = []
# ///
"""lucene/average in lucene-benchmark 8.8.1: relevance by rank [] and [1].

The documentation says that QualityStats.average() gives 'a QualityStats object that is the average
of the input QualityStats objects', and getPrecisionAt(n) 'the precision at rank n': so that of the
average is the mean of the precisions at rank n.

Source: the javadoc of org.apache.lucene.benchmark.quality.QualityStats: average(QualityStats[]),
getPrecisionAt(int).

Upstream: queries without a relevant document are left out of the mean, by a choice that is
commented in the code; every query here has one.

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
        return precisions(ranked(1, 1), 1);
    }

    static Object observed() throws Exception {
        return precisions(QualityStats.average(new QualityStats[] {ranked(1), ranked(2, 1)}), 4);
    }

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
        command = [JAVA, "-ea", "-Duser.language=en", "-cp", CLASS_PATH, source, what]
        lines = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode("ascii").splitlines()
    if lines[0].startswith("raised "):
        raise type(lines[0][len("raised ") :], (Exception,), {})(json.loads(lines[1]))
    return json.loads(lines[0])


def control():
    """A relevant document at rank 1 gives a P@1 of 1."""
    return run("control") == [1.0]


def observed():
    return run("observed")


DOCUMENTED = [0.5, 0.25, 0.16666666666666666, 0.125]
"""The means of P@1 to P@4: 1/2, 1/4, 1/6, 1/8."""


def is_right(value):
    return len(value) == len(DOCUMENTED) and all(abs(a - b) <= 1e-12 for a, b in zip(value, DOCUMENTED))


def main():
    print(*(["patched"] if PATCHED else []), os.path.basename(JAR), "(manifest: %s)" % RELEASE, "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "relevance by rank [] and [1]")
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
