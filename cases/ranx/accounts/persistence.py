"""The account of how a metric string names a persistence."""

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from string import Template

from cases.ranx.accounts import steps
from cases.ranx.accounts.upstream import COMPILED, EVALUATE, LICENCE, MASTER, TESTS_OF_EVALUATE, call, comment, quotient
from cases.ranx.persistence import DIGITS, PERSISTENCE, Spelling
from harness.account import Account, Quotation, RegressionTest, Series, Table
from harness.expected import Exactly, OneOf, Refusal, shown
from harness.script import literal

RELEVANT = [1, 1, 1]
"""Three relevant documents, all retrieved."""

FORM = 'docs/metrics.md: for rbp "@k" is No and ".p" is Yes; rbp.95 is p = 0.95: digits behind a dot'


def _spelled(x: Spelling) -> str:
    """Return the decimal that stands behind the dot or the @."""
    found = re.fullmatch(r"rbp[.@](0?\.?[0-9]+)(?:-l[0-9]+)?", x.metric)
    digits = found[1] if found else ""
    return f"0.{digits.rpartition('.')[2]}"


def _misses(x: Spelling) -> str:
    """Return what keeps a metric from naming a persistence in the documented form."""
    if x.metric == "rbp":
        return 'no persistence: "RBP requires persistence value", as ranx says itself'
    if re.fullmatch(r"rbp[.@]", x.metric):
        return "no digits, so no persistence is named"
    if x.metric.startswith("rbp@"):
        return '"@" is how a cutoff is written, which RBP does not have'
    if x.metric.startswith("rbp."):
        return "what stands behind the dot is not only digits"
    return 'it does not begin with "rbp."'


def _worked(x: Spelling) -> list[str]:
    expected = PERSISTENCE.expected(x)
    named = f"{literal(x.metric)}: "
    match expected:
        case Exactly(written=None):
            return [FORM, f"{named}no document, of grade 1, reaches the relevance level", "RBP = 0"]
        case Exactly():
            p = Fraction(_spelled(x))
            return [FORM, f"{named}p = {p}", steps.value(RELEVANT, p)]
        case OneOf():
            p = Fraction(_spelled(x))
            return [
                FORM,
                f"{named}not that form, so an error is right; taken for the number that it spells, p = {p}:",
                steps.value(RELEVANT, p),
                f"due: {shown(expected)}",
            ]
        case Refusal():
            return [FORM, f"{named}{_misses(x)}", f"due: {shown(expected)}"]
        case _:
            return [FORM, f"{named}{shown(expected)}"]


TEST = Template("""\
$imports


def test_$name():
    qrels = {"q0": {"d0": 1, "d1": 1, "d2": 1}}
    run = {"q0": {"d0": 3.0, "d1": 2.0, "d2": 1.0}}

$comment
$asserts
""")

REFUSED = """\
    for metric in {metrics}:
        with pytest.raises(ValueError):
            evaluate(qrels, run, metric)"""

REFUSED_OR_TAKEN = """\
    try:
        score = evaluate(qrels, run, {metric})
    except ValueError:
        return
    assert np.allclose(score, {value})"""

TAKEN = "    assert np.allclose(evaluate(qrels, run, {metric}), {value})"

PYTEST = "import pytest\n\nfrom ranx import evaluate"
NUMPY = "import numpy as np\n\nfrom ranx import evaluate"


GIVEN = {"q0": {"d0": 1, "d1": 1, "d2": 1}}, {"q0": {"d0": 3.0, "d1": 2.0, "d2": 1.0}}


def _call(x: Spelling) -> list[str]:
    return call("evaluate", *GIVEN, f"evaluate(qrels, run, {literal(x.metric)})")


def _also(x: Spelling) -> list[Spelling]:
    """Return what is asked for in a test: the metric, and with one that is refused another."""
    others = [Spelling("rbp@10"), Spelling("rbp.8.5")]
    return [x, next(other for other in others if other != x)] if isinstance(PERSISTENCE.expected(x), Refusal) else [x]


def _in_words(x: Spelling) -> list[str]:
    """Return what a test expects of a metric."""
    lines = _worked(x)[1:]
    match PERSISTENCE.expected(x):
        case Refusal():
            return [f"{lines[0]}: a ValueError is expected"]
        case OneOf():
            return [*lines[:-1], "a ValueError is expected, or this value"]
        case _:
            return lines


def _test(x: Spelling) -> RegressionTest:
    expected = PERSISTENCE.expected(x)
    values = expected.choices if isinstance(expected, OneOf) else (expected,)
    value = next((quotient(e.value if e.written is None else e.written) for e in values if isinstance(e, Exactly)), "")
    imports, name, asserts = (
        (PYTEST, "rank_biased_precision_refuses_what_names_no_persistence", REFUSED)
        if not value
        else (NUMPY, "rank_biased_precision_refuses_or_takes_what_is_spelled", REFUSED_OR_TAKEN)
        if isinstance(expected, OneOf)
        else (NUMPY, "rank_biased_precision_takes_the_digits_behind_the_dot", TAKEN)
    )
    asked = _also(x)
    lines = ["A persistence is written as digits behind a dot, as in `rbp.95` for p = 0.95"]
    lines += [line for one in asked for line in _in_words(one)]
    source = TEST.substitute(
        imports=imports,
        name=name,
        comment=comment(lines),
        asserts=asserts.format(
            metric=json.dumps(x.metric), metrics=json.dumps([one.metric for one in asked]), value=value
        ),
    )
    return RegressionTest(place=TESTS_OF_EVALUATE, source=source, note=COMPILED)


def _table(x: Spelling) -> Table:
    return Table(("metric", "judgements", "run"), ((x.metric, "d0: 1, d1: 1, d2: 1", "d0 > d1 > d2"),))


def _spellings(*metrics: str) -> Sequence[Spelling]:
    return [Spelling(metric) for metric in metrics]


def _along(title: str, along: str, pattern: str, places: Sequence[str]) -> Series[Spelling]:
    inputs = tuple((place, Spelling(pattern.format(place))) for place in places)
    return Series(title=title, along=along, inputs=inputs, value="RBP")


NAMED = Account(
    case=PERSISTENCE.name,
    cause=DIGITS,
    title="rbp.0.8 and rbp@10 silently get the value of another persistence",
    says="a metric that is not rbp, a dot and digits is refused, or taken for the number that it spells, and never for "
    "another number",
    fault="A metric that does not name a persistence in the documented form, such as `rbp.`, `rbp.0.8` or `rbp@10`, "
    "gets the value of some other persistence, without a word; a user would expect an error, or the number that was "
    "written.",
    worked=_worked,
    why="The string is split at every dot (or, without a dot, at every `@`), and `0.` is put before the second part; "
    "what comes behind it is dropped. So `rbp.0.8` and `rbp.` are p = 0, `rbp.8.5` is p = 0.8, and `rbp@10` and "
    "`rbp@100` are p = 0.1. The second part then goes to `float`, which also takes `8_5` and `8e-1`: `rbp.8_5` is p "
    "= 0.85, and `rbp.8e-1` is p = 0.08.",
    quotations=(
        Quotation(
            "docs/metrics.md",
            "| rbp         |   No   |  Yes   |",
            "The table of aliases: RBP takes no `@k`, and it takes `.p`.",
            line=17,
            source=MASTER,
        ),
        Quotation(
            "notebooks/3_evaluation.ipynb",
            'evaluate(qrels, run, \\"rbp.95\\")',
            "The one documented example of the form.",
            line=97,
            source=MASTER,
        ),
        Quotation(
            EVALUATE,
            "RBP requires persistence value.",
            "What ranx says to `rbp` alone: a persistence is not optional.",
        ),
        Quotation(
            EVALUATE, 'metric_split = metric.split(".")', "Split at every dot; only two of the parts are looked at."
        ),
        Quotation(EVALUATE, 'k = float(f"0.{k}")', "Whatever the second part is, it becomes the digits of p."),
    ),
    licence=LICENCE,
    affected="Whoever writes the persistence as the number it is, `rbp.0.8` or `rbp.0.95`: p = 0, so that the value "
    "is the gain at rank 1 alone. Whoever writes `rbp@10` for RBP at a cutoff of 10, as `ndcg@10` is written: p = "
    "0.1. In both cases the value is a plausible one. The releases 0.2.13, 0.3.14, 0.3.20 and 0.3.21 give the same; "
    "the lines have stood since RBP was added in June 2022.",
    unaffected="The documented form, digits behind one dot: `rbp.8`, `rbp.80`, `rbp.05`, also with a relevance level, "
    "`rbp.8-l2`. `rbp` alone and `rbp@0.8` are refused today.",
    workarounds=(
        (
            "Write the digits behind the dot and nothing else: `rbp.8` for p = 0.8, `rbp.95` for p = 0.95. From a "
            'number p of at least 0.005 and below 0.995, rounded to two digits: `"rbp" + f"{p:.2f}"[1:]`.'
        ),
        "For RBP at a cutoff of 10, keep the ten best documents of each query in the run, and ask for `rbp.8`.",
    ),
    defence="Nothing promises it: the documentation gives one form, that form works, and what other strings do is "
    "left open. `rbp.N` is text, p = 0.N, and not a number behind a dot, which makes short names: `rbp.95` is also "
    "the name under which the score is saved. `@` has a branch of its own, so it is meant as another way to write "
    "the dot, not as a cutoff; it was there from the first day. But the table of aliases says `No` for it, and the "
    "report of `compare` has no name for it, and cannot be printed (`KeyError: 'rbp'`); the same goes for `rbp.0.8`.",
    mend="Accept the documented form, `rbp.` and digits, and refuse the rest with an error that names the form. Two "
    "choices are upstream's: whether to go on taking `@` for the dot, in which case `docs/metrics.md` should list "
    "it, and `rbp@10` stays a trap for those who expect a cutoff; and whether to take `rbp.0.8` for p = 0.8, which "
    "is kinder to users, and changes values that were computed without a word. The patch refuses both: an error is "
    "the one change that nobody can overlook. It also corrects the example in today's message, `rpb.95`, to `rbp.95`.",
    call=_call,
    test=_test,
    reword="Describe the form beside the table in `docs/metrics.md`: digits alone behind the dot, p = 0.digits; not "
    "`rbp.0.8`; and `@` for the dot, if it is to stay, which is no cutoff.",
    table=_table,
    examples=tuple(
        _spellings(
            "rbp.8", "rbp.0.8", "rbp@0.8", "rbp@8", "rbp@10", "rbp@100", "rbp.1.0", "rbp.8.5", "rbp.8_5", "rbp.8e-1"
        )
    ),
    series=(
        _along(
            "three relevant documents, all retrieved, the persistence written as a number: rbp.0.1 to rbp.0.9",
            "persistence as written",
            "rbp.{}",
            [f"0.{digit}" for digit in range(1, 10)],
        ),
        _along(
            "three relevant documents, all retrieved, as a cutoff is written: rbp@1 to rbp@100",
            "number behind the @",
            "rbp@{}",
            ["1", "3", "5", "8", "10", "20", "50", "100"],
        ),
    ),
)
