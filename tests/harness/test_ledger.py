"""The ledger is read strictly, and a run is settled against it in both directions."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

import by_hand
import miniature
from harness import ledger
from harness.certificate import Instance
from harness.errors import BrokenLedgerError
from harness.expected import Exactly
from harness.hunt import Hunt
from harness.installation import Unreleased
from harness.library import Library
from harness.report import Report
from harness.settle import settle_case
from harness.subject import Subject
from harness.verdict import Verdict

Make = Callable[..., Library]
Run = Callable[..., Report]

VERSION = metadata.version("packaging")

# Tripling is wrong for 1, 2, 3, and for 34 of the 36 numbers from 4 to 39: all but 5 and 39.
TRIPLED = """\
schema = 1

[[known]]
case = "mini/tripled"
versions = ">=1"
cause = "tripling"
upstream = "unreported"
says = "it triples"
review = 2999-01-01
counts = [
    { domain = "numbers", parameters = { up_to = 40 }, mismatches = { 1 = 1, 2 = 1, 3 = 1, 4 = 34 } },
]
"""


def kinds(report: Report) -> list[str]:
    return [problem.kind for problem in report.problems]


def test_a_known_divergence_is_as_the_ledger_says(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("tripled"), ledger=TRIPLED))
    assert report.exit_status == 0
    assert report.saved == ()


def test_a_count_need_not_name_every_parameter(mini: Make, run_check: Run) -> None:
    anywhere = TRIPLED.replace("{ up_to = 40 }", "{}")
    assert run_check(mini(miniature.case("tripled"), ledger=anywhere)).exit_status == 0


def test_a_divergence_that_is_not_listed_is_new(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("tripled")))
    assert kinds(report) == ["new"]
    assert report.exit_status == 1


def test_a_mismatch_with_another_cause_is_new_and_the_listed_one_is_gone(mini: Make, run_check: Run) -> None:
    other = TRIPLED.replace('"tripling"', '"halving"')
    report = run_check(mini(miniature.case("tripled"), ledger=other))
    assert kinds(report) == ["new", "gone"]
    assert len(report.saved) == 1


def test_a_cause_that_does_not_occur_may_not_wait_for_its_day(mini: Make, run_check: Run) -> None:
    more = TRIPLED + TRIPLED.replace("schema = 1\n", "").replace('"tripling"', '"raises KeyError"')
    assert kinds(run_check(mini(miniature.case("tripled"), ledger=more))) == ["gone"]


def test_an_entry_that_counts_nothing_fails(mini: Make, run_check: Run) -> None:
    nothing = TRIPLED.replace("{ 1 = 1, 2 = 1, 3 = 1, 4 = 34 }", "{ 4 = 0 }").replace("mini/tripled", "mini/right")
    [problem] = run_check(mini(miniature.case("right"), ledger=nothing)).problems
    assert problem.kind == "orphan"
    assert "it counts no mismatch at all" in problem.text


def test_a_count_for_no_domain_fails(mini: Make, run_check: Run) -> None:
    count = '    { domain = "nowhere", parameters = {}, mismatches = { 1 = 1 } },\n]'
    report = run_check(mini(miniature.case("tripled"), ledger=TRIPLED.replace("},\n]\n", f"}},\n{count}\n")))
    [problem] = report.problems
    assert problem.kind == "orphan"
    assert "has no domain nowhere" in problem.text


def test_two_counts_for_one_domain_fail(mini: Make, run_check: Run) -> None:
    count = '    { domain = "numbers", parameters = {}, mismatches = { 1 = 1 } },\n]'
    assert kinds(run_check(mini(miniature.case("tripled"), ledger=TRIPLED.replace("},\n]\n", f"}},\n{count}\n")))) == [
        "overlap"
    ]


def test_a_convention_that_is_listed_does_not_hide_one_that_is_not(mini: Make, run_check: Run) -> None:
    # Every mismatch follows both conventions but for n = 13; the listed one comes second.
    case = miniature.case(
        "tripled",
        conventions={
            "tripling": lambda x: Exactly(Fraction(3 * x.n), Fraction(1, 2**40)),
            "tripling but for 13": lambda x: Exactly(Fraction((2 if x.n == 13 else 3) * x.n), Fraction(1, 2**40)),
        },
    )
    hidden = TRIPLED.replace('"tripling"', '"tripling but for 13"')
    assert "new" in kinds(run_check(mini(case, ledger=hidden)))


def test_a_listed_divergence_that_is_gone_fails_and_names_the_release(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("right"), ledger=TRIPLED.replace("mini/tripled", "mini/right")))
    [problem] = report.problems
    assert problem.kind == "gone"
    assert f"packaging {VERSION}, right: the divergence known as 'tripling' is gone" in problem.text
    assert f"{VERSION} fixed it, if no release before did; end its versions (>=1) with <{VERSION}" in problem.text
    assert "(known.toml, line 3)" in problem.text
    assert report.exit_status == 1


def gone(mini: Make, tested: Subject, *found: Instance) -> str:
    """Return what is said where a listed divergence is not shown by what was tested."""
    case = miniature.case("tripled")
    known = ledger.read(mini(ledger=TRIPLED.replace("{ up_to = 40 }", "{}")).ledger).entries
    verdicts = {Verdict.AGREES: 40 - len(found), Verdict.DIFFERS: len(found)}
    problems = settle_case(tested, known, [by_hand.certificate(case, verdicts, found)], None)
    [problem] = [problem for problem in problems if problem.kind == "gone"]
    return problem.text


def test_where_another_divergence_is_shown_instead_nothing_is_said_to_be_fixed(mini: Make) -> None:
    text = gone(mini, by_hand.subject(), by_hand.mismatch(miniature.case("tripled"), 1, "halving"))
    assert "'tripling' is not shown any more, and 'halving' is: that is no fix (known.toml, line 3)" in text
    assert "fixed" not in text


def test_a_checkout_that_mends_a_divergence_is_told_so_and_not_what_to_do_with_the_ledger_yet(mini: Make) -> None:
    here = by_hand.subject()
    checkout = replace(here, installation=replace(here.installation, unreleased=Unreleased("checkout")))
    text = gone(mini, checkout)
    assert "a checkout, tripled: the divergence known as 'tripling' is gone: what is in it mends that" in text
    assert "Once it is released" in text


def test_the_command_that_ends_an_entry_is_about_what_was_tested(mini: Make) -> None:
    here = by_hand.subject("1.3.dev4+g12ab")
    older = replace(here, installation=replace(here.installation, options=("--subject", "./mine")))
    text = gone(mini, older)
    assert "with <1.3.dev4, or remove" in text
    assert "`rankdiff ledger --accept mini/tripled --subject ./mine` does so" in text


def test_what_a_domain_shows_is_not_said_to_be_found_beyond_it_when_it_is_replayed() -> None:
    found = by_hand.mismatch(miniature.case("tripled"), 1, "tripling")
    shown = by_hand.certificate(found.case, {Verdict.AGREES: 39, Verdict.DIFFERS: 1}, [found])
    again = Hunt(found.case, seed=0, replayed=1, examples=1, found=(found,))
    [problem] = settle_case(by_hand.subject(), (), [shown], again)
    assert "on 1 of 40 inputs" in problem.text
    [beyond] = settle_case(by_hand.subject(), (), [], again)
    assert "found beyond, 'tripling'" in beyond.text


def test_counts_that_moved_fail_and_say_how(mini: Make, run_check: Run) -> None:
    # As many as there are, and elsewhere.
    report = run_check(mini(miniature.case("tripled"), ledger=TRIPLED.replace("3 = 1, 4 = 34", "3 = 2, 4 = 33")))
    [problem] = report.problems
    assert problem.kind == "moved"
    assert "{1: 1, 2: 1, 3: 2, 4: 33}" in problem.text
    assert "this run {1: 1, 2: 1, 3: 1, 4: 34}" in problem.text


def test_a_domain_without_counts_fails_and_says_what_they_are(mini: Make, run_check: Run) -> None:
    case = miniature.case("tripled", domains=(miniature.numbers(), miniature.numbers(6, name="few")))
    [problem] = run_check(mini(case, ledger=TRIPLED)).problems
    assert problem.kind == "uncounted"
    assert "for few, up_to 6; it is {1: 1, 2: 1, 3: 1, 4: 1}" in problem.text


def test_an_entry_about_no_case_fails(mini: Make, run_check: Run) -> None:
    report = run_check(mini(miniature.case("right"), ledger=TRIPLED))
    [problem] = report.problems
    assert problem.kind == "orphan"
    assert "no case is called mini/tripled" in problem.text


def twice(first: str, second: str, **others: str) -> str:
    """Return a ledger with two entries of these versions; other words of the second are replaced."""
    again = TRIPLED.replace("schema = 1\n", "").replace(">=1", second)
    for old, new in others.items():
        again = again.replace(old, new)
    return TRIPLED.replace(">=1", first) + again


@pytest.mark.parametrize(("first", "second"), [(">=1", ">=2"), (">=1", "<2"), (">=1, <3", ">=2"), ("~=9.1", "==9.*")])
def test_entries_that_overlap_fail_whatever_version_is_tested(
    mini: Make, run_check: Run, first: str, second: str
) -> None:
    problems = run_check(mini(miniature.case("tripled"), ledger=twice(first, second))).problems
    [text] = [problem.text for problem in problems if problem.kind == "overlap"]
    assert text.startswith("known.toml, lines 3 and 14: each is about 'tripling' in mini/tripled")


@pytest.mark.parametrize(("first", "second"), [("<1", ">=1"), ("<1", ">=1, <99"), ("!=9.9, <=9", ">9")])
def test_an_entry_that_begins_where_another_ends_does_not_overlap_it(
    mini: Make, run_check: Run, first: str, second: str
) -> None:
    problems = run_check(mini(miniature.case("tripled"), ledger=twice(first, second))).problems
    assert "overlap" not in [problem.kind for problem in problems]


def test_entries_of_other_causes_do_not_overlap(mini: Make, run_check: Run) -> None:
    problems = run_check(mini(miniature.case("tripled"), ledger=twice(">=1", ">=1", tripling="halving"))).problems
    assert "overlap" not in [problem.kind for problem in problems]


def test_an_entry_that_is_true_of_no_version_fails(mini: Make, run_check: Run) -> None:
    never = twice(">=1", ">=3, <2")
    [problem] = run_check(mini(miniature.case("tripled"), ledger=never)).problems
    assert problem.kind == "orphan"
    assert "no version is in <2,>=3" in problem.text


RELEASES = st.lists(st.integers(0, 2), min_size=1, max_size=3).map(lambda parts: ".".join(map(str, parts)))

VERSIONS = st.builds(
    lambda release, pre, post, dev: f"{release}{pre}{post}{dev}",
    RELEASES,
    st.sampled_from(["", "", "a1", "rc1"]),
    st.sampled_from(["", "", ".post1"]),
    st.sampled_from(["", "", ".dev1"]),
)

CLAUSES = st.one_of(
    st.builds("{}{}".format, st.sampled_from([">=", "<=", ">", "<", "==", "!="]), VERSIONS),
    st.builds("{}{}.*".format, st.sampled_from(["==", "!="]), RELEASES),
    st.builds("~={}.{}".format, st.integers(0, 2), st.integers(0, 2)),
)

RANGES = st.lists(CLAUSES, min_size=1, max_size=3).map(",".join).map(SpecifierSet)


@given(RANGES, RANGES, VERSIONS)
def test_ranges_that_share_a_version_overlap(one: SpecifierSet, other: SpecifierSet, version: str) -> None:
    if one.contains(version, prereleases=True) and other.contains(version, prereleases=True):
        assert ledger.overlap(one, other)


EVERY = [
    f"{release}{pre}{post}{dev}{local}"
    for release in [".".join(map(str, parts)) for n in (1, 2, 3, 4) for parts in itertools.product(range(4), repeat=n)]
    for pre in ("", "a0", "a1", "a2", "rc1", "rc2")
    for post in ("", ".post0", ".post1", ".post2")
    for dev in ("", ".dev0", ".dev1", ".dev2")
    for local in ("", "+local")
]
"""At least one version between every two that the ranges above name."""


@settings(max_examples=25, deadline=None)
@given(RANGES, RANGES)
def test_ranges_that_overlap_share_a_version(one: SpecifierSet, other: SpecifierSet) -> None:
    if ledger.overlap(one, other):
        shared = one.filter(other.filter(EVERY, prereleases=True), prereleases=True)
        assert next(iter(shared), None) is not None


def test_an_entry_about_other_versions_does_not_count(mini: Make, run_check: Run) -> None:
    older = TRIPLED.replace(">=1", f"<{VERSION}")
    assert kinds(run_check(mini(miniature.case("tripled"), ledger=older))) == ["new"]


def test_an_entry_is_open_above_so_that_a_new_release_is_no_news(mini: Make) -> None:
    [entry] = ledger.read(mini(ledger=TRIPLED).ledger).entries
    assert entry.covers("99.0")
    assert entry.covers("99.0.dev1")
    assert not entry.covers("0.9")


def test_a_passed_review_date_warns_and_does_not_fail(mini: Make, run_check: Run) -> None:
    overdue = TRIPLED.replace("2999-01-01", "2001-01-01")
    report = run_check(mini(miniature.case("tripled"), ledger=overdue))
    assert report.exit_status == 0
    [warning] = report.libraries[0].warnings
    assert warning == "known.toml, line 3: mini/tripled was to be reviewed by 2001-01-01"


def test_a_passed_review_date_fails_for_those_who_ask_for_it(mini: Make, run_check: Run) -> None:
    late = TRIPLED.replace("2999-01-01", "2001-01-01")
    report = run_check(mini(miniature.case("tripled"), ledger=late), reviews=True)
    assert kinds(report) == ["overdue"]
    assert report.exit_status == 1
    assert report.warnings == []


def test_a_review_date_to_come_does_not_fail_for_those_who_ask_for_it(mini: Make, run_check: Run) -> None:
    assert run_check(mini(miniature.case("tripled"), ledger=TRIPLED), reviews=True).exit_status == 0


def test_a_review_is_overdue_from_the_day_after_its_date(mini: Make) -> None:
    [entry] = ledger.read(mini(ledger=TRIPLED).ledger).entries
    assert not entry.is_overdue(date(2999, 1, 1))
    assert entry.is_overdue(date(2999, 1, 2))


def test_a_passed_review_date_of_other_versions_does_not_fail(mini: Make, run_check: Run) -> None:
    late = TRIPLED.replace("2999-01-01", "2001-01-01").replace(">=1", "<1").replace("mini/tripled", "mini/right")
    assert run_check(mini(miniature.case("right"), ledger=late), reviews=True).exit_status == 0


def test_a_cause_that_the_ledger_lists_is_known_beyond_the_domains_too(mini: Make, run_check: Run) -> None:
    case = miniature.case("tripled", beyond=miniature.big_numbers())
    report = run_check(mini(case, ledger=TRIPLED))
    assert report.exit_status == 0
    assert report.saved == ()


def test_a_signature_that_the_ledger_lists_is_known_beyond_the_domains_too(mini: Make, run_check: Run) -> None:
    entry = TRIPLED.replace("mini/tripled", "mini/nothing").replace('"tripling"', '"returns a NoneType"')
    # Every number but 39, of which nothing is promised.
    counted = entry.replace("{ 1 = 1, 2 = 1, 3 = 1, 4 = 34 }", "{ 0 = 1, 1 = 1, 2 = 1, 3 = 1, 4 = 35 }")
    case = miniature.case("nothing", beyond=miniature.big_numbers())
    assert run_check(mini(case, ledger=counted)).problems == []


def test_a_hunt_finds_another_cause_than_the_one_that_is_listed(mini: Make, run_check: Run) -> None:
    case = miniature.case("always_wrong", domains=(miniature.numbers(1),), beyond=miniature.big_numbers())
    entry = TRIPLED.replace("mini/tripled", "mini/always-wrong").replace("4 = 34", "4 = 0")
    assert "new" in kinds(run_check(mini(case, ledger=entry)))


BEYOND = """\
schema = 1

[[known]]
case = "mini/wrong-at-13"
versions = ">=1"
cause = "another value"
upstream = "unreported"
says = "13 is unlucky"
review = 2999-01-01
beyond = ['{"n": 12}', '{"n": 13}']
counts = [{ domain = "numbers", parameters = {}, mismatches = {} }]
"""


def beyond(call: str) -> Any:
    """Return a case whose one domain ends before 13."""
    return miniature.case(call, domains=(miniature.numbers(5),), beyond=miniature.big_numbers())


def test_an_entry_may_count_nothing_where_it_lists_an_input_that_shows_it(mini: Make, run_check: Run) -> None:
    assert run_check(mini(beyond("wrong_at_13"), ledger=BEYOND)).exit_status == 0


def test_a_divergence_beyond_the_domains_that_is_gone_fails(mini: Make, run_check: Run) -> None:
    report = run_check(mini(beyond("right"), ledger=BEYOND.replace("wrong-at-13", "right")))
    assert kinds(report) == ["gone"]


def test_an_input_beyond_the_domains_that_is_none_fails(mini: Make, run_check: Run) -> None:
    report = run_check(mini(beyond("wrong_at_13"), ledger=BEYOND.replace('"n": 12', '"m": 12')))
    [problem] = report.problems
    assert problem.kind == "orphan"
    assert "is no input of mini/wrong-at-13 any more" in problem.text


def test_a_domain_that_was_cut_short_is_not_counted_and_not_green(mini: Make, run_check: Run) -> None:
    entry = TRIPLED.replace("mini/tripled", "mini/ends-always").replace('"tripling"', '"crashes (exit 3)"')
    report = run_check(mini(miniature.case("ends_always"), ledger=entry))
    assert kinds(report) == ["cut_short"]
    assert report.exit_status == 1


def test_an_entry_is_read_whole(mini: Make) -> None:
    [entry] = ledger.read(mini(ledger=TRIPLED).ledger).entries
    assert (entry.case, entry.cause, entry.upstream, entry.says) == (
        "mini/tripled",
        "tripling",
        "unreported",
        "it triples",
    )
    assert entry.review == date(2999, 1, 1)
    assert entry.counts[0].mismatches == {1: 1, 2: 1, 3: 1, 4: 34}


A_LINK = "expected a link that begins with https://, such as"

A_DATE = "expected a date such as 2027-05-31, without quotes and without a time, found"

BEFORE_COUNT = "counts = [\n    { domain ="

FEW = '{ domain = "few", parameters = {}, mismatches = {} }'

MISNAMED = "    { domains ="

MISCOUNTED = TRIPLED[TRIPLED.index("[[known]]") : TRIPLED.index("counts")] + "counts = [{ domains = 'few' }]\n\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("schema = 1", "schema = 2", 1, "expected schema = 1, found 2"),
        ("schema = 1", "", 1, "expected schema = 1, found None"),
        ("schema = 1", "schema = 1\nextra = 3", 2, "found 'extra'"),
        ('case = "mini/tripled"', 'case = "mini/tripled', 4, "(at line 4, column 21); correct this line"),
        ("},\n]", "},\n", 12, "(at end of document); correct this line, or what is open before it"),
        ('case = "mini/tripled"', "", 3, "expected a key 'case' in this entry"),
        ('case = "mini/tripled"', "case = 3", 4, "expected a text for 'case', found 3"),
        ('says = "it triples"', 'says = " "', 8, "expected a text for 'says'"),
        ('versions = ">=1"', 'versions = "newer"', 5, "expected a PEP 440 range"),
        ('cause = "tripling"', "cause = []", 6, "expected a text for 'cause'"),
        ('upstream = "unreported"', 'upstream = "somewhere"', 7, A_LINK),
        ('upstream = "unreported"', 'upstream = "http://example.org"', 7, A_LINK),
        ('upstream = "unreported"', 'upstream = "https://"', 7, A_LINK),
        ('upstream = "unreported"', r'upstream = "https://example.org/\u001b[31m"', 7, A_LINK),
        ("review = 2999-01-01", 'review = "2999-01-01"', 9, f"{A_DATE} '2999-01-01'"),
        ("says =", "sais =", 8, "expected one of the keys beyond, case, cause, counts, fix, review, says, upstream, "),
        ("says =", '"sais" =', 8, "found 'sais'"),
        ("review = 2999-01-01", "review = 2999-01-01\nreviewer = 'me'", 10, "found 'reviewer'"),
        ("4 = 34", "4 = -34", 11, "expected count 1 of 1 to be such as"),
        ("4 = 34", "four = 34", 11, "expected count 1 of 1 to be such as"),
        ("mismatches =", "count =", 11, "expected count 1 of 1 to be such as"),
        (BEFORE_COUNT, f"counts = [\n    {FEW},\n    # and\n{MISNAMED}", 13, "expected count 2 of 2 to be such as"),
        (BEFORE_COUNT, f"counts = [{FEW},\n{MISNAMED}", 10, "expected count 2 of 2 to be such as"),
        ("[[known]]", f"{MISCOUNTED}[[known]]", 10, "expected count 1 of 1 to be such as"),
        ("[[known]]", "[['known']]", 3, "expected each entry under a [[known]] of its own"),
        ("review = 2999-01-01", "review = 2999-01-01T00:00:00", 9, A_DATE),
        ("[[known]]", "[known]", 3, "expected [[known]] entries"),
        ("counts = [", "beyond = 3\ncounts = [", 10, "expected a list of inputs as JSON objects"),
        ("counts = [", "beyond = [3]\ncounts = [", 10, "expected a list of inputs as JSON objects"),
        ("counts = [", "beyond = ['{']\ncounts = [", 10, "expected a list of inputs as JSON objects"),
        ("counts = [", "beyond = ['[1]']\ncounts = [", 10, "expected a list of inputs as JSON objects"),
        ("counts = [", "fix = 'fix.patch'\ncounts = [", 10, "expected a list of patches"),
        ("counts = [", "fix = ['no.patch']\ncounts = [", 10, "expected a patch that is there"),
    ],
)
def test_a_broken_ledger_is_refused_with_file_and_line(mini: Make, old: str, new: str, line: int, message: str) -> None:
    path = mini(ledger=TRIPLED.replace(old, new, 1)).ledger
    with pytest.raises(BrokenLedgerError) as refusal:
        ledger.read(path)
    assert str(refusal.value).startswith(f"{path}:{line}: ")
    assert message in str(refusal.value)


def test_a_ledger_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenLedgerError, match="a ledger in UTF-8 was expected here"):
        ledger.read(tmp_path / "none.toml")


def test_an_entry_about_a_mode_that_is_not_looked_at_is_about_something(mini: Make, run_check: Run) -> None:
    library = mini(miniature.case("right"), ledger=TRIPLED)
    elsewhere = replace(library, elsewhere=(miniature.case("tripled"),))
    assert run_check(elsewhere).problems == []
