"""How a call of lenskit is written in a reproduction script."""

import re
from decimal import Decimal, localcontext
from fractions import Fraction
from string import Template

from harness.case import Script
from harness.expected import Each, Enclosed, Exactly, Expected, OneOf, Refusal, Special, Unspecified, Verbatim, shown
from harness.script import arithmetic_imports, guarded, rational, rounded_up

BODY = Template('''\
$setup


${documented}def observed():
    $call


def control():
    """A list of one item, which is relevant, scores 1 - p."""
    value = RBP(patience=0.5).measure_list(ItemList([1], ordered=True), ItemList([1]))
    return abs(value - 0.5) < 1e-12


def is_right(value):
    return $right
''')

DOCUMENTED = Template('''\
def documented(p):
    """Return $words."""
    return $formula


''')


def call(  # noqa: PLR0913 - what the script spells out
    expected: Expected,
    *,
    setup: str,
    returns: str,
    words: str = "",
    formula: str = "",
    p: str = "0.85",
    needs: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
    input: str,  # noqa: A002 - the word for it
) -> Script:
    """Return a script about one call.

    Parameters
    ----------
    expected
        What is right; it becomes ``is_right``.
    setup
        Statements that make the lists.
    returns
        What ``observed()`` does: its last statements, one level in.
    words, formula
        The documented value, in words and as an expression of the patience ``p``, where it is one number.
    needs
        What is imported from ``lenskit.metrics.ranking`` beside RBP, where the script uses it.
    also
        Other imports.
    """
    body = BODY.substitute(
        setup=setup.rstrip("\n"),
        documented=DOCUMENTED.substitute(words=words, formula=formula) if formula else "",
        call=returns,
        right=right(expected, "value", f"documented(Fraction({p}))" if formula else ""),
    )
    metrics = ", ".join(sorted({"RBP", *(name for name in needs if re.search(rf"\b{name}\b", body))}))
    libraries = guarded(*also, "from lenskit.data import ItemList", f"from lenskit.metrics.ranking import {metrics}")
    return Script(
        imports=arithmetic_imports(body) + "\n" + libraries,
        body=body,
        documented=f'documented(Fraction("{p}"))' if formula else ascii(shown(expected)),
        input=input,
    )


def right(expected: Expected, value: str, exact: str = "") -> str:
    """Return a Python expression for whether a value is right.

    ``exact`` is an expression for the one exact value; without it, that is written out.
    """
    match expected:
        case Exactly(number, within):
            return _near(value, exact or rational(number), within)
        case Enclosed(low, high, within):
            return _near(value, decimal((low + high) / 2), (high - low) / 2 + within)
        case Special(name):
            return f"isnan({value})" if name == "nan" else f"{value} == {name}"
        case Verbatim(text):
            return f"{value} == {text!r}"
        case Each(parts):
            return " and ".join(f"({right(part, f'{value}[{i}]')})" for i, part in enumerate(parts))
        case OneOf(choices):
            return " or ".join(dict.fromkeys(f"({right(choice, value, exact)})" for choice in choices))
        case Refusal():
            return "False"
        case Unspecified():
            return "True"


def _near(value: str, middle: str, within: Fraction) -> str:
    if not within:
        return f"{value} == {middle}"
    return f"isfinite({value}) and abs(Fraction({value}) - {middle}) <= Fraction({rounded_up(within)})"


def decimal(number: Fraction) -> str:
    """Return a rational as Python source, to 40 digits: far beyond a float."""
    with localcontext(prec=40):
        return f'Fraction("{Decimal(number.numerator) / Decimal(number.denominator)}")'


def lists(recs: str, test: str) -> str:
    """Return statements that make a list of recommendations and one of test items."""
    return f"RECS = {recs}\nTEST = {test}\n"


def ranked(retrieved: int) -> str:
    """Return an expression for a ranked list of so many items."""
    items = str(list(range(1, retrieved + 1))) if retrieved <= 20 else f"range(1, {retrieved + 1})"
    return f"ItemList({items}, ordered=True)"


def relevant(hits: tuple[int, ...], retrieved: int, missed: int) -> str:
    """Return an expression for the test items."""
    return f"ItemList({[*hits, *range(retrieved + 1, retrieved + 1 + missed)]})"


def over(terms: str, divisor: str) -> str:
    """Return a sum over another, with brackets where there is more than one term; 0 over anything is 0."""
    above, below = (f"({one})" if " + " in one else one for one in (terms, divisor))
    return terms if terms == "0" else f"{above} / {below}"


def geometric(hits: tuple[int, ...]) -> str:
    """Return RBP as an expression of p."""
    terms = " + ".join(f"p**{rank - 1}" for rank in hits)
    return f"(1 - p) * ({terms})" if hits else "0"
