"""The account of equal weights that do not add up to one half."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from cases.pykeen.accounts import halves
from cases.pykeen.accounts.upstream import (
    DEVELOPMENT,
    HALVES,
    LICENCE,
    ONE_PATCH,
    REDUCES,
    TAGS,
    UTILS,
    call,
    comment,
    regression_test,
)
from cases.pykeen.median import WEIGHTED_MEDIAN, WRITTEN, Weighted, exact
from harness.account import Account, Quotation, RegressionTest, Series, Table

LONG = 90
"""Characters from which on equal weights are not spelt out in a test."""


class Part(NamedTuple):
    """One weighted median of a test, and how it comes about; ``right`` are statements about ranks and weights."""

    x: Weighted
    worked: Sequence[str]
    right: str


def _given(x: Weighted) -> list[str]:
    """Return statements that make the arrays."""
    given = [repr(WRITTEN[x.dtype](float(weight))) for weight in x.weights]
    weights = f"np.array([{', '.join(given)}])"
    if _is_equal(x) and len(weights) > LONG:
        weights = f"np.full(shape=({len(given)},), fill_value={given[0]})"
    return [f"ranks = np.array({list(x.ranks)})", f"weights = {weights}"]


def weighted_test(*parts: Part, name: str, sentence: str, imports: str = "") -> RegressionTest:
    """Return a test of weighted medians."""
    blocks = ["\n".join([*_given(one.x), comment(one.worked), one.right]) for one in parts]
    return regression_test(
        imports=f"import numpy as np\n{imports}\nfrom pykeen.metrics.ranking import MedianRank",
        name=name,
        sentence=sentence,
        body="\n\n".join(blocks),
    )


def weighted_call(x: Weighted) -> list[str]:
    """Return a call to copy."""
    return call("MedianRank", *_given(x), "MedianRank()(ranks, weights=weights)")


def table_of(x: Weighted) -> Table:
    """Return the ranks and their weights, with running sums."""
    return halves.table(x.ranks, x.weights, x.dtype)


def _is_equal(x: Weighted) -> bool:
    return len(set(x.weights)) == 1


def _worked(x: Weighted) -> list[str]:
    weights = exact(x.weights)
    if _is_equal(x):
        return halves.midpoint_steps(x.ranks, weights, "Equal weights give the median")[1]
    found, lines = halves.steps(x.ranks, weights)
    if found.low == found.high:
        return [*lines, f"So the only weighted median is m = {found.low}"]
    return [*lines, f"Both are weighted medians, and all between: m is a value in [{found.low}, {found.high}]"]


def _test(x: Weighted) -> RegressionTest:
    found = halves.halves(x.ranks, exact(x.weights))
    if _is_equal(x):
        middle = halves.halves(x.ranks, [Fraction(1)] * len(x.ranks)).midpoint
        return weighted_test(
            Part(x, _worked(x), f"assert MedianRank()(ranks=ranks, weights=weights) == {float(middle)}"),
            name="weighted_median_equal_weights",
            sentence="Test that equal weights lead to the median.",
        )
    right = f"assert {found.low} <= MedianRank()(ranks=ranks, weights=weights) <= {found.high}"
    return weighted_test(
        Part(x, _worked(x), right),
        name="weighted_median_halves",
        sentence="Test that at least half of the weight is on either side of the weighted median.",
    )


def _equal(ranks: tuple[int, ...], weight: str) -> Weighted:
    return Weighted(ranks, (weight,) * len(ranks), "float")


def _first(n: int) -> tuple[int, ...]:
    return tuple(range(1, n + 1))


MIDDLE_RANK = Account(
    case=WEIGHTED_MEDIAN.name,
    cause="one of the two middle ranks",
    title="The weighted median of equal weights can miss the median by rounding",
    says="with equal weights the weighted median is the median: for an even number of ranks, the mean of the two "
    "middle ones",
    fault="For an even number of ranks of equal weight, such as 0.1 or the 1/3 of a macro average, the weighted "
    "median can be one of the two middle ranks instead of their mean, because rounded sums are compared with "
    "exactly one half.",
    worked=_worked,
    why="`weighted_median` adds the weights up in float64, divides each sum by the last one, and takes the mean of "
    "two ranks only where such a quotient is exactly 0.5. Six weights of 0.1 give 0.5000000000000001 for the first "
    "three of them, so that the third rank alone is returned; other weights fall short of one half, and the rank "
    "after it is. The sums of the same floats without rounding are exactly one half. Upstream's own test states the "
    "expectation "
    '("Verify that equal weights lead to unweighted results", `_test_equal_weights` in '
    "`tests/test_evaluation/test_rank_based_metrics.py`); it uses weights of 2.0, whose sums are exact.",
    quotations=(
        Quotation(UTILS, '"""Calculate weighted median."""', "All that the release says of it."),
        Quotation(UTILS, "cdf /= cdf[-1]", "Rounded sums are divided, and rounded again."),
        Quotation(UTILS, "if cdf[idx] == 0.5:", "The mean of two ranks hangs on equality with one half."),
        HALVES,
        REDUCES,
    ),
    licence=LICENCE,
    affected="`MedianRank` and `InverseMedianRank` with `weights`, and `MedianAbsoluteDeviation`, which takes two "
    "weighted medians; so also `MacroRankBasedEvaluator`, whose weights are 1 over a count. Among the equal weights "
    "that were tried, six ranks are the fewest that show it; of 6 to 30 ranks with weights of 0.1, it is shown by "
    "nearly every even number. Where the counts of a macro average are mixed, exactly one half is seldom reached. "
    "The value is off by half the distance between the two middle ranks: by 1/2 where they are neighbours, but by "
    f"499.5 where they are 1 and 1000. {TAGS}, and `weighted_median` is unchanged in [the development "
    "version](https://github.com/pykeen/pykeen/commits/05c7bbb20c952f3e5e958e694344ace4005b1bbb).",
    unaffected="Calls without weights (they use `numpy.median`); weights whose sums are exact in float64, such as "
    "whole numbers, halves and quarters; and an odd number of ranks of equal weight, in all that was tried.",
    workarounds=(
        "Where all weights are equal, leave them out: `MedianRank()(ranks)`.",
        "Scale equal weights to 1, whose sums are exact: `weights / weights[0]`.",
        "For weights of 1 over a count, take whole numbers: `(np.lcm.reduce(counts) // counts).astype(float)`.",
    ),
    defence="Nothing in 1.11.1 says how a weighted median is defined. By the usual definition both middle ranks are "
    "weighted medians, as is every value between them, so the returned value satisfies the two inequalities. Which "
    "weights are equal in sum is a fragile question for floats in any case, and the code is short and fast. No thread "
    "was found in which this choice was discussed; the function came with "
    "[#837](https://github.com/pykeen/pykeen/pull/837).",
    mend="Compare sums that are not rounded. The patch finds the few places where rounding could matter, decides "
    "those by `math.fsum`, and takes the midpoint at one half. A tolerance (`np.isclose` around one half, on both "
    "sides of it) is shorter and mends equal weights, but also calls unequal halves equal where they differ by less "
    f"than the tolerance. {ONE_PATCH}",
    development=DEVELOPMENT,
    reword="The documentation could say that any weighted median may be returned, and that with equal weights it "
    "need not be the median where their sums round. The sentence of the development version quoted above would have "
    "to go.",
    call=weighted_call,
    size="number of ranks",
    test=_test,
    table=table_of,
    examples=(
        _equal(_first(6), "0.1"),
        _equal(_first(6), "0.3"),
        _equal(_first(6), "0.3333333333333333"),
        _equal(_first(10), "0.1"),
        _equal((1, 1, 1, 1000, 1000, 1000), "0.1"),
        _equal(_first(6), "1.0"),
    ),
    series=(
        Series(
            title="three ranks of 1 and three of r, all weights 0.1",
            along="r",
            inputs=tuple((str(r), _equal((1, 1, 1, r, r, r), "0.1")) for r in (2, 5, 10, 50, 100, 500, 1000)),
            value="weighted median",
        ),
        Series(
            title="ranks 1 to n, all weights 0.1",
            along="n",
            inputs=tuple((str(n), _equal(_first(n), "0.1")) for n in range(2, 22, 2)),
            value="weighted median",
        ),
        Series(
            title="ranks 1 to 10, all weights 1/k",
            along="k",
            inputs=tuple((str(k), _equal(_first(10), repr(1 / k))) for k in range(1, 11)),
            value="weighted median",
        ),
    ),
)
