# /// script
# requires-python = ">=3.9"
# dependencies = []
# ///
"""trec_eval/program-first-topic in trec_eval 10.0-rc3: one topic of grade -1.

A user would expect that a topic has its num_ret, num_rel and num_rel_ret, where a document is
relevant if its grade is at least 1, one with a negative grade is 'in the pool but unjudged', and
one that is not in the qrels is not relevant: one whose grades are all negative has no relevant
document.

Source: trec_eval -h, 'Standard evaluation procedure' and 'Rel_info_file format'.

Nothing promises this: the help text says that 'queries for which there is no relevance information
are ignored', and a topic whose grades are all negative may be meant by that; if it is evaluated,
this is what a user would expect.

Upstream: the help text allows -1 as the only negative grade, and no version holds a grade to that.
A maintainer on usnistgov/trec_eval#29: 'Historically, a qrel of -1 indicated pooled but not judged.
I started using -2 to mark spam'.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import sys
import traceback
import json
import os
import shutil
import subprocess
import tempfile

PROGRAM = os.environ.get("RANKDIFF_TREC_EVAL") or shutil.which("trec_eval")
if PROGRAM is None or not os.path.isfile(PROGRAM):
    print("The program trec_eval was expected: name it by RANKDIFF_TREC_EVAL")
    print("COULD NOT RUN")
    sys.exit(2)

def run(qrels, results):
    """Return exit status, output and messages of trec_eval."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("q", qrels), ("r", results)):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text.encode())
        command = [os.path.abspath(PROGRAM), *["-q", "-m", "num_ret", "-m", "num_rel", "-m", "num_rel_ret"], "q", "r"]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode < 0:
        os.kill(os.getpid(), -done.returncode)  # end as the program did
    printed = (text.decode(errors="backslashreplace") for text in (done.stdout, done.stderr))
    return [done.returncode, *printed]


def control():
    """A document of grade 1 is evaluated: one is relevant."""
    status, printed, _ = run("q 0 d 1\n", "q Q0 d 1 1 r\n")
    return status == 0 and ["num_rel", "all", "1"] in [line.split() for line in printed.splitlines()]


def observed():
    return run('t0 0 d0 -1\n', 't0 Q0 d0 1 0 r\n')


DOCUMENTED = ['num_ret               \tt0\t1', 'num_rel               \tt0\t0', 'num_rel_ret           \tt0\t0']


def is_right(value):
    status, printed, _ = value
    return status == 0 and printed.splitlines()[: len(DOCUMENTED)] == DOCUMENTED


def main():
    print("trec_eval", PROGRAM, "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "one topic of grade -1")
    print("expected:  ", DOCUMENTED)
    try:
        value = observed()
    except BaseException as error:
        if type(error).__name__ != 'TrecEvalError':
            raise
        print("observed:  ", type(error).__name__, error)
        return False
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
