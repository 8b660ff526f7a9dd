"""Results of releases in miniature, as `rankdiff releases LIBRARY --json` writes them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.jsontypes import Json
from harness.verdict import Verdict

Fields = dict[str, Any]

CASE = "mini/always-wrong"

HALF = "half too much"


def verdicts(**counts: int) -> dict[str, Json]:
    return {str(verdict): counts.get(verdict, 0) for verdict in Verdict}


def smallest(**fields: Any) -> Fields:
    """Return the smallest input of a cause, and what it gives."""
    return {
        "input": {"n": 0},
        "expected": {"shown": "0"},
        "observed": {"shown": "0.5"},
        "verdict": "differs",
        "follows": [],
        "cause": HALF,
        **fields,
    }


def certificate(*, wrong: int = 0, right: int = 0, cause: str = HALF, **fields: Any) -> Fields:
    """Return what a domain showed; all inputs are of size 1, and the mismatches of one cause."""
    counts = verdicts(agrees=right, differs=wrong)
    first = smallest(cause=cause)
    return {
        "case": CASE,
        "status": "run",
        "reason": "",
        "subject": {"distribution": "packaging", "version": "1.10", "patches": [], "mode": "plain"},
        "separates": True,
        "separation": None,
        "error": None,
        "smallest": first if wrong else None,
        "domain": {"name": "numbers", "parameters": {"up_to": 40}},
        "exhausted": True,
        "inputs": wrong + right,
        "by_size": [{"size": 1, "inputs": wrong + right, "verdicts": counts}],
        "verdicts": counts,
        "conventions": {HALF: wrong},
        "readings": {},
        "causes": {cause: wrong} if wrong else {},
        "smallest_by_cause": {cause: first} if wrong else {},
        **fields,
    }


def mismatches(inputs: Mapping[str, Json]) -> Fields:
    """Return what a domain showed of which each input is wrong by a cause of its own."""
    return certificate(
        wrong=len(inputs),
        causes=dict.fromkeys(inputs, 1),
        smallest_by_cause={cause: smallest(input=x, cause=cause) for cause, x in inputs.items()},
    )


def result(*certificates: Fields, **fields: Any) -> Fields:
    return {
        "case": CASE,
        "mode": "plain",
        "status": "run",
        "reason": "",
        "confirmed": None,
        "kept": "2026-11-30T16:00:00Z",
        "certificates": list(certificates),
        **fields,
    }


def release(version: str, *results: Fields) -> Fields:
    return {"version": version, "cases": list(results)}


def change(**fields: Any) -> Fields:
    return {
        "case": CASE,
        "cause": HALF,
        "first_bad": None,
        "last_good": None,
        "first_fixed": None,
        "last_bad": None,
        "skipped": [],
        "instead_of": [],
        "replaced_by": [],
        **fields,
    }


def document(*releases: Fields, **fields: Any) -> Fields:
    return {
        "schema": 1,
        "rankdiff": "0.1.0",
        "library": "mini",
        "distribution": "packaging",
        "releases": list(releases),
        "changes": [],
        **fields,
    }


def history() -> Fields:
    """Return three releases: one that cannot run, one that is right, one that is wrong at 30 of 40 inputs."""
    return document(
        release("1.0", result(status="cannot_run", reason="it is broken")),
        release("1.1", result(certificate(right=40))),
        release("1.10", result(certificate(wrong=30, right=10))),
        changes=[change(first_bad="1.10", last_good="1.1")],
    )


def write(path: Path, value: Json) -> Path:
    path.write_text(json.dumps(value))
    return path


def finding(folder: Path, **fields: Any) -> Path:
    """Write a finding to a folder, as the bundle that it belongs to holds it."""
    folder.mkdir(parents=True)
    whole = {
        "schema": 1,
        "case": CASE,
        "cause": HALF,
        "subject": {"distribution": "packaging", "version": "1.10", "patches": [], "mode": "plain"},
        "describes": "the number 0",
        **fields,
    }
    return write(folder / "finding.json", whole)
