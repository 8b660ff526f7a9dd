"""A report as a file: what ``check --json`` prints, with a record at its end that tells a part of it from all of it."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from harness.errors import BrokenReportError
from harness.jsontypes import Json

SCHEMA = 1

CLOSING = "closing"

AGAIN = "make it anew with `rankdiff check --json`"


def closed(document: Mapping[str, Json]) -> dict[str, Json]:
    """Return a report with its closing record as the last key: counts of what it holds, and a hash of all of it."""
    body = {key: value for key, value in document.items() if key != CLOSING}
    return {**body, CLOSING: _record(body)}


def read(path: Path) -> dict[str, Json]:
    """Read a report from a file.

    Raises
    ------
    BrokenReportError
        If it cannot be read, is no report of this schema, is truncated, or was edited.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokenReportError(f"{path}: a report in UTF-8 was expected here ({error})") from error
    return parse(text, str(path))


def parse(text: str, where: str) -> dict[str, Json]:
    """Return the report that a text is.

    Parameters
    ----------
    where
        What the text is called in a message.

    Raises
    ------
    BrokenReportError
        If it is no report of this schema, is truncated, or was edited.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenReportError(f"{where}: one whole JSON document was expected ({error}); {AGAIN}") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA or "certificates" not in document:
        raise BrokenReportError(f"{where}: a report with schema = {SCHEMA} and certificates was expected; {AGAIN}")
    closing = document.get(CLOSING)
    if not isinstance(closing, dict):
        raise BrokenReportError(f"{where}: it has no closing record, so a part of it is missing; {AGAIN}")
    expected = closed(document)[CLOSING]
    if closing != expected:
        raise BrokenReportError(
            f"{where}: it is not what it was closed with, so it was cut or edited; expected {closing}, "
            f"found {expected}; {AGAIN}"
        )
    return document


def _record(body: Mapping[str, Json]) -> dict[str, Json]:
    certificates = body.get("certificates")
    of_each = certificates if isinstance(certificates, list) else []
    inputs = [one.get("inputs") for one in of_each if isinstance(one, dict)]
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return {
        "certificates": len(of_each),
        "inputs": sum(n for n in inputs if isinstance(n, int)),
        "exit_status": body.get("exit_status"),
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }
