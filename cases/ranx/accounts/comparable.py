"""The account of make_comparable, where one of both is a dictionary."""

from fractions import Fraction

from cases.ranx.accounts import steps
from cases.ranx.accounts.queries import names_of, value
from cases.ranx.accounts.upstream import (
    DICTS,
    EVALUATE,
    ISSUE_39,
    LICENCE,
    TESTS_OF_EVALUATE,
    Part,
    call,
    imported,
    quotient,
    regression_test,
)
from cases.ranx.queries import MAKE_COMPARABLE, WRITTEN, judgements, rankings
from cases.ranx.query_sets import FORMS, Comparable
from cases.ranx.scripts import wrapped
from harness.account import Account, Quotation, RegressionTest, Series, Table


def _values(x: Comparable) -> list[Fraction]:
    return [value(int(k in x.retrieved)) for k in x.judged]


def _worked(x: Comparable) -> list[str]:
    removed = [f"q{k} is retrieved, and not judged: it is removed" for k in x.retrieved if k not in x.judged]
    scored = [
        steps.at_rank(f"q{k}", f"d{3 * k}", 1, WRITTEN)
        if k in x.retrieved
        else f"q{k} is judged, and not retrieved: an empty result is added, whose sum has no terms: RBP = 0"
        for k in x.judged
    ]
    return [*removed, *scored, steps.mean(_values(x))]


def _table(x: Comparable) -> Table:
    rows = tuple(
        (f"q{k}", "yes" if k in x.judged else "no", "yes" if k in x.retrieved else "no")
        for k in sorted({*x.judged, *x.retrieved})
    )
    return Table(("query", "judged", "retrieved"), rows)


def _evaluated(x: Comparable) -> str:
    qrels, run = wrapped(x.qrels_form, "qrels"), wrapped(x.run_form, "run")
    return f'evaluate({qrels}, {run}, "rbp.8", make_comparable=True)'


def _call(x: Comparable) -> list[str]:
    names = names_of(x.qrels_form, x.run_form)
    return call(names, judgements(x.judged), rankings((1, 1, 1), x.retrieved), _evaluated(x))


def _part(x: Comparable) -> Part:
    mean = sum(_values(x), start=Fraction(0)) / len(x.judged)
    return Part(
        qrels=judgements(x.judged),
        run=rankings((1, 1, 1), x.retrieved),
        worked=_worked(x),
        asserts=f"score = {_evaluated(x)}\nassert np.allclose(score, {quotient(mean)})",
    )


def _test(x: Comparable) -> RegressionTest:
    """Return a test; where it is about one query alone, of one that is missing and one that is too many, too."""
    both = Comparable((0, 1), (1, 2), x.qrels_form, x.run_form)
    return regression_test(
        *(_part(one) for one in ([x, both] if len(x.judged) == 1 else [x])),
        place=TESTS_OF_EVALUATE,
        imports=imported(names_of(x.qrels_form, x.run_form)),
        name="make_comparable_with_dictionaries",
    )


def _by_retrieved(qrels_form: str, run_form: str) -> Series[Comparable]:
    judged = (0, 1, 2)
    return Series(
        title=f"three judged queries, each with its relevant document first if it is retrieved; qrels as {qrels_form}, "
        f"run as {run_form}",
        along="retrieved queries",
        inputs=tuple(
            (" ".join(f"q{k}" for k in retrieved), Comparable(judged, retrieved, qrels_form, run_form))
            for retrieved in ((0,), (0, 1), (1, 2), (0, 1, 2))
        ),
        value="mean RBP",
    )


IGNORED = Account(
    case=MAKE_COMPARABLE.name,
    cause="raises AssertionError",
    title="make_comparable=True is ignored where qrels or run is a dictionary",
    fault="`make_comparable=True` is ignored where qrels or run is a dictionary, and `evaluate` then raises an "
    "`AssertionError` that tells the user to pass `make_comparable=True`.",
    worked=_worked,
    why="The argument is looked at only if both are ranx's own objects. The ids are then compared for dictionaries "
    "too, and the message for ids that differ is the same, whether the argument was given or not.",
    quotations=(
        Quotation(
            EVALUATE,
            "make_comparable (bool, optional): Adds empty results for queries missing from the run",
            "What is promised; the sentence goes on with the removal of queries that the qrels do not have.",
        ),
        DICTS,
        Quotation(EVALUATE, "if make_comparable and", "The condition goes on: both have to be ranx's own objects."),
        Quotation(EVALUATE, "Pass `make_comparable=True` to add empty results", "What the error advises."),
    ),
    licence=LICENCE,
    affected="Whoever evaluates a dictionary that lacks a query, or has one too many, with `make_comparable=True`: "
    "with any metric, since the ids are compared before the metrics run. The releases 0.3.14, 0.3.20 and 0.3.21 "
    f"raise the same; the argument came with 0.3.7 ({ISSUE_39}).",
    unaffected="A `Qrels` with a `Run`. Dictionaries whose ids match. Arrays and typed lists, which have no ids.",
    workarounds=(
        (
            'Give both as ranx\'s own objects: `evaluate(Qrels(qrels), Run(run), "rbp.8", make_comparable=True)`. That '
            "changes the `Run` which it is given, here one that was just made."
        ),
    ),
    defence=f"`make_comparable` began as a method of `Run` ({ISSUE_39}), whose argument is a `Qrels`, and came to "
    "`evaluate` for convenience; `compare`, which takes only those two, is where it is needed most. The error is "
    "loud, and no value is wrong. But the docstring does not restrict the argument to some of the forms, and the "
    "advice in the message leads back to the same error.",
    mend="Do the same for dictionaries: of the run keep the queries that are judged, and give each that is missing "
    "an empty result. An empty dictionary then has to become an array of no rows and two columns, which today raises "
    "a `TypingError`. Beside a `Qrels` or a `Run`, which are sorted by id, the dictionary is sorted too, so that "
    "queries are paired rightly.",
    call=_call,
    size="judged queries plus retrieved queries",
    test=_test,
    reword="Say in the docstring that `make_comparable` needs a `Qrels` and a `Run`, and let the message say so too.",
    table=_table,
    examples=(
        Comparable((0, 1), (1,), "dict", "dict"),
        Comparable((0, 1), (1, 2), "dict", "dict"),
        Comparable((0, 1), (1, 2), "Qrels", "Run"),
    ),
    series=(
        _by_retrieved("dict", "dict"),
        Series(
            title="q0 and q1 are judged, q1 and q2 retrieved",
            along="forms of qrels and run",
            inputs=tuple((f"{qrels}, {run}", Comparable((0, 1), (1, 2), qrels, run)) for qrels, run in FORMS),
            value="mean RBP",
        ),
    ),
)
