"""A list that is not ordered meets an assertion without a message."""

from collections.abc import Sequence

from cases.lenskit.accounts import tables
from cases.lenskit.accounts.regression import LICENCE, RELEASE, call, of_one_list
from cases.lenskit.odd_lists import ORDER, Unordered
from cases.lenskit.scripts import relevant
from harness.account import Account, Quotation, RegressionTest, Table


def worked(x: Unordered) -> list[str]:
    """Return why a refusal is due."""
    needs = 'the guide says that most metrics "require the recommendation item list to be ordered"; RBP needs ranks'
    same = 'with a cutoff, lenskit says "top-n filtering requires ordered list"'
    return [
        f"the list has {x.retrieved} item{'s' if x.retrieved > 1 else ''}, and is not ordered",
        needs,
        f"{same}; without one, the same is wrong with the list" if x.cutoff is None else same,
        "due: a refusal (ValueError that mentions ordered)",
    ]


def lists(x: Unordered) -> tuple[str, str]:
    """Return expressions for the list and its test items."""
    return f"ItemList({list(range(1, x.retrieved + 1))})", relevant(x.hits, x.retrieved, 0 if x.hits else 1)


def test(x: Unordered) -> RegressionTest:
    """Return a test that a list without an order is refused by an error that says so, with and without a cutoff."""
    refused = 'with raises(ValueError, match="ordered"):'
    return of_one_list(
        "test_rbp_requires_ordered_list",
        *lists(x),
        "# a ValueError says what is wrong with the list, with and without a cutoff",
        refused,
        "    call_metric(RBP, recs, truth)",
        refused,
        f"    call_metric(RBP, recs, truth, {x.cutoff or 1})",
        imports="raises",
    )


def measured(x: Unordered) -> Sequence[str]:
    """Return a call to copy."""
    return call(*lists(x), f"call_metric(RBP, recs, test{'' if x.cutoff is None else f', {x.cutoff}'})")


def table(x: Unordered) -> Table:
    """Return the items, which have no order."""
    listed = tables.rows(x.hits, x.retrieved, 0 if x.hits else 1)
    return Table(
        ("rank (the list is not ordered)", "item", "test item"),
        tuple(("none" if rank.isdecimal() else rank, *rest) for rank, *rest in listed),
    )


ORDER_ACCOUNT = Account(
    case=ORDER.name,
    cause="raises AssertionError",
    title="Without a cutoff, RBP meets an unordered list with a bare AssertionError",
    says="a list that is not ordered is refused by an error that says so, with a cutoff and without",
    fault="Without a cutoff, RBP meets a list that is not ordered with an AssertionError without a message, where a "
    "user would expect to be told what is wrong, as with a cutoff.",
    worked=worked,
    why="`ItemList.ranks()` is None for a list that is not ordered. `RankingMetricBase.truncate` checks that the "
    "list is ordered, but only where there is a cutoff; without one, `measure_list` goes on to its assertion.",
    quotations=(
        Quotation(
            "docs/guide/evaluation/rankings.rst",
            "<lenskit.data.ItemList>`; most metrics require the recommendation item list to",
            "The guide requires an order; the next line goes on with: be `ordered`.",
            line=15,
            source=RELEASE,
        ),
        Quotation(
            "lenskit/metrics/ranking/_base.py",
            'raise ValueError("top-n filtering requires ordered list")',
            "What the same list meets where a cutoff is given.",
        ),
        Quotation(
            "lenskit/metrics/ranking/_rbp.py", "assert ranks is not None", "What it meets without one: no message."
        ),
    ),
    licence=LICENCE,
    affected="Calls of RBP without a cutoff on an `ItemList` that was made without `ordered=True`, with scores or "
    "not, as lists are that are made by hand. Under `python -O` the assertion is gone, and a TypeError about "
    "NoneType and int follows. `AveragePrecision` has the same assertion. 2025.8.1 and 2026.4.0 were run; the line "
    "came with 2025.3.0.",
    unaffected="Ordered lists, such as those that `ItemList.top_n` returns; RBP with a cutoff; RBP with "
    "`weight_field`, which asks for no ranks. NDCG and DCG refuse such a list with a TypeError that says that it is "
    "not ordered.",
    workarounds=(
        "Say that the list is ordered: `ItemList(items, ordered=True)`, which also takes an `ItemList`.",
        "If the list has scores, order it by them: `items.top_n()`.",
        "Look at `recs.ordered` before the call; or give a cutoff, whose error has a message.",
    ),
    defence="The guide asks for ordered lists, and such a call is refused: no wrong number comes out. Which error it "
    "meets is said nowhere, and an assertion is a fair guard against misuse by other code of the library.",
    mend="Raise a ValueError that says that RBP requires an ordered list, in place of the assertion; "
    "`AveragePrecision` could do the same. A TypeError, as NDCG raises it, would be as clear; the check of "
    "`RankingMetricBase.truncate`, made with and without a cutoff, would give all ranking metrics one error, but "
    "refuse lists to those that need no order.",
    call=measured,
    size="number of items in the list",
    test=test,
    table=table,
    examples=(Unordered((1,), 2, None), Unordered((1,), 2, 1), Unordered((1,), 2, 2)),
)
