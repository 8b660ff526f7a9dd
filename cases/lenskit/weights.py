"""What lenskit promises of RBP with other weights, and of a patience that is none."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

from cases.lenskit import scripts
from cases.lenskit.lists import LONGEST, describe_hits, number, patterns, relevance, validate_hits
from cases.lenskit.rbp import DOCSTRING, binary
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, pairs, power, product, union
from harness.expected import Enclosed, Exactly, Expected, OneOf, Refusal, Unspecified
from reference import log_weights, rbp
from reference.rbp_rounding import log_weighted_bound, weighted_bound

# --- weights of one's own ----------------------------------------------------------------------------------------

SERIES_SUM = 8
GIVEN = ("weight", f"weight with series sum {SERIES_SUM}", "weight_field")


class Weighted(NamedTuple):
    """A list with a weight for each rank.

    Attributes
    ----------
    hits
        The ranks of the hits, from 1, ascending; where there is none, a test item is missed.
    weights
        The weight of each rank, and so the length of the list.
    given
        How the weights are given: ``weight``, ``weight with series sum 8`` or ``weight_field``.
    """

    hits: tuple[int, ...]
    weights: tuple[int, ...]
    given: str


def _validate_weighted(x: Weighted) -> None:
    validate_hits(x.hits, len(x.weights))
    if not x.weights or not 0 <= min(x.weights) <= max(x.weights) < 2**53 or x.given not in GIVEN:
        raise ValueError(f"weights are integers from 0 on and below 2^53, given as {', '.join(GIVEN)}")


def _normalisation(x: Weighted) -> int:
    return SERIES_SUM if x.given == GIVEN[1] else sum(x.weights)


def _weighted(x: Weighted) -> Expected:
    over = _normalisation(x)
    if not over:
        return Unspecified("the sum of the weights, which it is to be divided by, is 0")
    relevant = relevance(x.hits, len(x.weights))
    return Exactly(rbp.weighted(relevant, x.weights, over), weighted_bound(relevant, x.weights, over))


def _describe_weighted(x: Weighted) -> str:
    missed = 0 if x.hits else 1
    return (
        f"{describe_hits(x.hits, len(x.weights), missed)}, weights {', '.join(map(str, x.weights))} given as {x.given}"
    )


WEIGHTS_CLASS = '''

class Weights(RankWeight):
    """The weights of this script."""

    def weight(self, ranks):
        return np.array({weights})[np.asarray(ranks) - 1]

    def series_sum(self):
        return {total}


'''


def _weighted_script(x: Weighted) -> Script:
    weights = [float(weight) for weight in x.weights]
    length, field = len(weights), x.given == "weight_field"
    recs = f"ItemList({list(range(1, length + 1))}, ordered=True, attention={weights})" if field else ""
    test = scripts.relevant(x.hits, length, 0 if x.hits else 1)
    total = float(SERIES_SUM) if x.given == GIVEN[1] else None
    option = 'weight_field="attention"' if field else "weight=Weights()"
    own = "" if field else WEIGHTS_CLASS.format(weights=weights, total=total)
    hits = " + ".join(str(x.weights[rank - 1]) for rank in x.hits) or "0"
    return scripts.call(
        _weighted(x),
        setup=own + scripts.lists(recs or scripts.ranked(length), test),
        returns=f"return RBP({option}).measure_list(RECS, TEST)",
        words="the sum of the weights of the hits over the normalisation",
        formula=f"Fraction({hits}) / {_normalisation(x)}" if _normalisation(x) else "",
        needs=("RankWeight",),
        also=("import numpy as np",),
        input=_describe_weighted(x),
    )


def weighted_lists(length: int, top: int) -> Domain[Weighted]:
    """Return lists with every weight from 0 to ``top`` at each rank, and every pattern; the size is the length."""
    return Domain(
        name="weighted lists",
        parameters={"length": length, "weights": f"0 to {top}"},
        inputs=mapped(
            lambda x: Weighted(x[0][0], x[1], x[2]),
            union(
                *(product(patterns(n), power(choice(range(top + 1)), n), choice(GIVEN)) for n in range(1, length + 1))
            ),
        ),
        counts=lambda: {n: (2 * (top + 1)) ** n * len(GIVEN) for n in range(1, length + 1)},
    )


@st.composite
def long_weighted_lists(draw: st.DrawFn) -> Weighted:
    """Draw longer lists, with large weights."""
    weights = draw(st.lists(st.integers(0, 1000), min_size=1, max_size=40))
    hits = draw(st.sets(st.integers(1, len(weights))))
    return Weighted(tuple(sorted(hits)), tuple(weights), draw(st.sampled_from(GIVEN)))


WEIGHTS = Case(
    name="lenskit/rbp-weights",
    contract=Contract(
        says="with a rank weighting of one's own, RBP is the sum of the weights at the hits, divided by the sum of "
        "its infinite series, or by the sum of the discounts for the list where it has none; with weight_field, "
        "the weights are read from that field of the list",
        source=f"{DOCSTRING} (its second paragraph, and weight_field) and that of RankWeight.series_sum",
    ),
    input_type=Weighted,
    call="rbp_weights",
    validate=_validate_weighted,
    expected=_weighted,
    domains=(weighted_lists(3, 2),),
    beyond=long_weighted_lists(),
    describe=_describe_weighted,
    script=_weighted_script,
)

# --- logarithmic weights -----------------------------------------------------------------------------------------

BASES = ("2", "10", "0.5")
OFFSETS = (0, 1, 2)


class LogWeighted(NamedTuple):
    """A list, and the logarithmic weights of its ranks.

    Attributes
    ----------
    hits
        The ranks of the hits, from 1, ascending.
    retrieved
        How many items the list has.
    missed
        How many test items are not in the list.
    base
        The base of the logarithm, a number above 0 and not 1 in quotes.
    offset
        The offset of ``LogRankWeight``, from 0 on.
    """

    hits: tuple[int, ...]
    retrieved: int
    missed: int
    base: str
    offset: int


def _validate_log_weighted(x: LogWeighted) -> None:
    validate_hits(x.hits, x.retrieved, x.missed)
    is_base = 1e-300 < number(x.base) < 1e300 and float(x.base) != 1
    if not x.retrieved or not is_base or not 0 <= x.offset < LONGEST or not (x.hits or x.missed):
        raise ValueError(
            "a base lies between 1e-300 and 1e300, and is not 1; an offset is 0 or more, and below "
            f"{LONGEST:,}; a list and its test list hold an item"
        )


def _log_weighted(x: LogWeighted) -> Expected:
    relevant = relevance(x.hits, x.retrieved)
    if not x.hits:
        return Exactly(Fraction(0))
    found = log_weights.weighted_rbp(relevant, x.offset)
    return Enclosed(found.low, found.high, log_weighted_bound(relevant, x.offset))


def _describe_log_weighted(x: LogWeighted) -> str:
    return f"{describe_hits(x.hits, x.retrieved, x.missed)}, LogRankWeight(base={x.base}, offset={x.offset})"


def _log_weighted_script(x: LogWeighted) -> Script:
    recs, test = scripts.ranked(x.retrieved), scripts.relevant(x.hits, x.retrieved, x.missed)
    weight = f"LogRankWeight(base={x.base}, offset={x.offset})"
    return scripts.call(
        _log_weighted(x),
        setup=scripts.lists(recs, test),
        returns=f"return RBP(weight={weight}).measure_list(RECS, TEST)",
        needs=("LogRankWeight",),
        input=_describe_log_weighted(x),
    )


def log_weighted_lists(length: int) -> Domain[LogWeighted]:
    """Return every pattern with every base and offset; the size is the length."""
    return Domain(
        name="relevance patterns",
        parameters={"bases": ", ".join(BASES), "offsets": ", ".join(map(str, OFFSETS)), "up_to": length},
        inputs=mapped(
            lambda x: LogWeighted(*x[0], 0 if x[0][0] else 1, *x[1]),
            pairs(union(*map(patterns, range(1, length + 1))), pairs(choice(BASES), choice(OFFSETS))),
        ),
        counts=lambda: {n: 2**n * len(BASES) * len(OFFSETS) for n in range(1, length + 1)},
    )


LOG_WEIGHTS = Case(
    name="lenskit/rbp-log-weights",
    contract=Contract(
        says="with LogRankWeight, RBP is the sum of the weights 1 / log(rank) at the hits over their sum for the "
        "list; the first two ranks weigh the same, or, with an offset, it is added to the rank",
        source=f"{DOCSTRING} (its second paragraph) and that of LogRankWeight",
    ),
    input_type=LogWeighted,
    call="rbp_log_weights",
    validate=_validate_log_weighted,
    expected=_log_weighted,
    domains=(log_weighted_lists(6),),
    describe=_describe_log_weighted,
    script=_log_weighted_script,
)

# --- patience ----------------------------------------------------------------------------------------------------


class Patience(NamedTuple):
    """What is given as a patience.

    Attributes
    ----------
    patience
        As Python would write it, in quotes.
    given
        To what: ``RBP`` or ``GeometricRankWeight``.
    """

    patience: str
    given: str


GIVEN_TO = ("RBP", "GeometricRankWeight")

TOO_LOW = Refusal(("ValidationError",), mentions="greater than 0")
TOO_HIGH = Refusal(("ValidationError",), mentions="less than 1")
NO_NUMBER = Refusal(("ValidationError",), mentions="valid number")
LAX = Unspecified("nothing says whether a text that holds a number is taken for it")

REFUSED: Mapping[str, Expected] = {
    **dict.fromkeys(("0", "0.0", "-0.0", "-0.5", "-1", "-inf", "False"), TOO_LOW),
    **dict.fromkeys(("1", "1.0", "1.0000000000000002", "2", "1e308", "inf", "True"), TOO_HIGH),
    **dict.fromkeys(("None", "[0.5]", "'half'", "(0.5, 0.5)", "{}"), NO_NUMBER),
    "nan": OneOf((TOO_LOW, TOO_HIGH)),
    "'0.5'": LAX,
}
"""What is no patience, and what its refusal says."""

ACCEPTED = ("0.85", "0.5", "5e-324", "2.2250738585072014e-308", "1e-10", "0.1", "0.9999999999999999")
"""The default first; the others reach to the ends of what a float can hold between 0 and 1."""


def _patience(x: Patience) -> Expected:
    return REFUSED.get(x.patience) or binary((1,), x.patience)


def _describe_patience(x: Patience) -> str:
    return f"{x.given}({x.patience}), a hit at 1"


def _patience_script(x: Patience) -> Script:
    value = f"float({x.patience!r})" if x.patience in {"nan", "inf", "-inf"} else x.patience
    metric = f"RBP(patience={value})" if x.given == "RBP" else f"RBP(weight=GeometricRankWeight({value}))"
    return scripts.call(
        _patience(x),
        setup=scripts.lists("ItemList([1], ordered=True)", "ItemList([1])"),
        returns=f"return {metric}.measure_list(RECS, TEST)",
        needs=("GeometricRankWeight",),
        input=_describe_patience(x),
    )


def spelled_patiences() -> Domain[Patience]:
    """Return everything listed; size 0."""
    spelled = (*ACCEPTED, *REFUSED)
    return Domain(
        name="patiences",
        parameters={},
        inputs=mapped(lambda x: Patience(*x), pairs(choice(spelled), choice(GIVEN_TO))),
        counts=lambda: {0: (len(ACCEPTED) + len(REFUSED)) * len(GIVEN_TO)},
    )


PATIENCE = Case(
    name="lenskit/rbp-patience",
    contract=Contract(
        says="a patience is a float above 0 and below 1; what is not is refused, and the error says which end it "
        "misses",
        source="the signature of GeometricRankWeight (patience: Annotated[float, Gt(0.0), Lt(1.0)], which is "
        f"validated), that {DOCSTRING} names for the default weighting",
    ),
    input_type=Patience,
    call="rbp_patience",
    expected=_patience,
    domains=(spelled_patiences(),),
    describe=_describe_patience,
    script=_patience_script,
)
