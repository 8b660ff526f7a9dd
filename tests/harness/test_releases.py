"""The matrix of releases: run in environments of their own, kept, bisected, confirmed, and told."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from packaging.version import Version

import environments
import miniature
import releases
from harness import cli, registry
from harness.canaries.canary import Canary
from harness.errors import NoReleasesError, UnknownModeError
from harness.library import Library
from harness.progress import Progress
from harness.releases import filling, index, running
from harness.releases.code import code, reached
from harness.releases.matrix import Matrix, question, recalled

SCHEMAS = Path(cli.__file__).with_name("schema")
SILENT = Progress(bars=False)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of releases that were run, as they are."""
    versions: list[str] = []
    run = running.run

    def noting(library: Library, tasks: Any, *others: Any) -> list[str]:
        versions.extend(f"{task.version} {task.mode.name}" for task in tasks)
        return run(library, tasks, *others)

    monkeypatch.setattr(filling, "run", noting)
    return versions


def found(library: Library, mode: str | None = None, **fields: Any) -> Matrix:
    return filling.fill(replace(question(library, library.cases, mode), **fields), SILENT)


def words(of: Matrix) -> list[str]:
    return [f"{version} {of.cells[version, 'mini/double'].verdict}" for version in of.releases]


def test_the_releases_of_the_index_are_listed_ascending(wheels: Path) -> None:
    releases.lay_out(wheels, {"0.10": "", "0.9": "", "1.0": ""})
    assert index.releases("doubler") == [Version("0.9"), Version("0.10"), Version("1.0")]


def test_a_release_that_needs_another_python_is_listed(wheels: Path) -> None:
    releases.release(wheels, "0.9", "", python="<3")
    assert index.releases("doubler") == [Version("0.9")]


def test_pre_releases_are_listed_where_they_are_asked_for(wheels: Path) -> None:
    releases.lay_out(wheels, {"1.0": "", "1.1rc1": ""})
    assert index.releases("doubler") == [Version("1.0")]
    assert index.releases("doubler", pre=True) == [Version("1.0"), Version("1.1rc1")]


def test_a_distribution_that_the_index_does_not_have_is_told(wheels: Path) -> None:
    with pytest.raises(NoReleasesError, match=r"the releases of doubler were to be listed, but pip says: .*doubler"):
        index.releases("doubler")
    assert list(wheels.iterdir()) == []


def test_an_index_that_cannot_be_reached_is_told(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    with pytest.raises(NoReleasesError, match=r"could not be asked for the releases of doubler .*; go online"):
        index.releases("doubler")


def test_every_release_is_run_and_says_what_it_does(wheels: Path, tmp_path: Path) -> None:
    releases.lay_out(wheels, releases.HISTORY)
    of = found(releases.library(tmp_path))
    assert words(of) == [
        "0.1 unsupported",
        "0.2 cannot run",
        "0.3 agrees",
        "0.4 agrees",
        "0.5 differs",
        "0.6 differs",
        "0.7 agrees",
    ]
    [change] = of.changes
    assert (change.last_good, change.first_bad, change.last_bad, change.first_fixed) == ("0.4", "0.5", "0.6", "0.7")
    assert change.cause == "tripling"
    assert of.obstacles == ()


def test_the_reasons_of_what_was_not_run_are_a_line(wheels: Path, tmp_path: Path) -> None:
    releases.lay_out(wheels, {version: releases.HISTORY[version] for version in ("0.1", "0.2")})
    of = found(releases.library(tmp_path))
    assert [of.cells[version, "mini/double"].reason for version in of.releases] == [
        "doubler 0.1 does not offer what the cases call: cannot import name 'double' from 'doubler'",
        "doubler 0.2 cannot be imported: ModuleNotFoundError: No module named 'doubler.core'",
    ]


def test_a_release_that_cannot_be_installed_cannot_run(wheels: Path, tmp_path: Path) -> None:
    releases.release(wheels, "0.3", releases.RIGHT, requires="nowhere-to-be-found")
    [outcome] = found(releases.library(tmp_path)).cells.values()
    assert outcome.status == "cannot_run"
    assert "nowhere-to-be-found" in outcome.reason
    assert str(tmp_path) not in outcome.reason


def test_what_a_release_forgot_to_name_is_installed_beside_it(wheels: Path, tmp_path: Path) -> None:
    environments.wheel(wheels, "helper", source="ONE = 1\n")
    releases.lay_out(wheels, {"0.3": "import helper\n" + releases.RIGHT})
    library = releases.library(tmp_path)
    assert words(found(library)) == ["0.3 cannot run"]
    assert words(found(library, how=running.How(extras=("helper",)))) == ["0.3 agrees"]


def test_a_case_that_a_release_does_not_offer_is_unsupported_beside_others(wheels: Path, tmp_path: Path) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.4": releases.HALVES})
    of = found(releases.library(tmp_path, miniature.case("double"), miniature.case("halve")))
    assert of.cells[Version("0.3"), "mini/halve"].status == "unsupported"
    assert of.cells[Version("0.3"), "mini/double"].status == "run"
    assert of.cells[Version("0.4"), "mini/halve"].status == "run"


def test_a_range_holds_both_its_ends(wheels: Path, tmp_path: Path) -> None:
    releases.lay_out(wheels, releases.HISTORY)
    of = found(releases.library(tmp_path), first=Version("0.4"), last=Version("0.6"))
    assert words(of) == ["0.4 agrees", "0.5 differs", "0.6 differs"]


def test_a_range_without_a_release_is_refused_with_what_there_is(wheels: Path, tmp_path: Path) -> None:
    releases.lay_out(wheels, releases.HISTORY)
    with pytest.raises(NoReleasesError, match=r"in the range was expected, but there are 0\.1 to 0\.7"):
        found(releases.library(tmp_path), first=Version("2"))


def test_what_is_kept_is_not_run_again(wheels: Path, tmp_path: Path, ran: list[str]) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.5": releases.TRIPLES})
    library = releases.library(tmp_path)
    first = found(library)
    assert ran == ["0.3 plain", "0.5 plain"]
    assert found(library).cells == first.cells
    assert ran == ["0.3 plain", "0.5 plain"]


def test_a_new_release_costs_one_column(wheels: Path, tmp_path: Path, ran: list[str]) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT})
    library = releases.library(tmp_path)
    found(library)
    ran.clear()
    releases.release(wheels, "0.5", releases.TRIPLES)
    assert words(found(library)) == ["0.3 agrees", "0.5 differs"]
    assert ran == ["0.5 plain"]


def test_what_is_kept_is_run_again_where_that_is_asked_for(wheels: Path, tmp_path: Path, ran: list[str]) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT})
    library = releases.library(tmp_path)
    found(library)
    found(library, again=True)
    assert ran == ["0.3 plain", "0.3 plain"]


def test_what_is_kept_of_other_code_is_run_again(
    wheels: Path, tmp_path: Path, ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT})
    library = releases.library(tmp_path)
    found(library)
    monkeypatch.setattr(filling, "code", lambda _: "other")
    found(library)
    assert ran == ["0.3 plain", "0.3 plain"]


def test_what_is_kept_is_run_again_where_something_else_is_in_its_environment(
    wheels: Path, tmp_path: Path, own_cache: Path, ran: list[str]
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT})
    library = releases.library(tmp_path)
    found(library)
    [site] = own_cache.glob("environments/*/lib/python*/site-packages")
    (site / "other-1.0.dist-info").mkdir()
    found(library)
    assert ran == ["0.3 plain", "0.3 plain"]


@pytest.mark.parametrize("damage", [lambda text: text[:-20], lambda text: text.replace("agrees", "differs", 1)])
def test_a_damaged_result_is_run_again(
    wheels: Path, tmp_path: Path, own_cache: Path, ran: list[str], damage: Callable[[str], str]
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT})
    library = releases.library(tmp_path)
    first = found(library)
    [path] = own_cache.glob("releases/**/*.json")
    path.write_text(damage(path.read_text()))
    assert words(found(library)) == words(first)
    assert ran == ["0.3 plain", "0.3 plain"]


def test_what_is_kept_of_another_environment_stays(wheels: Path, tmp_path: Path, ran: list[str]) -> None:
    environments.wheel(wheels, "helper", source="ONE = 1\n")
    releases.lay_out(wheels, {"0.3": releases.RIGHT})
    library = releases.library(tmp_path)
    for extras in ((), ("helper",), ()):
        found(library, how=running.How(extras=extras))
    assert ran == ["0.3 plain", "0.3 plain"]


def test_without_an_index_what_is_kept_is_shown_and_nothing_is_run(
    wheels: Path, tmp_path: Path, ran: list[str]
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.5": releases.TRIPLES})
    library = releases.library(tmp_path)
    found(library)
    ran.clear()
    for path in wheels.iterdir():
        path.unlink()
    of = found(library)
    assert words(of) == ["0.3 agrees", "0.5 differs"]
    assert ran == []
    assert len(of.obstacles) == 1
    assert recalled(question(library, library.cases, None)).cells == of.cells


def test_bisection_runs_only_what_it_needs(wheels: Path, tmp_path: Path, ran: list[str]) -> None:
    releases.lay_out(wheels, {f"0.{k}": releases.RIGHT if k < 11 else releases.TRIPLES for k in range(16)})
    of = found(releases.library(tmp_path), bisect=True)
    [change] = of.changes
    assert (change.last_good, change.first_bad) == ("0.10", "0.11")
    assert len(ran) == 2 + 4
    assert {"0.10 plain", "0.11 plain"} <= set(ran)


def test_the_mode_that_counts_confirms_the_neighbours_of_a_change_and_the_newest(
    wheels: Path, tmp_path: Path, ran: list[str]
) -> None:
    releases.lay_out(wheels, {version: source for version, source in releases.HISTORY.items() if version > "0.2"})
    releases.release(wheels, "0.8", releases.RIGHT)
    of = found(releases.library(tmp_path, quick=True))
    assert sorted(one for one in ran if "plain" in one) == [f"0.{k} plain" for k in (4, 5, 6, 7, 8)]
    assert {str(version): one.confirmed for (version, _), one in of.cells.items()} == {
        "0.3": None,
        "0.4": True,
        "0.5": True,
        "0.6": True,
        "0.7": True,
        "0.8": True,
    }
    assert of.cells[Version("0.3"), "mini/double"].mode == "quick"
    assert of.cells[Version("0.8"), "mini/double"].mode == "plain"


def test_what_the_mode_that_counts_refutes_is_no_change(wheels: Path, tmp_path: Path) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.4": releases.TRIPLES_IF_QUICK})
    of = found(releases.library(tmp_path, quick=True))
    outcome = of.cells[Version("0.4"), "mini/double"]
    assert of.changes == []
    assert (outcome.verdict, outcome.confirmed) == ("agrees", False)
    assert outcome.reason == 'quick: differs, "tripling"'


def test_where_a_change_is_refuted_the_next_candidate_is_confirmed(wheels: Path, tmp_path: Path) -> None:
    history = {
        "0.3": releases.RIGHT,
        "0.4": releases.TRIPLES_IF_QUICK,
        "0.5": releases.TRIPLES,
        "0.6": releases.TRIPLES,
    }
    releases.lay_out(wheels, history)
    of = found(releases.library(tmp_path, quick=True))
    [change] = of.changes
    assert (change.last_good, change.first_bad) == ("0.4", "0.5")
    assert of.cells[Version("0.5"), "mini/double"].confirmed is True


def test_where_a_quick_mode_is_wrong_everywhere_the_mode_that_counts_is_bisected(
    wheels: Path, tmp_path: Path, ran: list[str]
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT} | {f"0.{k}": releases.TRIPLES_IF_QUICK for k in range(4, 20)})
    of = found(releases.library(tmp_path, quick=True))
    assert of.changes == []
    assert len([one for one in ran if "plain" in one]) == 3


def test_an_interrupt_keeps_what_is_done(
    wheels: Path, tmp_path: Path, ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.4": releases.RIGHT, "0.5": releases.RIGHT})
    library = releases.library(tmp_path)
    begin = running._Crew.begin

    def interrupted(crew: Any, task: running.Task) -> None:
        if str(task.version) == "0.5":
            while crew.running:
                crew.collect()
            raise KeyboardInterrupt
        begin(crew, task)

    with monkeypatch.context() as patched:
        patched.setattr(running._Crew, "begin", interrupted)
        of = found(library)
    assert [text.partition(":")[0] for text in of.obstacles] == ["interrupted"]
    assert {str(version) for version, _ in of.cells} == {"0.3", "0.4"}
    ran.clear()
    found(library)
    assert ran == ["0.5 plain"]


def test_a_library_that_no_index_has_is_refused(tmp_path: Path) -> None:
    library = replace(releases.library(tmp_path), modes=(miniature.program(),))
    with pytest.raises(UnknownModeError, match="mini is no Python distribution in any mode"):
        question(library, library.cases, None)


def test_a_named_case_that_is_not_about_the_mode_is_refused(tmp_path: Path) -> None:
    library = releases.library(tmp_path, miniature.case("double", modes=("plain",)), quick=True)
    with pytest.raises(UnknownModeError, match="mini/double: not about the mode quick"):
        question(library, library.cases, "quick", ["mini/double"])


@pytest.fixture
def rankdiff(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    """Return a function that runs the command line with a given library."""
    monkeypatch.chdir(tmp_path)

    def run(library: Library, *arguments: str) -> int:
        monkeypatch.setattr(registry, "libraries", lambda: [library])
        return cli.main(arguments)

    return run


TRIPLING = """\
schema = 1

[[known]]
case = "mini/double"
versions = ">=0.5"
cause = "tripling"
upstream = "unreported"
says = "it triples"
review = 2099-01-01
counts = [{ domain = "numbers", parameters = { up_to = 40 }, mismatches = { 1 = 1, 2 = 1, 3 = 1, 4 = 34 } }]
"""


@pytest.mark.parametrize(
    ("ledger", "newest", "status"),
    [
        (miniature.EMPTY_LEDGER, releases.RIGHT, 0),
        (miniature.EMPTY_LEDGER, releases.TRIPLES, 1),
        (TRIPLING, releases.TRIPLES, 0),
        (TRIPLING, releases.RIGHT, 1),
        (TRIPLING.replace(">=0.5", "<0.5"), releases.RIGHT, 0),
        (TRIPLING.replace(">=0.5", "<0.5"), releases.TRIPLES, 1),
        (TRIPLING.replace("1 = 1, 2 = 1, 3 = 1, 4 = 34", ""), releases.RIGHT, 0),
        (miniature.EMPTY_LEDGER, releases.CANNOT_BE_IMPORTED, 1),
        (miniature.EMPTY_LEDGER, releases.LACKS_DOUBLE, 1),
    ],
)
def test_the_status_says_whether_the_newest_release_is_as_the_ledger_says(
    wheels: Path, tmp_path: Path, rankdiff: Callable[..., int], ledger: str, newest: str, status: int
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.5": newest})
    assert rankdiff(releases.library(tmp_path, ledger=ledger), "releases", "mini") == status


def test_a_newest_release_of_which_nothing_was_compared_is_not_green(
    wheels: Path, tmp_path: Path, rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    releases.lay_out(wheels, {"0.1": releases.LACKS_DOUBLE})
    assert rankdiff(releases.library(tmp_path), "releases", "mini") == 2
    assert capsys.readouterr().out.endswith("Nothing of doubler 0.1 was compared: it offers none of this.\n")


def test_a_newest_release_that_no_longer_offers_a_case_is_told(
    wheels: Path, tmp_path: Path, rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.5": releases.LACKS_DOUBLE})
    rankdiff(releases.library(tmp_path), "releases", "mini")
    assert "newest release: mini/double: 0.5 no longer offers it, and 0.3 did" in capsys.readouterr().out


def test_a_newest_release_that_runs_in_a_quick_mode_alone_is_not_green(
    wheels: Path, tmp_path: Path, rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    source = (
        f"import os\nif os.environ.get('RANKDIFF_TEST_MODE') != 'quick':\n    raise OSError('no')\n{releases.RIGHT}"
    )
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.5": source})
    assert rankdiff(releases.library(tmp_path, quick=True), "releases", "mini") == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "newest release: mini/double: 0.5 cannot run in every mode; plain: doubler 0.5 cannot be imported" in said
    assert "but of 0.5, plain: doubler 0.5 cannot be imported: OSError: no" in said


def test_canaries_that_are_not_told_apart_keep_a_matrix_from_being_filled(
    wheels: Path, tmp_path: Path, ran: list[str], rankdiff: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT})
    monkeypatch.setattr(filling, "sing", lambda _: (Canary("wrong", 17, 0, "it was not caught"),))
    assert rankdiff(releases.library(tmp_path), "releases", "mini") == 2
    assert ran == []


def test_without_an_index_the_status_is_2_and_what_is_kept_is_shown(
    wheels: Path, tmp_path: Path, rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.4": releases.RIGHT, "0.5": releases.TRIPLES, "0.6rc1": ""})
    library = releases.library(tmp_path)
    for only in ("0.3", "0.5"):
        rankdiff(library, "releases", "mini", "--from", only, "--to", only)
    for path in wheels.iterdir():
        path.unlink()
    capsys.readouterr()
    assert rankdiff(library, "releases", "mini") == 2
    said = " ".join(capsys.readouterr().out.split())
    assert "doubler 0.3 to 0.5: 2 of 3 releases, plain" in said
    assert "tripling: first bad 0.5, last good 0.3; nothing is known of 0.4 in between" in said
    assert "could not be done: the releases of doubler were to be listed" in said
    assert said.endswith("The matrix is not whole.")


def test_where_the_range_begins_later_nobody_knows_when_a_divergence_came(wheels: Path, tmp_path: Path) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.5": releases.TRIPLES})
    library = releases.library(tmp_path)
    assert [change.first_bad for change in found(library, first=Version("0.5")).changes] == [None]
    assert [change.first_bad for change in found(library).changes] == ["0.5"]


def test_the_document_is_as_its_schema_says(
    wheels: Path, tmp_path: Path, rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    releases.lay_out(wheels, releases.HISTORY)
    rankdiff(releases.library(tmp_path, quick=True), "releases", "mini", "--json")
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, json.loads((SCHEMAS / "releases.schema.json").read_text()))
    report = json.loads((SCHEMAS / "report.schema.json").read_text())
    certificates = [
        one for release in document["releases"] for cell in release["cases"] for one in cell["certificates"]
    ]
    assert len(certificates) == 5
    for certificate in certificates:
        jsonschema.validate(certificate, {"$ref": "#/$defs/certificate", "$defs": report["$defs"]})


def test_a_person_reads_what_releases_show_and_where_it_changed(
    wheels: Path, tmp_path: Path, rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    releases.lay_out(wheels, releases.HISTORY)
    assert rankdiff(releases.library(tmp_path), "releases", "mini", "--case", "double") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "doubler 0.1 to 0.7: 7 releases, plain" in said
    assert "0.3 to 0.4 agrees" in said
    assert "0.5 to 0.6 differs, 37 of 40 inputs, every one: tripling" in said
    assert "offered since 0.3, not yet by 0.1; nothing is known of 0.2 in between" in said
    assert "tripling: first bad 0.5, last good 0.4; first fixed 0.7, last bad 0.6" in said
    assert said.endswith("doubler 0.7 is as the ledger says.")


def test_what_is_the_same_for_every_contract_is_told_once(
    wheels: Path, tmp_path: Path, rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    releases.lay_out(wheels, {"0.2": releases.CANNOT_BE_IMPORTED, "0.3": releases.HALVES})
    library = releases.library(tmp_path, miniature.case("double"), miniature.case("halve"))
    rankdiff(library, "releases", "mini")
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("cannot be imported") == 1
    assert "every contract 0.2 cannot run: doubler 0.2 cannot be imported" in said


def test_what_the_mode_that_counts_confirmed_is_named(
    wheels: Path, tmp_path: Path, rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    releases.lay_out(wheels, {"0.3": releases.RIGHT, "0.4": releases.RIGHT})
    rankdiff(releases.library(tmp_path, quick=True), "releases", "mini")
    said = capsys.readouterr().out
    assert "doubler 0.3 to 0.4: 2 releases, quick; plain confirms" in said
    assert "agrees, 39 of 40 inputs, 1 unspecified; plain confirms 0.4\n" in said


def test_a_case_of_another_library_is_refused(
    tmp_path: Path, rankdiff: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert rankdiff(releases.library(tmp_path), "releases", "mini/double") == 2
    assert "a library was expected" in capsys.readouterr().err


def test_the_code_of_a_case_is_that_of_its_adapter_too(tmp_path: Path) -> None:
    library = releases.library(tmp_path)
    adapter = tmp_path / "cases" / "adapter.py"
    adapter.parent.mkdir()
    adapter.write_text("def double(n):\n    return n\n")
    of_it = replace(library, modes=(replace(library.modes[0], adapter=adapter),))
    before = code(of_it)
    adapter.write_text("def double(n):\n    return 2 * n\n")
    assert code(of_it) != before


def test_the_code_of_a_case_is_that_of_all_that_it_imports() -> None:
    from cases.pykeen.library import LIBRARY

    files, packages = reached(LIBRARY)
    names = {f"{path.parent.name}/{path.name}" for path in files}
    assert {"pykeen/adapter.py", "pykeen/moments.py", "harness/compare.py", "harness/worker.py"} <= names
    assert "reference" in {path.parent.name for path in files}
    assert "harness/cli.py" not in names
    assert "numpy" in packages
    assert "pykeen" not in packages
