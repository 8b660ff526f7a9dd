"""The accounts of the program trec_eval."""

from string import Template

from cases.trec_eval.accounts import negative
from cases.trec_eval.output import PROGRAM_FIRST_TOPIC, PROGRAM_LATER_TOPICS, topic_files, topic_lines
from cases.trec_eval.topics import Topics
from harness.account import Account, Quotation, RegressionTest

SOURCE = "trec_eval 10.0's source"

LICENCE = (
    "the terms in LICENSE.md of trec_eval 10.0: NIST's, which permit copies and modifications under notice; the heads "
    "of the files still say 'for research, non-commercial purposes'"
)

QUOTED = (
    Quotation(
        "formats.c",
        "a non-negative integer less than 128, or -1 (unjudged))",
        "The help text says which grades there are.",
        35,
        SOURCE,
    ),
    Quotation(
        "get_qrels.c",
        "an integer between -127 and 127",
        "The comment of the code that reads qrels names negative grades too, down to -127.",
        19,
        SOURCE,
    ),
    Quotation(
        "trec_eval.c",
        "Most measures, but not all, will treat -1 or -2 the same as 0,",
        "It says how what is in the pool and unjudged is evaluated: as not relevant.",
        99,
        SOURCE,
    ),
    Quotation(
        "form_res_rels.c",
        "if (NULL == (rel_levels =",
        "What `te_chk_and_malloc` returns is an error if it is `NULL`, also where no room was needed.",
        153,
        SOURCE,
    ),
    Quotation(
        "form_res_rels.c",
        "(void) memset(rel_levels, 0, (max_rel + 1) * sizeof(long));",
        "The size is that of one count more than the largest grade, and negative if that grade is -2 or lower.",
        157,
        SOURCE,
    ),
)

ENDS = Quotation(
    "trec_eval.c",
    "trec_eval: Can't calculate measure '%s'",
    "The program ends at the first measure of such a topic, and prints none of any other.",
    409,
    SOURCE,
)

TEST = Template('''\
import os
import shutil
import subprocess

PROGRAM = os.environ.get("RANKDIFF_TREC_EVAL") or shutil.which("trec_eval")
assert PROGRAM, "name the program by RANKDIFF_TREC_EVAL"

QRELS = """\\
$qrels"""

RESULTS = """\\
$results"""

# num_ret counts what is retrieved; only a grade of at least 1 is relevant.
EXPECTED = """\\
$expected"""


def $test(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "results").write_text(RESULTS)
    measures = ["-m", "num_ret", "-m", "num_rel", "-m", "num_rel_ret"]
    command = [os.path.abspath(PROGRAM), "-n", "-q", *measures, tmp_path / "qrels", tmp_path / "results"]
    done = subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 0
    assert done.stdout == EXPECTED
''')

SHOWN = "RANKDIFF_TREC_EVAL=./trec_eval python -m pytest test_regression.py"

NOTE = "It was run with the program that `RANKDIFF_TREC_EVAL` names; upstream's own tests are in `make quicktest`."

SENTINEL = (
    "Give each such topic a judged document of grade 0 that no run retrieves: `awk '{ print; seen[$1]; if ($4 >= 0) "
    'good[$1] } END { for (topic in seen) if (!(topic in good)) print topic, 0, "no-such-document", 0 }\' qrels > '
    "qrels.complete`. There is no relevant document in it, so that no measure changes by it."
)

LEAVE_OUT = (
    "Leave such topics out of the qrels, or out of the run: `awk 'NR == FNR { if ($4 >= 0) good[$1]; next } $1 in "
    "good' qrels qrels > qrels.judged`. They are then missing in the mean, and with `-c` too."
)


def _test(x: Topics, name: str) -> RegressionTest:
    files = topic_files(x)
    expected = "".join(line + "\n" for line in topic_lines(x))
    source = TEST.substitute(qrels=files.qrels, results=files.run, expected=expected, test=name)
    return RegressionTest(
        place="test/test_negative_grades.py", source=source, shown=SHOWN, note=NOTE, style="that pytest runs"
    )


def _call(x: Topics) -> list[str]:
    files = topic_files(x)
    return [
        _printf(files.qrels, "qrels"),
        _printf(files.run, "results"),
        "./trec_eval -n -q -m num_ret -m num_rel -m num_rel_ret qrels results",
    ]


def _printf(text: str, name: str) -> str:
    """Return a shell line that writes a file; a text has neither quotes nor percent signs."""
    return f"printf '{text.encode('unicode_escape').decode()}' > {name}"


FAILURE = Account(
    case=PROGRAM_FIRST_TOPIC.name,
    cause="raises TrecEvalError",
    title="The program ends with status 4 at a first topic whose grades are all negative",
    fault="Nothing promises it, but a user would expect the counts of what was retrieved for a topic whose grades are "
    "all negative; as the first topic of a run it ends the program with status 4, and no topic is evaluated.",
    worked=negative.worked,
    why=f"{negative.NO_ROOM} So `te_form_res_rels` returns `UNDEF`, and the program ends with 'Can't calculate "
    "measure'.",
    quotations=(*QUOTED, ENDS),
    licence=LICENCE,
    needs="Both need the program, which `RANKDIFF_TREC_EVAL` names.",
    affected="Whoever evaluates a run whose first judged topic has negative grades alone, -1 included. 9.0.8, 10.0 "
    f"(which `main` is) and the branch {negative.CHECKED} were run, and behave alike.",
    unaffected="A file whose first evaluated topic has a grade of 0 or more; a later topic of grades -1 alone is "
    "evaluated as it should be.",
    workarounds=(SENTINEL, LEAVE_OUT),
    defence="The help text says that 'queries for which there is no relevance information are ignored', and a topic of "
    "which nothing was judged may be meant by that; to stop with a message is better than a wrong value. Against it: "
    "such a topic is not ignored, the message does not say which topic it is or what is wrong with it, and the same "
    f"topic is evaluated where it is not the first. {negative.NEGATIVE_GRADES} We know of no place where upstream "
    "discusses such a topic.",
    mend=negative.MEND,
    reword=negative.REWORD,
    development=negative.DEVELOPMENT,
    call=_call,
    language="sh",
    size=negative.FIRST_SIZE,
    test=lambda x: _test(x, "test_topic_of_negative_grades_alone_has_its_counts"),
    table=negative.table,
    examples=negative.FIRST_EXAMPLES,
)

CRASH = Account(
    case=PROGRAM_LATER_TOPICS.name,
    cause="crashes (signal SIGSEGV)",
    title="The program ends by SIGSEGV at a later topic whose grades are all -2 or lower",
    fault="A topic whose grades are all -2 or lower ends the program by a segmentation fault, once another topic came "
    "before it.",
    worked=negative.worked,
    why=negative.CRASH,
    quotations=QUOTED,
    licence=LICENCE,
    needs="Both need the program, which `RANKDIFF_TREC_EVAL` names.",
    affected="Whoever evaluates a topic of which every judged document has -2 or lower, for instance a topic or a "
    f"sample of qrels of the TREC Web track with nothing but spam in it. 9.0.8, 10.0 (which `main` is) and the branch "
    f"{negative.CHECKED} were run on Linux, and behave alike. Elsewhere a write out of bounds may show in another way.",
    unaffected="A topic with any grade of -1 or more, so every file in which each topic has one. As the first topic it "
    "does not crash, but ends the program with status 4: `trec_eval/program-first-topic`.",
    workarounds=(SENTINEL, LEAVE_OUT),
    defence=f"{negative.NEGATIVE_GRADES} So one may say that such qrels are outside of the format. Even then they "
    "ought to be refused with a message; a write out of bounds is nobody's choice. We know of no "
    "place where upstream discusses it.",
    mend=negative.MEND,
    reword=negative.REWORD,
    development=negative.DEVELOPMENT,
    call=_call,
    language="sh",
    size=negative.LATER_SIZE,
    test=lambda x: _test(x, "test_topic_of_negative_grades_alone_has_its_counts_after_another_topic"),
    table=negative.table,
    examples=negative.LATER_EXAMPLES,
)
