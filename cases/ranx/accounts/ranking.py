"""The account of rankings as arrays and typed lists: they are taken in the order given."""

from fractions import Fraction

from cases.ranx.accounts import steps
from cases.ranx.accounts.forms import NAMES, Given, call_in_form, in_form
from cases.ranx.accounts.upstream import EVALUATE, LICENCE, MASTER, TESTS_OF_EVALUATE, Part, quotient, regression_test
from cases.ranx.ranking import AS_GIVEN, FORMS, RANKING, Scored
from harness.account import Account, Quotation, RegressionTest, Series, Table
from harness.expected import Unspecified, shown
from reference import rbp

P = Fraction("0.8")


def _order(x: Scored) -> list[int]:
    """Return the documents by descending score."""
    return sorted(range(len(x.scores)), key=lambda d: -float(x.scores[d]))


def _relevant(x: Scored) -> list[bool]:
    return [d == x.relevant for d in _order(x)]


def _worked(x: Scored) -> list[str]:
    expected = RANKING.expected(x)
    if isinstance(expected, Unspecified):
        return [shown(expected)]
    order = _order(x)
    return [
        f"by descending score: {' > '.join(f'd{d} ({x.scores[d]})' for d in order)}",
        steps.at_rank("q0", f"d{x.relevant}", order.index(x.relevant) + 1, P),
    ]


def _table(x: Scored) -> Table:
    rows = [(str(i), f"d{d}", score, str(int(d == x.relevant))) for i, (d, score) in enumerate(enumerate(x.scores), 1)]
    return Table(("place in the input", "document", "score", "grade"), tuple(rows))


def _given(x: Scored) -> tuple[Given, Given]:
    return {"q0": {f"d{x.relevant}": 1}}, {"q0": {f"d{d}": float(score) for d, score in enumerate(x.scores)}}


def _call(x: Scored) -> list[str]:
    return call_in_form(x.form, *_given(x))


def _test(x: Scored) -> RegressionTest:
    arguments, imports = in_form(x.form)
    asserts = f'score = evaluate({arguments}, "rbp.8")\n'
    asserts += f"assert np.allclose(score, {quotient(rbp.binary(_relevant(x), P))})"
    return regression_test(
        Part(*_given(x), _worked(x), asserts),
        place=TESTS_OF_EVALUATE,
        imports=imports,
        name="results_are_sorted_by_score",
    )


def _by_place(form: str) -> Series[Scored]:
    """Return three documents in the order of rising and of falling scores, each of them the relevant one."""
    inputs = [Scored(scores, d, form) for scores in (("-1", "0", "1"), ("1", "0", "-1")) for d in range(3)]
    return Series(
        title=f"three documents, one of them relevant, p = 0.8, as {NAMES[form]}",
        along="scores in the order given, and which document is relevant",
        inputs=tuple((f"{', '.join(x.scores)}: d{x.relevant}", x) for x in inputs),
        value="RBP",
    )


SORTED = Quotation(
    EVALUATE,
    "return python_dict_to_typed_list(run, sort=True)",
    "A dictionary is sorted by score here. A `Run` was, when it was made. What is neither is returned as it came.",
)
PROMISED = Quotation(
    "docs/faq.md",
    "Relevance scores are used by `ranx` to sort results before computing the metrics",
    "What scores are for; it excepts no form of input.",
    line=4,
    source=MASTER,
)
IN_ORDER = Quotation(
    TESTS_OF_EVALUATE,
    "y_pred = np.array([[[1, 1], [2, 1], [3, 1], [4, 1], [5, 1], [7, 1]]])",
    "Upstream's own tests give arrays in rank order, all with the score 1: a sort that does not keep the order of "
    "equal scores would break them.",
    line=69,
    source=MASTER,
)

AS_IT_CAME = Account(
    case=RANKING.name,
    cause=AS_GIVEN,
    title="A run as an array or a typed list is not sorted by score",
    fault="A run that is given as an array or a typed list is taken in the order in which it stands, whatever its "
    "scores say, while the documentation says that ranx sorts results by score before it computes the metrics.",
    worked=_worked,
    why="`convert_run` sorts a dictionary by score, and a `Run` is sorted when it is made; an array and a typed list "
    "go through it unchanged, and the metrics take the first row for rank 1.",
    quotations=(PROMISED, SORTED, IN_ORDER),
    licence=LICENCE,
    affected="Whoever gives `evaluate` arrays or typed lists whose rows do not descend by score, such as the scores "
    "of a model in the order of the documents. Every metric that looks at ranks is affected; RBP was run. Seen on "
    "0.3.21.",
    unaffected="Dictionaries and `Run` objects, whatever their order. Arrays and typed lists whose rows stand in rank "
    "order, as in the tests of ranx.",
    workarounds=(
        (
            'Sort an array beforehand: `order = np.argsort(-run[:, :, 1], axis=1, kind="stable")`, then '
            "`np.take_along_axis(run, order[:, :, None], axis=1)`."
        ),
        'Sort each query of a typed list: `List([x[np.argsort(-x[:, 1], kind="stable")] for x in run])`.',
        "Or give a dictionary or a `Run`.",
    ),
    defence="It is probably meant so. Arrays and typed lists are what the metrics work on inside; they are the fast "
    "way in, and to sort them again would cost time. Upstream's own tests pass arrays in rank order with equal "
    "scores, for which the order of the rows is all there is. What the FAQ says about sorting answers other questions "
    "(classification, and scores below 0), and the pages about qrels and runs describe dictionaries, files and data "
    "frames. What is missing is a sentence about it where the forms of input are listed.",
    mend="Either sort arrays and typed lists by descending score as well, with a stable sort, so that rows with equal "
    "scores keep their order, and on a copy, since the input is the caller's; or leave the code, and say it in the "
    "documentation. Either can be defended, so there is no patch here.",
    call=_call,
    size="number of documents",
    test=_test,
    reword="Say in the docstring of `evaluate`, and in the FAQ, that dictionaries and `Run` objects are sorted by "
    "score, and that a run as an array or a typed list has to be in rank order, best first: its scores are not "
    "looked at.",
    table=_table,
    examples=tuple(Scored(("-1", "0", "1"), 2, form) for form in FORMS),
    series=(_by_place("array"), _by_place("dict")),
)
