"""The mean of RBP over lists some of which have no defined score."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from string import Template

from cases.lenskit.accounts import steps
from cases.lenskit.accounts.regression import LICENCE
from cases.lenskit.lists import USUAL, Lists
from cases.lenskit.scripts import ranked
from cases.lenskit.summaries import LIST_SUMMARY, SUMMARY, pairs_of
from harness.account import Account, Quotation, RegressionTest, Series, Table
from harness.expected import shown_fraction

BASE = "lenskit/metrics/_base.py"
BULK = "lenskit/metrics/bulk.py"

ACCUMULATORS = "[lenskit/lkpy#1063](https://github.com/lenskit/lkpy/pull/1063)"

PROMISED = Quotation(
    BASE,
    "Implements `summarize()` by averaging per-list results (mean, ignoring NaNs).",
    "What `ListMetric`, which RBP is, says of its summary.",
)
UNDEFINED = Quotation(
    "lenskit/metrics/ranking/_rbp.py",
    "return np.nan",
    "The score of a list without test items, for which RBP is not defined.",
)


def score(p: Fraction, rank: int | None) -> Fraction:
    """Return the RBP of a list with a hit at this rank, or none."""
    return (1 - p) * p ** (rank - 1) if rank else Fraction(0)


def mean(x: Lists) -> Fraction | None:
    """Return the mean over the lists that have a score, if any has."""
    defined = [score(Fraction(x.patience), rank) for rank in x.ranks if rank is not None]
    return sum(defined, start=Fraction(0)) / len(defined) if defined else None


def terms(x: Lists) -> str:
    """Return the sum of the scores that are defined."""
    p, counts = Fraction(x.patience), Counter(rank for rank in x.ranks if rank is not None)
    values = [(shown_fraction(score(p, rank)), count) for rank, count in counts.items()]
    return " + ".join(value if count == 1 else f"{count} * {value}" for value, count in values)


def worked(x: Lists) -> list[str]:
    """Return how the mean comes about: lists of one kind in one line."""
    p = Fraction(x.patience)
    lines = [steps.patience(x.patience)]
    for rank, count in Counter(x.ranks).items():
        lists = f"{count} list{'s' if count > 1 else ''}"
        each = ", each" if count > 1 else ""
        if rank is None:
            lines.append(f"{lists} without test items{each}: not defined, NaN, which is left out")
            continue
        value = shown_fraction(score(p, rank))
        how = f"RBP = (1 - p) * p^{rank - 1} = {value}" if rank else "RBP = 0"
        lines.append(f"{lists} with {f'a hit at {rank}' if rank else 'no hit'}{each}: {how}")
    found = mean(x)
    if found is None:
        return [*lines, "no list has a score, and the mean over none is NaN"]
    defined = len(x.hits)
    return [*lines, f"mean over {defined} = ({terms(x)}) / {defined} = {shown_fraction(found)}"]


def table(x: Lists) -> Table:
    """Return the lists with their scores."""
    p = Fraction(x.patience)
    rows = []
    for number, rank in enumerate(x.ranks, 1):
        retrieved = str(rank or 1) if (rank or 1) == 1 else f"1 to {rank}"
        tested = "none" if rank is None else str(rank or 2)
        rows.append((str(number), retrieved, tested, "NaN" if rank is None else shown_fraction(score(p, rank))))
    return Table(("list", "items retrieved", "test items", "RBP"), tuple(rows))


def metric(x: Lists) -> str:
    """Return an expression for the metric."""
    return f"RBP(patience={x.patience})"


def check(x: Lists, expression: str) -> str:
    """Return the assertion that an expression is the documented mean."""
    found = mean(x)
    if found is None:
        return f"assert np.isnan({expression})"
    return f"assert {expression} == approx({shown_fraction(found).replace('/', ' / ')})"


def comment(x: Lists) -> str:
    """Return what is expected, in words."""
    if mean(x) is None:
        return "# no list has test items, so that no score is defined, and the mean over none is NaN"
    defined = len(x.hits)
    others = "the list that has test items" if defined == 1 else f"the {defined} lists that have test items"
    return f"# with p = {x.patience}, the mean over {others}: ({terms(x)}) / {defined}"


COLLECTED = Template("""\
$imports
from lenskit.data import ItemList
from lenskit.metrics import RBP, MeasurementCollector


def test_summary_ignores_undefined_lists():
    acc = MeasurementCollector()
    acc.add_metric($metric)
$lists

    $comment
    $check
""")


def imports(x: Lists) -> str:
    """Return the import that the assertion needs."""
    return "import numpy as np\n" if mean(x) is None else "from pytest import approx\n"


def test_collected(x: Lists) -> RegressionTest:
    """Return a test that the collector's mean leaves out what is not defined."""
    return RegressionTest(
        place="tests/eval/test_measurement_collector.py",
        source=COLLECTED.substitute(
            imports=imports(x),
            metric=metric(x),
            lists="\n".join(
                f"    acc.measure_list({pair[1:-1]}, user_id={user})" for user, pair in enumerate(pairs_of(x), 1)
            ),
            comment=comment(x),
            check=check(x, 'acc.summary_metrics()["RBP.mean"]'),
        ),
    )


ANALYSED = """\
{imports}
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import RBP, RunAnalysis
"""

OF_LISTS = Template("""

def $name():
    recs = ItemListCollection(["user_id"])
    truth = ItemListCollection(["user_id"])
$lists

    metrics = RunAnalysis($metric).measure(recs, truth)
    # what a user would expect, and nothing promises: lists without test items are left out
    $comment
    $check
""")


def _of_lists(x: Lists, name: str) -> str:
    return OF_LISTS.substitute(
        name=name,
        lists="\n".join(
            f"    recs.add({ranked(rank or 1)}, user_id={user})\n    "
            f"truth.add(ItemList({[] if rank is None else [rank or 2]}), user_id={user})"
            for user, rank in enumerate(x.ranks, 1)
        ),
        metric=metric(x),
        comment=comment(x),
        check=check(x, 'metrics.list_summary().loc["RBP", "mean"]'),
    )


def test_analysed(x: Lists) -> RegressionTest:
    """Return a test that the mean of ``list_summary`` leaves out what is not defined; of more than one list, too."""
    tests = [(x, "test_list_summary_ignores_undefined_lists")]
    if len(x.ranks) == 1:
        tests.append((Lists((1, 0, None), USUAL), "test_list_summary_is_the_mean_of_defined_lists"))
    needed = "".join(sorted({imports(one) for one, _ in tests}, reverse=True))
    return RegressionTest(
        place="tests/eval/test_bulk_metrics.py",
        source=ANALYSED.format(imports=needed.replace("approx\nimport", "approx\n\nimport"))
        + "".join(_of_lists(one, name) for one, name in tests),
        note="It is a test of what a user would expect, which nothing promises.",
    )


def call_collected(x: Lists) -> Sequence[str]:
    """Return a call to copy."""
    return [
        "from lenskit.data import ItemList",
        "from lenskit.metrics import RBP, MeasurementCollector",
        f"lists = [{', '.join(pairs_of(x))}]",
        "collector = MeasurementCollector()",
        f"collector.add_metric({metric(x)})",
        "for user, (recs, test) in enumerate(lists):",
        "    collector.measure_list(recs, test, user_id=user)",
        'collector.summary_metrics()["RBP.mean"]',
    ]


def call_analysed(x: Lists) -> Sequence[str]:
    """Return a call to copy."""
    return [
        "from lenskit.data import ItemList, ItemListCollection",
        "from lenskit.metrics import RBP, RunAnalysis",
        f"lists = [{', '.join(pairs_of(x))}]",
        'recs = ItemListCollection.from_dict({user: recs for user, (recs, _) in enumerate(lists)}, "user_id")',
        'test = ItemListCollection.from_dict({user: test for user, (_, test) in enumerate(lists)}, "user_id")',
        f'RunAnalysis({metric(x)}).measure(recs, test).list_summary().loc["RBP", "mean"]',
    ]


def undefined(lists: int) -> Lists:
    """Return a list with a hit at 1, and so many without test items."""
    return Lists((1,) + (None,) * lists, USUAL)


def one_undefined(defined: int) -> Lists:
    """Return so many lists, in turn with a hit at 1 and none, and one without test items."""
    return Lists((*((1, 0) * defined)[:defined], None), USUAL)


EXAMPLES = (Lists((1, 0, None), USUAL), Lists((1, 2, None, None), "0.5"), Lists((None, None), USUAL))

SERIES = (
    Series(
        title="a list with a hit at 1, the others without test items; p = 0.85",
        along="lists without test items",
        inputs=tuple((str(lists), undefined(lists)) for lists in range(7)),
        value="mean RBP",
    ),
    Series(
        title="one list without test items, the others in turn with a hit at 1 and none; p = 0.85",
        along="lists with test items",
        inputs=tuple((str(defined), one_undefined(defined)) for defined in range(1, 9)),
        value="mean RBP",
    ),
)

SUMMARY_ACCOUNT = Account(
    case=SUMMARY.name,
    cause="NaN if any list is undefined",
    title="One list without test items makes the mean of RBP NaN in a summary",
    fault="In a summary, one list without test items makes the mean of RBP NaN, where the docstring of `ListMetric` "
    "says that NaN is ignored.",
    worked=worked,
    why="A list without test items scores NaN, which is a float, so that `summarize` keeps it; `np.mean` of values "
    "one of which is NaN is NaN. Median and standard deviation follow.",
    quotations=(
        PROMISED,
        UNDEFINED,
        Quotation(
            BASE,
            "float(v) for v in values if isinstance(v, (int, float, np.integer, np.floating))",
            "This leaves out what is no number, such as None; NaN stays.",
        ),
        Quotation(BASE, '"mean": float(np.mean(arr)),', "`np.mean` does not ignore NaN."),
    ),
    licence=LICENCE,
    affected="`MeasurementCollector.summary_metrics` and the summaries in `RunAnalysisResult.global_metrics`, for "
    "RBP and the other metrics that are a `ListMetric` and score NaN, such as NDCG, as soon as one user has no test "
    "items. Docstring and code stand so in the releases from 2025.3.0 to 2025.8.1.",
    unaffected=f"Releases from 2026.1 on: since {ACCUMULATORS} the values are accumulated, and NaN is left out. In "
    "2025.8.1, runs where every list has a test item.",
    workarounds=(
        (
            "Take the mean of the lists: `collector.list_metrics(fill_missing=False)['RBP'].mean()`; pandas leaves "
            "NaN out."
        ),
        "Do not measure lists without test items.",
        "Use lenskit 2026.1 or newer, which needs Python 3.12.5 or newer.",
    ),
    defence="A NaN is seen: it tells that a score is not defined, and no wrong number comes out. And it is changed "
    "already: from 2026.1 on the mean is as documented here. This is about those who stay with 2025.8.1.",
    mend="In `summarize`, leave NaN out before the statistics; where nothing is left, they are NaN, as the mean over "
    "none. The patch is for 2025.8.1; later releases need none.",
    test=test_collected,
    call=call_collected,
    size="number of lists",
    table=table,
    examples=EXAMPLES,
    series=SERIES,
)

LIST_SUMMARY_ACCOUNT = Account(
    case=LIST_SUMMARY.name,
    cause="an undefined list counts as 0",
    title="list_summary counts a list without test items as an RBP of 0",
    fault="In `RunAnalysisResult.list_summary`, a list without test items counts as 0 in the mean of RBP, where a "
    "user would expect it to be left out, as `ListMetric` documents for the metric's own summary; nothing promises "
    "that here.",
    worked=worked,
    why="A list without test items scores NaN, and `list_summary` fills NaN with the default of the metric, which is "
    "0 for RBP, before it takes the mean. So a score that is not defined, and that of a list that found nothing, are "
    "the same there. Of the same lists, the collector's summary in 2025.8.1 makes NaN, and the documentation of "
    "`ListMetric` a mean without them.",
    quotations=(
        PROMISED,
        UNDEFINED,
        Quotation(
            BULK,
            "values are filled with their defaults before computing statistics.",
            "What `list_summary` says of missing values; whether a score that is not defined is one is not said.",
        ),
        Quotation(
            BULK,
            "The default value to use in aggregates when a user does not have",
            "The default is for another case: the next line goes on with recommendations.",
        ),
        Quotation(
            BULK, "scores = self.list_metrics(fill_missing=True)", "Every NaN is filled, whatever it stands for."
        ),
        Quotation(BASE, "default: ClassVar[float | None] = 0.0", "RBP takes this default."),
    ),
    licence=LICENCE,
    affected="`RunAnalysis(...).measure(...).list_summary()` and `list_metrics()` with its default "
    "`fill_missing=True`, for runs with lists whose test items are empty or missing: each can only lower the mean. "
    "2025.8.1 was run.",
    unaffected="Releases from 2026.1 on, which fill in no default but one that was given to `add_metric`. In "
    "2025.8.1, runs where every list has a test item; and `list_metrics(fill_missing=False)`.",
    workarounds=(
        (
            "Take the mean without defaults: `result.list_metrics(fill_missing=False)['RBP'].mean()`; pandas leaves "
            "NaN out."
        ),
        "Keep lists without test items out of what is measured.",
        "Use lenskit 2026.1 or newer, which needs Python 3.12.5 or newer.",
    ),
    defence="The docstring says that missing metric values are filled with their defaults, and NaN is what pandas "
    "calls missing: read so, the code does what is written. `fill_missing=False` is there for those who want it "
    "otherwise. `RunAnalysis` is deprecated since 2026.1, where upstream chose to leave such lists out.",
    mend="Either can be defended, and the test here is of the expectation, not of a promise. `list_summary` could take "
    "`list_metrics(fill_missing=False)`, as pandas leaves NaN out of mean, median and standard deviation; a default "
    "that a user gives to `add_metric` would then still have to be filled in, as 2026.1 does. Since `RunAnalysis` is "
    "deprecated, the answer may well be to leave it.",
    reword="The docstring of `list_summary` could say what a missing value is: that a list for which a metric is not "
    "defined, such as one without test items, counts with the default of the metric, and how to leave it out.",
    test=test_analysed,
    call=call_analysed,
    size="number of lists",
    table=table,
    examples=EXAMPLES,
    series=SERIES,
)
