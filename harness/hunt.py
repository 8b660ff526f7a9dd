"""The hunt: Hypothesis looks beyond the domains for a mismatch that nobody knows yet.

What it finds is shrunk, and reported as found, never as proved: there may be a smaller one.
"""

import json
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import NamedTuple, Self, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, configuration, find, settings
from hypothesis.errors import Flaky, NoSuchExample
from hypothesis.strategies import SearchStrategy

from harness.cache import cache_folder
from harness.case import AnyCase
from harness.certificate import Instance
from harness.compare import Ruling
from harness.execute import Executor
from harness.exhaust import Reference, Watch
from harness.outcome import from_wire
from harness.verdict import Verdict

K = TypeVar("K", bound=Hashable)

SHRINKS = 3
"""A shrink can end in a local minimum: what was found is shrunk again from other seeds, and the shortest kept."""

KINDS = 5
"""A hunt ends after so many kinds of mismatch."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a hunt goes.

    Attributes
    ----------
    examples
        How many inputs to try; shrinking takes some more.
    seed
        The same seed tries the same inputs.
    before
        Inputs that earlier runs found: they are replayed first.
    """

    examples: int
    seed: int
    before: tuple[NamedTuple, ...] = ()


@dataclass(frozen=True, slots=True)
class Hunt:
    """What a hunt did: how many inputs it sent to the subject, and the smallest it has of every new kind."""

    case: AnyCase
    seed: int
    examples: int
    replayed: int
    found: tuple[Instance, ...]
    cut_short: bool = False
    """Whether so many inputs ended or hung their worker that it ended early."""
    interrupted: bool = False

    def followed_by(self, other: Self) -> Self:
        """Return both as one."""
        return replace(
            other,
            examples=self.examples + other.examples,
            replayed=self.replayed + other.replayed,
            found=(*self.found, *other.found),
            cut_short=self.cut_short or other.cut_short,
            interrupted=self.interrupted or other.interrupted,
        )


class _TooManyDeathsError(Exception):
    """So many inputs ended or hung their worker that the hunt ends."""


@dataclass(slots=True)
class _Trail:
    """One hunt on its way."""

    case: AnyCase
    executor: Executor
    explained: Callable[[Ruling], bool]
    watch: Watch
    reference: Reference
    deaths_left: int
    examples: int = 0
    best: dict[str, Instance] = field(default_factory=dict)

    def look(self, x: NamedTuple) -> Ruling:
        """Send one input to the subject; keep it if it is the smallest of a new kind."""
        if not self.deaths_left:
            raise _TooManyDeathsError
        judgement = self.reference.judgement(x)
        wire = self.executor.one(self.case.call, x)
        ruling = judgement.rule(wire)
        self.examples += 1
        self.deaths_left -= ruling.verdict in {Verdict.CRASHES, Verdict.HANGS}
        self.watch.progress(1)
        if ruling.cause and not self.explained(ruling):
            instance = Instance(self.case, x, judgement.expected, from_wire(wire), ruling)
            known = self.best.get(ruling.cause)
            if known is None:
                self.watch.mismatch(-1, instance)
            if known is None or weight(instance) < weight(known):
                self.best[ruling.cause] = instance
        return ruling


def pursue(
    where: SearchStrategy[NamedTuple],
    examples: int,
    seed: int,
    look: Callable[[NamedTuple], K],
    found: Callable[[], Collection[K]],
) -> None:
    """Look for one new kind after the other, until none turns up, or there are enough; shrink what does.

    Parameters
    ----------
    look
        Returns the kind of an input; it keeps the smallest of each.
    found
        Returns the new kinds that were looked at until now.
    """

    def is_new(known: Collection[K], x: NamedTuple) -> bool:
        kind = look(x)
        return kind in found() and kind not in known

    def is_of(kind: K, x: NamedTuple) -> bool:
        return look(x) == kind

    while len(known := set(found())) < KINDS:
        if not search(where, examples, seed, partial(is_new, known)):
            return
        for kind in set(found()) - known:
            for other in range(seed + 1, seed + SHRINKS):
                search(where, examples, other, partial(is_of, kind))


def search(where: SearchStrategy[NamedTuple], examples: int, seed: int, wanted: Callable[[NamedTuple], bool]) -> bool:
    """Return whether a wanted input turned up among so many, and shrink it on the way; the caller sees every input.

    What goes wrong in looking at one is raised as it is: it is none of Hypothesis' business, which would look again.
    """
    configuration.set_hypothesis_home_dir(cache_folder() / "hypothesis")
    quiet = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    failures: list[BaseException] = []

    def is_wanted(x: NamedTuple) -> bool:
        if failures:
            return False
        try:
            return wanted(x)
        except Exception as error:  # noqa: BLE001 - raised again below
            failures.append(error)
            return False

    found = True
    try:
        find(where, is_wanted, settings=quiet, random=Random(seed))  # noqa: S311 - no secret
    except (NoSuchExample, Flaky):
        # A subject that answers now so, now so, cannot be shrunk; the smallest that was seen is kept.
        found = False
    if failures:
        raise failures[0]
    return found


def hunt(case: AnyCase, executor: Executor, plan: Plan, explained: Callable[[Ruling], bool], watch: Watch) -> Hunt:
    """Look for mismatches that are not explained, after the inputs that were found before.

    Parameters
    ----------
    explained
        Whether a mismatch is known already.

    Raises
    ------
    WorkerFailedToStartError
        If the subject cannot run.
    """
    trail = _Trail(case, executor, explained, watch, Reference(case), executor.limits.deaths)
    interrupted = cut_short = False
    replayed = 0
    try:
        for x in plan.before:
            trail.look(x)
            replayed += 1
        if case.beyond is not None and plan.examples:
            pursue(case.beyond, plan.examples, plan.seed, lambda x: trail.look(x).cause, lambda: trail.best)
    except _TooManyDeathsError:
        cut_short = True
    except KeyboardInterrupt:
        executor.end()
        interrupted = True
    return Hunt(case, plan.seed, trail.examples, replayed, tuple(trail.best.values()), cut_short, interrupted)


def weight(instance: Instance) -> tuple[int, str]:
    """Return what makes one input that was found smaller than another."""
    text = json.dumps(instance.case.to_json(instance.x))
    return len(text), text
