"""Documentation is what no code runs: comments, docstrings, and texts about the package."""

import warnings

import pytest

from harness.shadow.documentation import (
    is_documentation,
    same_but_for_comments_java,
    same_but_for_comments_python,
)

FUNCTION = 'def f(x):\n    """Return it."""\n    return x\n'

# --- Python ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (FUNCTION, FUNCTION.replace("it.", "x.")),
        (FUNCTION, "def f(x):\n    return x\n"),
        (FUNCTION, "# a comment\ndef f( x ):\n    return (x)  # another\n"),
        ("x = 1\n", '"""A module."""\n\nx = 1\n'),
        ("class A:\n    x = 1\n", 'class A:\n    """A class."""\n\n    x = 1\n    """An attribute."""\n'),
        ("async def f():\n    await g()\n", 'async def f():\n    """Wait."""\n    await g()\n'),
        ("def f():\n    pass\n", 'def f():\n    """Do nothing."""\n    pass\n'),
        ("try:\n    f()\nfinally:\n    g()\n", 'try:\n    f()\nfinally:\n    """About it."""\n    g()\n'),
        ('"""Says \\d."""\nprint(__doc__)\n', '"""Says d."""\nprint(__doc__)\n'),
    ],
)
def test_comments_docstrings_and_layout_are_documentation(before: str, after: str) -> None:
    assert same_but_for_comments_python(before.encode(), after.encode())
    assert same_but_for_comments_python(after.encode(), before.encode())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (FUNCTION, FUNCTION.replace("return x", "return -x")),
        ("x = 1\n", "x = 1.0\n"),
        ("x = 1\n", "x = True\n"),
        ("x = 0.0\n", "x = -0.0\n"),
        ("x = 'a'\n", "x = 'b'\n"),
        ("x = 'a'\n", "x = b'a'\n"),
        ("f('a')\n", "f('b')\n"),
        ("f'{g()}'\n", "f'{h()}'\n"),
        ("if x:\n    f()\ng()\n", "if x:\n    f()\n    g()\n"),
        ("def f(x=1): ...\n", "def f(x=2): ...\n"),
        ("def f(): 'a'\n", "def f(): return 'a'\n"),
        ("# coding: utf-8\nx = 'ü'\n", "# coding: latin-1\nx = 'ü'\n"),
    ],
)
def test_what_runs_is_no_documentation(before: str, after: str) -> None:
    assert not same_but_for_comments_python(before.encode(), after.encode())


@pytest.mark.parametrize(
    "source", [b"def", b"\0", b"x = " + b"(" * 500 + b")" * 500, b"x = " + b"-" * 100_000 + b"1", b"x = '\xff'"]
)
def test_what_cannot_be_compiled_is_no_documentation(source: bytes) -> None:
    assert not same_but_for_comments_python(source, source + b"  # a comment")


def test_what_a_compiler_warns_of_is_not_said() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert same_but_for_comments_python(b"x = '\\d'\n", b"x = '\\d'  # a digit\n")
    assert caught == []


# --- files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("a.py", True), ("README.md", True), ("a.rst", True), ("a.txt", False), ("a.pyi", False), ("a.json", False)],
)
def test_only_some_files_can_be_documentation(name: str, is_one: bool) -> None:  # noqa: FBT001 - a column
    assert is_documentation({name: b"x"}, {name: b"x  # more"}) is is_one


@pytest.mark.parametrize(("before", "after"), [({}, {"a.py": b""}), ({"a.md": b""}, {})])
def test_a_file_that_is_new_or_gone_is_no_documentation(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    assert not is_documentation(before, after)


def test_every_file_has_to_be_documentation() -> None:
    before = {"a.py": b"x = 1", "b.py": b"y = 1", "table.bin": b"\0"}
    assert is_documentation(before, {**before, "a.py": b"x = 1  # one"})
    assert not is_documentation(before, {**before, "a.py": b"x = 1  # one", "b.py": b"y = 2"})


# --- Java ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int x = 1;", "int x = 1; // one"),
        ("int x = 1;", "/** A number. */\r\nint x=1 ;\r"),
        ("a(b);", "a/* c */(/**/b/***/)\n;"),
        ("a /b/ c;", "a / /* d */ b /\nc;"),
        ('s = "//";', 's = "//"; // a comment'),
        ('s = "/*" + "*/";', 's = "/*" /* a */ + "*/";'),
        ("c = '\"'; // \"", "c = '\"';"),
        (r's = "\"// no";', r's = "\"// no"; // yes'),
        (r"c = '\''; // a", r"c = '\''; // b"),
        (r's = "\\"; // a', r's = "\\"; /* b */'),
        ('s = """\n  a // "" b\n  """;', 's = """\n  a // "" b\n  """; // c'),
        (r"int x = 1; \u002f\u002f a", "int x = 1;"),
        (r"int x = 1; // \u000a y = 2;", "int x = 1; y = 2;"),
        (r"int x = 1; \u002f* a *\uuu002f", "int x = 1;"),
        (r's = "\u0022 + x // ";', 's = "" + x'),
        (r's = "\\u0022; // a";', r's = "\\u0022; // a"; // b'),
        (r's = "\\users"; // a', r's = "\\users"; // b'),
        ("List<List<A>> a;", "List<List<A>>a;"),
    ],
)
def test_comments_and_white_space_of_java_are_documentation(before: str, after: str) -> None:
    assert same_but_for_comments_java(before, after)
    assert same_but_for_comments_java(after, before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int x = 1;", "int x = 2;"),
        ("int x;", "intx;"),
        ("a + +b", "a ++b"),
        ("a - -b", "a--b"),
        ("a > > b", "a >> b"),
        ("a = = b", "a == b"),
        ("a - > b", "a -> b"),
        ("a: :b", "a::b"),
        ("a. . .b", "a...b"),
        ("a > > > b", "a >>> b"),
        ("1 .e", "1.e"),
        ("x; /* not closed // a", "x; /* not closed // b"),
        ("1e +2", "1e+2"),
        ('s = "a b";', 's = "ab";'),
        ('s = "// a";', 's = "// b";'),
        ("c = ' ';", "c = '  ';"),
        ('s = """\n a\n""";', 's = """\n  a\n""";'),
        ('s = """\n \\""" // a\n""";', 's = """\n \\""" // b\n""";'),
        ("x(); // a", "// a x();"),
        ("x(); /* a */ y();", "x(); /* a y(); */"),
        (r"// \u000a x();", r"// \u000a y();"),
        ("int x; // a", "int x; /* not closed"),
        ('s = "not closed // a', 's = "not closed // b'),
        ("c = 'not closed // a", "c = 'not closed // b"),
        ("int x; // a", r"int x; // C:\users"),
        ("é();", "è();"),
    ],
)
def test_what_java_runs_is_no_documentation(before: str, after: str) -> None:
    assert not same_but_for_comments_java(before, after)
    assert not same_but_for_comments_java(after, before)
