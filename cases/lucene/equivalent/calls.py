"""How to call the model of Lucene's quality classes: the same functions, and results, as for the classes themselves.

Runs inside a worker, without Java. Relevance is 0 or 1. A score sheet is `[points, good points, max good points, AP,
MRR, recall, [P@1, ..., P@20]]`, all floats; times are 0.
"""

from collections.abc import Sequence
from typing import Any

from cases.lucene.equivalent.judge import TrecJudge
from cases.lucene.equivalent.quality_stats import MAX_POINTS, QualityStats

Query = tuple[float, Sequence[int]]
"""How many documents are known to be relevant, and the relevance at each rank."""


# --- the judge ---------------------------------------------------------------------------------------------------


def judge(qrels: str, queries: Sequence[tuple[str, Sequence[str]]], assertions: bool) -> list[Any]:
    """Return for each query how many documents are relevant, and the relevance of each document that is asked for."""
    trec = TrecJudge(qrels, assertions=assertions)
    return [[trec.max_recall(query), relevance(trec, query, documents)] for query, documents in queries]


def relevance(trec: TrecJudge, query: str, documents: Sequence[str]) -> list[int]:
    return [int(trec.is_relevant(query, document)) for document in documents]


def judge_tokens_batch(inputs: Sequence[tuple[Sequence[str]]]) -> list[list[int]]:
    return [judge_tokens(tokens) for (tokens,) in inputs]


def judge_tokens(tokens: Sequence[str]) -> list[int]:
    """Return how many documents are relevant, then the relevance of each, where document i has grade i of one query."""
    trec = TrecJudge("".join([f"q 0 d{i} {token}\n" for i, token in enumerate(tokens)]), assertions=True)
    return [trec.max_recall("q"), *[int(trec.is_relevant("q", f"d{i}")) for i in range(len(tokens))]]


def validate(qrels: str, query_ids: Sequence[str], assertions: bool) -> list[Any]:
    """Return whether queries and judgements match, and what is printed; ids that match no query are sorted."""
    valid, text = TrecJudge(qrels, assertions=assertions).validate_data(query_ids)
    return [int(valid), text]


# --- statistics --------------------------------------------------------------------------------------------------


def stats(max_good_points: float, relevant: Sequence[int]) -> list[Any]:
    return sheet(ranked(max_good_points, relevant))


def average(queries: Sequence[Query], assertions: bool) -> list[Any]:
    return sheet(averaged(queries, assertions))


def mean_precisions(queries: Sequence[Query], up_to: int, assertions: bool) -> list[float]:
    """Return P@1 to P@up_to of the average."""
    mean = averaged(queries, assertions)
    return [mean.precision_at(n) for n in range(1, up_to + 1)]


def log(queries: Sequence[Query], title: str, padding: int, prefix: str, assertions: bool) -> str:
    """Return the log of the query's own statistics if there is exactly one, and else that of the average."""
    if len(queries) == 1:
        [(max_good_points, relevant)] = queries
        return ranked(max_good_points, relevant).log(title, padding, prefix)
    return averaged(queries, assertions).log(title, padding, prefix)


def add_result(max_good_points: float, results: Sequence[tuple[int, int]]) -> list[Any]:
    """Return the score sheet after results of the ranks as given, in the order as given."""
    one = QualityStats(max_good_points)
    for n, is_relevant in results:
        one.add_result(n, is_relevant)
    return sheet(one)


def precision_at(max_good_points: float, relevant: Sequence[int], n: int) -> float:
    return ranked(max_good_points, relevant).precision_at(n)


def scored(qrels: str, query_id: str, ranking: Sequence[str], assertions: bool) -> list[Any]:
    """Return the score sheet of a ranking, by the judgements of a qrels text."""
    trec = TrecJudge(qrels, assertions=assertions)
    return stats(trec.max_recall(query_id), relevance(trec, query_id, ranking))


def ranked(max_good_points: float, relevant: Sequence[int]) -> QualityStats:
    one = QualityStats(max_good_points)
    for n, is_relevant in enumerate(relevant, start=1):
        one.add_result(n, is_relevant)
    return one


def averaged(queries: Sequence[Query], assertions: bool) -> QualityStats:
    return QualityStats.average([ranked(*query) for query in queries], assertions=assertions)


def sheet(one: QualityStats) -> list[Any]:
    return [
        one.number_of_points,
        one.number_of_good_points,
        one.max_good_points,
        one.average_precision,
        one.mrr,
        one.recall,
        [one.precision_at(n) for n in range(1, MAX_POINTS + 1)],
    ]
