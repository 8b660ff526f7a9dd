"""What lenskit promises of the mean of RBP over several lists, some of which have no defined score."""

from fractions import Fraction

from cases.lenskit import scripts
from cases.lenskit.lists import (
    Lists,
    describe_lists,
    long_collections,
    relevance,
    shallow_collections,
    validate_exact_lists,
)
from cases.lenskit.rbp import NAN
from harness.case import Case, Contract, Script
from harness.expected import Exactly, Expected
from reference import rbp
from reference.rbp_rounding import mean_bound


def _mean(x: Lists) -> Expected:
    return mean_of(x.hits, x.patience)


def mean_of(hits: list[tuple[int, ...]], patience: str) -> Expected:
    """Return the mean RBP of lists with these hits; NaN if there is none."""
    if not hits:
        return NAN
    p = rbp.received(patience)
    lists = [relevance(ranks) for ranks in hits]
    return Exactly(_average(lists, p), mean_bound(lists, p), _average(lists, Fraction(patience)))


def _average(lists: list[list[bool]], p: Fraction) -> Fraction:
    return sum((rbp.binary(relevant, p) for relevant in lists), start=Fraction(0)) / len(lists)


def _undefined_as_zero(x: Lists) -> Expected:
    return mean_of(x.hits_or_none, x.patience)


def _undefined_if_any(x: Lists) -> Expected:
    return NAN if None in x.ranks else _mean(x)


def pairs_of(x: Lists) -> list[str]:
    """Return an expression for each list with its test items."""
    return [f"({scripts.ranked(rank or 1)}, ItemList({[] if rank is None else [rank or 2]}))" for rank in x.ranks]


COLLECT = """\
    collector = MeasurementCollector()
    collector.add_metric(METRIC)
    measure = getattr(collector, "add_list_measurement", None) or collector.measure_list
    for user, (recs, test) in enumerate(LISTS):
        measure(recs, test, user_id=user)
    """

ANALYSE = """\
    recs = ItemListCollection.from_dict({user: recs for user, (recs, _) in enumerate(LISTS)}, "user_id")
    tests = ItemListCollection.from_dict({user: test for user, (_, test) in enumerate(LISTS)}, "user_id")
    result = RunAnalysis(METRIC).measure(recs, tests)
    """


def summary_script(x: Lists, expected: Expected, how: str, returns: str, metric: str = "RBP") -> Script:
    """Return a script that measures several lists and looks at what is said of all of them."""
    lists = ",\n    ".join(pairs_of(x))
    hits = " + ".join(f"(1 - p) * p**{rank - 1}" for rank in x.ranks if rank) or "0"
    defined = len(x.hits)
    also = {
        COLLECT: ("from lenskit.metrics import MeasurementCollector",),
        ANALYSE: ("from lenskit.data import ItemListCollection", "from lenskit.metrics import RunAnalysis"),
    }
    return scripts.call(
        expected,
        setup=f"# each list, with its test items\nLISTS = [\n    {lists},\n]\nMETRIC = "
        f"{metric}(patience={x.patience})\n",
        returns=f"{how}return {returns}".lstrip(),
        words=f"the mean over the {defined} list{'s' if defined != 1 else ''} with test items",
        formula=scripts.over(hits, str(defined)) if isinstance(expected, Exactly) else "",
        p=x.patience,
        needs=(metric,),
        also=also[how],
        input=describe_lists(x),
    )


SUMMARY = Case(
    name="lenskit/rbp-summary",
    contract=Contract(
        says="the mean in a summary of RBP is the mean over the lists that have a score: it ignores NaN, the score "
        "of a list without test items; the mean over none is NaN",
        source="the docstring of lenskit.metrics.ListMetric (averages per-list results: mean, ignoring NaNs), "
        "which RBP is",
        upstream="since 2026.1, MeasurementCollector accumulates in a way that leaves NaN out",
    ),
    input_type=Lists,
    call="rbp_summary",
    validate=validate_exact_lists,
    expected=_mean,
    conventions={
        "NaN if any list is undefined": _undefined_if_any,
        "an undefined list counts as 0": _undefined_as_zero,
    },
    domains=(*shallow_collections(), long_collections()),
    describe=describe_lists,
    script=lambda x: summary_script(x, _mean(x), COLLECT, 'collector.summary_metrics()["RBP.mean"]'),
)

LIST_SUMMARY = Case(
    name="lenskit/rbp-list-summary",
    contract=Contract(
        says="the mean of RBP in RunAnalysisResult.list_summary is the documented mean of the metric over the same "
        "lists, which ignores the NaN of a list without test items",
        source="the docstring of lenskit.metrics.ListMetric (mean, ignoring NaNs), which is about the metric's own "
        "summary",
        upstream="the docstring of list_summary says that missing metric values are filled with their defaults, "
        "which is 0 for RBP, and that of add_metric that the default is for a user without recommendations; "
        "RunAnalysis is deprecated since 2026.1",
        unpromised="whether the score of a list without test items is a missing value is nowhere said; if it is, a "
        "mean that counts it as 0 is as documented",
    ),
    input_type=Lists,
    call="rbp_list_summary",
    validate=validate_exact_lists,
    expected=_mean,
    conventions={
        "an undefined list counts as 0": _undefined_as_zero,
        "NaN if any list is undefined": _undefined_if_any,
    },
    domains=shallow_collections()[:1],
    describe=describe_lists,
    script=lambda x: summary_script(x, _mean(x), ANALYSE, 'result.list_summary().loc["RBP", "mean"]'),
)
