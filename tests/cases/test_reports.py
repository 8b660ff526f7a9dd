"""The committed bundles are what the tool would write today."""

import json
from pathlib import Path

import jsonschema
import pytest

from harness import ledger, registry
from harness.certificate import Instance
from harness.compare import Ruling
from harness.outcome import Outcome, Raised, Value
from harness.script import render
from harness.subject import Subject
from harness.verdict import Verdict

ROOT = Path(__file__).parents[2]
BUNDLES = sorted(path.parent for path in (ROOT / "reports").glob("*/finding.json"))
CASES = {case.name: (library, case) for library in registry.libraries() for case in library.cases}
SCHEMA = json.loads((ROOT / "harness" / "schema" / "finding.schema.json").read_text())

every_bundle = pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: path.name)


def outcome(cause: str) -> Outcome:
    """Return an outcome of the same kind: a script depends on no more of it."""
    kind, _, error = cause.partition(" ")
    return Raised(error, "") if kind == "raises" else Value(0.5)


@every_bundle
def test_a_committed_script_is_what_the_tool_writes(bundle: Path) -> None:
    finding = json.loads((bundle / "finding.json").read_text())
    library, case = CASES[finding["case"]]
    x = case.from_json(finding["input"])
    ruling = Ruling(Verdict(finding["verdict"]), tuple(finding["follows"]), finding["cause"])
    instance = Instance(case, x, case.expected(x), outcome(finding["cause"]), ruling)
    subject = Subject(library, finding["subject"]["version"], finding["subject"]["mode"])
    assert (bundle / "repro.py").read_text() == render(instance, subject)


@every_bundle
def test_a_committed_finding_holds_to_the_schema_and_was_confirmed(bundle: Path) -> None:
    finding = json.loads((bundle / "finding.json").read_text())
    jsonschema.validate(finding, SCHEMA)
    assert finding["fresh_processes"] == [True, True]


def test_every_known_divergence_has_a_bundle() -> None:
    known = {entry.case for library in registry.libraries() for entry in ledger.read(library.ledger).entries}
    bundled = {json.loads((bundle / "finding.json").read_text())["case"] for bundle in BUNDLES}
    assert bundled == known


def test_nothing_committed_names_a_machine() -> None:
    for path in (ROOT / "reports").rglob("*"):
        if path.is_file():
            assert str(ROOT) not in path.read_text()
