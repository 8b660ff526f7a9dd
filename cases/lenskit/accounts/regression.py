"""Tests of one list, written as lenskit's own tests of its ranking metrics are."""

from collections.abc import Iterable, Sequence
from string import Template

from cases.lenskit import scripts
from cases.lenskit.accounts import steps
from harness.account import RegressionTest

LICENCE = "MIT"

PLACE = "tests/eval/test_rank_rbp.py"

RELEASE = "lenskit v2025.8.1, in its repository: the installed package holds neither its tests nor its guide"

OF_ONE_LIST = Template("""\
$imports
from lenskit.data import ItemList
from lenskit.metrics import call_metric
from lenskit.metrics.ranking import $metrics


def $name():
    recs = $recs
    truth = $truth
$body
""")


def of_one_list(
    name: str, recs: str, truth: str, *body: str, imports: str = "approx", metrics: str = "RBP"
) -> RegressionTest:
    """Return a test of the list ``recs`` with the test items ``truth``: expressions, and the lines that follow."""
    return RegressionTest(
        place=PLACE,
        source=OF_ONE_LIST.substitute(
            imports=f"from pytest import {imports}\n" if imports else "",
            metrics=metrics,
            name=name,
            recs=recs,
            truth=truth,
            body="\n".join(f"    {line}" if line else "" for line in body),
        ).lstrip(),
    )


def of_hits(name: str, hits: tuple[int, ...], retrieved: int, missed: int, *body: str) -> RegressionTest:
    """Return a test of a ranked list of so many items."""
    return of_one_list(name, scripts.ranked(retrieved), scripts.relevant(hits, retrieved, missed), *body)


def call(recs: str, test: str, *lines: str, metrics: str = "RBP") -> Sequence[str]:
    """Return a call to copy, of one list; ``lines`` use it as ``recs``, and the test items as ``test``."""
    return [
        "from lenskit.data import ItemList",
        "from lenskit.metrics import call_metric",
        f"from lenskit.metrics.ranking import {metrics}",
        f"recs = {recs}",
        f"test = {test}",
        *lines,
    ]


def call_of_hits(hits: tuple[int, ...], retrieved: int, missed: int, *lines: str) -> Sequence[str]:
    """Return a call to copy, of a ranked list of so many items."""
    return call(scripts.ranked(retrieved), scripts.relevant(hits, retrieved, missed), *lines)


def arguments(cutoff: int | None, patience: str, *options: str) -> str:
    """Return what is passed to ``call_metric`` beside the metric and the lists, with a comma before it."""
    first = [] if cutoff is None else [str(cutoff)]
    return "".join(f", {one}" for one in (*first, f"patience={patience}", *options))


def powers(ranks: Iterable[int]) -> str:
    """Return the sum of p**(i-1) over these ranks, for a comment."""
    return steps.powers(ranks).replace("^", "**") or "0"
