"""The matrix as one JSON document, by the schema in ``harness/schema/releases.schema.json``."""

from collections.abc import Sequence

from harness import registry
from harness.errors import UnknownModeError
from harness.jsontypes import Json
from harness.library import Library
from harness.releases.matrix import Matrix, question, recalled
from harness.version import VERSION

SCHEMA = 1


def document(matrix: Matrix) -> dict[str, Json]:
    """Return what ``--json`` prints."""
    asked = matrix.question
    cells = [
        (version, [matrix.cells[version, case.name] for case in asked.cases if (version, case.name) in matrix.cells])
        for version in matrix.releases
    ]
    return {
        "schema": SCHEMA,
        "rankdiff": VERSION,
        "library": asked.library.name,
        "distribution": asked.mode.distribution,
        "releases": [
            {"version": str(version), "cases": [outcome.to_json() for outcome in outcomes]}
            for version, outcomes in cells
            if outcomes
        ],
        "changes": [change.to_json() for change in matrix.changes],
    }


def kept_documents(names: Sequence[str] = (), available: Sequence[Library] | None = None) -> list[dict[str, Json]]:
    """Return a document of each library of which results are kept; nothing is run, and no index is asked.

    Parameters
    ----------
    names
        Cases and libraries; all, if none is named.
    available
        The libraries that there are cases for; those that installed projects offer, if none are given.

    Raises
    ------
    UnknownCaseError
        If a name is neither a library nor a case.
    """
    found = []
    for library, cases in registry.select(names, registry.libraries() if available is None else available):
        try:
            matrix = recalled(question(library, cases, None))
        except UnknownModeError:  # no package index has releases of it
            continue
        if matrix.cells:
            found.append(document(matrix))
    return found
