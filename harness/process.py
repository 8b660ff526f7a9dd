"""The parent's end of one worker: start it, exchange JSON lines with it, end it.

The child has a session of its own, so that an interrupt at the terminal reaches only us, and so that it can
be ended together with whatever it started.
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
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
    WorkerSlowToStartError,
)
from harness.jsontypes import Json
from harness.limits import Limits
from harness.proof import Hello, LoadedModule, not_of_shadow
from harness.subject import Subject

WORKER = Path(__file__).with_name("worker.py")

ALIVE = 0.5
"""Seconds between two looks at whether the process is still there."""

LONGEST_ANSWER = 1 << 28
"""Bytes."""

LAST_WORDS = 4096
"""Bytes at the end of what the process printed that are looked at."""

AHEAD = 64 * 1024
"""A request no longer than this fits the socket's buffer: it can be sent while an answer is still to come."""


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
    """One child process of a subject. Use it as a context manager, so that it never outlives its use.

    It is there at once, so that another thread can end it; `start` waits until it is ready.

    Attributes
    ----------
    hello
        Its greeting, once it is ready.
    """

    hello: Hello

    def __init__(self, subject: Subject, limits: Limits, *, again: bool = False) -> None:
        environment = subject.environment()
        self._subject = subject
        self._limits = limits
        self._first_call = limits.first_call_again if again else limits.first_call
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed in end()
        ours, theirs = socket.socketpair()
        self._channel = ours
        self._unread = bytearray()
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

    def start(self) -> None:
        """Wait for its greeting.

        Raises
        ------
        WorkerFailedToStartError
            If it has none; the worker is of no more use.
        """
        self.hello = self._greeting()

    def send(self, request: Request) -> None:
        """Send a request.

        Raises
        ------
        WorkerDiedError
            If the worker is gone.
        """
        self._write(request.line)

    def has_answered(self, call: str) -> bool:
        """Return whether this function has been called before, so that nothing is left to compile."""
        return call in self._called

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

    def stop(self) -> tuple[tuple[LoadedModule, ...], list[str]]:
        """Ask the process to end by itself; return every module that it came to use, and what disturbed it.

        Raises
        ------
        WorkerDiedError, WorkerHungError, WorkerGarbledError
            If it has no answer.
        """
        self._write(b'{"do":"stop"}\n')
        match self._read(self._limits.input):
            case {"modules": list(modules), "disturbances": list(disturbances)}:
                return tuple(LoadedModule(**module) for module in modules), [str(each) for each in disturbances]
            case {"failed": str(reason)}:
                raise WorkerGarbledError(reason)
            case other:
                raise WorkerGarbledError(f"modules were expected, not {other!s:.200}")

    def end(self) -> None:
        """End the process and whatever it started, also where it has ended by itself."""
        self.kill()
        self._process.wait()
        self._channel.close()
        self._log.close()

    def _greeting(self) -> Hello:
        subject = self._subject
        mode = subject.mode
        request = {
            "do": "start",
            "adapter": str(mode.adapter),
            "distribution": mode.distribution,
            "packages": list(mode.packages),
        }
        try:
            self._write((json.dumps(request) + "\n").encode())
            answer = self._read(self._limits.start)
        except (WorkerDiedError, WorkerHungError, WorkerGarbledError) as error:
            failed = WorkerSlowToStartError if isinstance(error, WorkerHungError) else WorkerFailedToStartError
            raise failed(f"{subject.title} does not start: {error}{self._last_words()}") from error
        match answer:
            case {
                "python": str(python),
                "version": str(version),
                "platform": dict(platform),
                "modules": list(modules),
            }:
                if version != subject.version:
                    raise WorkerFailedToStartError(
                        f"{subject.title} was expected, but the worker found version {version}"
                    )
                loaded = tuple(LoadedModule(**module) for module in modules)
                if fault := not_of_shadow(subject, loaded):
                    raise WorkerFailedToStartError(fault)
                return Hello(python, version, loaded, platform)
            case {"failed": str(reason)}:
                first, *rest = reason.strip().splitlines()
                if "marshal data" in first:  # Python does not notice where it could write only a part of its bytecode
                    shutil.rmtree(subject.environment()["PYTHONPYCACHEPREFIX"], ignore_errors=True)
                    raise WorkerFailedToStartError(
                        f"{subject.title} does not start, since compiled code in the cache is damaged, as a full disk "
                        f"leaves it ({first}); it was removed: run the same again"
                    )
                raise WorkerFailedToStartError(f"{subject.title} does not start: {first}{' ...' if rest else ''}")
            case {"version": None}:
                raise WorkerFailedToStartError(
                    f"{subject.title} was expected, but the worker found no version; where it is no Python "
                    f"distribution, its adapter's platform() has to say one"
                )
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
        line = self._line(time.monotonic() + limit, limit)
        try:
            answer = json.loads(line)
        except ValueError as error:
            raise WorkerGarbledError(f"JSON was expected, not {line[:200]!r}") from error
        if not isinstance(answer, dict):
            raise WorkerGarbledError(f"a JSON object was expected, not {line[:200]!r}")
        return answer

    def _line(self, deadline: float, limit: float) -> bytes:
        """Return one line, before the deadline; notice when the process ends though its children hold the channel."""
        while (end := self._unread.find(b"\n")) < 0:
            ended = self._process.poll() is not None
            self._channel.settimeout(max(0.001, min(deadline - time.monotonic(), ALIVE)))
            try:
                part = self._channel.recv(1 << 20)
            except TimeoutError as error:
                if ended:
                    raise WorkerDiedError(self._how_it_ended()) from error
                if time.monotonic() >= deadline:
                    raise WorkerHungError(limit) from error
                continue
            except OSError as error:
                raise WorkerDiedError(self._how_it_ended()) from error
            if not part:
                raise WorkerDiedError(self._how_it_ended())
            self._unread += part
            if len(self._unread) > LONGEST_ANSWER:
                raise WorkerGarbledError(f"an answer of at most {LONGEST_ANSWER:,} bytes was expected")
            if time.monotonic() >= deadline:
                raise WorkerHungError(limit)
        line, self._unread = bytes(self._unread[:end]), self._unread[end + 1 :]
        return line

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()
            return "closed its channel"
        if status >= 0:
            return f"exit {status}"
        try:
            return f"signal {signal.Signals(-status).name}"
        except ValueError:  # a real-time signal has a number only
            return f"signal {-status}"

    def _last_words(self) -> str:
        self._log.seek(max(0, self._log.seek(0, os.SEEK_END) - LAST_WORDS))
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return f"; its last words: {lines[-1][:300]}" if lines else ""

    def kill(self) -> None:
        """End the process, and what it started, at once; whoever waits for an answer notices."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
