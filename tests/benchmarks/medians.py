"""Print how fast the moments of the median rank are found: ratios from one run on one machine.

    python tests/benchmarks/medians.py

The fast route is set against the textbook's recurrence, which counts the ranks up to x one by one, for all x at once:
of the order of n^2 K operations for n ranks among K. It is timed at growing n, and its time at n = 2,000 is
extrapolated by the power of n that the last two show. Then the fast route alone: how its time grows with K, n and the
number of distinct N.
"""

import math
import random
import time
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from reference.median import fast
from reference.median.fast import FloatMoments

ENTITIES, TRIPLES = 14_541, 20_466
"""Of FB15k-237: the candidates, and the ranks of its test set."""

RANKS = (50, 100, 200, 400)
TARGET = 2000
AIM = 100_000
ROUNDS = 5

Sizes = npt.NDArray[np.int64]


def recurrence(sizes: Sequence[int]) -> FloatMoments:
    """Return the moments by counting rank by rank, with E[AB] in linear time; second moment less the square."""
    n, k = len(sizes), max(sizes)
    x = np.arange(k)
    chances = np.zeros((n + 1, k))
    chances[0] = 1
    for added, size in enumerate(sizes, start=1):
        p = np.minimum(x, size) / size
        chances[1 : added + 1] = chances[1 : added + 1] * (1 - p) + chances[:added] * p
        chances[0] *= 1 - p
    survival = (chances[: (n + 1) // 2].sum(axis=0) + chances[: n // 2 + 1].sum(axis=0)) / 2
    expected, second = float(survival.sum()), float(((2 * x + 1) * survival).sum())
    if n % 2 == 0:
        known = np.searchsorted(np.sort(np.array(sizes)), x, side="right")
        total = both = 0.0
        for at in range(1, k):
            both += chances[n // 2, at] * (1 + 2 * total)
            total = (total + 1) * (at / (at + 1)) ** max(n // 2 - int(known[at]), 0)
        second -= both / 4
    return FloatMoments(expected, second - expected**2)


def seconds(call: Callable[[], FloatMoments], rounds: int = ROUNDS) -> tuple[float, FloatMoments]:
    """Return the least of several times, and what was found."""
    best, found = math.inf, None
    for _ in range(rounds):
        began = time.perf_counter()
        found = call()
        best = min(best, time.perf_counter() - began)
    assert found is not None
    return best, found


def mixed(n: int, distinct: int, largest: int) -> Sizes:
    """Return n numbers of candidates, of so many distinct ones up to the largest; always the same."""
    chance = random.Random(5)  # noqa: S311 - a sample, always the same
    some = [largest, *chance.sample(range(2, largest), distinct - 1)]
    return np.array([*some, *(chance.choice(some) for _ in range(n - distinct))])


def against_the_recurrence() -> None:
    print(f"against the recurrence, K = {ENTITIES:,}, equal N; the largest relative difference of both moments")
    slow = []
    for n in RANKS:
        sizes = np.full(n, ENTITIES)
        ours, found = seconds(lambda sizes=sizes: fast.moments(sizes))  # type: ignore[misc]
        theirs, other = seconds(lambda sizes=sizes: recurrence(sizes.tolist()), rounds=1)  # type: ignore[misc]
        slow.append(theirs)
        off = max(abs(found.expected / other.expected - 1), abs(found.variance / other.variance - 1))
        print(f"  n = {n:5,}   {theirs:9.3f} s   fast {1e3 * ours:8.2f} ms   ratio {theirs / ours:10,.0f}   {off:.0e}")
    power = math.log(slow[-1] / slow[-2]) / math.log(RANKS[-1] / RANKS[-2])
    for name, exponent in (("by n^2", 2.0), (f"by n^{power:.2f}, as the last two grow", power)):
        estimate = slow[-1] * (TARGET / RANKS[-1]) ** exponent
        ours, _ = seconds(lambda: fast.moments(np.full(TARGET, ENTITIES)))
        print(
            f"  n = {TARGET:,}   {estimate:9.1f} s extrapolated {name}; "
            f"fast {1e3 * ours:.2f} ms   ratio {estimate / ours:,.0f} (the aim is {AIM:,})"
        )


def growth(title: str, rows: Sequence[tuple[str, Sizes]]) -> None:
    print(title)
    first = None
    for name, sizes in rows:
        taken, _ = seconds(lambda sizes=sizes: fast.moments(sizes), rounds=3)  # type: ignore[misc]
        first = first or taken
        print(f"  {name:28} {1e3 * taken:9.2f} ms   {taken / first:7.2f} times the first")


def main() -> None:
    taken, found = seconds(lambda: fast.moments(np.full(TRIPLES, ENTITIES)))
    print(f"FB15k-237, N = {ENTITIES:,}, n = {TRIPLES:,}: {found} in {1e3 * taken:.1f} ms")
    taken, found = seconds(lambda: fast.moments(mixed(TRIPLES, 200, ENTITIES)))
    print(f"200 distinct N, n = {TRIPLES:,}: {found} in {1e3 * taken:.1f} ms, {2 / taken:.0f} times in 2 s")
    against_the_recurrence()
    growth(
        "growth with K: 200 distinct N, n = 20,000",
        [(f"K = {k:,}", mixed(20_000, 200, k)) for k in (1000, 10_000, 100_000, 1_000_000)],
    )
    growth(
        f"growth with n: 50 distinct N, K = {ENTITIES:,}",
        [(f"n = {n:,}", mixed(n, 50, ENTITIES)) for n in (50, 200, 1000, 10_000, 100_000, 1_000_000)],
    )
    growth(
        f"growth with distinct N: n = {TRIPLES:,}, K = {ENTITIES:,}",
        [(f"{g:,} distinct", mixed(TRIPLES, g, ENTITIES)) for g in (1, 10, 100, 1000, 10_000)],
    )


if __name__ == "__main__":
    main()
