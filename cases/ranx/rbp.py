"""What ranx promises of Rank-Biased Precision for one query."""

import json
from fractions import Fraction
from string import Template

from cases.ranx import scripts
from cases.ranx.impact import IMPACT
from cases.ranx.rankings import (
    JudgedRanking,
    LevelledRanking,
    all_judged_rankings,
    grades_by_rank,
    levelled_rankings,
    long_judged_rankings,
    long_levelled_rankings,
    validate_ranking,
)
from harness.case import Case, Contract, Script
from harness.expected import Enclosed, Exactly, Expected
from harness.script import rounded_up
from reference import rbp
from reference.rbp import Gain
from reference.rbp_rounding import bound

RAW_GRADE = "raw grade as gain"
OVER_TOP = "grade over top grade"

DOCSTRING = "the docstring of ranx.metrics.rank_biased_precision"
DEFINITION = f"{DOCSTRING}, and docs/metrics.md, Rank-biased Precision"

DELIBERATE = (
    "grades are used as gains on purpose since 0.3.15 (AmenRa/ranx#45; the changelog of 0.3.15 says 'Fixed "
    "rank_biased_precision considering relevance as binary instead of graded'); the docstring was not changed, "
    "so code and documentation disagree. In AmenRa/ranx#58 the maintainer says that all metrics but (n)DCG take "
    "relevance as binary"
)


def _exactly(gains: list[Gain], persistence: str) -> Exactly:
    """Return the RBP of gains: exact at the float that ranx receives, and as written for a person."""
    p = rbp.received(persistence)
    return Exactly(rbp.graded(gains, p), bound(gains, p), rbp.graded(gains, Fraction(persistence)))


def binary(ranked: tuple[int | None, ...], persistence: str, level: int = 1) -> Exactly:
    """Return the documented RBP of grades in rank order."""
    return _exactly([int(r) for r in rbp.relevance(ranked, level)], persistence)


def _raw(ranked: tuple[int | None, ...], persistence: str, level: int = 1) -> Exactly:
    return _exactly(list(rbp.raw_gains(ranked, level)), persistence)


def _over_top(x: JudgedRanking) -> Exactly:
    return _exactly(list(rbp.gains_over_top(x.by_rank(), max(x.grades))), x.persistence)


def names(x: JudgedRanking | LevelledRanking) -> tuple[dict[str, int], list[str]]:
    """Return the judged documents with their grades, and the names of the retrieved ones, best first."""
    judged = len(x.grades)
    run = [f"d{d}" if d < judged else f"u{d - judged}" for d in x.run]
    return {f"d{i}": grade for i, grade in enumerate(x.grades)}, run


def _described(x: JudgedRanking | LevelledRanking, tail: str) -> str:
    if len(x.grades) == len(x.run) == 1 and x.run == (0,):
        return f"one document of grade {x.grades[0]}, retrieved, {tail}"
    qrels, run = names(x)
    judged = ", ".join(f"{name}: {grade}" for name, grade in qrels.items())
    return f"qrels {{{judged}}}, run {' > '.join(run)}, {tail}"


def _describe(x: JudgedRanking) -> str:
    return _described(x, f"p = {x.persistence}")


def _describe_levelled(x: LevelledRanking) -> str:
    return _described(x, f"p = {x.persistence}, level {x.level}")


def metric(persistence: str) -> str:
    """Return the documented spelling: "0.8" is asked for as rbp.8."""
    return "rbp" + persistence.removeprefix("0")


def _script(x: JudgedRanking | LevelledRanking) -> Script:
    level = x.level if isinstance(x, LevelledRanking) else 1
    suffix = f"-l{level}" if isinstance(x, LevelledRanking) else ""
    qrels, run = names(x)
    ranked = grades_by_rank(x.grades, x.run)
    expected = binary(ranked, x.persistence, level)
    describe = _described(x, f'"{metric(x.persistence)}{suffix}"')
    return scripts.by_value(
        qrels,
        {name: float(len(run) - i) for i, name in enumerate(run)},
        relevant=[int(r) for r in rbp.relevance(ranked, level)],
        level=level,
        persistence=x.persistence,
        metric=metric(x.persistence) + suffix,
        bound=expected.within,
        input=describe,
    )


RBP = Case(
    name="ranx/rbp",
    contract=Contract(
        says="RBP = (1 - p) * sum of r_i * p^(i-1), where r_i is 1 if the i-th document is relevant, that is of "
        "grade 1 or more, and 0 if not",
        source=f'{DEFINITION} ("r_i is either 0 or 1"); rel_lvl defaults to 1',
        upstream=DELIBERATE,
    ),
    input_type=JudgedRanking,
    call="rbp",
    validate=validate_ranking,
    expected=lambda x: binary(x.by_rank(), x.persistence),
    conventions={
        RAW_GRADE: lambda x: _raw(x.by_rank(), x.persistence),
        OVER_TOP: _over_top,
    },
    alike=lambda x: (x.by_rank(), max(x.grades), x.persistence),
    domains=all_judged_rankings(),
    beyond=long_judged_rankings(),
    describe=_describe,
    script=_script,
    impact=IMPACT,
)


def _in_range(x: JudgedRanking) -> Expected:
    """Return [0, 1], of which a right float may miss an end by the bound of the documented value."""
    return Enclosed(Fraction(0), Fraction(1), binary(x.by_rank(), x.persistence).within)


RANGE_BODY = Template('''\
QRELS = $qrels
RUN = $run


def observed():
    return evaluate(QRELS, RUN, "$metric")


def control():
$control


def is_right(value):
    """Allow for float64 rounding, which can make up at most the bound here."""
    return -Fraction($bound) <= Fraction(float(value)) <= 1 + Fraction($bound)
''')


def _range_script(x: JudgedRanking) -> Script:
    qrels, run = names(x)
    body = RANGE_BODY.substitute(
        qrels=json.dumps({"q0": qrels}),
        run=json.dumps({"q0": {name: float(len(run) - i) for i, name in enumerate(run)}}),
        metric=metric(x.persistence),
        control=scripts.ones_control(1, metric(x.persistence)) if max(x.grades) > 1 else scripts.ZERO_CONTROL,
        bound=repr(rounded_up(binary(x.by_rank(), x.persistence).within)),
    )
    return Script(
        imports=scripts.FRACTION + scripts.imports("evaluate"),
        body=body,
        documented='"a value in [0, 1]"',
        input=_described(x, f'"{metric(x.persistence)}"'),
    )


RANGE = Case(
    name="ranx/rbp-range",
    contract=Contract(
        says="RBP = (1 - p) * sum of r_i * p^(i-1) with r_i 0 or 1; from which it follows that it lies in [0, 1], "
        "since the weights sum to 1 - p^d",
        source=f"{DEFINITION}; Moffat & Zobel 2008, doi:10.1145/1416950.1416952",
        upstream=DELIBERATE,
    ),
    input_type=JudgedRanking,
    call="rbp",
    validate=validate_ranking,
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
        source=f'{DOCSTRING}, argument rel_lvl ("Minimum relevance judgment score to consider a document to be '
        'relevant"), and notebooks/6_ranxhub.ipynb (\'"-l2" changes the relevance level for the binary metrics\')',
        upstream=DELIBERATE,
    ),
    input_type=LevelledRanking,
    call="rbp_relevance_level",
    validate=validate_ranking,
    expected=lambda x: binary(grades_by_rank(x.grades, x.run), x.persistence, x.level),
    conventions={RAW_GRADE: lambda x: _raw(grades_by_rank(x.grades, x.run), x.persistence, x.level)},
    alike=lambda x: (grades_by_rank(x.grades, x.run), x.persistence, x.level),
    domains=(
        levelled_rankings("levels", range(4), range(2, 4), 3, thorough=False),
        levelled_rankings("levels below 1", range(-2, 3), range(-2, 3), 2, thorough=True),
    ),
    beyond=long_levelled_rankings(),
    describe=_describe_levelled,
    script=_script,
)
