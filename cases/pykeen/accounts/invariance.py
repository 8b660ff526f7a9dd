"""The accounts of an invariance that nobody promised: integer weights, no weight at all, and ranks of weight 0."""

from cases.pykeen.accounts import halves
from cases.pykeen.accounts.upstream import (
    DEVELOPMENT,
    HALVES,
    LICENCE,
    ONE_PATCH,
    POSITIVE,
    RANKING,
    SEMANTICS,
    TAGS,
    UTILS,
)
from cases.pykeen.accounts.weighted_median import Part, table_of, weighted_call, weighted_test
from cases.pykeen.median import INVARIANCE, Weighted, exact
from harness.account import Account, Quotation, RegressionTest, Series


def _worked(x: Weighted) -> list[str]:
    weights = exact(x.weights)
    if any(weights):
        return halves.midpoint_steps(x.ranks, weights, "As without weights, the midpoint is taken")[1]
    return [
        "The weights sum to 0, and half of it is 0",
        "For any m, the ranks of at most m weigh at least 0, and those of at least m too: it could be any number",
        "A weight is to mean what it means to numpy.average, which raises ZeroDivisionError where all weights are 0",
        "So what is due is a refusal",
    ]


REFUSED = "with pytest.raises((ValueError, ZeroDivisionError)):\n    MedianRank()(ranks=ranks, weights=weights)"


def _part(x: Weighted) -> Part:
    weights = exact(x.weights)
    if not any(weights):
        return Part(x, [*_worked(x)[:-1], "A ValueError, or numpy's ZeroDivisionError, is expected"], REFUSED)
    middle = float(halves.halves(x.ranks, weights).midpoint)
    return Part(x, _worked(x), f"assert MedianRank()(ranks=ranks, weights=weights) == {middle}")


def _test(x: Weighted, also: Weighted, name: str, sentence: str) -> RegressionTest:
    """Return a test; where it is about one rank alone, of others, too."""
    inputs = [x, also] if len(x.ranks) == 1 else [x]
    imports = "" if any(exact(x.weights)) else "import pytest\n"
    return weighted_test(*map(_part, inputs), name=name, sentence=sentence, imports=imports)


SAYS_WEIGHTS = Quotation(
    RANKING, "the weights for the individual ranks", "All that the release says of the weights, for every metric."
)
DIVIDED = "cdf /= cdf[-1]"

INTEGER_WEIGHTS = Account(
    case=INVARIANCE.name,
    cause="raises UFuncTypeError",
    title="The weighted median raises UFuncTypeError for integer and boolean weights",
    says="integer and boolean weights work like the same floats, as they do for the mean ranks of the same module",
    fault="A user would expect that integer or boolean weights work like the same floats, as they do for the mean "
    "ranks of the same module, but the weighted median raises UFuncTypeError; nothing promises it.",
    worked=_worked,
    why="The cumulated weights keep the integer type of the weights, and are divided in place, which numpy refuses "
    "since the quotient is no integer. `numpy.average` and `weighted_harmonic_mean`, in the same file, take such "
    "weights: the latter converts them first.",
    quotations=(
        SAYS_WEIGHTS,
        Quotation(UTILS, DIVIDED, "An integer array cannot hold the quotients."),
        Quotation(UTILS, "weights = weights.astype(float)", "The weighted harmonic mean converts its weights."),
        POSITIVE,
        SEMANTICS,
    ),
    licence=LICENCE,
    affected="`MedianRank`, `InverseMedianRank` and `MedianAbsoluteDeviation` with weights such as `np.array([1, 2, "
    f"1])` or a boolean mask. {TAGS}, and so does the development version.",
    unaffected="Float weights, so also `MacroRankBasedEvaluator`; the arithmetic, geometric and harmonic means and "
    "hits at k, which take integer weights.",
    workarounds=("Convert the weights: `MedianRank()(ranks, weights=weights.astype(float))`.",),
    defence="Nothing says which types of weights are accepted. The error is loud, so that no number is wrong, and "
    "upstream says that weights are scaling factors and not repeat counts "
    "([#1573](https://github.com/pykeen/pykeen/pull/1573)), for which floats are the natural type; its own tests "
    "convert counts to float before they use them as weights.",
    mend="Divide into a new array (`cdf = cdf / cdf[-1]`), or convert the weights first, as `weighted_harmonic_mean` "
    f"does: one line either way. {ONE_PATCH}",
    development=DEVELOPMENT,
    reword="`RankBasedMetric.__call__` could say that weights are an array of floats.",
    call=weighted_call,
    size="number of ranks",
    test=lambda x: _test(
        x,
        Weighted((1, 2, 3), ("1", "1", "1"), x.dtype),
        "weighted_median_integer_weights",
        "Test that integer weights are the same as float weights.",
    ),
    table=table_of,
    examples=(
        Weighted((1, 2, 3), ("1", "1", "1"), "int"),
        Weighted((1, 2, 3), ("1", "0", "1"), "bool"),
        Weighted((5, 2, 9, 4), ("1", "3", "2", "2"), "int"),
        Weighted((5, 2, 9, 4), ("1", "3", "2", "2"), "float"),
    ),
    series=(
        Series(
            title="ranks 1, 2 and 9",
            along="weights",
            inputs=(
                ("1.0 1.0 1.0", Weighted((1, 2, 9), ("1", "1", "1"), "float")),
                ("1 1 1", Weighted((1, 2, 9), ("1", "1", "1"), "int")),
                ("True True True", Weighted((1, 2, 9), ("1", "1", "1"), "bool")),
                ("1.0 1.0 3.0", Weighted((1, 2, 9), ("1", "1", "3"), "float")),
                ("1 1 3", Weighted((1, 2, 9), ("1", "1", "3"), "int")),
            ),
            value="weighted median",
        ),
    ),
)

OUTSIDE = (
    'The development version says that weights are "arbitrary positive scalar weights" '
    "(`src/pykeen/metrics/ranking.py`, line 229, [#1573](https://github.com/pykeen/pykeen/pull/1573)); so a weight of "
    "0 may be held to be outside of what is supported. 1.11.1 says nothing of it."
)
SAY_POSITIVE = "Or say in the docstring of 1.11 too that weights are positive."

NO_WEIGHT_AT_ALL = Account(
    case=INVARIANCE.name,
    cause="a value where a refusal is due",
    title="The weighted median of weights that sum to 0 is the smallest rank",
    says="weights that sum to 0 are refused, as the arithmetic mean rank and hits at k refuse them",
    fault="A user would expect that weights which sum to 0 are refused, as the arithmetic mean rank and hits at k "
    "refuse them, but the weighted median is the smallest rank, with a RuntimeWarning; nothing promises it.",
    worked=_worked,
    why="0 is divided by 0, so that all cumulated weights are NaN, which numpy sorts after every number. The search "
    "for one half then ends at the first place, which holds the smallest rank.",
    quotations=(
        SAYS_WEIGHTS,
        Quotation(UTILS, DIVIDED, "The sum of all weights is a divisor."),
        Quotation(UTILS, "idx = np.searchsorted(cdf, v=0.5)", "Among NaN, one half has the index 0."),
        POSITIVE,
        SEMANTICS,
    ),
    licence=LICENCE,
    affected="`MedianRank`, `InverseMedianRank` and `MedianAbsoluteDeviation` with float weights that are all 0, for "
    "example a mask that selects nothing: the best rank there is comes out as the median, and only a warning tells. "
    "The inverse of it is 0 for integer ranks, and the deviation 0. "
    f"{TAGS}, and so does the development version.",
    unaffected="Weights of which one is above 0; `MacroRankBasedEvaluator`, whose weights are; integer weights, which "
    "raise UFuncTypeError.",
    workarounds=(
        "Check before the call: `if not weights.any(): raise ValueError`.",
        'Make an error of the warning: `with np.errstate(invalid="raise"):` around the call raises FloatingPointError.',
    ),
    defence=f"{OUTSIDE} Such weights are no use to anyone, and numpy's warning is visible. Upstream is not of one mind "
    "about them: the arithmetic mean rank and hits at k raise ZeroDivisionError, from `numpy.average`, while the "
    "geometric and the harmonic mean rank return NaN.",
    mend="Raise ValueError where the sum of the weights is not positive, as the patch does; or ZeroDivisionError, as "
    "`numpy.average` does. NaN would be a third choice, and would fit the geometric and the harmonic mean. "
    f"{ONE_PATCH}",
    development=DEVELOPMENT,
    reword=f"`RankBasedMetric.__call__` could say that one weight has to be above 0. {SAY_POSITIVE}",
    call=weighted_call,
    size="number of ranks",
    test=lambda x: _test(
        x,
        Weighted((5, 7), ("0", "0"), "float"),
        "weighted_median_zero_weights",
        "Test that weights which sum to zero are refused.",
    ),
    table=table_of,
    examples=(
        Weighted((5, 7), ("0", "0"), "float"),
        Weighted((1000, 3, 2000), ("0", "0", "0"), "float"),
        Weighted((5, 7), ("0", "1"), "float"),
    ),
)

_AROUND = "the mean with the next rank, though it has no weight"

WEIGHTLESS_NEIGHBOUR = Account(
    case=INVARIANCE.name,
    cause=_AROUND,
    title="The weighted median takes in a neighbouring rank of weight 0",
    says="a rank of weight 0 does not matter to the weighted median, and that between two weighted medians the "
    "midpoint is taken, as without weights",
    fault="A user would expect that a rank of weight 0 does not matter, but where exactly half of the weight lies "
    "up to a rank, the mean is taken with the next rank in order, even if that weighs nothing; nothing promises it.",
    worked=_worked,
    why="At exactly one half, the rank there and the one after it in the sorted array are averaged, of whatever "
    "weight. Where a rank of weight 0 lies between two that share the weight, it is averaged in, and the rank on "
    "the other side of the middle is not. So the value depends on the order in which equal ranks are listed, too: "
    "ranks 1, 1, 2 give 1 with the weights 1, 0, 1, and 3/2 with 0, 1, 1.",
    quotations=(
        SAYS_WEIGHTS,
        Quotation(
            UTILS, "return s_ranks[idx : idx + 2].mean()", "The next rank is taken, without a look at its weight."
        ),
        POSITIVE,
        HALVES,
    ),
    licence=LICENCE,
    affected="`MedianRank`, `InverseMedianRank` and `MedianAbsoluteDeviation` where some weights are 0, as with a "
    "mask, and the others can be split in two halves: ranks 1, 5, 9 with weights 1, 0, 1 give 3, and without the "
    f"middle one 5. {TAGS}, and so does the development version.",
    unaffected="Weights that are all above 0, so also `MacroRankBasedEvaluator`.",
    workarounds=("Leave such ranks out: `MedianRank()(ranks[weights > 0], weights=weights[weights > 0])`.",),
    defence=f"{OUTSIDE} Both values satisfy the usual definition, which allows every value from one rank to the other: "
    "for the smallest input the returned one is its lower end, a weighted median of its own right, and the midpoint is "
    "only a convention. Nothing in the documentation, not even in the development version, says which one is returned.",
    mend="Drop ranks of weight 0 before the ranks are sorted: one line, `a, weights = a[weights > 0], weights[weights "
    f"> 0]`. {ONE_PATCH}",
    development=DEVELOPMENT,
    reword="The documentation of `MedianRank` could say which of the weighted medians is returned, and that ranks "
    f"of weight 0 take part in it. {SAY_POSITIVE}",
    call=weighted_call,
    size="number of ranks",
    test=lambda x: _test(
        x,
        Weighted((1, 5, 9), ("1", "0", "1"), "float"),
        "weighted_median_ranks_without_weight",
        "Test that ranks without weight do not affect the weighted median.",
    ),
    table=table_of,
    examples=(
        Weighted((1, 1, 2), ("0", "1", "1"), "float"),
        Weighted((1, 5, 9), ("1", "0", "1"), "float"),
        Weighted((1, 9), ("1", "1"), "float"),
        Weighted((1, 2, 3, 100), ("1", "0", "0", "1"), "float"),
    ),
    series=(
        Series(
            title="ranks 1 and 9 of weight 1, and between them z ranks of 1 of weight 0",
            along="z",
            inputs=tuple((str(z), Weighted((1, *(1,) * z, 9), ("1", *("0",) * z, "1"), "float")) for z in range(6)),
            value="weighted median",
        ),
        Series(
            title="ranks 1, 1 and r with the weights 1, 0 and 1",
            along="r",
            inputs=tuple((str(r), Weighted((1, 1, r), ("1", "0", "1"), "float")) for r in (2, 5, 10, 50, 100, 1000)),
            value="weighted median",
        ),
    ),
)
