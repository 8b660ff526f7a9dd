"""What ranx says and does in lines that several accounts quote, and the style of its own tests."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from string import Template
from typing import NamedTuple

from cases.ranx.accounts.steps import in_test
from harness.account import Quotation, RegressionTest

LICENCE = "MIT"

PATCHES = Path(__file__).parents[1] / "patches"

EVALUATE = "ranx/meta/evaluate.py"
METRIC = "ranx/metrics/rank_biased_precision.py"

TESTS_OF_EVALUATE = "tests/unit/ranx/meta/evaluate_test.py"
TESTS_OF_THE_METRIC = "tests/unit/ranx/metrics/rank_biased_precision_test.py"

MASTER = "upstream's tree at commit 2cae52f of 25 June 2025"
"""Where the files are read that no wheel holds."""

ISSUE_29 = "[#29](https://github.com/AmenRa/ranx/issues/29)"
ISSUE_39 = "[#39](https://github.com/AmenRa/ranx/issues/39)"
ISSUE_45 = "[#45](https://github.com/AmenRa/ranx/issues/45)"
ISSUE_58 = "[#58](https://github.com/AmenRa/ranx/issues/58)"

DICTS = Quotation(
    EVALUATE,
    "qrels (Union[ Qrels, Dict[str, Dict[str, Number]], nb.typed.typedlist.List, np.ndarray",
    "The documented forms of judgements; a run has the same, with `Run` for `Qrels`.",
)
KEYS = Quotation(
    EVALUATE,
    "qrels.keys() == run.keys()",
    "All that is asked of query ids: the keys of two dictionaries are compared as sets, whatever their order.",
)
VALUES = Quotation(
    "ranx/utils.py",
    "for doc in x.values()",
    "From here on a dictionary is a list in its own order, and the ids are gone.",
)
SORTED = Quotation(
    "ranx/data_structures/common.py",
    "keys.sort()",
    "A `Qrels` and a `Run`, unlike a dictionary, are sorted by query id.",
)


def by_query(name: str, table: Mapping[str, Mapping[str, float]]) -> str:
    """Return an assignment of a dictionary of dictionaries, in the width that upstream's formatter keeps to."""
    line = f"    {name} = {json.dumps(table)}"
    if len(line) <= 88:
        return line
    rows = "".join(f"        {json.dumps(query)}: {json.dumps(docs)},\n" for query, docs in table.items())
    return f"    {name} = {{\n{rows}    }}"


def quotient(value: Fraction) -> str:
    """Return a fraction as an expression in Python."""
    return str(value) if value.denominator == 1 else f"{value.numerator} / {value.denominator}"


def comment(lines: Sequence[str]) -> str:
    """Return lines as comments in the body of a test."""
    return "\n".join(
        textwrap.fill(line, 88, initial_indent="    # ", subsequent_indent="    #   ", break_long_words=False)
        for line in lines
    )


TEST = Template("""\
$imports


def test_$name():
$parts
""")

COMPILED = "ranx runs compiled here, as users run it; numba compiles it on first use, which takes a while."


class Part(NamedTuple):
    """One evaluation of a test: judgements and run, how the value comes about, and what is asserted."""

    qrels: Mapping[str, Mapping[str, float]]
    run: Mapping[str, Mapping[str, float]]
    worked: Sequence[str]
    asserts: str

    @property
    def source(self) -> str:
        """The lines of it."""
        asserts = textwrap.indent(self.asserts.strip("\n"), "    ")
        given = f"{by_query('qrels', self.qrels)}\n{by_query('run', self.run)}"
        return f"{given}\n\n{comment(in_test(self.worked))}\n{asserts}"


def regression_test(*parts: Part, place: str, imports: str, name: str) -> RegressionTest:
    """Return a test of some evaluations, as upstream writes them: each the input, how its value comes about, it."""
    source = TEST.substitute(imports=imports.strip(), name=name, parts="\n\n".join(part.source for part in parts))
    return RegressionTest(place=place, source=source, note=COMPILED)


def literal(value: object) -> str:
    """Return a table of numbers as Python source, in which NaN has no name of its own."""
    return repr(value).replace("'", '"').replace("nan", 'float("nan")')


def call(
    names: str, qrels: Mapping[str, Mapping[str, float]], run: Mapping[str, Mapping[str, float]], *lines: str
) -> list[str]:
    """Return a call to copy, of two dictionaries; ``lines`` use them as ``qrels`` and ``run``."""
    return [f"from ranx import {names}", f"qrels = {literal(qrels)}", f"run = {literal(run)}", *lines]


def imported(names: str) -> str:
    """Return the imports of a test that compares floats."""
    return f"import numpy as np\n\nfrom ranx import {names}"
