"""Where pykeen says and does what the accounts quote, and the style of its own tests."""

import textwrap
from collections.abc import Iterable
from string import Template

from harness.account import Quotation, RegressionTest

LICENCE = "MIT"
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
SEMANTICS = Quotation(
    DEVELOPED,
    "observations). This matches the semantics of :func:`numpy.average`.",
    "What weights mean in all metrics, as documented since #1573, which no release has yet.",
    line=230,
    source=SOURCE,
)

TEST = Template('''\
"""Tests for rank-based metrics."""

$imports


def test_$name() -> None:
    """$sentence"""
$body
''')


def regression_test(*, imports: str, name: str, sentence: str, body: str) -> RegressionTest:
    """Return a test of one function, as upstream writes them."""
    source = TEST.substitute(
        imports=imports.strip(), name=name, sentence=sentence, body=textwrap.indent(body.strip(), "    ")
    )
    return RegressionTest(place=PLACE, source=source)


def comment(lines: Iterable[str]) -> str:
    """Return lines as comments in the body of a test."""
    return "\n".join(
        textwrap.fill(line, 112, initial_indent="# ", subsequent_indent="#   ", break_long_words=False)
        for line in lines
    )
