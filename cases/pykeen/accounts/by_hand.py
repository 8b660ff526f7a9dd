"""Closed forms worked out by hand: moments of one rank, of their weighted mean, and of what is derived from it."""

from fractions import Fraction
from typing import NamedTuple

from cases.pykeen.closed_forms import BASE_OF, NORMALIZED, REINDEXED, Z_SCORED, ClosedForm


class Moments(NamedTuple):
    """Expectation and variance."""

    expectation: Fraction
    variance: Fraction


def _of_rank(metric: str, n: int) -> tuple[Moments, list[str]]:
    """Return the moments of what a metric averages, for one rank that is uniform on 1 to n, and the steps to them."""
    if metric == "ArithmeticMeanRank":
        found = Moments(Fraction(n + 1, 2), Fraction(n**2 - 1, 12))
        return found, [
            f"The expectation of a rank that is uniform on 1 to {n}: ({n} + 1) / 2 = {found.expectation}",
            f"Its variance: ({n}^2 - 1) / 12 = {found.variance}",
        ]
    _, _, k = metric.partition("@")
    what = f"1 if r <= {k}, else 0," if k else "1/r"
    values = [Fraction(r <= int(k)) if k else Fraction(1, r) for r in range(1, n + 1)]
    mean = sum(values, start=Fraction(0)) / n
    found = Moments(mean, sum((value**2 for value in values), start=Fraction(0)) / n - mean**2)
    return found, [
        f"The expectation of {what} for a rank r that is uniform on 1 to {n}: {mean}",
        f"Its variance: {found.variance}",
    ]


def _of_mean(x: ClosedForm) -> tuple[Moments, list[str]]:
    """Return the moments of a weighted mean over independent ranks, and the steps to them."""
    ranks = [_of_rank(BASE_OF[x.metric], n) for n in x.candidates]
    lines = [line for n in dict.fromkeys(x.candidates) for line in _of_rank(BASE_OF[x.metric], n)[1]]
    if len(ranks) == 1:
        return ranks[0][0], lines
    weights = [Fraction(1)] * len(ranks) if x.weights is None else [Fraction(weight) for weight in x.weights]
    whole = sum(weights, start=Fraction(0))
    pairs = [(weight, found) for weight, (found, _) in zip(weights, ranks, strict=True)]
    mean = sum((w * found.expectation for w, found in pairs), start=Fraction(0)) / whole
    variance = sum((w**2 * found.variance for w, found in pairs), start=Fraction(0)) / whole**2
    return Moments(mean, variance), [
        *lines,
        f"E = ({' + '.join(f'{w} * {found.expectation}' for w, found in pairs)}) / {whole} = {mean}",
        f"V = ({' + '.join(f'{w}^2 * {found.variance}' for w, found in pairs)}) / {whole}^2 = {variance}",
    ]


def _derived(x: ClosedForm, base: Moments) -> tuple[Moments | None, list[str]]:
    """Return the moments of the metric that is derived from another one; none where it is divided by 0."""
    if x.metric in NORMALIZED:
        variance = base.variance / base.expectation**2
        return Moments(Fraction(1), variance), [f"Divided by its expectation: E = 1, V / E^2 = {variance}"]
    if x.metric in REINDEXED:
        room = 1 - base.expectation
        if not room:
            return None, ["Its expectation is the optimum, 1, and the distance between them is a divisor"]
        variance = base.variance / room**2
        return Moments(Fraction(0), variance), [f"Moved to 0 at E and 1 at the optimum, 1: V / (1 - E)^2 = {variance}"]
    if x.metric in Z_SCORED:
        if not base.variance:
            return None, ["Its variance is 0, and the root of it is a divisor"]
        return Moments(Fraction(0), Fraction(1)), ["A z-score has expectation 0 and variance 1"]
    return base, []


def moments(x: ClosedForm) -> tuple[Moments | None, list[str]]:
    """Return the moments of a metric and the steps to them.

    There are none where a derived metric is divided by 0, and where the base is a geometric mean: its moments are no
    fractions.
    """
    if BASE_OF[x.metric] == "GeometricMeanRank":
        weights = ["1"] * len(x.candidates) if x.weights is None else x.weights
        return None, [
            f"The ranks are independent and uniform on 1 to {' and 1 to '.join(map(str, x.candidates))}",
            f"G is the product of the powers r^(w/W), with the weights {', '.join(weights)} and W their sum",
            "E[G] is the product over the ranks of the mean of r^(w/W), and E[G^2] that of the mean of r^(2w/W)",
            "V[G] = E[G^2] - E[G]^2",
        ]
    base, lines = _of_mean(x)
    found, more = _derived(x, base)
    return found, [*lines, *more]
