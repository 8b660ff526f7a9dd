"""An answer as one JSON document, by the schema in ``harness/schema/impact.schema.json``."""

from harness.impact.comparison import Compared, Measure, Order, Series
from harness.impact.run import Answer
from harness.jsontypes import Json
from harness.version import VERSION

SCHEMA = 1


def document(answer: Answer) -> dict[str, Json]:
    """Return what ``--json`` prints."""
    asked, comparison = answer.question, answer.comparison
    return {
        "schema": SCHEMA,
        "rankdiff": VERSION,
        "exit_status": answer.exit_status,
        "case": asked.case.name,
        "subject": answer.subject.to_json(),
        "qrels": str(asked.files.qrels),
        "runs": [str(path) for path in asked.files.runs],
        "settings": dict(asked.settings),
        "measures": [_measure(measure) for measure in comparison.measures],
        "about": list(comparison.about),
        "notes": list(comparison.notes),
        "disturbances": list(answer.disturbances),
    }


def _measure(measure: Measure) -> dict[str, Json]:
    orders = measure.orders()
    return {
        "name": measure.name,
        "total": measure.total,
        "is_affected": measure.is_affected,
        "order": None
        if orders is None
        else {
            "changes": orders[0] != orders[1],
            "shipped": _order(orders[0]),
            "documented": _order(orders[1]),
        },
        "files": [_series(one) for one in measure.series],
    }


def _order(order: Order) -> list[Json]:
    return [list(group) for group in order]


def _series(series: Series) -> dict[str, Json]:
    return {
        "is_affected": series.is_affected,
        "affected_topics": len(series.affected),
        "total": _compared(series.total),
        "topics": [_compared(topic) for topic in series.topics],
    }


def _compared(compared: Compared) -> dict[str, Json]:
    return {
        "of": compared.of,
        "shipped": compared.shipped,
        "shown": compared.shown,
        "documented": compared.documented,
        "change": compared.change,
        "is_affected": compared.is_affected,
        **({} if compared.documents is None else {"documents": compared.documents}),
    }
