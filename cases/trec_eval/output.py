"""What the program trec_eval prints for two files, and how it ends."""

import json
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

from cases.trec_eval.promises import NEGATIVE
from cases.trec_eval.topics import FIRST_TOPIC, LATER_TOPICS, TOPIC_SOURCE, Topics
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, sequence
from harness.expected import Each, Exactly, Expected, OneOf, Unspecified, Verbatim
from reference.trec.dialect import Dialect
from reference.trec.measures import evaluate
from reference.trec.program import Completed, Undefined, trec_eval

MEASURES = ("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "Rprec", "recip_rank", "P.1,5", "set_recall")

OPTIONS = ("-q", *(part for name in MEASURES for part in ("-m", name)))

QRELS = "q 0 d 1\nq 0 e 0\np 0 d 2\n"
RUN = "q Q0 d 1 2 r\nq Q0 e 2 1 r\np Q0 d 1 1 r\n"

QRELS_LINES = (
    *("q 0 d 1", "q 0 e 0", "q 0 e 1x", "q 0 f -1", "p 0 d x", "q\t0\td\t2 \r", "", " ", "q 0 d", "q 0 d 1 x"),
    "# c\nq 0 g 1",
)
"""A comment comes with the line after it: what 10.0 does after a comment at the end is not defined."""

RUN_LINES = (
    *("q Q0 d 1 2 r", "q Q0 e 2 1 r", "q Q0 e 2 2 r", "q Q0 f 3 x r", "p Q0 d 1 1e0 r", "q\tQ0\tg\t1\t-1\tr \r"),
    *("", "q Q0 d 1 2", "q Q0 h 1 2 r more"),
)


class Files(NamedTuple):
    """What the program is given.

    Attributes
    ----------
    options
        The options of the command line.
    qrels
        The text of the qrels file.
    run
        The text of the run file.
    """

    options: tuple[str, ...]
    qrels: str
    run: str


def by_dialect(x: Files, dialect: Dialect) -> Expected:
    """Return what one dialect prints, under its name."""
    match trec_eval(x.options, x.qrels.encode(), x.run.encode(), dialect):
        case Completed(status, stdout, stderr):
            texts = [Verbatim(text.decode(errors="backslashreplace")) for text in (stdout, stderr)]
            return Each((Verbatim(dialect.value), Exactly(Fraction(status)), *texts))
        case Undefined(reason):
            return Unspecified(reason)


def _expected(x: Files) -> Expected:
    """Return what each dialect prints; the answer says whose it is."""
    readings = [by_dialect(x, dialect) for dialect in Dialect]
    undefined = next((reading for reading in readings if isinstance(reading, Unspecified)), None)
    return undefined or OneOf(tuple(readings))


def _domain(name: str, file: str, lines: Iterable[str], up_to: int, *, thorough: bool = False) -> Domain[Files]:
    items = tuple(lines)

    def files(chosen: tuple[str, ...]) -> Files:
        text = "".join(line + "\n" for line in chosen)
        return Files(OPTIONS, text, RUN) if file == "qrels" else Files(OPTIONS, QRELS, text)

    return Domain(
        name=name,
        parameters={"lines": up_to},
        inputs=mapped(files, sequence(choice(items), up_to, at_least=1)),
        counts=lambda: {n: len(items) ** n for n in range(1, up_to + 1)},
        thorough=thorough,
    )


def _tokens(up_to: int, *, thorough: bool = False) -> Domain[Files]:
    """Return qrels of one line, of up to so many fields."""
    fields = ("q", "d", "0", "1", "x")
    return Domain(
        name="one line of qrels",
        parameters={"fields": up_to},
        inputs=mapped(lambda chosen: Files(OPTIONS, " ".join(chosen), RUN), sequence(choice(fields), up_to)),
        counts=lambda: {n: len(fields) ** n for n in range(up_to + 1)},
        thorough=thorough,
    )


@st.composite
def _files(draw: st.DrawFn) -> Files:
    """Draw files on which every dialect's behaviour is defined."""
    blank = st.sampled_from([" ", "\t", "  ", "\f"])
    topic, docno = st.sampled_from(["q", "p", "\ufeffq"]), st.sampled_from(["d", "e", "f", "D", "10", "9", "\u00e9"])
    grade = st.sampled_from(["-2", "-1", "0", "1", "2", "00", "+1", "0.5", "1x", "x", "127"])
    number = st.sampled_from(["0", "1", "2", "-1", "1e3", "0x10", "1,5", "x", "1.0000000000000002", "16777217", "inf"])

    def line(*parts: str) -> str:
        return "".join(part + draw(blank) for part in parts)

    def text(lines: list[str]) -> str:
        odd = st.sampled_from(["", "q 0 d", "q Q0 d 1 2 r", " # c"])
        some = [draw(odd) if draw(st.integers(0, 19)) == 0 else one for one in lines]
        return "".join(one + draw(st.sampled_from(["\n", "\n", "\r\n"])) for one in some)

    qrels = text([line(draw(topic), "0", draw(docno), draw(grade)) for _ in range(draw(st.integers(1, 8)))])
    run = text([line(draw(topic), "Q0", draw(docno), "1", draw(number), "r") for _ in range(draw(st.integers(1, 8)))])
    more = draw(st.sampled_from([(), ("-c",), ("-l", "2"), ("-l", "0"), ("-M", "1"), ("-M", "3")]))
    return Files((*OPTIONS, *more), qrels, run)


def _is_defined(x: Files) -> bool:
    return not isinstance(_expected(x), Unspecified)


def _validate(x: Files) -> None:
    if any("\0" in option for option in x.options):
        raise ValueError("an option cannot hold a NUL character")
    _expected(x)


def _describe(x: Files) -> str:
    options = [one for one in x.options if one not in OPTIONS]
    return f"qrels {x.qrels!a}, run {x.run!a}{', options ' + ' '.join(options) if options else ''}"


IMPORTS = """\
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
"""

ABOUT = '"trec_eval", PROGRAM'

RUN_PROGRAM = '''\
def run(qrels, results):
    """Return exit status, output and messages of trec_eval."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("q", qrels), ("r", results)):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text.encode())
        command = [os.path.abspath(PROGRAM), *{options}, "q", "r"]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode < 0:
        os.kill(os.getpid(), -done.returncode)  # end as the program did
    printed = (text.decode(errors="backslashreplace") for text in (done.stdout, done.stderr))
    return [done.returncode, *printed]


def control():
    """A document of grade 1 is evaluated: one is relevant."""
    status, printed, _ = run("q 0 d 1\\n", "q Q0 d 1 1 r\\n")
    return status == 0 and ["num_rel", "all", "1"] in [line.split() for line in printed.splitlines()]


def observed():
    return run({qrels}, {results})


'''

BODY = (
    RUN_PROGRAM
    + '''\
DOCUMENTED = {right}
"""By dialect: exit status, output and messages."""


def is_right(value):
    return value in DOCUMENTED.values()
'''
)

TOPICS_BODY = (
    RUN_PROGRAM
    + """\
DOCUMENTED = {right}


def is_right(value):
    status, printed, _ = value
    return status == 0 and printed.splitlines()[: len(DOCUMENTED)] == DOCUMENTED
"""
)


def _script(x: Files) -> Script:
    right: dict[str, object] = {}
    for dialect in Dialect:
        done = trec_eval(x.options, x.qrels.encode(), x.run.encode(), dialect)
        if isinstance(done, Completed):
            texts = (text.decode(errors="backslashreplace") for text in (done.stdout, done.stderr))
            right[dialect.value] = [done.status, *texts]
    body = BODY.format(options=json.dumps(x.options), qrels=ascii(x.qrels), results=ascii(x.run), right=ascii(right))
    return Script(IMPORTS, body, documented="DOCUMENTED", input=_describe(x), dependencies=(), about=ABOUT)


def topic_files(x: Topics) -> Files:
    """Return the files of topics all of whose documents are retrieved."""
    documents = [(f"t{k}", f"d{i}", grade) for k, topic in enumerate(x.grades) for i, grade in enumerate(topic)]
    qrels = "".join(f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in documents)
    run = "".join(f"{topic} Q0 {docno} 1 {-rank} r\n" for rank, (topic, docno, _) in enumerate(documents))
    return Files(("-q", "-m", "num_ret", "-m", "num_rel", "-m", "num_rel_ret"), qrels, run)


def topic_lines(x: Topics) -> list[str]:
    """Return what should be printed of them, topic by topic."""
    right = [evaluate(topic, topic) for topic in x.grades]
    return [
        f"{name:<22}\tt{k}\t{getattr(found, name)}"
        for k, found in enumerate(right)
        for name in ("num_ret", "num_rel", "num_rel_ret")
    ]


def _topics_script(x: Topics) -> Script:
    files, lines = topic_files(x), topic_lines(x)
    body = TOPICS_BODY.format(
        options=json.dumps(files.options), qrels=ascii(files.qrels), results=ascii(files.run), right=ascii(lines)
    )
    return Script(
        IMPORTS,
        body,
        documented="DOCUMENTED",
        input=FIRST_TOPIC.describe(x),
        dependencies=(),
        about='"trec_eval", PROGRAM',
    )


def _of_program(case: Case[Topics], name: str, upstream: str) -> Case[Topics]:
    """Return the same case of the program: another implementation, which goes wrong in another way."""
    return replace(
        case,
        name=name,
        contract=replace(case.contract, source=TOPIC_SOURCE, upstream=upstream),
        conventions={},
        script=_topics_script,
        modes=("binary",),
    )


PROGRAM_FIRST_TOPIC = _of_program(FIRST_TOPIC, "trec_eval/program-first-topic", NEGATIVE)
PROGRAM_LATER_TOPICS = _of_program(LATER_TOPICS, "trec_eval/program-later-topics", NEGATIVE)

OUTPUT = Case(
    name="trec_eval/output",
    contract=Contract(
        says="from options, qrels and a run, trec_eval computes the measures of its help text; how each dialect reads "
        "a file, what it prints to the letter and how it ends was measured, and is described in reference/trec",
        source="trec_eval -h; 3,504 recorded runs in tests/reference",
        unpromised="the help text describes the format of both files; how a file outside of it is read, and what is "
        "printed to the letter, was measured",
    ),
    input_type=Files,
    call="output",
    expected=_expected,
    domains=(
        _domain("lines of qrels", "qrels", QRELS_LINES, 2),
        _domain("lines of a run", "run", RUN_LINES, 2),
        _tokens(4),
        _domain("lines of qrels", "qrels", QRELS_LINES, 3, thorough=True),
        _domain("lines of a run", "run", RUN_LINES, 3, thorough=True),
        _tokens(5, thorough=True),
    ),
    describe=_describe,
    script=_script,
    values="dialect, exit status, standard output, messages",
    beyond=_files().filter(_is_defined),
    validate=_validate,
    modes=("binary",),
)
