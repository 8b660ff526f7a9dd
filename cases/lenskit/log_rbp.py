"""What the documentation of the proposed LogRBP promises: of the logarithm of RBP, and of its log mean."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from cases.lenskit import scripts
from cases.lenskit.lists import (
    DEEPEST,
    GIVEN,
    PATIENCES,
    USUAL,
    CutList,
    HitList,
    all_patterns,
    cutoffs,
    deep_lists,
    describe_cut_list,
    describe_hit_list,
    long_lists,
    patiences,
    single_hits,
    validate_cut_list,
    validate_hit_list,
)
from cases.lenskit.odd_lists import (
    Ranked,
    by_given_ranks,
    describe_ranked,
    is_usual,
    lists_with_ranks,
    order,
    ranked_script,
)
from cases.lenskit.rbp import CUTS, NAN, cut, cut_script
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, sized, union
from harness.expected import Each, Enclosed, Expected, OneOf, Refusal, Special, Unspecified
from reference import log_rbp, log_rbp_rounding
from reference.enclosure import Enclosure, ln
from reference.rbp import received
from reference.rbp_rounding import U

PAGE = "the documentation page of lenskit.metrics.ranking.LogRBP, as it is proposed in lenskit/lkpy#1159"
UPSTREAM = "in no release yet; the issue (2026-07-17) is open"

MINUS_INFINITY = Special("-inf")


def both(value: Expected) -> Each:
    """Return what is right of a measurement, and of what is exposed of it: the same."""
    return Each((value, value))


def enclosed(found: Enclosure | None, within: Fraction) -> Expected:
    """Return a logarithm as an expected value."""
    return MINUS_INFINITY if found is None else Enclosed(found.low, found.high, within)


# --- the value of a list ---------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def logarithm(hits: tuple[int, ...], patience: str) -> Expected:
    """Return ln RBP of a list with these hits; every convention of an input starts from it."""
    p = received(patience)
    return enclosed(log_rbp.ln_rbp(hits, p), log_rbp_rounding.bound(hits, p))


def _logarithm(x: HitList) -> Expected:
    return logarithm(x.hits, x.patience) if x.relevant else NAN


def _value(x: HitList) -> Expected:
    return both(_logarithm(x))


def _shifted(change: Callable[[Enclosure, Fraction], Enclosure]) -> Callable[[HitList], Expected]:
    """Return the reading in which the finite logarithm is another one."""

    def reading(x: HitList) -> Expected:
        right = _logarithm(x)
        if not isinstance(right, Enclosed):
            return both(right)
        found = Enclosure.between(right.low, right.high)
        return both(enclosed(change(found, received(x.patience)), right.within))

    return reading


@lru_cache
def _ln(x: Fraction) -> Enclosure:
    return ln(x)


def _largest(x: HitList) -> Expected:
    return _value(x._replace(hits=x.hits[:1]))


def _through_rbp(x: HitList) -> Expected:
    """Return minus infinity where 0 is within the bound of a float64 RBP: 8 * 2^-1074 for each hit."""
    right = _logarithm(x)
    lost = isinstance(right, Enclosed) and right.low < _ln(Fraction(8 * len(x.hits), 2**1074)).low
    return both(MINUS_INFINITY if lost else right)


def _value_script(x: HitList) -> Script:
    recs, test = scripts.ranked(x.retrieved), scripts.relevant(x.hits, x.retrieved, x.missed)
    return scripts.call(
        _first(_value(x)),
        setup=scripts.lists(recs, test),
        returns=f"return LogRBP(patience={x.patience}).measure_list(RECS, TEST)",
        needs=("LogRBP",),
        input=describe_hit_list(x),
    )


def edges() -> Domain[HitList]:
    """Return the lists around the empty one, with and without test items; the size is the length."""
    lists = [
        HitList(hits, n, missed, USUAL) for n in range(3) for hits in ((), (1,), (n,))[: n + 1] for missed in range(2)
    ]
    return Domain(
        name="edges",
        parameters={"patience": USUAL},
        inputs=union(*(sized(choice([x for x in lists if x.retrieved == n]), n) for n in range(3))),
        counts=lambda: {0: 2, 1: 4, 2: 6},
    )


LOG_RBP = Case(
    name="lenskit/log-rbp",
    contract=Contract(
        says="the value of a list is ln RBP = ln(1 - p) + ln(sum of p^(r-1) over the ranks r of its hits), without "
        "underflow; minus infinity where there are test items and no hit, NaN where there are no test items; and "
        "extract_list_metrics exposes it",
        source=PAGE,
        upstream=UPSTREAM,
    ),
    input_type=HitList,
    call="log_rbp",
    validate=validate_hit_list,
    expected=_value,
    conventions={
        "exponent r instead of r - 1": _shifted(lambda found, p: found + _ln(p)),
        "without ln(1 - p)": _shifted(lambda found, p: found - _ln(1 - p)),
        "logarithm to base 2": _shifted(lambda found, _: found / _ln(Fraction(2))),
        "the largest term instead of the sum": _largest,
        "the logarithm of an RBP that underflowed": _through_rbp,
    },
    domains=(edges(), *map(all_patterns, PATIENCES), long_lists(), single_hits(5001)),
    beyond=deep_lists(DEEPEST, patiences(0, 1)),
    describe=describe_hit_list,
    script=_value_script,
    values="the measurement, then what extract_list_metrics exposes of it",
)

# --- cutoff, order and ranks: as RBP has them ------------------------------------------------------------------


def _cut(x: CutList) -> Expected:
    found = cut(x, lambda: logarithm(x.kept, x.patience), MINUS_INFINITY)
    match found:
        case Refusal():
            return found
        case OneOf(choices):
            return OneOf(tuple(one if isinstance(one, Refusal) else both(one) for one in choices))
        case _:
            return both(found)


LOG_RBP_CUTOFF = Case(
    name="lenskit/log-rbp-cutoff",
    contract=Contract(
        says="n is the maximum length of the list, as for RBP, and k a deprecated alias of it",
        source=PAGE,
        upstream=UPSTREAM,
    ),
    input_type=CutList,
    call="log_rbp_cutoff",
    validate=validate_cut_list,
    expected=_cut,
    conventions={"the whole list": lambda x: both(logarithm(x.hits, x.patience))},
    domains=(cutoffs("cutoffs", GIVEN, CUTS),),
    describe=describe_cut_list,
    script=lambda x: cut_script(x, _first(_cut(x)), metric="LogRBP"),
    values=LOG_RBP.values,
)


def _first(expected: Expected) -> Expected:
    """Return what is right of the measurement alone."""
    match expected:
        case Each((measurement, *_)):
            return measurement
        case OneOf(choices):
            return OneOf(tuple(map(_first, choices)))
        case _:
            return expected


LOG_RBP_ORDER = order("lenskit/log-rbp-order", "LogRBP")


def _ranked(x: Ranked) -> Expected:
    if is_usual(x):
        return both(logarithm(x.hits, USUAL))
    return Unspecified("ranks are said to begin with 1, and to follow the order of the list")


def _by_given_ranks(x: Ranked) -> Expected:
    if is_usual(x):
        return _ranked(x)
    score = by_given_ranks(x)
    found = ln(score.value)
    # the logarithm turns a relative error into an absolute one; it and a sum of logarithms round by 2 + 2 more
    within = score.within / score.value + 4 * max(Fraction(1), abs(found.low)) * U
    return both(Enclosed(found.low, found.high, within))


LOG_RBP_RANKS = Case(
    name="lenskit/log-rbp-ranks",
    contract=Contract(
        says="ranks begin with 1; with the ranks 1, 2, ... of its own a list scores as without",
        source="the docstrings of lenskit.data.ItemList.ranks and RankWeight.weight",
        upstream=UPSTREAM,
    ),
    input_type=Ranked,
    call="log_rbp_ranks",
    expected=_ranked,
    conventions={"the exponent is the given rank - 1": _by_given_ranks},
    domains=(lists_with_ranks(3, range(5)),),
    describe=describe_ranked,
    script=lambda x: ranked_script(x, _first(_ranked(x)), "LogRBP"),
    values=LOG_RBP.values,
)
