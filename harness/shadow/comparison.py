"""Every input of a library's cases, before and after a proposed change: what it fixes, breaks, or merely changes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from harness.case import AnyCase, AnyDomain
from harness.certificate import Certificate, Instance
from harness.exhaust import Reference
from harness.hunt import weight
from harness.jsontypes import Json
from harness.outcome import from_wire, unsupported
from harness.proof import Hello, LoadedModule
from harness.shadow.transition import Transition, transition
from harness.shadow.upstream import SuiteComparison
from harness.subject import Subject

INTERRUPTED = "interrupted: what was seen until then is told"


@dataclass(frozen=True, slots=True)
class Change:
    """One input before and after."""

    before: Instance
    after: Instance
    transition: Transition


@dataclass(slots=True)
class Changes:
    """How many inputs became what, and one of each kind: the first that was taken, or the smallest of those."""

    counts: Counter[Transition] = field(default_factory=Counter)
    first: dict[Transition, Change] = field(default_factory=dict)

    def take(self, reference: Reference, x: NamedTuple, wires: tuple[Json, Json], *, ordered: bool) -> Transition:
        """Count what became of one input; inputs that come ordered come smallest first."""
        became = _became(reference, x, wires)
        self.counts[became] += 1
        known = self.first.get(became)
        if known is None or not ordered:
            seen = change(reference, x, wires)
            if known is None or weight(seen.after) < weight(known.after):
                self.first[became] = seen
        return became


def _became(reference: Reference, x: NamedTuple, wires: tuple[Json, Json]) -> Transition:
    if wires[0] == wires[1]:
        wrong = not unsupported(wires[0]) and reference.judgement(x).rule(wires[0]).verdict.is_mismatch
        return Transition.STILL_WRONG if wrong else Transition.UNCHANGED
    judgement = reference.judgement(x)
    before, after = ((from_wire(wire), judgement.rule(wire)) for wire in wires)
    return transition(before, after)


def change(reference: Reference, x: NamedTuple, wires: tuple[Json, Json]) -> Change:
    """Return one input with its outcomes, in wire form, before and after."""
    right = reference.judgement(x)
    before, after = (Instance(reference.case, x, right.expected, from_wire(wire), right.rule(wire)) for wire in wires)
    return Change(before, after, _became(reference, x, wires))


@dataclass(frozen=True, slots=True)
class DomainComparison:
    """A domain before and after: each input of it went to both sides, where it is exhausted.

    Attributes
    ----------
    at
        By kind: the index of its first input.
    """

    before: Certificate
    after: Certificate
    changes: Changes
    at: Mapping[Transition, int]

    @property
    def domain(self) -> AnyDomain:
        """The domain."""
        return self.before.domain

    @property
    def exhausted(self) -> bool:
        """Whether every input of it was compared."""
        return self.changes.counts.total() == len(self.domain.inputs)


@dataclass(frozen=True, slots=True)
class CaseComparison:
    """A case before and after.

    Attributes
    ----------
    hunted, ended_early
        What was seen beyond its domains, found, not proved; and whether that was given up, as too many inputs ended or
        hung a side.
    """

    case: AnyCase
    status: Literal["run", "not_run", "cannot_run"]
    reason: str = ""
    domains: tuple[DomainComparison, ...] = ()
    hunted: Changes | None = None
    ended_early: bool = False

    @property
    def counts(self) -> Counter[Transition]:
        """How many inputs of its domains became what."""
        return sum((domain.changes.counts for domain in self.domains), Counter())

    @property
    def first(self) -> dict[Transition, Change]:
        """The smallest input of each kind: of the first domain that has it, or else one that was found beyond."""
        parts = [domain.changes.first for domain in self.domains] + ([self.hunted.first] if self.hunted else [])
        return {kind: part[kind] for part in reversed(parts) for kind in part}

    @property
    def is_promise(self) -> bool:
        """Whether something promises what it is about; what nothing promises cannot be broken."""
        return not self.case.contract.unpromised

    @property
    def kinds(self) -> set[Transition]:
        """What became of inputs, in its domains and beyond."""
        return set(self.first)

    @property
    def is_worse(self) -> bool:
        """Whether a promise is broken that held."""
        return self.is_promise and any(kind.is_worse for kind in self.kinds)

    def is_about(self, files: Iterable[str]) -> bool:
        """Whether the source of its contract names one of these files, by its name without the ending."""
        return any(PurePosixPath(file).stem in self.case.contract.source for file in files)

    @property
    def convention(self) -> str:
        """The convention that every mismatch after the change follows; nothing if there is none."""
        wrong = sum(domain.after.tally.mismatches() for domain in self.domains)
        follows = sum((domain.after.tally.follows for domain in self.domains), Counter[str]())
        return next((name for name, count in follows.most_common(1) if count == wrong), "")


class Conclusion(StrEnum):
    """What a comparison comes to."""

    FIXES = "fixes"
    BREAKS = "breaks"
    FIXES_NOTHING = "fixes nothing"
    CHANGES_NOTHING = "changes nothing"
    DOCUMENTATION = "documentation only"
    UNJUDGED = "could not be judged"

    @property
    def exit_status(self) -> int:
        """0: something fixed and nothing broken. 1: otherwise. 2: it could not be judged."""
        return {Conclusion.FIXES: 0, Conclusion.UNJUDGED: 2}.get(self, 1)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What the code that counts does with the smallest input of a kind, where other code was compared first."""

    case: AnyCase
    kind: Transition
    shown: Change

    @property
    def confirmed(self) -> bool:
        """Whether it shows the same kind."""
        return self.shown.transition is self.kind


@dataclass(frozen=True, slots=True)
class Comparison:
    """A subject before and after a proposed change.

    Attributes
    ----------
    hellos
        What the two sides said when they were ready; none where one did not start.
    modules
        What each side came to use.
    changed, ignored, is_documentation
        What the proposal changes, and what of it is outside of what is tested: see `harness.shadow.proposal.Shadowed`.
    obstacles
        What kept it, or a part of it, from being judged.
    """

    before: Subject
    after: Subject
    changed: tuple[str, ...]
    ignored: tuple[str, ...]
    is_documentation: bool
    cases: tuple[CaseComparison, ...]
    hellos: tuple[Hello, Hello] | None = None
    modules: tuple[tuple[LoadedModule, ...], tuple[LoadedModule, ...]] = ((), ())
    confirmations: tuple[Confirmation, ...] = ()
    suite: SuiteComparison | None = None
    obstacles: tuple[str, ...] = ()

    @property
    def conclusion(self) -> Conclusion:
        """What it comes to."""
        kinds = {kind for case in self.cases for kind in case.kinds}
        cut_short = any(case.ended_early or not all(domain.exhausted for domain in case.domains) for case in self.cases)
        worse = any(case.is_worse for case in self.cases) or bool(self.suite and self.suite.newly_failing)
        if self.obstacles or self.is_of_another_source or not any(case.status == "run" for case in self.cases):
            return Conclusion.UNJUDGED
        if worse:
            return Conclusion.BREAKS
        if cut_short or any(case.status == "cannot_run" for case in self.cases):
            return Conclusion.UNJUDGED
        if any(kind.is_better for kind in kinds):
            return Conclusion.FIXES
        if any(kind.is_change for kind in kinds):
            return Conclusion.FIXES_NOTHING
        return Conclusion.DOCUMENTATION if self.is_documentation else Conclusion.CHANGES_NOTHING

    @property
    def is_of_another_source(self) -> bool:
        """Whether something changes, although only documentation differs from the source that was given."""
        return self.is_documentation and any(kind.is_change for case in self.cases for kind in case.kinds)

    @property
    def is_interrupted(self) -> bool:
        """Whether the user interrupted it."""
        return INTERRUPTED in self.obstacles

    @property
    def unused(self) -> tuple[str, ...]:
        """The changed modules that no case came to use."""
        if self.after.installation.shadow is None or not self.modules[1]:
            return ()
        used = {module.path for module in self.modules[1]}
        return tuple(
            name for name in self.changed if name.endswith(".py") and not used.intersection(self._copies(name))
        )

    def _copies(self, name: str) -> Iterator[str]:
        """Yield where a file of upstream's tree would be in the shadow."""
        parts = PurePosixPath(name).parts
        for package, folder in self.after.installation.packages.items():
            if package in parts:
                yield str(folder.joinpath(*parts[parts.index(package) + 1 :]))


def unable(before: Subject, cases: Sequence[AnyCase], reason: str) -> Comparison:
    """Return the comparison of a subject that a proposed change cannot be put before."""
    cannot_run = without(cases, "cannot_run", reason)
    return Comparison(
        before, before, changed=(), ignored=(), is_documentation=False, cases=cannot_run, obstacles=(reason,)
    )


def without(
    cases: Sequence[AnyCase], status: Literal["not_run", "cannot_run"], reason: str
) -> tuple[CaseComparison, ...]:
    """Return what is left to say of cases that are not compared."""
    return tuple(CaseComparison(case, status, reason) for case in cases)
