"""Run batches of inputs through a subject, whatever the subject does.

When a worker ends or hangs, its batch is run again one input at a time in a fresh one, so that the guilty
input is pinned down and the others are answered. While one batch is with the worker the next is sent, so that
it need not wait for us.
"""

import contextlib
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self, TypeVar

from harness.errors import (
    CancelledRunError,
    WorkerDiedError,
    WorkerFailedToStartError,
    WorkerGarbledError,
    WorkerHungError,
)
from harness.jsontypes import Json
from harness.limits import Limits
from harness.process import Request, Worker
from harness.proof import Hello, LoadedModule, not_of_shadow
from harness.subject import Subject

X = TypeVar("X")

SMALLEST_BATCH, LARGEST_BATCH = 1, 2048
QUICK, SLOW = 0.25, 1.0
"""Seconds for one batch below which the next is twice as large, above which half."""

_LOST = (WorkerDiedError, WorkerHungError, WorkerGarbledError)


class Executor:
    """Keeps a worker of one subject running, and replaces it when it ends.

    Attributes
    ----------
    worker
        The running worker, if there is one.
    disturbances
        Workers that ended, although each of their inputs ran clean in a fresh one, or did not say what they used.
    gave_up
        Whether so many inputs ended their worker that the rest was left out.
    deaths
        How many inputs ended or hung their worker, in all runs.
    """

    def __init__(self, subject: Subject, limits: Limits) -> None:
        self.subject = subject
        self.disturbances: list[str] = []
        self.gave_up = False
        self.deaths = 0
        self.limits = limits
        self.worker: Worker | None = None
        self._cancelled = False
        self._started = 0
        self._batch = SMALLEST_BATCH
        self._most_deaths = 0
        self._since = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def start(self) -> Hello:
        """Start a worker, if none is running, and return its greeting.

        Raises
        ------
        WorkerFailedToStartError
            If the subject cannot run.
        """
        return self._running().hello

    def has_answered(self, call: str) -> bool:
        """Return whether the running worker has been called with this function before."""
        return self.worker is not None and self.worker.has_answered(call)

    def stop(self) -> tuple[LoadedModule, ...] | None:
        """Stop the worker; return every module that it came to use, or None if it is of no more use.

        One that cannot say so is a disturbance: what was tested is not proved to the end.
        """
        try:
            if self.worker is None:
                return None
            modules, disturbances = self.worker.stop()
        except _LOST as error:
            self.disturbances.append(f"{self.subject.title} does not say what it came to use: {error}")
            return None
        finally:
            self.end()
        self.disturbances += disturbances
        if fault := not_of_shadow(self.subject, modules):
            self.disturbances.append(fault)
        return modules

    def cancel(self) -> None:
        """End the worker, from another thread than the one that waits for it; that one raises CancelledRunError.

        One that is not ready yet ends at once, too. One that is about to be made is seen here, or sees that this was
        called: each side writes before it reads.
        """
        self._cancelled = True
        worker = self.worker
        if worker is not None:
            worker.kill()

    def end(self) -> None:
        """End the worker."""
        if self.worker is not None:
            self.worker.end()
            self.worker = None

    def split(self, items: Sequence[X]) -> Iterator[Sequence[X]]:
        """Yield the items in batches of a size that suits the subject's speed."""
        done = 0
        while done < len(items):
            batch = items[done : done + self._batch]
            yield batch
            done += len(batch)

    def run(self, call: str, batches: Iterable[Sequence[X]]) -> Iterator[tuple[Sequence[X], list[Json]]]:
        """Yield each batch with one outcome, in wire form, for each of its inputs, in order.

        It ends early, and sets ``gave_up``, after too many inputs that ended or hung their worker; the last
        batch is then cut short.

        Raises
        ------
        WorkerFailedToStartError
            If the subject cannot run.
        """
        self.gave_up = False
        self._most_deaths = self.deaths + self.limits.deaths
        self._since = time.monotonic()
        waiting: deque[tuple[Sequence[X], Request]] = deque()
        for batch in batches:
            request = Request.of(call, batch)
            while waiting and not (len(waiting) == 1 and request.fits_ahead):
                yield self._next(waiting)
                if self.gave_up:
                    return
            self._send(request)
            waiting.append((batch, request))
        while waiting and not self.gave_up:
            yield self._next(waiting)

    def one(self, call: str, x: object) -> Json:
        """Return the outcome of one input, in wire form.

        Raises
        ------
        WorkerFailedToStartError
            If the subject cannot run.
        """
        [(_, [outcome])] = self.run(call, [[x]])
        return outcome

    def _next(self, waiting: deque[tuple[Sequence[X], Request]]) -> tuple[Sequence[X], list[Json]]:
        inputs, request = waiting.popleft()
        try:
            outcomes = self._answer(request)
        except _LOST as error:
            self.end()
            outcomes = self._one_by_one(request.call, inputs, error)
            self.gave_up = self.deaths >= self._most_deaths
            if not self.gave_up:
                for _, later in waiting:
                    self._send(later)
        self._adapt()
        return inputs[: len(outcomes)], outcomes

    def _one_by_one(self, call: str, inputs: Sequence[X], why: Exception) -> list[Json]:
        outcomes: list[Json] = []
        clean = True
        began = time.monotonic()
        for x in inputs:
            request = Request.of(call, [x])
            try:
                self._send(request)
            except WorkerFailedToStartError as error:
                if not outcomes:
                    raise
                # What was seen until now is kept; the rest of the domain is left out.
                self.disturbances.append(f"it ended, and no longer starts: {error}")
                self._most_deaths = self.deaths
                return outcomes
            try:
                [outcome] = self._answer(request)
            except _LOST as error:
                self.end()
                clean = False
                self.deaths += 1
                outcome = _guilty(error)
            outcomes.append(outcome)
            if self.deaths >= self._most_deaths:
                break
        if isinstance(why, WorkerHungError) and time.monotonic() - began > self.limits.batch / 2:
            self._batch = SMALLEST_BATCH  # the batch was too large for a slow subject
        elif clean:
            self.disturbances.append(
                f"a worker of {self.subject.title} ended ({why}) with {len(inputs)} inputs, "
                f"each of which ran clean in a fresh one"
            )
        return outcomes

    def _answer(self, request: Request) -> list[Json]:
        return self._running().receive(request)

    def _send(self, request: Request) -> None:
        # When it is gone, no answer will come: that is noticed, and dealt with, where the answer is read.
        with contextlib.suppress(WorkerDiedError, WorkerHungError):
            self._running().send(request)

    def _running(self) -> Worker:
        self._verify_wanted()
        if self.worker is None:
            self.worker = Worker(self.subject, self.limits, again=self._started > 0)
            try:
                self._verify_wanted()
                self.worker.start()
            except WorkerFailedToStartError:
                self.end()
                self._verify_wanted()
                raise
            except BaseException:
                self.end()
                raise
            self._started += 1
        return self.worker

    def _verify_wanted(self) -> None:
        """Raise CancelledRunError if another thread ended the run."""
        if self._cancelled:
            raise CancelledRunError

    def _adapt(self) -> None:
        now = time.monotonic()
        seconds, self._since = now - self._since, now
        if seconds < QUICK:
            self._batch = min(2 * self._batch, LARGEST_BATCH)
        elif seconds > SLOW:
            self._batch = max(self._batch // 2, SMALLEST_BATCH)


def _guilty(error: Exception) -> Json:
    match error:
        case WorkerHungError(seconds=seconds):
            return {"hung": seconds}
        case WorkerDiedError(how=how):
            return {"crashed": how}
        case _:
            return {"returned": "broken answer", "shown": str(error)}
