"""The committed bundles are what the tool would write today."""

import json
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
from markdown_it import MarkdownIt

from harness import ledger, registry
from harness.certificate import Instance
from harness.compare import Ruling
from harness.installation import Installation
from harness.outcome import Crashed, Outcome, Raised, Value
from harness.script import render
from harness.subject import Subject
from harness.verdict import Verdict

ROOT = Path(__file__).parents[2]
BUNDLES = sorted(path.parent for path in (ROOT / "reports").glob("*/finding.json"))
CASES = {case.name: (library, case) for library in registry.libraries() for case in library.cases}
SCHEMA = json.loads((ROOT / "harness" / "schema" / "finding.schema.json").read_text())
ENVIRONMENT_SCHEMA = json.loads((ROOT / "harness" / "schema" / "environment.schema.json").read_text())

every_bundle = pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: path.name)


def outcome(cause: str) -> Outcome:
    """Return an outcome of the same kind: a script depends on no more of it."""
    kind, _, more = cause.partition(" ")
    if kind == "crashes":
        return Crashed(more.strip("()"))
    return Raised(more, "") if kind == "raises" else Value(0.5)


@every_bundle
def test_a_committed_script_is_what_the_tool_writes(bundle: Path) -> None:
    finding = json.loads((bundle / "finding.json").read_text())
    library, case = CASES[finding["case"]]
    x = case.from_json(finding["input"])
    ruling = Ruling(Verdict(finding["verdict"]), tuple(finding["follows"]), finding["cause"])
    instance = Instance(case, x, case.expected(x), outcome(finding["cause"]), ruling)
    committed = (bundle / "repro.py").read_text()
    requires = committed.partition('requires-python = "')[2].partition('"')[0]
    installation = Installation(finding["subject"]["version"], requires_python=requires)
    subject = Subject(library, library.mode(finding["subject"]["mode"]), installation)
    assert committed == render(instance, subject)


@every_bundle
def test_a_committed_finding_holds_to_the_schema_and_was_confirmed(bundle: Path) -> None:
    finding = json.loads((bundle / "finding.json").read_text())
    jsonschema.validate(finding, SCHEMA)
    assert finding["fresh_processes"] == [True, True]


@every_bundle
def test_a_committed_environment_holds_to_the_schema_and_names_no_folder(bundle: Path) -> None:
    path = bundle / "environment.json"
    if not path.exists():
        assert "program" in bundle.name  # trec_eval's program was not at hand when such files came
        return
    environment = json.loads(path.read_text())
    jsonschema.validate(environment, ENVIRONMENT_SCHEMA)
    assert "/home/" not in path.read_text()


@every_bundle
def test_a_committed_fix_is_the_one_that_the_ledger_names(bundle: Path) -> None:
    finding = json.loads((bundle / "finding.json").read_text())
    library, _ = CASES[finding["case"]]
    entries = ledger.read(library.ledger).entries_for(finding["case"], finding["subject"]["version"])
    [entry] = [entry for entry in entries if entry.cause == finding["cause"]]
    committed = {path.read_bytes() for path in bundle.iterdir()}
    assert all(path.read_bytes() in committed for path in entry.fix)
    assert finding.get("fix", {}).get("patches", []) == [path.name for path in entry.fix]
    assert not entry.fix or finding["fix"]["transitions"]["fixed"]


@every_bundle
def test_a_committed_test_is_what_the_account_says(bundle: Path) -> None:
    finding = json.loads((bundle / "finding.json").read_text())
    library, case = CASES[finding["case"]]
    account = library.account(case.name, finding["cause"])
    assert account is not None
    x = case.from_json(finding["input"])
    test = account.test(x)
    assert (bundle / test.name).read_text() == test.source
    assert finding["test"]["place"] == test.place
    if account.program:
        program = account.program(x)
        assert (bundle / program.name).read_text() == program.source


@every_bundle
def test_a_committed_report_is_text_that_leads_nowhere_it_should_not(bundle: Path) -> None:
    text = (bundle / "README.md").read_text()
    assert "Nobody has looked" not in text
    assert "not found there in this version" not in text
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert not {token.type for token in MarkdownIt("gfm-like", {"linkify": False}).parse(text)} & {"html_block"}


def test_every_known_divergence_has_a_bundle() -> None:
    known = {
        (entry.case, entry.cause) for library in registry.libraries() for entry in ledger.read(library.ledger).entries
    }
    findings = [json.loads((bundle / "finding.json").read_text()) for bundle in BUNDLES]
    assert {(finding["case"], finding["cause"]) for finding in findings} == known


def test_every_bundle_is_on_the_page_that_lists_them() -> None:
    page = (ROOT / "reports" / "README.md").read_text()
    assert all(f"(<{bundle.name}/README.md>)" in page for bundle in BUNDLES)


def test_the_report_on_graded_judgements_holds_its_numbers() -> None:
    [bundle] = [bundle for bundle in BUNDLES if bundle.name.startswith("ranx-") and bundle.name.endswith("-rbp")]
    text = (bundle / "README.md").read_text()
    assert all(number in text for number in ("9/25", "0.92", "2.56", "2.213568"))
    assert "deliberate since 0.3.15" in text


def test_nothing_committed_names_a_machine() -> None:
    for path in (ROOT / "reports").rglob("*"):
        if path.is_file():
            assert str(ROOT) not in path.read_text()


CERTIFICATES = sorted((ROOT / "reports").glob("*.certificates.json"))
REPORT_SCHEMA = json.loads((ROOT / "harness" / "schema" / "report.schema.json").read_text())


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.name)
def test_committed_certificates_hold_to_the_schema_and_to_the_ledger(path: Path) -> None:
    document = json.loads(path.read_text())
    jsonschema.validate(document, REPORT_SCHEMA)
    assert document["exit_status"] == 0
    for certificate in document["certificates"]:
        library, case = CASES[certificate["case"]]
        assert certificate["exhausted"]
        [domain] = [
            domain
            for domain in case.domains
            if {"name": domain.name, "parameters": dict(domain.parameters)} == certificate["domain"]
        ]
        assert certificate["inputs"] == len(domain.inputs)
        found = {level["size"]: mismatches(level["verdicts"]) for level in certificate["by_size"]}
        entries = ledger.read(library.ledger).entries_for(case.name, certificate["subject"]["version"])
        counts = [count for entry in entries for count in entry.counts_of(domain)]
        assert +Counter(found) == sum((Counter(count.mismatches) for count in counts), Counter())


def mismatches(verdicts: dict[str, int]) -> int:
    return sum(count for verdict, count in verdicts.items() if Verdict(verdict).is_mismatch)
