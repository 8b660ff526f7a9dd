"""The adapter of the equivalent: a worker calls the functions of ``calls.py`` here."""

from cases.lucene.equivalent import RELEASES
from cases.lucene.equivalent.calls import (
    add_result,
    average,
    judge,
    judge_tokens,
    judge_tokens_batch,
    log,
    mean_precisions,
    precision_at,
    scored,
    stats,
    validate,
)

__all__ = [
    "add_result",
    "average",
    "judge",
    "judge_tokens",
    "judge_tokens_batch",
    "log",
    "mean_precisions",
    "platform",
    "precision_at",
    "scored",
    "stats",
    "validate",
]


def platform() -> dict[str, str]:
    """Return which releases this stands for; the newest is its version."""
    return {"version": RELEASES[-1], "equivalent to": f"Lucene {', '.join(RELEASES)}, without Java"}
