"""What a user writes is a release, a wheel, a checkout or a repository, and says so in its text; or it is refused."""

import argparse
import hashlib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from environments import CHECKOUT, Stub, obtained, wheel
from harness.commands.options import add_subject
from harness.environments import checkout, environment, interpreters
from harness.environments.recipe import part
from harness.environments.requirement import Archive, Checkout, Release, Repository, distribution_name, parse
from harness.environments.unreleased import found as found_by
from harness.errors import BadRequirementError
from harness.installation import Installation, Unreleased, distribution
from harness.progress import Progress
from trees import lay_out

URL = "https://example.org/a/doubler"
COMMIT = "c0ffee" * 6 + "c0ff"


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("Doubler==1.0", "doubler"),
        (" doubler_of.numbers [fast] >= 1 ", "doubler-of-numbers"),
        ("Doubler @ git+https://example.org/x", "doubler"),
        ("git+https://example.org/x#subdirectory=a&egg=Doubler", "doubler"),
        ("git+https://example.org/doubler", None),
        ("https://example.org/doubler-1.0-py3-none-any.whl", "doubler"),
        ("https://example.org/main.zip", None),
    ],
)
def test_a_text_says_the_normalised_name_or_that_only_installing_can_tell(spec: str, name: str | None) -> None:
    assert distribution_name(spec) == name


@pytest.mark.parametrize(
    ("spec", "is_pinned"),
    [
        ("doubler==1.0", True),
        ("doubler===1.0", True),
        ("doubler>0,==1.0", True),
        ("doubler", False),
        ("doubler==1.*", False),
        ("doubler>=1.0", False),
        ("https://example.org/doubler-1.0-py3-none-any.whl", False),
    ],
)
def test_a_release_is_pinned_by_an_equality_without_wildcard(spec: str, is_pinned: bool) -> None:  # noqa: FBT001
    assert parse(spec) == Release(spec, "doubler", is_pinned)


@pytest.mark.parametrize(
    ("target", "url", "revision", "fragment"),
    [
        (f"git+{URL}", URL, None, ""),
        (f"git+{URL}@feature/one", URL, "feature/one", ""),
        (f"git+{URL}@v1#subdirectory=python", URL, "v1", "subdirectory=python"),
        ("git+ssh://git@example.org/doubler", "ssh://git@example.org/doubler", None, ""),
        ("git+file:///a@b/doubler@main", "file:///a@b/doubler", "main", ""),
    ],
)
def test_a_repository_has_a_url_and_a_revision(target: str, url: str, revision: str | None, fragment: str) -> None:
    assert parse(target) == Repository(url, revision, fragment, "", None)
    assert parse(f"doubler[x]@{target}") == Repository(url, revision, fragment, "doubler[x] @ ", "doubler")


def test_a_wheel_is_named_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = wheel(tmp_path)
    monkeypatch.chdir(tmp_path)
    expected = Archive(path, "", "doubler")
    assert parse(str(path)) == parse(path.as_uri()) == parse(f"./{path.name}") == parse(path.name) == expected
    assert parse(f"doubler[x] @ {path.as_uri()}") == Archive(path, "doubler[x] @ ", "doubler")


def test_a_source_distribution_may_have_any_name(tmp_path: Path) -> None:
    named, unnamed = tmp_path / "Doubler-1.0.tar.gz", tmp_path / "main.zip"
    named.touch()
    unnamed.touch()
    assert distribution_name(str(named)) == "doubler"
    assert distribution_name(str(unnamed)) is None


def test_a_checkout_is_named_by_its_project_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = lay_out(tmp_path / "tree", {**CHECKOUT, "pyproject.toml": "[project]\nname = 'Doubler_2'\n"})
    monkeypatch.chdir(folder.parent)
    monkeypatch.setenv("HOME", str(tmp_path))
    expected = Checkout(folder, "", "doubler-2")
    assert parse("./tree") == parse(str(folder)) == parse("~/tree") == parse(folder.as_uri()) == expected
    monkeypatch.chdir(folder)
    assert parse(".") == expected


def test_a_word_is_a_release_though_a_folder_has_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path / "doubler", CHECKOUT)
    monkeypatch.chdir(tmp_path)
    assert isinstance(parse("doubler"), Release)


@pytest.mark.parametrize("text", ["", "[project]\ndynamic = ['name']\n", "[tool.x]\n"])
def test_a_checkout_whose_project_file_has_no_name_is_named_by_installing(tmp_path: Path, text: str) -> None:
    assert distribution_name(str(lay_out(tmp_path, {"pyproject.toml": text}))) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", None),
        ("from setuptools import setup\nsetup(version='1', name='Doubler_2')\n", "doubler-2"),
        ("import setuptools\nif True:\n    setuptools.setup(name='doubler', **more)\n", "doubler"),
        ("raise SystemExit\nsetup(name='doubler')", "doubler"),
        ("setup(name=NAME)", None),
        ("setup(**fields)", None),
        ("Extension(name='fast')\nsetup()", None),
        ("setup(name='doubler'", None),
        ("\0", None),
    ],
)
def test_a_checkout_with_a_setup_file_alone_is_named_by_what_stands_there_and_nothing_is_run(
    tmp_path: Path, text: str, name: str | None
) -> None:
    assert distribution_name(str(lay_out(tmp_path, {"setup.py": text}))) == name
    lay_out(tmp_path, {"pyproject.toml": "[build-system]\nrequires = []\n"})
    assert distribution_name(str(tmp_path)) == name


@pytest.mark.parametrize(
    ("spec", "requirement"),
    [
        (f"git+{URL}@{COMMIT}", f"doubler @ git+{URL}@{COMMIT}"),
        (f"doubler[x] @ git+{URL}@{COMMIT}#subdirectory=a", f"doubler @ git+{URL}@{COMMIT}#subdirectory=a"),
        (f"git+https://me:secret@example.org/a@{COMMIT}", f"doubler @ git+https://example.org/a@{COMMIT}"),
        (f"git+ssh://git@example.org/doubler@{COMMIT}", ""),
        (f"git+file:///home/me/doubler@{COMMIT}", ""),
    ],
)
def test_a_commit_is_no_release_and_anybody_can_get_it_by_https(spec: str, requirement: str) -> None:
    assert unreleased(spec) == Unreleased("git repository", COMMIT, requirement)


def test_what_lies_on_this_machine_is_no_release_and_known_by_its_content(tmp_path: Path) -> None:
    tree = lay_out(tmp_path / "tree", CHECKOUT)
    content = checkout.content(tree, checkout.sources(tree))
    assert unreleased(str(tree)) == unreleased(f"doubler @ {tree}") == Unreleased("checkout", content)
    file = wheel(tmp_path)
    assert unreleased(str(file)) == Unreleased("wheel", hashlib.sha256(file.read_bytes()).hexdigest())
    sources = tmp_path / "doubler-1.0.tar.gz"
    sources.touch()
    assert unreleased(str(sources)) == Unreleased("source distribution", hashlib.sha256(b"").hexdigest())


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ("doubler==1.0", None),
        ("doubler[x]", None),
        (f"{URL}.zip", Unreleased("download", requirement=f"doubler @ {URL}.zip")),
        ("x @ http://example.org/x.zip", Unreleased("download")),
    ],
)
def test_a_release_of_an_index_is_one_and_a_file_from_elsewhere_is_not(spec: str, found: Unreleased | None) -> None:
    assert unreleased(spec) == found


def unreleased(spec: str) -> Unreleased | None:
    """Return what a requirement leads to, where that is no release; a full commit is not looked up."""
    return found_by(spec, part(spec, Progress(bars=False)), "doubler")


@pytest.mark.parametrize(
    ("spec", "options", "kind"),
    [
        ("doubler==1.0", {}, None),
        (f"git+https://me:secret@example.org/a@{COMMIT}", {"python": "3.10"}, "git repository"),
        ("doubler", {"exclude_newer": date(2022, 12, 1), "extras": ("pytest",)}, None),
    ],
)
@pytest.mark.usefixtures("own_cache")
def test_what_is_obtained_knows_the_options_that_name_it_and_what_it_is(
    monkeypatch: pytest.MonkeyPatch, spec: str, options: dict[str, Any], kind: str | None
) -> None:
    monkeypatch.setattr(environment, "_interpreters", lambda *_: [interpreters.ours()])
    monkeypatch.setattr(environment, "_obtained", lambda *_: Installation("1.0"))
    found = obtained(spec, Stub(), **options)
    assert "secret" not in " ".join(found.options)
    command = argparse.ArgumentParser()
    add_subject(command)
    parsed = command.parse_args(found.options)
    assert (parsed.subject, parsed.python) == (spec.replace("me:secret@", ""), options.get("python"))
    assert parsed.exclude_newer == options.get("exclude_newer")
    assert (found.unreleased and found.unreleased.kind) == kind


PLACE = "file:///home/me/doubler"
INSTALLED = {
    "": None,
    '{"url": "%s", "dir_info": {"editable": true}}' % PLACE: Unreleased("checkout"),  # noqa: UP031 - braces
    '{"url": "%s-1.0-py3-none-any.whl", "archive_info": {"hashes": {"sha256": "f00"}}}' % PLACE: (  # noqa: UP031
        Unreleased("wheel", "f00")
    ),
    '{"url": "%s-1.0.tar.gz", "archive_info": {}}' % PLACE: Unreleased("source distribution"),  # noqa: UP031
    '{"url": "%s.zip", "archive_info": {}}' % URL: Unreleased("download", "", f"doubler @ {URL}.zip"),  # noqa: UP031
    '{"url": "%s", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}, "subdirectory": "a"}' % URL: (  # noqa: UP031
        Unreleased("git repository", "c0ffee", f"doubler @ git+{URL}@c0ffee#subdirectory=a")
    ),
    '{"url": "%s", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}}' % PLACE: (  # noqa: UP031
        Unreleased("git repository", "c0ffee")
    ),
    "{": None,
}


@pytest.mark.parametrize("said", INSTALLED)
def test_what_our_own_environment_has_from_elsewhere_than_an_index_is_no_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    metadata = "Metadata-Version: 2.1\nName: doubler\nVersion: 1.0\n"
    info = lay_out(tmp_path / "doubler-1.0.dist-info", {"METADATA": metadata, "direct_url.json": said})
    monkeypatch.syspath_prepend(str(tmp_path))
    [found] = distribution("doubler")()
    assert (found.version, found.unreleased) == ("1.0", INSTALLED[said])
    lay_out(info, {"INSTALLER": "conda\n"})  # whose packages say where their own build had them from
    assert distribution("doubler")()[0].unreleased is None


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "  ",
        "doubler 1.0",
        "doubler==",
        "--index-url=x",
        "--index-url=https://example.org/simple",
        "--target=/elsewhere/://doubler",
        "--editable=file:///elsewhere/doubler",
        "doubler @ --log=/elsewhere://x",
        "https://example.org/doubler.zip --pre",
        "-e .",
        "doubler\n--pre",
        "git+example.org",
        "git+https://x",
    ],
)
def test_what_is_no_requirement_is_refused_with_what_is_expected(spec: str) -> None:
    with pytest.raises(BadRequirementError, match=r"is no requirement.*expected a release such as .* or a git URL"):
        parse(spec)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("./nothing", "there is no file or folder"),
        ("doubler @ nothing", "there is no file or folder"),
        ("nothing-1.0-py3-none-any.whl", "there is no file or folder"),
        ("./empty", "has neither pyproject.toml nor setup.py"),
        ("./notes.txt", "is neither a wheel nor a source distribution"),
        ("./doubler.whl", "the file name of a wheel says name, version and tags"),
        ("./broken", "pyproject.toml cannot be read: .*line 1"),
        ("git+https://example.org/x@--upload-pack=y", "a revision is a branch, a tag or a commit"),
    ],
)
def test_a_file_that_cannot_be_installed_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str, reason: str
) -> None:
    (tmp_path / "empty").mkdir()
    lay_out(tmp_path, {"notes.txt": "", "doubler.whl": "", "broken/pyproject.toml": "= 3"})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadRequirementError, match=reason):
        parse(spec)
