"""What lenskit promises of Rank-Biased Precision for one list, and of its cutoff and its normalisation."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

from cases.lenskit import scripts
from cases.lenskit.lists import (
    GIVEN,
    PATIENCES,
    USUAL,
    CutList,
    HitList,
    Shape,
    all_patterns,
    cutoffs,
    deep_lists,
    describe_cut_list,
    describe_hit_list,
    describe_hits,
    patiences,
    relevance,
    single_hits,
    validate_cut_list,
    validate_exact,
    validate_hit_list,
)
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, pairs, resized, union
from harness.expected import Exactly, Expected, OneOf, Refusal, Special, Unspecified
from reference import rbp
from reference.rbp_rounding import bound, normalised_bound

DOCSTRING = "the docstring of lenskit.metrics.ranking.RBP"
NAN = Special("nan")

DEEP = 1200
"""How deep a list is that is hunted with: RBP underflows on the way for p up to .5. Exact powers grow with it."""


def binary(hits: Sequence[int], patience: str) -> Exactly:
    """Return the RBP of a list with these hits, as documented."""
    relevant, p = relevance(hits), rbp.received(patience)
    return Exactly(rbp.binary(relevant, p), bound(relevant, p), rbp.binary(relevant, Fraction(patience)))


def _expected(x: HitList) -> Expected:
    return binary(x.hits, x.patience) if x.relevant else NAN


def _validate_shallow(x: HitList) -> None:
    validate_hit_list(x)
    validate_exact(x.hits)


def _script(x: HitList) -> Script:
    recs, test = scripts.ranked(x.retrieved), scripts.relevant(x.hits, x.retrieved, x.missed)
    return scripts.call(
        _expected(x),
        setup=scripts.lists(recs, test),
        returns=f"return RBP(patience={x.patience}).measure_list(RECS, TEST)",
        words="RBP = (1 - p) * sum of p^(i-1) over the ranks i of the hits",
        formula=scripts.geometric(x.hits) if x.relevant else "",
        p=x.patience,
        input=describe_hit_list(x),
    )


RBP = Case(
    name="lenskit/rbp",
    contract=Contract(
        says="RBP = (1 - p) * sum of r_i * p^(i-1) over the ranks i = 1, 2, ... of the list, where r_i is 1 for a test "
        "item and 0 for another",
        source=f"{DOCSTRING}; the rank begins with 1 and its discount is p^(k-1) in that of GeometricRankWeight; "
        "Moffat & Zobel 2008, doi:10.1145/1416950.1416952",
        upstream="the formula in RBP's docstring has p^i and does not say where i begins; with the other docstring, "
        "upstream's tests and the paper it begins with 0",
    ),
    input_type=HitList,
    call="rbp",
    validate=_validate_shallow,
    expected=_expected,
    conventions={
        "exponent i for rank i": lambda x: binary([rank + 1 for rank in x.hits], x.patience),
    },
    domains=(*(all_patterns(p) for p in PATIENCES), single_hits(400)),
    beyond=deep_lists(DEEP, patiences(0.1, 1 - 2**-20)),
    describe=describe_hit_list,
    script=_script,
)

# --- cutoff ------------------------------------------------------------------------------------------------------

NEGATIVE = Refusal(("ValueError",), mentions="n must be positive")

NEGATIVE_K = Refusal(("ValueError",), mentions="k must be positive")
"""Right too where the cutoff is not called n: until 2025.4.0 the argument was k, and the first one."""


def refusals_of(x: CutList) -> tuple[Refusal, ...]:
    """Return the refusals that a negative cutoff may meet, by the name of the argument."""
    return (NEGATIVE, NEGATIVE_K) if x.given in {"k", "position"} else (NEGATIVE,)


def cut(x: CutList, value: Callable[[], Expected], zero: Expected) -> Expected:
    """Return what is right with a cutoff: the value, but for cutoffs below 1 and without test items."""
    due = refusals_of(x)
    if x.cutoff is not None and x.cutoff < 0:
        return due[0] if len(due) == 1 else OneOf(due)
    if x.cutoff == 0 and x.relevant:
        return OneOf((zero, *due))
    return value() if x.relevant else NAN


def _cut(x: CutList) -> Expected:
    return cut(x, lambda: binary(x.kept, x.patience), Exactly(Fraction(0)))


def _options(x: CutList, options: str) -> str:
    patience = "" if x.patience == USUAL else f"patience={x.patience}"
    return ", ".join(filter(None, [options, patience]))


def cut_script(
    x: CutList, expected: Expected, *, metric: str = "RBP", options: str = "", words: str = "", formula: str = ""
) -> Script:
    """Return a script that measures one list with a cutoff; its words and formula as in `scripts.call`."""
    recs, test = scripts.ranked(x.retrieved), scripts.relevant(x.hits, x.retrieved, x.missed)
    if x.given.startswith("."):
        make = f"metric = {metric}({_options(x, options)})\n    metric{x.given} = {x.cutoff}"
    else:
        cutoff = f"{x.cutoff}" if x.given == "position" else f"{x.given}={x.cutoff}"
        cutoff = "" if x.cutoff is None and x.given == "n" else cutoff
        make = f"metric = {metric}({', '.join(filter(None, [cutoff, _options(x, options)]))})"
    return scripts.call(
        expected,
        setup=scripts.lists(recs, test),
        returns=f"{make}\n    return metric.measure_list(RECS, TEST)",
        words=words or "RBP = (1 - p) * sum of p^(i-1) over the ranks i of the hits down to the cutoff",
        formula=formula if isinstance(expected, Exactly) else "",
        p=x.patience,
        needs=(metric,),
        input=describe_cut_list(x),
    )


CUTS = Shape(range(5), 1, (None, *range(-1, 6)))

CUTOFF = Case(
    name="lenskit/rbp-cutoff",
    contract=Contract(
        says="a list longer than n is truncated to its first n items before RBP is measured; k is a deprecated alias "
        "of n; a negative n is refused",
        source="the docstrings of RBP and of RankingMetricBase (n: rankings longer than this will be truncated; k: "
        "deprecated alias for n), and the error that a negative n meets",
        upstream="an n of 0 is accepted, and no item is left; the error for a negative n says that n must be "
        "positive, so that a refusal is right too. Until 2025.4.0 the argument was k, and so the error says",
    ),
    input_type=CutList,
    call="rbp_cutoff",
    validate=validate_cut_list,
    expected=_cut,
    conventions={"the whole list": lambda x: binary(x.hits, x.patience)},
    domains=(cutoffs("cutoffs", GIVEN, CUTS),),
    describe=describe_cut_list,
    script=lambda x: cut_script(x, _cut(x), formula=scripts.geometric(x.kept)),
)

ATTRIBUTES = (".n", ".k")


def _cut_afterwards(x: CutList) -> Expected:
    if x.cutoff is not None and x.cutoff < 0:
        return Unspecified("nothing says what a negative cutoff does that is set afterwards")
    return _cut(x)


CUTOFF_ATTRIBUTE = Case(
    name="lenskit/rbp-cutoff-attribute",
    contract=Contract(
        says="setting the attribute n of a metric, or its deprecated alias k, sets the cutoff",
        source="the docstring of RankingMetricBase (n: the maximum length of rankings to consider; k: deprecated alias "
        "for n)",
        unpromised="k is documented as an argument; that it can be set is seen in the code alone, where the property k "
        "has a setter, under the name set_k",
    ),
    input_type=CutList,
    call="rbp_cutoff",
    expected=_cut_afterwards,
    domains=(cutoffs("attributes", ATTRIBUTES, Shape(range(1, 3), 0, (None, *range(-1, 4)))),),
    describe=describe_cut_list,
    script=lambda x: cut_script(x, _cut_afterwards(x), formula=scripts.geometric(x.kept)),
)

# --- normalisation -----------------------------------------------------------------------------------------------


def _normalized(x: CutList, ideal: int) -> Exactly:
    """Return RBP over the RBP of a list whose first ``ideal`` items are hits."""
    relevant, p = relevance(x.kept), rbp.received(x.patience)
    return Exactly(
        rbp.normalised(relevant, p, ideal),
        normalised_bound(relevant, p, ideal),
        rbp.normalised(relevant, Fraction(x.patience), ideal),
    )


def _achievable(x: CutList) -> int:
    return x.relevant if not x.cutoff else min(x.relevant, x.cutoff)


def _by_test_items(x: CutList) -> Expected:
    return cut(x, lambda: _normalized(x, _achievable(x)), Exactly(Fraction(0)))


def _by_retrieved(x: CutList) -> Expected:
    if not x.relevant or not x.retrieved or (x.cutoff is not None and x.cutoff < 1):
        return _by_test_items(x)  # nothing is retrieved, or left of it: there is no other reading
    length = x.retrieved if x.cutoff is None else min(x.retrieved, x.cutoff)
    return _normalized(x, min(x.relevant, length))


def _normalize_script(x: CutList) -> Script:
    ideal = " + ".join(f"p**{i}" for i in range(_achievable(x)))
    hits = " + ".join(f"p**{rank - 1}" for rank in x.kept) or "0"
    return cut_script(
        x,
        _by_test_items(x),
        options="normalize=True",
        words="the sum of p^(i-1) over the ranks i of the hits, over that of a list that begins with the test items",
        formula=scripts.over(hits, ideal),
    )


SHORTER = Shape(range(1, 5), 3, (None, -1, *range(1, 6)))

NORMALIZE = Case(
    name="lenskit/rbp-normalize",
    contract=Contract(
        says="with normalize=True, RBP is divided by the maximum achievable with the provided test data, as nDCG "
        "is: by the RBP of a list that begins with all test items, or with n of them where a cutoff n is less",
        source=f"{DOCSTRING} (normalize); lenskit's NDCG takes the minimum of the number of test items and n",
        upstream="the code takes the length of the retrieved list where that is less than the number of test "
        "items. The docstring calls the normalisation experimental, and warns of using it for published results; "
        "in lenskit/lkpy#1032 (2026-03-13) the maintainer thinks that it should rather be removed",
    ),
    input_type=CutList,
    call="rbp_normalize",
    validate=validate_cut_list,
    expected=_by_test_items,
    conventions={"no longer than the retrieved list": _by_retrieved},
    domains=(
        *(cutoffs("normalized", ("n",), SHORTER, patience) for patience in (USUAL, "0.5", "0.95")),
        cutoffs("nothing retrieved", ("n",), Shape(range(1), 3, (None, 1, 2))),
        cutoffs("nothing kept", ("n",), Shape(range(3), 3, (0,))),
    ),
    beyond=st.builds(
        lambda x, cutoff: CutList(x.hits, x.retrieved, x.missed, cutoff, "n", x.patience),
        deep_lists(60, patiences(0.1, 0.99)),
        st.none() | st.integers(1, 80),
    ),
    describe=describe_cut_list,
    script=_normalize_script,
)

# --- empty lists -------------------------------------------------------------------------------------------------

OPTIONS = {
    "": "",
    "n = 1": "n=1",
    "n = 0": "n=0",
    "normalize": "normalize=True",
    "LogRankWeight": "weight=LogRankWeight()",
    "weight_field": 'weight_field="weight"',
}


class Empty(NamedTuple):
    """A list of none or one item, and none or one test item: the same one, if there are both.

    Attributes
    ----------
    retrieved
        How many items the list has: 0 or 1.
    relevant
        How many test items there are: 0 or 1.
    ordered
        Whether the list is said to be ordered.
    options
        What RBP is made with: nothing if it is empty, ``n = 1``, ``n = 0``, ``normalize``, ``LogRankWeight`` or
        ``weight_field``.
    """

    retrieved: int
    relevant: int
    ordered: bool
    options: str


ONE_ITEM: Mapping[str, Expected] = {
    "": binary((1,), USUAL),
    "n = 1": binary((1,), USUAL),
    "n = 0": OneOf((Exactly(Fraction(0)), NEGATIVE)),
}
"""The score of a list of one item that is a hit; 1 with an option that is not listed."""


def _empty(x: Empty) -> Expected:
    if not x.ordered:
        return Unspecified("lists have to be ordered; nothing says whether an empty one has to be called so")
    if not x.relevant:
        return NAN
    if x.retrieved:
        return ONE_ITEM.get(x.options, Exactly(Fraction(1)))
    if x.options in {"LogRankWeight", "weight_field"}:
        return Unspecified("it is to be divided by the sum of the weights of the list, which is 0 for an empty one")
    return OneOf((Exactly(Fraction(0)), NEGATIVE)) if x.options == "n = 0" else Exactly(Fraction(0))


def _describe_empty(x: Empty) -> str:
    hits = (1,) if x.retrieved and x.relevant else ()
    order = "" if x.ordered else ", not ordered"
    with_options = f", {x.options}" if x.options else ""
    return f"{describe_hits(hits, x.retrieved, x.relevant - len(hits))}{order}{with_options}"


def _empty_script(x: Empty) -> Script:
    items = [1] * x.retrieved
    arguments = [str(items), *(["ordered=True"] if x.ordered else [])]
    arguments += [f"weight={[1.0] * x.retrieved}"] if x.options == "weight_field" else []
    return scripts.call(
        _empty(x),
        setup=scripts.lists(f"ItemList({', '.join(arguments)})", f"ItemList({[1] * x.relevant})"),
        returns=f"return RBP({OPTIONS[x.options]}).measure_list(RECS, TEST)",
        needs=("LogRankWeight",),
        input=_describe_empty(x),
    )


def empties() -> Domain[Empty]:
    """Return lists and test lists of none or one item, with every option; the size is the number of items."""
    number = union(*(resized(choice([k]), lambda _, k=k: k) for k in (0, 1)))  # type: ignore[misc]
    lists = pairs(pairs(number, number), choice([True]))
    unordered = pairs(pairs(choice([0]), number), choice([False]))
    return Domain(
        name="empty lists",
        parameters={},
        inputs=mapped(
            lambda x: Empty(*x[0][0], x[0][1], x[1]),
            pairs(union(lists, unordered), choice(OPTIONS)),
        ),
        counts=lambda: {0: 2 * len(OPTIONS), 1: 3 * len(OPTIONS), 2: len(OPTIONS)},
    )


EMPTY = Case(
    name="lenskit/rbp-empty",
    contract=Contract(
        says="RBP is a sum over the test items that a list retrieves, divided by a maximum that depends on the weights "
        "or, with normalize=True, on the test data, and is above 0 where there are test items; from which it follows "
        "that a list that retrieves nothing scores 0, with any cutoff and normalised too. Without test items the "
        "normalised score is not defined, and is NaN",
        source=f"{DOCSTRING}, no sentence of which is about empty lists; upstream's test_rbp_empty (0); the "
        "documentation of the proposed LogRBP (lenskit/lkpy#1159), which says of RBP that it is 0 then",
    ),
    input_type=Empty,
    call="rbp_empty",
    expected=_empty,
    domains=(empties(),),
    describe=_describe_empty,
    script=_empty_script,
)
