"""The canaries' songs: the right subject is not accused, and the wrong one is caught, on the way of every other case.

A worker process runs them, every input of a domain is compared with its exact value, and the certificate is settled
against a ledger without an entry: once with inputs that are alike judged together, and once with each by itself. A
machine that no longer tells the two apart says nothing about a library.
"""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from harness.case import Case, Contract, Domain, Script
from harness.certificate import Certificate
from harness.enumeration import choice, mapped
from harness.errors import BrokenAdapterError, MiscountedDomainError, WorkerFailedToStartError
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.expected import Exactly, Expected, Refusal
from harness.installation import Installation
from harness.jsontypes import Json
from harness.library import Library, Mode
from harness.limits import Limits
from harness.settle import settle_case
from harness.subject import Subject

HERE = Path(__file__).parent

NUMBERS = range(-3, 14)
"""Some are alike, such as -2 and 2, and the wrong canary is wrong for one of the two."""

REFUSED = 13

UNIT = Fraction(1, 2**53)
"""The unit roundoff of float64: a quotient that is rounded once lies no further off, relatively."""


class Number(NamedTuple):
    """A number to take the third of, without its sign."""

    n: int


@dataclass(frozen=True, slots=True)
class Canary:
    """What became of one canary.

    Attributes
    ----------
    name
        Which one it is: ``right`` or ``wrong``.
    inputs, mismatches
        How many inputs were compared, and how many of them mismatched, with those that are alike judged together.
    fault
        Why nothing that this run says can be relied upon; empty where the canary was judged as it should be.
    """

    name: str
    inputs: int
    mismatches: int
    fault: str = ""

    def to_json(self) -> dict[str, Json]:
        """Return it as an entry of ``canaries``."""
        return {"name": self.name, "inputs": self.inputs, "mismatches": self.mismatches, "fault": self.fault}


MISMATCHES: Mapping[str, Mapping[str, int]] = {
    "right": {},
    "wrong": {"another value": 1, "a value where a refusal is due": 1},
}
"""By canary: how many mismatches of each cause there are."""


def sing(limits: Limits) -> tuple[Canary, ...]:
    """Run the canaries and return what became of them.

    Raises
    ------
    InterruptedCheckError, KeyboardInterrupt
        If the user interrupts it.
    """
    cases = {name: _case(name) for name in MISMATCHES}
    with Executor(_subject(*cases.values()), limits) as executor:
        return tuple(_sung(name, case, executor) for name, case in cases.items())


def faults(canaries: Sequence[Canary]) -> list[str]:
    """Return why nothing that a run says can be relied upon: what each canary shows, and that one is missing."""
    found = [canary.fault for canary in canaries if canary.fault]
    names, expected = sorted(canary.name for canary in canaries), sorted(MISMATCHES)
    if names != expected:
        ran = " and ".join(names) or "none"
        found.append(f"the canaries {' and '.join(expected)} have to be told apart first, but {ran} ran")
    return found


def _sung(name: str, case: Case[Number], executor: Executor) -> Canary:
    try:
        certificates = [exhaust(one, one.domains[0], executor, Watch()) for one in (case, replace(case, alike=None))]
    except (WorkerFailedToStartError, BrokenAdapterError, MiscountedDomainError) as error:
        executor.end()
        return Canary(name, 0, 0, f"the canary that is {name} cannot run, so nothing else can be relied upon: {error}")
    fault = next(filter(None, (_fault(name, certificate) for certificate in certificates)), "")
    return Canary(name, certificates[0].inputs, certificates[0].tally.mismatches(), fault)


def _fault(name: str, certificate: Certificate) -> str:
    """Return in words what is wrong with the judgement of a canary; nothing where it is as it should be."""
    if not certificate.inputs or certificate.inputs != len(NUMBERS):
        return f"of the canary that is {name}, {certificate.inputs} of {len(NUMBERS)} inputs were compared"
    expected, found = dict(MISMATCHES[name]), dict(certificate.tally.by_cause())
    news = [problem for problem in settle_case(certificate.subject, (), [certificate], None) if problem.kind == "new"]
    if found == expected and len(news) == len(expected):
        return ""
    counted = Counter(found).total()
    if name == "right":
        return f"a subject that is right was accused, on {counted} of {certificate.inputs} inputs: {found or news}"
    return (
        f"a subject that is wrong on purpose was not caught as it should be: {expected} was expected, {found} found, "
        f"and {len(news)} of it new"
    )


def _case(name: str) -> Case[Number]:
    return Case(
        name=f"canary/{name}",
        contract=Contract(says="the third of a number without its sign is returned; 13 is refused", source=__name__),
        input_type=Number,
        call=name,
        expected=_third,
        domains=(Domain("numbers", {}, mapped(Number, choice(NUMBERS)), lambda: {0: len(NUMBERS)}),),
        describe=lambda x: f"the number {x.n}",
        script=lambda x: Script("", "", str(Fraction(abs(x.n), 3)), f"the number {x.n}"),
        alike=lambda x: abs(x.n),
    )


def _third(x: Number) -> Expected:
    value = Fraction(abs(x.n), 3)
    return Refusal(("ValueError",)) if x.n == REFUSED else Exactly(value, value * UNIT)


def _subject(*cases: Case[Number]) -> Subject:
    found = Installation("1", python=sys.executable)
    mode = Mode("canary", "canary", lambda: [found], (), HERE / "adapter.py")
    return Subject(Library("canary", (mode,), cases, HERE / "known.toml"), mode, found)
