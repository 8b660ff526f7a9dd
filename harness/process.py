"""The parent's end of one worker: start it, exchange JSON lines with it, end it.

The child has a session of its own, so that an interrupt at the terminal reaches only us, and so that it can
be ended together with whatever it started.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from harness.errors import (
    BrokenAdapterError,
    WorkerDiedError,
    WorkerFailedToStartError,
    WorkerGarbledError,
    WorkerHungError,
)
from harness.jsontypes import Json
from harness.limits import Limits
from harness.subject import Subject

WORKER = Path(__file__).with_name("worker.py")

AHEAD = 64 * 1024
"""A request no longer than this fits the socket's buffer: it can be sent while an answer is still to come."""


@dataclass(frozen=True, slots=True)
class LoadedModule:
    """A module that the subject's process has loaded."""

    name: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Hello:
    """What a worker says when it is ready: the proof of what is being tested."""

    python: str
    version: str
    modules: tuple[LoadedModule, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """A batch of inputs for one function of the adapter, ready to be sent."""

    call: str
    count: int
    line: bytes

    @classmethod
    def of(cls, call: str, inputs: Sequence[object]) -> Self:
        """Return the request to run one function with a batch of inputs."""
        line = json.dumps({"do": "run", "call": call, "inputs": inputs}, separators=(",", ":")) + "\n"
        return cls(call, len(inputs), line.encode())

    @property
    def fits_ahead(self) -> bool:
        """Whether it can be sent before the answer to the one before it has come."""
        return len(self.line) <= AHEAD


class Worker:
    """One child process of a subject. Use it as a context manager, so that it never outlives its use."""

    def __init__(self, subject: Subject, limits: Limits, *, again: bool = False) -> None:
        environment = subject.environment()
        self._limits = limits
        self._first_call = limits.first_call_again if again else limits.first_call
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed in end()
        ours, theirs = socket.socketpair()
        self._channel = ours
        self._reader = ours.makefile("rb")
        self._called: set[str] = set()
        with theirs:
            self._process = subprocess.Popen(
                [subject.python, str(WORKER), str(theirs.fileno()), str(limits.memory)],
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                env=environment,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        try:
            self.hello = self._start(subject)
        except BaseException:
            self.end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, request: Request) -> None:
        """Send a request.

        Raises
        ------
        WorkerDiedError
            If the worker is gone.
        """
        self._write(request.line)

    def receive(self, request: Request) -> list[Json]:
        """Return the outcomes, in wire form, of the oldest request that was sent and not received.

        Raises
        ------
        WorkerDiedError, WorkerHungError, WorkerGarbledError
            If it has no answer; the worker is of no more use.
        BrokenAdapterError
            If the adapter has no such function.
        """
        if request.call not in self._called:
            limit = self._first_call
        else:
            limit = self._limits.input if request.count == 1 else self._limits.batch
        match self._read(limit):
            case {"outcomes": list(outcomes)} if len(outcomes) == request.count:
                self._called.add(request.call)
                return outcomes
            case {"broken": str(reason)}:
                raise BrokenAdapterError(reason)
            case other:
                raise WorkerGarbledError(f"{request.count} outcomes were expected, not {other!s:.200}")

    def end(self) -> None:
        """End the process and whatever it started."""
        if self._process.poll() is None:
            self._kill()
        self._process.wait()
        self._reader.close()
        self._channel.close()
        self._log.close()

    def _start(self, subject: Subject) -> Hello:
        library = subject.library
        request = {
            "do": "start",
            "adapter": str(library.adapter),
            "distribution": library.distribution,
            "packages": list(library.packages),
        }
        try:
            self._write((json.dumps(request) + "\n").encode())
            answer = self._read(self._limits.start)
        except (WorkerDiedError, WorkerHungError, WorkerGarbledError) as error:
            raise WorkerFailedToStartError(f"{error}{self._last_words()}") from error
        match answer:
            case {"python": str(python), "version": str(version), "modules": list(modules)}:
                if version != subject.version:
                    raise WorkerFailedToStartError(
                        f"{subject.title} was expected, but the worker found version {version}"
                    )
                return Hello(python, version, tuple(LoadedModule(**module) for module in modules))
            case {"failed": str(reason)}:
                first, *rest = reason.strip().splitlines()
                raise WorkerFailedToStartError(f"{first}{' ...' if rest else ''}")
            case _:
                raise WorkerFailedToStartError(f"a greeting was expected, not {answer!s:.200}")

    def _write(self, line: bytes) -> None:
        self._channel.settimeout(self._limits.batch)
        try:
            self._channel.sendall(line)
        except TimeoutError as error:
            raise WorkerHungError(self._limits.batch) from error
        except OSError as error:
            raise WorkerDiedError(self._how_it_ended()) from error

    def _read(self, limit: float) -> Mapping[str, Json]:
        self._channel.settimeout(limit)
        try:
            line = self._reader.readline()
        except TimeoutError as error:
            raise WorkerHungError(limit) from error
        except OSError as error:
            raise WorkerDiedError(self._how_it_ended()) from error
        if not line.endswith(b"\n"):
            raise WorkerDiedError(self._how_it_ended())
        try:
            answer = json.loads(line)
        except ValueError as error:
            raise WorkerGarbledError(f"JSON was expected, not {line[:200]!r}") from error
        if not isinstance(answer, dict):
            raise WorkerGarbledError(f"a JSON object was expected, not {line[:200]!r}")
        return answer

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._kill()
            return "closed its channel"
        return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit {status}"

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return f"; its last words: {lines[-1][:300]}" if lines else ""

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
