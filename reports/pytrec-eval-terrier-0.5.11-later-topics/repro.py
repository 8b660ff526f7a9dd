# /// script
# requires-python = ">=3.9"
# dependencies = ["pytrec-eval-terrier==0.5.11"]
# ///
"""trec_eval/later-topics in pytrec-eval-terrier 0.5.11: topics of grade 1 and of grade -2.

The documentation says that each topic has its num_ret, num_rel and num_rel_ret, where a document is
relevant if its grade is at least 1, one with a negative grade is 'in the pool but unjudged', and
one that is not in the qrels is not relevant: one whose grades are all negative has no relevant
document.

Source: trec_eval -h, 'Standard evaluation procedure' and 'Rel_info_file format'; pytrec_eval-
terrier has trec_eval 9.0 built in.

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
from importlib.metadata import version

try:
    import pytrec_eval
except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)

QRELS = {"t0": {"d0": 1}, "t1": {"d0": -2}}
RUN = {"t0": {"d0": 1.0}, "t1": {"d0": 1.0}}


def control():
    """The measures are offered. Nothing is evaluated first: that could change what is observed."""
    return {"num_rel", "num_rel_ret", "num_ret"} <= pytrec_eval.supported_measures


def observed():
    found = pytrec_eval.RelevanceEvaluator(QRELS, {"num_rel", "num_rel_ret", "num_ret"}).evaluate(RUN)
    return {topic: {name: found[topic][name] for name in DOCUMENTED[topic]} for topic in DOCUMENTED}


DOCUMENTED = {"t0": {"num_ret": 1, "num_rel": 1, "num_rel_ret": 1}, "t1": {"num_ret": 1, "num_rel": 0, "num_rel_ret": 0}}


def is_right(value):
    return all(abs(value[t][name] - right) < 1e-9 for t, of in DOCUMENTED.items() for name, right in of.items())


def main():
    print("pytrec-eval-terrier", version("pytrec-eval-terrier"), "on Python", platform.python_version())
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
