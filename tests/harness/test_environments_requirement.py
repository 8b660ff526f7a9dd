"""What a user writes is a release, a wheel, a checkout or a repository, and says so in its text; or it is refused."""

from pathlib import Path

import pytest

from environments import CHECKOUT, wheel
from harness.environments.requirement import Archive, Checkout, Release, Repository, distribution_name, parse
from harness.errors import BadRequirementError
from trees import lay_out

URL = "https://example.org/a/doubler"


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


def test_a_checkout_may_have_a_setup_file_alone(tmp_path: Path) -> None:
    assert distribution_name(str(lay_out(tmp_path, {"setup.py": ""}))) is None


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
