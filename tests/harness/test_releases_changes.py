"""Where a divergence came and went is told from what releases showed, and found by looking at few of them."""

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

import miniature
from harness.library import Library, Mode
from harness.releases.bisection import bisect
from harness.releases.changes import NOT_LOOKED_AT, Change, Offer, changes, offers
from harness.releases.matrix import Matrix, Question, trusted
from harness.releases.outcome import Outcome, confirmed
from harness.releases.text import lines
from harness.verdict import Verdict


def outcome(word: str) -> Outcome:
    """Return what a word means: ``-`` cannot run, ``?`` not looked at, ``0`` unsupported, ``.`` right, or causes."""
    if word == "?":
        return NOT_LOOKED_AT
    if word == "-":
        return Outcome("mini/double", "plain", "cannot_run", "it cannot")
    if word == "0":
        return Outcome("mini/double", "plain", "unsupported", "it does not offer it")
    causes = {} if word == "." else dict.fromkeys(word, 1)
    verdicts = {str(verdict): 0 for verdict in Verdict} | {"agrees": 40 - len(causes), "differs": len(causes)}
    return Outcome("mini/double", "plain", "run", "", ({"causes": causes, "verdicts": verdicts},))


def row(words: str) -> list[tuple[str, Outcome]]:
    return [(str(k), outcome(word)) for k, word in enumerate(words.split())]


def found(words: str, *, is_whole: bool = True) -> list[Change]:
    return changes(row(words), is_whole=is_whole)


def change(
    cause: str, bad: tuple[str | None, str | None], fixed: tuple[str | None, str | None], *skipped: str, **others: Any
) -> Change:
    return Change("mini/double", cause, bad[1], bad[0], fixed[1], fixed[0], skipped, **others)


NEVER = (None, None)


def test_a_divergence_that_comes_has_a_first_bad_release_and_the_one_before() -> None:
    assert found(". . a a") == [change("a", ("1", "2"), NEVER)]


def test_a_divergence_that_goes_has_a_first_fixed_release_and_the_one_before() -> None:
    assert found(". a a .") == [change("a", ("0", "1"), ("2", "3"))]


def test_a_divergence_that_comes_back_is_told_twice() -> None:
    assert found(". a . a") == [change("a", ("0", "1"), ("1", "2")), change("a", ("2", "3"), NEVER)]


def test_a_cause_that_takes_the_place_of_another_is_neither_a_fix_nor_does_it_follow_something_good() -> None:
    assert found(". a b") == [
        change("a", ("0", "1"), ("1", "2"), replaced_by=("b",)),
        change("b", ("1", "2"), NEVER, instead_of=("a",)),
    ]


def test_a_cause_that_comes_or_goes_beside_another_is_told_for_itself() -> None:
    assert found("b ab b") == [
        change("b", (None, "0"), NEVER),
        change("a", ("0", "1"), ("1", "2")),
    ]


def test_changes_are_told_in_the_order_in_which_they_came() -> None:
    assert [one.cause for one in found(". a b a")] == ["a", "b", "a"]


def test_releases_that_nobody_looked_at_are_named_between_neighbours() -> None:
    assert found(". ? ? a ? .") == [change("a", ("0", "3"), ("3", "5"), "1", "2", "4")]


def test_where_earlier_releases_were_not_looked_at_nobody_knows_when_a_divergence_came() -> None:
    assert found("? a a") == [change("a", NEVER, NEVER, "0")]


def test_a_release_that_cannot_run_is_no_neighbour_and_is_named() -> None:
    assert found(". - a - .") == [change("a", ("0", "2"), ("2", "4"), "1", "3")]


def test_a_release_that_does_not_offer_it_is_not_the_last_good_one() -> None:
    assert found("0 a") == [change("a", (None, "1"), NEVER)]


def test_a_divergence_of_the_first_release_of_all_came_with_it() -> None:
    assert found("a a") == [change("a", (None, "0"), NEVER)]


def test_where_the_row_begins_later_nobody_knows_when_its_first_divergence_came() -> None:
    assert found("a a .", is_whole=False) == [change("a", NEVER, ("1", "2"))]


def test_a_divergence_that_ends_since_nothing_is_offered_any_more_is_not_shown_any_more() -> None:
    assert found("a 0") == [change("a", (None, "0"), ("0", "1"))]


def test_where_a_case_begins_to_be_offered_is_told_with_what_could_not_run_between() -> None:
    assert list(offers(row("0 - . a 0"))) == [
        Offer("mini/double", is_begin=True, before="0", after="2", skipped=("1",)),
        Offer("mini/double", is_begin=False, before="3", after="4", skipped=()),
    ]


def looked_at(states: Sequence[str | None]) -> set[int]:
    seen = set()

    def look(place: int) -> str | None:
        seen.add(place)
        return states[place]

    bisect(len(states), look)
    return seen


@given(st.integers(1, 200), st.data())
def test_both_neighbours_of_a_change_are_looked_at(length: int, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, length))
    seen = looked_at(["good"] * at + ["bad"] * (length - at))
    assert {at - 1, at} & set(range(length)) <= seen or at in {0, length}


@given(st.integers(2, 200), st.data())
def test_no_more_are_looked_at_than_halving_needs(length: int, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, length - 1))
    assert len(looked_at(["good"] * at + ["bad"] * (length - at))) <= 2 + math.ceil(math.log2(length - 1))


@given(st.lists(st.sampled_from(["good", "bad", None]), max_size=60))
def test_of_those_looked_at_that_differ_all_between_were_looked_at_or_cannot_run(states: list[str | None]) -> None:
    seen = sorted(place for place in looked_at(states) if states[place] is not None)
    for low, high in itertools.pairwise(seen):
        assert states[low] == states[high] or all(states[place] is None for place in range(low + 1, high))


def test_both_changes_of_a_divergence_that_was_fixed_are_found_where_the_middle_shows_it() -> None:
    states = ["good"] * 10 + ["bad"] * 10 + ["right"] * 10
    assert {9, 10, 19, 20} <= looked_at(states)


def test_a_row_in_which_nothing_can_run_is_looked_at_whole() -> None:
    assert looked_at([None, None, None]) == {0, 1, 2}


def test_no_releases_are_looked_at_where_there_are_none() -> None:
    assert looked_at([]) == set()


def test_what_the_mode_that_counts_says_too_is_confirmed() -> None:
    assert confirmed(outcome("a"), outcome("a")).confirmed is True


def test_where_the_mode_that_counts_says_something_else_its_word_stands() -> None:
    found = confirmed(outcome("a"), outcome("."))
    assert (found.confirmed, found.verdict, found.reason) == (False, "agrees", 'plain: differs, "a"')


def test_where_the_mode_that_counts_cannot_run_the_quick_one_stands_unconfirmed() -> None:
    found = confirmed(outcome("a"), outcome("-"))
    assert (found.confirmed, found.verdict, found.reason) == (False, "differs", "plain: it cannot")


LIBRARY = Library("mini", (), (), Path("known.toml"))


def told(rows: Sequence[tuple[str, Outcome]], *obstacles: str) -> str:
    """Return what a person reads of a row of releases, in one line."""
    asked = Question(LIBRARY, (miniature.case("double"),), Mode.of_distribution("doubler", Path("adapter.py"), "plain"))
    versions = tuple(Version(version) for version, _ in rows)
    cells = {(Version(version), "mini/double"): one for version, one in rows if one is not NOT_LOOKED_AT}
    matrix = Matrix(asked, versions, is_whole=True, cells=cells, obstacles=obstacles)
    return " ".join(" ".join(lines(matrix, [])).split())


def test_what_takes_the_place_of_a_divergence_is_not_called_a_fix() -> None:
    said = told(row(". a b"))
    assert 'a: first bad 1, last good 0; last shown by 1, where 2 shows "b"' in said
    assert 'b: first shown by 2, where 1 shows "a"' in said
    assert "fixed" not in said


def test_releases_that_show_other_things_are_told_apart() -> None:
    said = told(row(". a ab -"))
    assert "0 agrees, 40 inputs 1 differs, 1 of 40 inputs, every one: a 2 differs, 2 of 40 inputs, 1: a, 1: b" in said
    assert "3 cannot run: it cannot" in said


def test_what_lies_between_two_neighbours_is_named() -> None:
    assert "a: first bad 3, last good 0; nothing is known of 1, 2 in between" in told(row(". - ? a"))


def test_how_many_agree_is_told_where_some_are_promised_by_nobody() -> None:
    some = Outcome("mini/double", "plain", "run", "", ({"causes": {}, "verdicts": {"agrees": 11, "unspecified": 29}},))
    said = told([("1", some), ("2", outcome("."))])
    assert "1 agrees, 11 of 40 inputs, 29 unspecified 2 agrees, 40 inputs" in said


def test_one_reason_is_told_once_whatever_the_version() -> None:
    reasons = [f"doubler=={k} cannot be installed: it needs another Python" for k in (1, 2)]
    said = told([(str(k), Outcome("mini/double", "plain", "cannot_run", one)) for k, one in enumerate(reasons, 1)])
    assert "1 to 2 cannot run: doubler cannot be installed: it needs another Python" in said


def test_obstacles_are_told_before_the_conclusion() -> None:
    assert told(row("."), "no disk").endswith("could not be done: no disk The matrix is not whole.")


def test_a_refuted_mode_says_nothing_of_the_others_but_what_it_could_not_run() -> None:
    quick = outcome("a")
    rows = [("1", outcome("-")), ("2", quick), ("3", confirmed(quick, outcome(".")))]
    assert trusted(rows) == [rows[0], rows[2]]
