"""What is said of Lucene's divergences holds: the steps end in the expected value, the files say what they should."""

import itertools
import os
import re
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
from cases.lucene.real.class_path import JARS, JAVA, JAVAC, class_path, command
from cases.lucene.real.shadow import shadow
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
    assert len(test.source.splitlines()) <= 100
    assert "$" not in test.source


@each_account
def test_the_test_is_formatted_as_the_main_branch_is(account: Account[Any]) -> None:
    case = case_of(account)
    for x in [SMALLEST[account.case], *itertools.islice(case.domains[0].inputs, 0, None, 37)]:
        source = account.test(x).source
        assert source.startswith("/*\n * Licensed to the Apache Software Foundation (ASF)")
        assert "import org.apache.lucene.tests.util.LuceneTestCase;" in source
        assert not re.search(r"^import .*\*;", source, re.MULTILINE)
        assert all(len(line) <= 100 for line in source.splitlines())


@each_account
def test_the_test_has_a_second_input_where_the_smallest_tells_little(account: Account[Any]) -> None:
    for x, tests in ((SMALLEST[account.case], 2), (account.examples[0], 1)):
        assert account.test(x).source.count("public void test") == tests


def test_the_test_says_what_is_left_of_the_grades_by_their_number() -> None:
    said = {
        ("-2",): "// the grade -2 is less than 1",
        ("2",): "// the grade 2 is at least 1",
        ("-2", "0"): "// none of the grades -2, 0 is at least 1",
        ("1", "0"): "// one of the grades 1, 0 is at least 1",
        ("1", "2"): "// 2 of the grades 1, 2 are at least 1",
    }
    for grades, says in said.items():
        assert says in JUDGE.test(Judged(grades)).source


# --- what a report is headed by, and a call to copy ----------------------------------------------------------------


@each_account
def test_it_says_what_a_size_counts_and_brings_a_patch_for_the_main_branch(account: Account[Any]) -> None:
    assert account.size.startswith("number of ")
    assert account.development is not None
    which, path = account.development
    assert which.startswith("main at commit ")
    added = [line[1:] for line in path.read_text().splitlines() if line.startswith("+")]
    assert all(len(line) <= 100 for line in added)
    # The test that it brings has another name than that of the smallest input.
    [brought] = [line.split()[2] for line in added if line.startswith("public class ")]
    assert brought.startswith("Test")
    assert f"{brought}.java" != account.test(SMALLEST[account.case]).name


def test_the_value_behind_a_call_is_that_of_the_reading_that_lucene_follows() -> None:
    calls = {account.case: list(account.call(SMALLEST[account.case])) for account in ACCOUNTS if account.call}
    # -2 is not the text 0; the mean of no hit and one is cut to 0, whose precision is 0; neither 1 nor -2 is 0
    assert calls[JUDGE.case][-1].endswith("; // 1")
    assert calls[MEAN.case][-1].endswith("; // 0; the mean of the P@1 is (0/1 + 1/1) / 2 = 1/2")
    assert calls[SEARCHES.case][-1].endswith("; // 2.0")


@pytest.mark.skipif(not NEWEST, reason="needs Java and Lucene's benchmark jar")
@each_account
def test_a_call_can_be_copied_and_run(account: Account[Any], tmp_path: Path) -> None:
    assert account.call is not None
    assert account.language == "java"
    for x in (SMALLEST[account.case], account.examples[0]):
        lines = list(account.call(x))
        assert len(lines) <= 12
        imports = [line for line in lines if line.startswith("import ")]
        *before, last = [line for line in lines if line and not line.startswith("import ")]
        value, _, told = last.partition("; // ")
        program = tmp_path / "Call.java"
        body = "\n".join([*before, f"System.out.println({value});"])
        program.write_text(
            "\n".join(imports)
            + "\npublic class Call { public static void main(String[] a) throws Exception {\n"
            + body
            + "\n}}\n"
        )
        [subject] = NEWEST
        done = subprocess.run(command(subject.installation, str(program)), capture_output=True, text=True, check=True)
        assert float(done.stdout) == pytest.approx(float(told.partition(";")[0]), abs=1e-5)


@each_account
def test_the_program_ends_as_a_script_does(account: Account[Any]) -> None:
    assert account.program is not None
    source = account.program(SMALLEST[account.case]).source
    assert 'List.of("OK", "DEFECT PRESENT", "COULD NOT RUN").get(status)' in source
    assert "$" not in source


def test_the_test_of_a_judge_holds_the_qrels_and_what_is_relevant() -> None:
    source = JUDGE.test(Judged(("-2", "1"))).source
    assert 'TrecJudge judge = judge("-2", "1");' in source
    assert 'assertFalse("grade -2", judge.isRelevant("d0", query));' in source
    assert 'assertTrue("grade 1", judge.isRelevant("d1", query));' in source
    assert "    // one of the grades -2, 1 is at least 1\n    assertEquals(1, judge.maxRecall(query));\n" in source


def test_the_test_of_an_average_holds_its_means() -> None:
    source = MEAN.test(SMALLEST[MEAN.case]).source
    assert "    // (0/3 + 1/3) / 2 = 1/6\n    assertEquals(1.0 / 6, avg.getPrecisionAt(3), 1E-6);\n" in source


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


@pytest.mark.parametrize(
    ("manifest", "release"),
    [
        (b"Manifest-Version: 1.0\r\nImplementation-Version: 8.8.1-4 unknown - buildd\r\n", "8.8.1-4"),
        (b"Manifest-Version: 1.0\r\n", "no version"),
        (None, "no version"),
    ],
)
def test_a_script_says_which_release_the_manifest_of_a_jar_names(
    manifest: bytes | None, release: str, tmp_path: Path
) -> None:
    jar = tmp_path / "lucene-benchmark-8.7.0.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr(jars.JUDGE, b"")
        if manifest is not None:
            archive.writestr("META-INF/MANIFEST.MF", manifest)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{scripts.IMPORTS}\nprint({scripts.ABOUT})"],
        env={**os.environ, "RANKDIFF_JAVA": sys.executable, jars.JAR: str(jar)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"lucene-benchmark-8.7.0.jar (manifest: {release})\n"


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
    assert "a stand-in for `LuceneTestCase`" in junit.note(tmp_path / "lucene-benchmark-8.8.1.jar")


@pytest.mark.parametrize(
    ("package", "says"),
    [
        ("org/apache/lucene/tests/util", "own test framework, `lucene-test-framework-8.8.1.jar`."),
        (
            "org/apache/lucene/util",
            ", and imported `org.apache.lucene.util.LuceneTestCase`, as it was called before 9.1.",
        ),
    ],
)
def test_a_note_says_which_test_framework_is_taken(package: str, says: str, tmp_path: Path) -> None:
    for name in (*PARTS[1:], *OTHERS):
        (tmp_path / name).touch()
    with zipfile.ZipFile(tmp_path / PARTS[0], "w") as archive:
        archive.writestr(f"{package}/LuceneTestCase.class", b"")
    note = junit.note(tmp_path / "lucene-benchmark-8.8.1.jar")
    assert note.startswith("It was run by JUnit")
    assert note.endswith(says)


def brought_by(path: Path, folder: Path) -> Path:
    """Write the test that a patch adds into a folder, and return where it is."""
    _, added = path.read_text().split("new file mode ", 1)
    [name] = re.findall(r"^\+\+\+ b/.*/(\w+\.java)$", added, re.MULTILINE)
    body = added[added.index("@@") :].splitlines()[1:]
    written = folder / str(name)
    written.write_text("".join(line[1:] + "\n" for line in body if line.startswith("+")))
    return written


@pytest.mark.skipif(not NEWEST, reason="needs Java and Lucene's benchmark jar")
@pytest.mark.parametrize(
    ("patch", "fixed"),
    [
        ("leading-digits-checked.patch", "leading-digits-checked/TrecJudge.java"),
        ("mean-precision.patch", "mean-precision/QualityStats.java"),
    ],
)
def test_the_test_that_a_patch_for_the_main_branch_brings_fails_today_and_passes_with_our_class(
    patch: str, fixed: str, tmp_path: Path
) -> None:
    test = brought_by(HERE / "patches" / "main" / patch, tmp_path)
    [subject] = NEWEST
    mended = shadow(
        subject.title, subject.installation, Proposal(replacements=(HERE / "patches" / fixed,))
    ).installation
    for installation, status in ((subject.installation, junit.FAILS), (mended, junit.PASSES)):
        told = installation.environment
        arguments = (told[JAVA], told[JAVAC], class_path(installation), told[JARS].split(os.pathsep)[0])
        assert junit.main(*arguments, str(test)) == status
