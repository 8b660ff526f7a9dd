"""What `check --github` writes: a job summary, annotations, and a log in which no text is taken for a command."""

import json
from collections.abc import Callable
from fractions import Fraction
from importlib import metadata
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

import by_hand
import miniature
from harness import cli, github, registry
from harness.canaries import canary
from harness.errors import SummaryError
from harness.expected import Exactly, Refusal
from harness.library import Library
from harness.outcome import Returned
from harness.report import CaseRun, Report
from harness.settle import Problem
from harness.verdict import Verdict

Make = Callable[..., Library]
Run = Callable[..., Report]

TRIPLED = """\
schema = 1

[[known]]
case = "mini/tripled"
versions = ">=1"
cause = "tripling"
upstream = "unreported"
says = "it triples"
review = 2999-01-01
counts = [{ domain = "numbers", parameters = {}, mismatches = { 1 = 1, 2 = 1, 3 = 1, 4 = 34 } }]
"""


def tokens(markdown: str) -> list[Token]:
    return MarkdownIt("gfm-like", {"linkify": False}).parse(markdown)


def cells(markdown: str) -> list[list[str]]:
    """Return the cells of the table in a text, as GitHub reads them."""
    rows: list[list[str]] = []
    found = tokens(markdown)
    for i, token in enumerate(found):
        if token.type == "tr_open":
            rows.append([])
        if token.type in {"th_open", "td_open"}:
            rows[-1].append("".join(child.content for child in found[i + 1].children or []))
    return rows


def test_the_table_has_a_line_for_each_contract(mini: Make, run_check: Run) -> None:
    cases = [miniature.case(call) for call in ("right", "tripled", "always_wrong", "unsupported")]
    cases.append(miniature.case("wrong_at_13", domains=(miniature.numbers(5), miniature.numbers())))
    version = metadata.version("packaging")
    table = cells(github.summary(run_check(mini(*cases, ledger=TRIPLED))))
    assert table == [
        ["library", "version", "mode", "case", "verdict", "inputs", "mismatches", "ledger"],
        ["mini", version, "plain", "right", "agrees", "40", "0", "-"],
        ["mini", version, "plain", "tripled", "differs", "40", "37", "1 known"],
        # All but 5, which is refused, and 39, of which nothing is promised.
        ["mini", version, "plain", "always-wrong", "differs", "40", "38", "1 new"],
        ["mini", version, "plain", "unsupported", "unsupported", "40", "0", "-"],
        ["mini", version, "plain", "wrong-at-13", "agrees, differs", "45", "1", "1 new"],
    ]


def test_one_that_is_gone_is_not_called_known(mini: Make, run_check: Run) -> None:
    gone = TRIPLED.replace("mini/tripled", "mini/right")
    assert cells(github.summary(run_check(mini(miniature.case("right"), ledger=gone))))[1][-1] == "1 gone"


def test_contracts_that_were_not_run_are_named_with_the_reason(mini: Make, run_check: Run) -> None:
    cases = miniature.case("right"), miniature.case("tripled")
    text = github.summary(run_check(mini(*cases, distribution="no-such-distribution")))
    assert [row[1:5] for row in cells(text)[1:]] == [["-", "plain", name, "not run"] for name in ("right", "tripled")]
    assert "- mini/right, mini/tripled: no-such-distribution is not installed" in text


def test_a_problem_is_shown_with_its_smallest_input(mini: Make, run_check: Run) -> None:
    text = github.summary(run_check(mini(miniature.case("tripled"))))
    assert "- **new**: " in text
    assert '  - smallest input `{"n": 1}`: documented `2`, observed `3`\n' in text
    assert "`rankdiff bundle mini/tripled --cause tripling`" in text


def test_a_problem_that_the_hunt_found_is_shown_with_its_input(mini: Make, run_check: Run) -> None:
    hunted = miniature.big_numbers().map(lambda x: miniature.Number(x.n % 30 + 6))
    case = miniature.case("wrong_at_13", domains=(miniature.numbers(5),), beyond=hunted)
    assert '`{"n": 13}`: documented `26`, observed `27`' in github.summary(run_check(mini(case)))


@pytest.mark.parametrize(
    ("status", "title", "calls", "ledger"),
    [
        (0, "As the ledger says", ["right"], miniature.EMPTY_LEDGER),
        (1, "Not as the ledger says", ["tripled"], miniature.EMPTY_LEDGER),
        (2, "The run could not be done", ["right", "not_there"], miniature.EMPTY_LEDGER),
    ],
)
def test_the_heading_says_what_the_exit_status_says(
    mini: Make, run_check: Run, status: int, title: str, calls: list[str], ledger: str
) -> None:
    report = run_check(mini(*map(miniature.case, calls), ledger=ledger))
    assert report.exit_status == status
    assert github.summary(report).startswith(f"## rankdiff: {title}\n")


HOSTILE = [
    "<script>alert(1)</script>",
    "[link](https://example.org)",
    "| a | b |\n\n# heading",
    "`` ` ``` code",
    "@somebody and #1 and https://example.org/",
    "\x1b[31mred\x00",
    "::error::no\n::add-mask::x",
    "<!-- x",
    "![i](x)",
    "</table>",
]

HARMLESS = {
    "heading_open", "heading_close", "inline", "table_open", "table_close", "thead_open", "thead_close", "tr_open",
    "tr_close", "th_open", "th_close", "tbody_open", "tbody_close", "td_open", "td_close", "bullet_list_open",
    "bullet_list_close", "list_item_open", "list_item_close", "paragraph_open", "paragraph_close",
}  # fmt: skip


def hostile(text: str) -> Report:
    """Return a report that holds a text wherever one is not ours."""
    case = miniature.case("tripled")
    found = by_hand.mismatch(case, 1, text, Returned("list", text), Refusal(("ValueError",), text))
    tripled = by_hand.certificate(case, {Verdict.DIFFERS: 1}, [found])
    return by_hand.report(
        CaseRun(case, "run", certificates=(tripled,), problems=(Problem("new", case.name, text, text),)),
        CaseRun(miniature.case("right"), "not_run", text),
        version=text,
        problems=(Problem("orphan", text, text),),
        warnings=(text,),
        disturbances=(text,),
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_from_elsewhere_stay_texts(text: str) -> None:
    summary = github.summary(hostile(text))
    found = tokens(summary)
    assert {token.type for token in found} <= HARMLESS
    inline = {child.type for token in found for child in token.children or []}
    assert inline <= {"text", "code_inline", "strong_open", "strong_close", "softbreak"}
    assert [found[i + 1].content for i, token in enumerate(found) if token.type == "heading_open"] == [
        "rankdiff: The run could not be done",
        "Could not be done",
        "Parts with the ledger",
        "Not run",
        "To be looked at",
    ]
    assert {len(row) for row in cells(summary)} == {8}
    assert all(letter.isprintable() or letter == "\n" for letter in summary)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_mention_or_a_link_of_a_text_is_in_code(text: str) -> None:
    found = tokens(github.summary(hostile(text)))
    plain = [c.content for token in found for c in token.children or [] if c.type == "text"]
    assert not [part for part in plain if "@somebody" in part or "://" in part]


# --- GitHub's limit --------------------------------------------------------------------------------------------


def test_a_text_within_the_limit_is_not_cut() -> None:
    assert github.cut("a\nb\n", 4) == "a\nb\n"


def test_a_text_beyond_the_limit_is_cut_after_a_line_with_a_note() -> None:
    line = "- \N{GRINNING FACE}" + "x" * 100 + "\n"
    cut = github.cut(line * 50_000, github.LIMIT)
    assert len(cut.encode()) <= github.LIMIT
    assert cut.endswith(github.CUT)
    assert set(cut.removesuffix(github.CUT).splitlines(keepends=True)) == {line}


def test_what_other_steps_wrote_counts(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("x" * (github.LIMIT - 300) + "\n")
    github.write(hostile("a text"), {"GITHUB_STEP_SUMMARY": str(path)})
    assert path.stat().st_size <= github.LIMIT
    assert path.read_text().endswith(github.CUT)


@pytest.mark.parametrize("left", [0, 5])
def test_where_there_is_no_room_nothing_is_written(tmp_path: Path, left: int) -> None:
    path = tmp_path / "summary.md"
    path.write_text("x" * (github.LIMIT - left))
    github.write(hostile("a text"), {"GITHUB_STEP_SUMMARY": str(path)})
    assert path.stat().st_size == github.LIMIT - left


def test_a_long_text_is_shortened_but_for_a_version_and_a_command_to_copy() -> None:
    lines = github.summary(hostile("y" * 5000)).splitlines()
    begun = [line.strip("| -").partition(" ")[0] for line in lines if "y" * 1001 in line]
    assert begun == ["mini", "mini", "next:"]


def test_a_summary_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SummaryError, match="GITHUB_STEP_SUMMARY should name a file that can be written"):
        github.write(hostile("a text"), {"GITHUB_STEP_SUMMARY": str(tmp_path)})


# --- annotations -----------------------------------------------------------------------------------------------


def test_every_problem_is_an_error_and_a_review_a_warning(mini: Make, run_check: Run) -> None:
    late = TRIPLED.replace("2999", "2001")
    report = run_check(mini(miniature.case("tripled"), miniature.case("always_wrong"), ledger=late))
    first, second = github.annotations(report)
    assert first.startswith("::error title=rankdiff%3A new mini/always-wrong::packaging ")
    assert (
        second
        == "::warning title=rankdiff%3A review::known.toml, line 3: mini/tripled was to be reviewed by 2001-01-01"
    )


def test_what_could_not_be_done_is_an_error(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("not_there"), miniature.case("right")))
    [line] = github.annotations(report)
    assert line.startswith("::error title=rankdiff%3A could not be done::the adapter has no function not_there")


@pytest.mark.parametrize("text", [*HOSTILE, "100%\r\n::error::x", "x,file=y"])
def test_an_annotation_is_one_line_and_one_command(text: str) -> None:
    lines = list(github.annotations(hostile(text)))
    assert all(line.isprintable() for line in lines)
    commands, messages = zip(*(line.removeprefix("::").split("::", 1) for line in lines), strict=True)
    assert not [command for command in commands if ":" in command or "," in command]
    assert [one.partition("%3A ")[0] for one in commands] == ["error title=rankdiff"] * 3 + ["warning title=rankdiff"]
    assert all("%" not in message.replace("%25", "") for message in messages)


def test_no_more_annotations_are_made_than_are_shown(mini: Make, run_check: Run) -> None:
    entries = TRIPLED + "".join(TRIPLED.replace("schema = 1\n", "").replace("tripled", f"x{k}") for k in range(30))
    lines = list(github.annotations(run_check(mini(miniature.case("tripled"), ledger=entries))))
    assert len(lines) == 10
    assert lines[-1] == "::error title=rankdiff::21 more: see the summary of the job"


# --- the command -----------------------------------------------------------------------------------------------


@pytest.fixture
def rankdiff(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    """Return a function that runs the command line with a given library, in the test's folder."""
    monkeypatch.chdir(tmp_path)

    def run(library: Library, *arguments: str) -> int:
        monkeypatch.setattr(registry, "libraries", lambda: [library])
        return cli.main(arguments)

    return run


def test_the_summary_is_added_to_the_file_of_the_job(
    mini: Make, rankdiff: Callable[..., int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    assert rankdiff(mini(miniature.case("right")), "check", "--github") == 0
    assert path.read_text().startswith("before\n## rankdiff: As the ledger says\n")


def test_without_that_file_the_summary_is_printed(
    mini: Make, rankdiff: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    rankdiff(mini(miniature.case("right")), "check", "--github")
    assert "\n## rankdiff: As the ledger says\n" in capsys.readouterr().out


def test_json_alone_is_on_the_output_where_it_was_asked_for(
    mini: Make, rankdiff: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert rankdiff(mini(miniature.case("tripled")), "check", "--github", "--json") == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["exit_status"] == 1
    assert "\n::error title=" in err


def test_no_line_of_the_log_is_a_command_but_ours(
    mini: Make, rankdiff: Callable[..., int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    hostile = "x " * 60 + "::add-mask::secret"
    case = miniature.case("tripled", conventions={hostile: lambda x: Exactly(Fraction(3 * x.n))})
    rankdiff(mini(case), "check", "--github")
    first, *lines = capsys.readouterr().out.splitlines()
    token = first.removeprefix("::stop-commands::")
    assert token != first
    assert len(token) >= 32
    end = lines.index(f"::{token}::")
    assert any(line.lstrip().startswith("::add-mask::") for line in lines[:end])
    assert [line.partition(" ")[0] for line in lines[end + 1 :]] == ["::error"]


def test_a_text_cannot_know_the_word_that_ends_the_silence() -> None:
    first, second = (github.silenced("a text").splitlines()[-1] for _ in range(2))
    assert first != second


def test_a_canary_that_fails_is_in_the_summary(mini: Make, run_check: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canary, "settle_case", lambda *_: [])
    text = github.summary(run_check(mini(miniature.case("right"))))
    assert "### Could not be done\n\n- canary: a subject that is wrong on purpose was not caught" in text
