"""A proposed change is put before Lucene's jar, or refused with a reason; nothing but the cache is written.

What compiles or runs is skipped where Java or a jar is absent.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import miniature
from cases.lucene.library import HERE, LIBRARY, REAL
from cases.lucene.real import java_file
from cases.lucene.real.shadow import ADAPTER, CLASSES, CLASSPATH, SHADOW, shadow
from harness.errors import CacheFolderError, PatchError, UnusableError, WorkerFailedToStartError
from harness.execute import Executor
from harness.installation import Installation
from harness.jsontypes import Json
from harness.limits import Limits
from harness.shadow.proposal import Proposal
from harness.subject import Subject
from present import present
from trees import hashes

UNIT = "org/apache/lucene/benchmark/quality/trec/TrecJudge.java"
PACKAGE = "org.apache.lucene.benchmark.quality.trec"
UPSTREAM = f"lucene/benchmark/src/java/{UNIT}"
TEST = UPSTREAM.replace("src/java", "src/test").replace("TrecJudge", "TestTrecJudge")

JUDGE = (HERE / "patches" / "leading-digits" / "TrecJudge.java").read_text()
READING = "POSITIVE.matcher(grade).lookingAt()"

SUBJECTS = present(LIBRARY, "real")
needs_lucene = pytest.mark.skipif(not SUBJECTS, reason="needs Java and Lucene's benchmark jar")

PATIENT = replace(miniature.QUICK, first_call=30, first_call_again=30, memory=16 * 2**30)
HASTY = replace(PATIENT, first_call=1, first_call_again=1, deaths=1)


# --- without Java ----------------------------------------------------------------------------------------------


@pytest.fixture
def lucene(own_cache: Path) -> Installation:
    """Return an installation whose jar has classes by name alone."""
    jar = own_cache.parent / "lucene-benchmark.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for name in (UNIT, "org/apache/lucene/benchmark/quality/QualityStats.java"):
            archive.writestr(name.replace(".java", ".class"), b"")
    classes = own_cache / "java"
    return Installation("8.8.1", {CLASSPATH: str(jar), CLASSES: str(classes)})


def java(folder: Path, text: str | bytes, name: str = "TrecJudge.java") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        (f"package {PACKAGE};\npublic class TrecJudge {{}}", UNIT),
        (
            f"/* package a; */ // package b;\n package {PACKAGE} ;\nfinal class A {{}} public class TrecJudge {{}}",
            UNIT,
        ),
        ('package a.b;\n/** public class C {} */\n@X("public class D {") public @interface E {}', "a/b/E.java"),
        ("package a; public sealed interface E permits F {} final class F implements E {}", "a/E.java"),
        ("package a; enum E { PUBLIC }", "a/E.java"),
        ('class E { char c = \'"\'; String s = "\\"class F"; }', "E.java"),
    ],
)
def test_package_and_class_are_read_from_a_file_of_any_name(tmp_path: Path, text: str, unit: str) -> None:
    assert java_file.read(java(tmp_path, text, "any name.txt")).unit == unit


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "declares a class"),
        (b"// public class TrecJudge {}", "declares a class"),
        (b"\xca\xfe\xba\xbe\x00\x00\x00\x34", "not a compiled class"),
        (b'class A { String s = "\xe9"; }', r"is not UTF-8 \(invalid continuation byte at byte 22\)"),
    ],
)
def test_what_is_no_java_source_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    with pytest.raises(PatchError, match=reason):
        java_file.read(java(tmp_path, content))


def test_what_is_no_file_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, tmp_path / "absent", pipe):
        with pytest.raises(PatchError, match=r"expected at .*, and none is there"):
            java_file.read(path)
    monkeypatch.setattr(java_file, "LARGEST", 10)
    with pytest.raises(PatchError, match="at most 10 bytes"):
        java_file.read(java(tmp_path, "class TooLarge {}"))


def refused(installation: Installation, proposal: Proposal) -> str:
    """Return why a proposal is refused; it leaves the jar as it is, and no shadow."""
    jars = [Path(jar) for jar in installation.environment[CLASSPATH].split(os.pathsep)]
    before = hashes(*jars)
    with pytest.raises(PatchError) as caught:
        shadow("lucene-benchmark 8.8.1", installation, proposal)
    assert hashes(*jars) == before
    assert list(Path(os.environ["RANKDIFF_CACHE"]).glob("shadows/*")) == []
    return str(caught.value)


def test_a_diff_alone_is_refused_and_told_where_sources_are(lucene: Installation, tmp_path: Path) -> None:
    said = refused(lucene, Proposal(patches=(tmp_path / "fix.patch",)))
    for way in (
        "apt-get source lucene8",
        "deb-src",
        "-sources.jar",
        "releases/lucene-solr/8.8.1",
        "--java",
        "--source",
    ):
        assert way in said


def test_nothing_and_a_source_tree_without_a_diff_are_refused(lucene: Installation, tmp_path: Path) -> None:
    assert "nothing is proposed" in refused(lucene, Proposal())
    file = java(tmp_path / "java", JUDGE)
    assert "no diff that applies to it" in refused(lucene, Proposal(replacements=(file,), source=tmp_path))


@pytest.mark.parametrize("package", ["package com.example;\n", ""])
def test_a_class_that_no_jar_has_is_against_another_library(lucene: Installation, tmp_path: Path, package: str) -> None:
    file = java(tmp_path / "java", f"{package}public class TrecJudge {{}}")
    said = refused(lucene, Proposal(replacements=(file,)))
    assert "against another library" in said
    assert f"such as {PACKAGE}.TrecJudge" in said


def test_two_files_for_one_class_are_refused(lucene: Installation, tmp_path: Path) -> None:
    files = (java(tmp_path / "a", JUDGE), java(tmp_path / "b", f"{JUDGE}\n"))
    assert "are the same class" in refused(lucene, Proposal(replacements=files))


def test_a_shadow_takes_no_other(lucene: Installation, tmp_path: Path) -> None:
    installation = replace(lucene, environment={**lucene.environment, SHADOW: str(tmp_path)})
    with pytest.raises(UnusableError, match="has a shadow already"):
        shadow("lucene-benchmark 8.8.1", installation, Proposal(replacements=(java(tmp_path, JUDGE),)))


def test_a_jar_that_is_gone_is_told(lucene: Installation, tmp_path: Path) -> None:
    Path(lucene.environment[CLASSPATH]).unlink()
    with pytest.raises(UnusableError, match="a jar was expected at"):
        shadow("lucene-benchmark 8.8.1", lucene, Proposal(replacements=(java(tmp_path, JUDGE),)))


# --- diffs, without Java ---------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile nothing in the tests that have no jar."""
    if "lucene" in request.fixturenames:
        monkeypatch.setattr("cases.lucene.real.shadow._compile", lambda *_: None)


def tree(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        java((folder / name).parent, text, Path(name).name)
    return folder


def diff(folder: Path, before: Mapping[str, str], after: Mapping[str, str]) -> Path:
    """Return a diff between two trees, as git writes it."""
    tree(folder / "a", before)
    tree(folder / "b", after)
    for side in ("a", "b"):
        (folder / side).mkdir(exist_ok=True)
    done = subprocess.run(
        ["git", "diff", "--no-index", "--no-prefix", "--no-renames", "a", "b"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    path = folder / "fix.patch"
    path.write_text(done.stdout)
    return path


FIXED = JUDGE.replace(READING, "true")
DOCUMENTED = JUDGE.replace("A judge with", "A flag, and a judge with")


@pytest.mark.parametrize("root", ["", "lucene/", "lucene/benchmark/", "lucene/benchmark/src/java/"])
def test_a_source_tree_may_be_upstreams_or_a_part_of_it(lucene: Installation, tmp_path: Path, root: str) -> None:
    patch = diff(tmp_path, {UPSTREAM: JUDGE}, {UPSTREAM: FIXED})
    source = tree(tmp_path / "source", {UPSTREAM.removeprefix(root): JUDGE})
    before = hashes(source)
    found = shadow("lucene-benchmark 8.8.1", lucene, Proposal(patches=(patch,), source=source))
    assert (found.changed, found.ignored, found.is_documentation) == ((UPSTREAM,), (), False)
    assert (Path(found.installation.environment[SHADOW]) / UNIT).read_text() == FIXED
    assert hashes(source) == before


def test_a_diff_of_unpacked_sources_applies_to_upstreams_tree(lucene: Installation, tmp_path: Path) -> None:
    patch = diff(tmp_path, {UNIT: JUDGE}, {UNIT: FIXED})
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE, TEST: "x"})
    found = shadow("lucene-benchmark 8.8.1", lucene, Proposal(patches=(patch,), source=source))
    assert (Path(found.installation.environment[SHADOW]) / UNIT).read_text() == FIXED


def test_a_class_that_is_twice_in_the_tree_is_refused(lucene: Installation, tmp_path: Path) -> None:
    patch = diff(tmp_path, {UNIT: JUDGE}, {UNIT: FIXED})
    source = tree(tmp_path / "source", {f"{release}/{UPSTREAM}": JUDGE for release in ("8.8.0", "8.8.1")})
    assert "is more than once in" in refused(lucene, Proposal(patches=(patch,), source=source))


def test_what_is_no_source_of_a_class_is_ignored_and_listed(lucene: Installation, tmp_path: Path) -> None:
    solr = "solr/core/src/java/org/apache/solr/Core.java"
    old = {UPSTREAM: JUDGE, "lucene/CHANGES.txt": "a\n", TEST: "class A {}\n"}
    new = {UPSTREAM: FIXED, "lucene/CHANGES.txt": "b\n", TEST: "class B {}\n", solr: "class C {}\n"}
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE})
    found = shadow("lucene-benchmark 8.8.1", lucene, Proposal(patches=(diff(tmp_path, old, new),), source=source))
    assert found.changed == (UPSTREAM,)
    assert set(found.ignored) == {"lucene/CHANGES.txt", TEST, solr}


def test_new_classes_beside_those_of_the_jar_are_taken_in(lucene: Installation, tmp_path: Path) -> None:
    beside, below = UPSTREAM.replace("TrecJudge", "Grade"), UPSTREAM.replace("TrecJudge", "grades/Grade")
    new = {
        UPSTREAM: FIXED,
        beside: f"package {PACKAGE};\nclass Grade {{}}\n",
        below: f"package {PACKAGE}.grades;\nclass Grade {{}}\n",
    }
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE})
    proposal = Proposal(patches=(diff(tmp_path, {UPSTREAM: JUDGE}, new),), source=source)
    found = shadow("lucene-benchmark 8.8.1", lucene, proposal)
    assert set(found.changed) == set(new)
    assert not found.is_documentation


def test_diffs_apply_one_after_the_other(lucene: Installation, tmp_path: Path) -> None:
    first = diff(tmp_path / "1", {UPSTREAM: JUDGE}, {UPSTREAM: FIXED})
    second = diff(tmp_path / "2", {UPSTREAM: FIXED}, {UPSTREAM: FIXED.replace("true", "false")})
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE})
    found = shadow("lucene-benchmark 8.8.1", lucene, Proposal(patches=(first, second), source=source))
    assert (Path(found.installation.environment[SHADOW]) / UNIT).read_text() == FIXED.replace("true", "false")


def test_diffs_that_undo_one_another_are_refused(lucene: Installation, tmp_path: Path) -> None:
    first = diff(tmp_path / "1", {UPSTREAM: JUDGE}, {UPSTREAM: FIXED})
    second = diff(tmp_path / "2", {UPSTREAM: FIXED}, {UPSTREAM: JUDGE})
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE})
    assert "in the end nothing differs" in refused(lucene, Proposal(patches=(first, second), source=source))


@pytest.mark.parametrize(("after", "documentation"), [(DOCUMENTED, True), (DOCUMENTED.replace(READING, "true"), False)])
def test_a_change_of_comments_alone_is_documentation(
    lucene: Installation,
    tmp_path: Path,
    after: str,
    documentation: bool,  # noqa: FBT001
) -> None:
    patch = diff(tmp_path, {UPSTREAM: JUDGE}, {UPSTREAM: after})
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE})
    found = shadow("lucene-benchmark 8.8.1", lucene, Proposal(patches=(patch,), source=source))
    assert found.is_documentation is documentation


def test_a_comment_beside_a_class_that_is_given_whole_is_not_documentation_only(
    lucene: Installation, tmp_path: Path
) -> None:
    patch = diff(tmp_path, {UPSTREAM: JUDGE}, {UPSTREAM: DOCUMENTED})
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE})
    given = java(tmp_path, "package org.apache.lucene.benchmark.quality; public class QualityStats {}")
    proposal = Proposal(patches=(patch,), replacements=(given,), source=source)
    found = shadow("lucene-benchmark 8.8.1", lucene, proposal)
    assert found.changed == ("org/apache/lucene/benchmark/quality/QualityStats.java", UPSTREAM)
    assert not found.is_documentation


def test_the_comment_of_a_package_is_documentation(lucene: Installation, tmp_path: Path) -> None:
    name = UPSTREAM.replace("TrecJudge", "package-info")
    old, new = f"/** Qrels. */\npackage {PACKAGE};\n", f"/** Qrels of flags. */\npackage {PACKAGE};\n"
    patch = diff(tmp_path, {name: old}, {name: new})
    source = tree(tmp_path / "source", {name: old})
    found = shadow("lucene-benchmark 8.8.1", lucene, Proposal(patches=(patch,), source=source))
    assert (found.changed, found.is_documentation) == ((name,), True)


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ({}, "cannot be taken out of its jar"),
        ({UPSTREAM.replace("TrecJudge", "Moved"): JUDGE}, "cannot be taken out of its jar"),
        ({UPSTREAM: JUDGE.replace(f"package {PACKAGE}", "package com.example")}, "declares com.example"),
        ({UPSTREAM: JUDGE.replace(f"package {PACKAGE};", "")}, "declares none"),
        ({UPSTREAM: JUDGE, "lucene/CHANGES.txt": "b\n"}, "expected to change a class of lucene-benchmark 8.8.1"),
        ({UPSTREAM: JUDGE, "src/ranx/rbp.py": "b\n"}, "against another library"),
    ],
)
def test_a_diff_that_is_no_change_of_a_class_is_refused(
    lucene: Installation, tmp_path: Path, after: dict[str, str], reason: str
) -> None:
    patch = diff(tmp_path, {UPSTREAM: JUDGE}, after)
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE})
    assert reason in refused(lucene, Proposal(patches=(patch,), source=source))


@pytest.mark.parametrize(
    ("before", "reason"),
    [({UPSTREAM: "class A {}\n"}, "does not apply to the sources in"), ({}, "which is not there")],
)
def test_a_tree_that_the_diff_does_not_apply_to_is_told(
    lucene: Installation, tmp_path: Path, before: dict[str, str], reason: str
) -> None:
    patch = diff(tmp_path, {UPSTREAM: JUDGE}, {UPSTREAM: FIXED})
    source = tree(tmp_path / "source", {"README": "", **before})
    assert reason in refused(lucene, Proposal(patches=(patch,), source=source))


def test_a_source_tree_that_is_none_is_told(lucene: Installation, tmp_path: Path) -> None:
    patch = diff(tmp_path, {UPSTREAM: JUDGE}, {UPSTREAM: FIXED})
    assert "a folder with Lucene's sources was expected" in refused(lucene, Proposal(patches=(patch,), source=patch))


@pytest.mark.parametrize("name", ["/etc/org/apache/lucene/X.java", "../org/apache/lucene/X.java"])
def test_a_diff_that_leaves_the_tree_is_refused(lucene: Installation, tmp_path: Path, name: str) -> None:
    patch = tmp_path / "fix.patch"
    patch.write_text(f"--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+class X {{}}\n")
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE})
    before = hashes(tmp_path)
    assert "relative to upstream's root" in refused(lucene, Proposal(patches=(patch,), source=source))
    assert hashes(tmp_path) == before


def test_a_diff_that_renames_a_class_is_refused(lucene: Installation, tmp_path: Path) -> None:
    patch, moved = tmp_path / "fix.patch", UPSTREAM.replace("TrecJudge", "Moved")
    patch.write_text(
        f"diff --git a/{UPSTREAM} b/{moved}\nsimilarity index 100%\nrename from {UPSTREAM}\nrename to {moved}\n"
    )
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE})
    assert "cannot be taken out of its jar" in refused(lucene, Proposal(patches=(patch,), source=source))


def test_a_source_that_is_a_link_out_of_the_tree_is_refused(lucene: Installation, tmp_path: Path) -> None:
    patch = diff(tmp_path, {UPSTREAM: JUDGE}, {UPSTREAM: FIXED})
    link = tmp_path / "source" / UPSTREAM
    link.parent.mkdir(parents=True)
    link.symlink_to(java(tmp_path / "elsewhere", JUDGE))
    assert "a link out of it" in refused(lucene, Proposal(patches=(patch,), source=tmp_path / "source"))


def test_a_diff_that_makes_a_class_a_link_is_refused(lucene: Installation, tmp_path: Path) -> None:
    name = UPSTREAM.replace("TrecJudge", "Link")
    patch = tmp_path / "fix.patch"
    patch.write_text(
        f"diff --git a/{name} b/{name}\nnew file mode 120000\n--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n"
        "+/etc/passwd\n\\ No newline at end of file\n"
    )
    source = tree(tmp_path / "source", {UPSTREAM: JUDGE})
    assert "symbolic link" in refused(lucene, Proposal(patches=(patch,), source=source))


# --- the shadow, without Java ----------------------------------------------------------------------------------


def test_a_shadow_is_named_by_its_content_and_labelled_by_what_was_given(lucene: Installation, tmp_path: Path) -> None:
    one, same, other = (
        shadow("lucene-benchmark 8.8.1", lucene, Proposal(replacements=(java(tmp_path / folder, text),)))
        for folder, text in (("a", JUDGE), ("b", JUDGE), ("c", FIXED))
    )
    assert one.installation == same.installation
    assert one.installation.patches == (hashlib.sha256(JUDGE.encode()).hexdigest()[:8],)
    assert one.installation.base == lucene
    assert one.changed == (UNIT,)
    assert len({each.installation.content for each in (one, other)} | {lucene.content}) == 3
    assert one.installation.environment[SHADOW] != other.installation.environment[SHADOW]


def test_the_same_text_in_another_place_is_another_shadow(lucene: Installation, tmp_path: Path) -> None:
    source, folders = tree(tmp_path / "source", {UPSTREAM: JUDGE}), set()
    for name in ("One", "Other"):
        new = {UPSTREAM.replace("TrecJudge", name): f"package {PACKAGE};\nclass Grade {{}}\n"}
        patch = diff(tmp_path / name, {}, new)
        found = shadow("lucene-benchmark 8.8.1", lucene, Proposal(patches=(patch,), source=source))
        folders.add(found.installation.environment[SHADOW])
    assert len(folders) == 2


@pytest.mark.parametrize("edit", ["edited", "added", "emptied"])
def test_a_shadow_that_was_edited_is_made_again(lucene: Installation, tmp_path: Path, edit: str) -> None:
    proposal = Proposal(replacements=(java(tmp_path, JUDGE),))
    folder = Path(shadow("lucene-benchmark 8.8.1", lucene, proposal).installation.environment[SHADOW])
    before = hashes(folder)
    if edit == "emptied":
        (folder / UNIT).unlink()
    else:
        (folder / UNIT).with_name("TrecJudge.java" if edit == "edited" else "Other.java").write_text("class Other {}")
    shadow("lucene-benchmark 8.8.1", lucene, proposal)
    assert hashes(folder) == before
    assert list(folder.parent.iterdir()) == [folder]


def test_a_cache_that_cannot_be_written_is_told(lucene: Installation, own_cache: Path, tmp_path: Path) -> None:
    own_cache.mkdir(exist_ok=True)
    (own_cache / "shadows").write_text("a file where a folder should be")
    with pytest.raises(CacheFolderError, match="shadows"):
        shadow("lucene-benchmark 8.8.1", lucene, Proposal(replacements=(java(tmp_path, JUDGE),)))


@pytest.mark.parametrize(("major", "language"), [(51, 8), (52, 8), (55, 11), (65, 21)])
def test_a_shadow_is_in_the_java_of_its_jar_and_8_at_least(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, major: int, language: int
) -> None:
    jar = tmp_path / "lucene-benchmark.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr(UNIT.replace(".java", ".class"), java_file.CLASS_FILE + bytes([0, 0, 0, major]))
    assert adapter_of(Installation("1.0", {CLASSPATH: str(jar)}), monkeypatch).language_of_jar() == language


# --- before the jar --------------------------------------------------------------------------------------------


@pytest.fixture
def real(own_cache: Path) -> Subject:  # noqa: ARG001
    """Return the newest release, with a cache for shadows alone."""
    return SUBJECTS[0]


@pytest.fixture(autouse=True)
def untouched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hash the jars before and after every test that runs what is in them."""
    if "real" not in request.fixturenames:
        yield
        return
    jars = [Path(part) for part in SUBJECTS[0].installation.environment[CLASSPATH].split(os.pathsep)]
    was = hashes(*jars)
    yield
    assert hashes(*jars) == was


def before_the_jar(real: Subject, *files: Path) -> Subject:
    found = shadow(real.title, real.installation, Proposal(replacements=files))
    return replace(real, installation=found.installation)


def asked(subject: Subject, limits: Limits, *grades: str) -> Json:
    with Executor(subject, limits) as executor:
        return executor.one("judge_tokens", (grades,))


@needs_lucene
def test_the_class_that_is_given_answers_and_the_worker_proves_it(real: Subject, tmp_path: Path) -> None:
    jars = [Path(jar) for jar in real.installation.environment[CLASSPATH].split(os.pathsep)]
    before = hashes(*jars)
    subject = before_the_jar(real, java(tmp_path, FIXED))
    with Executor(subject, PATIENT) as executor:
        hello = executor.start()
        assert executor.one("judge_tokens", (("0",),)) == [1, 1]
    assert hello.platform["TrecJudge"] == "shadow"
    assert hello.modules[0].name == "shadow"
    assert subject.title == f"{real.title}+patch.{hashlib.sha256(FIXED.encode()).hexdigest()[:8]}"
    assert subject.key() != real.key()
    assert hashes(*jars) == before


@needs_lucene
def test_an_edit_of_the_file_is_a_shadow_of_its_own(real: Subject, tmp_path: Path) -> None:
    answers = []
    for reading in ("true", "false"):
        file = java(tmp_path, JUDGE.replace(READING, reading))
        answers.append(asked(before_the_jar(real, file), PATIENT, "1"))
    assert answers == [[1, 1], [0, 0]]


@needs_lucene
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (JUDGE.replace(READING, "maybe"), r"TrecJudge\.java:\d+: error: cannot find symbol"),
        (JUDGE.replace("Judge {", "Juge {", 1), "cannot find symbol"),
        (f"{JUDGE}}}", "error"),
        (
            f"package {PACKAGE}; // \\u000a class Other {{}} /*\npublic class TrecJudge {{}}\n// \\u002a/\n",
            "should declare the class",
        ),
    ],
)
def test_what_does_not_compile_is_refused_with_the_words_of_javac(
    real: Subject, tmp_path: Path, text: str, reason: str
) -> None:
    file = java(tmp_path, text)
    with pytest.raises(PatchError, match=reason) as caught:
        before_the_jar(real, file)
    assert len(str(caught.value)) < 1200
    assert "tmp" not in str(caught.value).partition("refused: ")[2]


@needs_lucene
def test_a_compiler_that_takes_too_long_is_ended(real: Subject, tmp_path: Path) -> None:
    slow = tmp_path / "javac"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    adapter = tmp_path / "adapter.py"
    adapter.write_text(ADAPTER.read_text().replace("PATIENCE = 120", "PATIENCE = 1"))
    environment = {
        **real.installation.environment,
        "RANKDIFF_LUCENE_JAVAC": str(slow),
        SHADOW: str(java(tmp_path / "java", JUDGE).parent),
    }
    done = subprocess.run([sys.executable, str(adapter)], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"{slow} gave no answer within 1 s\n"


@needs_lucene
def test_a_class_that_is_not_in_front_of_the_jar_is_noticed(real: Subject, tmp_path: Path) -> None:
    source = ADAPTER.read_text()
    behind = source.replace("[(SHADOW, before), *entries]", "[*entries, (SHADOW, before)]")
    assert behind != source
    shutil.copy(ADAPTER.with_name("Probe.java"), tmp_path)
    (tmp_path / "adapter.py").write_text(behind)
    subject = before_the_jar(real, java(tmp_path / "java", FIXED))
    broken = replace(subject, mode=replace(REAL, adapter=tmp_path / "adapter.py"))
    with Executor(broken, PATIENT) as executor, pytest.raises(WorkerFailedToStartError, match="was not picked up"):
        executor.start()


@needs_lucene
def test_every_class_of_a_shadow_has_to_be_loaded_from_it(real: Subject, tmp_path: Path) -> None:
    inner = JUDGE.replace("implements Judge {", "implements Judge {\n  static class Inner {}\n")
    subject = before_the_jar(real, java(tmp_path, inner))
    with pytest.MonkeyPatch.context() as patch:
        adapter = adapter_of(subject.installation, patch)
        names = adapter.shadowed()
        assert names == [f"{PACKAGE}.TrecJudge$Inner", f"{PACKAGE}.TrecJudge"]
        where = dict.fromkeys(names, str(adapter.shadow()))
        adapter.require_shadow(where)
        for name in names:
            with pytest.raises(adapter.Unusable, match=r"was loaded from /a\.jar: the shadow was not picked up"):
                adapter.require_shadow({**where, name: "/a.jar"})


def adapter_of(installation: Installation, patch: pytest.MonkeyPatch) -> Any:
    """Return an adapter in this process that reads an installation's environment."""
    for name, value in installation.environment.items():
        patch.setenv(name, value)
    spec = importlib.util.spec_from_file_location("rankdiff_adapter", ADAPTER)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@needs_lucene
def test_several_classes_are_compiled_together(real: Subject, tmp_path: Path) -> None:
    query = """
        package org.apache.lucene.benchmark.quality;
        public class QualityQuery {
          public QualityQuery(String id, java.util.Map<String, String> pairs) {}
          public String getQueryID() { return "q"; }
          public static final int NEW = 1;
        }
    """
    judge = JUDGE.replace(READING, "QualityQuery.NEW == 1")
    files = (java(tmp_path, judge), java(tmp_path, textwrap.dedent(query), "QualityQuery.java"))
    assert asked(before_the_jar(real, *files), PATIENT, "0") == [1, 1]


def with_initialiser(text: str) -> str:
    return JUDGE.replace("implements Judge {", f"implements Judge {{\n  static {{ {text} }}\n")


@needs_lucene
@pytest.mark.parametrize(
    ("initialiser", "kind", "how"),
    [
        ('if (true) throw new IllegalStateException("no");', "raises", "ExceptionInInitializerError"),
        ("System.exit(7);", "crashed", "the JVM ended with exit 7"),
        (
            "long[][] all = new long[1 << 20][]; for (int i = 0; i < all.length; i++) all[i] = new long[1 << 20];",
            "raises",
            "Error",
        ),
    ],
)
def test_a_class_that_throws_exits_or_allocates_without_end_is_an_outcome(
    real: Subject, tmp_path: Path, initialiser: str, kind: str, how: str
) -> None:
    found = asked(before_the_jar(real, java(tmp_path, with_initialiser(initialiser))), PATIENT, "1")
    assert isinstance(found, dict)
    assert how in str(found[kind])


@needs_lucene
def test_a_class_that_hangs_is_an_outcome(real: Subject, tmp_path: Path) -> None:
    hanging = before_the_jar(real, java(tmp_path, with_initialiser("while (Math.random() < 2) Thread.yield();")))
    assert asked(hanging, HASTY, "1") == {"hung": HASTY.first_call}


@needs_lucene
def test_what_a_class_prints_is_no_answer(real: Subject, tmp_path: Path) -> None:
    printing = with_initialiser('System.out.println("0\\tR\\t0\\t0");')
    assert asked(before_the_jar(real, java(tmp_path, printing)), PATIENT, "1") == [1, 1]


@needs_lucene
def test_a_class_that_writes_into_the_answers_is_not_believed(real: Subject, tmp_path: Path) -> None:
    garbling = with_initialiser(
        "try { new java.io.FileOutputStream(java.io.FileDescriptor.out).write(65); } catch (IOException e) {}"
    )
    subject = before_the_jar(real, java(tmp_path, garbling))
    with Executor(subject, HASTY) as executor, pytest.raises(Exception, match="an answer") as caught:
        executor.one("judge_tokens", (("1",),))
    assert caught.type.__name__ in ("BrokenAdapterError", "WorkerFailedToStartError")


@needs_lucene
def test_two_runs_at_once_make_the_same_shadow(real: Subject, tmp_path: Path) -> None:
    proposal = Proposal(replacements=(java(tmp_path, JUDGE),))
    with ThreadPoolExecutor(2) as both:
        runs = [both.submit(shadow, real.title, real.installation, proposal) for _ in range(2)]
    [one, other] = [run.result().installation for run in runs]
    assert one == other
    folder = Path(one.environment[SHADOW])
    assert hashes(folder.parent) == {folder / UNIT: hashlib.sha256(JUDGE.encode()).hexdigest()}
