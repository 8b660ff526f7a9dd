"""The account of squares of numbers of candidates that wrap around at 32 bits."""

from cases.pykeen import scripts
from cases.pykeen.accounts import by_hand
from cases.pykeen.accounts.upstream import LICENCE, RANKING, TAGS, call, comment, regression_test
from cases.pykeen.closed_forms import AROUND, CLOSED_FORMS_INT32, ClosedForm
from harness.account import Account, Quotation, RegressionTest, Series, Table
from harness.expected import Each, Enclosed, Exactly, Expected, shown


def _worked(x: ClosedForm) -> list[str]:
    return [*by_hand.moments(x)[1], f"[expectation, variance] = {shown(CLOSED_FORMS_INT32.expected(x))}"]


def _table(x: ClosedForm) -> Table:
    weights = x.weights or ("none",) * len(x.candidates)
    rows = tuple((str(n), w, x.dtype) for n, w in zip(x.candidates, weights, strict=True))
    return Table(("number of candidates", "weight", "type of the array"), rows)


def _float(part: Expected) -> float:
    match part:
        case Exactly(value):
            return float(value)
        case Enclosed(low, high):
            return float((low + high) / 2)
        case _:
            raise TypeError(part)


def _test(x: ClosedForm) -> RegressionTest:
    name, _, k = x.metric.partition("@")
    expected = CLOSED_FORMS_INT32.expected(x)
    if not isinstance(expected, Each):
        raise TypeError(f"what is {shown(expected)} cannot differ")
    expectation, variance = map(_float, expected.parts)
    return regression_test(
        imports=f"import numpy as np\nimport pytest\n\nfrom pykeen.metrics.ranking import {name}",
        name=f"closed_forms_{x.dtype}",
        sentence=f"Test that {x.dtype} numbers of candidates lead to the same expectation and variance as any others.",
        body=f"""\
metric = {name}({f"k={k}" if k else ""})
num_candidates = np.array({list(x.candidates)}, dtype=np.{x.dtype})
weights = {scripts.weights(x.weights)}
{comment(by_hand.moments(x)[1])}
assert metric.expected_value(num_candidates, weights=weights) == pytest.approx({expectation})
assert metric.variance(num_candidates, weights=weights) == pytest.approx({variance})
""",
    )


def _call(x: ClosedForm) -> list[str]:
    name, _, k = x.metric.partition("@")
    return call(
        name,
        f"num_candidates = np.array({list(x.candidates)}, dtype=np.{x.dtype})",
        f"weights = {scripts.weights(x.weights)}",
        f"metric = {name}({f'k={k}' if k else ''})",
        "[metric.expected_value(num_candidates, weights=weights), metric.variance(num_candidates, weights=weights)]",
    )


def _one(metric: str, n: int, dtype: str = "int32") -> ClosedForm:
    return ClosedForm(metric, (n,), None, dtype)


def _along(title: str, metric: str, value: str) -> Series[ClosedForm]:
    return Series(
        title=title,
        along="number of candidates",
        inputs=tuple((f"{n:,}", _one(metric, n)) for n in (2, 3, 4, *AROUND)),
        value=value,
        part=1,
    )


INT32 = Account(
    case=CLOSED_FORMS_INT32.name,
    cause="squares wrap around at 32 bits",
    title="The variance of the mean rank wraps around for int32 numbers of candidates",
    fault="A user would expect that the variance of the mean rank depends on the numbers of candidates alone, but "
    "they are squared in the type of their array: in int32 the square of 46,341 wraps around, and the variance is "
    "negative, or another positive number; nothing promises which types of arrays are accepted.",
    worked=_worked,
    why="`ArithmeticMeanRank.variance` keeps the type of the array that it gets, and numpy's integers wrap around "
    "without a warning. Hits at k, in the same file, converts its numbers of candidates to float first. What is "
    "derived from the mean rank takes over the wrong variance; for a z-score it is the divisor.",
    quotations=(
        Quotation(
            RANKING,
            r"\frac{1}{n^2} \sum \limits_{i=1}^{n} \frac{N_i^2 - 1}{12}",
            "The documented variance, whose N are numbers, of no machine type.",
        ),
        Quotation(RANKING, "individual_variance = (num_candidates**2 - 1) / 12.0", "The square has the array's type."),
        Quotation(
            RANKING, "individual = np.minimum(self.k / num_candidates, 1.0)", "Hits at k, after a conversion to float."
        ),
    ),
    licence=LICENCE,
    affected="`ArithmeticMeanRank.variance` and `std`, the `variance` of `AdjustedArithmeticMeanRank` and of "
    "`AdjustedArithmeticMeanRankIndex`, and the values of `ZArithmeticMeanRank`, for arrays in int32 with a number "
    "from 46,341 on, and in smaller types earlier: an array read as int32, made small on purpose, or from a list on "
    "Windows with NumPy 1, whose default integer has 32 bits. For 46,341 candidates the z-score ends with `math "
    f"domain error`; for 100,000 it is silently too large by a factor of 2.66. {TAGS}, and so does the development "
    "version.",
    unaffected="int64 up to 3,037,000,499 candidates, so pykeen's own evaluators, which count in int64; floats; and "
    "the closed forms of the geometric and the reciprocal mean and of hits at k, which gave the same for both types.",
    workarounds=("Convert the numbers: `metric.variance(num_candidates.astype(float))`, or `astype(np.int64)`.",),
    defence="That fixed-size integers wrap around is numpy's documented behaviour, and whoever chooses int32 may be "
    "expected to know it. The documentation asks for an array of numbers of candidates and names no type, and "
    "pykeen's own arrays are int64. Of the usual benchmarks, FB15k-237 and WN18RR have fewer entities than 46,341; "
    "YAGO3-10, with 123,143, has more.",
    mend="Convert once, as hits at k does: `num_candidates = np.asanyarray(num_candidates, dtype=float)`, in "
    "`variance` and, for the sum with 1, in `expected_value` of `ArithmeticMeanRank`. The patch does this.",
    reword="The parameter `num_candidates` could be documented as an array of int64 or float.",
    call=_call,
    size="number of ranking tasks",
    test=_test,
    table=_table,
    examples=(
        _one("ArithmeticMeanRank", 46_341, "int64"),
        _one("ArithmeticMeanRank", 46_340),
        _one("ArithmeticMeanRank", 100_000),
        _one("AdjustedArithmeticMeanRank", 46_341),
        _one("AdjustedArithmeticMeanRankIndex", 100_000),
    ),
    series=(
        _along("one rank, candidates in int32", "ArithmeticMeanRank", "variance of the mean rank"),
        _along("one rank, candidates in int32", "AdjustedArithmeticMeanRank", "variance of the adjusted mean rank"),
    ),
)
