"""Text from elsewhere stays text in Markdown."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from harness.bundles.markdown import Markdown, block, code, datum, safe, table
from harness.printable import printable

HOSTILE = [
    "# heading",
    "- list",
    "1. list",
    "> quotation",
    "=====",
    "---",
    "***",
    "```",
    "~~~",
    "`code`",
    "a `` b ` c",
    "`",
    "*a* _b_ **c** __d__ ~~e~~",
    "[link](http://evil.example)",
    "![picture](http://evil.example/x.png)",
    "<http://evil.example>",
    "http://evil.example",
    "www.evil.example",
    "me@evil.example",
    "@maintainer",
    "#1 and GH-1",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</details>",
    "<!-- -->",
    "&lt;b&gt; &#60;",
    "a | b \\| c",
    "\\",
    "\\`",
    "$a$ and $$b$$",
    "line\nbreak\r\n# heading",
    "NUL\0, bell\a, \x1b[31mred\x1b[0m, \x9b31m, \u202egnirts\u202c",
    "../../etc/passwd",
    "'\"",
    "    indented",
    "\ttab",
    "{{ 7 * 7 }} {% raw %}",
    "[ref]: http://evil.example",
    "| --- |",
]

TEXTS = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(),
    st.lists(st.sampled_from(list("`*_[](){}<>#|~$&!\\-+=.1 a\n")), max_size=12).map("".join),
)

PARSER = MarkdownIt("gfm-like", {"html": True, "linkify": False})


def inline(text: str) -> list[Token]:
    """Return the pieces of Markdown that is a single paragraph."""
    tokens = PARSER.parse(text)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"], text
    children = tokens[1].children
    assert children is not None
    return children


def words(tokens: list[Token]) -> str:
    assert {token.type for token in tokens} <= {"text", "text_special", "code_inline"}
    return "".join(token.content for token in tokens)


@given(TEXTS)
def test_a_text_is_shown_as_it_is(text: str) -> None:
    shown = safe(text)
    if shown:
        assert words(inline(shown)) == printable(" ".join(text.split()))


@given(TEXTS)
def test_what_an_input_holds_is_shown_as_it_is(text: str) -> None:
    shown = datum(text)
    if shown.strip():
        assert words(inline(shown)) in {printable(text), printable(" ".join(text.split()))} or not text.strip()


@pytest.mark.parametrize(
    "text", ["http://evil.example", "www.evil.example", "@maintainer", "me@evil.example", "see #1", "GH-1"]
)
def test_what_a_forge_would_link_in_an_input_is_code(text: str) -> None:
    assert [token.type for token in inline(datum(text))] == ["code_inline"]


@given(TEXTS.filter(str.strip))
def test_code_is_to_the_letter(text: str) -> None:
    [piece] = inline(code(text))
    assert piece.type == "code_inline"
    assert piece.content == printable(text)


@given(st.lists(TEXTS, min_size=1))
def test_a_block_is_one_block(texts: list[str]) -> None:
    [fence] = PARSER.parse(block(texts))
    assert fence.type == "fence"
    assert all(letter.isprintable() or letter == "\n" for letter in fence.content)


@given(TEXTS, TEXTS)
def test_a_table_has_as_many_cells_as_it_was_given(first: str, second: str) -> None:
    written = PARSER.render(table((first, "head"), [(code(second), first), (1, datum(second))]))
    assert written.count("<tr>") == 3
    assert written.count("<td") == 4
    assert written.count("<th") - written.count("<thead") == 2
    if second.strip() and second.isprintable():
        assert f"<code>{html.escape(second)}</code>" in written.replace("'", "&#x27;")


def test_markdown_is_left_alone() -> None:
    assert safe(Markdown("*a*")) == "*a*"


def test_numbers_stand_to_the_right() -> None:
    assert table(("n", "text"), [(1, "a"), ("1,000", "b")]).splitlines()[1] == "| ---: | --- |"
