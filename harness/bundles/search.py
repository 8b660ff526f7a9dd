"""The search for what a bundle is about: the smallest input that shows a divergence, and how far it reaches."""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from harness.case import AnyCase
from harness.certificate import Certificate, Instance
from harness.errors import BundleError
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.jsontypes import Json
from harness.limits import Limits
from harness.outcome import Value, from_wire
from harness.progress import Progress
from harness.proof import Hello, LoadedModule
from harness.subject import Subject


@dataclass(frozen=True, slots=True)
class Proof:
    """What a worker says of what was tested."""

    hello: Hello
    modules: tuple[LoadedModule, ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """The smallest input of a domain that shows a divergence, and how far that reaches.

    Attributes
    ----------
    certificate
        Of the first domain that shows it.
    index, instance
        The smallest input, and what was seen there.
    outside
        How many observed values do not lie in the span that is promised; None where none is.
    proof
        What was tested.
    """

    certificate: Certificate
    index: int
    instance: Instance
    outside: int | None
    proof: Proof

    @property
    def cause(self) -> str:
        """What the divergence is recognised by."""
        return self.instance.ruling.cause

    def by_size(self) -> "list[tuple[int, int, int]]":
        """Return the sizes of the domain, each with its inputs and how many of them show the divergence."""
        tally = self.certificate.tally
        showing = tally.causes.get(self.cause, Counter())
        return [(size, counts.total(), showing[size]) for size, counts in tally.by_size.items()]

    def to_json(self) -> dict[str, Json]:
        """Return it as the ``reach`` of a finding."""
        return {
            "inputs": self.certificate.inputs,
            "by_size": [{"size": size, "inputs": n, "show": shown} for size, n, shown in self.by_size()],
            **({} if self.outside is None else {"outside": self.outside}),
        }


@dataclass(slots=True)
class _Outside:
    """Counts the numbers that do not lie in a span."""

    low: Fraction
    high: Fraction
    count: int = field(default=0)

    def take(self, _: NamedTuple, wire: Json) -> None:
        match from_wire(wire):
            case Value(float() | int() as number) if not self.low <= number <= self.high:
                self.count += 1
            case _:
                pass


def search(subject: Subject, case: AnyCase, cause: str | None, progress: Progress, limits: Limits) -> Reach:
    """Run the domains of a case, in order, until one shows a divergence: the one with this cause, or any.

    Raises
    ------
    BundleError
        If none does.
    WorkerFailedToStartError
        If the subject cannot run.
    """
    certificates = []
    span = next((one.span for one in subject.library.accounts if one.case == case.name and one.span), None)
    with Executor(subject, limits) as executor:
        hello = executor.start()
        for domain in case.domains:
            title = f"{case.name}: {domain.title}"
            outside = _Outside(*span) if span else None
            with progress.counting(title, len(domain.inputs), subject.library.first_call) as advance:
                watch = Watch(advance, seen=outside.take) if outside else Watch(advance)
                certificate = exhaust(case, domain, executor, watch)
            certificates.append(certificate)
            found = certificate.smallest if cause is None else certificate.smallest_by_cause.get(cause)
            if found:
                modules = executor.stop() or hello.modules
                return Reach(certificate, *found, outside.count if outside else None, Proof(hello, modules))
    raise BundleError(_nothing(subject, case, cause, certificates))


def _nothing(subject: Subject, case: AnyCase, cause: str | None, certificates: list[Certificate]) -> str:
    """Return why there is nothing to bundle."""
    if all(certificate.is_unsupported for certificate in certificates):
        reason = certificates[0].tally.unsupported
        return f"{subject.title} does not offer what {case.name} is about, so nothing was tested: {reason}"
    others = list(dict.fromkeys(other for certificate in certificates for other in certificate.tally.causes))
    if cause is not None and others:
        named = ", ".join(f'"{other}"' for other in others)
        return f'{subject.title} shows no divergence "{cause}" from {case.name}; it shows {named}: name one of these'
    return f"{subject.title} shows no divergence from {case.name} in its domains: there is nothing to bundle"
