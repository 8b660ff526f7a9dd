"""Running releases: each in an environment of its own, and several at once where there are processors for it."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from packaging.version import Version

from harness.case import AnyCase
from harness.certificate import Certificate
from harness.environments import contents, installer
from harness.environments.environment import Wanted, obtain
from harness.errors import (
    BrokenAdapterError,
    MiscountedDomainError,
    UnreachableError,
    UnusableError,
    WorkerFailedToStartError,
    WorkerSlowToStartError,
)
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.installation import Installation
from harness.jsontypes import Json
from harness.library import Library, Mode
from harness.limits import DEFAULT, Limits
from harness.progress import Progress
from harness.releases.bytecode import lend
from harness.releases.dated import uploaded
from harness.releases.kept import Source, now
from harness.releases.offering import fault
from harness.releases.outcome import Outcome, Status
from harness.subject import Subject

LOG = "; all that was said is in "
"""What follows it in an installer's refusal is a place on this machine."""


@dataclass(frozen=True, slots=True)
class How:
    """How releases are installed and run.

    Attributes
    ----------
    python, exclude_newer, extras
        As in `Wanted`, for all of them.
    jobs
        How many run at the same time.
    """

    python: str | None = None
    exclude_newer: date | None = None
    extras: tuple[str, ...] = ()
    jobs: int = min(4, os.cpu_count() or 1)
    limits: Limits = DEFAULT

    def wanted(self, mode: Mode, version: Version) -> Wanted:
        """Return the release as a subject."""
        return Wanted(f"{mode.distribution}=={version}", self.python, self.exclude_newer, self.extras)


@dataclass(frozen=True, slots=True)
class Task:
    """A release to run in a mode, and the cases to run it with: the first domain of each."""

    version: Version
    mode: Mode
    cases: tuple[AnyCase, ...]

    @property
    def inputs(self) -> int:
        """How many inputs there are."""
        return sum(len(case.domains[0].inputs) for case in self.cases)


@dataclass(frozen=True, slots=True)
class Taken:
    """An outcome, where it comes from, and whether nothing disturbed the run until then."""

    task: Task
    outcome: Outcome
    source: Source
    is_clean: bool = True


@dataclass(slots=True)
class _Column:
    """One release on its way through its cases."""

    task: Task
    executor: Executor
    source: Source
    note: str
    left: list[AnyCase] = field(default_factory=list)

    def run(self, advance: Callable[[int], None], take: Callable[[Taken], None]) -> WorkerFailedToStartError | None:
        """Run the cases; return why the worker did not start, if it did not: those that are left were not run."""
        self.left = list(self.task.cases)
        with self.executor as executor:
            try:
                executor.start()
                while self.left:
                    outcome = self._outcome(self.left[0], advance)
                    take(Taken(self.task, outcome, self.source, not executor.disturbances))
                    del self.left[0]
                executor.stop()
            except WorkerFailedToStartError as error:
                return error
        return None

    def _outcome(self, case: AnyCase, advance: Callable[[int], None]) -> Outcome:
        mode = self.task.mode.name
        try:
            certificate = exhaust(case, case.domains[0], self.executor, Watch(advance))
        except (BrokenAdapterError, MiscountedDomainError) as error:
            self.executor.end()
            return Outcome(case.name, mode, "cannot_run", str(error), kept=now())
        tally = certificate.tally
        return Outcome(
            case=case.name,
            mode=mode,
            status="unsupported" if certificate.is_unsupported else "run",
            reason=tally.unsupported if certificate.is_unsupported else self.note,
            certificates=(_json(certificate),),
            kept=now(),
        )


@dataclass(slots=True)
class _Crew:
    """Columns that run at the same time; environments are made by the one who waits for them."""

    library: Library
    how: How
    progress: Progress
    take: Callable[[Taken], None]
    advance: Callable[[int], None]
    pool: ThreadPoolExecutor
    giver: Subject | None = None
    running: dict["Future[WorkerFailedToStartError | None]", _Column] = field(default_factory=dict)
    disturbances: list[str] = field(default_factory=list)
    begun: list[_Column] = field(default_factory=list)

    def begin(self, task: Task) -> None:
        """Install a release, and have it run when there is room for it."""
        try:
            installation, note = self._installed(task)
        except UnusableError as error:
            reason = str(error).partition(LOG)[0]
            if isinstance(error, UnreachableError):
                self.disturbances.append(reason)
            self._unable(task, task.cases, reason, Source(), is_fact=not isinstance(error, UnreachableError))
            return
        place = Path(installation.python).parent.parent
        source = Source(place.name, contents.fingerprint(place))
        subject = Subject(self.library, task.mode, installation)
        column = _Column(task, Executor(subject, self.how.limits), source, note)
        while len(self.running) >= self.how.jobs:
            self.collect()
        if self.giver:
            lend(self.giver, subject)
        self.begun.append(column)  # first: an interrupt may come before the next line is done
        self.running[self.pool.submit(column.run, self.advance, self.take)] = column

    def collect(self) -> None:
        """Wait until at least one column is done; an interrupt just before a wait blocks is noticed when that ends."""
        done: set[Future[WorkerFailedToStartError | None]] = set()
        while not done:
            done, _ = wait(self.running, timeout=0.5, return_when=FIRST_COMPLETED)
        for future in done:
            column = self.running.pop(future)
            error = future.result()
            if error is None:
                self.giver = column.executor.subject
            elif isinstance(error, WorkerSlowToStartError):
                self.disturbances.append(str(error))
                self._unable(column.task, column.left, str(error), column.source, is_fact=False)
            else:
                found = fault(column.executor.subject, error, self.how.limits)
                status: Status = "unsupported" if found.is_unsupported else "cannot_run"
                self._unable(column.task, column.left, found.reason, column.source, status)
            self.disturbances += column.executor.disturbances

    def cancel(self) -> None:
        """End whatever runs."""
        for column in self.begun:
            column.executor.cancel()

    def _installed(self, task: Task) -> tuple[Installation, str]:
        """Return the release in an environment; with dependencies of its own time where today's do not suit it."""
        wanted = self.how.wanted(task.mode, task.version)
        by = installer.found()
        try:
            return obtain(wanted, task.mode, self.library, self.progress, by), ""
        except UnreachableError:
            raise
        except UnusableError as error:
            refusal = error
            day = None if wanted.exclude_newer else uploaded(task.mode.distribution, task.version, by)
            if day is None:
                raise
        try:
            dated = replace(wanted, exclude_newer=day)
            return obtain(dated, task.mode, self.library, self.progress, by), f"with dependencies as of {day}"
        except UnusableError as error:
            raise refusal from error

    def _unable(
        self,
        task: Task,
        cases: Sequence[AnyCase],
        reason: str,
        source: Source,
        status: Status = "cannot_run",
        *,
        is_fact: bool = True,
    ) -> None:
        """Take it that cases were not run; that is kept if it is a fact about the release, and no disturbance."""
        for case in list(cases):
            self.take(Taken(task, Outcome(case.name, task.mode.name, status, reason, kept=now()), source, is_fact))
            self.advance(len(case.domains[0].inputs))


def run(
    library: Library, tasks: Sequence[Task], how: How, progress: Progress, take: Callable[[Taken], None]
) -> list[str]:
    """Run releases; return what disturbed it.

    Parameters
    ----------
    take
        Is given each outcome when it is there, by any thread.

    Raises
    ------
    RankdiffError
        If the cache cannot be written.
    KeyboardInterrupt
        If the user ends it; what was taken until then stands.
    """
    if not tasks:
        return []
    title = f"{len(tasks)} release{'s' if len(tasks) > 1 else ''}, {tasks[0].mode.name}"
    with (
        progress.counting(title, sum(task.inputs for task in tasks), library.first_call) as advance,
        ThreadPoolExecutor(how.jobs) as pool,
    ):
        crew = _Crew(library, how, progress, take, advance, pool)
        try:
            for task in tasks:
                crew.begin(task)
            while crew.running:
                crew.collect()
        except BaseException:
            crew.cancel()
            pool.shutdown(cancel_futures=True)
            raise
    return crew.disturbances


def _json(certificate: Certificate) -> dict[str, Json]:
    """Return a certificate as in a report."""
    whole: Mapping[str, Json] = certificate.to_json()
    reason = "" if certificate.exhausted else "the run ended before the domain did"
    return {"case": whole["case"], "status": whole["status"], "reason": reason, **whole}
