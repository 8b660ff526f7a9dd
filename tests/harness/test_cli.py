"""The command line, as a person or a program uses it."""

import contextlib
import json
import os
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

import miniature
from harness import cli, registry
from harness.expected import Unspecified
from harness.library import Library

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
        "import sys, contextlib; from harness import cli; cli.main(['cases'])\n"
        "with contextlib.suppress(SystemExit): cli.main(['--help'])\n"
        "print([m for m in sys.modules if m.split('.')[0] in "
        "{'ranx', 'lenskit', 'pykeen', 'numba', 'torch', 'pandas'}], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert "ranx/rbp\n" in done.stdout
