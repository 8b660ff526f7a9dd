"""Run a subject before and after a proposed change, side by side, and compare what they do with every input."""

import itertools
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from harness.case import AnyCase, AnyDomain
from harness.errors import BrokenAdapterError, MiscountedDomainError, RankdiffError, WorkerFailedToStartError
from harness.exhaust import Account, Reference
from harness.hunt import pursue
from harness.jsontypes import Json
from harness.limits import DEFAULT, Limits
from harness.progress import Progress
from harness.proof import Hello, LoadedModule
from harness.shadow import upstream
from harness.shadow.comparison import (
    INTERRUPTED,
    CaseComparison,
    Changes,
    Comparison,
    Confirmation,
    DomainComparison,
    change,
    without,
)
from harness.shadow.proposal import Shadowed
from harness.shadow.side import Side
from harness.shadow.transition import Transition
from harness.shadow.upstream import SuiteComparison
from harness.subject import Subject

T = TypeVar("T")
U = TypeVar("U")

LIMITS = replace(DEFAULT, start=180, memory=8 * 2**30, deaths=3)
"""Two sides share the memory, and what a proposed change makes hang should not take an afternoon."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How two subjects are compared.

    Attributes
    ----------
    thorough
        Whether every domain is run, or only those of a plain check.
    examples, seed
        How many inputs are hunted for each case, and which.
    tests
        Upstream's own tests to run, if any.
    """

    thorough: bool = False
    examples: int = 100
    seed: int = 0
    tests: Path | None = None
    limits: Limits = LIMITS


def compare(
    before: Subject, shadowed: Shadowed, cases: Sequence[AnyCase], plan: Plan, progress: Progress
) -> Comparison:
    """Compare a subject with what a proposed change makes of it, over the same inputs.

    Where the mode of the subject is one that the ledger does not count, the smallest input of each kind is run in the
    mode that it does.
    """
    after = replace(before, installation=shadowed.installation)
    comparison = Comparison(
        before,
        after,
        shadowed.changed,
        shadowed.ignored,
        shadowed.is_documentation,
        without(cases, "not_run", "interrupted"),
    )
    try:
        with Side(before, plan.limits) as old, Side(after, plan.limits) as new:
            comparison = _Comparing(old, new, plan, progress).run(comparison)
            if comparison.is_interrupted:
                old.cancel()
                new.cancel()
        if comparison.hellos is None or comparison.is_interrupted:
            return comparison
        if not before.mode.is_counted:
            comparison = _confirmed(comparison, plan, progress)
        if plan.tests is not None:
            comparison = _tested(comparison, plan.tests, progress)
    except KeyboardInterrupt:
        return _hindered(comparison, INTERRUPTED)
    return comparison


def _hindered(comparison: Comparison, *obstacles: str) -> Comparison:
    return replace(comparison, obstacles=(*comparison.obstacles, *obstacles))


def _tested(comparison: Comparison, path: Path, progress: Progress) -> Comparison:
    """Return the comparison with upstream's tests, which count where they tested what they should, to the end."""
    try:
        suite = upstream.compare(path, comparison.before, comparison.after, progress)
    except RankdiffError as error:
        return _hindered(comparison, str(error))
    return _hindered(replace(comparison, suite=suite), *_faults(comparison, suite))


def _faults(comparison: Comparison, suite: SuiteComparison) -> Iterator[str]:
    """Yield why upstream's tests are no judgement."""
    for run, subject in ((suite.before, comparison.before), (suite.after, comparison.after)):
        if run.foreign:
            yield f"upstream's tests should use {subject.title}, but loaded {run.foreign[0]}"
        elif not run.is_complete and not suite.newly_failing:
            words = " ".join(run.last_words.split())[-300:]
            yield f"upstream's tests with {subject.title} ended before pytest did; the last words: {words}"
        elif run.is_complete and not run.loaded:
            yield f"upstream's tests should use {subject.title}, but loaded none of its modules"


@dataclass(slots=True)
class _Comparing:
    """One comparison on its way."""

    old: Side
    new: Side
    plan: Plan
    progress: Progress
    done: list[CaseComparison] = field(default_factory=list)

    def run(self, comparison: Comparison) -> Comparison:
        """Return the comparison with all that the two sides show."""
        cases = [case.case for case in comparison.cases]
        try:
            hellos = self._start()
        except WorkerFailedToStartError as error:
            return replace(comparison, cases=without(cases, "cannot_run", str(error)), obstacles=(str(error),))
        interrupted: tuple[str, ...] = ()
        try:
            self._domains(cases)
            self.done = [self._beyond(one) for one in self.done]
            modules = self._stop()
        except KeyboardInterrupt:
            interrupted, modules = (INTERRUPTED,), ((), ())
        left = without(cases[len(self.done) :], "not_run", "interrupted")
        disturbances = tuple(text for side in (self.old, self.new) for text in side.executor.disturbances)
        return replace(
            comparison,
            hellos=hellos,
            modules=modules,
            cases=(*self.done, *left),
            obstacles=(*interrupted, *disturbances),
        )

    def _start(self) -> tuple[Hello, Hello]:
        title = f"starting {self.old.subject.title} and {self.new.subject.title}"
        with self.progress.waiting(title):
            starts = self.old.start(), self.new.start()
            return _both(*starts)

    def _stop(self) -> tuple[tuple[LoadedModule, ...], tuple[LoadedModule, ...]]:
        old, new = _both(self.old.stop(), self.new.stop())
        return old or (), new or ()

    def _domains(self, cases: Sequence[AnyCase]) -> None:
        """Run the domains of all cases; the sides go ahead while what they answered is compared."""
        chosen = [(c, [d for d in c.domains if self.plan.thorough or not d.thorough]) for c in cases]
        total = 2 * sum(len(domain.inputs) for _, domains in chosen for domain in domains)
        with self.progress.counting("before and after", total, self.old.subject.library.first_call) as advance:
            asked = [
                [(self.old.outcomes(case, one, advance), self.new.outcomes(case, one, advance)) for one in domains]
                for case, domains in chosen
            ]
            for (case, domains), futures in zip(chosen, asked, strict=True):
                try:
                    found = tuple(map(self._domain, [case] * len(domains), domains, futures))
                except (BrokenAdapterError, MiscountedDomainError, WorkerFailedToStartError) as error:
                    self.done.append(CaseComparison(case, "cannot_run", str(error)))
                else:
                    self.done.append(CaseComparison(case, "run", domains=found))

    def _domain(
        self, case: AnyCase, domain: AnyDomain, asked: tuple[Future[list[Json]], Future[list[Json]]]
    ) -> DomainComparison:
        domain.verify_counts()
        reference = Reference(case)
        before, after = (Account(case, domain, side.subject, reference) for side in (self.old, self.new))
        changes = Changes()
        at: dict[Transition, int] = {}
        for index, (size, x, *wires) in enumerate(zip(_sized(domain), domain.inputs, *_both(*asked), strict=False)):
            before.take(size, index, x, wires[0])
            after.take(size, index, x, wires[1])
            at.setdefault(changes.take(reference, x, (wires[0], wires[1]), ordered=True), index)
        return DomainComparison(before.certificate(), after.certificate(), changes, at)

    def _beyond(self, one: CaseComparison) -> CaseComparison:
        """Return the comparison of a case with what a hunt beyond its domains shows."""
        where = one.case.beyond
        offered = any(not part.is_unsupported for domain in one.domains for part in (domain.before, domain.after))
        if where is None or not self.plan.examples or not offered or not all(d.exhausted for d in one.domains):
            return one
        hunt = _Hunt(one, self.old, self.new, Reference(one.case))
        ended_early = False
        with self.progress.counting(f"{one.case.name}: beyond", self.plan.examples) as advance:
            try:
                pursue(where, self.plan.examples, self.plan.seed, hunt.look, hunt.news)
            except _TooManyDeathsError:
                ended_early = True
            advance(self.plan.examples)
        return replace(one, hunted=hunt.changes, ended_early=ended_early)


class _TooManyDeathsError(Exception):
    """So many inputs ended or hung a side that the hunt ends."""


@dataclass(slots=True)
class _Hunt:
    """A hunt for kinds of change that the domains of a case do not show."""

    of: CaseComparison
    old: Side
    new: Side
    reference: Reference
    changes: Changes = field(default_factory=Changes)

    def look(self, x: NamedTuple) -> Transition:
        """Send one input to both sides; keep it if it is the smallest of its kind."""
        if self.old.has_given_up or self.new.has_given_up:
            raise _TooManyDeathsError
        wires = _both(self.old.one(self.of.case, x), self.new.one(self.of.case, x))
        return self.changes.take(self.reference, x, wires, ordered=False)

    def news(self) -> set[Transition]:
        """Return the kinds that a person wants to see, and no domain shows."""
        known = {kind for domain in self.of.domains for kind in domain.changes.first}
        return {kind for kind in self.changes.first if kind.is_told} - known


def _confirmed(comparison: Comparison, plan: Plan, progress: Progress) -> Comparison:
    """Return the comparison with what the mode that counts does with the smallest input of every kind."""
    before, after = (replace(one, mode=one.confirming_mode) for one in (comparison.before, comparison.after))
    found = []
    patient = replace(plan.limits, input=plan.limits.first_call)  # another form of input may compile again
    with Side(before, patient) as old, Side(after, patient) as new:
        inputs = [(case, kind, seen.after.x) for case in comparison.cases for kind, seen in case.first.items()]
        title = f"confirming, {before.mode.name}"
        with progress.counting(title, len(inputs), before.library.first_call) as advance:
            for case, kind, x in inputs:
                wires = _both(old.one(case.case, x), new.one(case.case, x))
                found.append(Confirmation(case.case, kind, change(Reference(case.case), x, wires)))
                advance(1)
    refuted = [
        f"{one.case.name}: {one.kind} in the mode {comparison.before.mode.name}, but {one.shown.transition} in "
        f"the mode {before.mode.name}, on the smallest input: {one.case.describe(one.shown.after.x)}: "
        f"before {one.shown.before.observed_shown}, after {one.shown.after.observed_shown}"
        for one in found
        if not one.confirmed and (one.kind.is_decisive or one.shown.transition.is_decisive)
    ]
    return _hindered(replace(comparison, confirmations=tuple(found)), *refuted)


def _both(old: Future[T], new: Future[U]) -> tuple[T, U]:
    """Return what both sides answer; where the one before the change cannot, that is told."""
    return _answer(old), _answer(new)


def _answer(asked: Future[T]) -> T:
    """Wait for an answer, for a while at a time: an interrupt just before a wait blocks is noticed when that ends."""
    while wait([asked], timeout=0.5).not_done:
        pass
    return asked.result()


def _sized(domain: AnyDomain) -> Iterator[int]:
    """Yield the size of each input of a domain, in order."""
    for level in domain.inputs.levels:
        yield from itertools.repeat(level.size, level.count)
