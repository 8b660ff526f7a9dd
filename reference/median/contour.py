r"""The distribution of C(x) about n / 2, by integrals of its generating function, to relative precision.

C(x) counts the ranks up to x. A probability is a coefficient of prod (q_i + p_i z), and by Cauchy an integral on any
circle about 0; a tail is one with the factor 1 / (1 - z), on a circle inside of 1 or outside. On a circle near the
saddle point the integrand hardly cancels, and the trapezoidal rule converges exponentially (F. Bornemann, "Accuracy and
stability of computing high-order derivatives of analytic functions by Cauchy integrals", Foundations of Computational
Mathematics 11, 2011). Only about sixty of its points matter, whatever n is.

With z = e^w the integrand is the exponential of sum ln(q + p e^w) - w n / 2, a small difference of terms that are as
large as n. So the terms linear in w are left out of each logarithm before it is rounded, and replaced by the mean of
C(x) less n / 2, which is found in integers.
"""

import math

import numpy as np
import numpy.typing as npt

from reference.median.groups import Counted, Floats
from reference.median.series import sine_below_linear
from reference.median.tilt import Ranks

Complexes = npt.NDArray[np.complex128]

_SHIFT = 1.5
"""By how many standard deviations, at least, a contour stays away from the pole at 0."""

_DIGITS = 42.0
"""What is below e^-42 of an integral is left out: 2^-60."""


def by_contours(ranks: Ranks) -> Counted:
    """Integrate the generating function of C(x), on the side where n / 2 lies in the tail; where needed on both."""
    theta = ranks.saddle()
    p, q = ranks.tilted(theta)
    nearest = _SHIFT / np.sqrt((p * q) @ ranks.counts)
    lower, upper = np.minimum(theta, -nearest), np.maximum(theta, nearest)
    low = ranks.excess >= 0
    tail, equal = _tail(ranks, np.where(low, lower, upper))
    other = 1 - tail - equal
    again = other < 0.25
    if again.any():
        other[again] = _tail(ranks[again], np.where(low, upper, lower)[again])[0]
    return Counted(np.where(low, tail, other), equal, np.where(low, other, tail))


def _tail(ranks: Ranks, theta: Floats) -> tuple[Floats, Floats]:
    """Return P(C below n / 2) for theta < 0, above it for theta > 0, and the probability that C = n / 2.

    With w = theta + i t, P(C = j) is the mean over t of E[e^(w (C - j))], and a tail the sum of a geometric series of
    them. The mean is taken over equally spaced t, few enough to leave out where the integrand is negligible, and many
    enough that what is counted twice is, too.
    """
    p, q = ranks.tilted(theta)
    spread = np.sqrt((p * q) @ ranks.counts)
    spaces = 2 * math.ceil(float(np.max(5 * spread + 20 / np.abs(theta))) + 25) + 1
    reach = min(1.0, math.sqrt(_DIGITS / 2) / float(spread.min()))
    used = min((spaces - 1) // 2, math.ceil(2 * math.asin(reach) / (2 * math.pi) * spaces))
    t: Floats = np.arange(used + 1, dtype=np.float64) * (2 * math.pi / spaces)
    with np.errstate(divide="ignore"):
        turned = _ln_characteristic(p, q, ranks.counts, t)
    w = theta[:, None] + 1j * t
    integrand = np.exp(ranks.exponent(theta)[:, None] + turned + 1j * ranks.tilted_excess(theta)[:, None] * t)
    integrand[:, 1:] *= 2  # t and -t
    towards = np.where(theta < 0, 1.0, -1.0)[:, None] * w
    if ranks.n % 2:
        return (-integrand / (2 * np.sinh(towards / 2))).real.sum(axis=1) / spaces, np.zeros_like(theta)
    return (integrand / np.expm1(-towards)).real.sum(axis=1) / spaces, integrand.real.sum(axis=1) / spaces


def _ln_characteristic(p: Floats, q: Floats, counts: Floats, t: Floats) -> Complexes:
    """Return, by x and t, the sum over ranks of ln(q + p e^(it)) - i p t.

    It is conjugated by exchanging p and q, and smooth in the lesser of the two. So it is interpolated between
    Chebyshev's points, of which there are as many as its nearest singularity, 1/2 + (i/2) cot(t/2), demands.
    """
    lesser = np.minimum(p, q)
    signed = np.where(p <= q, 1.0, -1.0) * counts
    centre, half = (lesser.max() + lesser.min()) / 2, max((lesser.max() - lesser.min()) / 2, 1e-6)
    nearest = (0.5 + 0.5j / math.tan(t[-1] / 2) - centre) / half
    radius = abs(nearest + np.sqrt(nearest - 1) * np.sqrt(nearest + 1))
    nodes = math.ceil(40 / math.log(radius)) + 2 if radius > 1.5 else p.size
    if nodes < p.size / 2:
        angles = math.pi * (np.arange(nodes) + 0.5) / nodes
        values = _ln_turned(centre + half * np.cos(angles), t)
        series = np.cos(np.outer(np.arange(nodes), angles)) @ values * (2 / nodes)
        series[0] /= 2
        even, odd = _chebyshev_sums((lesser - centre) / half, np.broadcast_to(counts, p.shape), signed, nodes)
        return np.asarray(even @ series.real + 1j * (odd @ series.imag))
    total = np.zeros((len(p), len(t)), dtype=np.complex128)
    for k in range(len(counts)):
        turned = _ln_turned(lesser[:, k], t)
        total += counts[k] * turned.real + 1j * signed[:, k, None] * turned.imag
    return total


def _chebyshev_sums(at: Floats, even: Floats, odd: Floats, nodes: int) -> tuple[Floats, Floats]:
    """Return, by x and degree, the sums over groups of Chebyshev's polynomials, weighted in two ways."""
    sums = np.empty((2, len(at), nodes))
    before, now = at, np.ones_like(at)
    for degree in range(nodes):
        sums[:, :, degree] = np.einsum("xk,xk->x", now, even), np.einsum("xk,xk->x", now, odd)
        before, now = now, (2 * at * now - before if degree else at)
    return sums[0], sums[1]


def _ln_turned(p: Floats, t: Floats) -> Complexes:
    """Return ln(q + p e^(it)) - i p t by p <= 1/2 and t; of the angle, the linear terms are left out first."""
    p = p[:, None]
    q = 1 - p
    angle = np.arctan2(
        q * sine_below_linear(p * t) - p * sine_below_linear(q * t), q * np.cos(p * t) + p * np.cos(q * t)
    )
    return np.asarray(0.5 * np.log1p(-4 * p * q * np.sin(t / 2) ** 2) + 1j * angle)
