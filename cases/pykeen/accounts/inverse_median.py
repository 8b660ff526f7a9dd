"""The account of the reciprocal of an integer."""

from fractions import Fraction

from cases.pykeen import scripts
from cases.pykeen.accounts import halves
from cases.pykeen.accounts.upstream import (
    COMMIT,
    DEVELOPED,
    LICENCE,
    ONE_PATCH,
    RANKING,
    SOURCE,
    call,
    comment,
    regression_test,
)
from cases.pykeen.inverse_median import INVERSE_MEDIAN, Inverse
from cases.pykeen.median import WRITTEN, exact
from harness.account import Account, Quotation, RegressionTest, Series, Table


def _middle(x: Inverse) -> tuple[Fraction, list[str]]:
    weights = [Fraction(1)] * len(x.ranks) if x.weights is None else exact(x.weights)
    return halves.midpoint_steps(x.ranks, weights, "The median is the mean of the two middle ranks")


def _worked(x: Inverse) -> list[str]:
    middle, lines = _middle(x)
    return [*lines, f"The inverse of it: 1 / m = {1 / middle}"]


def _table(x: Inverse) -> Table:
    weights = x.weights or ("none",) * len(x.ranks)
    pairs = sorted(zip(x.ranks, weights, strict=True))
    return Table((f"rank ({x.dtype})", "weight"), tuple((str(WRITTEN[x.dtype](r)), w) for r, w in pairs))


def _given(x: Inverse) -> list[str]:
    return [f"ranks = np.array({list(x.ranks)}, dtype={x.dtype})", f"weights = {scripts.weights(x.weights)}"]


def _call(x: Inverse) -> list[str]:
    return call("InverseMedianRank", *_given(x), "InverseMedianRank()(ranks, weights=weights)")


def _checked(x: Inverse) -> str:
    inverse = 1 / _middle(x)[0]
    value = "value = InverseMedianRank()(ranks=ranks, weights=weights)"
    right = f"assert value == pytest.approx({inverse.numerator} / {inverse.denominator})"
    return "\n".join([*_given(x), comment(_worked(x)), value, right])


def _test(x: Inverse) -> RegressionTest:
    """Return a test; where it is about one rank alone, of three, too."""
    inputs = [x, _all_ones(2, 3, 3)] if len(x.ranks) == 1 else [x]
    return regression_test(
        imports="import numpy as np\nimport pytest\n\nfrom pykeen.metrics.ranking import InverseMedianRank",
        name="inverse_median_rank_weighted",
        sentence="Test that the weighted inverse median rank is one divided by the weighted median.",
        body="\n\n".join(map(_checked, inputs)),
    )


def _all_ones(*ranks: int, dtype: str = "int") -> Inverse:
    return Inverse(ranks, ("1.0",) * len(ranks), dtype)


INTEGER_RECIPROCAL = Account(
    case=INVERSE_MEDIAN.name,
    cause="the reciprocal of an integer",
    title="With weights and integer ranks, InverseMedianRank is 0 instead of 1/m",
    fault="With weights and integer ranks, `InverseMedianRank` returns 0 where the weighted median is a single rank m "
    "above 1, instead of 1/m; the development version has it right, and no release does yet.",
    worked=_worked,
    why="Where the weighted median is not a mean of two ranks, it keeps their integer type, and numpy's reciprocal "
    "of an integer above 1 is 0: [its "
    "documentation](https://numpy.org/doc/stable/reference/generated/numpy.reciprocal.html) says that it is not "
    "designed to work with integers. The value 0 lies outside of the metric's own `value_range`, which is (0, 1].",
    quotations=(
        Quotation(RANKING, "description: The inverse of the median over all ranks.", "What the metric is."),
        Quotation(
            RANKING,
            "return np.reciprocal(weighted_median(a=ranks, weights=weights)).item()",
            "The weighted median of integers may be an integer.",
        ),
        Quotation(
            DEVELOPED,
            "return np.reciprocal(weighted_median(a=ranks, weights=weights), dtype=float).item()",
            "The same line in the development version.",
            line=1553,
            source=SOURCE,
        ),
    ),
    licence=LICENCE,
    affected="`InverseMedianRank` with `weights` and integer ranks; so `MacroRankBasedEvaluator`, whose optimistic "
    "and pessimistic ranks are int64. On the test triples of Nations, with an untrained DistMult of seed 0, 1.11.1 "
    "reports a macro median rank of 4, and for its inverse 0 (optimistic), 0 (pessimistic) and 0.25 (realistic). "
    "What is sampled for its expectation with weights is wrong likewise. The line is the same in the tags 1.8.1 to "
    "1.11.1 of the repository.",
    unaffected="Calls without weights (`numpy.median` is a float); float ranks, so the realistic ones of pykeen's own "
    "evaluators; a weighted median of 1, or one that is the mean of two ranks; and the development version.",
    workarounds=(
        "Divide yourself: `1 / MedianRank()(ranks, weights=weights)`.",
        "Convert the ranks: `InverseMedianRank()(ranks.astype(float), weights=weights)`.",
    ),
    defence="We know of none, and upstream has changed it, in passing: "
    "[#1574](https://github.com/pykeen/pykeen/pull/1574), which is about the geometric mean rank, and was merged on 16 "
    "December 2025 as one of the parts of [#1558](https://github.com/pykeen/pykeen/pull/1558) (commit "
    f"{COMMIT[:9]}), changes the line too. The same change took the absolute "
    "tolerance of 2 out of the test that compares weighted with repeated ranks, which had let a 0 pass. What is "
    "left is a release.",
    mend="As upstream has done: `np.reciprocal(..., dtype=float)`. The development version needs no change for this. "
    f"{ONE_PATCH}",
    call=_call,
    size="number of ranks",
    test=_test,
    table=_table,
    examples=(
        _all_ones(2, 3, 3),
        _all_ones(2, 3, 3, dtype="float"),
        Inverse((2, 3, 3), None, "int"),
        _all_ones(1, 2),
        _all_ones(1),
    ),
    series=(
        Series(
            title="integer ranks of weight 1",
            along="ranks",
            inputs=tuple(
                (", ".join(map(str, ranks)), _all_ones(*ranks))
                for ranks in ((1, 1, 1), (1, 2), (2, 2), (1, 2, 3), (2, 3), (3, 3), (2, 3, 3))
            ),
            value="inverse median rank",
        ),
    ),
)
