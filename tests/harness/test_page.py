"""The page holds what is known of releases, reads only what it knows, and is written whole or not at all."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from packaging.version import Version

import matrices
import miniature
from harness import cli, registry
from harness.case import Contract
from harness.jsontypes import Json
from harness.library import Library
from harness.page.marks import percent
from harness.page.rows import LONGEST
from harness.page.view import is_link
from harness.page.writing import TEMPLATES
from harness.releases import kept
from harness.releases.code import code
from harness.releases.outcome import Outcome

pytestmark = pytest.mark.usefixtures("own_cache")

LEDGER = """\
schema = 1

[[known]]
case = "mini/always-wrong"
versions = ">=1.5"
cause = "half too much"
upstream = "https://upstream.example/issues/1"
says = "on purpose since 1.5"
review = 2030-01-01
counts = [{ domain = "numbers", parameters = { up_to = 40 }, mismatches = { 1 = 30 } }]
"""

OTHER = "mini/other"
"""A case that is not installed here."""

Mini = Callable[..., Library]


class Page(HTMLParser):
    """What is in a page: tags with their attributes, and the text of each element with an id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def values(self, name: str) -> list[str]:
        return [value or "" for _, attributes in self.tags for key, value in attributes.items() if key == name]


@pytest.fixture
def page(mini: Mini, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Page]:
    """Return a function that makes the page of documents, and returns what is in it."""
    monkeypatch.chdir(tmp_path)
    library = mini(miniature.case("always_wrong"), ledger=LEDGER)
    monkeypatch.setattr(registry, "libraries", lambda: [library])

    def make(*documents: Json, arguments: tuple[str, ...] = (), out: str = "report.html") -> Page:
        files = [str(matrices.write(tmp_path / f"{k}.json", one)) for k, one in enumerate(documents)]
        assert cli.main(["report", *arguments, "--out", out, "--from", *files]) == 0
        return Page((tmp_path / out).read_text(encoding="utf-8"))

    return make


@pytest.fixture
def refused(page: Any, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs the command, expects it to be refused, and returns what it says."""
    assert page

    def run(*arguments: object) -> str:
        assert cli.main(["report", *map(str, arguments)]) == 2
        said: str = capsys.readouterr().err
        return said

    return run


def panel(page: Page, version: str) -> str:
    """Return the text of a cell's panel."""
    rest = page.text.split(f"always-wrong at packaging {version} Close ", 1)[1]
    return re.split(r"\S+ at packaging | Changes ", rest, maxsplit=1)[0]


# --- what it says ----------------------------------------------------------------------------------------------------


def test_the_newest_release_comes_first_and_versions_are_no_decimals(page: Any) -> None:
    releases = [matrices.release(version, matrices.result()) for version in ("1.1", "1.10", "1.0")]
    assert "contract 1.10 1.1 1.0" in page(matrices.document(*releases)).text


def test_a_cell_says_its_verdict_in_a_word_with_the_share_and_the_letter_of_the_cause(page: Any) -> None:
    text = page(matrices.history()).text
    assert "differs 75.0 % a always-wrong at 1.10" in text
    assert "agrees 100 % always-wrong at 1.1 " in text
    assert "cannot run always-wrong at 1.0 " in text


def test_causes_have_their_letters_from_the_newest_release_on(page: Any) -> None:
    older, newer = (matrices.result(matrices.certificate(wrong=2, cause=cause)) for cause in ("tripling", "halving"))
    made = page(matrices.document(matrices.release("1.9", older), matrices.release("1.10", newer)))
    assert "always-wrong a: halving b: tripling" in made.text
    assert "differs 100 % a always-wrong at 1.10" in made.text
    assert "differs 100 % b always-wrong at 1.9" in made.text
    assert "b: tripling 2 inputs show this" in panel(made, "1.9")


def test_each_cell_opens_a_panel_of_its_own(page: Any) -> None:
    made = page(matrices.history())
    opened = [
        one["popovertarget"] for tag, one in made.tags if tag == "button" and one.get("class", "").startswith("cell")
    ]
    panels = [one["id"] for tag, one in made.tags if "popover" in one]
    assert len(set(opened)) == 3
    assert opened == panels


def test_every_id_is_there_once_and_every_reference_has_its_target(page: Any) -> None:
    made = page(matrices.history(), matrices.document(library="other"))
    ids = made.values("id")
    inner = [link.removeprefix("#") for link in made.values("href") if link.startswith("#")]
    targets = inner + made.values("popovertarget") + made.values("aria-labelledby")
    assert len(ids) == len(set(ids))
    assert set(targets) <= set(ids)


def test_no_name_takes_the_id_of_another_element(page: Any) -> None:
    names = ["results", "page:results", "legend", "title:mini", "mini/always-wrong", "mini%2Falways-wrong"]
    released = [
        matrices.document(
            matrices.release("1.0", matrices.result(case=f"{name}/x")),
            matrices.release("@1.0", matrices.result(case=f"{name}/x")),
            library=name,
        )
        for name in names
    ]
    ids = page(matrices.history(), *released).values("id")
    assert len(ids) == len(set(ids))


def test_a_panel_shows_the_smallest_input_with_what_is_documented_and_observed(page: Any) -> None:
    text = panel(page(matrices.history()), "1.10")
    assert "smallest input the number 0 documented 0 observed 0.5" in text
    assert "30 inputs follow this convention" in text


def test_a_panel_shows_the_smallest_input_of_the_first_domain_that_has_one(page: Any) -> None:
    domains = [matrices.certificate(right=40)] + [
        matrices.certificate(wrong=1, smallest_by_cause={matrices.HALF: matrices.smallest(observed={"shown": shown})})
        for shown in ("0.5", "80.5")
    ]
    shown = panel(page(matrices.document(matrices.release("1.0", matrices.result(*domains)))), "1.0")
    assert re.findall(r"observed (\S+)", shown) == ["0.5"]


def test_a_panel_shows_the_counts_of_each_size(page: Any) -> None:
    sizes = [
        {"size": 1, "inputs": 12, "verdicts": matrices.verdicts(differs=12)},
        {"size": 2, "inputs": 28, "verdicts": matrices.verdicts(agrees=10, differs=18)},
    ]
    one = matrices.result(
        matrices.certificate(wrong=30, right=10, by_size=sizes, readings={matrices.HALF: 0, "tripling": 7})
    )
    shown = panel(page(matrices.document(matrices.release("1.10", one))), "1.10")
    assert "size inputs agrees differs 1 12 0 12 2 28 10 18 all 40 10 30" in shown
    assert "Where nothing is promised: 7 follow tripling." in shown


def test_a_panel_gives_the_command_that_runs_the_smallest_input(page: Any) -> None:
    shown = panel(page(matrices.history()), "1.10")
    assert "rankdiff replay mini/always-wrong '{\"n\": 0}' --mode plain" in shown


def test_an_input_that_is_too_long_to_be_shown_whole_comes_without_a_command(page: Any) -> None:
    longest = {"from": "another version", "n": ""}
    longest["n"] = "9" * (LONGEST - len(json.dumps(longest)))
    too_long = longest | {"n": longest["n"] + "9"}
    one = matrices.result(matrices.mismatches({"longest": longest, "too long": too_long}))
    made = page(matrices.document(matrices.release("1.0", one)))
    shown, cut = panel(made, "1.0").split(" b: too long ")
    assert f"smallest input {json.dumps(longest)} documented" in shown
    assert f"rankdiff replay mini/always-wrong '{json.dumps(longest)}' --mode plain" in shown
    assert f"smallest input {json.dumps(too_long)[:-1]} ... (601 characters) documented" in cut
    assert "rankdiff replay" not in cut


def test_a_panel_says_why_a_release_cannot_run(page: Any) -> None:
    assert "Because: it is broken" in panel(page(matrices.history()), "1.0")


def test_the_ledger_has_its_word_at_the_versions_that_it_is_about(page: Any) -> None:
    wrong = matrices.result(matrices.certificate(wrong=30, right=10))
    made = page(matrices.document(matrices.release("1.4", wrong), matrices.release("1.10", wrong)))
    assert "Known: on purpose since 1.5 ( https://upstream.example/issues/1 )" in panel(made, "1.10")
    assert "The ledger here does not know it at this release" in panel(made, "1.4")


def test_an_input_that_the_case_does_not_take_is_shown_as_it_is(page: Any) -> None:
    one = matrices.certificate(wrong=1)
    one["smallest_by_cause"][matrices.HALF]["input"] = {"from": "another version"}
    made = page(matrices.document(matrices.release("1.0", matrices.result(one))))
    assert 'smallest input {"from": "another version"}' in panel(made, "1.0")


def test_a_library_that_is_not_installed_is_shown_without_its_sentences(page: Any) -> None:
    other = matrices.result(matrices.certificate(wrong=1), case="other/thing")
    made = page(matrices.document(matrices.release("1.0", other), library="other"))
    assert "Its sentence is not known here" in made.text
    assert "--subject packaging==1.0" in made.text


def test_the_sentence_of_a_contract_and_its_source_are_shown(page: Any) -> None:
    assert "a number is doubled, and 5 is refused Source: tests/miniature.py" in page(matrices.history()).text


def test_what_the_ledger_says_stands_under_its_contract_by_its_cause(page: Any) -> None:
    one = matrices.result(matrices.mismatches({matrices.HALF: {"n": 0}, "tripling": {"n": 1}}))
    text = page(matrices.document(matrices.release("1.10", one, one | {"case": OTHER}))).text
    known = "Known at >=1.5: on purpose since 1.5 ( https://upstream.example/issues/1 )"
    contracts = text.split(" Contracts ")[1]
    assert f"a: half too much. {known} b: tripling Share" in contracts
    assert contracts.count("Known at") == 1
    assert text.count("Known: on purpose since 1.5") == 1
    assert text.count("The ledger here does not know it at this release") == 3


def test_the_navigation_counts_the_outcomes_at_the_newest_release(page: Any) -> None:
    right, wrong = matrices.result(matrices.certificate(right=40)), matrices.result(matrices.certificate(wrong=40))
    broken = matrices.result(status="cannot_run", reason="it is broken")
    newest = matrices.release("1.10", wrong, wrong | {"case": OTHER}, right | {"case": "mini/third"})
    oldest = matrices.release("1.9", *({**broken, "case": case} for case in (matrices.CASE, OTHER, "mini/old")))
    text = page(matrices.document(oldest, newest)).text
    assert "mini newest release 1.10 1 \N{CHECK MARK} agrees 2 \N{NOT EQUAL TO} differs How to read a cell" in text


def test_a_library_says_from_when_to_when_its_releases_were_run(page: Any) -> None:
    moments = ("2026-11-30T18:00:00Z", "2026-11-30T16:00:00Z", "2026-11-30T17:00:00Z")
    made = page(
        matrices.document(*(matrices.release(f"1.{k}", matrices.result(kept=at)) for k, at in enumerate(moments)))
    )
    assert "3 releases, 1 contract; run from 2026-11-30 16:00 UTC to 2026-11-30 18:00 UTC" in made.text


def test_a_change_is_listed_with_its_neighbours_under_its_contract(page: Any) -> None:
    wrong = matrices.result(matrices.certificate(wrong=1))
    document = matrices.document(
        matrices.release("1.0", wrong | {"case": OTHER}, wrong),
        changes=[
            matrices.change(
                last_good="1.1", first_bad="1.2", last_bad="1.4", first_fixed="1.6", skipped=["1.3", "1.5"]
            ),
            matrices.change(first_bad="1.2"),
            matrices.change(case=OTHER, cause="tripling", last_bad="1.7", first_fixed="1.8"),
            matrices.change(
                case=OTHER,
                first_bad="1.8",
                last_good="1.7",
                instead_of=["tripling"],
                first_fixed="1.9",
                last_bad="1.8",
                replaced_by=["tripling", "raises OSError"],
            ),
        ],
    )
    changes = page(document).text.split("could not be judged ")[1].split(" Contracts ")[0]
    assert changes == (
        "always-wrong half too much 1.2, after 1.1 1.6, after 1.4 1.3, 1.5"
        " always-wrong half too much 1.2, the first that offers it not fixed -"
        " other tripling bad in the oldest that was judged 1.8, after 1.7 -"
        " other half too much 1.8, after 1.7, which shows tripling"
        " 1.9, after 1.8; it shows tripling, raises OSError instead -"
    )


@pytest.mark.parametrize(
    ("fields", "label", "sentence"),
    [
        ({"mode": "odd"}, "odd", "odd; the code that counts was not asked"),
        ({"mode": "odd", "confirmed": True}, "confirmed", "odd; confirmed by the code that counts"),
        ({"mode": "odd", "confirmed": False}, "not confirmed", "odd; not confirmed by the code that counts"),
        ({"mode": "plain", "confirmed": True}, "confirmed", "plain, the code that counts"),
        (
            {"mode": "plain", "confirmed": False},
            "plain",
            "plain, the code that counts; quicker code did not say the same",
        ),
        ({"mode": "plain"}, "plain", "plain, the code that counts"),
    ],
)
def test_a_cell_says_which_code_answered(page: Any, fields: Any, label: str, sentence: str) -> None:
    other = matrices.result(matrices.certificate(right=40), mode="odd")
    one = matrices.result(matrices.certificate(right=40), **fields)
    made = page(matrices.document(matrices.release("1.0", other), matrices.release("1.1", one)))
    assert f"agrees 100 % {label} always-wrong at 1.1" in made.text
    assert f"code {sentence} run" in panel(made, "1.1")


def test_nothing_is_said_of_the_code_where_there_is_but_that_which_counts(page: Any) -> None:
    one = matrices.result(matrices.certificate(right=40), confirmed=True)
    assert "agrees 100 % always-wrong at 1.1" in page(matrices.document(matrices.release("1.1", one))).text


RIGHT = matrices.certificate(right=30)
WRONG = matrices.certificate(wrong=3, right=7)
CUT_SHORT = matrices.certificate(right=10, exhausted=False)
ABSENT = matrices.certificate(inputs=10, verdicts=matrices.verdicts(unsupported=10))


@pytest.mark.parametrize(
    ("domains", "shown"),
    [
        ([CUT_SHORT], "cut short 100 %"),
        ([RIGHT, CUT_SHORT], "cut short 100 %"),
        ([CUT_SHORT, RIGHT], "cut short 100 %"),
        ([RIGHT, WRONG], "differs 7.5 % a"),
        ([WRONG, CUT_SHORT], "differs 15.0 % a"),
        ([RIGHT, ABSENT], "agrees 75.0 %"),
        ([ABSENT, RIGHT], "agrees 75.0 %"),
        ([ABSENT, WRONG], "differs 15.0 % a"),
        ([ABSENT, ABSENT], "unsupported"),
    ],
)
def test_a_cell_stands_for_all_domains_of_its_contract(page: Any, domains: list[matrices.Fields], shown: str) -> None:
    each = [{**one, "domain": {"name": f"domain {k}", "parameters": {}}} for k, one in enumerate(domains)]
    made = page(matrices.document(matrices.release("1.1", matrices.result(*each))))
    assert f" {shown} always-wrong at 1.1" in made.text
    assert made.text.count(" wrong, cut short") == domains.count(CUT_SHORT)


def test_domains_with_the_same_counts_share_a_strip(page: Any) -> None:
    twice = [
        matrices.certificate(wrong=1, right=3, domain={"name": name, "parameters": {}}) for name in ("first", "second")
    ]
    made = page(matrices.document(matrices.release("1.0", matrices.result(*twice))))
    assert "first, and 1 more with the same counts second" in made.text
    assert len([tag for tag, _ in made.tags if tag == "svg"]) == 1


def test_a_strip_says_in_words_what_its_bars_show(page: Any) -> None:
    labels = [one["aria-label"] for tag, one in page(matrices.history()).tags if tag == "svg"]
    assert labels == ["1.0: no value; 1.1: 0 %; 1.10: 75.0 %"]


@pytest.mark.parametrize(("wrong", "right", "height"), [(30, 10, 75), (1, 999, 3)])
def test_a_bar_is_as_high_as_the_share_and_high_enough_to_be_seen(
    page: Any, wrong: int, right: int, height: int
) -> None:
    one = matrices.result(matrices.certificate(wrong=wrong, right=right))
    made = page(matrices.document(matrices.release("1.0", one)))
    bars = [one for tag, one in made.tags if tag == "rect" and "class" not in one]
    assert [(float(bar["y"]), float(bar["height"])) for bar in bars] == [(100 - height, height)]


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [
        (0, 0, "0 %"),
        (0, 9, "0 %"),
        (1, 10_000, "< 0.1 %"),
        (1, 3, "33.3 %"),
        (9_999, 10_000, "> 99.9 %"),
        (9, 9, "100 %"),
    ],
)
def test_a_share_is_rounded_but_neither_to_nothing_nor_to_all(part: int, whole: int, shown: str) -> None:
    assert percent(part, whole) == shown


# --- bundles ---------------------------------------------------------------------------------------------------------


def test_a_cell_links_the_bundle_about_its_release_by_a_relative_path(page: Any, tmp_path: Path) -> None:
    matrices.finding(tmp_path / "reports" / "a bundle: 100%").with_name("README.md").write_text("a report")
    (tmp_path / "out").mkdir()
    links = page(matrices.history(), out="out/page.html").values("href")
    found = {unquote(link) for link in links if "bundle" in link}
    assert found == {"../reports/a bundle: 100%/README.md"}
    assert not any(link.startswith("..") and " " in link for link in links)


def test_a_bundle_without_a_report_is_linked_by_its_finding(page: Any, tmp_path: Path) -> None:
    matrices.finding(tmp_path / "reports" / "old")
    assert "reports/old/finding.json" in page(matrices.history()).values("href")


def test_a_bundle_is_linked_where_its_contract_and_its_cause_are(page: Any, tmp_path: Path) -> None:
    for name, fields in {
        "halves": {"cause": matrices.HALF},
        "triples": {"cause": "tripling"},
        "others": {"case": OTHER},
    }.items():
        matrices.finding(tmp_path / "reports" / name, **fields)
    one = matrices.result(matrices.mismatches({matrices.HALF: {"n": 0}, "tripling": {"n": 1}}))
    other = matrices.result(matrices.certificate(wrong=1), case=OTHER)
    made = page(matrices.document(matrices.release("1.10", one, other)))
    halves, triples = panel(made, "1.10").split("b: tripling", 1)
    assert re.findall(r"bundle (\S+)", halves) == ["halves"]
    assert re.findall(r"bundle (\S+)", triples) == ["triples"]
    assert re.findall(r"Bundles: (.*?) Share", made.text) == ["halves , triples", "others"]


def test_a_bundle_about_another_release_is_linked_by_the_contract_alone(page: Any, tmp_path: Path) -> None:
    subject = {"distribution": "packaging", "version": "0.9", "patches": [], "mode": "plain"}
    matrices.finding(tmp_path / "elsewhere" / "old", subject=subject)
    made = page(matrices.history(), arguments=("--bundles", "elsewhere"))
    assert made.values("href").count("elsewhere/old/finding.json") == 1


# --- what it is made of ----------------------------------------------------------------------------------------------


def test_without_kept_results_it_names_the_command_that_makes_them(refused: Any) -> None:
    assert "`rankdiff releases LIBRARY` makes them" in refused()


def test_without_a_file_it_is_made_of_what_is_kept(mini: Mini, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    library = mini(miniature.case("always_wrong"), modes=[miniature.mode("plain", is_distribution=True)])
    monkeypatch.setattr(registry, "libraries", lambda: [library])
    outcome = Outcome(matrices.CASE, "plain", "run", certificates=(matrices.certificate(wrong=40),), kept=kept.now())
    kept.write(library.modes[0], Version("1.10"), outcome, kept.Basis(code(library), "environment"), kept.Source())
    assert cli.main(["report"]) == 0
    text = Page((tmp_path / "report.html").read_text(encoding="utf-8")).text
    assert "differs 100 % a always-wrong at 1.10" in text
    assert "--mode plain --subject packaging==1.10" in text
    assert "made from the cache" in text


def test_what_it_reads_here_is_what_releases_writes() -> None:
    schemas = Path(cli.__file__).with_name("schema")
    releases, report = (json.loads((schemas / f"{name}.schema.json").read_text()) for name in ("releases", "report"))
    history = matrices.history()
    jsonschema.validate(history, releases)
    certificates = [one for of in history["releases"] for cell in of["cases"] for one in cell["certificates"]]
    for one in certificates:
        jsonschema.validate(one, {**report["$defs"]["certificate"], "$defs": report["$defs"]})
    assert len(certificates) == 2


def test_a_library_of_which_nothing_is_kept_is_refused(refused: Any, tmp_path: Path) -> None:
    path = matrices.write(tmp_path / "a.json", matrices.document(library="other"))
    said = refused("mini", "--from", path)
    assert "results of mini were expected, found other; `rankdiff releases mini` makes and keeps them" in said


def test_only_the_libraries_that_are_named_are_on_it(page: Any) -> None:
    made = page(matrices.history(), matrices.document(library="other"), arguments=("mini",))
    assert "other" not in [link.removeprefix("#") for link in made.values("href")]


def test_two_files_about_one_library_are_refused(refused: Any, tmp_path: Path) -> None:
    first, second = (matrices.write(tmp_path / name, matrices.history()) for name in ("a.json", "b.json"))
    assert f"{first} and {second} are both about mini" in refused("--from", first, second)


def broken(path: str, value: Json) -> Json:
    """Return the history with another value at a path of keys and indexes."""
    whole: Any = json.loads(json.dumps(matrices.history()))
    *way, last = [int(key) if key.isdecimal() else key for key in path.split("/")]
    inner = whole
    for key in way:
        inner = inner[key]
    inner[last] = value
    return whole  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("schema", 2, ".schema: expected 1, as `rankdiff releases LIBRARY --json` writes it, found 2"),
        ("schema", True, ".schema: expected 1, "),
        ("releases", {}, ".releases: expected a list, found {}"),
        ("releases/0", 7, ".releases[0]: expected a JSON object, found 7"),
        ("releases/1/version", "1.0", '.releases: expected each version once, found ["1.0", "1.0", "1.10"]'),
        ("library", "other", '.releases[0].cases: expected cases of other, found "mini/always-wrong"'),
        ("releases/0/cases/0/status", "odd", '.status: expected one of run, cannot_run, unsupported, found "odd"'),
        ("releases/0/cases/0/confirmed", 1, ".confirmed: expected true or false, found 1"),
        ("releases/1/cases/0/certificates/0/inputs", -1, ".inputs: expected a number of things, found -1"),
        ("releases/1/cases/0/certificates/0/inputs", 0, ".inputs: expected the sum of the verdicts, "),
        ("releases/1/cases/0/certificates/0/causes", {"x": 500}, ".causes: expected one for each of the "),
        ("releases/1/cases/0/certificates/0/verdicts/odd", 1, ".verdicts.odd: expected only agrees"),
        ("releases/1/cases/0/certificates/0/domain/parameters/p", [], ".p: expected a text or an integer, found []"),
        ("changes/0/skipped", [1], ".skipped: expected a list of texts, found 1"),
    ],
)
def test_a_document_of_another_shape_is_refused_with_its_place(
    refused: Any, tmp_path: Path, path: str, value: Json, said: str
) -> None:
    assert said in refused("--from", matrices.write(tmp_path / "a.json", broken(path, value)))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\ud800"])
def test_a_file_that_is_no_json_is_refused_by_name(refused: Any, tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(text.encode(errors="surrogatepass"))
    assert f"{path}: JSON was expected" in refused("--from", path)


def test_a_file_that_is_not_there_is_refused_by_name(refused: Any) -> None:
    assert "nowhere.json cannot be read (No such file or directory)" in refused("--from", "nowhere.json")


def test_a_finding_that_is_none_is_refused_by_name(refused: Any, tmp_path: Path) -> None:
    results = matrices.write(tmp_path / "a.json", matrices.history())
    path = matrices.finding(tmp_path / "reports" / "bad", subject=None)
    assert f"{path.relative_to(tmp_path)}.subject: expected a JSON object, found null" in refused("--from", results)


def test_a_folder_of_bundles_that_is_named_has_to_be_there(refused: Any, tmp_path: Path) -> None:
    path = matrices.write(tmp_path / "a.json", matrices.history())
    assert "a folder of bundles was expected" in refused("--from", path, "--bundles", "nowhere")


# --- how it is written -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("out", ["nowhere/page.html", "folder"])
def test_a_page_that_cannot_be_written_leaves_nothing_behind(refused: Any, tmp_path: Path, out: str) -> None:
    path = matrices.write(tmp_path / "a.json", matrices.history())
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    assert f"the page {out} cannot be written" in refused("--from", path, "--out", out)
    assert sorted(tmp_path.iterdir()) == before


def test_the_same_results_make_the_same_page(page: Any, tmp_path: Path) -> None:
    page(matrices.history())
    first = (tmp_path / "report.html").read_bytes()
    page(matrices.history())
    assert (tmp_path / "report.html").read_bytes() == first


# --- harmless --------------------------------------------------------------------------------------------------------

HOSTILE = (
    "</script></style><script>alert(1)</script><img src=x onerror=alert(1)>"
    "\"'&amp;\x00\ud800\x1b[31m\u202e{{ 7*7 }} a/b#c"
)

TAME = "tame"


def writable(text: str) -> str:
    """Return a text without what UTF-8, and so a ledger, cannot hold."""
    return text.encode(errors="ignore").decode()


def link_with(text: str) -> str:
    """Return a link with as much of a text in it as a link may have."""
    return "https://upstream.example/" + "".join(letter for letter in text if letter.isprintable() and letter != " ")


def no_link_with(text: str) -> str:
    """Return what a ledger takes as a link, and a page does not."""
    return f"https://upstream.example {''.join(letter for letter in text if letter.isprintable())}"


def ledger_with(text: str) -> str:
    """Return a ledger with a text wherever any may be."""
    head, entry = LEDGER.replace('"on purpose since 1.5"', json.dumps(writable(text))).split("\n", 1)
    upstream_at = {
        ">=1.5": link_with(text),
        "<1.5": no_link_with(text),
        "===" + re.split(r"[\s;),]", text)[0]: "unreported",  # which PEP 440 takes, whatever it is
    }
    entries = [
        entry.replace(">=1.5", versions).replace('"https://upstream.example/issues/1"', json.dumps(upstream))
        for versions, upstream in upstream_at.items()
    ]
    return "\n".join([head, *entries])


def results_with(text: str) -> Json:
    """Return a document with a text wherever any may be."""

    def with_text(value: Json) -> Json:
        if value == matrices.CASE:
            return f"mini {text}/always-wrong {text}"
        if isinstance(value, dict):
            return {with_text_as_key(key): with_text(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [with_text(inner) for inner in value]
        return f"{value} {text}" if isinstance(value, str) and value not in {"run", "cannot_run", "differs"} else value

    def with_text_as_key(key: str) -> str:
        return f"{key} {text}" if key in {matrices.HALF, "n", "up_to"} else key

    domains = [
        matrices.certificate(
            wrong=wrong,
            right=40 - wrong,
            domain={"name": f"{name} {wrong}", "parameters": {"up_to": "all"}},
            readings={matrices.HALF: 1},
        )
        for wrong in (0, 30)
        for name in ("first", "second")
    ]
    mended = matrices.change(
        last_good="1.1",
        first_bad="1.2",
        instead_of=[matrices.HALF],
        last_bad="1.3",
        first_fixed="1.10",
        replaced_by=[matrices.HALF],
        skipped=["1.4", "1.5"],
    )
    document = matrices.history()
    document["releases"].append(matrices.release("1.11", matrices.result(*domains, kept="2026-12-01T16:00:00Z")))
    document["changes"].append(mended)
    return with_text(document)


@pytest.fixture
def full_of(page: Any, mini: Mini, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Page]:
    """Return a function that makes a page with a text wherever any may be: in results, cases, ledger and bundles."""

    def make(text: str) -> Page:
        contract = Contract(says=text, source=text, upstream=text, unpromised=text)
        case = miniature.case("always_wrong", contract=contract, describe=lambda _: text)
        library = mini(case, ledger=ledger_with(text))
        monkeypatch.setattr(registry, "libraries", lambda: [library])
        name = re.sub("[/\x00]", "", writable(text))  # which no file may have in its name
        for folder in (f"javascript:{name}", "older"):
            path = matrices.finding(tmp_path / f"bundles {name}" / folder)
            path.with_name("README.md").write_text("a report")
        wrong = matrices.result(matrices.certificate(wrong=30, right=10), kept=text)
        known = matrices.document(matrices.release("1.4", wrong), matrices.release("1.10", wrong))
        path = matrices.write(tmp_path / name, known)
        return page(results_with(text), arguments=("--bundles", f"bundles {name}", "--from", str(path)))  # type: ignore[no-any-return]

    return make


def test_no_text_becomes_markup(full_of: Any) -> None:
    tame, made = full_of(TAME), full_of(HOSTILE)
    assert [(tag, list(attributes)) for tag, attributes in made.tags] == [
        (tag, list(attributes)) for tag, attributes in tame.tags
    ]
    assert "<script>alert(1)</script>" in made.text


def test_nothing_is_in_the_file_that_cannot_be_printed(full_of: Any, tmp_path: Path) -> None:
    full_of(HOSTILE)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert [letter for letter in text if not letter.isprintable() and letter != "\n"] == []


def test_no_text_is_a_template(full_of: Any) -> None:
    assert "{{ 7*7 }}" in full_of(HOSTILE).text


def test_every_link_stays_in_the_page_or_leads_to_a_bundle_or_is_an_encrypted_one_of_the_ledger(full_of: Any) -> None:
    made = full_of(HOSTILE)
    links = {one for one in made.values("href") if not re.match(r"#|bundles[^:]*/README\.md$", one)}
    assert links == {"data:,", link_with(HOSTILE)}
    assert "(https://upstream.example </script>" in made.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://upstream.example/a?b=c#d", True),
        ("http://upstream.example", False),
        ("javascript:alert(1)", False),
        ("JAVASCRIPT:alert(1)//https://", False),
        ("data:text/html,x", False),
        ("//upstream.example", False),
        ("https:", False),
        ("https://[", False),
        ("https://a b", False),
        ("https://a\x00b", False),
        ("unreported", False),
    ],
)
def test_only_an_encrypted_address_of_another_site_is_a_link(text: str, expected: bool) -> None:  # noqa: FBT001
    assert is_link(text) == expected


def test_the_page_forbids_itself_to_load_or_run_anything(page: Any) -> None:
    policies = [one["content"] for _, one in page(matrices.history()).tags if "http-equiv" in one]
    assert policies == [
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    ]


# --- colours ---------------------------------------------------------------------------------------------------------


def colours() -> list[dict[str, str]]:
    """Return the colours of the light and of the dark scheme, and those of paper, by name."""
    blocks = re.findall(r":root \{(.*?)\}", (TEMPLATES / "style.css").read_text(), re.DOTALL)
    found: list[dict[str, str]] = []
    for block in blocks:
        found.append({**(found[0] if found else {}), **dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))})
    return found


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG 2 defines it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_of_black_and_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


MARKS = ("agrees", "differs", "raises", "stops", "open", "absent")


@pytest.mark.parametrize("scheme", [0, 1, 2], ids=["light", "dark", "print"])
def test_text_has_a_contrast_of_at_least_four_and_a_half(scheme: int) -> None:
    of = colours()[scheme]
    pairs = [(name, "paper") for name in ("ink", "quiet", "link")] + [("ink", "raised")]
    pairs += [(f"{name}-ink", f"{name}-fill") for name in MARKS]
    assert {
        pair: contrast(of[pair[0]], of[pair[1]]) for pair in pairs if contrast(of[pair[0]], of[pair[1]]) < 4.5
    } == {}


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["focus", "wrong", "right"])
def test_what_is_no_text_has_a_contrast_of_at_least_three(scheme: int, name: str) -> None:
    of = colours()[scheme]
    assert contrast(of[name], of["paper"]) >= 3
