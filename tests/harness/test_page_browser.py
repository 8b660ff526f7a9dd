"""The page in a real browser: Debian's chromium, without a window, driven by playwright."""

import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, cast

import pytest
from playwright.sync_api import Browser, Dialog, sync_playwright
from playwright.sync_api import Page as Tab

import matrices
import miniature
from harness.page import reading
from harness.page.shelf import Shelf
from harness.page.writing import render

CHROMIUM = shutil.which("chromium")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: `apt install chromium` has it")

HOSTILE = (
    "</script><script>document.title = 'run'</script><img src=https://evil.example/x onerror=alert(1)>\x00\x1b[31m'\""
)

VERSIONS = [f"1.{k}" for k in range(24)]

Scheme = Literal["light", "dark"]

SCHEMES: tuple[Scheme, ...] = ("light", "dark")

PHONE, DESK = 320, 1280


def results() -> matrices.Fields:
    """Return 24 releases against three contracts: more than a screen is wide, with every kind of cell."""
    wrong = matrices.result(matrices.certificate(wrong=30, right=10))
    right = matrices.result(matrices.certificate(right=40), mode="odd")
    broken = matrices.result(case="mini/second", status="cannot_run", reason=HOSTILE)
    hostile = matrices.result(
        matrices.certificate(
            wrong=3,
            right=1,
            cause=HOSTILE,
            domain={"name": HOSTILE, "parameters": {"a" * 120: HOSTILE}},
            readings={HOSTILE: 1},
            verdicts=matrices.verdicts(agrees=1, crashes=3),
        ),
        case="mini/second",
    )
    some = {
        verdict: matrices.result(
            matrices.certificate(wrong=wrong_ones, inputs=4, verdicts=matrices.verdicts(**{verdict: 4})),
            case="mini/third",
            mode="odd",
        )
        for verdict, wrong_ones in {
            "raises": 4,
            "hangs": 4,
            "undecidable": 0,
            "unspecified": 0,
            "unsupported": 0,
        }.items()
    }
    releases = [
        matrices.release(
            version,
            wrong if k % 2 else right,
            *([broken] if k == 0 else [hostile] if k > 20 else []),
            list(some.values())[k % len(some)],
        )
        for k, version in enumerate(VERSIONS)
    ]
    change = matrices.change(first_bad="1.1", last_good="1.0", skipped=[HOSTILE])
    return matrices.document(*releases, changes=[change])


CELLS = 2 * len(VERSIONS) + 4


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []  # as root it has none
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield started
        started.close()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    ledger = folder / "known.toml"
    ledger.write_text(miniature.EMPTY_LEDGER)
    library = miniature.library(ledger, miniature.case("always_wrong"))
    page = folder / "report.html"
    page.write_text(render([reading.matrix(results(), "results")], [library], Shelf(), page), encoding="utf-8")
    return page


class Opened:
    """The page in a tab, with what the browser said and asked for."""

    def __init__(self, tab: Tab, path: Path) -> None:
        self.tab = tab
        self.said: list[str] = []
        self.asked: list[str] = []
        tab.on("console", lambda message: self.said.append(message.text))
        tab.on("pageerror", lambda error: self.said.append(str(error)))
        tab.on("dialog", self.dismiss)
        tab.on("request", lambda request: self.asked.append(request.url))
        tab.goto(path.as_uri())

    def dismiss(self, dialog: Dialog) -> None:
        self.said.append(dialog.message)
        dialog.dismiss()

    def evaluate(self, script: str) -> Any:
        return self.tab.evaluate(script)


@pytest.fixture
def opened(browser: Browser, path: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """Open the page at the width and in the colour scheme that a test is given, or on a desk in light."""
    width, scheme = cast("tuple[int, Scheme]", getattr(request, "param", (DESK, "light")))
    tab = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    yield Opened(tab, path)
    tab.close()


everywhere = pytest.mark.parametrize(
    "opened",
    [(width, scheme) for width in (PHONE, DESK) for scheme in SCHEMES],
    indirect=True,
    ids=lambda one: f"{one[0]}-{one[1]}",
)


def test_the_browser_has_nothing_to_say_and_asks_for_nothing(opened: Opened, path: Path) -> None:
    opened.tab.locator("button.cell").first.click()
    opened.tab.wait_for_load_state("networkidle")
    assert (opened.said, opened.asked) == ([], [path.as_uri()])


def test_hostile_text_is_text(opened: Opened) -> None:
    opened.tab.get_by_role("button", name="second at 1.0").click()
    shown = opened.tab.locator(".panel:popover-open").inner_text()
    assert "<script>document.title = 'run'</script><img src=https://evil.example/x onerror=alert(1)>" in shown
    assert r"\x00\x1b[31m" in shown
    assert opened.evaluate("[document.scripts.length, document.images.length, document.title]") == [
        *(0, 0),
        "rankdiff: releases against contracts",
    ]


@everywhere
def test_the_page_does_not_scroll_sideways(opened: Opened) -> None:
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


@everywhere
def test_an_open_panel_lies_within_the_window(opened: Opened) -> None:
    opened.tab.get_by_role("button", name="second at 1.23").click()
    box = opened.tab.locator(".panel:popover-open").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= opened.evaluate("innerWidth")
    assert 0 <= box["y"] <= box["y"] + box["height"] <= 800
    assert opened.evaluate("(p => p.scrollWidth <= p.clientWidth)(document.querySelector('.panel:popover-open'))")


@everywhere
def test_the_grid_scrolls_in_its_box_and_keeps_the_contracts_in_sight(opened: Opened) -> None:
    grid = opened.tab.locator(".grid")
    head = grid.locator("tbody th").first
    before = head.bounding_box()
    grid.evaluate("grid => { grid.scrollLeft = 700; }")
    assert grid.evaluate("grid => grid.scrollLeft") == 700
    assert head.bounding_box() == before


def test_the_grid_scrolls_by_keyboard(opened: Opened) -> None:
    grid = opened.tab.locator(".grid")
    grid.focus()
    opened.tab.keyboard.press("ArrowRight")
    opened.tab.wait_for_function("document.querySelector('.grid').scrollLeft > 0")


# --- by keyboard -----------------------------------------------------------------------------------------------------

FOCUSED = """() => {
    const e = document.activeElement;
    const s = getComputedStyle(e);
    return {
        cell: e.matches('button.cell'), body: e === document.body,
        name: e.textContent.trim().split(/\\s+/).slice(-3).join(' '),
        outline: s.outlineStyle === 'none' ? 0 : parseFloat(s.outlineWidth),
        seen: (r => r.width > 0 && r.right > 0 && r.left < innerWidth && r.bottom > 0 && r.top < innerHeight)(
            e.getBoundingClientRect()),
    };
}"""


def tabbed(opened: Opened) -> list[dict[str, Any]]:
    """Press Tab until the page is left, and return what had the focus."""
    found: list[dict[str, Any]] = []
    for _ in range(400):
        opened.tab.keyboard.press("Tab")
        now = opened.evaluate(FOCUSED)
        if now["body"]:
            return found
        found.append(now)
    pytest.fail("Tab does not leave the page")


@pytest.mark.parametrize("opened", [(PHONE, "light"), (DESK, "dark")], indirect=True, ids=["phone", "desk"])
def test_tab_reaches_every_cell_in_order_and_leaves_the_page(opened: Opened) -> None:
    names = [one["name"] for one in tabbed(opened) if one["cell"]]
    by_row = [f"always-wrong at {version}" for version in reversed(VERSIONS)]
    by_row += [f"second at {version}" for version in ("1.23", "1.22", "1.21", "1.0")]
    by_row += [f"third at {version}" for version in reversed(VERSIONS)]
    assert len(by_row) == CELLS
    assert names == by_row


@everywhere
def test_what_has_the_focus_is_seen_and_framed(opened: Opened) -> None:
    found = tabbed(opened)
    assert len(found) > CELLS
    assert [one for one in found if not one["seen"] or one["outline"] < 2] == []


def test_enter_opens_a_cell_and_escape_leads_back_to_it(opened: Opened) -> None:
    cell = opened.tab.get_by_role("button", name="always-wrong at 1.23")
    cell.focus()
    opened.tab.keyboard.press("Enter")
    panel = opened.tab.get_by_role("dialog", name="always-wrong at packaging 1.23")
    assert panel.is_visible()
    assert "the number 0" in panel.inner_text()
    assert opened.evaluate("document.activeElement.textContent") == "Close"
    opened.tab.keyboard.press("Escape")
    assert not panel.is_visible()
    assert cell.evaluate("cell => cell === document.activeElement")


def test_tab_goes_through_an_open_panel_and_on_to_the_next_cell(opened: Opened) -> None:
    opened.tab.get_by_role("button", name="always-wrong at 1.23").press("Enter")
    inside = "document.activeElement.closest('.panel') !== null"
    steps = 0
    while opened.evaluate(inside):
        opened.tab.keyboard.press("Tab")
        steps += 1
        assert steps < 10
    assert opened.evaluate(FOCUSED)["name"] == "always-wrong at 1.22"


def test_a_release_in_the_list_of_changes_opens_its_cell(opened: Opened) -> None:
    opened.tab.locator(".changes").get_by_role("button", name="1.1", exact=True).click()
    assert opened.tab.get_by_role("dialog", name="always-wrong at packaging 1.1").is_visible()


def test_the_first_tab_offers_to_skip_to_the_results(opened: Opened) -> None:
    opened.tab.keyboard.press("Tab")
    opened.tab.keyboard.press("Enter")
    assert opened.evaluate("document.activeElement.id") == "page:results"


# --- structure -------------------------------------------------------------------------------------------------------


def test_there_is_one_of_each_landmark(opened: Opened) -> None:
    count = [opened.tab.get_by_role(role).count() for role in ("banner", "navigation", "main", "contentinfo")]
    assert count == [1, 1, 1, 1]


def test_no_level_of_headings_is_skipped(opened: Opened) -> None:
    levels = opened.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
    assert levels.count(1) == 1
    assert [(a, b) for a, b in itertools.pairwise(levels) if b > a + 1] == []


def test_every_head_of_a_table_says_what_it_heads(opened: Opened) -> None:
    scopes = set(opened.evaluate("[...document.querySelectorAll('th')].map(th => th.getAttribute('scope'))"))
    assert scopes == {"col", "row"}


def test_every_cell_is_told_apart_without_its_colour(opened: Opened) -> None:
    pairs = opened.evaluate(
        "[...document.querySelectorAll('button.cell')].map("
        "c => [c.classList[1], c.querySelector('.symbol').textContent, c.querySelector('.word').textContent])"
    )
    by_class = {name: (symbol, word) for name, symbol, word in pairs}
    assert len(by_class) == len({symbol for symbol, _ in by_class.values()}) == len({w for _, w in by_class.values()})
    assert len(by_class) == 9


def test_nothing_moves(opened: Opened) -> None:
    moving = opened.evaluate(
        "[...document.querySelectorAll('*')].map(e => getComputedStyle(e)).filter("
        "s => s.transitionDuration !== '0s' || s.animationName !== 'none' || s.scrollBehavior !== 'auto').length"
    )
    assert moving == 0


CONTRASTS = """() => {
    const parse = c => (m => [m[0], m[1], m[2], m[3] ?? 1])(c.match(/[\\d.]+/g).map(Number));
    const light = c => c.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = e => {
        for (; e; e = e.parentElement) {
            const c = parse(getComputedStyle(e).backgroundColor);
            if (c[3] === 1) return c;
        }
        return [255, 255, 255, 1];
    };
    for (const panel of document.querySelectorAll('[popover]')) panel.removeAttribute('popover');
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const e = walker.currentNode.parentElement;
        if (!walker.currentNode.textContent.trim() || !e.getClientRects().length) continue;
        const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => x - y);
        found.push([(b + 0.05) / (a + 0.05), e.tagName + '.' + e.className]);
    }
    return found;
}"""


@pytest.mark.parametrize("opened", [(DESK, "light"), (DESK, "dark")], indirect=True, ids=SCHEMES)
def test_all_text_is_readable_where_it_stands(opened: Opened) -> None:
    found = opened.evaluate(CONTRASTS)
    assert len(found) > 10 * CELLS
    assert {(round(contrast, 2), where) for contrast, where in found if contrast < 4.5} == set()


def test_the_schemes_are_two(browser: Browser, path: Path) -> None:
    papers = set()
    for scheme in SCHEMES:
        tab = browser.new_page(color_scheme=scheme)
        tab.goto(path.as_uri())
        papers.add(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
        tab.close()
    assert papers == {"rgb(255, 254, 251)", "rgb(22, 24, 27)"}


def test_on_paper_every_cell_is_there_within_the_width_of_a_sheet(opened: Opened) -> None:
    opened.tab.set_viewport_size({"width": 1032, "height": 700})  # A4 across, without its margins
    opened.tab.emulate_media(media="print")
    rights = opened.evaluate("[...document.querySelectorAll('.cell')].map(c => c.getBoundingClientRect().right)")
    assert len(rights) == CELLS
    assert max(rights) <= 1032
    assert opened.tab.locator(".panel:visible, nav:visible").count() == 0
