"""`rankdiff ledger` shows what is known, and every ledger holds to its schema."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import miniature
from harness import cli, registry
from harness.library import Library

Make = Callable[..., Library]
Rankdiff = Callable[..., int]

SCHEMA = json.loads(Path(cli.__file__).with_name("schema").joinpath("ledger.schema.json").read_text())

LISTING = {**SCHEMA["$defs"]["listing"], "$defs": SCHEMA["$defs"]}

LIBRARIES = registry.libraries()

LEDGER = """\
schema = 1

[[known]]
case = "mini/tripled"
versions = ">=1, <9999"
cause = "tripling"
upstream = "https://example.org/1"
says = "it triples"
review = 2001-01-01
fix = ["fix.patch"]
counts = [{ domain = "numbers", parameters = { up_to = 40 }, mismatches = { 1 = 1, 2 = 1, 3 = 1, 4 = 34 } }]

[[known]]
case = "mini/always-wrong"
versions = ">=2"
cause = "another value"
upstream = "unreported"
says = "it is half a unit too much"
review = 2999-01-01
beyond = ['{"n": 41}']
counts = [{ domain = "numbers", parameters = {}, mismatches = {} }]
"""


HUNTED = miniature.case("always_wrong", beyond=miniature.big_numbers())


@pytest.fixture
def rankdiff(monkeypatch: pytest.MonkeyPatch) -> Rankdiff:
    """Return a function that runs the command line with a given library."""

    def run(library: Library, *arguments: str) -> int:
        monkeypatch.setattr(registry, "libraries", lambda: [library])
        return cli.main(arguments)

    return run


@pytest.fixture
def library(mini: Make) -> Library:
    made = mini(miniature.case("tripled"), HUNTED, ledger=LEDGER)
    made.ledger.with_name("fix.patch").write_text("")
    return made


def test_an_entry_is_shown_whole(library: Library, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff(library, "ledger", "mini/tripled") == 0
    assert capsys.readouterr().out == (
        "mini/tripled: tripling\n"
        "    versions  >=1, <9999\n"
        "    says      it triples\n"
        "    upstream  https://example.org/1\n"
        "    review    2001-01-01  OVERDUE\n"
        "    fix       fix.patch\n"
        "    counts    37 in numbers, up_to 40\n"
        "    where     known.toml, line 3\n"
        "\n"
        "1 known divergence, 1 to be reviewed again.\n"
    )


def test_all_entries_are_shown_where_none_is_named(
    library: Library, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    rankdiff(library, "ledger")
    out = capsys.readouterr().out
    assert "mini/tripled: tripling\n" in out
    assert '    beyond    {"n": 41}\n' in out
    assert out.endswith("\n2 known divergences, 1 to be reviewed again.\n")


def test_a_program_is_told_the_same(library: Library, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff(library, "ledger", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, LISTING)
    [one] = document["ledgers"]
    first, second = one["known"]
    assert (first["versions"], first["fix"], first["line"], first["overdue"]) == (">=1, <9999", ["fix.patch"], 3, True)
    assert (second["beyond"], second["overdue"]) == (['{"n": 41}'], False)


def test_a_ledger_that_is_not_in_order_ends_with_1(
    mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    made = mini(miniature.case("tripled"), ledger=LEDGER)
    made.ledger.with_name("fix.patch").write_text("")
    assert rankdiff(made, "ledger") == 1
    out = capsys.readouterr().out
    assert "mini/always-wrong: another value\n" in out
    assert "orphan: known.toml, line 13: no case is called mini/always-wrong" in out


def test_a_broken_ledger_ends_with_2(mini: Make, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]) -> None:
    assert rankdiff(mini(miniature.case("right"), ledger="schema = 2\n"), "ledger") == 2
    assert "known.toml:1: expected schema = 1, found 2" in capsys.readouterr().err


def test_what_an_entry_says_is_harmless_for_a_terminal(
    library: Library, rankdiff: Rankdiff, capsys: pytest.CaptureFixture[str]
) -> None:
    library.ledger.write_text(LEDGER.replace("it triples", r"\u001b[31mred"))
    rankdiff(library, "ledger")
    assert "\x1b" not in capsys.readouterr().out


def plain(document: dict[str, Any]) -> Any:
    """Return a TOML document as JSON would hold it."""
    return json.loads(json.dumps(document, default=lambda day: day.isoformat()))


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_every_committed_ledger_holds_to_the_schema(library: Library) -> None:
    jsonschema.validate(plain(tomllib.loads(library.ledger.read_text())), SCHEMA)


@pytest.mark.parametrize("name", [one.name for one in LIBRARIES])
def test_every_committed_ledger_is_in_order_and_shown_by_the_schema(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["ledger", name, "--json"]) == 0
    jsonschema.validate(json.loads(capsys.readouterr().out), LISTING)


BROKEN = [
    ("schema = 1", "schema = 2"),
    ("schema = 1", "schema = 1\nextra = 1"),
    ('case = "mini/tripled"', 'case = "tripled"'),
    ('case = "mini/tripled"', ""),
    ('upstream = "unreported"', 'upstream = "http://example.org"'),
    ('upstream = "unreported"', 'upstream = "https://"'),
    ('says = "it triples"', 'says = " "'),
    ("review = 2001-01-01", 'review = "soon"'),
    ("4 = 34", "4 = -34"),
    ("4 = 34", "four = 34"),
    ("""beyond = ['{"n": 41}']""", "beyond = [41]"),
    ('fix = ["fix.patch"]', 'fixes = ["fix.patch"]'),
]


def test_the_schema_takes_what_is_in_order() -> None:
    jsonschema.validate(plain(tomllib.loads(LEDGER)), SCHEMA)


@pytest.mark.parametrize(("old", "new"), BROKEN)
def test_the_schema_refuses_what_the_reader_refuses(old: str, new: str) -> None:
    assert old in LEDGER
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain(tomllib.loads(LEDGER.replace(old, new, 1))), SCHEMA)
