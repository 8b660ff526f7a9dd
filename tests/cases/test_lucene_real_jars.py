"""Java and the benchmark jars are found, and every failure says what was found and what to do; no Java is run."""

import os
import shutil
import struct
import zipfile
from pathlib import Path

import pytest

from cases.lucene.real.jars import (
    JUDGE,
    STATISTICS,
    JarTooNewError,
    Java,
    NoClassesError,
    NoJarError,
    NoJavacError,
    NoJavaError,
    NoSuchPathError,
    NotAJarError,
    adapter_environment,
    attributes,
    find_java,
    find_releases,
    java_version,
    read_release,
    require_runnable,
)


def jar(path: Path, specification: str = "8.8.1", major: int = 52, implementation: str = "8.8.1-4 buildd") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = struct.pack(">IHH", 0xCAFEBABE, 0, major)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "META-INF/MANIFEST.MF",
            f"Manifest-Version: 1.0\r\nSpecification-Version: {specification}\r\n"
            f"Implementation-Version: {implementation}\r\n\r\nName: other\r\nSpecification-Version: 0\r\n",
        )
        archive.writestr(JUDGE, head + b"rest")
        archive.writestr(STATISTICS, head + b"rest")
    return path


def program(path: Path, says: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    path.chmod(0o755)
    return path


def jdk(home: Path, version: str = "17.0.15") -> Path:
    program(home / "bin" / "java")
    program(home / "bin" / "javac")
    (home / "release").write_text(f'IMPLEMENTOR="X"\nJAVA_VERSION="{version}"\n')
    return home


NOWHERE = Path("/nowhere/at/all")


# --- jars ------------------------------------------------------------------------------------------------------


def test_a_named_jar_comes_alone(tmp_path: Path) -> None:
    named = jar(tmp_path / "mine.jar")
    jar(tmp_path / "system" / "lucene-benchmark-9.9.1.jar", "9.9.1")
    [found] = find_releases({"RANKDIFF_LUCENE_JAR": str(named)}, system=tmp_path / "system")
    assert found.jar == named.resolve()


def test_several_named_jars_are_sorted_by_release(tmp_path: Path) -> None:
    names = [str(jar(tmp_path / f"{v}.jar", v)) for v in ("8.8.1", "10.0.0", "3.6.2")]
    found = find_releases({"RANKDIFF_LUCENE_JAR": os.pathsep.join(names)}, system=NOWHERE)
    assert [release.version for release in found] == ["3.6.2", "8.8.1", "10.0.0"]


def test_the_folder_of_debian_is_searched(tmp_path: Path) -> None:
    jar(tmp_path / "lucene-benchmark-8.7.0.jar")
    jar(tmp_path / "lucene3-benchmark-3.6.2.jar", "3.6.2")
    assert [release.version for release in find_releases({}, system=tmp_path)] == ["3.6.2", "8.8.1"]


def test_the_cache_is_searched_at_any_depth(tmp_path: Path) -> None:
    jar(tmp_path / "liblucene8-java" / "usr" / "share" / "java" / "lucene-benchmark-8.7.0.jar")
    assert [release.version for release in find_releases({}, cache=tmp_path, system=NOWHERE)] == ["8.8.1"]


def test_a_jar_under_two_names_counts_once(tmp_path: Path) -> None:
    jar(tmp_path / "lucene3-benchmark-3.6.2.jar", "3.6.2")
    (tmp_path / "lucene3-benchmark.jar").symlink_to("lucene3-benchmark-3.6.2.jar")
    assert len(find_releases({}, system=tmp_path)) == 1


def test_two_copies_of_a_jar_count_once(tmp_path: Path) -> None:
    first = jar(tmp_path / "system" / "lucene-benchmark-8.7.0.jar")
    copy = tmp_path / "cache" / "lucene-benchmark-8.7.0.jar"
    copy.parent.mkdir()
    shutil.copy(first, copy)
    [found] = find_releases({}, cache=tmp_path / "cache", system=tmp_path / "system")
    assert found.jar == first.resolve()


def test_a_dangling_link_and_a_jar_of_sources_are_passed_over(tmp_path: Path) -> None:
    jar(tmp_path / "lucene-benchmark-8.7.0.jar")
    (tmp_path / "lucene-benchmark-8.x.jar").symlink_to("gone.jar")
    (tmp_path / "lucene-benchmark-8.7.0-sources.jar").write_bytes(b"no classes")
    assert len(find_releases({}, system=tmp_path)) == 1


def test_the_manifest_is_believed_and_not_the_name(tmp_path: Path) -> None:
    release = read_release(jar(tmp_path / "lucene-benchmark-8.7.0.jar", "8.8.1"))
    assert (release.version, release.implementation) == ("8.8.1", "8.8.1-4 buildd")


def test_without_a_specification_version_the_implementation_is_asked(tmp_path: Path) -> None:
    assert read_release(jar(tmp_path / "x.jar", "", implementation="9.9.1 abc")).version == "9.9.1"


def test_a_manifest_line_goes_on_after_a_blank() -> None:
    text = "Implementation-Version: 4.10.4 built 10:\n 29:09\nX: y\n\nName: part\nX: z\n"
    assert attributes(text) == {"Implementation-Version": "4.10.4 built 10:29:09", "X": "y"}


@pytest.mark.parametrize(("major", "java"), [(51, 7), (52, 8), (65, 21)])
def test_the_class_file_says_which_java_is_needed(tmp_path: Path, major: int, java: int) -> None:
    release = read_release(jar(tmp_path / "x.jar", major=major))
    assert (release.class_major, release.needs_java) == (major, java)


def test_the_jars_of_the_same_release_are_found_beside_it(tmp_path: Path) -> None:
    found = jar(tmp_path / "lucene-benchmark-8.7.0.jar")
    for name in ("lucene-core-8.7.0.jar", "lucene-analyzers-common-8.7.0.jar", "lucene-core-4.10.4.jar"):
        (tmp_path / name).touch()
    names = [path.name for path in read_release(found).siblings]
    assert names == ["lucene-core-8.7.0.jar", "lucene-analyzers-common-8.7.0.jar"]


def test_a_jar_of_the_same_release_is_found_in_another_package(tmp_path: Path) -> None:
    jar(tmp_path / "contrib" / "lucene3-benchmark-3.6.2.jar", "3.6.2")
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "lucene3-core-3.6.2.jar").touch()
    [release] = find_releases({}, cache=tmp_path, system=NOWHERE)
    assert [path.name for path in release.siblings] == ["lucene3-core-3.6.2.jar"]


def test_no_jar_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(NoJarError, match=r"expected in .* there is none; .*liblucene8-java.*RANKDIFF_LUCENE_JAR"):
        find_releases({}, cache=tmp_path, system=NOWHERE)


def test_a_named_path_that_does_not_exist_is_refused() -> None:
    with pytest.raises(NoSuchPathError, match="RANKDIFF_LUCENE_JAR names /nowhere/at/all"):
        find_releases({"RANKDIFF_LUCENE_JAR": str(NOWHERE)})


def test_a_file_that_is_no_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jar"
    path.write_bytes(b"no zip")
    with pytest.raises(NotAJarError, match=r"a jar \(a zip file\) was expected at .*x\.jar"):
        find_releases({"RANKDIFF_LUCENE_JAR": str(path)})


def test_a_jar_whose_class_is_none_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.jar", "w") as archive:
        archive.writestr(JUDGE, b"text")
        archive.writestr(STATISTICS, b"text")
    with pytest.raises(NotAJarError, match="a class file was expected"):
        read_release(tmp_path / "x.jar")


def test_a_jar_without_the_classes_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "lucene-core.jar", "w") as archive:
        archive.writestr("other", b"")
    with pytest.raises(NoClassesError, match=r"TrecJudge\.class was expected in .*lucene-core\.jar"):
        read_release(tmp_path / "lucene-core.jar")


# --- Java ------------------------------------------------------------------------------------------------------


def test_java_is_named_by_its_home(tmp_path: Path) -> None:
    home = jdk(tmp_path / "jdk")
    assert find_java({"RANKDIFF_JAVA": str(home)}) == Java(home / "bin/java", home / "bin/javac", "17.0.15")


def test_java_is_named_by_its_binary(tmp_path: Path) -> None:
    home = jdk(tmp_path / "jdk")
    assert find_java({"RANKDIFF_JAVA": str(home / "bin" / "java")}).java == home / "bin" / "java"


def test_our_own_variable_comes_before_the_home_and_the_path(tmp_path: Path) -> None:
    first, second, third = (jdk(tmp_path / name) for name in "abc")
    names = {"RANKDIFF_JAVA": str(first), "JAVA_HOME": str(second), "PATH": str(third / "bin")}
    assert find_java(names).java == first / "bin" / "java"
    del names["RANKDIFF_JAVA"]
    assert find_java(names).java == second / "bin" / "java"
    del names["JAVA_HOME"]
    assert find_java(names).java == third / "bin" / "java"


def test_a_home_without_java_is_passed_over(tmp_path: Path) -> None:
    home = jdk(tmp_path / "jdk")
    assert find_java({"JAVA_HOME": str(NOWHERE), "PATH": str(home / "bin")}).java == home / "bin" / "java"


def test_javac_is_looked_for_beside_the_java_that_a_link_leads_to(tmp_path: Path) -> None:
    home = jdk(tmp_path / "jdk")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").symlink_to(home / "bin" / "java")
    found = find_java({"PATH": str(tmp_path / "bin")})
    assert found == Java(tmp_path / "bin" / "java", home.resolve() / "bin" / "javac", "17.0.15")


def test_a_java_that_was_named_and_is_not_there_is_refused() -> None:
    with pytest.raises(NoSuchPathError, match="RANKDIFF_JAVA is /nowhere/at/all"):
        find_java({"RANKDIFF_JAVA": str(NOWHERE)})


def test_no_java_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(NoJavaError, match=r"there is none; install a JDK .* or set RANKDIFF_JAVA"):
        find_java({"PATH": str(tmp_path)})


def test_a_java_without_a_compiler_is_refused(tmp_path: Path) -> None:
    (jdk(tmp_path) / "bin" / "javac").unlink()
    with pytest.raises(NoJavacError, match=r"javac was expected beside .*java or on the PATH"):
        find_java({"RANKDIFF_JAVA": str(tmp_path), "PATH": str(NOWHERE)})


def test_without_a_release_file_java_is_asked_its_version(tmp_path: Path) -> None:
    assert java_version(program(tmp_path / "bin" / "java", 'openjdk version "1.8.0_392"')) == "1.8.0_392"


def test_a_java_that_does_not_say_its_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoJavaError, match="a version was expected"):
        java_version(program(tmp_path / "bin" / "java", "hello"))


@pytest.mark.parametrize(("version", "feature"), [("1.8.0_392", 8), ("17.0.15", 17), ("21", 21), ("22-ea", 22)])
def test_a_java_is_known_by_one_number(version: str, feature: int) -> None:
    assert Java(NOWHERE, NOWHERE, version).feature == feature


def test_a_jar_that_is_too_new_says_which_java_it_needs(tmp_path: Path) -> None:
    release = read_release(jar(tmp_path / "x.jar", "10.0.0", major=65))
    require_runnable(release, Java(NOWHERE, NOWHERE, "21.0.8"))
    with pytest.raises(JarTooNewError, match=r"Lucene 10\.0\.0\) needs Java 21 or newer, and .* is Java 17\.0\.15"):
        require_runnable(release, Java(NOWHERE, NOWHERE, "17.0.15"))


def test_the_adapter_is_told_all_that_it_asks_for(tmp_path: Path) -> None:
    found = jar(tmp_path / "lucene-benchmark-8.7.0.jar")
    core = tmp_path / "lucene-core-8.7.0.jar"
    core.touch()
    java = Java(Path("/j/java"), Path("/j/javac"), "17")
    assert adapter_environment(read_release(found), java, Path("/c"), shadow=Path("/s")) == {
        "RANKDIFF_LUCENE_JAVA": "/j/java",
        "RANKDIFF_LUCENE_JAVAC": "/j/javac",
        "RANKDIFF_LUCENE_CLASSPATH": f"{found}{os.pathsep}{core}",
        "RANKDIFF_LUCENE_CLASSES": "/c",
        "RANKDIFF_LUCENE_SHADOW": "/s",
    }
