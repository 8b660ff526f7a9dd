"""Float64 evaluations of RBP: right ones, each in another order of operations, and wrong ones.

Each takes gains by rank and a float persistence.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

Evaluation = Callable[[Sequence[float | None], float], float]


def power(gains: Sequence[float | None], p: float) -> float:
    return (1 - p) * sum(g * p**i for i, g in enumerate(gains) if g)


def distributed(gains: Sequence[float | None], p: float) -> float:
    return sum((1 - p) * p**i * g for i, g in enumerate(gains) if g)


def repeated_product(gains: Sequence[float | None], p: float) -> float:
    weight, total = 1 - p, 0.0
    for g in gains:
        total += weight * (g or 0.0)
        weight *= p
    return total


def horner(gains: Sequence[float | None], p: float) -> float:
    total = 0.0
    for g in reversed(gains):
        total = total * p + (g or 0.0)
    return (1 - p) * total


def exp_of_logs(gains: Sequence[float | None], p: float) -> float:
    slope = math.log(p)
    return sum(math.exp(slope * i) * g for i, g in enumerate(gains) if g) / (1 / (1 - p))


def reversed_sum(gains: Sequence[float | None], p: float) -> float:
    return (1 - p) * sum(g * p**i for i, g in reversed(list(enumerate(gains))) if g)


def vectorised(gains: Sequence[float | None], p: float) -> float:
    array = np.array([g or 0.0 for g in gains])
    return float((1 - p) * (array * p ** np.arange(len(array))).sum())


RIGHT: tuple[Evaluation, ...] = (
    power,
    distributed,
    repeated_product,
    horner,
    exp_of_logs,
    reversed_sum,
    vectorised,
)


def off_by_one_exponent(gains: Sequence[float | None], p: float) -> float:
    return (1 - p) * sum(g * p ** (i + 1) for i, g in enumerate(gains) if g)


def no_one_minus_p(gains: Sequence[float | None], p: float) -> float:
    return sum(g * p**i for i, g in enumerate(gains) if g)


def swapped(gains: Sequence[float | None], p: float) -> float:
    return power(gains, 1 - p)


def dropped_last_hit(gains: Sequence[float | None], p: float) -> float:
    hits = [i for i, g in enumerate(gains) if g]
    return power([g for i, g in enumerate(gains) if i != hits[-1]] if hits else gains, p)


def ranks_over_judged_only(gains: Sequence[float | None], p: float) -> float:
    return power([g for g in gains if g is not None], p)


def single_precision(gains: Sequence[float | None], p: float) -> float:
    q = np.float32(p)
    total = np.float32(0)
    for i, g in enumerate(gains):
        total += np.float32(g or 0) * q ** np.float32(i)
    return float((np.float32(1) - q) * total)


WRONG: tuple[Evaluation, ...] = (
    off_by_one_exponent,
    no_one_minus_p,
    swapped,
    dropped_last_hit,
    ranks_over_judged_only,
    single_precision,
)
