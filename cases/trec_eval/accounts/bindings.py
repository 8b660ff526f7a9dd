"""The accounts of pytrec_eval, which has trec_eval 9.0 built in."""

from string import Template

from cases.trec_eval.accounts import negative
from cases.trec_eval.scripts import falling_scores
from cases.trec_eval.topics import FIRST_TOPIC, LATER_TOPICS, ZEROS, Topics
from harness.account import Account, Quotation, RegressionTest
from reference.trec.measures import evaluate

TREC_EVAL = "trec_eval 9.0.8's source"
BINDING = "pytrec_eval-terrier 0.5.11's source"

BUILT_IN = "What is built in is trec_eval 9.0.8, which the setup.py of pytrec_eval-terrier 0.5.11 names."

LICENCE = (
    "MIT (pytrec_eval), and of trec_eval 9.0.8 the terms in its files: 'use and modification of this file for "
    "research, non-commercial purposes'"
)

QUOTED = (
    Quotation(
        "formats.c",
        "a non-negative integer less than 128, or -1 (unjudged))",
        "trec_eval's help text says which grades there are.",
        35,
        TREC_EVAL,
    ),
    Quotation(
        "get_qrels.c",
        "an integer between -127 and 127",
        "The comment of the code that reads qrels names negative grades too, down to -127.",
        20,
        TREC_EVAL,
    ),
    Quotation(
        "trec_eval.c",
        "Most measures, but not all, will treat -1 or -2 the same as 0,",
        "It says how what is in the pool and unjudged is evaluated: as not relevant.",
        98,
        TREC_EVAL,
    ),
    Quotation(
        "form_res_rels.c",
        "if (NULL == (rel_levels =",
        "What `te_chk_and_malloc` returns is an error if it is `NULL`, also where no room was needed.",
        157,
        TREC_EVAL,
    ),
    Quotation(
        "form_res_rels.c",
        "(void) memset (rel_levels, 0, (max_rel+1) * sizeof (long));",
        "The size is that of one count more than the largest grade, and negative if that grade is -2 or lower.",
        162,
        TREC_EVAL,
    ),
)

UNCHECKED = Quotation(
    "src/pytrec_eval.cpp",
    "te_trec_measures[measure_idx]->calc_meas(",
    "The call is a statement of its own: that a measure could not be calculated goes unnoticed.",
    652,
    BINDING,
)

TEST = Template("""\
import json
import subprocess
import sys
import unittest

import pytrec_eval  # noqa: F401 (imported where it is evaluated, below)

EVALUATE = '''
import json, sys, pytrec_eval
qrel, run = json.load(sys.stdin)
measures = {'num_ret', 'num_rel', 'num_rel_ret'}
print(json.dumps(pytrec_eval.RelevanceEvaluator(qrel, measures).evaluate(run)))
'''


class PyTrecEvalNegativeRelevanceTest(unittest.TestCase):

    # In an interpreter of its own, in which nothing was evaluated before and which may end.
    def evaluate(self, qrel, run):
        process = subprocess.run(
            [sys.executable, '-c', EVALUATE], input=json.dumps([qrel, run]),
            stdout=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(process.returncode, 0)

        return json.loads(process.stdout)

$methods

if __name__ == '__main__':
    unittest.main()
""")

METHOD = Template("""\
    def test_$name(self):
        qrel = $qrel
        run = $run

        # num_ret counts what is retrieved; only a relevance of at least 1 is relevant.
        self.assertEqual(
            self.evaluate(qrel, run),
            $right)
""")

NOTE = "Each evaluation of it is run in an interpreter of its own."

SENTINEL = (
    "Give each such topic a judged document of relevance 0 that no run retrieves: `qrel = {topic: {**grades, "
    "'no-such-document': 0} if grades and max(grades.values()) < 0 else grades for topic, grades in qrel.items()}`. "
    "There is no relevant document in it, so that no measure changes by it."
)

LEAVE_OUT = (
    "Leave such topics out: `qrel = {topic: grades for topic, grades in qrel.items() if max(grades.values(), "
    "default=0) >= 0}`. Their measures are then missing, which changes a mean."
)


def _literal(by_topic: dict[str, dict[str, float]], indent: int) -> str:
    """Return a dictionary as upstream's tests write one, a topic a line."""
    lines = (f"{' ' * (indent + 4)}{topic!r}: {of!r},\n" for topic, of in by_topic.items())
    return "{\n" + "".join(lines) + " " * indent + "}"


def _test(inputs: dict[str, Topics]) -> RegressionTest:
    """Return a test of each input, by its name."""
    methods = "\n".join(_method(x, name) for name, x in inputs.items())
    return RegressionTest(place="tests/pytrec_eval_tests.py", source=TEST.substitute(methods=methods), note=NOTE)


def _method(x: Topics, name: str) -> str:
    qrel, run = _qrel(x), _run(x)
    right: dict[str, dict[str, float]] = {}
    for topic, grades in zip(qrel, x.grades, strict=True):
        found = evaluate(grades, grades)
        right[topic] = {"num_ret": found.num_ret, "num_rel": found.num_rel, "num_rel_ret": found.num_rel_ret}
    return METHOD.substitute(name=name, qrel=_literal(qrel, 8), run=_literal(run, 8), right=_literal(right, 12))


def _qrel(x: Topics) -> dict[str, dict[str, float]]:
    return {f"t{k}": {f"d{i}": grade for i, grade in enumerate(grades)} for k, grades in enumerate(x.grades)}


def _run(x: Topics) -> dict[str, dict[str, float]]:
    return {f"t{k}": falling_scores(len(grades)) for k, grades in enumerate(x.grades)}


def _call(x: Topics) -> list[str]:
    return [
        "import pytrec_eval",
        "",
        f"qrel = {_qrel(x)}",
        f"run = {_run(x)}",
        "measures = {'num_ret', 'num_rel', 'num_rel_ret'}",
        "pytrec_eval.RelevanceEvaluator(qrel, measures).evaluate(run)",
    ]


def _call_first(x: Topics) -> list[str]:
    first = 0 if max(x.grades[0]) < 0 else len(x.grades[0])
    *before, call = _call(x)
    return ["# in a process that has evaluated nothing before", *before, f"{call}['t0']['num_ret']  # {first}"]


def _tests_first(x: Topics) -> RegressionTest:
    tests = {"negative_relevance_only": x}
    if x != TWO_DOCUMENTS:
        tests["negative_relevance_only_of_two_documents"] = TWO_DOCUMENTS
    return _test(tests)


TWO_DOCUMENTS = Topics(((-1, -2),))


ZERO_COUNTS = Account(
    case=FIRST_TOPIC.name,
    cause=ZEROS,
    title="num_ret is 0 for a first topic whose relevance values are all negative",
    fault="Nothing promises it, but a user would expect the counts of what was retrieved for a topic whose relevance "
    "values are all negative; as the first topic that a process evaluates, it has 0 for every measure, `num_ret` too.",
    worked=negative.worked,
    why=f"{BUILT_IN} {negative.NO_ROOM} So every measure of that topic fails. `trec_eval` itself ends there, with "
    "status 4 and 'Can't calculate measure'. pytrec_eval sets all values to 0, calls `calc_meas`, and does not look at "
    "what it returns.",
    quotations=(*QUOTED, UNCHECKED),
    licence=LICENCE,
    affected="The first topic of a process, and those right after it, as long as every grade is negative, -1 included; "
    "seen with 0.5.11. What is wrong are the measures that are not 0 for such a topic, `num_ret` and `utility`. "
    "Whether the same call gives the right value depends on what the process evaluated before it.",
    unaffected="A topic with any relevance of 0 or more, and whatever is evaluated after such a topic (but see "
    "`trec_eval/later-topics` for values of -2 and lower). Measures that are 0 without a relevant document, such as "
    "`map`, `P` and `ndcg`, have that value.",
    workarounds=(SENTINEL, LEAVE_OUT),
    defence="trec_eval's help says that 'queries for which there is no relevance information are ignored', and a topic "
    "of which nothing was judged may be meant by that; then any value would do, and a 0 is what most measures have in "
    f"any case. {negative.NEGATIVE_GRADES} We know of no place where upstream discusses such a topic.",
    mend=f"In trec_eval: {negative.MEND} In pytrec_eval, whatever becomes of that: raise an exception where "
    "`calc_meas` returns `UNDEF`, instead of the zeros that were put there before. That alone would tell the user, and "
    "not mend the value.",
    reword="The README would say that a topic needs a relevance of 0 or more to be evaluated.",
    development=negative.DEVELOPMENT,
    call=_call_first,
    size=negative.FIRST_SIZE,
    test=_tests_first,
    table=negative.table,
    examples=negative.FIRST_EXAMPLES,
)

CRASH = Account(
    case=LATER_TOPICS.name,
    cause="crashes (signal SIGSEGV)",
    title="Python ends by SIGSEGV at a later topic whose relevance is all -2 or lower",
    fault="Once a process has evaluated another topic, a topic whose relevance values are all -2 or lower ends it by a "
    "segmentation fault: Python is gone, without an exception.",
    worked=negative.worked,
    why=f"{BUILT_IN} {negative.CRASH}",
    quotations=QUOTED,
    licence=LICENCE,
    affected="Whoever evaluates a topic of which every judged document has -2 or lower, for instance a topic or a "
    "sample of qrels of the TREC Web track with nothing but spam in it, after another topic: in the same call, or in "
    "any call before it in the same process. Seen with 0.5.11 on Linux; elsewhere a write out of bounds may show in "
    "another way.",
    unaffected="A topic with any relevance of -1 or more, so every file of qrels in which each topic has one. As "
    "the very first topic of a process it does not crash, but has zeros: `trec_eval/first-topic`.",
    workarounds=(SENTINEL, LEAVE_OUT),
    defence=f"{negative.NEGATIVE_GRADES} So one may say that such qrels are outside of the format. Even then they "
    "ought to be refused; to end the process is nobody's choice. We know of no place where upstream "
    "discusses it.",
    mend=f"In trec_eval, with which pytrec_eval is built: {negative.MEND}",
    development=negative.DEVELOPMENT,
    call=_call,
    size=negative.LATER_SIZE,
    test=lambda x: _test({"negative_relevance_only_after_other_query": x}),
    table=negative.table,
    examples=negative.LATER_EXAMPLES,
)
