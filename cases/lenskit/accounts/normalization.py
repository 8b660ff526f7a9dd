"""Normalised RBP is over the best list as long as the retrieved one, not over what the test items allow."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from cases.lenskit.accounts import steps, tables
from cases.lenskit.accounts.regression import LICENCE, arguments, call_of_hits, of_one_list, powers
from cases.lenskit.lists import USUAL, CutList
from cases.lenskit.rbp import NORMALIZE
from cases.lenskit.scripts import ranked, relevant
from harness.account import Account, Quotation, RegressionTest, Series
from harness.expected import shown_fraction

PATCHES = Path(__file__).parents[1] / "patches"

MODULE = "lenskit/metrics/ranking/_rbp.py"

PROMISED = Quotation(
    MODULE,
    "metric will be normalized by the maximum achievable with the provided test",
    "The maximum depends on the test data; the length of the retrieved list is not mentioned.",
)
LIKE_NDCG = Quotation(
    MODULE, "score by the maximum achievable with the test data (as in nDCG).", "The same for the argument `normalize`."
)
SHORTENED = Quotation(
    MODULE,
    "normalization = np.sum(weights[: min(nrel, k)]).item()",
    "The maximum is the sum of no more weights than the list has items: `nrel` is the number of test items.",
)
EXPERIMENTAL = Quotation(
    MODULE,
    "The additional normalization is experimental, and should not yet be used",
    "The docstring warns of using it for published results.",
)

DEFENCE = (
    "The docstring calls the normalisation experimental and warns of using it for published results. It may go "
    "altogether: in the review of [lenskit/lkpy#1032](https://github.com/lenskit/lkpy/pull/1032) (2026-03-13) the "
    "maintainer writes that removing it is probably a good idea, in a change of its own."
)


def achievable(x: CutList) -> int:
    """Return how many hits the best list has."""
    return min(x.relevant, x.cutoff) if x.cutoff else x.relevant


def worked(x: CutList) -> list[str]:
    """Return how normalised RBP comes about."""
    if x.cutoff is not None and x.cutoff < 0:
        return [f'n = {x.cutoff} is negative: by "n must be positive or None", a refusal (ValueError) is due']
    if not x.relevant:
        return [steps.NO_TEST_ITEMS]
    p = Fraction(x.patience)
    if x.cutoff == 0:
        return [*steps.kept(x), steps.hits(p, ()), steps.REFUSED_OR_0]
    ideal, total = range(1, achievable(x) + 1), steps.sum_of_powers(p, x.kept)
    best = steps.sum_of_powers(p, ideal)
    limit = f", of which n = {x.cutoff} allows {len(ideal)}" if x.cutoff else ""
    count = "there is 1 test item" if x.relevant == 1 else f"there are {x.relevant} test items"
    return [
        steps.patience(x.patience),
        *steps.kept(x),
        steps.hits(p, x.kept),
        (
            f"{count}{limit}, so that the best list begins with {len(ideal)} hit{'s' if len(ideal) > 1 else ''}: "
            f"{steps.powers(ideal)} = {shown_fraction(best)}"
        ),
        (
            f"normalised RBP = (1 - p) * {shown_fraction(total)} / ((1 - p) * {shown_fraction(best)}) = "
            f"{shown_fraction(total / best)}"
        ),
    ]


def checks(x: CutList) -> list[str]:
    """Return what a test asserts of one list."""
    p = Fraction(x.patience)
    ideal = range(1, achievable(x) + 1)
    value = shown_fraction(steps.sum_of_powers(p, x.kept) / steps.sum_of_powers(p, ideal)).replace("/", " / ")
    return [
        f"# with p = {x.patience}: ({powers(x.kept)}) / ({powers(ideal)}),",
        "# since the best list begins with as many test items as there are, or as the cutoff allows",
        f"score = call_metric(RBP, recs, truth{arguments(x.cutoff, x.patience, 'normalize=True')})",
        f"assert score == approx({value})",
    ]


def test(x: CutList) -> RegressionTest:
    """Return a test that a list is measured against the best list of its test items: one item alone, and three."""
    more = CutList((2, 3), 3, 3, 10, "n", USUAL)
    given = [
        (ranked(one.retrieved), relevant(one.hits, one.retrieved, one.missed), checks(one))
        for one in ([x, more] if x.retrieved == 1 else [x])
    ]
    (recs, truth, first), *others = given
    second = [line for recs, truth, lines in others for line in ("", f"recs = {recs}", f"truth = {truth}", *lines)]
    return of_one_list("test_rbp_norm_by_test_items", recs, truth, *first, *second)


def call(x: CutList) -> Sequence[str]:
    """Return a call to copy."""
    measured = f"call_metric(RBP, recs, test{arguments(x.cutoff, x.patience, 'normalize=True')})"
    return call_of_hits(x.hits, x.retrieved, x.missed, measured)


def hit_of(relevant: int, patience: str = USUAL) -> CutList:
    """Return a list of one item, a hit, of so many test items."""
    return CutList((1,), 1, relevant - 1, None, "n", patience)


def all_hits(retrieved: int, relevant: int) -> CutList:
    """Return a list of so many items, each a hit, of so many test items."""
    return CutList(tuple(range(1, retrieved + 1)), retrieved, relevant - retrieved, None, "n", USUAL)


NORMALIZE_ACCOUNT = Account(
    case=NORMALIZE.name,
    cause="no longer than the retrieved list",
    title="RBP(normalize=True) divides by the best list as short as the retrieved one",
    fault="With `normalize=True`, RBP is divided by the best score of a list as short as the retrieved one, where "
    "the docstring says the maximum achievable with the test data: one item that is a hit scores 1, however many "
    "test items there are.",
    worked=worked,
    why="`measure_list` has weights for the ranks of the retrieved list alone. It takes the sum of the first "
    "`min(nrel, k)` of them for the maximum, where `k` is the length of that list after the cutoff; so a list with "
    "fewer items than there are test items is compared with the best list of its own length. NDCG, which the "
    "docstring names as the model, takes the number of test items, or n where that is less.",
    quotations=(
        PROMISED,
        LIKE_NDCG,
        Quotation(MODULE, "k = len(recs)", "`k` is the length of the retrieved list, not the cutoff."),
        SHORTENED,
        Quotation(
            "lenskit/metrics/ranking/_dcg.py",
            "if self.n and self.n < n:",
            "NDCG begins with the number of test items, and goes down to the cutoff only.",
        ),
        EXPERIMENTAL,
    ),
    licence=LICENCE,
    affected="`RBP(normalize=True)`, on lists with a hit that have fewer items than there are test items, and fewer "
    "than the cutoff, if any. A recommender that returns less than it was asked for scores higher for it. The "
    "maximum has been taken so in the releases from 2025.1.1 on, in 2026.4.0 and on upstream's main of August 2026 "
    "too.",
    unaffected="RBP without `normalize`, which is the default; with it, lists of at least as many items as there are "
    "test items, or as the cutoff allows.",
    workarounds=(
        "Leave `normalize` off, as the docstring advises for published results.",
        (
            "Divide by hand: with the default weights, the best RBP with m test items is `1 - p**m`. So "
            "`call_metric(RBP, recs, test, patience=p) / (1 - p**len(test))` is the documented value, with `min(n, "
            "len(test))` as the exponent where there is a cutoff n."
        ),
    ),
    defence=f"{DEFENCE} And to divide by the best list of the same length is a sensible question too: how good is "
    "the order of what was retrieved. Upstream's tests of `normalize` retrieve all test items, or as many as the "
    "cutoff allows, where both readings give 1.",
    mend="Sum the weights of the ranks 1 to m, where m is the number of test items, or n where that is less, as NDCG "
    "does, whatever the length of the list. An empty list gets its 0 by that as well. Should the normalisation be "
    "removed, this is settled with it.",
    reword='The docstring would say: "normalized by the maximum achievable, with the provided test data, by a list '
    'of the same length", without "like NDCG". A list of one hit then scores 1 by definition, and an empty list, for '
    "which that maximum is 0, needs a sentence of its own.",
    rewording=PATCHES / "documented-by-length.patch",
    test=test,
    call=call,
    size="number of items in the list",
    table=tables.of_cut_list,
    examples=(
        hit_of(3, "0.5"),
        hit_of(5),
        CutList((1,), 1, 4, 2, "n", USUAL),
        CutList((2, 3), 3, 3, 10, "n", USUAL),
        all_hits(5, 10),
    ),
    series=(
        Series(
            title="a list of one item, a hit; p = 0.85, no cutoff",
            along="number of test items",
            inputs=tuple((str(relevant), hit_of(relevant)) for relevant in range(1, 11)),
            value="normalised RBP",
        ),
        Series(
            title="10 test items, every item of the list a hit; p = 0.85, no cutoff",
            along="length of the list",
            inputs=tuple((str(retrieved), all_hits(retrieved, 10)) for retrieved in range(1, 11)),
            value="normalised RBP",
        ),
        Series(
            title="a list of one item, a hit; 5 test items, no cutoff",
            along="patience",
            inputs=tuple((p, hit_of(5, p)) for p in ("0.1", "0.3", "0.5", "0.7", "0.8", "0.85", "0.9", "0.95")),
            value="normalised RBP",
        ),
    ),
    span=(Fraction(0), Fraction(1)),
)
