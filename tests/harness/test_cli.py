"""The command line, as a person or a program uses it."""

import contextlib
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import termios
import textwrap
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import strategies as st

import matrices
import miniature
from harness import cli, registry
from harness.case import Script
from harness.expected import Unspecified
from harness.installation import Unreleased
from harness.library import Library
from harness.progress import Progress
from harness.subject import require_installed

SCHEMAS = Path(cli.__file__).with_name("schema")
HERE = Path(__file__).parents[1]

Make = Callable[..., Library]
Rankdiff = Callable[..., int]


@pytest.fixture
def rankdiff(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Rankdiff:
    """Return a function that runs the command line with a given library, in the test's folder."""
    monkeypatch.chdir(tmp_path)

    def run(library: Library, *arguments: str) -> int:
        monkeypatch.setattr(registry, "libraries", lambda: [library])
        return cli.main(arguments)

    return run


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text())


def test_what_a_subject_does_not_offer_is_told_once(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    case = miniature.case("unsupported")
    hunted = replace(case, beyond=st.builds(miniature.Number, st.integers(100, 200)))
    few = replace(hunted, domains=(*case.domains, miniature.numbers(7, "few")))
    assert rankdiff(mini(few, replace(miniature.case("right"), beyond=None)), "check") == 0
    out = capsys.readouterr().out
    assert "unsupported  47 inputs of 2 domains\n" in out
    assert "because      this subject does not double\n" in out
    assert "beyond" not in out
    assert "none gone; 1 contract unsupported." in out


def test_a_clean_check_ends_with_0(mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff(mini(miniature.case("right")), "check") == 0
    out = capsys.readouterr().out
    assert "39 of 40 inputs, 1 unspecified (numbers, up_to 40)" in out
    assert "As the ledger says: 0 known divergences, none new, none gone." in out


def test_a_new_divergence_ends_with_1_and_says_what_to_do(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(miniature.case("tripled")), "check") == 1
    out = capsys.readouterr().out
    assert '37 of 40 inputs, every one follows "tripling"' in out
    assert "the number 1: documented 2, observed 3" in out
    assert "repro.py: confirmed in a fresh process" in out
    assert "Next: rankdiff bundle mini/tripled" in out


def test_the_smallest_input_of_each_cause_is_shown(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(miniature.case("raises_at_2_and_triples")), "check") == 1
    shown = [
        line.split("smallest", 1)[1].strip() for line in capsys.readouterr().out.splitlines() if "smallest" in line
    ]
    assert shown == [
        "the number 1: documented 2, observed 3",
        "the number 2: documented 4, observed ZeroDivisionError: two",
    ]


def test_what_nothing_promises_is_shown_with_the_readings_that_it_follows(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    case = miniature.case("tripled", expected=lambda _: Unspecified("nobody says"))
    assert rankdiff(mini(case), "check") == 0
    assert 'unspecified  40 inputs, 39 follow "tripling" (numbers, up_to 40)' in capsys.readouterr().out


def test_no_progress_bar_goes_to_a_pipe(mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    rankdiff(mini(miniature.case("right")), "check")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "call",
    [
        "right",
        "tripled",
        "raises_at_2_and_triples",
        "raises_at_13",
        "loses_its_process_at_13",
        "half_a_character",
        "nothing",
        "unsupported",
        "ends_always",
    ],
)
def test_json_holds_to_its_schema(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], call: str
) -> None:
    status = rankdiff(mini(miniature.case(call, beyond=miniature.big_numbers())), "check", "--json")
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema("report"))
    assert document["exit_status"] == status
    [certificate] = document["certificates"]
    assert sum(certificate["verdicts"].values()) == certificate["inputs"]
    assert sum(level["inputs"] for level in certificate["by_size"]) == certificate["inputs"]


def test_json_of_a_library_that_is_not_there_holds_to_the_schema_too(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library = mini(miniature.case("right"), distribution="no-such-distribution")
    assert rankdiff(library, "check", "--json") == 2
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema("report"))
    assert document["certificates"][0]["status"] == "not_run"


def test_json_names_the_smallest_input_with_both_values(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    rankdiff(mini(miniature.case("tripled")), "check", "--json")
    [certificate] = json.loads(capsys.readouterr().out)["certificates"]
    assert certificate["smallest"] == {
        "index": 1,
        "input": {"n": 1},
        "expected": {"shown": "2", "exact": "2"},
        "observed": {"shown": "3", "hex": "0x1.8000000000000p+1"},
        "verdict": "differs",
        "follows": ["tripling"],
        "cause": "tripling",
    }


def test_a_saved_finding_holds_to_its_schema(mini: Make, rankdiff: Rankdiff, tmp_path: Path) -> None:
    library = mini(miniature.case("tripled"), miniature.case("ends_at_13"))
    rankdiff(library, "check", "--findings", str(tmp_path / "elsewhere"))
    files = list((tmp_path / "elsewhere").glob("*/finding.json"))
    assert len(files) == 2
    for file in files:
        jsonschema.validate(json.loads(file.read_text()), schema("finding"))


def test_the_schemas_are_schemas() -> None:
    for path in SCHEMAS.glob("*.json"):
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))


def test_an_unknown_case_is_refused_with_the_nearest_names(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(miniature.case("tripled")), "check", "mini/trippled") == 2
    err = capsys.readouterr().err
    assert "expected, not 'mini/trippled'; did you mean mini/tripled" in err


def test_a_case_without_its_library_is_recognised(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(miniature.case("tripled")), "check", "tripled") == 2
    assert "did you mean mini/tripled" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["check", "mini"], ["check", "mini/right"], ["check", "--require", "mini"]])
def test_what_is_asked_for_and_not_installed_ends_with_2(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    library = mini(miniature.case("right"), distribution="no-such-distribution")
    assert rankdiff(library, *arguments) == 2
    assert "no-such-distribution is not installed" in capsys.readouterr().out


def test_a_library_that_does_not_import_ends_with_2_and_the_reason(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library = mini(miniature.case("right"), adapter="adapter_that_does_not_import.py")
    assert rankdiff(library, "check") == 2
    out = capsys.readouterr().out
    assert "cannot run" in out
    assert "'a_module_that_is_not_there'" in out


def test_a_library_that_nobody_knows_has_no_page(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    library = mini(miniature.case("right"))
    assert rankdiff(library, "report", "minni", "other") == 2
    assert "a library was expected, not 'minni' or 'other'; did you mean mini?" in capsys.readouterr().err
    path = matrices.write(tmp_path / "other.json", matrices.document(library="other"))
    assert rankdiff(library, "report", "other", "--from", str(path)) == 0


def test_a_broken_ledger_ends_with_2_before_anything_runs(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(miniature.case("hangs_always"), ledger="schema = 1\n[[known]]\n"), "check") == 2
    assert "known.toml:2: expected a key" in capsys.readouterr().err


def test_findings_that_cannot_be_written_end_with_2(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    assert rankdiff(mini(miniature.case("tripled")), "check", "--findings", "file/below") == 2
    assert "name another folder with --findings DIR" in capsys.readouterr().err


def test_an_unknown_mode_ends_with_2(mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff(mini(miniature.case("right")), "check", "--mode", "turbo") == 2
    assert "mini has the mode plain or odd, not 'turbo'" in capsys.readouterr().err


def test_a_count_of_examples_below_0_is_refused(mini: Make, rankdiff: Rankdiff) -> None:
    with pytest.raises(SystemExit) as ended:
        rankdiff(mini(miniature.case("right")), "check", "--examples", "-1")
    assert ended.value.code == 2


@pytest.mark.usefixtures("own_cache")
def test_a_bar_is_drawn_at_a_terminal(tmp_path: Path) -> None:
    ledger = tmp_path / "known.toml"
    ledger.write_text(miniature.EMPTY_LEDGER)
    program = textwrap.dedent(PROGRAM).format(tests=str(HERE), ledger=str(ledger))
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 140))  # a terminal without a width has no room for a bar
    with subprocess.Popen(
        [sys.executable, "-c", program, "check", "mini/always-wrong"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        drawn = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while part := os.read(ours, 4096):
                drawn += part
    os.close(ours)
    assert process.returncode == 1
    assert b"mini/always-wrong: numbers, up_to 40" in drawn
    assert b"inputs/s" in drawn


@pytest.mark.parametrize(("columns", "beside"), [(40, "%|"), (80, "%|"), (100, "17412"), (140, "inputs/s]")])
def test_a_bar_has_room_and_what_it_waits_for_stands_on_its_own_line(
    columns: int, beside: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    title, reason = "mini/tripled: judged rankings, length 3, unjudged 0", "it may compile, for a minute"
    with Progress(bars=True).counting(title, 17412, reason):
        pass
    first, second, *_ = re.split(r"[\r\n]+", capsys.readouterr().err.replace("\x1b[A", "").strip("\r\n"))
    _, bar, *_ = first.split("|")
    assert len(first) <= columns
    assert len(bar) >= 10
    assert beside in first
    assert second == reason


def test_nothing_run_is_not_called_as_the_ledger_says(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(miniature.case("right"), distribution="no-such-distribution"), "check") == 2
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "could not be done: nothing was run: no library is installed that was to be tested",
        "The run could not be done.",
    ]


def test_an_input_is_replayed_by_its_index(mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff(mini(miniature.case("tripled")), "replay", "mini/tripled", "7") == 1
    assert "the number 7" in capsys.readouterr().out
    assert rankdiff(mini(miniature.case("tripled")), "replay", "mini/tripled", "40") == 2
    assert "an index from 0 to 39 was expected, not 40" in capsys.readouterr().err


def test_cases_are_listed_with_their_sources(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(miniature.case("right")), "cases") == 0
    assert capsys.readouterr().out == (
        'mini/right\n    a number is doubled, and 5 is refused\n    source: tests/miniature.py\n    input: {"n": 12}\n'
    )
    assert rankdiff(mini(miniature.case("right")), "cases", "--json") == 0
    assert json.loads(capsys.readouterr().out)["cases"][0]["case"] == "mini/right"


def test_a_single_input_is_replayed(mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff(mini(miniature.case("tripled")), "replay", "mini/tripled", '{"n": 4}', '{"n": 0}') == 1
    out = capsys.readouterr().out
    assert "documented  8" in out
    assert "observed    12" in out
    assert "ratio       1.5" in out
    assert 'differs, follows "tripling"' in out
    assert "agrees" in out


def test_a_saved_finding_is_replayed(mini: Make, rankdiff: Rankdiff, tmp_path: Path) -> None:
    library = mini(miniature.case("tripled"))
    rankdiff(library, "check")
    [path] = tmp_path.glob("rankdiff-findings/*/finding.json")
    assert rankdiff(library, "replay", "mini/tripled", str(path)) == 1


def had_by(library: Library, *options: str, **fields: Any) -> Library:
    """Return the library as it is had with options."""
    here = replace(library.modes[0].find()[0], origin=options[1], options=options, **fields)
    return replace(library, modes=tuple(replace(mode, find=lambda: [here]) for mode in library.modes))


CHECKOUT = Unreleased("checkout", "f" * 64)


def test_the_next_command_is_about_what_was_tested(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library = had_by(mini(miniature.case("tripled")), "--subject", "packaging @ ../my x", "--python", "3.10")
    assert rankdiff(library, "check") == 1
    named = "--subject 'packaging @ ../my x' --python 3.10"
    assert f"Next: rankdiff bundle mini/tripled {named}\n" in capsys.readouterr().out
    assert rankdiff(library, "check", "--mode", "odd") == 1
    assert f"Next: rankdiff bundle mini/tripled --mode odd {named}\n" in capsys.readouterr().out


def test_a_finding_about_a_checkout_is_replayed_with_a_word_about_it(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    library = mini(miniature.case("tripled"))
    of_checkout = had_by(library, "--subject", "../my x", unreleased=CHECKOUT)
    rankdiff(of_checkout, "check")
    [path] = tmp_path.glob("rankdiff-findings/packaging-*-checkout-tripled-*/finding.json")
    jsonschema.validate(json.loads(path.read_text()), schema("finding"))
    capsys.readouterr()
    assert rankdiff(library, "replay", "mini/tripled", str(path)) == 1
    said = capsys.readouterr().err
    assert f"a checkout ({'f' * 64}), and what was run is packaging" in said
    assert "; to run what it is about: --subject '../my x'" in said
    assert rankdiff(of_checkout, "replay", "mini/tripled", str(path)) == 1
    assert capsys.readouterr().err == ""
    changed = had_by(of_checkout, "--subject", "../my x", unreleased=Unreleased("checkout", "e" * 64))
    assert rankdiff(changed, "replay", "mini/tripled", str(path)) == 1
    assert capsys.readouterr().err.endswith(f", a checkout ({'e' * 64})\n")


def test_a_finding_in_another_release_is_replayed_with_a_word_about_it(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    subject = {"distribution": "packaging", "version": "0.9", "patches": [], "mode": "plain"}
    finding = json.dumps({"case": "mini/tripled", "input": {"n": 4}, "subject": subject})
    assert rankdiff(mini(miniature.case("tripled")), "replay", "mini/tripled", finding) == 1
    assert "the finding is about packaging 0.9, and what was run is packaging" in (said := capsys.readouterr().err)
    assert "--subject packaging==0.9" in said


ACCEPT = ("ledger", "--accept", "mini/tripled", "--upstream", "unreported", "--says", "it triples")


def test_a_checkout_is_not_accepted_as_the_release_whose_number_it_carries(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library = had_by(mini(miniature.case("tripled")), "--subject", "../mine", unreleased=CHECKOUT)
    version = library.modes[0].find()[0].version
    refusal = (
        f"a release was expected, since the ledger is about releases; ../mine calls itself {version}, and is a "
        f"checkout. Test the release, with --subject packaging=={version}"
    )
    assert rankdiff(library, *ACCEPT) == 2
    assert refusal in capsys.readouterr().err
    assert rankdiff(library, "check", "--thorough", "--json") == 1
    Path("report.json").write_text(capsys.readouterr().out)
    jsonschema.validate(json.loads(Path("report.json").read_text()), schema("report"))
    assert rankdiff(library, *ACCEPT, "--from", "report.json") == 2
    assert refusal in capsys.readouterr().err
    assert library.ledger.read_text() == miniature.EMPTY_LEDGER


@pytest.mark.parametrize("version", ["1.0.dev3", "1.0a1", "1.0rc2", "1.0.post1", "1.0+mine"])
def test_a_checkout_with_a_version_that_no_release_has_may_be_accepted(mini: Make, version: str) -> None:
    library = had_by(mini(), "--subject", "../mine", unreleased=CHECKOUT, version=version)
    assert require_installed(library).is_acceptable
    assert not require_installed(had_by(library, "--subject", "../mine", version="1.0")).is_acceptable
    assert require_installed(had_by(library, "--subject", "x", version="1.0", unreleased=None)).is_acceptable


def test_a_checkout_that_names_nothing_is_refused_with_how_to_name_it(
    mini: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    library = mini(miniature.case("right"))
    several = [replace(library, modes=tuple(replace(one, is_distribution=True) for one in library.modes))]
    several.append(replace(several[0], name="other"))
    monkeypatch.setattr(registry, "libraries", lambda: several)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "setup.py").touch()
    assert cli.main(["check", "--subject", "./"]) == 2
    said = capsys.readouterr().err
    assert "name mini or other too, or its distribution before it, as in 'packaging @ ./'" in said


def test_a_script_that_could_not_run_is_told_with_what_it_said(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    case = miniature.case("tripled")

    def uncontrolled(x: miniature.Number) -> Script:
        usual = case.script(x)
        return replace(usual, body=usual.body.replace("return packaging is not None", "return False"))

    assert rankdiff(mini(replace(case, script=uncontrolled)), "check") == 1
    reason = "RuntimeError: the control does not hold: the set-up is not what this script takes it to be"
    assert f"not confirmed: it could not run: {reason}" in " ".join(capsys.readouterr().out.split())
    [path] = tmp_path.glob("rankdiff-findings/*/finding.json")
    found = json.loads(path.read_text())
    jsonschema.validate(found, schema("finding"))
    assert (found["unable"], found["fresh_processes"]) == (reason, [])


def test_why_nothing_of_a_library_was_run_is_told_once(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library = mini(miniature.case("right"), distribution="no-such-distribution")
    assert rankdiff(library, "check", "mini") == 2
    assert capsys.readouterr().out.count("no-such-distribution is not installed") == 1
    assert rankdiff(library, "check") == 2
    assert "because      no-such-distribution is not installed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"m": 4}', "expects a JSON object with n"),
        ("{", "a JSON object was expected"),
        ("nowhere.json", "or a finding.json, was expected"),
        ('{"n": "x"}', "expects a JSON object with n"),
        ('{"case": "mini/other", "input": {"n": 1}}', "is one of mini/other"),
    ],
)
def test_what_is_no_input_is_not_replayed(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    assert rankdiff(mini(miniature.case("tripled")), "replay", "mini/tripled", text) == 2
    assert message in capsys.readouterr().err


def test_a_bundle_is_written_and_its_script_shows_the_divergence(
    mini: Make, rankdiff: Rankdiff, tmp_path: Path
) -> None:
    assert rankdiff(mini(miniature.case("tripled")), "bundle", "mini/tripled", "--out", "out") == 0
    names = ["README.md", "consequence.svg", "environment.json", "finding.json", "repro.py"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    script = subprocess.run([sys.executable, "out/repro.py"], capture_output=True, text=True, check=False)
    assert script.returncode == 1
    assert script.stdout.splitlines()[-1] == "DEFECT PRESENT"
    written = json.loads((tmp_path / "out" / "finding.json").read_text())
    assert written["fresh_processes"] == [True, True]


@pytest.mark.parametrize("empty", [True, False])
def test_a_bundle_does_not_overwrite(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], tmp_path: Path, *, empty: bool
) -> None:
    (tmp_path / "out").mkdir()
    if not empty:
        (tmp_path / "out" / "mine").write_text("")
    status = rankdiff(mini(miniature.case("tripled")), "bundle", "mini/tripled", "--out", "out")
    assert status == (0 if empty else 2)
    if not empty:
        assert "out exists already" in capsys.readouterr().err
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]


def test_a_bundle_that_fresh_processes_do_not_show_is_not_written(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert rankdiff(mini(miniature.case("nan")), "bundle", "mini/nan", "--out", "out") == 2
    assert "no bundle was written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name or "rankdiff" in path.name] == []


def test_nothing_to_bundle_ends_with_2(mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff(mini(miniature.case("right")), "bundle", "mini/right") == 2
    assert "there is nothing to bundle" in capsys.readouterr().err
    assert rankdiff(mini(miniature.case("right")), "bundle", "mini") == 2
    assert "one case was expected, not the library mini" in capsys.readouterr().err


PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell ignores it
sys.path[:0] = [{tests!r}]
from pathlib import Path
import miniature
from harness import cli, registry
slow = miniature.case("right_and_slow", domains=(miniature.numbers(4000),))
library = miniature.library(Path({ledger!r}), miniature.case("always_wrong"), slow)
registry.libraries = lambda: [library]
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_check_keeps_what_was_found_and_ends_with_2(
    tmp_path: Path, own_cache: Path, sent: signal.Signals
) -> None:
    ledger = tmp_path / "known.toml"
    ledger.write_text(miniature.EMPTY_LEDGER)
    program = textwrap.dedent(PROGRAM).format(tests=str(HERE), ledger=str(ledger))
    with subprocess.Popen(
        [sys.executable, "-c", program, "check", "--json"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "RANKDIFF_CACHE": str(own_cache)},
    ) as process:
        found = tmp_path / "rankdiff-findings"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not any(
            '"confirmed": true' in path.read_text() for path in found.glob("*/finding.json")
        ):
            time.sleep(0.1)
        time.sleep(1)  # it is with the slow one now
        process.send_signal(sent)
        out, err = process.communicate(timeout=60)
    document = json.loads(out)
    jsonschema.validate(document, schema("report"))
    assert process.returncode == document["exit_status"] == 2
    assert document["interrupted"]
    assert [c["exhausted"] for c in document["certificates"]] == [True, False]
    assert document["findings"][0]["confirmed"]
    assert "Traceback" not in err


def test_an_interrupt_while_the_commands_are_imported_is_told_in_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    noticed: list[object] = []

    def pressed(_name: str) -> None:
        noticed.append(signal.getsignal(signal.SIGTERM))
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(importlib, "import_module", pressed)
    assert cli.main(["cases"]) == 2
    assert capsys.readouterr().err == "rankdiff: interrupted\n"
    assert [callable(handler) for handler in noticed] == [True]  # of a request to end, too


def test_an_interrupt_while_a_command_ends_for_another_takes_nothing_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed(_arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "main", pressed)
    with pytest.raises((SystemExit, KeyboardInterrupt)) as ended:
        cli.entry()
    assert repr(ended.value) == "SystemExit(2)"
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # while Python ends
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel has to help")
@pytest.mark.usefixtures("own_cache")
def test_no_worker_outlives_a_check_that_is_killed(tmp_path: Path) -> None:
    ledger = tmp_path / "known.toml"
    ledger.write_text(miniature.EMPTY_LEDGER)
    program = textwrap.dedent(PROGRAM).format(tests=str(HERE), ledger=str(ledger))
    with subprocess.Popen([sys.executable, "-c", program, "check", "mini/right-and-slow"], cwd=tmp_path) as process:
        time.sleep(3)
        [worker] = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.kill()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and is_running(worker):
        time.sleep(0.1)
    assert not is_running(worker)


def is_running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_help_and_cases_import_no_library_under_test() -> None:
    program = (
        "import sys, contextlib; from harness import cli\n"
        "assert not {'hypothesis', 'jinja2', 'tqdm', 'numpy'} & set(sys.modules)  # nobody notices an interrupt there\n"
        "cli.main(['cases'])\n"
        "with contextlib.suppress(SystemExit): cli.main(['--help'])\n"
        "print([m for m in sys.modules if m.split('.')[0] in "
        "{'ranx', 'lenskit', 'pykeen', 'numba', 'torch', 'pandas'}], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert "ranx/rbp\n" in done.stdout
