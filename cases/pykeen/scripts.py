"""How a call of pykeen is written in a reproduction script."""

from collections.abc import Sequence
from string import Template

from harness.case import Script
from harness.script import arithmetic_imports, guarded

BODY = Template('''\
$setup

DOCUMENTED = $documented  # $words


def observed():
    return $call


def control():
    """The median of 1, 2 and 3 is 2."""
    return MedianRank()(np.array([1, 2, 3])) == 2


def is_right(value):
    return $right
''')


def weights(given: Sequence[str] | None) -> str:
    """Return weights as Python source, or None."""
    return "None" if given is None else f"np.array([{', '.join(str(float(weight)) for weight in given)}])"


def weights_in_words(given: Sequence[str] | None) -> str:
    """Return what follows the ranks or candidates in a description."""
    return "" if given is None else f", weights {', '.join(given)}"


def call(  # noqa: PLR0913 - what the script spells out
    *,
    setup: str,
    returns: str,
    documented: str,
    words: str,
    right: str,
    names: tuple[str, ...] = ("MedianRank",),
    input: str,  # noqa: A002 - the word for it
) -> Script:
    """Return a script about one call.

    Parameters
    ----------
    setup
        Statements that make the arrays.
    returns
        The expression that is observed.
    documented, words
        The documented value as an expression, and what it is.
    right
        An expression of ``value`` and ``DOCUMENTED``.
    names
        What is imported from ``pykeen.metrics.ranking``.
    """
    body = BODY.substitute(setup=setup.rstrip(), documented=documented, words=words, call=returns, right=right)
    return Script(
        imports=arithmetic_imports(body)
        + "\n"
        + guarded("import numpy as np", f"from pykeen.metrics.ranking import {', '.join(sorted(names))}"),
        body=body,
        documented="DOCUMENTED",
        input=input,
    )
