"""How to call ranx, in every form of input that `ranx.evaluate` documents.

Runs inside ranx's own interpreter. In the array form a query is a row of (document, grade or score), in rank
order, so that thousands of queries are one call; the other cases hold the forms to one another.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from importlib.metadata import version
from typing import Any, Iterable, Mapping, Sequence

import numpy as np
from numba.typed import List as TypedList
from ranx import Qrels, Run, evaluate
from ranx.metrics import rank_biased_precision


class Unsupported(Exception):  # noqa: N818 - the worker knows it by this name
    pass


def require(name: str, function: Any) -> None:
    """Refuse where a function of this release has no such argument."""
    if name not in inspect.signature(function).parameters:
        raise Unsupported(f"ranx {version('ranx')} has no {name} in {function.__name__}")


def metric(persistence: str) -> str:
    """Return the documented spelling: "0.8" is asked for as rbp.8."""
    return "rbp" + persistence.removeprefix("0")


# --- judged rankings, as arrays ------------------------------------------------------------------------------


def rbp_batch(inputs: list[tuple[list[int], list[int], str]]) -> list[float]:
    return by_array([(grades, run, metric(persistence)) for grades, run, persistence in inputs])


def rbp_relevance_level_batch(inputs: list[tuple[list[int], list[int], str, int]]) -> list[float]:
    require("rel_lvl", rank_biased_precision)
    return by_array([(grades, run, f"{metric(p)}-l{level}") for grades, run, p, level in inputs])


def by_array(inputs: list[tuple[list[int], list[int], str]]) -> list[float]:
    groups = defaultdict(list)
    for i, (grades, run, name) in enumerate(inputs):
        groups[len(grades), len(run), name].append(i)
    values = [0.0] * len(inputs)
    for (judged, retrieved, name), members in groups.items():
        qrels = np.empty((len(members), judged, 2))
        qrels[:, :, 0] = np.arange(judged)
        qrels[:, :, 1] = [inputs[i][0] for i in members]
        rankings = np.empty((len(members), retrieved, 2))
        rankings[:, :, 0] = [inputs[i][1] for i in members]
        rankings[:, :, 1] = np.arange(retrieved, 0, -1)
        for i, score in zip(members, per_query(qrels, rankings, name)):
            values[i] = score
    return values


def per_query(qrels: Any, run: Any, name: str) -> list[float]:
    """Return per-query values. A second metric is asked for, since one alone raises KeyError here."""
    values: list[float] = evaluate(qrels, run, [name, "hits"], return_mean=False)[name].tolist()
    return values


def rbp_persistence(name: str) -> Any:
    """Evaluate three relevant documents, all retrieved: 1 - p^3."""
    documents = np.array([[[0, 1], [1, 1], [2, 1]]], dtype=float)
    ranking = np.array([[[0, 3], [1, 2], [2, 1]]], dtype=float)
    return evaluate(documents, ranking, name)


# --- several queries, in every form of input -------------------------------------------------------------------


def query(k: int) -> str:
    return f"q{k}"


def document(k: int, j: int) -> str:
    """Return the j-th document of query k: no two queries share one. All names have the same width."""
    return f"d{3 * k + j}"


def judgements(order: Iterable[int]) -> dict[str, dict[str, int]]:
    return {query(k): {document(k, 0): 1} for k in order}


def rankings(ranks: Sequence[int], order: Iterable[int]) -> dict[str, dict[str, float]]:
    """Return two documents for each query, with its relevant one at the given rank (0: not among them)."""
    return {
        query(k): {
            document(k, 0 if ranks[k] == 1 else 1): 2.0,
            document(k, 0 if ranks[k] == 2 else 2): 1.0,
        }
        for k in order
    }


def as_array(by_query: Mapping[str, Mapping[str, float]]) -> Any:
    return np.array([[[float(name[1:]), value] for name, value in docs.items()] for docs in by_query.values()])


def as_typed_list(by_query: Mapping[str, Mapping[str, float]]) -> Any:
    return TypedList(list(as_array(by_query)))


FORMS: dict[str, Any] = {"dict": dict, "Qrels": Qrels, "Run": Run, "array": as_array, "list": as_typed_list}


def rbp_query_order(
    ranks: list[int], qrels_order: list[int], run_order: list[int], qrels_form: str, run_form: str
) -> Any:
    qrels = FORMS[qrels_form](judgements(qrels_order))
    run = FORMS[run_form](rankings(ranks, run_order))
    return evaluate(qrels, run, "rbp.8")


def rbp_saved_scores(
    ranks: list[int], qrels_order: list[int], run_order: list[int], qrels_form: str, run_form: str
) -> Any:
    qrels = FORMS[qrels_form](judgements(qrels_order))
    run = FORMS[run_form](rankings(ranks, run_order))
    evaluate(qrels, run, "rbp.8")
    scores = run.scores["rbp.8"]
    return [scores[query(k)] for k in range(len(ranks))]


def rbp_per_query(ranks: list[int], qrels_form: str, run_form: str, save: bool) -> Any:
    order = range(len(ranks))
    qrels = FORMS[qrels_form](judgements(order))
    run = FORMS[run_form](rankings(ranks, order))
    values = evaluate(qrels, run, "rbp.8", return_mean=False, save_results_in_run=save)
    return [*values, evaluate(qrels, run, "rbp.8", save_results_in_run=save)]


def rbp_make_comparable(judged: list[int], retrieved: list[int], qrels_form: str, run_form: str) -> Any:
    require("make_comparable", evaluate)
    qrels = FORMS[qrels_form](judgements(judged))
    run = FORMS[run_form](rankings([1, 1, 1], retrieved))
    return evaluate(qrels, run, "rbp.8", make_comparable=True)


# --- one query, in every form of input ------------------------------------------------------------------------


def rbp_ranking(scores: list[str], relevant: int, form: str) -> Any:
    qrels = {"q0": {f"d{relevant}": 1}}
    run = {"q0": {f"d{j}": float(score) for j, score in enumerate(scores)}}
    return in_form(form, qrels, run)


def rbp_input_forms(grades: list[str], run: list[int], form: str) -> Any:
    qrels = {"q0": {f"d{j}": number(grade) for j, grade in enumerate(grades)}}
    ranking = {"q0": {f"d{j}": float(len(run) - i) for i, j in enumerate(run)}}
    return in_form(form, qrels, ranking)


def number(text: str) -> float:
    return float(text) if "." in text else int(text)


def in_form(form: str, qrels: Mapping[str, Any], run: Mapping[str, Any]) -> Any:
    if form == "objects":
        return evaluate(Qrels(qrels), Run(run), "rbp.8")
    return evaluate(FORMS[form](qrels), FORMS[form](run), "rbp.8")
