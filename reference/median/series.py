"""e^x and sin x without their linear terms, which cancel elsewhere, to relative precision."""

import math

import numpy as np

from reference.median.groups import Floats

_EXP = [1 / math.factorial(k) for k in range(18, 1, -1)]
_SIN = [(-1) ** (k // 2 + 1) / math.factorial(k) for k in range(21, 2, -2)]


def exp_beyond_linear(x: Floats) -> Floats:
    """Return e^x - 1 - x."""
    near = np.clip(x, -0.5, 0.5)
    return np.asarray(np.where(np.abs(x) <= 0.5, near**2 * np.polyval(_EXP, near), np.expm1(x) - x))


def sine_below_linear(x: Floats) -> Floats:
    """Return x - sin x, for x >= 0."""
    near = np.minimum(x, 1.0)
    return np.asarray(np.where(x <= 1, near**3 * np.polyval(_SIN, near**2), x - np.sin(x)))
