"""What is said of Lucene's divergences holds: the steps end in the expected value, the files say what they should."""

import itertools
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from cases.lucene import scripts
from cases.lucene.accounts import ACCOUNTS
from cases.lucene.accounts.judge import JUDGE
from cases.lucene.accounts.mean import MEAN
from cases.lucene.accounts.searches import SEARCHES
from cases.lucene.average import Mean
from cases.lucene.end_to_end import Searched
from cases.lucene.judging import Judged
from cases.lucene.library import HERE, LIBRARY
from cases.lucene.real import jars, junit
from cases.lucene.real.class_path import JARS, class_path
from cases.lucene.real.shadow import shadow
from harness import ledger
from harness.account import Account
from harness.case import AnyCase
from harness.expected import shown
from harness.installation import Installation
from harness.shadow.proposal import Proposal
from present import present

each_account = pytest.mark.parametrize("account", ACCOUNTS, ids=lambda account: account.case)

NEWEST = present(LIBRARY, "real")[:1]

SMALLEST: dict[str, Any] = {
    JUDGE.case: Judged(("-2",)),
    MEAN.case: Mean(((1, ()), (2, (1,))), 4, assertions=True),
    SEARCHES.case: Searched(("1", "-2")),
}


def case_of(account: Account[Any]) -> AnyCase:
    return next(case for case in LIBRARY.cases if case.name == account.case)


def test_each_known_divergence_has_an_account() -> None:
    known = [(entry.case, entry.cause) for entry in ledger.read(LIBRARY.ledger).entries]
    assert sorted(known) == sorted((account.case, account.cause) for account in ACCOUNTS)


@each_account
def test_the_last_step_is_the_expected_value(account: Account[Any]) -> None:
    case = case_of(account)
    for x in itertools.islice(case.domains[0].inputs, 200):
        assert list(account.worked(x))[-1].endswith(f": {shown(case.expected(x))}")


def test_the_steps_for_a_page_of_spam_are_those_by_hand() -> None:
    assert list(JUDGE.worked(Judged(("-2", "1"))))[:3] == [
        "d0: grade -2 is the integer -2, which is less than 1, so it is not relevant",
        "d1: grade 1 is the integer 1, which is at least 1, so it is relevant",
        "relevant documents: 1",
    ]


def test_the_steps_for_a_mean_are_those_by_hand() -> None:
    assert "P@3 = (0/3 + 1/3) / 2 = 1/6" in MEAN.worked(SMALLEST[MEAN.case])


@each_account
def test_its_inputs_are_inputs_of_the_case(account: Account[Any]) -> None:
    case = case_of(account)
    inputs = [*account.examples, *(x for series in account.series for _, x in series.inputs)]
    assert inputs
    assert [case.from_json(json.loads(json.dumps(case.to_json(x)))) for x in inputs] == inputs


@each_account
def test_a_table_has_a_cell_for_each_head(account: Account[Any]) -> None:
    assert account.table is not None
    table = account.table(SMALLEST[account.case])
    assert {len(row) for row in table.rows} == {len(table.heads)}


@each_account
def test_a_quotation_is_short_and_says_where_it_was_read(account: Account[Any]) -> None:
    for quotation in account.quotations:
        assert len(quotation.text) <= 100
        assert quotation.line
        assert "8.8.1" in quotation.source


@each_account
def test_the_test_is_a_class_of_the_package_of_its_place(account: Account[Any], tmp_path: Path) -> None:
    test = account.test(SMALLEST[account.case])
    path = tmp_path / test.name
    path.write_text(test.source)
    assert test.place == f"lucene/benchmark/src/test/{junit.class_of(path).replace('.', '/')}.java"
    assert f"public class {path.stem} extends LuceneTestCase" in test.source
    assert len(test.source.splitlines()) <= 50
    assert "$" not in test.source


@each_account
def test_the_program_ends_as_a_script_does(account: Account[Any]) -> None:
    assert account.program is not None
    source = account.program(SMALLEST[account.case]).source
    assert 'List.of("OK", "DEFECT PRESENT", "COULD NOT RUN").get(status)' in source
    assert "$" not in source


def test_the_test_of_a_judge_holds_the_qrels_and_what_is_relevant() -> None:
    source = JUDGE.test(Judged(("-2", "1"))).source
    assert r'"q 0 d0 -2\nq 0 d1 1\n"' in source
    assert 'assertFalse("grade -2", judge().isRelevant("d0", query));' in source
    assert 'assertTrue("grade 1", judge().isRelevant("d1", query));' in source
    assert "assertEquals(1, judge().maxRecall(query));" in source


def test_the_test_of_an_average_holds_its_means() -> None:
    source = MEAN.test(SMALLEST[MEAN.case]).source
    assert "assertEquals(1.0 / 6, avg.getPrecisionAt(3), 1E-6); // (0/3 + 1/3) / 2 = 1/6" in source


# --- patched classes before the jar ----------------------------------------------------------------------------


def test_patched_classes_come_before_all_jars(tmp_path: Path) -> None:
    told = {jars.JAR: f"{tmp_path}:/b.jar", JARS: "/b.jar:/core.jar"}
    assert class_path(Installation("8.8.1", told)) == f"{tmp_path}:/b.jar:/core.jar"


def test_without_patched_classes_the_class_path_is_the_jars() -> None:
    assert class_path(Installation("8.8.1", {jars.JAR: "/b.jar", JARS: "/b.jar:/core.jar"})) == "/b.jar:/core.jar"


def test_a_script_puts_patched_classes_before_the_jar(tmp_path: Path) -> None:
    jar, patched = tmp_path / "lucene-benchmark-8.8.1.jar", tmp_path / "patched"
    patched.mkdir()
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr(jars.JUDGE, b"")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{scripts.IMPORTS}\nprint(CLASS_PATH)"],
        env={**os.environ, "RANKDIFF_JAVA": sys.executable, jars.JAR: f"{patched}:{jar}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{patched}:{jar.resolve()}\n"


@pytest.mark.skipif(not NEWEST, reason="needs Java and Lucene's benchmark jar")
def test_a_shadow_tells_scripts_where_its_classes_are() -> None:
    [subject] = NEWEST
    proposal = Proposal(replacements=(HERE / "patches" / "leading-digits-checked" / "TrecJudge.java",))
    found = shadow(subject.title, subject.installation, proposal).installation.environment[jars.JAR]
    patched, jar = found.split(os.pathsep)
    assert Path(patched, jars.JUDGE).is_file()
    assert jar == subject.installation.environment[jars.JAR]


# --- what runs a test of Lucene's kind -------------------------------------------------------------------------

PARTS = ["lucene-test-framework-8.8.1.jar", "lucene-codecs-8.8.1.jar", "lucene-core-8.8.1.jar"]
OTHERS = ["junit-4.13.2.jar", "hamcrest-2.2.jar", "randomizedtesting-runner-2.7.9.jar"]


def test_the_test_framework_is_taken_where_all_of_it_is_there(tmp_path: Path) -> None:
    for name in (*PARTS, *OTHERS):
        (tmp_path / name).touch()
    found = junit.framework(tmp_path / "lucene-benchmark-8.8.1.jar")
    assert [path.name for path in found] == [*PARTS, *OTHERS]


def test_a_stand_in_is_taken_where_a_part_of_the_test_framework_is_absent(tmp_path: Path) -> None:
    for name in (*PARTS[1:], *OTHERS):
        (tmp_path / name).touch()
    assert junit.framework(tmp_path / "lucene-benchmark-8.8.1.jar") == []
