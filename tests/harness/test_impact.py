"""``rankdiff impact`` as a person or a program uses it, with a library in miniature that doubles numbers.

Its files hold a topic and a number in a line.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import metadata
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import miniature
from harness import cli, registry
from harness.case import Case, Contract
from harness.commands import impact as impact_command
from harness.errors import BadInputError
from harness.expected import Exactly, Unspecified
from harness.impact import run as impact_run
from harness.impact.comparison import Ask, Compared, Comparison, Files, Impact, Measure, Parameter, Series
from harness.impact.text import lines
from harness.library import Library
from harness.outcome import Raised, Value, from_wire
from harness.printable import printable
from harness.progress import Progress
from harness.subject import require_installed

Rankdiff = Callable[..., int]

SCHEMA = json.loads(Path(cli.__file__).with_name("schema").joinpath("impact.schema.json").read_text())


def doubles(ask: Ask, path: Path, call: str) -> Series:
    """Return what the subject doubles each number of a file to, and the mean."""
    rows = [line.split(" ") for line in path.read_text().splitlines()]
    asked = (((topic, int(n)), (int(n),)) for topic, n in rows)
    answers = [(topic, n, from_wire(wire)) for (topic, n), wire in ask(call, asked, len(rows), path.name)]
    topics = [
        Compared.judged(topic, outcome, Exactly(Fraction(2 * n), Fraction(1, 2**40))) for topic, n, outcome in answers
    ]
    values = [Fraction(topic.shipped) for topic in topics if topic.shipped is not None]
    outcome = Value(float(sum(values) / len(topics))) if len(values) == len(topics) else Raised("KeyError", "mean")
    mean = Exactly(Fraction(sum(2 * n for _, n, _ in answers), len(answers)), Fraction(1, 2**40))
    return Series(Compared.judged(printable(str(path)), outcome, mean), tuple(topics))


def even(text: str) -> None:
    if int(text) % 2:
        raise ValueError("an even number was expected")


def impact(call: str, **fields: Any) -> Impact:
    def compare(ask: Ask, files: Files, settings: Mapping[str, str], _: Progress) -> Comparison:
        files_of = files.runs or (files.qrels,)
        measure = Measure("double", "mean", tuple(doubles(ask, path, call) for path in files_of))
        return Comparison((measure,), (f"read {len(files_of)} files",), (f"scale {settings['scale']}",))

    parameter = Parameter("scale", "2", "an even number", even)
    return Impact(**{"compare": compare, "parameters": (parameter,), **fields})


def case(call: str, **fields: Any) -> Case[Any]:
    return replace(miniature.case(call), impact=impact(call, **fields))


@pytest.fixture
def rankdiff(mini: Callable[..., Library], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Rankdiff:
    """Return a function that asks for the impact of one way of doubling on files of these numbers by topic."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(impact_command, "DEFAULT", miniature.QUICK)

    def run(call: str, *arguments: str, **files: Sequence[int] | Mapping[str, int]) -> int:
        for name, numbers in files.items():
            topics = numbers if isinstance(numbers, Mapping) else {f"t{n}": n for n in numbers}
            Path(name).write_text("".join(f"{topic} {n}\n" for topic, n in topics.items()))
        library = mini(case(call), miniature.case("tripled"))
        monkeypatch.setattr(registry, "libraries", lambda: [library])
        return cli.main(["impact", f"mini/{call.replace('_', '-')}", "--qrels", "qrels", *arguments])

    return run


def test_nothing_affected_ends_with_0_and_says_so(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("right", qrels=range(4)) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "None of yours are affected."
    assert "  qrels   3.0000      3.0000         -       0 of 4           -\n" in out
    assert "changed most" not in out
    assert err == ""


def test_one_topic_affected_ends_with_1_and_is_shown(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("wrong_at_13", qrels=[1, 13]) == 1
    out = capsys.readouterr().out
    assert "  double  as shipped  as documented  change   topics affected  largest change\n" in out
    # 2 and 26 are documented, with the mean 14; 27 for 26 makes it 14.5.
    assert "  qrels   14.5000     14.0000        +0.5000  1 of 2           +1.0000, topic t13\n" in out
    assert "  t13    27.0000     26.0000        +1.0000\n" in out
    assert "  t1 " not in out
    assert out.endswith("Affected: double of 1 of 1 run.\n")


def test_the_ten_topics_that_changed_most_are_shown_and_the_others_counted(
    rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff("tripled", qrels=range(100, 112)) == 1
    out = capsys.readouterr().out
    table = out[out.index("changed most") : out.index("  and 2 more, which --json lists\n")].splitlines()[2:]
    assert [row.split()[0] for row in table] == [f"t{n}" for n in range(111, 101, -1)]


def test_the_contract_the_settings_and_what_was_read_are_said(
    rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff("right", "--set", "scale=4", qrels=[1]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"packaging {metadata.version('packaging')}, plain\n")
    assert "  documented  a number is doubled, and 5 is refused\n" in out
    assert "  read        read 1 files\n" in out
    assert "  with        scale 4 (--set scale=...: an even number)\n" in out
    assert "  note: scale 4\n" in out


def test_runs_are_compared_and_their_order_changes(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    # Twice 13 is 26, and is shipped as 27; the mean of 24, 28 and 28 lies between these.
    arguments = ("--run", "one", "two", "--run", "same")
    files = {"one": {"a": 13}, "two": {"a": 12, "b": 14, "c": 14}, "same": {"b": 13}}
    assert rankdiff("wrong_at_13", *arguments, qrels=[1], **files) == 1
    out = capsys.readouterr().out
    assert "  order of the runs: as shipped one = same > two; as documented two > one = same\n" in out
    assert out.endswith("Affected: double of 2 of 3 runs; the order of the runs changes by double.\n")
    assert rankdiff("wrong_at_13", *arguments, "--json") == 1
    [measure] = json.loads(capsys.readouterr().out)["measures"]
    assert measure["order"] == {
        "changes": True,
        "shipped": [["one", "same"], ["two"]],
        "documented": [["two"], ["one", "same"]],
    }


def test_the_order_of_the_runs_may_be_the_same(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("wrong_at_13", "--run", "one", "two", qrels=[1], one=[13], two=[20]) == 1
    out = capsys.readouterr().out
    assert "  order of the runs: the same, two > one\n" in out
    assert out.endswith("Affected: double of 1 of 2 runs; the order of the runs is the same.\n")


def test_an_error_is_shown_in_the_place_of_a_number(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("raises_at_13", qrels=[13, 14]) == 1
    out = capsys.readouterr().out
    assert "  t13    RuntimeError: thirteen  26             -\n" in out
    assert "  1 of 2           RuntimeError: thirteen, topic t13\n" in out


def test_one_crash_is_an_affected_topic_and_the_others_are_answered(
    rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff("segfaults_at_13", "--json", qrels=[12, 13, 14]) == 1
    [measure] = json.loads(capsys.readouterr().out)["measures"]
    shown = [(topic["shipped"], topic["shown"]) for topic in measure["files"][0]["topics"]]
    assert shown == [(24.0, "24"), (None, "the process ended (signal SIGSEGV)"), (28.0, "28")]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("unsupported", "does not offer what is asked of it: this subject does not double"),
        ("ends_at_13", "ended, or gave no answer, with 3 inputs of 6"),
    ],
)
def test_what_cannot_be_told_ends_with_2(
    call: str, says: str, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(call, qrels=dict.fromkeys("abcdef", 13)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err


@pytest.mark.parametrize(("call", "status"), [("right", 0), ("wrong_at_13", 1), ("raises_at_13", 1), ("nan", 1)])
def test_the_same_for_programs(call: str, status: int, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff(call, "--json", "--run", "one", "two", qrels=[1], one=range(11, 15), two=[1, 2]) == status
    said = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    jsonschema.validate(said, SCHEMA)
    assert said["exit_status"] == status
    assert said["subject"]["mode"] == "plain"
    assert (said["qrels"], said["runs"], said["settings"]) == ("qrels", ["one", "two"], {"scale": "2"})
    [measure] = said["measures"]
    assert [len(one["topics"]) for one in measure["files"]] == [4, 2]
    assert measure["is_affected"] is bool(status)


def test_json_has_every_topic_with_its_numbers(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("wrong_at_13", "--json", qrels=range(40)) == 1
    [one] = json.loads(capsys.readouterr().out)["measures"][0]["files"]
    assert len(one["topics"]) == 40
    assert one["affected_topics"] == 2  # 13, and 5, which is refused
    assert one["topics"][13] == {
        "of": "t13",
        "shipped": 27.0,
        "shown": "27",
        "documented": 26.0,
        "change": 1.0,
        "is_affected": True,
    }


def test_a_number_has_the_digits_that_tell_it_from_the_other(
    rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff("wrong_by_a_little", qrels=[1]) == 1
    # 2^-39 is 1.8e-12.
    assert "  qrels   2.000000000002  2.000000000000  +0.000000000002  1 of 1 " in capsys.readouterr().out


def test_documents_are_counted_by_file_in_the_conclusion(mini: Callable[..., Library]) -> None:
    counted = [Compared.judged(of, Value(3), Exactly(Fraction(n)), 3 - n) for of, n in (("t", 1), ("u", 3))]
    total = Compared.judged("qrels", Value(6), Exactly(Fraction(4)), 2)
    comparison = Comparison((Measure("count", "sum", (Series(total, tuple(counted)),)),))
    library = mini(case("right"))
    question = impact_run.Question(library.cases[0], impact("right"), Files(Path("qrels")), {"scale": "2"})
    answer = impact_run.Answer(question, require_installed(library), comparison, ("a worker ended",))
    said = list(lines(answer))
    assert "  qrels  6           4              +2      1 of 2           +2, topic t" in said
    assert "  note: a worker ended" in said
    assert said[-1] == "Affected: 2 documents are judged otherwise, in 1 of 2 topics."


def test_another_mode_answers(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("right", "--mode", "odd", qrels=[1]) == 0
    assert ", odd\n" in capsys.readouterr().out


# --- what is refused before anything is started ------------------------------------------------------------------


def refused(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], call: str, *arguments: str) -> str:
    assert rankdiff(call, *arguments, qrels=[1]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err


@pytest.mark.parametrize(("call", "is_said"), [("right", False), ("tripled", True)])
def test_what_upstream_says_is_said_where_something_is_affected(
    call: str,
    is_said: bool,  # noqa: FBT001
    mini: Callable[..., Library],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = mini(replace(case(call), contract=Contract("it doubles", "tests", "tripled on purpose")))
    monkeypatch.setattr(registry, "libraries", lambda: [library])
    (tmp_path / "qrels").write_text("t1 1\n")
    assert cli.main(["impact", library.cases[0].name, "--qrels", str(tmp_path / "qrels")]) == int(is_said)
    assert ("  upstream    tripled on purpose\n" in capsys.readouterr().out) is is_said


def test_a_case_without_impact_names_those_that_have_one(
    rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff("right", qrels=[1]) == 0
    capsys.readouterr()
    assert cli.main(["impact", "mini/tripled", "--qrels", "qrels"]) == 2
    assert "a case that does was expected: mini/right\n" in capsys.readouterr().err


@pytest.mark.parametrize("setting", ["other=2", "scale", "scale=3", "scale=many", "=2"])
def test_a_setting_that_is_none_is_refused_and_the_parameters_are_listed(
    setting: str, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    err = refused(rankdiff, capsys, "right", "--set", setting)
    assert f"mini/right takes --set scale=2 (an even number), not {setting}" in err


def test_runs_are_asked_for_where_there_is_nothing_to_compare_without(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("t1 1\n")
    asked = case("right", needs_runs=True)
    with pytest.raises(BadInputError, match="at least one --run FILE was expected"):
        impact_run.question(asked, [], Files(tmp_path / "qrels"), [])


def test_a_file_that_is_not_there_is_named(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert "expected at absent: there is none" in refused(rankdiff, capsys, "right", "--run", "absent")


def test_a_folder_is_no_file(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    assert "expected at folder: it is a folder" in refused(rankdiff, capsys, "right", "--run", "folder")


def test_a_file_that_may_not_be_read_is_named(
    rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("secret").write_text("t1 1\n")
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    assert "it may not be read" in refused(rankdiff, capsys, "right", "--run", "secret")


def test_the_name_of_a_file_cannot_steer_the_terminal(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    err = refused(rankdiff, capsys, "right", "--run", "\x1b[2Jrun\udcff")
    assert "expected at \\x1b[2Jrun\\udcff: there is none" in err


def test_a_topic_cannot_steer_the_terminal(rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff("never_refuses", "--run", "\x1b[2J.run", qrels=[1], **{"\x1b[2J.run": [13]}) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[2J.run" in out


# --- numbers -----------------------------------------------------------------------------------------------------


def compared(of: str, shipped: float, documented: Fraction, within: Fraction = Fraction(0)) -> Compared:
    return Compared.judged(of, Value(shipped), Exactly(documented, within))


def test_a_number_within_the_bound_is_not_affected() -> None:
    assert not compared("t", 0.5 + 2**-50, Fraction(1, 2), Fraction(1, 2**50)).is_affected
    assert compared("t", 0.5 + 2**-49, Fraction(1, 2), Fraction(1, 2**50)).is_affected


def test_nothing_is_affected_where_nothing_is_promised() -> None:
    one = Compared.judged("t", Value(0.5), Unspecified("nobody says"))
    assert (one.documented, one.change, one.is_affected) == (None, None, False)


def test_documents_that_differ_affect_a_count_that_does_not() -> None:
    one = Compared.judged("t", Value(3), Exactly(Fraction(3)), 2)
    assert (one.change, one.is_affected) == (0, True)


def test_a_change_is_as_shipped_minus_as_documented() -> None:
    assert compared("t", 0.25, Fraction(1, 2)).change == -0.25


def test_a_message_of_the_library_cannot_steer_the_terminal() -> None:
    shown = Compared.judged("t", Raised("KeyError", "\x1b[2Jgone"), Exactly(Fraction(1))).shown
    assert shown == "KeyError: \\x1b[2Jgone"


def test_a_total_can_be_affected_where_no_topic_is() -> None:
    assert Series(compared("all", 0.75, Fraction(1, 2)), (compared("t", 0.5, Fraction(1, 2)),)).is_affected


def measure(*totals: Compared) -> Measure:
    return Measure("double", "mean", tuple(Series(total, ()) for total in totals))


def test_runs_are_ordered_by_falling_mean_as_shipped_and_as_documented() -> None:
    found = measure(compared("a", 0.5, Fraction(1, 4)), compared("b", 0.375, Fraction(3, 8)))
    assert found.orders() == ((("a",), ("b",)), (("b",), ("a",)))


def test_runs_whose_means_lie_within_their_bounds_of_one_another_are_tied() -> None:
    near = Fraction(1, 2**50)
    found = measure(
        compared("b", 0.5, Fraction(1, 2), near),
        compared("a", 0.5 + 2**-50, Fraction(1, 2), near),
        compared("c", 0.25, Fraction(1, 4), near),
    )
    assert found.orders() == ((("a", "b"), ("c",)), (("a", "b"), ("c",)))


@pytest.mark.parametrize(
    "found",
    [
        measure(compared("a", 0.5, Fraction(1, 2))),
        measure(compared("a", float("nan"), Fraction(1, 2)), compared("b", 0.5, Fraction(1, 2))),
        replace(measure(compared("a", 1, Fraction(1)), compared("b", 2, Fraction(2))), total="sum"),
    ],
    ids=["one run", "a mean that is no number", "a sum"],
)
def test_there_is_no_order_of(found: Measure) -> None:
    assert found.orders() is None


def test_the_topic_without_a_number_is_before_the_largest_change() -> None:
    topics = (
        compared("small", 0.75, Fraction(1, 2)),
        compared("large", 0.0, Fraction(1, 2)),
        Compared.judged("raises", Raised("KeyError", "x"), Exactly(Fraction(1))),
        compared("right", 0.5, Fraction(1, 2)),
    )
    series = Series(compared("all", 0.5, Fraction(1, 2)), topics)
    assert [topic.of for topic in series.affected] == ["raises", "large", "small"]
    assert series.is_affected
