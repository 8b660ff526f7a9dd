"""The accounts of one query in every form of input: grades are used as gains, and not the same part of them in each."""

from collections.abc import Mapping
from fractions import Fraction

from cases.ranx.accounts import gain, steps
from cases.ranx.accounts.upstream import (
    DICTS,
    ISSUE_58,
    LICENCE,
    PATCHES,
    TESTS_OF_EVALUATE,
    Part,
    call,
    imported,
    literal,
    quotient,
    regression_test,
)
from cases.ranx.forms import INPUT_FORMS, WHOLE_PART, FormedRanking, numbers
from cases.ranx.ranking import FORMS
from cases.ranx.rbp import RAW_GRADE
from harness.account import Account, Quotation, RegressionTest, Series, Table
from reference import rbp

P = Fraction("0.8")


def _grades(x: FormedRanking) -> list[Fraction | None]:
    return [Fraction(x.grades[d]) if d < len(x.grades) else None for d in x.run]


def _relevant(x: FormedRanking) -> list[bool]:
    return [grade is not None and grade >= 1 for grade in _grades(x)]


def _worked(x: FormedRanking) -> list[str]:
    judged = zip(x.run, _grades(x), strict=True)
    lines = [steps.judged(rank, f"d{d}", grade) for rank, (d, grade) in enumerate(judged, 1)]
    return [*lines, steps.value(_relevant(x), P)]


def _table(x: FormedRanking) -> Table:
    retrieved = [
        (str(rank), f"d{d}", x.grades[d] if d < len(x.grades) else "not judged") for rank, d in enumerate(x.run, 1)
    ]
    others = [("not retrieved", f"d{d}", grade) for d, grade in enumerate(x.grades) if d not in x.run]
    return Table(("rank", "document", "grade"), (*retrieved, *others))


FORMED = {
    "dict": ("qrels, run", imported("evaluate")),
    "objects": ("Qrels(qrels), Run(run)", imported("Qrels, Run, evaluate")),
    "array": ("as_array(qrels), as_array(run)", imported("evaluate")),
    "list": (
        "List(list(as_array(qrels))), List(list(as_array(run)))",
        "import numpy as np\nfrom numba.typed import List\n\nfrom ranx import evaluate",
    ),
}
"""How a dictionary is given in each form, and what that imports."""

AS_ARRAY = """


def as_array(x):
    return np.array([[[int(d[1:]), v] for d, v in docs.items()] for docs in x.values()])"""


def in_form(form: str) -> tuple[str, str]:
    """Return the arguments of a call in a form of input, and the head of a test that makes it."""
    arguments, imports = FORMED[form]
    return arguments, imports + (AS_ARRAY if "as_array" in arguments else "")


Given = Mapping[str, Mapping[str, float]]


def _array(table: Given, form: str) -> str:
    """Return an array of document numbers and their values, or a typed list of one for each query."""
    queries = [[[int(d[1:]), v] for d, v in docs.items()] for docs in table.values()]
    if form == "array":
        return f"np.array({literal(queries)})"
    return f"List([{', '.join(f'np.array({literal(rows)})' for rows in queries)}])"


def call_in_form(form: str, qrels: Given, run: Given) -> list[str]:
    """Return a call to copy, in a form of input."""
    if form in {"array", "list"}:
        return [
            "import numpy as np",
            *(["from numba.typed import List"] if form == "list" else []),
            "from ranx import evaluate",
            f"qrels = {_array(qrels, form)}",
            f"run = {_array(run, form)}",
            'evaluate(qrels, run, "rbp.8")',
        ]
    names = "Qrels, Run, evaluate" if form == "objects" else "evaluate"
    return call(names, qrels, run, f'evaluate({FORMED[form][0]}, "rbp.8")')


def _given(x: FormedRanking) -> tuple[Given, Given]:
    return {"q0": numbers(x)}, {"q0": {f"d{d}": float(len(x.run) - i) for i, d in enumerate(x.run)}}


def _call(x: FormedRanking) -> list[str]:
    return call_in_form(x.form, *_given(x))


def _part(x: FormedRanking) -> Part:
    qrels, run = _given(x)
    return Part(
        qrels=qrels,
        run=run,
        worked=_worked(x),
        asserts=f'score = evaluate({in_form(x.form)[0]}, "rbp.8")\n'
        f"assert np.allclose(score, {quotient(rbp.binary(_relevant(x), P))})",
    )


def _test(x: FormedRanking, name: str) -> RegressionTest:
    """Return a test; where it is about one document alone, of two in the same form, too."""
    both = FormedRanking(("2", "1.5"), (0, 1), x.form)
    return regression_test(
        *(_part(one) for one in ([x, both] if len(x.grades) == 1 else [x])),
        place=TESTS_OF_EVALUATE,
        imports=in_form(x.form)[1],
        name=name,
    )


NAMES = {"dict": "dict", "objects": "Qrels and Run", "array": "array", "list": "typed list"}


def _in_each_form(*grades: str) -> tuple[tuple[str, FormedRanking], ...]:
    return tuple((NAMES[form], FormedRanking(grades, tuple(range(len(grades))), form)) for form in FORMS)


def _by_grade(form: str) -> Series[FormedRanking]:
    return Series(
        title=f"one document, retrieved, p = 0.8, as {NAMES[form]}",
        along="grade",
        inputs=tuple((grade, FormedRanking((grade,), (0,), form)) for grade in ("0", "0.5", "1", "1.5", "2")),
        value="RBP",
    )


GRADED = Account(
    case=INPUT_FORMS.name,
    cause=RAW_GRADE,
    title="In every form of input, RBP uses raw grades as gains",
    fault="In each form of input, a dictionary, a `Qrels`, a typed list and an array, `rbp` takes the grade of a "
    "document as its gain, while the documented gain is either 0 or 1.",
    worked=_worked,
    why=f"{gain.WHY} The form of input only decides how the grade gets there.",
    quotations=(DICTS, gain.DOCUMENTED, gain.ALSO_DOCUMENTED, gain.KEPT, gain.TAKEN, gain.CHANGED),
    licence=LICENCE,
    affected="Whoever asks for `rbp` on judgements with grades above 1, fractional ones included, in whatever form "
    f"they are given. {gain.RELEASES}",
    unaffected=gain.UNAFFECTED,
    workarounds=(gain.BEFOREHAND, gain.SCALED),
    defence=gain.DELIBERATE,
    mend=gain.MEND,
    call=_call,
    size="number of judged documents",
    test=lambda x: _test(x, "graded_judgments_in_every_form_count_as_binary"),
    reword=gain.REWORD,
    rewording=PATCHES / "documented-as-graded.patch",
    table=_table,
    examples=tuple(x for _, x in _in_each_form("2")),
    series=(_by_grade("dict"),),
    span=gain.UNIT,
)

WHOLE = Account(
    case=INPUT_FORMS.name,
    cause=WHOLE_PART,
    title="A Qrels drops the fraction of a grade, so that its RBP is not that of a dict",
    says="a document of at least the relevance level, 1, counts 1, in whatever form the judgements are given; from "
    "which it follows that the same grades give the same value in each form",
    fault="The same fractional grades give different values in different forms of input: a `Qrels` keeps the whole "
    "part of a grade, while a dictionary, a typed list and an array keep all of it; as documented, r_i is 1 in each.",
    worked=_worked,
    why="A `Qrels` turns each grade into an integer (`dtype=int`, or `int(score)`), which drops the fraction without "
    "a word. `rbp` then takes what is left as the gain. With binary gains it would not matter here: the whole part "
    "says as well as the grade whether it is at least 1.",
    quotations=(
        DICTS,
        Quotation(
            "ranx/data_structures/qrels.py",
            "def __init__(self, qrels: Dict[str, Dict[str, int]] = None",
            "A `Qrels` is documented to hold integers.",
        ),
        Quotation(
            "ranx/data_structures/qrels.py",
            "self.qrels[q_id][doc_id] = int(score)",
            "What is none becomes one: here for a single grade; the constructor does the same for all.",
        ),
        gain.DOCUMENTED,
        gain.TAKEN,
    ),
    licence=LICENCE,
    affected="Whoever has fractional grades, such as means over several judges, and gives them as a `Qrels` in one "
    "place and as a dictionary or an array in another: with grades 2 and 1.5, retrieved in that order, `rbp.8` is "
    "0.56 from a `Qrels` and 0.64 from a dictionary. DCG and nDCG part in the same way, which no contract here is "
    "about: for grades 1 and 1.5, retrieved in that order, nDCG is 1 from a `Qrels` and 0.91 from a dictionary. Run "
    "on 0.3.21; for `rbp` the grade has been the gain since 0.3.15.",
    unaffected="Judgements with integer grades. Metrics that count relevant documents at an integer level.",
    workarounds=(
        gain.BEFOREHAND,
        (
            "Where the fraction matters, as for nDCG, give a dictionary, and not a `Qrels`; a typed list and an array "
            "keep it as well."
        ),
    ),
    defence=f"A `Qrels` is documented to hold integers, and {ISSUE_58} says that judgements can be any integer: a "
    "fractional grade in it is beyond what is promised. `evaluate` documents any `Number` in a dictionary, and keeps "
    "that. What nothing says is that the fraction is dropped; and that the metric is sensitive to it follows from "
    "graded gains, which upstream chose in 0.3.15.",
    mend="With gains of 0 and 1, as documented, the value no longer depends on the form. Independent of that, `Qrels` "
    "could refuse a grade that is no integer, or keep it; which of the two is for upstream to say.",
    call=_call,
    size="number of judged documents",
    test=lambda x: _test(x, "fractional_judgments_count_as_binary"),
    reword="Say in `docs/qrels.md` and in the docstring of `Qrels` that grades are integers, and that of any other "
    "number the whole part is kept.",
    table=_table,
    examples=tuple(x for _, x in _in_each_form("2", "1.5")),
    series=(
        Series(
            title="grades 2 and 1.5, retrieved in that order, p = 0.8",
            along="form of input",
            inputs=_in_each_form("2", "1.5"),
            value="RBP",
        ),
        _by_grade("objects"),
        _by_grade("dict"),
    ),
    span=gain.UNIT,
)
