# /// script
# requires-python = ">=3.9"
# dependencies = []
# ///
"""trec_eval/program-later-topics in trec_eval 10.0-rc3: topics of grade 1 and of grade -2.

The documentation says that each topic has its num_ret, num_rel and num_rel_ret, where a document is
relevant if its grade is at least 1, one with a negative grade is 'in the pool but unjudged', and
one that is not in the qrels is not relevant: one whose grades are all negative has no relevant
document.

Source: trec_eval -h, 'Standard evaluation procedure' and 'Rel_info_file format'.

Upstream: the help text allows -1 as the only negative grade, and no version holds a grade to that.
A maintainer on usnistgov/trec_eval#29: 'Historically, a qrel of -1 indicated pooled but not judged.
I started using -2 to mark spam'.

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
import subprocess
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
    return run('t0 0 d0 1\nt1 0 d0 -2\n', 't0 Q0 d0 1 0 r\nt1 Q0 d0 1 -1 r\n')


DOCUMENTED = ['num_ret               \tt0\t1', 'num_rel               \tt0\t1', 'num_rel_ret           \tt0\t1', 'num_ret               \tt1\t1', 'num_rel               \tt1\t0', 'num_rel_ret           \tt1\t0']


def is_right(value):
    status, printed, _ = value
    return status == 0 and printed.splitlines()[: len(DOCUMENTED)] == DOCUMENTED


def main():
    print("trec_eval", PROGRAM, "on Python", platform.python_version())
    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", "topics of grade 1 and of grade -2")
    print("documented:", DOCUMENTED)
    try:
        child = subprocess.run([sys.executable, __file__, "--call"], timeout=300)
    except subprocess.TimeoutExpired:
        print("observed:   no answer within 300 s")
        return False
    if child.returncode in (10, 11):
        return child.returncode == 10
    if child.returncode == 2:
        raise RuntimeError("the call failed in another way than by ending the process")
    print("observed:   the process ended with", child.returncode)
    return False


if __name__ == "__main__":
    if "--call" in sys.argv:
        try:
            status = 10 if is_right(observed()) else 11
        except ():
            status = 10
        except BaseException:
            traceback.print_exc()
            status = 2
        sys.exit(status)
    try:
        status = 0 if main() else 1
    except BaseException:  # a script that fails shows nothing about the library
        traceback.print_exc()
        status = 2
    print({0: "OK", 1: "DEFECT PRESENT", 2: "COULD NOT RUN"}[status])
    sys.exit(status)
