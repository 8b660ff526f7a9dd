"""The exhaustive check: every input of a domain is sent to the subject, in order."""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from harness.case import AnyCase, AnyDomain
from harness.certificate import Certificate, Instance, Tally, separation
from harness.compare import Judgement
from harness.execute import Executor
from harness.expected import Expected
from harness.jsontypes import Json
from harness.outcome import from_wire, unsupported
from harness.verdict import Verdict

REMEMBERED = 1 << 14
"""So many judgements are kept at most, so that memory does not grow with the domain."""


@dataclass(slots=True)
class Reference:
    """A case's reference, which remembers its judgement of inputs that are alike.

    Attributes
    ----------
    expected
        Every expected value given so far.
    """

    case: AnyCase
    expected: set[Expected] = field(default_factory=set)
    _remembered: dict[Hashable, Judgement] = field(default_factory=dict)

    def judgement(self, x: NamedTuple) -> Judgement:
        """Return what is right for an input, and what each convention would give."""
        if self.case.alike is None:
            return self._judged(x)
        key = self.case.alike(x)
        judgement = self._remembered.get(key)
        if judgement is None:
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            judgement = self._remembered[key] = self._judged(x)
        return judgement

    def _judged(self, x: NamedTuple) -> Judgement:
        others = {name: reading(x) for name, reading in self.case.conventions.items()}
        judgement = Judgement(self.case.expected(x), others)
        self.expected.add(judgement.expected)
        return judgement


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told while a check runs: of progress (inputs executed), and of the first of each kind of mismatch."""

    progress: Callable[[int], None] = lambda _: None
    mismatch: Callable[[int, Instance], None] = lambda _index, _instance: None


class InterruptedCheckError(Exception):
    """The user interrupted a check; the certificate tells what was done until then."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__("interrupted")
        self.certificate = certificate


def exhaust(case: AnyCase, domain: AnyDomain, executor: Executor, watch: Watch) -> Certificate:
    """Run a subject over a whole domain.

    Raises
    ------
    MiscountedDomainError
        If the domain does not hold what its closed formula says.
    WorkerFailedToStartError
        If the subject cannot run.
    InterruptedCheckError
        If the user interrupts it; it carries the certificate of what was done until then.
    """
    domain.verify_counts()
    reference = Reference(case)
    tally = Tally()
    try:
        start = 0
        for size, batch, outcomes in _run(case, domain, executor):
            counts = tally.by_size.setdefault(size, Counter())
            for index, (x, wire) in enumerate(zip(batch, outcomes, strict=True), start):
                if reason := unsupported(wire):
                    counts[Verdict.UNSUPPORTED] += 1  # whatever would be right
                    tally.unsupported = tally.unsupported or reason
                    continue
                judgement = reference.judgement(x)
                ruling = judgement.rule(wire)
                counts[ruling.verdict] += 1
                if ruling.error:
                    tally.take(ruling.error)
                if ruling.verdict is Verdict.UNSPECIFIED:
                    tally.readings.update(ruling.follows)
                if ruling.cause:
                    tally.follows.update(ruling.follows)
                    tally.causes.setdefault(ruling.cause, Counter())[size] += 1
                    if ruling.cause not in tally.first:
                        instance = Instance(case, x, judgement.expected, from_wire(wire), ruling)
                        tally.first[ruling.cause] = index, instance
                        watch.mismatch(index, instance)
            start += len(batch)
            watch.progress(len(batch))
    except KeyboardInterrupt as interrupt:
        executor.end()
        raise InterruptedCheckError(_certificate(case, domain, executor, tally, reference)) from interrupt
    return _certificate(case, domain, executor, tally, reference)


def _run(
    case: AnyCase, domain: AnyDomain, executor: Executor
) -> Iterator[tuple[int, Sequence[NamedTuple], list[Json]]]:
    """Yield the inputs in order, in batches of one size: the size, the inputs and their outcomes."""
    sizes: deque[int] = deque()

    def batches() -> Iterator[Sequence[NamedTuple]]:
        for level in domain.inputs.levels:
            for indices in executor.split(range(level.count)):
                sizes.append(level.size)
                yield [level.at(i) for i in indices]

    for batch, outcomes in executor.run(case.call, batches()):
        yield sizes.popleft(), batch, outcomes


def _certificate(
    case: AnyCase, domain: AnyDomain, executor: Executor, tally: Tally, reference: Reference
) -> Certificate:
    executed = tally.verdicts().total()
    exhausted = executed == len(domain.inputs)
    return Certificate(case, executor.subject, domain, exhausted, tally, separation(reference.expected))
