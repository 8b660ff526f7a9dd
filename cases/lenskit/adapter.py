"""How to call lenskit's RBP, and LogRBP, which is in no release yet.

Runs inside lenskit's own interpreter. Item 1 is the first one of every list, item 2 the second; relevant items that
were not retrieved have numbers beyond the list.
"""

from __future__ import annotations

import ast
import inspect
import math
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Iterable, Optional, Sequence

import numpy as np
from lenskit.metrics import RBP  # first: a release without it is told that it has none

# isort: split
from lenskit import metrics as all_metrics
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import RunAnalysis
from lenskit.metrics import ranking as metrics


class Unsupported(Exception):  # noqa: N818 - the worker knows it by this name
    """The installed lenskit does not offer what the case is about."""


def log_rbp_class() -> Any:
    """Return the metric, where this lenskit has it."""
    found = getattr(metrics, "LogRBP", None)
    if found is None:
        raise Unsupported(f"lenskit {version('lenskit')} has no LogRBP; it is proposed in lenskit/lkpy#1159")
    return found


def weight_class(name: str) -> Any:
    """Return a class of rank weights, where this lenskit has it."""
    found = getattr(metrics, name, None)
    if found is None:
        raise Unsupported(f"lenskit {version('lenskit')} has no {name}")
    return found


def made(metric: Any, *positional: Any, **options: Any) -> Any:
    """Make a metric with options, where this lenskit has them."""
    for name in options:
        if name not in inspect.signature(metric).parameters:
            raise Unsupported(f"{metric.__name__} of lenskit {version('lenskit')} has no {name}")
    return metric(*positional, **options)


# --- lists -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def ranked(length: int) -> ItemList:
    """Return a list of items, best first."""
    return ItemList(np.arange(1, length + 1), ordered=True)


def relevant(hits: Iterable[int], retrieved: int, missed: int) -> ItemList:
    """Return the test items: the hits, and so many more that were not retrieved."""
    return ItemList([*hits, *range(retrieved + 1, retrieved + 1 + missed)])


# --- RBP of one list -------------------------------------------------------------------------------------------


def rbp(hits: Sequence[int], retrieved: int, missed: int, patience: str) -> Any:
    return made(RBP, patience=float(patience)).measure_list(ranked(retrieved), relevant(hits, retrieved, missed))


def with_cutoff(metric: Any, cutoff: Optional[int], given: str, **options: Any) -> Any:
    """Make a metric with its cutoff given as n, as k, as the first argument, or set after it was made."""
    if given == "position":
        return made(metric, cutoff, **options)
    if given.startswith("."):
        one = made(metric, **options)
        setattr(one, given[1:], cutoff)
        return one
    return made(metric, **{given: cutoff}, **options)


def rbp_cutoff(
    hits: Sequence[int], retrieved: int, missed: int, cutoff: Optional[int], given: str, patience: str
) -> Any:
    metric = with_cutoff(RBP, cutoff, given, patience=float(patience))
    return metric.measure_list(ranked(retrieved), relevant(hits, retrieved, missed))


def rbp_normalize(
    hits: Sequence[int], retrieved: int, missed: int, cutoff: Optional[int], given: str, patience: str
) -> Any:
    metric = with_cutoff(RBP, cutoff, given, patience=float(patience), normalize=True)
    return metric.measure_list(ranked(retrieved), relevant(hits, retrieved, missed))


OPTIONS: dict[str, dict[str, Any]] = {
    "": {},
    "n = 1": {"n": 1},
    "n = 0": {"n": 0},
    "normalize": {"normalize": True},
    "LogRankWeight": {"weight": "LogRankWeight"},
    "weight_field": {"weight_field": "weight"},
}


def rbp_empty(retrieved: int, relevant: int, ordered: bool, options: str) -> Any:
    fields = {"weight": np.ones(retrieved)} if options == "weight_field" else {}
    recs = ItemList(np.arange(1, retrieved + 1), ordered=ordered, **fields)
    given = {name: weight_class(value)() if name == "weight" else value for name, value in OPTIONS[options].items()}
    return made(RBP, **given).measure_list(recs, ItemList(np.arange(1, relevant + 1)))


def rbp_duplicates(items: Sequence[int], test: Sequence[int]) -> Any:
    return RBP().measure_list(ItemList(items, ordered=True), ItemList(test))


def rbp_order(hits: Sequence[int], retrieved: int, cutoff: Optional[int]) -> Any:
    return RBP(cutoff).measure_list(ItemList(np.arange(1, retrieved + 1)), relevant(hits, retrieved, not hits))


def rbp_ranks(hits: Sequence[int], ranks: Sequence[int]) -> Any:
    return RBP().measure_list(with_ranks(ranks), relevant(hits, len(ranks), 0))


def with_ranks(ranks: Sequence[int]) -> ItemList:
    """Return a list of items with ranks of its own."""
    return ItemList(np.arange(1, len(ranks) + 1), rank=np.array(ranks, dtype=np.int32), ordered=True)


# --- weights and patience ----------------------------------------------------------------------------------------


class Weights(getattr(metrics, "RankWeight", object)):  # type: ignore[misc]  # lenskit's types are not followed
    """Rank weights of our own, with or without the sum of an infinite series."""

    def __init__(self, weights: Sequence[int], total: Optional[float]) -> None:
        self.weights = np.array(weights, dtype=float)
        self.total = total

    def weight(self, ranks: Any) -> Any:
        return self.weights[np.asarray(ranks) - 1]

    def series_sum(self) -> Optional[float]:
        return self.total


def rbp_weights(hits: Sequence[int], weights: Sequence[int], given: str) -> Any:
    length = len(weights)
    test = relevant(hits, length, 0 if hits else 1)
    if given == "weight_field":
        recs = ItemList(np.arange(1, length + 1), ordered=True, attention=np.array(weights, dtype=float))
        return made(RBP, weight_field="attention").measure_list(recs, test)
    total = {"weight": None, "weight with series sum 8": 8.0}[given]
    return made(RBP, weight=Weights(weights, total)).measure_list(ranked(length), test)


def rbp_log_weights(hits: Sequence[int], retrieved: int, missed: int, base: str, offset: int) -> Any:
    weight = weight_class("LogRankWeight")(base=float(base), offset=offset)
    return made(RBP, weight=weight).measure_list(ranked(retrieved), relevant(hits, retrieved, missed))


def written(text: str) -> Any:
    """Return the value of a Python literal, or a float that has none, such as nan."""
    try:
        return ast.literal_eval(text)
    except ValueError:
        return float(text)


def rbp_patience(patience: str, given: str) -> Any:
    value = written(patience)
    geometric = None if given == "RBP" else weight_class("GeometricRankWeight")(value)
    metric = made(RBP, patience=value) if geometric is None else made(RBP, weight=geometric)
    return metric.measure_list(ranked(1), ItemList([1]))


# --- several lists -----------------------------------------------------------------------------------------------


def one_hit(rank: Optional[int]) -> tuple[ItemList, ItemList]:
    """Return a list that ends with its hit, or has none, and its test items: none at all for None."""
    retrieved = rank or 1
    if rank is None:
        return ranked(retrieved), ItemList([])
    return ranked(retrieved), ItemList([rank or retrieved + 1])


def collected(metric: Any, ranks: Sequence[Optional[int]]) -> Any:
    """Measure lists, each by its key, with a collector."""
    found = getattr(all_metrics, "MeasurementCollector", None)
    if found is None:
        raise Unsupported(f"lenskit {version('lenskit')} has no MeasurementCollector")
    collector = found()
    collector.add_metric(metric)
    measure = getattr(collector, "add_list_measurement", None) or collector.measure_list  # until 2025.8, the latter
    for key, rank in enumerate(ranks):
        measure(*one_hit(rank), user_id=key)
    return collector


def rbp_summary(ranks: Sequence[Optional[int]], patience: str) -> Any:
    return collected(RBP(patience=float(patience)), ranks).summary_metrics()["RBP.mean"]


def rbp_list_summary(ranks: Sequence[Optional[int]], patience: str) -> Any:
    pairs = {key: one_hit(rank) for key, rank in enumerate(ranks)}
    recommended = ItemListCollection.from_dict({key: recs for key, (recs, _) in pairs.items()}, "user_id")
    tested = ItemListCollection.from_dict({key: test for key, (_, test) in pairs.items()}, "user_id")
    result = RunAnalysis(RBP(patience=float(patience))).measure(recommended, tested)
    return result.list_summary().loc["RBP", "mean"]


# --- LogRBP ------------------------------------------------------------------------------------------------------


def measured(metric: Any, recs: ItemList, test: ItemList) -> Any:
    """Return the measurement of a list, and the value that is exposed of it."""
    data = metric.measure_list(recs, test)
    return [data, metric.extract_list_metrics(data)]


def log_rbp(hits: Sequence[int], retrieved: int, missed: int, patience: str) -> Any:
    metric = log_rbp_class()(patience=float(patience))
    return measured(metric, ranked(retrieved), relevant(hits, retrieved, missed))


def log_rbp_cutoff(
    hits: Sequence[int], retrieved: int, missed: int, cutoff: Optional[int], given: str, patience: str
) -> Any:
    metric = with_cutoff(log_rbp_class(), cutoff, given, patience=float(patience))
    return measured(metric, ranked(retrieved), relevant(hits, retrieved, missed))


def log_rbp_order(hits: Sequence[int], retrieved: int, cutoff: Optional[int]) -> Any:
    recs = ItemList(np.arange(1, retrieved + 1))
    return measured(log_rbp_class()(cutoff), recs, relevant(hits, retrieved, not hits))


def log_rbp_ranks(hits: Sequence[int], ranks: Sequence[int]) -> Any:
    return measured(log_rbp_class()(), with_ranks(ranks), relevant(hits, len(ranks), 0))


def log_rbp_summary(ranks: Sequence[Optional[int]], patience: str) -> Any:
    collector = collected(log_rbp_class()(patience=float(patience)), ranks)
    found = collector.summary_metrics()
    lists = collector.list_metrics()["LogRBP"].tolist()
    return [" ".join(sorted(found)), found["LogRBP.logmean"], found["LogRBP.n"], lists]


def log_rbp_measurements(measurements: Sequence[str]) -> Any:
    metric = log_rbp_class()()
    given = [None if text == "None" else float(text) for text in measurements]
    if hasattr(metric, "create_accumulator"):
        accumulator = metric.create_accumulator()
        for value in given:
            accumulator.add(value)
        found = accumulator.accumulate()
    else:  # until 2025.8
        found = metric.summarize(given)
    return [" ".join(sorted(found)), found["logmean"], found["n"]]


def log_rbp_parameters(arguments: str) -> Any:
    positional, named = call_of(arguments)
    metric = log_rbp_class()(*positional, **named)
    weight = type(metric.weight).__name__
    texts = [metric.label, type(metric).__module__, str(metric.n), weight, signature_of(type(metric))]
    return [*texts, metric.weight.patience, metric.patience]


def signature_of(metric: Any) -> str:
    """Return the parameters of a class with their defaults, without annotations."""
    parameters = inspect.signature(metric).parameters.values()
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    return str(inspect.Signature(bare))[1:-1]


def call_of(arguments: str) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments that a text such as ``5, patience=0.5`` passes on."""
    call = ast.parse(f"f({arguments})", mode="eval").body
    assert isinstance(call, ast.Call)  # noqa: S101 - so says ast.parse
    return [value_of(node) for node in call.args], {str(k.arg): value_of(k.value) for k in call.keywords}


def value_of(node: ast.expr) -> Any:
    """Return the value of a literal, of ``nan`` or ``inf``, or of a rank weight without arguments."""
    if isinstance(node, ast.Name):
        return {"nan": math.nan, "inf": math.inf}[node.id]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return weight_class(node.func.id)()
    return ast.literal_eval(node)
