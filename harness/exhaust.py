"""The exhaustive check: every input of a domain is sent to the subject, in order."""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from harness.case import AnyCase, AnyDomain
from harness.certificate import Certificate, Instance, Tally, separation
from harness.compare import Judgement
from harness.errors import InterruptedRunError
from harness.execute import Executor
from harness.expected import Expected
from harness.jsontypes import Json
from harness.outcome import from_wire, unsupported
from harness.subject import Subject
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
    _last: tuple[NamedTuple, Judgement] | None = None
    """Two subjects may be asked about the same input, one after the other."""

    def judgement(self, x: NamedTuple) -> Judgement:
        """Return what is right for an input, and what each convention would give."""
        if self.case.alike is None:
            if self._last is None or self._last[0] is not x:
                self._last = x, self._judged(x)
            return self._last[1]
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
    """Who is told while a check runs: of progress (inputs executed), the first of each kind of mismatch, and all."""

    progress: Callable[[int], None] = lambda _: None
    mismatch: Callable[[int, Instance], None] = lambda _index, _instance: None
    seen: Callable[[NamedTuple, Json], None] = lambda _x, _wire: None


class InterruptedCheckError(InterruptedRunError):
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
    account = Account(case, domain, executor.subject, Reference(case))
    index = 0
    try:
        for size, batch, outcomes in run(case, domain, executor):
            for x, wire in zip(batch, outcomes, strict=True):
                watch.seen(x, wire)
                if instance := account.take(size, index, x, wire):
                    watch.mismatch(index, instance)
                index += 1
            watch.progress(len(batch))
    except KeyboardInterrupt as interrupt:
        executor.end()
        raise InterruptedCheckError(account.certificate()) from interrupt
    return account.certificate()


@dataclass(slots=True)
class Account:
    """The outcomes of one subject over one domain, counted as they come in."""

    case: AnyCase
    domain: AnyDomain
    subject: Subject
    reference: Reference
    tally: Tally = field(default_factory=Tally)

    def take(self, size: int, index: int, x: NamedTuple, wire: Json) -> Instance | None:
        """Count one outcome; return it where it is the first mismatch of its cause."""
        counts = self.tally.by_size.setdefault(size, Counter())
        if reason := unsupported(wire):
            counts[Verdict.UNSUPPORTED] += 1  # whatever would be right
            self.tally.unsupported = self.tally.unsupported or reason
            return None
        judgement = self.reference.judgement(x)
        ruling = judgement.rule(wire)
        counts[ruling.verdict] += 1
        if ruling.error:
            self.tally.take(ruling.error)
        if ruling.verdict is Verdict.UNSPECIFIED:
            self.tally.readings.update(ruling.follows)
        if not ruling.cause:
            return None
        self.tally.follows.update(ruling.follows)
        self.tally.causes.setdefault(ruling.cause, Counter())[size] += 1
        if ruling.cause in self.tally.first:
            return None
        instance = Instance(self.case, x, judgement.expected, from_wire(wire), ruling)
        self.tally.first[ruling.cause] = index, instance
        return instance

    def certificate(self) -> Certificate:
        """Return what was counted until now."""
        exhausted = self.tally.verdicts().total() == len(self.domain.inputs)
        apart = separation(self.reference.expected)
        return Certificate(self.case, self.subject, self.domain, exhausted, self.tally, apart)


def run(case: AnyCase, domain: AnyDomain, executor: Executor) -> Iterator[tuple[int, Sequence[NamedTuple], list[Json]]]:
    """Yield the inputs in order, in batches of one size: the size, the inputs and their outcomes.

    Raises
    ------
    WorkerFailedToStartError
        If the subject cannot run.
    """
    sizes: deque[int] = deque()

    def batches() -> Iterator[Sequence[NamedTuple]]:
        for level in domain.inputs.levels:
            for indices in executor.split(range(level.count)):
                sizes.append(level.size)
                yield [level.at(i) for i in indices]

    for batch, outcomes in executor.run(case.call, batches()):
        yield sizes.popleft(), batch, outcomes
