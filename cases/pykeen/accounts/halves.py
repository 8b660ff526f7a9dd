"""A weighted median worked out by hand: its first rank with half of the weight behind it, and its last."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from cases.pykeen.median import WRITTEN, exact
from harness.account import Table


class Halves(NamedTuple):
    """How much weight there is, and the ends of the weighted medians with the weight that each has on its side."""

    total: Fraction
    low: int
    up_to_low: Fraction
    high: int
    from_high: Fraction

    @property
    def midpoint(self) -> Fraction:
        """The mean of both ends."""
        return Fraction(self.low + self.high, 2)


def halves(ranks: Sequence[int], weights: Sequence[Fraction]) -> Halves:
    """Return the ends of the weighted medians; some weight is above 0."""
    total = sum(weights, start=Fraction(0))
    given = list(zip(ranks, weights, strict=True))
    up_to = {m: sum((w for r, w in given if r <= m), start=Fraction(0)) for m in ranks}
    onward = {m: sum((w for r, w in given if r >= m), start=Fraction(0)) for m in ranks}
    low = min(m for m in ranks if 2 * up_to[m] >= total)
    high = max(m for m in ranks if 2 * onward[m] >= total)
    return Halves(total, low, up_to[low], high, onward[high])


def steps(ranks: Sequence[int], weights: Sequence[Fraction]) -> tuple[Halves, list[str]]:
    """Return the ends of the weighted medians, and how they are found; equal weights are counted, not added."""
    alike = len(set(weights)) == 1
    found = halves(ranks, [Fraction(1)] * len(ranks) if alike else weights)
    if len(set(ranks)) == 1:
        return found, [f"Every rank is {found.low}, and so all of the weight lies there"]
    unit = " w" if alike else ""
    in_order = sorted(zip(ranks, weights, strict=True))
    if alike:
        listed = f"{', '.join(str(rank) for rank, _ in in_order)}, each of the same weight w"
        added = ""
    else:
        listed = ", ".join(f"{rank} (weight {weight})" for rank, weight in in_order)
        added = f"{' + '.join(str(weight) for _, weight in in_order)} = "
    half = found.total / 2
    return found, [
        f"The ranks in order: {listed}",
        f"The weights sum to {added}{found.total}{unit}, and half of it is {half}{unit}",
        f"{found.low} is the first rank up to which at least half of it lies: {found.up_to_low}{unit}",
        f"{found.high} is the last rank from which on at least half of it lies: {found.from_high}{unit}",
    ]


def midpoint_steps(ranks: Sequence[int], weights: Sequence[Fraction], why: str) -> tuple[Fraction, list[str]]:
    """Return the midpoint of the weighted medians, and the steps to it; ``why`` says why it is the midpoint."""
    found, lines = steps(ranks, weights)
    if found.low == found.high:
        return found.midpoint, [*lines, f"So the only weighted median is m = {found.low}"]
    return found.midpoint, [*lines, f"{why}: m = ({found.low} + {found.high})/2 = {found.midpoint}"]


def table(ranks: Sequence[int], weights: Sequence[str], dtype: str) -> Table:
    """Return the ranks in order, each with its weight and with the share of the weight up to it.

    A weight is shown as an array of this type holds it, and the share as it is, and as a running sum of floats that is
    divided by the whole.
    """
    in_order = sorted(zip(ranks, weights, strict=True), key=lambda pair: pair[0])
    exactly, summed = Fraction(0), 0.0
    sums = []
    for rank, weight in in_order:
        exactly += exact([weight])[0]
        summed += float(weight)
        sums.append((rank, weight, exactly, summed))
    return Table(
        heads=("rank", f"weight ({dtype})", "share of the weight up to it", "the same in float64"),
        rows=tuple(
            (
                str(rank),
                repr(WRITTEN[dtype](float(weight))),
                str(up_to / exactly) if exactly else "-",
                repr(added / summed) if summed else "-",
            )
            for rank, weight, up_to, added in sums
        ),
    )
