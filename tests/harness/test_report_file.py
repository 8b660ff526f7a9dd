"""A report of which a part is missing, or that was edited, is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import miniature
from harness import report_file
from harness.document import document
from harness.errors import BrokenReportError
from harness.finding import FindingsFolder
from harness.progress import Progress
from harness.run import Options, check


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a report as `check --json` prints it."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "known.toml").write_text(miniature.EMPTY_LEDGER)
    library = miniature.library(folder / "known.toml", miniature.case("tripled"), miniature.case("right"))
    options = Options(FindingsFolder(folder / "findings"), limits=miniature.QUICK)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RANKDIFF_CACHE", str(folder / "cache"))
        report = check([(library, library.cases)], options, Progress(bars=False))
    return json.dumps(document(report), indent=2)


def test_a_whole_report_is_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(text)
    assert report_file.read(path) == json.loads(text)


def test_the_closing_record_is_the_last_key_and_counts_what_there_is(text: str) -> None:
    found = json.loads(text)
    assert list(found)[-1] == "closing"
    closing = found["closing"]
    assert (closing["certificates"], closing["inputs"], closing["exit_status"]) == (2, 80, 1)


def test_every_beginning_of_a_report_is_refused(text: str) -> None:
    for end in range(0, len(text), 97):
        with pytest.raises(BrokenReportError, match="one whole JSON document was expected"):
            report_file.parse(text[:end], "report.json")


def test_a_report_without_its_closing_record_is_refused(text: str) -> None:
    found = json.loads(text)
    del found["closing"]
    with pytest.raises(BrokenReportError, match="it has no closing record"):
        report_file.parse(json.dumps(found), "report.json")


def certificate_lost(found: Any) -> None:
    del found["certificates"][0]


def count_changed(found: Any) -> None:
    found["certificates"][0]["causes"]["tripling"] -= 1


def status_changed(found: Any) -> None:
    found["exit_status"] = 0


def problem_lost(found: Any) -> None:
    found["ledger"]["problems"] = []


def closing_changed(found: Any) -> None:
    found["closing"]["inputs"] += 1


@pytest.mark.parametrize("edit", [certificate_lost, count_changed, status_changed, problem_lost, closing_changed])
def test_a_report_that_was_edited_is_refused(text: str, edit: Callable[[Any], None]) -> None:
    found = json.loads(text)
    edit(found)
    with pytest.raises(BrokenReportError, match="it was cut or edited"):
        report_file.parse(json.dumps(found), "report.json")


def is_refused(found: Any) -> bool:
    try:
        report_file.parse(json.dumps(found), "report.json")
    except BrokenReportError:
        return True
    return False


def test_no_part_of_a_report_can_be_edited_or_left_out(text: str) -> None:
    found = json.loads(text)
    parts = found.keys() - {"closing"}
    assert {"canaries", "certificates", "hunts", "ledger", "obstacles", "subjects"} <= parts
    edited = {part: {**found, part: "edited"} for part in parts}
    without = {part: {key: found[key] for key in found if key != part} for part in parts}
    assert [part for part, document in edited.items() if not is_refused(document)] == []
    assert [part for part, document in without.items() if not is_refused(document)] == []


def test_a_report_that_was_edited_on_purpose_can_be_closed_again(text: str) -> None:
    found = json.loads(text)
    certificate_lost(found)
    assert report_file.parse(json.dumps(report_file.closed(found)), "report.json")["closing"] != found["closing"]


def test_the_order_of_keys_and_blanks_is_no_edit(text: str) -> None:
    assert report_file.parse(json.dumps(json.loads(text), sort_keys=True), "report.json")


@pytest.mark.parametrize("text", ["[]", "3", "{}", '{"schema": 2, "certificates": []}', '{"schema": 1}'])
def test_what_is_no_report_is_refused(text: str) -> None:
    with pytest.raises(BrokenReportError, match="a report with schema = 1 and certificates was expected"):
        report_file.parse(text, "report.json")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenReportError, match="a report in UTF-8 was expected here"):
        report_file.read(tmp_path / "none.json")
