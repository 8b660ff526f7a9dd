"""The cutoff of a metric cannot be set by its old name."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from string import Template

from cases.lenskit.accounts import steps, tables
from cases.lenskit.accounts.regression import LICENCE, call_of_hits, of_hits, powers
from cases.lenskit.lists import USUAL, CutList
from cases.lenskit.rbp import CUTOFF_ATTRIBUTE
from harness.account import Account, Quotation, RegressionTest, Series
from harness.expected import shown_fraction

MODULE = "lenskit/metrics/ranking/_base.py"


def worked(x: CutList) -> list[str]:
    """Return how RBP comes about with the cutoff that was set."""
    if x.cutoff is not None and x.cutoff < 0:
        return [f"nothing says what a cutoff of {x.cutoff} does that is set afterwards: unspecified"]
    if not x.relevant:
        return [steps.NO_TEST_ITEMS]
    p, name = Fraction(x.patience), x.given.lstrip(".")
    says = "n is the maximum length of rankings to consider" + (", and k an alias of n" if name == "k" else "")
    keeps = f"metric.{name} = {x.cutoff}: {says}"
    if x.cutoff == 0:
        return [keeps, *steps.kept(x), steps.hits(p, ()), steps.REFUSED_OR_0]
    keeps += "; with None, the whole list counts" if x.cutoff is None else ""
    return [steps.patience(x.patience), keeps, *steps.kept(x), *steps.geometric(p, x.kept)]


SECOND = Template("""

def test_rbp_cutoff_set_as_${name}_truncates():
    recs = ItemList([1, 2], ordered=True)
    truth = ItemList([1, 2])
    metric = RBP(patience=0.5)
    metric.$name = 1
    # the first item alone
    assert call_metric(metric, recs, truth) == approx(0.5)
""")


def test(x: CutList) -> RegressionTest:
    """Return a test that a cutoff can be set, and another that it is then used, where the first sets none."""
    p, name = Fraction(x.patience), x.given.lstrip(".")
    value = shown_fraction((1 - p) * steps.sum_of_powers(p, x.kept)).replace("/", " / ")
    found = of_hits(
        f"test_rbp_cutoff_set_as_{name}",
        x.hits,
        x.retrieved,
        x.missed,
        f"metric = RBP(patience={x.patience})",
        f"metric.{name} = {x.cutoff}",
        f"assert metric.n {'is' if x.cutoff is None else '=='} {x.cutoff}",
        f"# with p = {x.patience}: (1 - p) * ({powers(x.kept)})",
        f"assert call_metric(metric, recs, truth) == approx({value})",
    )
    return found if x.cutoff is not None else replace(found, source=found.source + SECOND.substitute(name=name))


def call(x: CutList) -> Sequence[str]:
    """Return a call to copy: the cutoff is set, then the list is measured."""
    lines = (f"metric = RBP(patience={x.patience})", f"metric{x.given} = {x.cutoff}", "call_metric(metric, recs, test)")
    return call_of_hits(x.hits, x.retrieved, x.missed, *lines)


def two_hits(cutoff: int | None, given: str = ".k") -> CutList:
    """Return a list of two hits, and a cutoff that is set."""
    return CutList((1, 2), 2, 0, cutoff, given, USUAL)


def along(given: str) -> Series[CutList]:
    """Return the list with every cutoff that is set by this name."""
    return Series(
        title=f"hits at 1 and 2, metric{given} set; p = 0.85",
        along="cutoff",
        inputs=tuple((str(cutoff), two_hits(cutoff, given)) for cutoff in (None, 0, 1, 2, 3)),
        value="RBP",
    )


CUTOFF_ATTRIBUTE_ACCOUNT = Account(
    case=CUTOFF_ATTRIBUTE.name,
    cause="raises AttributeError",
    title="metric.k cannot be set: the setter of k is named set_k",
    says="setting the attribute k of a metric, the deprecated alias of n, sets the cutoff",
    fault="`metric.k = 3` raises an AttributeError, although the property `k`, the deprecated alias of `n`, has a "
    "setter: it is defined under the name `set_k`.",
    worked=worked,
    why="`k.setter` returns a new property with getter and setter, which is bound to the name of the function below "
    "it. That name is `set_k`, so `k` stays without a setter, and `metric.set_k = 3` sets the cutoff.",
    quotations=(
        Quotation(MODULE, "Deprecated alias for ``n``.", "`k` is documented as an alias, as an argument."),
        Quotation(MODULE, "@k.setter", "A setter is meant for the property `k` ..."),
        Quotation(MODULE, "def set_k(self, k, /):", "... and is bound to another name."),
    ),
    licence=LICENCE,
    affected="Code that sets `metric.k` on a metric that was made before, with RBP, NDCG and every other metric that "
    "extends `RankingMetricBase`. Up to 2025.4.0 `k` was a plain attribute, and that worked; the property came with "
    "2025.5.0, where `k` was renamed to `n`. 2025.8.1 and 2026.4.0 were run.",
    unaffected="A cutoff that is given to the constructor, as `n`, as `k` or as the first argument; and `metric.n = "
    "3`. Reading `metric.k` works.",
    workarounds=("Set `metric.n`, which is the name to use now.", "Make a new metric: `RBP(3)`."),
    defence="`k` is documented as a deprecated argument; that it can be set is promised nowhere, and is seen in the "
    "code alone. Who meets the error is told at once, and gets no wrong number.",
    mend="Name the setter `k`, as its property: one word. Or delete it, if the alias shall only be read; then the "
    "error says the same as today.",
    test=test,
    call=call,
    size="number of items in the list",
    table=tables.of_list_cut_afterwards,
    examples=(two_hits(1), two_hits(1, ".n"), two_hits(None)),
    series=(along(".k"), along(".n")),
)
