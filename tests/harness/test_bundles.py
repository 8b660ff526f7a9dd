"""A bundle holds its fix, where it was confirmed, and comes as a zip file; it is kept only when all of it holds."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import doubler
import miniature
from doubler import OTHERWISE_AT_13, RIGHT_AT_13, Tree
from harness import cli, registry
from harness.bundles import proving, writing
from harness.environments.environment import Wanted
from harness.errors import NotInstalledError, UnusableError
from harness.installation import Installation, Unreleased
from harness.library import Library, Mode
from harness.progress import Progress
from harness.subject import require_installed

SCHEMAS = Path(cli.__file__).with_name("schema")

pytestmark = pytest.mark.usefixtures("own_cache")

Bundled = Callable[..., int]

ENTRY = """\
schema = 1

[[known]]
case = "mini/double"
versions = ">=1.0"
cause = "another value"
upstream = "unreported"
says = "13 is not doubled"
review = 2100-01-01
fix = ["{fix}"]
counts = [{{ domain = "from ten", parameters = {{}}, mismatches = {{ 1 = 1 }} }}]
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return doubler.library(tmp_path, doubler.thirteen())


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, library: Library) -> Bundled:
    """Return a function that bundles what the doubler does with 13, in the test's folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, of: Library = library) -> int:
        monkeypatch.setattr(registry, "libraries", lambda: [of])
        return cli.main(["bundle", "mini/double", "--out", "out", *arguments])

    return run


def patch(changed: Tree, name: str = "mend.patch") -> str:
    return str(doubler.patch(Path.cwd(), changed, name))


def held(name: str) -> Any:
    return json.loads(Path("out", name).read_text())


def left() -> list[str]:
    """Return what is there of a bundle, whole or not."""
    return [path.name for path in Path.cwd().iterdir() if path.name.startswith(("out", ".rankdiff"))]


def valid(name: str) -> Any:
    found = held(f"{name}.json")
    jsonschema.validate(found, json.loads((SCHEMAS / f"{name}.schema.json").read_text()))
    return found


def test_a_fix_is_put_in_with_what_it_does(bundled: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    mend = patch(RIGHT_AT_13)
    assert bundled("--fix", mend) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "README.md",
        "consequence.svg",
        "environment.json",
        "finding.json",
        "fix.patch",
        "repro.py",
    ]
    assert Path("out/fix.patch").read_bytes() == Path(mend).read_bytes()
    fix = valid("finding")["fix"]
    assert fix["patches"] == ["mend.patch"]
    assert fix["transitions"] == {"fixed": 1, "unchanged": 9}
    assert f"With {fix['subject']} the script shows nothing.\n" in capsys.readouterr().out


def test_several_patches_are_one_fix(bundled: Bundled) -> None:
    assert bundled("--fix", patch(OTHERWISE_AT_13), "--fix", patch(doubler.UNUSED, "two.patch")) == 2
    both = [patch(RIGHT_AT_13), patch(doubler.UNUSED, "two.patch")]
    assert bundled("--fix", both[0], "--fix", both[1]) == 0
    assert [Path("out", f"fix-{k}.patch").read_bytes() for k in (1, 2)] == [Path(one).read_bytes() for one in both]


def test_a_bundle_without_a_fix_has_none(bundled: Bundled) -> None:
    assert bundled() == 0
    assert "fix" not in valid("finding")
    assert not Path("out/fix.patch").exists()


def test_where_it_was_confirmed_is_told_without_paths(bundled: Bundled, tmp_path: Path) -> None:
    assert bundled() == 0
    found = valid("environment")
    assert set(found["modules"]) == {"doubler", "doubler.core", "doubler.arithmetic"}
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))
    assert str(tmp_path) not in Path("out/environment.json").read_text()


def test_a_fix_that_does_not_mend_it_is_refused_and_leaves_nothing(
    bundled: Bundled, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bundled("--fix", patch(OTHERWISE_AT_13)) == 2
    err = capsys.readouterr().err
    assert "the script should end with OK and status 0 with doubler 1.0+patch." in err
    assert "but ended with 'DEFECT PRESENT' and status 1; no bundle was written" in err
    assert left() == []


@pytest.mark.parametrize("fix", ["nowhere.patch", "out"])
def test_a_fix_that_is_none_is_refused_and_leaves_nothing(
    bundled: Bundled, capsys: pytest.CaptureFixture[str], fix: str
) -> None:
    assert bundled("--fix", fix) == 2
    assert f"the patch {fix} cannot be read" in capsys.readouterr().err
    assert left() == []


def test_what_cannot_be_patched_has_no_fix(
    bundled: Bundled, library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = replace(library, modes=tuple(replace(mode, shadow=None) for mode in library.modes))
    assert bundled("--fix", patch(RIGHT_AT_13), of=bare) == 2
    assert "doubler 1.0 in the mode plain cannot be patched" in capsys.readouterr().err
    assert left() == []


# --- the fix that the ledger names -------------------------------------------------------------------------------


def test_the_fix_that_the_ledger_names_is_the_usual_one(bundled: Bundled, library: Library) -> None:
    patch(RIGHT_AT_13)
    library.ledger.write_text(ENTRY.format(fix="mend.patch"))
    assert bundled() == 0
    assert valid("finding")["fix"]["patches"] == ["mend.patch"]


def test_a_fix_of_another_cause_is_not_taken(bundled: Bundled, library: Library) -> None:
    patch(RIGHT_AT_13)
    library.ledger.write_text(ENTRY.format(fix="mend.patch").replace("another value", "another cause"))
    assert bundled() == 0
    assert "fix" not in valid("finding")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ENTRY.format(fix="gone.patch"), "10: expected a patch that is there, found"),
        (ENTRY.format(fix="x").replace('["x"]', '"x"'), "10: expected a list of patches such as"),
        (ENTRY.format(fix="x").replace('["x"]', "[1]"), "10: expected a list of patches such as"),
    ],
)
def test_a_ledger_that_names_no_fix_is_broken(
    bundled: Bundled, library: Library, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    library.ledger.write_text(text)
    assert bundled() == 2
    assert says in capsys.readouterr().err
    assert left() == []


# --- a zip file --------------------------------------------------------------------------------------------------


def test_a_zip_file_holds_the_folder(bundled: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    assert bundled("--zip") == 0
    with zipfile.ZipFile("out.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    assert files == {f"out/{path.name}": path.read_bytes() for path in Path("out").iterdir()}
    assert "out.zip\n" in capsys.readouterr().out


def test_a_zip_file_that_is_there_is_not_overwritten(bundled: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    Path("out.zip").write_text("mine")
    assert bundled("--zip") == 2
    assert "out.zip exists already" in capsys.readouterr().err
    assert Path("out.zip").read_text() == "mine"
    assert left() == ["out.zip"]


def test_what_cannot_be_written_is_told_and_leaves_nothing(
    bundled: Bundled, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    assert bundled("--fix", patch(RIGHT_AT_13)) == 2
    assert "out cannot be written (No space left on device)" in capsys.readouterr().err
    assert left() == []


def test_a_folder_that_cannot_be_made_is_told(bundled: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").write_text("mine")
    assert bundled("--out", "file/out") == 2
    assert "file/out cannot be written" in capsys.readouterr().err
    assert Path("file").read_text() == "mine"


def test_an_older_folder_comes_back_where_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "out", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / folder.name).touch()
    usual = Path.rename

    def rename(self: Path, target: Path) -> Path:
        if self == new:
            raise OSError(28, "No space left on device")
        return usual(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(OSError, match="No space left"):
        writing._put(new, old)
    assert [path.name for path in old.iterdir()] == ["out"]


# --- an environment of its own -----------------------------------------------------------------------------------


@pytest.fixture
def afresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Wanted]:
    """Have no installer run: the environment that is made holds the doubler; return what was wanted."""
    asked: list[Wanted] = []

    def obtain(wanted: Wanted, mode: Mode, _: Library, __: Progress) -> Installation:
        assert mode.distribution == "doubler"
        asked.append(wanted)
        if not (tmp_path / "other").exists():
            raise UnusableError("doubler==1.0 cannot be installed: no network")
        return doubler.installed(tmp_path / "other")

    monkeypatch.setattr(proving, "obtain", obtain)
    return asked


def test_the_script_is_run_in_an_environment_of_its_own(bundled: Bundled, afresh: list[Wanted], tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert bundled("--fresh") == 0
    assert [one.spec for one in afresh] == ["doubler==1.0"]
    assert bundled("--fresh", "--out", "out2") == 0


def test_an_environment_that_cannot_be_made_is_told_and_leaves_nothing(
    bundled: Bundled, afresh: list[Wanted], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bundled("--fresh") == 2
    assert "doubler==1.0 cannot be installed: no network" in capsys.readouterr().err
    assert left() == []
    assert len(afresh) == 1


def test_what_only_our_own_environment_shows_is_refused(
    bundled: Bundled, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def mended(*_: object) -> Installation:
        found = doubler.installed(tmp_path / "other")
        core = found.packages["doubler"] / "core.py"
        core.write_text(core.read_text().replace("return 13.0", "return 26.0"))
        return found

    monkeypatch.setattr(proving, "obtain", mended)
    assert bundled("--fresh") == 2
    assert "in an environment made from its header, but ended with 'OK'" in capsys.readouterr().err
    assert left() == []


def test_what_is_no_distribution_has_no_environment(
    bundled: Bundled, library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = tuple(replace(mode, is_distribution=False) for mode in library.modes)
    assert bundled("--fresh", of=replace(library, modes=programs)) == 2
    assert "an environment cannot be made from the header" in capsys.readouterr().err


# --- what is no release -------------------------------------------------------------------------------------------

HASH = "0123456789abcdef" * 4
CHECKOUT = Unreleased("checkout", HASH)
COMMIT = Unreleased("git repository", "c" * 40, f"doubler @ git+https://example.org/doubler@{'c' * 40}")


def unreleased(library: Library, what: Unreleased) -> Library:
    """Return the library as it is had with `--subject ../mine`, which is no release."""
    [found] = library.modes[0].find()
    here = replace(found, origin="../mine", options=("--subject", "../mine"), unreleased=what)
    return replace(library, modes=tuple(replace(mode, find=lambda: [here]) for mode in library.modes))


def by_version(library: Library) -> Library:
    """Return the library with a script that leaves it to us to say what it depends on."""
    [case] = library.cases
    usual = case.script
    return replace(library, cases=(replace(case, script=lambda x: replace(usual(x), dependencies=None)),))


def test_a_bundle_about_a_checkout_accuses_no_release(bundled: Bundled, library: Library) -> None:
    assert bundled(of=unreleased(by_version(library), CHECKOUT)) == 0
    script, report = Path("out/repro.py").read_text(), Path("out/README.md").read_text()
    assert script.splitlines()[:3] == ["# /// script", '# requires-python = ">=3.9"', "# dependencies = []"]
    assert "doubler==1.0 would be the release" in " ".join(script.replace("\n# ", " ").split())
    assert '"""mini/double in doubler 1.0, a checkout:' in script
    assert report.startswith("# doubler 1.0, a checkout: ")
    assert "doubler==1.0" not in report
    assert "`uv run repro.py` does not get it" in report
    assert "(`rankdiff replay mini/double finding.json --subject CHECKOUT`)" in report
    found_in = f"It was found in a checkout (SHA-256 {HASH}) of doubler that calls itself 1.0, not in the release"
    for text in (report, " ".join(script.split())):
        assert found_in in text
        assert "mine" not in text
    described = {"distribution": "doubler", "version": "1.0", "unreleased": {"kind": "checkout", "content": HASH}}
    assert valid("environment")["subject"] == described
    assert valid("finding")["subject"]["unreleased"] == described["unreleased"]
    assert "mine" not in Path("out/environment.json").read_text()


def test_a_bundle_about_a_commit_that_anybody_gets_names_it(
    bundled: Bundled, library: Library, afresh: list[Wanted], tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    assert bundled("--fresh", of=unreleased(by_version(library), COMMIT)) == 0
    assert [one.spec for one in afresh] == [COMMIT.requirement]
    assert Path("out/repro.py").read_text().splitlines()[2] == f'# dependencies = ["{COMMIT.requirement}"]'
    report = Path("out/README.md").read_text()
    assert "`uv run repro.py` gets it, from where the script names it." in report
    assert f"finding.json --subject '{COMMIT.requirement}'`" in report


@pytest.mark.parametrize("kind", ["checkout", "wheel"])
def test_what_no_header_can_name_has_no_environment_made_from_it(
    bundled: Bundled, library: Library, afresh: list[Wanted], capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    assert bundled("--fresh", of=unreleased(library, Unreleased(kind, HASH))) == 2
    said = capsys.readouterr().err
    assert "with --fresh, a release was expected, or a commit that anybody gets by https" in said
    assert f"doubler 1.0, a {kind}, cannot be named there, and doubler==1.0 would be the release. Leave --fresh" in said
    assert left() == []
    assert afresh == []


def test_a_release_that_was_asked_for_by_another_text_is_made_afresh_by_its_version(
    bundled: Bundled, library: Library, afresh: list[Wanted], tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    [found] = library.modes[0].find()
    dated = replace(found, origin="doubler as of 2022-12-01", options=("--subject", "doubler"))
    assert bundled("--fresh", of=replace(library, modes=(replace(library.modes[0], find=lambda: [dated]),))) == 0
    assert [one.spec for one in afresh] == ["doubler==1.0"]
    assert "(`rankdiff replay mini/double finding.json --subject doubler==1.0`)" in Path("out/README.md").read_text()


def test_bundles_of_a_release_and_of_a_checkout_with_its_number_are_two(library: Library) -> None:
    [case] = library.cases
    names = [
        writing.usual_name(require_installed(one), case)
        for one in (library, unreleased(library, CHECKOUT), unreleased(library, COMMIT))
    ]
    assert names == ["doubler-1.0-double", "doubler-1.0-checkout-double", "doubler-1.0-git-repository-double"]


def test_the_script_of_a_bundle_runs_by_itself(bundled: Bundled, tmp_path: Path) -> None:
    assert bundled() == 0
    environment = {"PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run(
        [sys.executable, "out/repro.py"], capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "DEFECT PRESENT")
    assert "observed:   13.0" in done.stdout
    assert miniature.Number(13)._asdict() == held("finding.json")["input"]


# --- every known divergence --------------------------------------------------------------------------------------


@pytest.fixture
def all_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bundled:
    """Return a function that bundles what the ledgers of libraries know."""
    monkeypatch.chdir(tmp_path)

    def run(*libraries: Library) -> int:
        monkeypatch.setattr(registry, "libraries", lambda: list(libraries))
        return cli.main(["bundle", "--all", "--out", "reports"])

    return run


def test_every_known_divergence_is_bundled_over_an_older_bundle(
    all_of: Bundled, library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("reports/doubler-1.0-double").mkdir(parents=True)
    Path("reports/doubler-1.0-double/old.txt").touch()
    Path("reports/README.md").write_text("# Reports\n\nold")
    patch(RIGHT_AT_13)
    library.ledger.write_text(ENTRY.format(fix="mend.patch"))
    right = replace(doubler.DOUBLE, name="mini/other")
    assert all_of(replace(library, cases=(*library.cases, right))) == 0
    assert capsys.readouterr().out == "mini/double: reports/doubler-1.0-double\nreports/README.md\n"
    assert sorted(path.name for path in Path("reports").iterdir()) == ["README.md", "doubler-1.0-double"]
    assert not Path("reports/doubler-1.0-double/old.txt").exists()
    assert Path("reports/doubler-1.0-double/fix.patch").exists()


def test_an_older_bundle_is_kept_where_the_new_one_does_not_hold(
    all_of: Bundled, library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("reports/doubler-1.0-double").mkdir(parents=True)
    Path("reports/doubler-1.0-double/old.txt").touch()
    patch(OTHERWISE_AT_13)
    library.ledger.write_text(ENTRY.format(fix="mend.patch"))
    assert all_of(library) == 2
    assert "rankdiff: mini/double: the script should end with OK" in capsys.readouterr().err
    assert [path.name for path in Path("reports/doubler-1.0-double").iterdir()] == ["old.txt"]
    assert sorted(path.name for path in Path("reports").iterdir()) == ["README.md", "doubler-1.0-double"]


def test_what_is_not_installed_is_told_and_no_failure(
    all_of: Bundled, library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    patch(RIGHT_AT_13)
    library.ledger.write_text(ENTRY.format(fix="mend.patch"))
    absent = miniature.failing(NotInstalledError("doubler is not installed"))
    gone = tuple(replace(mode, find=absent) for mode in library.modes)
    assert all_of(replace(library, modes=gone)) == 0
    assert "mini/double: not written:" in capsys.readouterr().out


def test_the_library_itself_is_preferred_to_a_model_of_it(all_of: Bundled, library: Library) -> None:
    patch(RIGHT_AT_13)
    library.ledger.write_text(ENTRY.format(fix="mend.patch"))
    plain, quick = library.modes
    model = replace(quick, name="model", is_model=True, is_counted=True)
    assert all_of(replace(library, modes=(model, plain))) == 0
    assert json.loads(Path("reports/doubler-1.0-double/finding.json").read_text())["subject"]["mode"] == "plain"
    absent = replace(plain, find=miniature.failing(NotInstalledError("doubler is not installed")))
    assert all_of(replace(library, modes=(model, absent))) == 0
    assert json.loads(Path("reports/doubler-1.0-double/finding.json").read_text())["subject"]["mode"] == "model"


@pytest.mark.parametrize(
    "more",
    [
        ["mini/double"],
        ["--fix", "x"],
        ["--mode", "plain"],
        ["--subject", "doubler"],
        ["--cause", "x"],
        ["--qrels", "x"],
    ],
)
def test_all_is_all(
    library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    monkeypatch.setattr(registry, "libraries", lambda: [library])
    assert cli.main(["bundle", "--all", *more]) == 2
    assert "with --all, no case" in capsys.readouterr().err


def test_one_is_asked_for(
    library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "libraries", lambda: [library])
    assert cli.main(["bundle"]) == 2
    assert "a case was expected, or --all" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["[]", "{", '{"case": "mini/double"}'])
def test_what_is_no_finding_is_not_listed_as_one(
    all_of: Bundled, library: Library, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    Path("reports/mine").mkdir(parents=True)
    Path("reports/mine/finding.json").write_text(text)
    Path("reports/README.md").write_text("# Reports\n\nold")
    assert all_of(library) == 2
    assert "reports/mine/finding.json should hold a finding, and does not" in capsys.readouterr().err
    assert Path("reports/README.md").read_text() == "# Reports\n\nold"


def test_another_page_in_the_folder_is_not_overwritten(
    all_of: Bundled, library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("reports").mkdir()
    Path("reports/README.md").write_text("mine")
    assert all_of(library) == 2
    assert "reports/README.md lists no bundles, and would be overwritten" in capsys.readouterr().err
    assert Path("reports/README.md").read_text() == "mine"


def test_all_wants_a_folder(
    library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("README.md").write_text("mine")
    monkeypatch.setattr(registry, "libraries", lambda: [library])
    assert cli.main(["bundle", "--all"]) == 2
    assert "with --all, --out DIR was expected" in capsys.readouterr().err
    assert Path("README.md").read_text() == "mine"
