"""Which metric strings name which persistence in ranx."""

import json
import math
import re
from fractions import Fraction
from string import Template
from typing import NamedTuple

from hypothesis import strategies as st

from cases.ranx import scripts
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, power, sized, union
from harness.expected import Exactly, Expected, OneOf, Refusal, Unspecified
from harness.script import literal, rounded_up
from reference import rbp
from reference.rbp_rounding import bound


class Spelling(NamedTuple):
    """A metric string.

    Attributes
    ----------
    metric
        What ``ranx.evaluate`` is given as metric, such as "rbp.8", for one query that retrieves its three relevant
        documents.
    """

    metric: str


SPELLINGS = [
    "rbp.8",
    "rbp.95",
    "rbp.05",
    "rbp.80",
    "rbp.1",
    "rbp.10",
    "rbp.0",
    "rbp.123456789",
    "rbp",
    "rbp.",
    "rbp@",
    "RBP.8",
    "Rbp.8",
    "xrbp.8",
    "rbp8",
    "rbp-8",
    "rbp.-5",
    "rbp.+5",
    "rbp.8@10",
    "rbp@10.8",
    "rbp@8",
    "rbp@10",
    "rbp@80",
    "rbp@100",
    "rbp.0.8",
    "rbp@0.8",
    "rbp@.8",
    "rbp..8",
    "rbp.1.0",
    "rbp.2.5",
    "rbp.8.5",
    "rbp.8_5",
    "rbp.8e-1",
    "rbp.nan",
    "rbp.inf",
    "rbp.8p",
    "rbp:.8",
    "rbp(.8)",
    "rbp.8%",
    "rbp.four",
]
"""How people write a persistence, and how they might: the documented form first."""


def spellings() -> Domain[Spelling]:
    """Return the spellings that people write."""
    return Domain(
        name="spellings",
        parameters={},
        inputs=mapped(Spelling, choice(SPELLINGS)),
        counts=lambda: {0: len(SPELLINGS)},
    )


CHARACTERS = "018.@_ "


def strings(length: int, *, thorough: bool) -> Domain[Spelling]:
    """Return ``rbp`` and every string of up to ``length`` characters of a small alphabet behind it."""
    return Domain(
        name="strings",
        parameters={"characters": CHARACTERS, "length": length},
        inputs=mapped(
            lambda characters: Spelling("rbp" + "".join(characters)),
            union(*(sized(power(choice(CHARACTERS), n), n) for n in range(length + 1))),
        ),
        counts=lambda: {n: len(CHARACTERS) ** n for n in range(length + 1)},
        thorough=thorough,
    )


def odd_spellings() -> st.SearchStrategy[Spelling]:
    """Draw longer strings behind ``rbp``."""
    return st.text("0123456789.@_ +-l/٨", max_size=8).map(lambda text: Spelling("rbp" + text))


DIGITS = "digits up to the next dot, behind the first dot or @"


def _three_relevant(p: Fraction, written: Fraction | None = None) -> Exactly:
    """Return the RBP of three relevant documents at ranks 1 to 3."""
    gains = [1, 1, 1]
    shown = None if written is None else rbp.graded(gains, written)
    return Exactly(rbp.graded(gains, p), bound(gains, p), shown)


def _persistence(x: Spelling) -> Expected:
    """Return the value for the documented form, rbp.DIGITS; for anything else, which is not listed, a refusal.

    A string that spells a persistence in another way, such as rbp.0.8, may also be taken for that one.
    """
    documented = re.fullmatch(r"rbp(\.[0-9]+)(?:-l([0-9]+))?", x.metric)
    if documented:
        written = Fraction("0" + documented[1])
        received = Fraction(float(written))
        if received == 1:
            return Unspecified("no float64 below 1 is that close to it")
        if int(documented[2] or 1) > 1:  # a relevance level that none of the three documents, of grade 1, has
            return Exactly(Fraction(0))
        return _three_relevant(received, written)
    spelled = re.fullmatch(r"rbp[.@](0?\.[0-9]+)", x.metric)
    if spelled and Fraction(float(spelled[1])) < 1:
        return OneOf((Refusal(), _three_relevant(Fraction(float(spelled[1])), Fraction(spelled[1]))))
    return Refusal()


def _validate(x: Spelling) -> None:
    if not isinstance(x.metric, str):
        raise TypeError("a metric is a string")


def _digits(x: Spelling) -> Expected:
    name = x.metric.partition("-l")[0]
    mark = "." if "." in name else "@"
    metric, *rest = name.split(mark)
    try:
        p = float(f"0.{rest[0]}") if metric == "rbp" and rest else math.nan
    except ValueError:
        return Refusal()
    return _three_relevant(Fraction(p)) if 0 <= p < 1 else Refusal()


PERSISTENCE_BODY = Template('''\
QRELS = {"q0": {"d0": 1, "d1": 1, "d2": 1}}
RUN = {"q0": {"d0": 3.0, "d1": 2.0, "d2": 1.0}}


def observed():
    """Return 1 - p^3, for the persistence p that ranx takes the metric to name."""
    return evaluate(QRELS, RUN, $metric)


def control():
    """All three documents are relevant: the precision of the same run, which RBP has no part in, is 1."""
    return evaluate(QRELS, RUN, "precision") == 1


def is_right(value):
    """Return whether ranx took the metric for what it says."""
    return $right
''')


def _persistence_script(x: Spelling) -> Script:
    expected = _persistence(x)
    value = next((e for e in (expected, *getattr(expected, "choices", ())) if isinstance(e, Exactly)), None)
    right = "False  # whatever the value: the metric names no persistence"
    if value:
        right = f"abs(value - {float(value.value)!r}) <= {rounded_up(2 * value.within)!r}"
    body = PERSISTENCE_BODY.substitute(
        metric=literal(x.metric),
        right=right,
    )
    shown = "a refusal" if value is None else str(value.written)
    shown = shown if isinstance(expected, Exactly | Refusal) else f"a refusal, or {shown}"
    return Script(scripts.imports("evaluate"), body, json.dumps(shown), f"the metric {literal(x.metric)}")


PERSISTENCE = Case(
    name="ranx/rbp-persistence",
    contract=Contract(
        says='the persistence is written behind a dot (".p: Yes"), as in rbp.95 for p = 0.95, RBP has no cutoff '
        '("@k: No"), and a metric without a persistence is refused ("RBP requires persistence value")',
        source="docs/metrics.md, table of aliases, row rbp; notebooks/3_evaluation.ipynb (rbp.95); the error that "
        "ranx.evaluate raises for rbp",
        upstream="the code takes @ for the dot in a branch of its own, which the table does not list",
        unpromised="the documentation lists no other form; that any other string is refused, or taken for the number "
        "that it spells, and never for another number, is what a user would expect",
    ),
    input_type=Spelling,
    call="rbp_persistence",
    validate=_validate,
    expected=_persistence,
    conventions={DIGITS: _digits},
    domains=(spellings(), strings(3, thorough=False), strings(4, thorough=True)),
    beyond=odd_spellings(),
    describe=lambda x: f"the metric {literal(x.metric)}",
    script=_persistence_script,
)
