"""How to call pykeen's rank-based metrics. Runs inside pykeen's own interpreter."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
from pykeen.metrics.ranking import InverseMedianRank, MedianRank, rank_based_metric_resolver


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
    """Return expectation, variance and standard deviation."""
    return [
        metric.expected_value(candidates, weights=weights),
        metric.variance(candidates, weights=weights),
        metric.std(candidates, weights=weights),
    ]


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
    return found.tolist() if isinstance(found, np.ndarray) else found


# --- every other closed form -----------------------------------------------------------------------------------


def closed_forms(metric: str, candidates: Sequence[int], weights: Optional[Sequence[str]], dtype: str) -> Any:
    name, _, k = metric.partition("@")
    made = rank_based_metric_resolver.make(name, pos_kwargs={"k": int(k)} if k else None)
    given = np.array(candidates, dtype=DTYPES[dtype])
    return [made.expected_value(given, weights=weights_of(weights)), made.variance(given, weights=weights_of(weights))]
