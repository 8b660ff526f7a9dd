"""What a run shows is accepted into the ledger, with a link and a reason, and never without."""

import builtins
import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

import miniature
from harness import cli, ledger, registry
from harness.commands import ledger as ledger_command
from harness.ledger import Count
from harness.ledgers.accepting import Source, plan
from harness.ledgers.changes import changes, shown_versions
from harness.ledgers.seen import Seen
from harness.ledgers.words import SOON
from harness.library import Library

Make = Callable[..., Library]
Rankdiff = Callable[..., int]

WORDS = ("--upstream", "https://example.org/1", "--says", "it triples", "--review", "2199-01-01")

VERSIONS = ("3.0",)


@pytest.fixture
def rankdiff(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Rankdiff:
    """Return a function that runs the command line with a given library, in the test's folder, without a terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)

    def run(library: Library, *arguments: str) -> int:
        monkeypatch.setattr(registry, "libraries", lambda: [library])
        return cli.main(arguments)

    return run


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return a function that gives answers at a terminal, and returns the questions as they are asked."""

    def answer(*answers: str) -> list[str]:
        left: Iterator[str] = iter(answers)
        questions: list[str] = []

        def asked(question: str) -> str:
            questions.append(question)
            try:
                return next(left)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("sys.stdin.isatty", lambda: True)
        monkeypatch.setattr(builtins, "input", asked)
        return questions

    return answer


def release(mini: Make, version: str, *cases: Any, text: str = miniature.EMPTY_LEDGER) -> Library:
    """Return a library of which this release is installed."""
    return mini(*cases, ledger=text, modes=[miniature.program(find=miniature.releases(version))])


def entry(version: str, counts: str = "{ 1 = 1, 2 = 1, 3 = 1, 4 = 34 }", call: str = "tripled") -> str:
    """Return the text of a ledger in which tripling is known."""
    return f"""\
# What is known.
schema = 1

# It was seen first in 2019.
[[known]]
case = "mini/{call}"
versions = "{version}"  # as far as we looked
cause = "tripling"
upstream = "unreported"
says = "it triples"
review = 2199-01-01
counts = [
    {{ domain = "numbers", parameters = {{ up_to = 40 }}, mismatches = {counts} }},
]

# The last line.
"""


TRIPLED = miniature.case("tripled")
RIGHT = miniature.case("right")


def entries(library: Library) -> list[tuple[str, str, str]]:
    return [(one.case, str(one.versions), one.cause) for one in ledger.read(library.ledger).entries]


# --- what is new -----------------------------------------------------------------------------------------------


def test_a_new_divergence_is_listed_from_the_tested_version_on(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", TRIPLED)
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS) == 0
    [one] = ledger.read(library.ledger).entries
    assert (str(one.versions), one.cause, one.upstream, one.says) == (
        ">=3.0",
        "tripling",
        "https://example.org/1",
        "it triples",
    )
    assert one.review == date(2199, 1, 1)
    # 37 of 40 numbers: all but 0, 5 (refused) and 39 (unspecified).
    assert [dict(count.mismatches) for count in one.counts] == [{1: 1, 2: 1, 3: 1, 4: 34}]


def test_what_was_accepted_is_as_the_ledger_says(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", TRIPLED)
    assert rankdiff(library, "check") == 1
    rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS)
    assert rankdiff(library, "check", "--thorough") == 0


def test_every_domain_is_counted(mini: Make, rankdiff: Rankdiff) -> None:
    domains = (miniature.numbers(5), miniature.numbers(9, name="more", thorough=True))
    library = release(mini, "3.0", miniature.case("tripled", domains=domains))
    rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS)
    [one] = ledger.read(library.ledger).entries
    assert [(count.domain, dict(count.mismatches)) for count in one.counts] == [
        ("numbers", {1: 1, 2: 1, 3: 1, 4: 1}),
        ("more", {1: 1, 2: 1, 3: 1, 4: 4}),  # 4, 6, 7 and 8
    ]


def test_comments_and_what_was_there_are_kept(mini: Make, rankdiff: Rankdiff) -> None:
    before = entry(">=1")
    library = release(mini, "3.0", TRIPLED, miniature.case("always_wrong"), text=before)
    assert rankdiff(library, "ledger", "--accept", "mini/always-wrong", *WORDS) == 0
    assert library.ledger.read_text().startswith(before)
    assert len(entries(library)) == 2


def test_one_link_and_one_reason_are_not_taken_for_two_causes(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library = release(mini, "3.0", miniature.case("raises_at_2_and_triples"))
    arguments = ("ledger", "--accept", "mini/raises-at-2-and-triples", *WORDS)
    assert rankdiff(library, *arguments) == 2
    assert "name it with --cause: 'tripling'; 'raises ZeroDivisionError'" in capsys.readouterr().err
    assert entries(library) == []
    assert rankdiff(library, *arguments, "--cause", "tripling") == 0
    assert [cause for _, _, cause in entries(library)] == ["tripling"]


def test_a_cause_that_is_not_there_is_refused_with_those_that_are(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library = release(mini, "3.0", TRIPLED)
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS, "--cause", "halving") == 2
    assert "not 'halving': tripling" in capsys.readouterr().err


def test_texts_from_a_library_are_texts_in_the_ledger(mini: Make, rankdiff: Rankdiff) -> None:
    hostile = 'x"\n[[known]]\ncase = "mini/tripled'
    case = miniature.case("tripled", conventions={hostile: next(iter(TRIPLED.conventions.values()))})
    library = release(mini, "3.0", case)
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS) == 0
    assert entries(library) == [("mini/tripled", ">=3.0", hostile)]


# --- what is known already -------------------------------------------------------------------------------------


def test_what_the_ledger_says_already_is_not_written_again(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library = release(mini, "3.0", TRIPLED, text=entry(">=1"))
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS) == 0
    assert library.ledger.read_text() == entry(">=1")
    assert "nothing is to be written" in capsys.readouterr().out


def test_one_that_is_gone_ends_below_the_tested_version(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", RIGHT, text=entry(">=1", call="right"))
    words = ("--upstream", "unreported", "--says", "it tripled until 3.0", "--review", "2199-01-01")
    assert rankdiff(library, "ledger", "--accept", "mini/right", *words) == 0
    expected = entry(">=1", call="right").replace('">=1"', '">=1, <3.0"')
    expected = expected.replace("as far as we looked", "as far as we looked; it tripled until 3.0 (unreported)")
    assert library.ledger.read_text() == expected
    assert rankdiff(library, "check") == 0


def test_the_end_of_an_entry_is_asked_for_a_reason_and_keeps_what_is_said_of_the_rest(
    mini: Make, rankdiff: Rankdiff, at_terminal: Callable[..., list[str]]
) -> None:
    library = release(mini, "3.0", RIGHT, text=entry(">=1", call="right").replace("  # as far as we looked", ""))
    questions = at_terminal("https://example.org/2", "they mended it", "y")
    assert rankdiff(library, "ledger", "--accept", "mini/right") == 0
    assert [question.partition(",")[0] for question in questions][1] == "Why it ends"
    assert '<3.0"  # they mended it (https://example.org/2)\n' in library.ledger.read_text()
    [one] = ledger.read(library.ledger).entries
    assert (one.says, one.upstream) == ("it triples", "unreported")


def test_an_end_that_is_there_already_moves_down(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", RIGHT, text=entry(">=1, <9", call="right"))
    rankdiff(library, "ledger", "--accept", "mini/right", *WORDS)
    assert [SpecifierSet(versions) for _, versions, _ in entries(library)] == [SpecifierSet(">=1,<3.0")]


def test_one_of_which_no_version_is_left_is_removed_and_other_texts_stay(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", RIGHT, text=entry(">=3.0", call="right"))
    assert rankdiff(library, "ledger", "--accept", "mini/right", *WORDS) == 0
    assert library.ledger.read_text() == (
        "# What is known.\nschema = 1\n\n# It was seen first in 2019.\n\n# The last line.\n"
    )


def test_counts_that_moved_begin_an_entry_of_their_own(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", TRIPLED, text=entry(">=1", counts="{ 1 = 1 }"))
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS) == 0
    before, after = ledger.read(library.ledger).entries
    assert (before.versions, after.versions) == (SpecifierSet(">=1,<3.0"), SpecifierSet(">=3.0"))
    assert (before.upstream, after.upstream) == ("unreported", "https://example.org/1")
    assert dict(before.counts[0].mismatches) == {1: 1}
    assert dict(after.counts[0].mismatches) == {1: 1, 2: 1, 3: 1, 4: 34}
    assert rankdiff(library, "check") == 0


def seen(case: Any, *domains: Any, version: str = "3.0") -> Seen:
    """Return that a release triples 1 in each of these domains."""
    counts = tuple(Count(domain.name, domain.parameters, {1: 1}) for domain in domains)
    return Seen(case, version, f"doubler {version}", domains, {"tripling": counts}, {}, {})


@pytest.mark.parametrize(
    ("versions", "ended", "following"),
    [
        (">=1", ">=1, <3.0", ">=3.0"),
        (">=1, <9", ">=1, <3.0", ">=3.0, <9"),
        (">=1, <=9", ">=1, <3.0", ">=3.0, <=9"),
        (">=1, !=4.0", "!=4.0, >=1, <3.0", "!=4.0, >=3.0"),
    ],
)
def test_counts_that_moved_leave_the_end_and_the_gaps_of_the_versions_as_they_were(
    mini: Make, versions: str, ended: str, following: str
) -> None:
    found = changes(ledger.read(mini(ledger=entry(versions)).ledger), seen(TRIPLED, *TRIPLED.domains))
    assert [shown_versions(change.after.versions) for change in found if change.after] == [ended, following]


@pytest.mark.parametrize(
    ("text", "expected"),
    [(miniature.EMPTY_LEDGER, [">=1.3.dev4"]), (entry(">=1"), [">=1, <1.3.dev4", ">=1.3.dev4"])],
)
def test_the_local_part_of_a_version_is_left_out_since_no_range_can_name_it(
    mini: Make, text: str, expected: list[str]
) -> None:
    found = changes(ledger.read(mini(ledger=text).ledger), seen(TRIPLED, *TRIPLED.domains, version="1.3.dev4+g12ab"))
    assert [shown_versions(change.after.versions) for change in found if change.after] == expected


def test_a_ledger_behind_a_link_with_the_ends_of_lines_of_another_system_stays_one(
    mini: Make, rankdiff: Rankdiff, tmp_path: Path
) -> None:
    library = release(mini, "3.0", TRIPLED)
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_bytes(entry("<2").replace("\n", "\r\n").encode())
    library.ledger.unlink()
    library.ledger.symlink_to(elsewhere)
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS) == 0
    assert library.ledger.is_symlink()
    written = elsewhere.read_bytes()
    assert written.count(b"\n") == written.count(b"\r\n") > entry("<2").count("\n")
    assert written.startswith(entry("<2").replace("\n", "\r\n").encode())


def test_the_counts_of_a_domain_that_is_not_offered_any_more_are_kept(mini: Make) -> None:
    case = miniature.case("tripled", domains=(miniature.numbers(), miniature.numbers(6, name="few")))
    few = '    { domain = "few", parameters = {}, mismatches = { 2 = 7 } },\n]'
    known = ledger.read(mini(ledger=entry(">=3.0").replace("\n]", f"\n{few}")).ledger)
    [change] = changes(known, seen(case, case.domains[0]))
    assert change.after
    assert [(count.domain, count.mismatches) for count in change.after.counts] == [("numbers", {1: 1}), ("few", {2: 7})]


def test_counts_that_moved_where_nothing_is_below_are_replaced(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", TRIPLED, text=entry(">=3.0", counts="{ 1 = 1 }"))
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS, "--cause", "tripling") == 0
    [one] = ledger.read(library.ledger).entries
    assert dict(one.counts[0].mismatches) == {1: 1, 2: 1, 3: 1, 4: 34}
    assert "# as far as we looked" in library.ledger.read_text()


def test_a_domain_that_was_not_counted_is_counted_in_place(mini: Make, rankdiff: Rankdiff) -> None:
    case = miniature.case("tripled", domains=(miniature.numbers(), miniature.numbers(6, name="few")))
    library = release(mini, "3.0", case, text=entry(">=1"))
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS) == 0
    [one] = ledger.read(library.ledger).entries
    assert [count.domain for count in one.counts] == ["numbers", "few"]
    assert str(one.versions) == ">=1"


def test_one_that_came_back_does_not_overlap_the_entry_of_later_versions(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", TRIPLED, text=entry(">=4"))
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS) == 0
    assert [versions for _, versions, _ in entries(library)] == [">=4", "==3.0"]


# --- with the link and the reason, never without ---------------------------------------------------------------


def test_without_words_and_without_a_terminal_nothing_is_run(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_command, "check", lambda *_: pytest.fail("it was run"))
    assert rankdiff(release(mini, "3.0", TRIPLED), "ledger", "--accept", "mini/tripled") == 2
    assert "--upstream URL (or unreported) and --says TEXT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--says", "it triples"), "go together"),
        (("--upstream", "unreported"), "go together"),
        (("--upstream", "http://example.org", "--says", "it triples"), "a link (https://...)"),
        (("--upstream", "https://", "--says", "it triples"), "a link (https://...)"),
        (("--upstream", "https://example.org/\x1b[31m", "--says", "it triples"), "a link (https://...)"),
        (("--upstream", "unreported", "--says", " "), "the reason, in a line"),
        (("--upstream", "unreported", "--says", "two\nlines"), "the reason, in a line"),
    ],
)
def test_half_of_the_words_or_wrong_ones_are_refused(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    library = release(mini, "3.0", TRIPLED)
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *words) == 2
    assert message in capsys.readouterr().err
    assert entries(library) == []


def test_at_a_terminal_the_words_are_asked_for_until_they_are_some(
    mini: Make, rankdiff: Rankdiff, at_terminal: Callable[..., list[str]]
) -> None:
    library = release(mini, "3.0", TRIPLED)
    questions = at_terminal("somewhere", "unreported", "", "it triples", "soon", "2199-01-01", "y")
    assert rankdiff(library, "ledger", "--accept", "mini/tripled") == 0
    [one] = ledger.read(library.ledger).entries
    assert (one.upstream, one.says, one.review) == ("unreported", "it triples", date(2199, 1, 1))
    assert [question.partition(" is no")[0] for question in questions if " is no " in question] == [
        "'somewhere'",
        "''",
        "'soon'",
    ]
    assert len(questions) == 7


@pytest.mark.parametrize("last", ["n", "", None])
def test_at_a_terminal_nothing_is_written_without_a_yes(
    mini: Make, rankdiff: Rankdiff, at_terminal: Callable[..., list[str]], last: str | None
) -> None:
    library = release(mini, "3.0", TRIPLED)
    at_terminal("unreported", "it triples", "2199-01-01", *([] if last is None else [last]))
    assert rankdiff(library, "ledger", "--accept", "mini/tripled") == 0
    assert entries(library) == []


def test_a_ledger_that_was_changed_while_a_person_was_asked_is_left_as_it_is(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    library = release(mini, "3.0", TRIPLED)
    answers = iter(["unreported", "it triples", "2199-01-01", "y"])
    meanwhile = entry("<2")

    def asked(_: str) -> str:
        library.ledger.write_text(meanwhile)
        return next(answers)

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr(builtins, "input", asked)
    assert rankdiff(library, "ledger", "--accept", "mini/tripled") == 2
    assert "was changed meanwhile; nothing was written: run the same again" in capsys.readouterr().err
    assert library.ledger.read_text() == meanwhile


def test_nobody_who_answers_is_a_refusal(
    mini: Make, rankdiff: Rankdiff, at_terminal: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    at_terminal()
    assert rankdiff(release(mini, "3.0", TRIPLED), "ledger", "--accept", "mini/tripled") == 2
    assert "nothing was written" in capsys.readouterr().err


def test_an_empty_answer_keeps_what_the_entry_says(
    mini: Make, rankdiff: Rankdiff, at_terminal: Callable[..., list[str]]
) -> None:
    library = release(mini, "3.0", TRIPLED, text=entry(">=1", counts="{ 1 = 1 }"))
    at_terminal("", "", "", "y")
    assert rankdiff(library, "ledger", "--accept", "mini/tripled") == 0
    before, after = ledger.read(library.ledger).entries
    assert [(one.upstream, one.says, one.review) for one in (before, after)] == [
        ("unreported", "it triples", date(2199, 1, 1))
    ] * 2


def test_a_review_date_that_nobody_names_is_half_a_year_away(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", TRIPLED)
    before = date.today()  # noqa: DTZ011 - as the command does
    rankdiff(library, "ledger", "--accept", "mini/tripled", "--upstream", "unreported", "--says", "it triples")
    [one] = ledger.read(library.ledger).entries
    assert before + SOON <= one.review <= date.today() + SOON  # noqa: DTZ011


def test_what_would_be_written_is_shown(mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    rankdiff(release(mini, "3.0", TRIPLED), "ledger", "--accept", "mini/tripled", *WORDS)
    out = capsys.readouterr().out
    assert "new in doubler 3.0; a new entry:\n    [[known]]\n" in out
    assert '    says = "it triples"\n' in out


# --- from a file -----------------------------------------------------------------------------------------------


@pytest.fixture
def report_of(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Path]:
    """Return a function that checks a library and saves the report."""

    def make(library: Library, *arguments: str) -> Path:
        rankdiff(library, "check", "--json", *arguments)
        path = tmp_path / "report.json"
        path.write_text(capsys.readouterr().out)
        return path

    return make


def test_a_report_is_accepted_without_running_anything(
    mini: Make, rankdiff: Rankdiff, report_of: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    library = release(mini, "3.0", TRIPLED)
    path = report_of(library, "--thorough")
    monkeypatch.setattr(ledger_command, "check", lambda *_: pytest.fail("it was run"))
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", "--from", str(path), *WORDS) == 0
    assert entries(library) == [("mini/tripled", ">=3.0", "tripling")]


def test_a_report_of_which_a_domain_is_missing_is_refused(
    mini: Make, rankdiff: Rankdiff, report_of: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    domains = (miniature.numbers(5), miniature.numbers(9, name="more", thorough=True))
    library = release(mini, "3.0", miniature.case("tripled", domains=domains))
    path = report_of(library)
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", "--from", str(path), *WORDS) == 2
    assert "more, up_to 9 is missing: run it with --thorough" in capsys.readouterr().err


def test_a_report_that_was_edited_is_refused(
    mini: Make, rankdiff: Rankdiff, report_of: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    library = release(mini, "3.0", TRIPLED)
    path = report_of(library)
    path.write_text(path.read_text().replace('"tripling": 37', '"tripling": 36'))
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", "--from", str(path), *WORDS) == 2
    assert "it was cut or edited" in capsys.readouterr().err


def test_a_report_of_a_run_that_could_not_be_done_is_refused(
    mini: Make, rankdiff: Rankdiff, report_of: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    library = release(mini, "3.0", TRIPLED, miniature.case("not_there"))
    path = report_of(library)
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", "--from", str(path), *WORDS) == 2
    assert "the adapter has no function not_there" in capsys.readouterr().err


def test_a_finding_is_run_again_for_its_counts(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", miniature.case("raises_at_2_and_triples"))
    rankdiff(library, "check")
    [tripling] = [path for path in Path("rankdiff-findings").glob("*/finding.json") if "tripling" in path.read_text()]
    arguments = ("ledger", "--accept", "mini/raises-at-2-and-triples", "--from", str(tripling), *WORDS)
    cause = json.loads(tripling.read_text())["cause"]
    assert rankdiff(library, *arguments) == 0
    assert [one for _, _, one in entries(library)] == [cause]


def test_a_finding_of_another_release_is_refused(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    rankdiff(release(mini, "2.0", TRIPLED), "check")
    [path] = Path("rankdiff-findings").glob("*/finding.json")
    assert (
        rankdiff(release(mini, "3.0", TRIPLED), "ledger", "--accept", "mini/tripled", "--from", str(path), *WORDS) == 2
    )
    assert "the finding is about version 2.0, and doubler 3.0 was tested" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("patches", "options", "message"),
    [
        (["fix.patch"], (), "a finding in a release without patches was expected, not in {'version': '3.0', 'patches'"),
        ([], ("--cause", "halving"), "is a finding of 'tripling', not of 'halving'"),
    ],
)
def test_a_finding_in_a_patched_copy_or_of_another_cause_is_refused(
    mini: Make,
    rankdiff: Rankdiff,
    capsys: pytest.CaptureFixture[str],
    patches: list[str],
    options: tuple[str, ...],
    message: str,
) -> None:
    subject = {"version": "3.0", "patches": patches}
    finding = {"case": "mini/tripled", "input": {"n": 1}, "cause": "tripling", "subject": subject}
    Path("finding.json").write_text(json.dumps(finding))
    arguments = ("ledger", "--accept", "mini/tripled", "--from", "finding.json", *WORDS, *options)
    assert rankdiff(release(mini, "3.0", TRIPLED), *arguments) == 2
    assert message in capsys.readouterr().err


def test_a_finding_of_another_case_is_refused(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    rankdiff(release(mini, "3.0", miniature.case("always_wrong")), "check")
    [path] = Path("rankdiff-findings").glob("*/finding.json")
    library = release(mini, "3.0", TRIPLED)
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", "--from", str(path), *WORDS) == 2
    assert "a finding of mini/tripled in a release was expected" in capsys.readouterr().err


# --- beyond the domains ----------------------------------------------------------------------------------------


def beyond(call: str) -> Any:
    """Return a case of which no domain holds 13, and the hunt finds it."""
    hunted = miniature.big_numbers().map(lambda x: miniature.Number(x.n % 30 + 6))
    return miniature.case(call, domains=(miniature.numbers(5),), beyond=hunted)


def test_what_only_the_hunt_found_is_listed_with_its_input_and_known_from_then_on(
    mini: Make, rankdiff: Rankdiff
) -> None:
    library = release(mini, "3.0", beyond("wrong_at_13"))
    assert rankdiff(library, "ledger", "--accept", "mini/wrong-at-13", *WORDS) == 0
    [one] = ledger.read(library.ledger).entries
    assert one.beyond == ('{"n": 13}',)
    assert rankdiff(library, "check") == 0


def test_what_only_the_hunt_found_and_is_gone_ends_too(mini: Make, rankdiff: Rankdiff) -> None:
    library = release(mini, "3.0", beyond("wrong_at_13"))
    rankdiff(library, "ledger", "--accept", "mini/wrong-at-13", *WORDS)
    text = library.ledger.read_text().replace("wrong-at-13", "right")
    fixed = release(mini, "4.0", beyond("right"), text=text)
    assert rankdiff(fixed, "check") == 1
    assert rankdiff(fixed, "ledger", "--accept", "mini/right", *WORDS) == 0
    assert [SpecifierSet(versions) for _, versions, _ in entries(fixed)] == [SpecifierSet(">=3.0,<4.0")]
    assert rankdiff(fixed, "check") == 0


NEWER: Any = {"distribution": "doubler", "version": "2.0", "patches": [], "mode": "program"}

OLDER: Any = {**NEWER, "version": "1.0"}


def about_two_releases(**parts: Any) -> Source:
    """Return a report of 2.0, which the library prefers, and of 1.0: no domain shows anything."""
    certificates = [
        {
            "case": "mini/right",
            "status": "run",
            "subject": subject,
            "domain": {"name": "numbers", "parameters": {"up_to": 40}},
            "inputs": 40,
            "exhausted": True,
            "verdicts": {"agrees": 40},
            "by_size": [],
            "causes": {},
        }
        for subject in (NEWER, OLDER)
    ]
    return Source({"exit_status": 1, "certificates": certificates, **parts})


def planned(library: Library, origin: Source) -> list[tuple[str, str]]:
    """Return why the ledger has to change, and the versions of the entry then."""
    found = plan(ledger.read(library.ledger), library, RIGHT, origin, lambda: pytest.fail("it was run"))
    return [(change.why, shown_versions(change.after.versions)) for change in found if change.after]


@pytest.mark.parametrize(
    ("hunted", "expected"), [(NEWER, [("new in doubler 2.0", ">=2.0")]), (OLDER, [])], ids=["newer", "older"]
)
def test_what_a_hunt_found_in_another_release_is_not_listed(
    mini: Make, hunted: Any, expected: list[tuple[str, str]]
) -> None:
    found = [{"input": {"n": 41}, "cause": "tripling"}]
    hunt = {"case": "mini/right", "subject": hunted, "found": found}
    assert planned(release(mini, "2.0", RIGHT), about_two_releases(hunts=[hunt])) == expected


@pytest.mark.parametrize(
    ("newer", "older", "expected"),
    [(False, True, [("gone in doubler 2.0", ">=1, <2.0")]), (True, False, [])],
    ids=["gone from the newer", "gone from the older"],
)
def test_an_input_beyond_the_domains_is_looked_at_in_the_tested_release_alone(
    mini: Make, *, newer: bool, older: bool, expected: list[tuple[str, str]]
) -> None:
    about = {"case": "mini/right", "cause": "tripling"}
    beyond = [{**about, "version": "2.0", "shown": newer}, {**about, "version": "1.0", "shown": older}]
    known = entry(">=1", counts="{}", call="right").replace("counts =", """beyond = ['{"n": 41}']\ncounts =""")
    library = release(mini, "2.0", RIGHT, text=known)
    assert planned(library, about_two_releases(ledger={"beyond": beyond})) == expected


# --- what cannot be accepted -----------------------------------------------------------------------------------


def test_a_mode_whose_counts_do_not_count_is_refused(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(mini(TRIPLED), "ledger", "--accept", "mini/tripled", "--mode", "odd", *WORDS) == 2
    assert "a run in a mode whose counts count was expected, such as plain, not odd" in capsys.readouterr().err


def test_a_library_that_is_not_installed_is_refused(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library = mini(TRIPLED, distribution="no-such-distribution")
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS) == 2
    assert "mini cannot be run in the mode plain: no-such-distribution is not installed" in capsys.readouterr().err


def test_a_domain_that_was_cut_short_is_refused(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    case = miniature.case("ends_always")
    assert rankdiff(release(mini, "3.0", case), "ledger", "--accept", "mini/ends-always", *WORDS) == 2
    assert "all 40 inputs of numbers, up_to 40 were expected" in capsys.readouterr().err


def test_a_whole_library_is_not_accepted_at_once(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(release(mini, "3.0", TRIPLED), "ledger", "--accept", "mini", *WORDS) == 2
    assert "one case was expected" in capsys.readouterr().err


def test_a_ledger_that_cannot_be_written_is_left_as_it_is(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    library = release(mini, "3.0", TRIPLED)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert rankdiff(library, "ledger", "--accept", "mini/tripled", *WORDS, "--findings", "elsewhere") == 2
    assert "No space left on device" in capsys.readouterr().err
    monkeypatch.undo()
    assert library.ledger.read_text() == miniature.EMPTY_LEDGER


@pytest.mark.parametrize(
    "options",
    [
        ("--cause", "tripling"),
        ("--from", "report.json"),
        ("--upstream", "unreported"),
        ("--says", "it triples"),
        ("--review", "2199-01-01"),
    ],
)
def test_what_is_about_accepting_is_refused_without_it(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    assert rankdiff(release(mini, "3.0", TRIPLED), "ledger", *options) == 2
    assert "are about --accept CASE" in capsys.readouterr().err
