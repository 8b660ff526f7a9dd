r"""The distribution of C(x) about n / 2 for equal numbers of candidates, by the density of a continuous rank.

A rank that is uniform on 1..N is the ceiling of one that is uniform on (0, N]. So the j-th smallest is that of the
continuous j-th smallest, which over N has a beta distribution (David and Nagaraja, *Order Statistics*, 3rd ed., Wiley
2003, section 2.3): with p = y / N and d = 1 - 2 p,

    P(X_(j) = k)   is in proportion to   the integral over y from k - 1 to k of  p^(j - 1) (1 - p)^(n - j),

and p^(j-1) (1-p)^(j-1) of (1 - d^2)^(j-1). Where the density changes little in a step of y, Gauss's rule is exact to
the last place. The proportion is found from the sum, which is 1; the upper of the two in the middle is the lower one
mirrored.
"""

import math
from fractions import Fraction

import numpy as np

from reference.median.groups import Counted, Floats

_STEP = 0.1
"""The largest step of y, in standard deviations of the median, for which the rule is exact."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)


def applies(size: int, n: int) -> bool:
    """Return whether ``size`` candidates are enough for the rule."""
    return 2 * math.sqrt(n) <= _STEP * size


def count(size: int, n: int, cut: float) -> tuple[Floats, Counted]:
    """Return the x at which the median may lie on both sides, but for probabilities below e^-cut, and C(x) there."""
    power = (n + 1) // 2 - 1
    reach = math.sqrt(-math.expm1(-cut / power)) if power else 1.0
    first = max(0, math.floor(size * (1 - reach) / 2))
    cells = np.arange(first, size - first, dtype=np.float64)
    away = (size - 2 * cells[:, None] - (1 + _NODES)) / size
    density = np.exp(power * np.log1p(-(away**2)))
    lower = (density if n % 2 else density * (1 + away)) @ _WEIGHTS
    survive = np.cumsum(lower[::-1], dtype=np.longdouble)  # the lower one above x, from the top; the upper one up to x
    x = cells[1:]
    tails = (survive[:-1] / survive[-1]).astype(np.float64)
    return x, Counted(below=tails[::-1], equal=_equal(x, size, n), above=tails)


def _equal(x: Floats, size: int, n: int) -> Floats:
    """Return P(C(x) = n / 2), a binomial probability."""
    if n % 2:
        return np.zeros_like(x)
    return np.asarray(_central(n // 2) * np.exp(n // 2 * np.log1p(-(((size - 2 * x) / size) ** 2))))


def _central(m: int) -> float:
    """Return the central binomial coefficient of 2 m over 4^m, by Stirling's series where that is exact."""
    if m < 30:
        return float(Fraction(math.comb(2 * m, m), 4**m))
    series = -1 / (8 * m) + 1 / (192 * m**3) - 1 / (640 * m**5) + 17 / (14336 * m**7)
    return math.exp(series) / math.sqrt(math.pi * m)
