"""What the documentation of the proposed LogRBP promises: of the logarithm of RBP, and of its log mean."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product as every
from typing import NamedTuple

from hypothesis import strategies as st

from cases.lenskit import scripts
from cases.lenskit.lists import (
    DEEPEST,
    GIVEN,
    LONGER,
    PATIENCES,
    USUAL,
    CutList,
    HitList,
    Lists,
    all_patterns,
    cutoffs,
    deep_collection,
    deep_collections,
    deep_lists,
    describe_cut_list,
    describe_hit_list,
    describe_lists,
    long_collections,
    long_lists,
    number,
    patiences,
    shallow_collections,
    single_hits,
    validate_cut_list,
    validate_hit_list,
    validate_lists,
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
from cases.lenskit.rbp import CUTS, NAN, NEGATIVE, cut, cut_script
from cases.lenskit.summaries import COLLECT, summary_script
from cases.lenskit.weights import NO_NUMBER, TOO_HIGH, TOO_LOW
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, power, sized, union
from harness.expected import Each, Enclosed, Exactly, Expected, OneOf, Refusal, Special, Unspecified, Verbatim
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
        case OneOf((value, refusal)):
            return OneOf((both(value), refusal))
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

# --- the summary -----------------------------------------------------------------------------------------------

KEYS = Verbatim("LogRBP.logmean LogRBP.n")


def summary(logmean: Expected, n: int, keys: Verbatim) -> Each:
    """Return what is right of a summary: its keys, the log mean, and how many values it is of."""
    return Each((keys, logmean, Exactly(Fraction(n))))


def log_mean(hits: Sequence[tuple[int, ...]], patience: str) -> Expected:
    """Return the logarithm of the mean RBP of lists with these hits; NaN if there is none."""
    if not hits:
        return NAN
    p = received(patience)
    return enclosed(log_rbp.ln_mean_rbp(hits, p), log_rbp_rounding.mean_bound(hits, p))


def collected(x: Lists, logmean: Expected, n: int) -> Each:
    """Return what is right of a summary, and of the value that is collected for each list."""
    values = [NAN if rank is None else logarithm((rank,) if rank else (), x.patience) for rank in x.ranks]
    return Each((*summary(logmean, n, KEYS).parts, Each(tuple(values))))


def _summary(x: Lists) -> Each:
    return collected(x, log_mean(x.hits, x.patience), len(x.hits))


def _mean_of_logs(x: Lists) -> Expected:
    values = [logarithm(hits, x.patience) for hits in x.hits]
    if not values or MINUS_INFINITY in values:
        return collected(x, MINUS_INFINITY if values else NAN, len(values))
    logs = [value for value in values if isinstance(value, Enclosed)]
    low, high = (
        sum(ends, start=Fraction(0)) / len(logs) for ends in zip(*((x.low, x.high) for x in logs), strict=True)
    )
    return collected(x, Enclosed(low, high, 8 * max(one.within for one in logs)), len(values))


def _without_zeros(x: Lists) -> Expected:
    hits = [found for found in x.hits if found]
    return collected(x, log_mean(hits, x.patience), len(hits))


def _undefined_in_n(x: Lists) -> Expected:
    return collected(x, log_mean(x.hits_or_none, x.patience) if x.hits else NAN, len(x.ranks))


def _undefined_as_zero(x: Lists) -> Expected:
    return collected(x, log_mean(x.hits_or_none, x.patience), len(x.ranks))


def _filled(x: Lists) -> Expected:
    """Return the summary, and lists of which an undefined one is filled with the default of ListMetric."""
    *parts, lists = _summary(x).parts
    assert isinstance(lists, Each)  # noqa: S101 - as `collected` makes it
    zero = Exactly(Fraction(0))
    return Each((*parts, Each(tuple(zero if value == NAN else value for value in lists.parts))))


def _summary_script(x: Lists) -> Script:
    found = "collector.summary_metrics()"
    lists = "collector.list_metrics()['LogRBP'].tolist()"
    returns = f"[' '.join(sorted({found})), {found}['LogRBP.logmean'], {found}['LogRBP.n'], {lists}]"
    return summary_script(x, _summary(x), COLLECT, returns, "LogRBP")


LOG_RBP_SUMMARY = Case(
    name="lenskit/log-rbp-summary",
    contract=Contract(
        says="the summary over lists has logmean, the logarithm of the mean of their RBPs, and n, and nothing "
        "else; a list of RBP 0 counts, one without test items does not; minus infinity if all RBPs are 0, NaN if "
        "there is none; the collected list metrics hold the value of each list",
        source=PAGE,
        upstream=UPSTREAM,
    ),
    input_type=Lists,
    call="log_rbp_summary",
    validate=validate_lists,
    expected=_summary,
    conventions={
        "mean of the logs": _mean_of_logs,
        "lists of RBP 0 left out": _without_zeros,
        "undefined lists counted in n": _undefined_in_n,
        "undefined lists counted as 0": _undefined_as_zero,
        "undefined lists filled with 0": _filled,
    },
    domains=(*shallow_collections(), deep_collection(), long_collections()),
    beyond=deep_collections(),
    describe=describe_lists,
    script=_summary_script,
    values="the keys of the summary, then logmean and n, then the value of each list",
)

# --- given measurements ----------------------------------------------------------------------------------------

ALPHABET = ("None", "nan", "-inf", "-1.8971199848858813", "-814.4917674737606", "-0.0", "1.0")
"""What a measurement can be, as Python shows it: missing, undefined, of RBP 0, usual, deep, of RBP 1, beyond."""


class Measurements(NamedTuple):
    """Measurements as a collector stores them: None, or a float as Python shows it."""

    measurements: tuple[str, ...]

    def retained(self) -> list[float]:
        """Return those that count."""
        values = [float(text) for text in self.measurements if text != "None"]
        return [value for value in values if value == value]  # noqa: PLR0124 - NaN is not equal to itself


STORE_KEYS = Verbatim("logmean n")


def _exactly(values: Sequence[float]) -> list[Fraction | None]:
    return [None if value == float("-inf") else Fraction(value) for value in values]


def _of_measurements(values: Sequence[float]) -> Expected:
    """Return the log mean of measurements; NaN if there is none."""
    if not values:
        return NAN
    exact = _exactly(values)
    return enclosed(log_rbp.ln_mean_exp(exact), log_rbp_rounding.mean_exp_bound(exact))


def _stored(x: Measurements) -> Expected:
    values = x.retained()
    return summary(_of_measurements(values), len(values), STORE_KEYS)


def _finite_only(x: Measurements) -> Expected:
    values = [value for value in x.retained() if value > float("-inf")]
    return summary(_of_measurements(values), len(values), STORE_KEYS)


def _describe_measurements(x: Measurements) -> str:
    return f"measurements {', '.join(x.measurements)}"


def _validate_measurements(x: Measurements) -> None:
    if any(math.isinf(number(text)) for text in x.measurements if text not in {"None", "nan", "-inf"}):
        raise ValueError("a measurement is None, nan, -inf or a number, in quotes")


MEASURED = '''\
MEASUREMENTS = [{measurements}]


def summarized(metric, values):
    """Return the summary of stored measurements, in whichever way this release has it."""
    if not hasattr(metric, "create_accumulator"):
        return metric.summarize(values)
    accumulator = metric.create_accumulator()
    for value in values:
        accumulator.add(value)
    return accumulator.accumulate()
'''


def _measurements_script(x: Measurements) -> Script:
    special = {"None": "None", "nan": "nan", "-inf": "-inf"}
    written = ", ".join(special.get(text, text) for text in x.measurements)
    found = "found = summarized(LogRBP(), MEASUREMENTS)"
    return scripts.call(
        _stored(x),
        setup=MEASURED.format(measurements=written),
        returns=f'{found}\n    return [" ".join(sorted(found)), found["logmean"], found["n"]]',
        needs=("LogRBP",),
        input=_describe_measurements(x),
    )


def all_measurements(length: int, *, thorough: bool) -> Domain[Measurements]:
    """Return every tuple of measurements up to a length, the empty one too; the size is the length."""
    return Domain(
        name="measurements",
        parameters={"up_to": length},
        inputs=mapped(Measurements, union(*(sized(power(choice(ALPHABET), n), n) for n in range(length + 1)))),
        counts=lambda: {n: len(ALPHABET) ** n for n in range(length + 1)},
        thorough=thorough,
    )


def many_measurements() -> Domain[Measurements]:
    """Return up to so many measurements, each of the alphabet in turn; the size is their number."""
    many = 2 * LONGER
    return Domain(
        name="many measurements",
        parameters={"up_to": many},
        inputs=union(
            *(
                sized(choice([Measurements(tuple(ALPHABET[k % len(ALPHABET)] for k in range(n)))]), n)
                for n in range(len(ALPHABET), many + 1)
            )
        ),
        counts=lambda: dict.fromkeys(range(len(ALPHABET), many + 1), 1),
    )


LOG_RBP_MEASUREMENTS = Case(
    name="lenskit/log-rbp-measurements",
    contract=Contract(
        says="the summary of stored measurements leaves out None and NaN and nothing else: minus infinity is retained; "
        "logmean = logsumexp of what is retained - ln n",
        source=PAGE,
        upstream=UPSTREAM,
    ),
    input_type=Measurements,
    call="log_rbp_measurements",
    validate=_validate_measurements,
    expected=_stored,
    conventions={"only finite measurements retained": _finite_only},
    domains=(all_measurements(3, thorough=False), all_measurements(4, thorough=True), many_measurements()),
    beyond=st.builds(
        Measurements,
        st.lists(st.sampled_from(["None", "nan", "-inf"]) | st.floats(-1e6, 0).map(repr), max_size=12).map(tuple),
    ),
    describe=_describe_measurements,
    script=_measurements_script,
    values="the keys of the summary, then logmean and n",
)

# --- the class -------------------------------------------------------------------------------------------------


class Arguments(NamedTuple):
    """The arguments of a call of LogRBP, as Python would write them."""

    arguments: str


SIGNATURE = "n=None, *, k=None, patience=0.85"


def _made(n: int | None, patience: str) -> Expected:
    given = Exactly(received(patience))
    label = "LogRBP" if n is None else f"LogRBP@{n}"
    texts = (label, "lenskit.metrics.ranking._logrbp", str(n), "GeometricRankWeight", SIGNATURE)
    return Each((*map(Verbatim, texts), given, given))


UNKNOWN = Refusal(("TypeError",))

LENGTHS = {"": None, "5": 5, "n=5": 5, "k=5": 5, "None": None, "n=None": None, "k=None": None, "n=None, k=5": 5}
PATIENCE = {"": USUAL, "patience=0.85": "0.85", "patience=0.5": "0.5", "patience=0.999": "0.999"}

REFUSED: Mapping[str, Expected] = {
    "patience=0.0": TOO_LOW,
    "patience=-1": TOO_LOW,
    "patience=False": TOO_LOW,
    "patience=1.0": TOO_HIGH,
    "patience=2": TOO_HIGH,
    "patience=True": TOO_HIGH,
    "patience=nan": OneOf((TOO_LOW, TOO_HIGH)),
    "patience=inf": TOO_HIGH,
    "patience=None": NO_NUMBER,
    "-1": NEGATIVE,
    "n=-1": NEGATIVE,
    "k=-1": NEGATIVE,
    "5, 0.5": UNKNOWN,
    "weight=GeometricRankWeight()": UNKNOWN,
    "weight=LogRankWeight()": UNKNOWN,
    "weight_field='weight'": UNKNOWN,
    "normalize=True": UNKNOWN,
    "base=2": UNKNOWN,
}


def accepted() -> dict[str, Expected]:
    """Return every way to pass a length and a patience, and what it makes."""
    return {
        ", ".join(filter(None, [length, patience])): _made(LENGTHS[length], PATIENCE[patience])
        for length, patience in every(LENGTHS, PATIENCE)
    }


CALLS: dict[str, Expected] = {**accepted(), **REFUSED, "n=5, k=3": Unspecified("nothing says which one counts")}


def _describe_arguments(x: Arguments) -> str:
    return f"LogRBP({x.arguments})"


def _arguments_script(x: Arguments) -> Script:
    return scripts.call(
        CALLS[x.arguments],
        setup="",
        returns=f"metric = LogRBP({x.arguments})\n    weight = type(metric.weight).__name__\n"
        "    parameters = inspect.signature(LogRBP).parameters.values()\n"
        "    bare = [p.replace(annotation=inspect.Parameter.empty) for p in parameters]\n"
        "    signature = str(inspect.Signature(bare))[1:-1]\n"
        "    return [metric.label, type(metric).__module__, str(metric.n), weight, signature, "
        "metric.weight.patience, metric.patience]",
        also=("import inspect",),
        needs=("LogRBP", "GeometricRankWeight", "LogRankWeight"),
        input=_describe_arguments(x),
    )


LOG_RBP_PARAMETERS = Case(
    name="lenskit/log-rbp-parameters",
    contract=Contract(
        says="LogRBP(n=None, *, k=None, patience=0.85) is the whole signature: rank weights of one's own and "
        "weight_field are not accepted; its module is lenskit.metrics.ranking._logrbp, its attributes weight, a "
        "GeometricRankWeight, and patience, which lies between 0 and 1 as that asks for",
        source=f"{PAGE}; the signature of GeometricRankWeight",
        upstream=UPSTREAM,
    ),
    input_type=Arguments,
    call="log_rbp_parameters",
    expected=lambda x: CALLS[x.arguments],
    domains=(
        Domain(
            name="calls",
            parameters={},
            inputs=mapped(Arguments, choice(CALLS)),
            counts=lambda: {0: len(LENGTHS) * len(PATIENCE) + len(REFUSED) + 1},
        ),
    ),
    describe=_describe_arguments,
    script=_arguments_script,
    values="label, module, n, the class of the weight, the signature, the weight's patience, and the metric's",
)

CASES = (
    LOG_RBP,
    LOG_RBP_CUTOFF,
    LOG_RBP_ORDER,
    LOG_RBP_RANKS,
    LOG_RBP_SUMMARY,
    LOG_RBP_MEASUREMENTS,
    LOG_RBP_PARAMETERS,
)
