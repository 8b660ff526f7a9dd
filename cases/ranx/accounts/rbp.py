"""The accounts of Rank-Biased Precision for one query: grades are used as gains."""

from collections.abc import Sequence
from fractions import Fraction

from cases.ranx.accounts import gain, steps
from cases.ranx.accounts.upstream import (
    ISSUE_29,
    ISSUE_45,
    LICENCE,
    MASTER,
    PATCHES,
    TESTS_OF_THE_METRIC,
    Part,
    call,
    quotient,
    regression_test,
)
from cases.ranx.rankings import JudgedRanking, LevelledRanking, grades_by_rank
from cases.ranx.rbp import LEVEL, RANGE, RAW_GRADE, RBP, metric, names
from harness.account import Account, Quotation, RegressionTest, Series, Table
from reference import rbp

Ranking = JudgedRanking | LevelledRanking


def _level(x: Ranking) -> int:
    return x.level if isinstance(x, LevelledRanking) else 1


def _relevant(x: Ranking) -> Sequence[bool]:
    return rbp.relevance(grades_by_rank(x.grades, x.run), _level(x))


def _value(x: Ranking) -> Fraction:
    return rbp.binary(_relevant(x), Fraction(x.persistence))


def _worked(x: Ranking) -> list[str]:
    _, run = names(x)
    grades = grades_by_rank(x.grades, x.run)
    judged = zip(run, grades, strict=True)
    lines = [steps.judged(rank, name, grade, _level(x)) for rank, (name, grade) in enumerate(judged, 1)]
    return [*lines, steps.value(_relevant(x), Fraction(x.persistence))]


def _table(x: Ranking) -> Table:
    qrels, run = names(x)
    retrieved = [(str(rank), name, str(qrels.get(name, "not judged"))) for rank, name in enumerate(run, 1)]
    others = [("not retrieved", name, str(grade)) for name, grade in qrels.items() if name not in run]
    return Table(("rank", "document", "grade"), (*retrieved, *others))


def _given(x: Ranking) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    qrels, run = names(x)
    return {"q0": dict(qrels)}, {"q0": {d: float(len(run) - i) for i, d in enumerate(run)}}


def _call(x: Ranking) -> list[str]:
    suffix = f"-l{x.level}" if isinstance(x, LevelledRanking) else ""
    return call("evaluate", *_given(x), f'evaluate(qrels, run, "{metric(x.persistence)}{suffix}")')


SCORES = """\
scores = rank_biased_precision(
    Qrels(qrels).to_typed_list(), Run(run).to_typed_list(), {persistence}{level}
)
"""

IMPORTS = """\
import pytest

from ranx import Qrels, Run
from ranx.metrics.rank_biased_precision import rank_biased_precision
"""


def _part(x: Ranking, worked: Sequence[str], check: str) -> Part:
    level = f", rel_lvl={x.level}" if isinstance(x, LevelledRanking) else ""
    scores = SCORES.format(persistence=x.persistence, level=level)
    return Part(*_given(x), worked, scores + check.format(value=quotient(_value(x))))


CLOSE = "assert scores[0] == pytest.approx({value})"


def _test(x: Ranking, also: Ranking, name: str) -> RegressionTest:
    """Return a test; where it is about one document alone, of another ranking, too."""
    return regression_test(
        *(_part(one, _worked(one), CLOSE) for one in ([x, also] if len(x.grades) == 1 else [x])),
        place=TESTS_OF_THE_METRIC,
        imports=IMPORTS,
        name=name,
    )


IN_RANGE = ["RBP lies in [0, 1]: its weights (1 - p) * p^(i - 1) sum to less than 1"]


def _test_of_range(x: JudgedRanking) -> RegressionTest:
    inputs = [x, JudgedRanking((3, 2, 1), (0, 1, 2), "0.5")] if len(x.grades) == 1 else [x]
    return regression_test(
        *(_part(one, IN_RANGE, "assert 0 <= scores[0] <= 1") for one in inputs),
        place=TESTS_OF_THE_METRIC,
        imports=IMPORTS.removeprefix("import pytest\n\n"),
        name="rank_biased_precision_is_at_most_1",
    )


def of_one_grade(grade: int, documents: int, persistence: str) -> JudgedRanking:
    """Return so many documents of one grade, all retrieved."""
    return JudgedRanking((grade,) * documents, tuple(range(documents)), persistence)


BY_GRADE = Series(
    title="one document, retrieved, p = 0.8",
    along="grade",
    inputs=tuple((str(grade), of_one_grade(grade, 1, "0.8")) for grade in range(7)),
    value="RBP",
)
BY_NUMBER = Series(
    title="documents of grade 3, all retrieved, p = 0.8",
    along="number of documents",
    inputs=tuple((str(n), of_one_grade(3, n, "0.8")) for n in (1, 2, 3, 4, 6, 8, 12, 16)),
    value="RBP",
)
BY_PERSISTENCE = Series(
    title="six documents of grade 3, all retrieved",
    along="persistence",
    inputs=tuple((p, of_one_grade(3, 6, p)) for p in ("0.5", "0.6", "0.7", "0.8", "0.9", "0.95", "0.99")),
    value="RBP",
)

GRADED = Account(
    case=RBP.name,
    cause=RAW_GRADE,
    title="RBP uses raw grades as gains where the docs say that r_i is 0 or 1",
    fault="`rbp` takes the grade of a document as its gain, while the documentation says that the gain r_i is either 0 "
    "or 1; so with grades above 1 the value is larger than the documented one, and can exceed 1.",
    worked=_worked,
    why=gain.WHY,
    quotations=(
        gain.DOCUMENTED,
        gain.ALSO_DOCUMENTED,
        gain.LEVEL_DOCUMENTED,
        gain.KEPT,
        gain.TAKEN,
        gain.CHANGED,
    ),
    licence=LICENCE,
    affected="Whoever asks `evaluate` or `compare` for `rbp` on judgements with grades of 2 and more, as graded "
    f"collections have them. {gain.RELEASES} Values cannot be compared with those of older releases, or of tools and "
    "papers that take relevance as binary. The order of two systems can change as well: with judgements a: 3, b: 1, "
    "c: 1 and p = 0.8, a run that finds only a, at rank 1, is documented to score 1/5, and one that finds b and c, "
    "at ranks 1 and 2, 9/25; ranx gives 0.6 and 0.36.",
    unaffected=gain.UNAFFECTED,
    workarounds=(gain.BEFOREHAND, gain.SCALED, "Or use 0.3.14, the last release that computes it as documented."),
    defence=gain.DELIBERATE,
    mend=gain.MEND,
    call=_call,
    size="number of judged documents",
    test=lambda x: _test(x, JudgedRanking((3, 2), (0, 1), "0.8"), "rank_biased_precision_takes_relevance_as_binary"),
    reword=gain.REWORD,
    rewording=PATCHES / "documented-as-graded.patch",
    table=_table,
    examples=(
        JudgedRanking((3, 2), (0, 1), "0.8"),
        of_one_grade(3, 6, "0.8"),
        JudgedRanking((3, 2, 1), (0, 1, 2), "0.5"),
        JudgedRanking((1,), (0,), "0.5"),
        JudgedRanking((3,), (0,), "0.5"),
    ),
    series=(BY_GRADE, BY_NUMBER, BY_PERSISTENCE),
    span=gain.UNIT,
)


def _at_most(x: JudgedRanking) -> list[str]:
    p = Fraction(x.persistence)
    weights = f"(1 - {p}) * (1 + {p} + ({p})^2 + ...) = 1"
    return [*_worked(x), f"each r is 0 or 1, and the weights sum to {weights}; so RBP is a value in [0, 1]"]


BEYOND_1 = Account(
    case=RANGE.name,
    cause=RAW_GRADE,
    title="RBP can exceed 1 on graded judgements",
    fault="`rbp` exceeds 1 on graded judgements, while by the documented formula, whose gains are 0 or 1, it lies in "
    "[0, 1].",
    worked=_at_most,
    why=f"{gain.WHY} A weighted mean of gains is at most the highest gain: 1 if they are binary, the highest grade "
    "here.",
    quotations=(gain.DOCUMENTED, gain.ALSO_DOCUMENTED, gain.KEPT, gain.TAKEN, gain.CHANGED),
    licence=LICENCE,
    affected="Whoever takes `rbp` for a number between 0 and 1, on judgements with grades of 2 and more: to read it "
    "as an expected rate of utility, to average it with other metrics, or to plot it. It shows where documents of "
    f"high grades stand high, and sooner the lower p is. {gain.RELEASES}",
    unaffected=f"{gain.UNAFFECTED} Graded rankings that stay below 1 show nothing here, though their values are "
    "affected as `ranx/rbp` says.",
    workarounds=(gain.BEFOREHAND, gain.SCALED),
    defence=f"{gain.DELIBERATE} That the value is then no longer bounded by 1 is what {ISSUE_45} asked for, in so "
    "many words; the documentation gives no other range, and no range in words at all: it follows from the formula.",
    mend=f"{gain.MEND} Gains divided by the highest grade would keep both the grades and the range; a comment in "
    f"{ISSUE_45} brings that up as well.",
    call=_call,
    size="number of judged documents",
    test=_test_of_range,
    reword=gain.REWORD,
    rewording=PATCHES / "documented-as-graded.patch",
    table=_table,
    examples=(
        JudgedRanking((3, 2, 1), (0, 1, 2), "0.5"),
        of_one_grade(3, 6, "0.8"),
        of_one_grade(20, 20, "0.95"),
    ),
    series=(BY_GRADE, BY_NUMBER, BY_PERSISTENCE),
    span=gain.UNIT,
)


LEVELS = Quotation(
    "notebooks/6_ranxhub.ipynb",
    "changes the relevance level for the binary metrics",
    "What `-l2` behind a metric is documented to do.",
    line=50,
    source=MASTER,
)


def _at_level(grade: int, level: int) -> LevelledRanking:
    return LevelledRanking((grade,), (0,), "0.8", level)


LEVEL_GRADED = Account(
    case=LEVEL.name,
    cause=RAW_GRADE,
    title="A relevance level filters documents, but RBP still uses their raw grades",
    fault="With a relevance level, as in `rbp.8-l2`, the level decides which documents count, and the grade still "
    "decides how much, while documents of at least the level are documented to be relevant, which counts 1.",
    worked=_worked,
    why=gain.WHY,
    quotations=(gain.DOCUMENTED, gain.LEVEL_DOCUMENTED, LEVELS, gain.KEPT, gain.TAKEN, gain.CHANGED),
    licence=LICENCE,
    affected="Whoever asks for `rbp.8-l2` or a higher level: every document that counts then has a grade of 2 or "
    "more, so every value above 0 is too large. Grades 3, 2 and 1, retrieved in that order, score 2 at `rbp.5-l2`, "
    "and 3/4 as documented. At level 0 a document of grade 0 is documented to count 1, and counts 0. With a level "
    "below 0 the value can even be negative: grades -2 and 1 at `rbp.5-l-2` score -0.75, and 3/4 as documented. The "
    "cause came with 0.3.15.",
    unaffected="Levels that nothing retrieved reaches: the value is 0. Level 1 with grades of 1 and below. "
    "Releases up to 0.3.14. Precision and recall count each document that reaches the level as 1.",
    workarounds=(
        (
            "Apply the level beforehand: `relevant = {q: {d: int(g >= 2) for d, g in docs.items()} for q, docs in "
            'qrels.items()}`, then `evaluate(Qrels(relevant), Run(run), "rbp.8")`, or `run` itself if it is a `Run` '
            "(two plain dictionaries would be paired by position)."
        ),
    ),
    defence=f"{gain.DELIBERATE} Levels are older than graded RBP: they came with {ISSUE_29}, in 0.3.3, when every "
    "relevant document counted 1 in RBP. That a level filters, and the grade stays the gain, is also how `ndcg-l3` "
    "works in ranx, where the gain is graded by definition.",
    mend=gain.MEND,
    call=_call,
    size="number of judged documents",
    test=lambda x: _test(
        x, LevelledRanking((3, 2, 1), (0, 1, 2), "0.5", 2), "documents_of_the_relevance_level_count_as_1"
    ),
    reword=gain.REWORD,
    rewording=PATCHES / "documented-as-graded.patch",
    table=_table,
    examples=(
        LevelledRanking((3, 2, 1), (0, 1, 2), "0.5", 2),
        LevelledRanking((-2, 1), (0, 1), "0.5", -2),
        _at_level(3, 3),
    ),
    series=(
        Series(
            title="one document of grade 4, retrieved, p = 0.8",
            along="relevance level",
            inputs=tuple((str(level), _at_level(4, level)) for level in range(1, 7)),
            value="RBP",
        ),
        Series(
            title="one document, retrieved, p = 0.8, level 2",
            along="grade",
            inputs=tuple((str(grade), _at_level(grade, 2)) for grade in range(7)),
            value="RBP",
        ),
    ),
    span=gain.UNIT,
)
