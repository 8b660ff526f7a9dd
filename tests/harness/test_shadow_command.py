"""``rankdiff shadow`` as a person or a program uses it, and ``--subject`` of the other commands."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import doubler
from doubler import CORE, DOUBLE, RIGHT_AT_13, WORDS, WRONG_AT_7, Tree
from harness import chosen, cli, registry
from harness.environments.environment import Wanted
from harness.errors import UnknownCaseError, UnusableError
from harness.installation import Installation
from harness.library import Library, Mode
from harness.progress import Progress
from trees import hashes

Rankdiff = Callable[..., int]

SCHEMA = json.loads(Path(cli.__file__).with_name("schema").joinpath("shadow.schema.json").read_text())

pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def rankdiff(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Rankdiff:
    """Return a function that runs the command line with the doubler, in the test's folder."""
    monkeypatch.chdir(tmp_path)
    library = doubler.library(tmp_path)

    def run(*arguments: str, of: Library = library) -> int:
        monkeypatch.setattr(registry, "libraries", lambda: [of])
        return cli.main(arguments)

    return run


def patch(changed: Tree, name: str = "fix.patch") -> str:
    return str(doubler.patch(Path.cwd(), changed, name))


def test_a_fix_ends_with_0_and_says_what_it_does(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("shadow", "mini/double", patch(RIGHT_AT_13)) == 0
    out, err = capsys.readouterr()
    assert out.startswith("doubler 1.0 -> 1.0+patch.")
    assert "  changes   src/doubler/core.py\n" in out
    assert "                  still\n          inputs  wrong  fixed  unchanged\n" in out
    assert "  double      40      1      1         38\n" in out
    assert "  double, still wrong: the number 5: documented a refusal (ValueError), before and after 10\n" in out
    assert out.endswith("Makes 1 input of 1 contract right, and breaks no promise; 1 input still wrong.\n")
    assert err == ""


def test_what_breaks_ends_with_1(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("shadow", "mini", patch({**RIGHT_AT_13, **WRONG_AT_7})) == 1
    out = capsys.readouterr().out
    assert "  double, broken: the number 7: documented 14, before 14.0, after 15\n" in out
    assert out.endswith("Breaks mini/double, and makes 1 input of 1 contract right.\n")


def test_what_is_documentation_only_ends_with_1(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("shadow", "mini", patch(WORDS)) == 1
    assert "Documentation only: nothing else changes." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changed", "status", "conclusion"),
    [(RIGHT_AT_13, 0, "fixes"), (WRONG_AT_7, 1, "breaks"), (WORDS, 1, "documentation only")],
)
def test_the_same_for_programs(
    changed: Tree,
    status: int,
    conclusion: str,
    rankdiff: Rankdiff,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert rankdiff("shadow", "mini", patch(changed), "--json", "--mode", "quick") == status
    said = json.loads(capsys.readouterr().out)
    jsonschema.validate(said, SCHEMA)
    assert said["exit_status"] == status
    [one] = said["comparisons"]
    assert one["conclusion"] == conclusion
    assert one["after"]["version"] == "1.0"
    assert one["after"]["label"] == f"1.0+patch.{one['after']['patches'][0]}"
    assert one["after"]["patches"] != one["before"]["patches"] == []
    assert all(confirmed["confirmed"] for confirmed in one["confirmations"])
    [case] = one["cases"]
    assert sum(case["transitions"].values()) == 40
    assert case["smallest"]["still wrong"]["after"]["verdict"] == "differs"


def test_what_does_not_start_ends_with_2_and_by_the_schema(
    rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = patch(doubler.edit("src/doubler/core.py", "def double", "raise OSError('no')\n\n\ndef double"))
    assert rankdiff("shadow", "mini", broken, "--json") == 2
    said = json.loads(capsys.readouterr().out)
    jsonschema.validate(said, SCHEMA)
    assert "OSError: no" in said["comparisons"][0]["obstacles"][0]
    assert rankdiff("shadow", "mini", broken) == 2
    out = capsys.readouterr().out
    assert "could not be judged: doubler 1.0+patch." in out
    assert "does not start: OSError: no" in " ".join(out.split())
    assert out.endswith("It could not be judged.\n")


def test_several_patches_apply_in_order(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("shadow", "mini", patch(RIGHT_AT_13), patch(WRONG_AT_7, "break.patch")) == 1
    assert "changes   src/doubler/arithmetic.py, src/doubler/core.py" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["shadow", "mini"], "a patch was expected"),
        (["shadow", "mini", "nowhere.patch"], "nowhere.patch"),
        (["shadow", "nothing", "nowhere.patch"], "a case or a library was expected, not 'nothing'"),
        (["shadow", "mini", "nowhere.patch", "--mode", "odd"], "mini has the mode plain or quick, not 'odd'"),
        (["shadow", "mini", "--java", "X.java"], "is for a library in Java"),
        (["shadow", "mini", "nowhere.patch", "--python", "3.10"], "--python and --exclude-newer are about --subject"),
        (["check", "--exclude-newer", "2022-12-01"], "--python and --exclude-newer are about --subject"),
        (["check", "--subject", "ranx==0.3.14"], "a subject that there are cases for was expected (doubler)"),
        (["check", "other", "--subject", "doubler"], "a case or a library was expected, not 'other'"),
        (["check", "--subject", "dou bler"], "dou bler"),
    ],
)
def test_bad_input_ends_with_2_and_says_what_was_expected(
    arguments: list[str], says: str, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    was = hashes(tmp_path / "site")
    assert rankdiff(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rankdiff: ")
    assert says in err
    assert hashes(tmp_path / "site") == was


@pytest.mark.parametrize("day", ["tomorrow", "9999-12-31", "0001-01-01", ""])
def test_a_day_is_asked_for(day: str, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        rankdiff("check", "--subject", "doubler", "--exclude-newer", day)
    assert ended.value.code == 2
    assert f"a day such as 2022-12-01 was expected, not {day!r}" in capsys.readouterr().err


def test_a_relative_cache_folder_is_one(
    rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKDIFF_CACHE", "here")
    assert rankdiff("shadow", "mini", patch(RIGHT_AT_13)) == 0
    capsys.readouterr()
    monkeypatch.setenv("RANKDIFF_CACHE", "he:re")
    assert rankdiff("shadow", "mini", patch(RIGHT_AT_13)) == 2
    assert "a folder whose path has no ':'" in capsys.readouterr().err


def test_an_interrupt_ends_with_2_and_tells_what_was_seen(tmp_path: Path) -> None:
    line = "    if n == 13:\n"
    slow = doubler.edit(CORE, line, f"    import time; time.sleep(100 * (n > 0))\n{line}")
    program = (
        "import signal, sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]); import doubler; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "  # a background job of a shell ignores it
        "from harness import cli, registry; library = doubler.library(Path.cwd()); "
        "registry.libraries = lambda: [library]; sys.exit(cli.main(['shadow', 'mini', sys.argv[2]]))"
    )
    path = doubler.patch(tmp_path, slow)
    tests = str(Path(__file__).parents[1])
    with subprocess.Popen(
        [sys.executable, "-c", program, tests, str(path)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        shadows = Path(os.environ["RANKDIFF_CACHE"]) / "shadows"
        while not list(shadows.glob("*/rankdiff.json")):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=240)
    assert process.returncode == 2, out
    assert "interrupted" in out


# --- a subject that the user names -------------------------------------------------------------------------------


@pytest.fixture
def obtained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Wanted]:
    """Have no installer run: whatever is wanted is the doubler, of release 2.0; return what was wanted."""
    asked: list[Wanted] = []

    def obtain(wanted: Wanted, mode: Mode, library: Library, progress: Progress) -> Installation:
        assert mode.distribution == "doubler"
        assert library.name == "mini"
        assert not progress.bars
        asked.append(wanted)
        if "9.9" in wanted.spec:
            raise UnusableError("doubler 9.9 cannot be installed: there is no version 9.9")
        return replace(doubler.installed(tmp_path / "other"), version="1.0", origin=wanted.spec)

    monkeypatch.setattr(chosen, "obtain", obtain)
    return asked


@pytest.fixture
def installable(tmp_path: Path) -> Library:
    library = doubler.library(tmp_path)
    return replace(library, modes=tuple(replace(mode, is_distribution=True) for mode in library.modes))


def test_a_subject_is_shadowed(
    rankdiff: Rankdiff, obtained: list[Wanted], installable: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--subject", "doubler==1.0", "--python", "3.10", "--exclude-newer", "2022-12-01", "--json"]
    assert rankdiff("shadow", "mini", patch(RIGHT_AT_13), *arguments, of=installable) == 0
    said = json.loads(capsys.readouterr().out)
    jsonschema.validate(said, SCHEMA)
    assert said["comparisons"][0]["before"]["origin"] == "doubler==1.0"
    assert [(one.spec, one.python, str(one.exclude_newer), one.extras) for one in obtained] == [
        ("doubler==1.0", "3.10", "2022-12-01", ())
    ]


def test_a_subject_is_checked_replayed_and_bundled(
    rankdiff: Rankdiff, obtained: list[Wanted], installable: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    of: dict[str, Any] = {"of": installable}
    assert rankdiff("check", "--subject", "doubler==1.0", "--examples", "0", **of) == 1
    assert "doubler 1.0 (doubler==1.0), plain" in capsys.readouterr().out
    assert rankdiff("replay", "mini/double", "13", "--subject", "doubler==1.0", **of) == 1
    assert "observed    13" in capsys.readouterr().out
    assert rankdiff("bundle", "mini/double", "--subject", "doubler==1.0", **of) == 2  # its script runs packaging
    assert len(obtained) == 3


def test_a_subject_that_cannot_be_had_cannot_run(
    rankdiff: Rankdiff, obtained: list[Wanted], installable: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff("check", "mini", "--subject", "doubler==9.9", of=installable) == 2
    out = capsys.readouterr().out
    assert "cannot run   double" in out
    assert "could not be done: doubler 9.9 cannot be installed: there is no version 9.9" in out
    assert rankdiff("shadow", "mini", patch(RIGHT_AT_13), "--subject", "doubler==9.9", of=installable) == 2
    assert "there is no version 9.9" in capsys.readouterr().err
    arguments = ["shadow", "mini", patch(RIGHT_AT_13), "--subject", "doubler==9.9", "--json"]
    assert rankdiff(*arguments, of=installable) == 2
    said = json.loads(capsys.readouterr().out)
    jsonschema.validate(said, SCHEMA)
    assert "there is no version 9.9" in said["obstacle"]
    assert said["comparisons"] == []
    assert obtained


def test_a_subject_that_does_not_say_what_it_is_is_of_the_library_that_is_named(tmp_path: Path) -> None:
    mini = doubler.library(tmp_path)
    other = replace(mini, name="other")
    wanted = Wanted("git+https://example.org/something")
    silent = Progress(bars=False)
    assert chosen.library_at([mini, other], wanted, ["other/double"], silent).name == "other"
    with pytest.raises(UnknownCaseError, match="does not say which library it is; name mini or other too"):
        chosen.library_at([mini, other], wanted, [], silent)


def test_a_subject_leaves_other_modes_and_their_cases_out(tmp_path: Path) -> None:
    library = doubler.library(tmp_path, DOUBLE, replace(DOUBLE, name="mini/only-quick", modes=("quick",)))
    plain, quick = library.modes
    library = replace(library, modes=(plain, replace(quick, is_distribution=False)))
    found = chosen.library_at([library], Wanted("doubler==1.0"), [], Progress(bars=False))
    assert [mode.name for mode in found.modes] == ["plain"]
    assert [case.name for case in found.cases] == ["mini/double"]


def test_the_first_mode_that_is_there_is_the_usual_one(tmp_path: Path) -> None:
    case = replace(DOUBLE, modes=("gone", "quick"))
    assert doubler.library(tmp_path, case).usual_mode(case).name == "quick"
