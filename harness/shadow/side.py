"""One side of a comparison: a subject that works in a thread of its own, so that two can work at once."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from types import TracebackType
from typing import Self, TypeVar

from harness.case import AnyCase, AnyDomain
from harness.execute import Executor
from harness.exhaust import run
from harness.jsontypes import Json
from harness.limits import Limits
from harness.proof import Hello, LoadedModule
from harness.subject import Subject

T = TypeVar("T")

MOST_DEATHS = 6
"""After so many inputs that ended or hung a side, what is left is left out."""


class Side:
    """A subject and the thread that talks to its worker. Use it as a context manager.

    The thread lives as long as the side: the kernel ends a worker with the thread that started it.
    """

    def __init__(self, subject: Subject, limits: Limits) -> None:
        self.subject = subject
        self.executor = Executor(subject, limits)
        self._is_cancelled = False
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=subject.title, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.cancel()
        self._jobs.put(None)
        if not self._is_cancelled:
            self._thread.join()

    def cancel(self) -> None:
        """End its worker, and what it was asked to do; nobody waits for that."""
        self._is_cancelled = True
        self.executor.cancel()

    @property
    def has_given_up(self) -> bool:
        """Whether so many inputs ended or hung its worker that it is asked no more."""
        return self.executor.deaths >= MOST_DEATHS

    def start(self) -> "Future[Hello]":
        """Start its worker.

        The future raises WorkerFailedToStartError if the subject cannot run, as those of the other methods do.
        """
        return self._submit(self.executor.start)

    def outcomes(self, case: AnyCase, domain: AnyDomain, advance: Callable[[int], None]) -> "Future[list[Json]]":
        """Run a domain: one outcome for each input, in order; fewer, or none, where too many ended or hung its worker.

        The future raises BrokenAdapterError if the adapter has no such function.
        """

        def collect() -> list[Json]:
            found: list[Json] = []
            if self.has_given_up:
                return found
            for _, batch, outcomes in run(case, domain, self.executor):
                found += outcomes
                advance(len(batch))
            return found

        return self._submit(collect)

    def one(self, case: AnyCase, x: object) -> "Future[Json]":
        """Run one input."""
        return self._submit(lambda: self.executor.one(case.call, x))

    def stop(self) -> "Future[tuple[LoadedModule, ...] | None]":
        """Stop its worker; the result is every module that it came to use, or None if it cannot say."""
        return self._submit(self.executor.stop)

    def _submit(self, job: Callable[[], T]) -> "Future[T]":
        future: Future[T] = Future()

        def do() -> None:
            try:
                future.set_result(job())
            except BaseException as error:  # noqa: BLE001 - whoever asks for the result gets it
                future.set_exception(error)

        self._jobs.put(do)
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
        self.executor.end()
