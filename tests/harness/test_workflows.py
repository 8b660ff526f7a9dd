"""Our workflows and the action: linted, and their steps run as scripts, with a `gh` that only takes notes."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

import by_hand
import miniature
import toyrank
from harness.document import document
from harness.plugin.pytest_rankdiff.child import Ended
from harness.report import CaseRun
from harness.settle import Problem
from harness.verdict import Verdict
from trees import lay_out

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / ".github" / "actions" / "rankdiff" / "action.yml"
RELEASES = yaml.safe_load((ROOT / ".github" / "workflows" / "releases.yml").read_text())

Step = Mapping[str, Any]


def jobs() -> list[tuple[str, dict[str, Any]]]:
    documents = {path.stem: yaml.safe_load(path.read_text()) for path in WORKFLOWS}
    return [(f"{stem}/{name}", job) for stem, document in documents.items() for name, job in document["jobs"].items()]


def steps() -> list[tuple[str, Step]]:
    of_jobs = [(name, step) for name, job in jobs() for step in job["steps"]]
    return [*of_jobs, *(("action", step) for step in yaml.safe_load(ACTION.read_text())["runs"]["steps"])]


def step(name: str) -> Step:
    """Return the step of this name."""
    [found] = [one for _, one in steps() if one.get("name") == name]
    return found


# --- as they are written -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "paths"), [("vendor.github-workflows", WORKFLOWS), ("vendor.github-actions", [ACTION])]
)
def test_they_have_the_form_that_github_reads(schema: str, paths: list[Path]) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_zizmor_finds_nothing_unsafe_in_them() -> None:
    program = Path(sysconfig.get_path("scripts")) / "zizmor"
    command = [str(program), "--offline", "--no-progress", str(ROOT / ".github")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not shutil.which("actionlint"), reason="actionlint is a program of its own, and not on the PATH")
def test_actionlint_finds_no_mistake_in_them() -> None:
    done = subprocess.run(["actionlint", *map(str, WORKFLOWS)], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["releases/check", "ci/ci", "ci/workflows"])
def test_a_job_that_runs_code_of_others_can_write_nothing(name: str) -> None:
    stem, _, job = name.partition("/")
    document = yaml.safe_load((ROOT / ".github" / "workflows" / f"{stem}.yml").read_text())
    permissions = document["jobs"][job].get("permissions", document["permissions"])
    assert permissions == {"contents": "read"}


def test_the_job_that_may_write_runs_one_script_that_needs_the_standard_library_alone() -> None:
    job = RELEASES["jobs"]["issue"]
    assert [one["run"] for one in job["steps"] if "run" in one] == [step("Write the issue")["run"]]
    assert step("Write the issue")["run"].startswith("python3 -I .github/rolling_issue.py")
    imports = re.findall(r"^(?:from|import) (\w+)", (ROOT / ".github" / "rolling_issue.py").read_text(), re.MULTILINE)
    assert set(imports) <= set(sys.stdlib_module_names)


def test_every_night_every_domain_is_run() -> None:
    [used] = [one for one in RELEASES["jobs"]["check"]["steps"] if one.get("uses") == "./.github/actions/rankdiff"]
    assert used["with"]["thorough"] == "true"


def test_what_a_red_night_found_is_kept() -> None:
    assert next(one for one in RELEASES["jobs"]["check"]["steps"] if one.get("id") == "upload")["if"] == "always()"


def test_the_issue_is_looked_after_when_the_check_is_green_and_when_it_is_red() -> None:
    ended = " || ".join(f"needs.check.result == '{result}'" for result in ("success", "failure"))
    assert RELEASES["jobs"]["issue"]["if"] == f"always() && ({ended})"


def test_the_action_bundles_unless_all_is_as_the_ledger_says() -> None:
    assert step("Bundle what is new")["if"] == "steps.check.outputs.status != '0'"


def test_every_job_has_a_time_limit() -> None:
    assert [name for name, job in jobs() if "timeout-minutes" not in job] == []


def test_every_workflow_says_what_becomes_of_runs_at_the_same_time() -> None:
    assert [path.name for path in WORKFLOWS if "concurrency" not in yaml.safe_load(path.read_text())] == []


def test_no_script_holds_an_expression() -> None:
    assert [one["run"] for _, one in steps() if "${{" in one.get("run", "")] == []


def test_no_checkout_leaves_its_token_behind() -> None:
    checkouts = [one for _, one in steps() if one.get("uses", "").startswith("actions/checkout@")]
    assert {one["with"]["persist-credentials"] for one in checkouts} == {False}


def test_actions_of_others_are_pinned_by_a_commit_with_its_version() -> None:
    texts = "".join(path.read_text() for path in (*WORKFLOWS, ACTION))
    used = re.findall(r"uses: (?!\./)(.*)", texts)
    assert len(used) == 10
    assert [one for one in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)] == []


@pytest.mark.parametrize("script", [one["run"] for _, one in steps() if "run" in one], ids=lambda text: text[:20])
def test_every_script_is_one_that_bash_reads(script: str) -> None:
    assert subprocess.run(["bash", "-n", "-c", script], check=False).returncode == 0


# --- the issue ---------------------------------------------------------------------------------------------------

GH = f"""#!{sys.executable}
import json, os, pathlib, sys
notes = pathlib.Path(os.environ["GH_NOTES"])
with notes.open("a") as file:
    file.write(json.dumps([sys.argv[1:], sys.stdin.read()]) + "\\n")
if sys.argv[1:3] == ["issue", "list"]:
    print(os.environ["GH_ISSUES"])
"""

RUN = "https://example.org/owner/name/actions/runs/7"

OURS = json.dumps(
    [{"number": 9, "body": "a word of somebody else"}, {"number": 12, "body": "<!-- rankdiff: newest releases -->"}]
)

Asked = list[tuple[list[str], str]]
Write = Callable[..., Asked]


def report(text: str = "a new one") -> dict[str, Any]:
    """Return a report with one new divergence, and this text wherever one is."""
    problem = {"kind": "new", "case": text, "text": text, "cause": text}
    subject = {"distribution": f"library {text}", "version": text, "mode": text}
    return {"subjects": [subject], "ledger": {"problems": [problem]}, "obstacles": [f"a night {text}"]}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that runs the step which writes the issue, and returns what `gh` was asked."""
    program = tmp_path / "bin" / "gh"
    program.parent.mkdir()
    program.write_text(GH)
    program.chmod(0o755)
    notes = tmp_path / "notes"
    folder = tmp_path / "rankdiff"
    folder.mkdir()

    def run(result: str, written: str | None, issues: str = "[]", artifact: str = "") -> Asked:
        if written is not None:
            (folder / "report.json").write_text(written)
        environment = {
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "RUNNER_TEMP": str(tmp_path),
            "GITHUB_SERVER_URL": "https://example.org",
            "GITHUB_REPOSITORY": "owner/name",
            "GITHUB_RUN_ID": "7",
            "GH_NOTES": str(notes),
            "GH_ISSUES": issues,
            "RESULT": result,
            "ARTIFACT": artifact,
        }
        assert set(step("Write the issue")["env"]) == {"GH_TOKEN", "GH_REPO", "RESULT", "ARTIFACT"}
        script = step("Write the issue")["run"]
        subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=ROOT, env=environment, check=True)
        return [(arguments, said) for arguments, said in map(json.loads, notes.read_text().splitlines())]

    return run


def bodies(asked: Asked) -> list[str]:
    return [said for _, said in asked if said]


def test_a_red_run_opens_an_issue_with_the_tables(write: Write) -> None:
    asked = write("failure", json.dumps(report()))
    assert [arguments[:2] for arguments, _ in asked] == [["issue", "list"], ["label", "create"], ["issue", "create"]]
    rows = [line for line in asked[-1][1].splitlines() if "`" in line]
    assert rows == [
        "| `new` | `a new one` | `a new one` |",
        "| `could not be done` |  | `a night a new one` |",
        "| `library a new one` | `a new one` | `a new one` |",
    ]


def test_the_next_red_run_edits_that_issue_and_opens_none(write: Write) -> None:
    asked = write("failure", json.dumps(report()), OURS)
    assert [arguments[:3] for arguments, _ in asked[1:]] == [["issue", "edit", "12"]]


def test_the_issue_holds_the_mark_by_which_it_is_found_again(write: Write) -> None:
    [body] = bodies(write("failure", json.dumps(report())))
    [first, *_] = body.splitlines()
    assert first in OURS


def test_a_green_run_says_so_and_closes_the_issue(write: Write) -> None:
    asked = write("success", json.dumps(report()), OURS)
    assert [arguments[:3] for arguments, _ in asked[1:]] == [["issue", "comment", "12"], ["issue", "close", "12"]]
    assert bodies(asked) == [f"Green again: {RUN}\n"]


def test_a_green_run_without_an_open_issue_writes_nothing(write: Write) -> None:
    assert [arguments[:2] for arguments, _ in write("success", json.dumps(report()))] == [["issue", "list"]]


UNREADABLE = {
    "none": None,
    "empty": "",
    "a list": "[]",
    "other JSON": '{"ledger": 3}',
    "a part": '{"ledger": {"problems": [{}]}}',
    "deep": "[" * 100_000,
    "huge": " " * 50_000_001,
}


@pytest.mark.parametrize("written", UNREADABLE.values(), ids=UNREADABLE)
def test_a_run_without_a_report_is_told_too(write: Write, written: str | None) -> None:
    [body] = bodies(write("failure", written))
    assert "There is no report that can be read" in body


def test_the_bundles_are_named_and_linked(write: Write, tmp_path: Path) -> None:
    bundle = tmp_path / "rankdiff" / "bundles" / "toyrank-1.0-precision-1"
    bundle.mkdir(parents=True)
    (bundle / "README.md").touch()
    bundle.with_name("begun").mkdir()
    [body] = bodies(write("failure", json.dumps(report()), artifact=f"{RUN}/artifacts/5"))
    assert f"[attached to it]({RUN}/artifacts/5)" in body
    assert [line for line in body.splitlines() if line.startswith("* ")] == ["* `toyrank-1.0-precision-1`"]


def test_a_link_that_is_none_of_this_run_is_not_followed(write: Write) -> None:
    [body] = bodies(write("failure", json.dumps(report()), artifact="https://example.net/artifacts/5"))
    assert "example.net" not in body


HOSTILE = (
    "` | @everyone <script>x</script> [x](https://example.net) ![x](y) #1 \\` $(touch {0}) `touch {0}`\n# x\n\x1b[2J"
)


def test_hostile_text_is_code_and_nothing_else(write: Write, tmp_path: Path) -> None:
    [body] = bodies(write("failure", json.dumps(report(HOSTILE.format(tmp_path / "touched")))))
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    inline = [child for token in tokens for child in token.children or []]
    shown = "".join(child.content for child in inline if child.type == "text")
    links = [child.attrs["href"] for child in inline if child.type == "link_open"]
    assert links == [RUN, f"{RUN}#artifacts"]
    assert [token.content for token in tokens if token.type == "html_block"] == [body.splitlines()[0] + "\n"]
    assert not {"html_inline", "image"} & {child.type for child in inline}
    assert "everyone" not in shown
    assert "\x1b" not in body


def test_hostile_text_is_no_command(write: Write, tmp_path: Path) -> None:
    write("failure", json.dumps(report(HOSTILE.format(tmp_path / "touched"))))
    assert not (tmp_path / "touched").exists()


def test_however_much_there_is_to_tell_an_issue_can_hold_it(write: Write) -> None:
    much = report("x" * 1000)
    much["ledger"]["problems"] *= 1000
    [body] = bodies(write("failure", json.dumps(much)))
    assert len(body) <= 65_536
    assert "This is not all" in body


# --- the action --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment like the one that the action makes, with a library that has a new divergence."""
    return toyrank.installed(tmp_path_factory.mktemp("toy")).parents[1]


Act = Callable[..., "subprocess.CompletedProcess[str]"]


def acting(folder: Path) -> Act:
    """Return a function that runs a step of the action in a folder."""

    def run(name: str, **inputs: str) -> "subprocess.CompletedProcess[str]":
        given = {"CASES": "", "SUBJECT": "", "MODE": "", "THOROUGH": "false", "FOLDER": "out", **inputs}
        assert set(step(name)["env"]) <= {*given, "STATUS"}
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step(name)["run"]],
            cwd=folder,
            env={
                **os.environ,
                **given,
                "RUNNER_TEMP": str(folder),
                "RANKDIFF_CACHE": str(folder / "cache"),
                "GITHUB_ACTION_PATH": str(ACTION.parent),
                "GITHUB_OUTPUT": str(folder / "output"),
                "GITHUB_STEP_SUMMARY": str(folder / "summary"),
            },
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.fixture
def act(tmp_path: Path, toy: Path) -> Act:
    (tmp_path / "rankdiff").symlink_to(toy)
    return acting(tmp_path)


NOTING = """#!/bin/sh
printf '%s\\n' "$@" > "$RUNNER_TEMP/asked"
exit 1
"""


@pytest.fixture
def noting(tmp_path: Path) -> Act:
    """Return the same with programs that only take notes."""
    for name in ("rankdiff", "python"):
        lay_out(tmp_path, {f"rankdiff/bin/{name}": NOTING})
        (tmp_path / "rankdiff" / "bin" / name).chmod(0o755)
    return acting(tmp_path)


def test_the_action_saves_a_report_a_summary_and_the_status_and_bundles_what_is_new(act: Act, tmp_path: Path) -> None:
    done = act("Check", CASES="toyrank/precision\n", THOROUGH="true")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "out" / "report.json").read_text())["exit_status"] == 1
    assert (tmp_path / "output").read_text() == "status=1\n"
    assert "toyrank" in (tmp_path / "summary").read_text()
    done = act("Bundle what is new")
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (tmp_path / "out" / "bundles").iterdir()] == ["toyrank-1.0-precision-1"]


def test_a_run_that_could_not_be_done_leaves_nothing_to_bundle(act: Act, tmp_path: Path) -> None:
    act("Check", CASES="--help")
    done = act("Bundle what is new")
    assert (tmp_path / "output").read_text() == "status=2\n"
    assert (done.returncode, "no report" in done.stdout) == (0, True)


CHECK = ["check", "--json", "--github", "--findings", "out/findings"]

BUNDLES = ["-P", str(ACTION.with_name("bundles.py")), "out"]

ALL = {"SUBJECT": "./a b", "MODE": "odd", "THOROUGH": "true"}


@pytest.mark.parametrize(
    ("name", "inputs", "asked"),
    [
        ("Check", {}, [*CHECK, "--"]),
        ("Check", {"CASES": "one two/a\ntwo/b\n"}, [*CHECK, "--", "one", "two/a", "two/b"]),
        ("Check", ALL, [*CHECK, "--subject=./a b", "--mode=odd", "--thorough", "--"]),
        ("Bundle what is new", {}, BUNDLES),
        ("Bundle what is new", ALL, [*BUNDLES, "--subject=./a b", "--mode=odd"]),
    ],
)
def test_the_action_asks_for_what_its_inputs_say(
    noting: Act, tmp_path: Path, name: str, inputs: dict[str, str], asked: list[str]
) -> None:
    noting(name, **inputs)
    assert (tmp_path / "asked").read_text().splitlines() == asked


def test_names_that_are_options_or_commands_are_names(noting: Act, tmp_path: Path) -> None:
    command = f"$(touch${{IFS}}{tmp_path}/touched)"
    noting("Check", CASES=f"--help {command}", SUBJECT="; touch touched")
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked == [*CHECK, "--subject=; touch touched", "--", "--help", command]
    assert not (tmp_path / "touched").exists()


def test_a_bundle_is_made_of_what_was_tested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = miniature.case("always_wrong")
    seen = (by_hand.certificate(case, {Verdict.DIFFERS: 1}, [by_hand.mismatch(case, 7, "a new cause")]),)
    news = (Problem("new", case.name, "it is new", "a new cause"),)
    shown = document(by_hand.report(CaseRun(case, "run", certificates=seen, problems=news)))
    (tmp_path / "report.json").write_text(json.dumps(shown))
    asked: list[list[str]] = []

    def run(arguments: list[str], _: Path) -> Ended:
        asked.append(arguments)
        return Ended(0, "", "")

    main = runpy.run_path(str(ACTION.with_name("bundles.py")))["main"]
    monkeypatch.setitem(main.__globals__, "run", run)
    main(tmp_path, ["--subject=./", "--mode=odd"])
    out = tmp_path / "bundles" / "packaging-1.0-always-wrong-1"
    assert asked == [
        ["bundle", "mini/always-wrong", "--cause=a new cause", f"--out={out}", "--subject=./", "--mode=odd"]
    ]


@pytest.mark.parametrize("status", ["0", "1", "2"])
def test_the_action_ends_as_the_check_did(act: Act, status: str) -> None:
    assert act("Say how it ended", STATUS=status).returncode == int(status)
