"""How to call pykeen's rank-based metrics. Runs inside pykeen's own interpreter."""

from __future__ import annotations

import itertools
from typing import Any, Optional, Sequence

import numpy as np
from pykeen.metrics.ranking import InverseMedianRank, MedianRank, generate_ranks, rank_based_metric_resolver


class Unsupported(Exception):  # noqa: N818 - the worker knows it by this name
    """The installed pykeen does not offer what the case is about."""


DTYPES: dict[str, Any] = {"float": float, "int": int, "bool": bool, "int64": np.int64, "int32": np.int32}


def weights_of(weights: Optional[Sequence[str]], dtype: str = "float") -> Any:
    """Return weights as an array: each is written as Python shows it."""
    return None if weights is None else np.array([float(w) for w in weights]).astype(DTYPES[dtype])


# --- values ----------------------------------------------------------------------------------------------------


def median(ranks: Sequence[int]) -> Any:
    return MedianRank()(np.array(ranks, dtype=int))


def weighted_median(ranks: Sequence[int], weights: Sequence[str], dtype: str) -> Any:
    return MedianRank()(np.array(ranks, dtype=int), weights=weights_of(weights, dtype))


def inverse_median(ranks: Sequence[int], weights: Optional[Sequence[str]], dtype: str) -> Any:
    return InverseMedianRank()(np.array(ranks, dtype=DTYPES[dtype]), weights=weights_of(weights))


# --- moments of the median -------------------------------------------------------------------------------------


def median_moments(candidates: Sequence[int], dtype: str) -> Any:
    metric = MedianRank()
    if not (metric.closed_expectation and metric.closed_variance):
        raise Unsupported("MedianRank has no closed form in this release")
    return moments(metric, np.array(candidates, dtype=DTYPES[dtype]))


def moments(metric: Any, candidates: Any, weights: Any = None) -> list[Any]:
    """Return expectation, variance, standard deviation, and how far its square is from the variance."""
    variance, std = metric.variance(candidates, weights=weights), metric.std(candidates, weights=weights)
    return [metric.expected_value(candidates, weights=weights), variance, std, std * std - variance]


def median_moments_large(groups: Sequence[tuple[int, int]]) -> Any:
    return median_moments([size for size, count in groups for _ in range(count)], "int64")


def median_no_closed_form(candidates: Sequence[int], weights: Optional[Sequence[str]], function: str) -> Any:
    return getattr(MedianRank(), function)(np.array(candidates), weights=weights_of(weights))


def median_sampling(
    candidates: Sequence[int], weights: Optional[Sequence[str]], function: str, samples: int, seed: int
) -> Any:
    call = getattr(MedianRank(), function)
    generator = np.random.default_rng(seed)
    found = call(
        num_candidates=np.array(candidates), weights=weights_of(weights), num_samples=samples, generator=generator
    )
    if not isinstance(found, np.ndarray):
        return found
    low, middle, high = found.tolist()
    return [low, middle - low, high - middle, high - low]


def median_samples(
    candidates: Sequence[int], weights: Optional[Sequence[str]], samples: int, seed: int, memory_intense: bool
) -> Any:
    metric, given = MedianRank(), np.array(candidates)
    first, again = (
        metric.get_sampled_values(
            num_candidates=given,
            num_samples=samples,
            weights=weights_of(weights),
            generator=np.random.default_rng(seed),
            memory_intense=memory_intense,
        )
        for _ in range(2)
    )
    generator = np.random.default_rng(seed)
    if memory_intense:
        drawn = generate_ranks(given, prefix_shape=(samples,), seed=generator)
    else:
        drawn = [generate_ranks(given, seed=generator) for _ in range(samples)]
    values = [metric(ranks, num_candidates=given, weights=weights_of(weights)) for ranks in drawn]
    right = sum(a == b == c for a, b, c in zip(first, again, values))
    return max(samples, len(first)) - int(right)


# --- every other closed form -----------------------------------------------------------------------------------


def metric_of(metric: str) -> Any:
    name, _, k = metric.partition("@")
    return rank_based_metric_resolver.make(name, pos_kwargs={"k": int(k)} if k else None)


def values_on_outcomes(metric: str, candidates: Sequence[int], weights: Optional[Sequence[str]], dtype: str) -> Any:
    made, given = metric_of(metric), np.array(candidates, dtype=DTYPES[dtype])
    outcomes = itertools.product(*(range(1, n + 1) for n in candidates))
    return [
        made(np.array(ranks, dtype=DTYPES[dtype]), num_candidates=given, weights=weights_of(weights))
        for ranks in outcomes
    ]


def closed_forms(metric: str, candidates: Sequence[int], weights: Optional[Sequence[str]], dtype: str) -> Any:
    made = metric_of(metric)
    given = np.array(candidates, dtype=DTYPES[dtype])
    return [made.expected_value(given, weights=weights_of(weights)), made.variance(given, weights=weights_of(weights))]
