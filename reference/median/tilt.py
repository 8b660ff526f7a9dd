"""Independent ranks at an x, and their chances tilted by e^(theta C), so that what is rare becomes usual.

C(x) counts the ranks up to x. With P_theta(C = j) = P(C = j) e^(theta j) / E[e^(theta C)], the ranks stay independent,
and each is up to x with the chance p e^theta / (q + p e^theta).
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from reference.median.groups import Floats, Groups
from reference.median.series import exp_beyond_linear

_STEPS = 30


@dataclass(frozen=True, slots=True)
class Ranks:
    """By x and group: the chances of a rank to be up to x; and by x what C(x) has to reach."""

    x: Floats
    sizes: Floats
    p: Floats
    q: Floats
    """1 - p, each rounded once."""
    counts: Floats
    excess: Floats
    """The mean of C(x) less n / 2."""
    known: Floats
    """How many ranks are up to x for certain."""
    n: int

    @classmethod
    def at(cls, x: Floats, groups: Groups) -> "Ranks":
        """Return the ranks at ascending x; those that are certain to be up to all of them are only counted."""
        kept = slice(int(groups.done(x[:1])[0]), None)
        sizes = groups.sizes[kept]
        return cls(
            x=x,
            sizes=sizes,
            p=np.minimum(x[:, None], sizes) / sizes,
            q=np.maximum(sizes - x[:, None], 0) / sizes,
            counts=groups.counts[kept],
            excess=groups.excess(x),
            known=groups.known[groups.done(x)],
            n=groups.n,
        )

    def __getitem__(self, rows: npt.NDArray[np.bool_]) -> "Ranks":
        return replace(
            self,
            x=self.x[rows],
            p=self.p[rows],
            q=self.q[rows],
            excess=self.excess[rows],
            known=self.known[rows],
        )

    @property
    def free(self) -> Floats:
        """How many of the other ranks are up to x where C(x) = n / 2."""
        return self.n / 2 - self.known

    def none_of_the_others(self) -> Floats:
        """Return the logarithm of the probability that no rank is up to x but those that are for certain."""
        logs = np.where(self.p < 0.5, np.log1p(-np.minimum(self.p, 0.5)), np.log(np.maximum(self.q, 1e-300)))
        return np.where(self.q > 0, logs, 0) @ self.counts

    def saddle(self) -> Floats:
        """Return a tilt theta of all ranks that brings the mean of C(x) near n / 2."""
        mean = self.excess + self.free
        free, others = np.maximum(self.free, 0.25), self.n - self.known
        theta = np.log(free * (others - mean)) - np.log((others - free) * mean)
        for _ in range(_STEPS):
            p, q = self.tilted(theta)
            step = self.tilted_excess(theta) / np.maximum((p * q) @ self.counts, 1e-300)
            step = np.clip(step, -1, 1)
            theta = theta - step
            if np.all(np.abs(step) < 1e-3 * (1 + np.abs(theta))):
                break
        return theta

    def tilted(self, theta: Floats) -> tuple[Floats, Floats]:
        """Return p e^theta / (q + p e^theta), and 1 less that."""
        up = self.p * np.exp(theta)[:, None]
        return up / (self.q + up), self.q / (self.q + up)

    def tilted_excess(self, theta: Floats) -> Floats:
        """Return the tilted mean of C(x) less n / 2: what tilting moves is small, and added to what is exact."""
        moved = self.p * self.q * np.expm1(theta)[:, None] / (self.q + self.p * np.exp(theta)[:, None])
        return self.excess + moved @ self.counts

    def exponent(self, theta: Floats) -> Floats:
        """Return ln E[ e^(theta (C(x) - n/2)) ]; of ln(q + p e^theta) - p theta the linear terms are left out first."""
        t = theta[:, None]
        return np.log1p(
            self.q * exp_beyond_linear(-self.p * t) + self.p * exp_beyond_linear(self.q * t)
        ) @ self.counts + (self.excess * theta)
