"""What the divergence does to scores: the values of an account's own inputs, as documented, as observed and mended."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from harness.account import Account, Series
from harness.case import AnyCase
from harness.certificate import Instance
from harness.execute import Executor
from harness.expected import Each, Enclosed, Exactly, Expected
from harness.expected import shown as expected_shown
from harness.limits import Limits
from harness.outcome import Outcome, Value
from harness.outcome import shown as outcome_shown
from harness.replay import replay
from harness.subject import Subject


@dataclass(frozen=True, slots=True)
class Measured:
    """One input of an account, run.

    Attributes
    ----------
    place
        Where it stands along a series.
    instance
        What was documented, and what was observed.
    mended
        What was observed with the fix, if there is one.
    part
        Which part of the value it is about, where that is a list.
    """

    place: str
    instance: Instance
    mended: Outcome | None
    part: int | None = None

    @property
    def documented(self) -> float | None:
        """The documented value, for a plot."""
        match _part_expected(self.instance.expected, self.part):
            case Exactly(value, _, written):
                return float(value if written is None else written)
            case Enclosed(low, high, within) if high - low <= within:
                return float((low + high) / 2)
            case _:
                return None

    @property
    def span(self) -> tuple[float, float] | None:
        """Between what the right value lies, where it is not one value, for a plot."""
        match _part_expected(self.instance.expected, self.part):
            case Enclosed(low, high, within) if high - low > within:
                return float(low), float(high)
            case _:
                return None

    @property
    def observed(self) -> float | None:
        """The observed value, for a plot."""
        match _part(self.instance.outcome, self.part):
            case Value(float() | int() as number) if math.isfinite(number):
                return float(number)
            case _:
                return None

    @property
    def expected_shown(self) -> str:
        """The right value, or the part of it, for a person."""
        return expected_shown(_part_expected(self.instance.expected, self.part))

    @property
    def observed_shown(self) -> str:
        """The observed value, or the part of it, for a person; all its digits where it is wrong and looks right."""
        outcome = _part(self.instance.outcome, self.part)
        if outcome is self.instance.outcome and self.instance.ruling.verdict.is_mismatch:
            return self.instance.observed_shown
        return outcome_shown(outcome)

    @property
    def mended_shown(self) -> str:
        """What was observed with the fix, for a person."""
        return "" if self.mended is None else outcome_shown(_part(self.mended, self.part))


@dataclass(frozen=True, slots=True)
class Measurements:
    """The examples and the series of an account, run."""

    examples: tuple[Measured, ...] = ()
    series: tuple[tuple[Series[Any], tuple[Measured, ...]], ...] = ()


def measure(
    case: AnyCase, account: Account[Any] | None, subject: Subject, fixed: Subject | None, limits: Limits
) -> Measurements:
    """Run the inputs of an account, and those of its series, with a subject, and with one that has the fix.

    Raises
    ------
    WorkerFailedToStartError
        If one of the two cannot run.
    """
    if account is None or not (account.examples or account.series):
        return Measurements()
    places: list[tuple[str, NamedTuple, int | None]] = [("", x, None) for x in account.examples]
    places += [(place, x, one.part) for one in account.series for place, x in one.inputs]
    inputs = [x for _, x, _ in places]
    before = _run(case, subject, inputs, limits)
    after = _run(case, fixed, inputs, limits) if fixed else [None] * len(inputs)
    measured = [
        Measured(place, old, new.outcome if new else None, part)
        for (place, _, part), old, new in zip(places, before, after, strict=True)
    ]
    rest = iter(measured[len(account.examples) :])
    return Measurements(
        tuple(measured[: len(account.examples)]),
        tuple((one, tuple(next(rest) for _ in one.inputs)) for one in account.series),
    )


def _run(case: AnyCase, subject: Subject, inputs: Sequence[NamedTuple], limits: Limits) -> list[Instance]:
    with Executor(subject, limits) as executor:
        return list(replay(case, executor, inputs))


def _part_expected(expected: Expected, part: int | None) -> Expected:
    match expected:
        case Each(parts) if part is not None:
            return parts[part]
        case _:
            return expected


def _part(outcome: Outcome, part: int | None) -> Outcome:
    match outcome:
        case Value(tuple() as parts) if part is not None and part < len(parts):
            piece: Outcome = parts[part]
            return piece
        case _:
            return outcome
