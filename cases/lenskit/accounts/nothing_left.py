"""Normalised RBP of a list of which nothing is left is 0 over 0."""

from collections.abc import Sequence
from fractions import Fraction

from cases.lenskit.accounts import normalization, regression, steps, tables
from cases.lenskit.accounts.normalization import DEFENCE, EXPERIMENTAL, MODULE, PROMISED, SHORTENED
from cases.lenskit.accounts.regression import LICENCE, PLACE, RELEASE, arguments, of_hits, of_one_list
from cases.lenskit.lists import USUAL, CutList
from cases.lenskit.rbp import EMPTY, NORMALIZE, OPTIONS, Empty
from harness.account import Account, Quotation, RegressionTest, Series, Table
from harness.expected import shown_fraction

OTHERS = (
    " and without `normalize`; `weight_field` and weights without a series sum, such as `LogRankWeight()`, raise it "
    "without `normalize` as well"
)

WHY = (
    "The maximum is the sum of as many weights as the list has items. For none that is 0, and the score 0 is divided "
    "by it. What can be achieved with the test data is above 0 as soon as there is one test item."
)

QUOTATIONS = (
    PROMISED,
    SHORTENED,
    Quotation(MODULE, "return rbp / normalization", "There is no case for a normalization of 0."),
    Quotation(
        PLACE,
        "assert call_metric(RBP, recs, truth) == approx(0.0)",
        "Upstream's `test_rbp_empty`: without `normalize`, an empty list scores 0.",
        line=28,
        source=RELEASE,
    ),
    Quotation(
        "tests/eval/test_rank_ndcg.py",
        "assert call_metric(NDCG, recs, truth) == approx(0.0)",
        "Upstream's `test_ndcg_empty`: an empty list scores 0 with NDCG, which is normalised.",
        line=24,
        source=RELEASE,
    ),
    EXPERIMENTAL,
)

AFFECTED = (
    "`RBP(normalize=True)`, wherever a recommender returns nothing for a user who has test items, and with a cutoff "
    "of 0. So do, without `normalize`, `weight_field` and weights without a series sum, such as `LogRankWeight()`. "
    "`MeasurementCollector` and `RunAnalysis` pass the error on, so that one such list ends the measurement of "
    "a run. The releases 2025.8.1 and 2026.4.0 were run."
)

UNAFFECTED = (
    "RBP with the default weights and without `normalize`; lists of which an item is left. One without test items "
    "scores NaN, as it should."
)

WORKAROUNDS = (
    (
        "Leave `normalize` off (with the default weights), as the docstring advises for published results: an empty "
        "list scores 0."
    ),
    (
        "Divide by hand: `call_metric(RBP, recs, test, patience=p) / (1 - p**len(test))` is the documented value with "
        "the default weights, and 0 for an empty list."
    ),
)

NO_WORD = (
    "No sentence is about empty lists: that they score 0 follows from the definition, and is what upstream's tests "
    "expect of RBP and NDCG."
)

MEND = (
    "Return 0 where there are test items and no item is left of the list, before anything is divided. That does not "
    "settle what the maximum is for longer lists, and need not wait for it. The patch does so for every weighting: "
    "an empty list is 0 over 0 with `weight_field`, and with weights without a series sum, as well. Or take the "
    "maximum from the test items, as the docstring says, by which an empty list gets its 0 too."
)


def test_kept(x: CutList) -> RegressionTest:
    """Return a test that a list of which nothing is left scores 0."""
    return of_hits(
        "test_rbp_norm_nothing_left",
        x.hits,
        x.retrieved,
        x.missed,
        "# no hit, and what can be achieved with the test items is above 0",
        f"score = call_metric(RBP, recs, truth{arguments(x.cutoff, x.patience, 'normalize=True')})",
        "assert score == approx(0.0)",
    )


def kept(cutoff: int) -> CutList:
    """Return a list of two hits, cut."""
    return CutList((1, 2), 2, 1, cutoff, "n", USUAL)


def without_hits(retrieved: int) -> CutList:
    """Return a list of so many items, none of them one of the three test items."""
    return CutList((), retrieved, 3, None, "n", USUAL)


NOTHING_LEFT_ACCOUNT = Account(
    case=NORMALIZE.name,
    cause="raises ZeroDivisionError",
    title="With normalize or some weights, RBP raises ZeroDivisionError if no item is left",
    fault="With `normalize=True`, the score of a list of which nothing is left (it is empty, or n is 0) is a "
    "ZeroDivisionError where there are test items; it has no hit, so that its score is 0, as it is with the default "
    f"weights{OTHERS}.",
    says="with normalize=True, RBP is divided by the maximum achievable with the provided test data, which is above 0 "
    "where there are test items; from which it follows that a list without a hit scores 0, of whatever length it is",
    worked=normalization.worked,
    why=WHY,
    quotations=QUOTATIONS,
    licence=LICENCE,
    affected=AFFECTED,
    unaffected=UNAFFECTED,
    workarounds=WORKAROUNDS,
    defence=f"{DEFENCE} {NO_WORD} A cutoff of 0 might be refused as well: the error for a negative one says that n "
    "must be positive.",
    mend=MEND,
    test=test_kept,
    call=normalization.call,
    size="number of items in the list",
    table=tables.of_cut_list,
    examples=(CutList((), 0, 3, None, "n", USUAL), CutList((), 0, 3, 2, "n", USUAL), kept(0)),
    series=(
        Series(
            title="3 test items, none of them retrieved; p = 0.85, no cutoff",
            along="length of the list",
            inputs=tuple((str(retrieved), without_hits(retrieved)) for retrieved in range(5)),
            value="normalised RBP",
        ),
        Series(
            title="hits at 1 and 2, 3 test items; p = 0.85",
            along="cutoff n",
            inputs=tuple((str(cutoff), kept(cutoff)) for cutoff in range(4)),
            value="normalised RBP",
        ),
    ),
    span=normalization.NORMALIZE_ACCOUNT.span,
)


def worked(x: Empty) -> list[str]:
    """Return how the score of a list of none or one item comes about."""
    if not x.ordered:
        return ["the list is not ordered, and nothing says whether an empty one has to be: unspecified"]
    if not x.relevant:
        return [steps.NO_TEST_ITEMS]
    p, hits = Fraction(USUAL), (1,) * x.retrieved
    if x.options == "n = 0":
        return [f"n = 0 keeps none of {x.retrieved} items", steps.hits(p, ()), steps.REFUSED_OR_0]
    if x.options in {"LogRankWeight", "weight_field"}:
        if not x.retrieved:
            return ["it would be divided by the sum of the weights of the list, which is 0 for none: unspecified"]
        return [
            "the one item is a hit: its weight is 1, and the sum of the weights of the list is 1",
            "RBP = 1 / 1 = 1",
        ]
    if x.options == "normalize":
        value = shown_fraction(steps.sum_of_powers(p, hits))
        return [
            steps.hits(p, hits),
            "there is 1 test item, so that the best list begins with 1 hit: p^0 = 1",
            f"normalised RBP = (1 - p) * {value} / ((1 - p) * 1) = {value}",
        ]
    return [steps.patience(USUAL), *steps.geometric(p, hits)]


def lists(x: Empty) -> tuple[str, str]:
    """Return expressions for the list and its test items."""
    fields = f", weight={[1.0] * x.retrieved}" if x.options == "weight_field" else ""
    return f"ItemList({[1] * x.retrieved}, ordered={x.ordered}{fields})", f"ItemList({[1] * x.relevant})"


def metrics(x: Empty) -> str:
    """Return what is imported beside the lists."""
    return "RBP, LogRankWeight" if x.options == "LogRankWeight" else "RBP"


def call(x: Empty) -> Sequence[str]:
    """Return a call to copy."""
    options = f", {OPTIONS[x.options]}" if x.options else ""
    return regression.call(*lists(x), f"call_metric(RBP, recs, test{options})", metrics=metrics(x))


def test_empty(x: Empty) -> RegressionTest:
    """Return a test that an empty list scores 0."""
    return of_one_list(
        "test_rbp_norm_empty_list" if x.options == "normalize" else "test_rbp_empty_list",
        *lists(x),
        "# no hit, and what can be achieved with the test items is above 0",
        f"assert call_metric(RBP, recs, truth{f', {OPTIONS[x.options]}' if x.options else ''}) == approx(0.0)",
        metrics=metrics(x),
    )


def table(x: Empty) -> Table:
    """Return the list, of one item or none."""
    hits = (1,) if x.retrieved and x.relevant else ()
    return tables.of_list(hits, x.retrieved, x.relevant - len(hits))


EMPTY_ACCOUNT = Account(
    case=EMPTY.name,
    cause="raises ZeroDivisionError",
    title="With normalize or some weights, RBP of an empty list raises ZeroDivisionError",
    fault="With `normalize=True`, the score of an empty list is a ZeroDivisionError where there are test items; it "
    f"has no hit, so that its score is 0, as it is with the default weights{OTHERS}.",
    says="with normalize=True, RBP is divided by the maximum achievable with the provided test data, which is above 0 "
    "where there are test items; from which it follows that a list that retrieves nothing scores 0",
    worked=worked,
    why=WHY,
    quotations=QUOTATIONS,
    licence=LICENCE,
    affected=AFFECTED,
    unaffected=UNAFFECTED,
    workarounds=WORKAROUNDS,
    defence=f"{DEFENCE} {NO_WORD}",
    mend=MEND,
    test=test_empty,
    call=call,
    size="number of items in the list, plus number of test items",
    table=table,
    examples=(
        Empty(0, 1, ordered=True, options=""),
        Empty(1, 1, ordered=True, options="normalize"),
        Empty(0, 0, ordered=True, options="normalize"),
    ),
    series=(
        Series(
            title="an empty list, one test item",
            along="option",
            inputs=tuple(
                (options or "none", Empty(0, 1, ordered=True, options=options))
                for options in ("", "n = 1", "n = 0", "normalize")
            ),
            value="RBP",
        ),
    ),
)
