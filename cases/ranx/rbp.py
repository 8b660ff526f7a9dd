"""What ranx promises of Rank-Biased Precision for one query."""

import json
import math
import re
from fractions import Fraction
from string import Template

from cases.ranx import scripts
from cases.ranx.inputs import (
    JudgedRanking,
    LevelledRanking,
    Scored,
    Spelling,
    all_judged_rankings,
    grades_by_rank,
    levelled_rankings,
    long_judged_rankings,
    long_levelled_rankings,
    odd_spellings,
    scored_documents,
    spellings,
    strings,
)
from harness.case import Case, Contract, Script
from harness.expected import Enclosed, Exactly, Expected, OneOf, Refusal, Unspecified
from reference import rbp
from reference.rbp import Gain
from reference.rbp_rounding import bound

RAW_GRADE = "raw grade as gain"
OVER_TOP = "grade over top grade"

DOCSTRING = "the docstring of ranx.metrics.rank_biased_precision, and docs/metrics.md, Rank-biased Precision"

DELIBERATE = (
    "grades are used as gains on purpose since 0.3.15 (AmenRa/ranx#45; the changelog of 0.3.15 says 'Fixed "
    "rank_biased_precision considering relevance as binary instead of graded'); the docstring was not changed, "
    "so code and documentation disagree"
)


def _exactly(gains: list[Gain], persistence: str) -> Exactly:
    """Return the RBP of gains: exact at the float that ranx receives, and as written for a person."""
    p = rbp.received(persistence)
    return Exactly(rbp.graded(gains, p), bound(gains, p), rbp.graded(gains, Fraction(persistence)))


def _binary(ranked: tuple[int | None, ...], persistence: str, level: int = 1) -> Exactly:
    return _exactly([int(r) for r in rbp.relevance(ranked, level)], persistence)


def _raw(ranked: tuple[int | None, ...], persistence: str, level: int = 1) -> Exactly:
    return _exactly(list(rbp.raw_gains(ranked, level)), persistence)


def _over_top(x: JudgedRanking) -> Exactly:
    return _exactly(list(rbp.gains_over_top(x.by_rank(), max(x.grades))), x.persistence)


def _names(x: JudgedRanking | LevelledRanking) -> tuple[dict[str, int], list[str]]:
    """Return the judged documents with their grades, and the names of the retrieved ones, best first."""
    judged = len(x.grades)
    run = [f"d{d}" if d < judged else f"u{d - judged}" for d in x.run]
    return {f"d{i}": grade for i, grade in enumerate(x.grades)}, run


def _described(x: JudgedRanking | LevelledRanking, tail: str) -> str:
    if len(x.grades) == len(x.run) == 1 and x.run == (0,):
        return f"one document of grade {x.grades[0]}, retrieved, {tail}"
    qrels, run = _names(x)
    judged = ", ".join(f"{name}: {grade}" for name, grade in qrels.items())
    return f"qrels {{{judged}}}, run {' > '.join(run)}, {tail}"


def _describe(x: JudgedRanking) -> str:
    return _described(x, f"p = {x.persistence}")


def _describe_levelled(x: LevelledRanking) -> str:
    return _described(x, f"p = {x.persistence}, level {x.level}")


def _metric(persistence: str) -> str:
    return "rbp" + persistence.removeprefix("0")


def _script(x: JudgedRanking | LevelledRanking) -> Script:
    level = x.level if isinstance(x, LevelledRanking) else 1
    suffix = f"-l{level}" if isinstance(x, LevelledRanking) else ""
    qrels, run = _names(x)
    ranked = grades_by_rank(x.grades, x.run)
    expected = _binary(ranked, x.persistence, level)
    describe = _described(x, f'"{_metric(x.persistence)}{suffix}"')
    return scripts.by_value(
        qrels,
        {name: float(len(run) - i) for i, name in enumerate(run)},
        relevant=[int(r) for r in rbp.relevance(ranked, level)],
        level=level,
        persistence=x.persistence,
        metric=_metric(x.persistence) + suffix,
        bound=expected.within,
        input=describe,
    )


RBP = Case(
    name="ranx/rbp",
    contract=Contract(
        says="RBP = (1 - p) * sum of r_i * p^(i-1), where r_i is 1 if the i-th document is relevant, that is of "
        "grade 1 or more, and 0 if not",
        source=f'{DOCSTRING} ("r_i is either 0 or 1"; rel_lvl defaults to 1)',
        upstream=DELIBERATE,
    ),
    input_type=JudgedRanking,
    call="rbp",
    expected=lambda x: _binary(x.by_rank(), x.persistence),
    conventions={
        RAW_GRADE: lambda x: _raw(x.by_rank(), x.persistence),
        OVER_TOP: _over_top,
    },
    alike=lambda x: (x.by_rank(), max(x.grades), x.persistence),
    domains=all_judged_rankings(),
    beyond=long_judged_rankings(),
    describe=_describe,
    script=_script,
)


def _in_range(x: JudgedRanking) -> Expected:
    """Return [0, 1], of which a right float may miss an end by the bound of the documented value."""
    return Enclosed(Fraction(0), Fraction(1), _binary(x.by_rank(), x.persistence).within)


RANGE_BODY = Template('''\
QRELS = $qrels
RUN = $run


def observed():
    return evaluate(QRELS, RUN, "$metric")


def control():
    """With every positive grade replaced by 1, the value is in [0, 1]."""
    ones = {"q0": {document: min(grade, 1) for document, grade in QRELS["q0"].items()}}
    return is_right(evaluate(ones, RUN, "$metric"))


def is_right(value):
    """Allow for float64 rounding, which can make up at most the bound here."""
    return -Fraction($bound) <= Fraction(float(value)) <= 1 + Fraction($bound)
''')


def _range_script(x: JudgedRanking) -> Script:
    qrels, run = _names(x)
    body = RANGE_BODY.substitute(
        qrels=json.dumps({"q0": qrels}),
        run=json.dumps({"q0": {name: float(len(run) - i) for i, name in enumerate(run)}}),
        metric=_metric(x.persistence),
        bound=repr(scripts.rounded_up(_binary(x.by_rank(), x.persistence).within)),
    )
    return Script(
        imports=scripts.imports("evaluate"),
        body=body,
        documented='"a value in [0, 1]"',
        input=_described(x, f'"{_metric(x.persistence)}"'),
    )


RANGE = Case(
    name="ranx/rbp-range",
    contract=Contract(
        says="an RBP lies in [0, 1]: it is (1 - p) * sum of r_i * p^(i-1) with r_i 0 or 1, and the weights sum to "
        "1 - p^d",
        source=f"{DOCSTRING}; Moffat & Zobel 2008, doi:10.1145/1416950.1416952",
        upstream=DELIBERATE,
    ),
    input_type=JudgedRanking,
    call="rbp",
    expected=_in_range,
    conventions={RAW_GRADE: lambda x: _raw(x.by_rank(), x.persistence)},
    alike=lambda x: (x.by_rank(), x.persistence),
    domains=all_judged_rankings(),
    beyond=long_judged_rankings(),
    describe=_describe,
    script=_range_script,
)

LEVEL = Case(
    name="ranx/rbp-relevance-level",
    contract=Contract(
        says="with a relevance level, as in rbp.8-l2, documents of at least that grade are relevant (r_i is 1) and "
        "all others are not (r_i is 0)",
        source=f'{DOCSTRING} ("Minimum relevance judgment score to consider a document to be relevant")',
        upstream=DELIBERATE,
    ),
    input_type=LevelledRanking,
    call="rbp_relevance_level",
    expected=lambda x: _binary(grades_by_rank(x.grades, x.run), x.persistence, x.level),
    conventions={RAW_GRADE: lambda x: _raw(grades_by_rank(x.grades, x.run), x.persistence, x.level)},
    alike=lambda x: (grades_by_rank(x.grades, x.run), x.persistence, x.level),
    domains=(
        levelled_rankings("levels", range(4), range(1, 4), 3, thorough=False),
        levelled_rankings("levels below 1", range(-2, 3), range(-2, 3), 2, thorough=True),
    ),
    beyond=long_levelled_rankings(),
    describe=_describe_levelled,
    script=_script,
)

DIGITS = "digits up to the next dot, behind the first dot or @"


def _three_relevant(p: Fraction, written: Fraction | None = None) -> Exactly:
    """Return the RBP of three relevant documents at ranks 1 to 3."""
    gains = [1, 1, 1]
    shown = None if written is None else rbp.graded(gains, written)
    return Exactly(rbp.graded(gains, p), bound(gains, p), shown)


def _persistence(x: Spelling) -> Expected:
    """Return the value for the documented form, rbp.DIGITS; for anything else, which is not listed, a refusal.

    A string that spells a persistence in another way, such as rbp.0.8, may also be taken for that one.
    """
    documented = re.fullmatch(r"rbp(\.[0-9]+)", x.metric)
    if documented:
        written = Fraction("0" + documented[1])
        received = Fraction(float(written))
        if received == 1:
            return Unspecified("no float64 below 1 is that close to it")
        return _three_relevant(received, written)
    spelled = re.fullmatch(r"rbp[.@](0?\.[0-9]+)", x.metric)
    if spelled and Fraction(float(spelled[1])) < 1:
        return OneOf((Refusal(), _three_relevant(Fraction(float(spelled[1])), Fraction(spelled[1]))))
    return Refusal()


def _digits(x: Spelling) -> Expected:
    mark = "." if "." in x.metric else "@"
    metric, *rest = x.metric.split(mark)
    try:
        p = float(f"0.{rest[0]}") if metric == "rbp" and rest else math.nan
    except ValueError:
        return Refusal()
    return _three_relevant(Fraction(p)) if 0 <= p < 1 else Refusal()


PERSISTENCE_BODY = Template('''\
QRELS = {"q0": {"d0": 1, "d1": 1, "d2": 1}}
RUN = {"q0": {"d0": 3.0, "d1": 2.0, "d2": 1.0}}


def observed():
    """Return 1 - p^3, for the persistence p that ranx takes the metric to name."""
    return evaluate(QRELS, RUN, $metric)


def control():
    """The documented spelling works: rbp.8 is p = 0.8."""
    return abs(evaluate(QRELS, RUN, "rbp.8") - (1 - 0.8**3)) <= $bound


def is_right(value):
    """Return whether ranx took the metric for what it says."""
    return $right
''')


def _persistence_script(x: Spelling) -> Script:
    expected = _persistence(x)
    value = next((e for e in (expected, *getattr(expected, "choices", ())) if isinstance(e, Exactly)), None)
    right = "False  # whatever the value: the metric names no persistence"
    if value:
        right = f"abs(value - {float(value.value)!r}) <= {scripts.rounded_up(2 * value.within)!r}"
    body = PERSISTENCE_BODY.substitute(
        metric=json.dumps(x.metric, ensure_ascii=False),
        bound=repr(scripts.rounded_up(2 * bound([1, 1, 1], rbp.received("0.8")))),
        right=right,
    )
    shown = "a refusal" if value is None else f"a refusal, or {value.written}"
    return Script(scripts.imports("evaluate"), body, json.dumps(shown), f'the metric "{x.metric}"')


PERSISTENCE = Case(
    name="ranx/rbp-persistence",
    contract=Contract(
        says='the persistence is written behind a dot, as in rbp.95 for p = 0.95 (".p: Yes"), RBP has no cutoff '
        '("@k: No"), and a metric without a persistence is refused ("RBP requires persistence value"); no other form '
        "is listed",
        source="docs/metrics.md, table of aliases, row rbp; the error that ranx.evaluate raises for rbp",
        upstream="the code accepts @ in the place of the dot, which the table does not list",
    ),
    input_type=Spelling,
    call="rbp_persistence",
    expected=_persistence,
    conventions={DIGITS: _digits},
    domains=(spellings(), strings(3, thorough=False), strings(4, thorough=True)),
    beyond=odd_spellings(),
    describe=lambda x: f'the metric "{x.metric}"',
    script=_persistence_script,
)


def _ranking(x: Scored) -> Expected:
    """Return the value by descending score, where ties and NaN do not leave the order open."""
    scores = [float(score) for score in x.scores]
    if any(math.isnan(score) for score in scores):
        return Unspecified("ranx documents no place for a NaN score")
    if len(set(scores)) < len(scores):
        return Unspecified("ranx documents no order for equal scores")
    order = sorted(range(len(scores)), key=lambda j: -scores[j])
    return _binary(tuple(int(j == x.relevant) for j in order), "0.8")


RANKING_BODY = Template('''\
QRELS = {"q0": {"$relevant": 1}}
RUN = {"q0": $run}


def observed():
    return evaluate($call, "rbp.8")


def control():
    """A relevant document alone is at rank 1."""
    return abs(evaluate(QRELS, {"q0": {"$relevant": 1.0}}, "rbp.8") - 0.2) <= $bound


def is_right(value):
    return abs(value - $value) <= $bound
''')


def _ranking_script(x: Scored) -> Script:
    expected = _ranking(x)
    value = expected if isinstance(expected, Exactly) else _binary((1,), "0.8")
    run = ", ".join(f'"d{j}": float("{score}")' for j, score in enumerate(x.scores))
    body = RANKING_BODY.substitute(
        relevant=f"d{x.relevant}",
        run=f"{{{run}}}",
        call="Qrels(QRELS), Run(RUN)" if x.form == "Run" else "QRELS, RUN",
        bound=repr(scripts.rounded_up(2 * bound([1], rbp.received("0.8")))),
        value=repr(float(value.value)),
    )
    return Script(scripts.imports("Qrels, Run, evaluate"), body, json.dumps(str(value.written)), _describe_scored(x))


def _describe_scored(x: Scored) -> str:
    return f"scores {', '.join(x.scores)}, document {x.relevant} relevant, as {x.form}"


RANKING = Case(
    name="ranx/rbp-ranking",
    contract=Contract(
        says="documents are ranked by descending score, whatever the scores are",
        source='docs/faq.md ("Relevance scores are used by ranx to sort results before computing the metrics")',
        upstream="no rule for equal scores or NaN is documented: what ranx does there is unspecified",
    ),
    input_type=Scored,
    call="rbp_ranking",
    expected=_ranking,
    domains=(scored_documents(3),),
    describe=_describe_scored,
    script=_ranking_script,
)
