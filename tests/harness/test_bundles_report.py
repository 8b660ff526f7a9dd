"""The report of a bundle says what was found, in order; nothing in it is more than text."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

import doubler
import miniature
from doubler import OTHERWISE_AT_13, RIGHT_AT_13
from harness import cli, registry
from harness.account import Program, Quotation
from harness.case import Contract
from harness.expected import Exactly, Refusal
from harness.impact.comparison import Ask, Compared, Comparison, Files, Impact, Measure, Series
from harness.library import Library
from harness.progress import Progress

pytestmark = pytest.mark.usefixtures("own_cache")

Bundled = Callable[..., int]

PARSER = MarkdownIt("gfm-like", {"html": True, "linkify": False})


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bundled:
    """Return a function that bundles what the doubler does with 13, with an account of it."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, case: Any = None, library: Library | None = None, **fields: Any) -> int:
        made = library or doubler.library(tmp_path, case or doubler.thirteen())
        told = replace(made, accounts=(doubler.account(**fields),))
        monkeypatch.setattr(registry, "libraries", lambda: [told])
        name = told.cases[0].name
        return cli.main(["bundle", name, "--out", "out", *arguments])

    return run


def mend(changed: doubler.Tree = RIGHT_AT_13) -> str:
    return str(doubler.patch(Path.cwd(), changed, "mend.patch"))


def report() -> str:
    return Path("out/README.md").read_text()


def left() -> list[str]:
    return [path.name for path in Path.cwd().iterdir() if path.name.startswith(("out", ".rankdiff"))]


def test_it_says_everything_in_order(bundled: Bundled) -> None:
    assert bundled("--fix", mend()) == 0
    assert re.findall(r"^#+ (.*)$", report(), re.MULTILINE) == [
        "doubler 1.0: 13 is not doubled",
        "The smallest input",
        "The documented value",
        "The observed value",
        "The cause",
        "How far it reaches",
        "Who is affected",
        "What a user can do today",
        "What could be changed",
        "How this was checked",
    ]
    said = [
        "`double` returns its argument for 13.",
        "It is the smallest of the 10 inputs of the domain *from ten* that shows this: the 3 before it do not.",
        "The documentation says that a number is doubled, and 5 is refused.",
        "2 * 13 = 26",
        "`13`, where `26` is documented: 0.5 times as much.",
        "| the number 7 | `14` | `14` | 1 | `14` |",
        "| the number 13 | `26` | `13` | 0.5 | `26` |",
        "- `doubler/core.py`, line 5: `Return twice a number`. The docstring makes no exception.",
        "- `doubler/core.py`, line 7: `return 13.0`. The code makes one.",
        "Quoted from doubler, under its licence: MIT.",
        "All 10 inputs of the domain *from ten* were run. 1 of them (10 %) is affected; the others are right.",
        "8 of the observed values lie outside of [0, 20].",
        "Whoever doubles 13.",
        "**Not affected.** All other numbers.",
        "- Add 13 to 13.",
        "**In favour of the present behaviour.** 13 is unlucky.",
        "**The code.** The exception goes.",
        "| wrong | right | fixed | 1 |",
        "**Or the documentation.** The docstring could name the exception.",
        "`test_regression.py` is a regression test in the style of the library's own, for `tests/test_doubler.py`.",
        "`test_regression.py` failed in 2 fresh processes.",
        "With the fix `repro.py` ended with `OK` and status 0, and `test_regression.py` passed.",
    ]
    at = [report().find(one) for one in said]
    assert -1 not in at, said[at.index(-1)]
    assert at == sorted(at)


def test_a_quotation_that_is_no_longer_there_is_said_to_be_gone(bundled: Bundled) -> None:
    assert bundled(quotations=(Quotation("doubler/core.py", "return 14.0", "It once did."),)) == 0
    assert "- `doubler/core.py`, not found there in this version: `return 14.0`. It once did." in report()


def test_a_quotation_from_elsewhere_has_the_line_that_its_author_read(bundled: Bundled) -> None:
    elsewhere = Quotation("src/doubler.c", "return 13;", "The code.", line=1200, source="doubler 1.0's source")
    assert bundled(quotations=(elsewhere,)) == 0
    assert "- `src/doubler.c`, line 1,200 (doubler 1.0's source): `return 13;`. The code." in report()


def test_what_nobody_has_looked_at_says_so(bundled: Bundled) -> None:
    assert bundled(cause="another cause") == 0
    assert "The documentation promises `26` for the number 13; observed: `13`." in report()
    assert "Nobody has looked at the cause yet." in report()
    assert not Path("out/test_regression.py").exists()


def test_a_change_that_nobody_promised_is_not_called_documented(bundled: Bundled) -> None:
    contract = Contract("13 is doubled", "no document", unpromised="no document names 13")
    assert bundled(case=replace(doubler.thirteen(), contract=contract)) == 0
    assert "## The expected value\n\nA user would expect that 13 is doubled.\n\nNothing promises this:" in report()
    assert "documented" not in report().replace("The documentation", "")


def test_a_rewording_is_put_in(bundled: Bundled, tmp_path: Path) -> None:
    words = doubler.patch(tmp_path, doubler.WORDS, "words.patch")
    assert bundled(rewording=words) == 0
    assert Path("out/documentation.patch").read_bytes() == words.read_bytes()
    assert "(`documentation.patch`)" in report()


def test_the_picture_is_the_same_every_time(bundled: Bundled) -> None:
    assert bundled() == 0
    assert bundled("--out", "out2") == 0
    first = Path("out/consequence.svg").read_text()
    assert first == Path("out2/consequence.svg").read_text()
    assert "some numbers" in first
    assert report() == Path("out2/README.md").read_text()


def test_a_value_that_is_no_number_is_marked_in_the_picture(bundled: Bundled, tmp_path: Path) -> None:
    library = doubler.library(tmp_path, doubler.thirteen())
    core = tmp_path / "site" / "doubler" / "core.py"
    core.write_text(core.read_text().replace("return 13.0", "raise RuntimeError"))
    assert bundled(library=library, cause="raises RuntimeError", examples=()) == 0
    assert "no number observed" in Path("out/consequence.svg").read_text()


# --- what is run --------------------------------------------------------------------------------------------------


def test_the_test_is_put_in_and_was_run(bundled: Bundled) -> None:
    assert bundled("--fix", mend()) == 0
    assert Path("out/test_regression.py").read_text() == doubler.regression_test().source
    found = json.loads(Path("out/finding.json").read_text())
    assert found["test"] == {
        "file": "test_regression.py",
        "place": "tests/test_doubler.py",
        "fails": True,
        "passes_with_the_fix": True,
    }
    assert found["reach"] == {"inputs": 10, "by_size": [{"size": 1, "inputs": 10, "show": 1}], "outside": 8}


@pytest.mark.parametrize(
    ("test", "status"),
    [
        (doubler.regression_test(expected="13.0"), 0),
        (doubler.regression_test(imports="from nowhere import double"), 2),
    ],
)
def test_a_test_that_does_not_fail_is_refused(
    bundled: Bundled, capsys: pytest.CaptureFixture[str], test: Any, status: int
) -> None:
    assert bundled(test=lambda _: test) == 2
    said = capsys.readouterr().err
    assert f"the test should fail with doubler 1.0 (status 1), but ended with status {status}" in said
    assert left() == []


def test_a_test_that_fails_with_the_fix_is_refused(bundled: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    assert bundled("--fix", mend(), test=lambda _: doubler.regression_test("27.0")) == 2
    assert "the test should pass with doubler 1.0+patch." in capsys.readouterr().err
    assert left() == []


def program(body: str) -> Callable[[object], Program]:
    source = f"import doubler\n\nprint('doubler')\n{body}\n"
    return lambda _: Program("Repro.txt", source, "run Repro.txt", lambda found, path: [found.python, str(path)])


SHOWS = "right = doubler.double(13) == 26\nprint('OK' if right else 'DEFECT PRESENT')\nraise SystemExit(not right)"


def test_a_program_in_another_language_is_put_in_and_was_run(bundled: Bundled) -> None:
    assert bundled("--fix", mend(), program=program(SHOWS)) == 0
    assert Path("out/Repro.txt").read_text().startswith("import doubler")
    assert "`run Repro.txt`, or `python repro.py`" in report()
    assert "`repro.py` and `Repro.txt` ended with `DEFECT PRESENT`" in report()


@pytest.mark.parametrize("body", ["print('OK')", "print('DEFECT PRESENT')", "print('DEFECT PRESENT'); doubler.gone"])
def test_a_program_that_does_not_show_it_is_refused(
    bundled: Bundled, capsys: pytest.CaptureFixture[str], body: str
) -> None:
    assert bundled(program=program(body)) == 2
    assert "Repro.txt should end with DEFECT PRESENT and status 1" in capsys.readouterr().err
    assert left() == []


def test_a_further_divergence_is_bundled_by_its_cause(bundled: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    assert bundled("--cause", "another value") == 0
    assert bundled("--cause", "raises KeyError", "--out", "out2") == 2
    assert 'it shows "another value": name one of these' in capsys.readouterr().err


# --- somebody's own files -----------------------------------------------------------------------------------------


def compared(_ask: Ask, files: Files, _settings: Mapping[str, str], _progress: Progress) -> Comparison:
    """Return what the doubler does to files: 13 is half of what it should be in each."""
    series = [
        Series(
            Compared(str(path), 13.0, "13", 26.0, 0.0, is_affected=True),
            (Compared("t1", 13.0, "13", 26.0, 0.0, is_affected=True),),
        )
        for path in (files.qrels, *files.runs)
    ]
    return Comparison((Measure("twice", "mean", tuple(series)),), notes=("ties are as they are",))


def test_what_it_does_to_named_files_is_told_without_their_folders(bundled: Bundled, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    files = [tmp_path / "mine" / name for name in ("qrels.txt", "a|b.run")]
    for file in files:
        file.touch()
    case = replace(doubler.thirteen(), impact=Impact(compared))
    assert bundled("--qrels", str(files[0]), "--run", str(files[1]), case=case) == 0
    assert "On files that were named: Affected: twice of 2 of 2 runs" in report()
    assert "| qrels.txt | 13.0000 | 26.0000 | -13.0000 | 1 of 1 | -13.0000, topic t1 |" in report()
    assert "| a\\|b.run | 13.0000 |" in report()
    assert "ties are as they are" in report()
    assert str(tmp_path) not in report()
    assert "twice, mean over the topics" in Path("out/consequence.svg").read_text()


def test_files_of_a_case_that_compares_none_are_refused(bundled: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    Path("qrels.txt").touch()
    assert bundled("--qrels", "qrels.txt") == 2
    assert "mini/double does not say what it does to files" in capsys.readouterr().err
    assert left() == []


def test_a_run_without_qrels_is_refused(bundled: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    assert bundled("--run", "a.run") == 2
    assert "--run FILE is evaluated by --qrels FILE" in capsys.readouterr().err


# --- hostile texts ------------------------------------------------------------------------------------------------

EVIL = (
    "</pre><script>alert(1)</script> [x](http://evil.example) ![x](http://evil.example) `a` ``b`` | c\n# head\n\n---\n"
    "* @maintainer #1 \0 \x1b[31mred\x9b0m \u202eback ' \" \\ ../../etc $a$ {{ 7*7 }} &lt; ''' \"\"\""
)


def pieces(text: str) -> set[str]:
    """Return the kinds of all pieces of a text, and where its links and pictures lead."""
    found = set()
    for token in PARSER.parse(text):
        for piece in (token, *(token.children or ())):
            found.add(piece.type)
            if target := piece.attrs.get("href") or piece.attrs.get("src"):
                found.add(f"-> {target}")
    return found


def harmless(path: Path) -> bool:
    return all(letter.isprintable() or letter == "\n" for letter in path.read_text(encoding="utf-8"))


def hostile() -> Any:
    """Return a case in whose every text there is what harms, but in its script, which is harmless by itself."""
    usual = doubler.thirteen()
    return replace(
        usual,
        contract=Contract(EVIL, EVIL, EVIL, EVIL),
        describe=lambda _: EVIL,
        conventions={EVIL: lambda x: Exactly(miniature.doubled(x).value / 2)},  # type: ignore[union-attr]
        script=lambda x: replace(doubler.script(x), input=EVIL),
        domains=(replace(usual.domains[0], name=EVIL, parameters={EVIL: EVIL}),),
    )


def test_hostile_texts_are_harmless_in_every_file(bundled: Bundled, capsys: pytest.CaptureFixture[str]) -> None:
    plain = {"text", "text_special", "code_inline", "softbreak", "inline", "fence", "image", "-> consequence.svg"}
    blocks = {
        "heading",
        "paragraph",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "bullet_list",
        "list_item",
        "em",
        "strong",
    }
    for fields in ({"cause": EVIL}, {"cause": "none"}):
        assert bundled("--fix", mend(), case=hostile(), worked=lambda _: [EVIL, "```", EVIL], **fields) == 0
        allowed = plain | {f"{block}_{end}" for block in blocks for end in ("open", "close")}
        assert pieces(report()) <= allowed
        assert all(harmless(path) for path in Path("out").iterdir())
        said = capsys.readouterr()
        assert all(letter.isprintable() or letter == "\n" for letter in said.out + said.err)
        for path in Path("out").iterdir():
            path.unlink()
        Path("out").rmdir()


def test_a_hostile_message_of_a_library_is_harmless(
    bundled: Bundled, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    case = doubler.thirteen()
    library = doubler.library(tmp_path, case)
    core = tmp_path / "site" / "doubler" / "core.py"
    core.write_text(core.read_text().replace("return 13.0", f"raise RuntimeError({EVIL!r})"))
    assert bundled(library=library, cause="raises RuntimeError") == 0
    assert "The call raises ```RuntimeError: </pre><script>alert(1)</script>" in report()
    assert not {kind for kind in pieces(report()) if "html" in kind or "link" in kind}
    assert all(harmless(path) for path in Path("out").iterdir())
    said = capsys.readouterr().out
    assert all(letter.isprintable() or letter == "\n" for letter in said)


def test_a_refusal_that_does_not_come_is_told_as_one(bundled: Bundled) -> None:
    case = replace(
        doubler.thirteen(), expected=lambda x: Refusal(("ValueError",)) if x.n == 13 else miniature.doubled(x)
    )
    assert bundled(case=case, cause="a value where a refusal is due", test=lambda _: doubler.regression_test()) == 0
    assert "The call returns `13`, where `a refusal (ValueError)` is documented." in report()


def test_a_fix_of_the_wrong_kind_leaves_nothing(bundled: Bundled) -> None:
    assert bundled("--fix", mend(OTHERWISE_AT_13)) == 2
    assert left() == []
