"""The steps by which the documented score of one list is worked out by hand."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from cases.lenskit.lists import CutList
from harness.expected import shown_fraction

SHOWN = 6
"""How many terms of a sum are written out."""

NO_TEST_ITEMS = "there are no test items, so that the score is not defined: NaN"

REFUSED_OR_0 = (
    'RBP = 0; as the error for a negative n says that "n must be positive or None", a refusal (ValueError that '
    "mentions n must be positive) is right too: 0 or a refusal"
)


def patience(text: str) -> str:
    """Return the line that says what p is."""
    p = Fraction(text)
    return f"p = {text} = {p}" if p.denominator <= 1000 else f"p = {text}"


def powers(ranks: Iterable[int]) -> str:
    """Return the sum of p^(i-1) over these ranks; of a long one, the middle is left out."""
    terms = [f"p^{rank - 1}" for rank in ranks]
    return " + ".join(terms if len(terms) <= SHOWN else [*terms[:3], "...", terms[-1]])


def sum_of_powers(p: Fraction, ranks: Iterable[int]) -> Fraction:
    """Return the value of that sum."""
    return sum((p ** (rank - 1) for rank in ranks), start=Fraction(0))


def hits(p: Fraction, ranks: Sequence[int]) -> str:
    """Return the line that sums over the hits."""
    if not ranks:
        return "no item is a hit, so that the sum over the hits is 0"
    return f"sum of p^(i-1) over the ranks i of the hits: {powers(ranks)} = {shown_fraction(sum_of_powers(p, ranks))}"


def geometric(p: Fraction, ranks: Sequence[int]) -> list[str]:
    """Return the lines that come to RBP with the default weights."""
    total = sum_of_powers(p, ranks)
    value = shown_fraction((1 - p) * total)
    return [
        hits(p, ranks),
        f"RBP = (1 - p) * {shown_fraction(total)} = {shown_fraction(1 - p)} * {shown_fraction(total)} = {value}",
    ]


def kept(x: CutList) -> list[str]:
    """Return the line that says what a cutoff keeps of a list, if there is one."""
    if x.cutoff is None:
        return []
    items = f"{x.retrieved} item{'s' if x.retrieved != 1 else ''}"
    if x.cutoff >= x.retrieved:
        return [f"n = {x.cutoff} keeps the whole list, of {items}"]
    return [f"n = {x.cutoff} keeps {f'the first {x.cutoff}' if x.cutoff else 'none'} of {items}"]
