"""Whether a change is one of documentation alone: of comments and docstrings, and of nothing that runs."""

import ast
import re
import warnings
from collections.abc import Mapping
from pathlib import PurePath

DOCUMENTS = (".md", ".rst")
"""Files of a package that nothing runs or reads."""

JAVA_TOKEN = re.compile(
    r"""
      (?P<nothing>  [ \t\f\n]+ | //[^\n]* | /\*.*?\*/ )
    | (?P<text>     \"\"\" (?: [^\\] | \\. )*? \"\"\" | " (?: [^"\\\n] | \\. )* " | ' (?: [^'\\\n] | \\. )* ' )
    | (?P<number>   \.?\d (?: [eEpP][+-] | [\w.] )* )
    | (?P<word>     [\w$]+ )
    | (?P<operator> >>>= | <<= | >>= | >>> | \.\.\. | -> | :: | \+\+ | -- | && | \|\| | << | >> | [=!<>+\-*/&|^%]=
                    | [^"'] )
    """,
    re.VERBOSE | re.DOTALL,
)
"""A token of Java, or what stands between tokens; a quote or a comment that is not closed is none."""

JAVA_ESCAPE = re.compile(r"\\(?:\\|u+(?P<code>[0-9a-fA-F]{4})|(?P<malformed>u))")
"""A Unicode escape, or two backslashes, the second of which begins none (JLS 3.3)."""


def is_documentation(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> bool:
    """Return whether only documentation differs between two versions of the files of a Python package.

    Comments and docstrings are documentation, even where code reads the docstring; so are Markdown and
    reStructuredText files. Whatever else differs is not, and neither is a file that is new or gone.

    Parameters
    ----------
    before, after
        The content of each file by its name.
    """
    if before.keys() != after.keys():
        return False
    differing = [name for name in before if before[name] != after[name]]
    return all(_is_documentation(name, before[name], after[name]) for name in differing)


def same_but_for_comments_python(before: bytes, after: bytes) -> bool:
    """Return whether two Python sources differ in comments, layout and docstrings alone; false if one has no syntax.

    A docstring is any statement that is a string (PEP 257 calls those after an assignment attribute docstrings).
    """
    try:
        return _code(before) == _code(after)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def same_but_for_comments_java(before: str, after: str) -> bool:
    """Return whether two Java sources differ in comments and white space alone; false if one has no tokens."""
    tokens = _java_tokens(before)
    return tokens is not None and tokens == _java_tokens(after)


def _is_documentation(name: str, before: bytes, after: bytes) -> bool:
    suffix = PurePath(name).suffix
    return suffix in DOCUMENTS or (suffix == ".py" and same_but_for_comments_python(before, after))


def _code(source: bytes) -> str:
    """Return what a Python source says, without its documentation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what its compiler would warn of is not asked here
        tree = ast.parse(source)
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                setattr(node, field, [statement for statement in statements if not _is_docstring(statement)])
    return ast.dump(tree)


def _is_docstring(statement: ast.AST) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def _java_tokens(source: str) -> list[str] | None:
    """Return the tokens of a Java source without comments, or none where it has no tokens."""
    escapes = list(JAVA_ESCAPE.finditer(source))
    if any(escape["malformed"] for escape in escapes):
        return None
    plain = JAVA_ESCAPE.sub(lambda escape: chr(int(escape["code"], 16)) if escape["code"] else escape[0], source)
    text = plain.replace("\r\n", "\n").replace("\r", "\n")
    tokens, position = [], 0
    while position < len(text):
        match = JAVA_TOKEN.match(text, position)
        if match is None or (text.startswith("/*", position) and match.lastgroup != "nothing"):
            return None
        if match.lastgroup != "nothing":
            tokens.append(match[0])
        position = match.end()
    return tokens
