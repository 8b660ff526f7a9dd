"""Whether a value from JSON has the shape that an input's annotations ask for."""

import types
import typing
from collections.abc import Mapping

from harness.jsontypes import Json

WORDS: Mapping[object, str] = {
    str: "a text",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    types.NoneType: "null",
}


def misfit(value: Json, hint: object, where: str) -> str:
    """Return in words where a value parts from an annotation; nothing if it does not.

    Annotations of str, int, float, bool, None, of tuples and of unions of such are looked into; what is annotated
    otherwise has any shape.
    """
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in {typing.Union, types.UnionType}:
        return "" if any(not misfit(value, one, where) for one in arguments) else _expected(value, hint, where)
    if origin is tuple:
        return _in_list(value, hint, where)
    if hint in WORDS and not _is_a(value, hint):
        return _expected(value, hint, where)
    return ""


def _in_list(value: Json, hint: object, where: str) -> str:
    arguments = typing.get_args(hint)
    if not isinstance(value, list):
        return _expected(value, hint, where)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        parts = [arguments[0]] * len(value)
    elif len(arguments) == len(value):
        parts = list(arguments)
    else:
        return _expected(value, hint, where)
    found = (misfit(one, part, f"{where}[{i}]") for i, (one, part) in enumerate(zip(value, parts, strict=True)))
    return next((text for text in found if text), "")


def _is_a(value: Json, hint: object) -> bool:
    if hint is types.NoneType:
        return value is None
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is hint


def _expected(value: Json, hint: object, where: str) -> str:
    return f"{where} should be {described(hint)}, not {value!r:.80}"


def described(hint: object) -> str:
    """Return what an annotation asks for, in words.

    >>> described(tuple[int, ...])
    'a list of which each is an integer'
    """
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in {typing.Union, types.UnionType}:
        return " or ".join(map(described, arguments))
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return f"a list of which each is {described(arguments[0])}"
    if origin is tuple:
        return f"a list of {len(arguments)}: {', '.join(map(described, arguments))}"
    return WORDS.get(hint, "a value")
