"""Where pykeen says and does what the accounts quote, and the style of its own tests."""

import textwrap
from collections.abc import Iterable
from pathlib import Path
from string import Template

from harness.account import Quotation, RegressionTest

LICENCE = "MIT"
PATCHES = Path(__file__).parents[1] / "patches"
RANKING = "pykeen/metrics/ranking.py"
UTILS = "pykeen/metrics/utils.py"
DEVELOPED = "src/pykeen/metrics/ranking.py"
"""The same file in upstream's tree, for what no release has yet."""

PLACE = "tests/test_evaluation/test_rank_based_metrics.py"
"""Where upstream tests these metrics."""

COMMIT = "05c7bbb20c952f3e5e958e694344ace4005b1bbb"
SOURCE = f"the development version at https://github.com/pykeen/pykeen/tree/{COMMIT}"

TAGS = "The tags 1.8.1 to 1.11.1 of the repository hold the same lines"

HALVES = Quotation(
    DEVELOPED,
    "cumulative weight of all ranks less than or equal to $m$ is at least half of the total weight",
    "What the weighted median is, as documented since #1575, which no release has yet.",
    line=1421,
    source=SOURCE,
)
REDUCES = Quotation(
    DEVELOPED,
    "when all weights are equal, it reduces to the unweighted",
    "The same documentation promises the median for equal weights.",
    line=1430,
    source=SOURCE,
)
POSITIVE = Quotation(
    DEVELOPED,
    "(arbitrary positive scalar weights), not as repeat counts (number of independent",
    "Weights are positive numbers, as documented since #1573, which no release has yet.",
    line=229,
    source=SOURCE,
)
SEMANTICS = Quotation(
    DEVELOPED,
    "observations). This matches the semantics of :func:`numpy.average`.",
    "What weights mean in all metrics; the sentence goes on from the line before.",
    line=230,
    source=SOURCE,
)

DEVELOPMENT = ("master at commit 05c7bbb of 16 December 2025", PATCHES / "weighted-median-development.patch")
"""The change of the weighted median against the development version."""

ONE_PATCH = (
    "The patch in this folder is the same for all reports of the weighted median: it decides halves exactly, leaves "
    "out ranks of weight 0, converts weights to floats and returns a float; and it refuses weights that sum to 0, "
    "negative or non-finite ones and other shapes, which is a choice of its own."
)

TEST = Template('''\
"""Tests for rank-based metrics."""

$imports


def test_$name() -> None:
    """$sentence"""
$body
''')


def call(names: str, *lines: str) -> list[str]:
    """Return a call to copy, with its imports from pykeen's metrics."""
    return ["import numpy as np", f"from pykeen.metrics.ranking import {names}", *lines]


def regression_test(*, imports: str, name: str, sentence: str, body: str, note: str = "") -> RegressionTest:
    """Return a test of one function, as upstream writes them."""
    source = TEST.substitute(
        imports=imports.strip(), name=name, sentence=sentence, body=textwrap.indent(body.strip(), "    ")
    )
    return RegressionTest(place=PLACE, source=source, note=note)


def comment(lines: Iterable[str]) -> str:
    """Return lines as comments in the body of a test."""
    return "\n".join(
        textwrap.fill(line, 112, initial_indent="# ", subsequent_indent="#   ", break_long_words=False)
        for line in lines
    )
