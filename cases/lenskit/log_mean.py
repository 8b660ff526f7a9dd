"""What the documentation of the proposed LogRBP promises of several lists: the logarithm of the mean of their RBPs."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

from cases.lenskit import scripts
from cases.lenskit.lists import (
    LONGER,
    Lists,
    deep_collection,
    deep_collections,
    describe_lists,
    long_collections,
    number,
    shallow_collections,
    validate_lists,
)
from cases.lenskit.log_rbp import MINUS_INFINITY, PAGE, UPSTREAM, enclosed, logarithm
from cases.lenskit.rbp import NAN
from cases.lenskit.summaries import COLLECT, summary_script
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, power, sized, union
from harness.expected import Each, Enclosed, Exactly, Expected, Verbatim
from reference import log_rbp, log_rbp_rounding
from reference.rbp import received

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
    """Measurements of lists, as a collector stores them.

    Attributes
    ----------
    measurements
        Each None, nan, -inf or a number, in quotes.
    """

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
