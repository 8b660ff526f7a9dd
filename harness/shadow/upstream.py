"""Upstream's own tests, before and after a proposed change.

They run in a copy of the checkout that they are in. What they import under the name of a tested package is the
subject's, not the checkout's; `harness.shadow.pytest_proof` sees to it, and proves it.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from harness.errors import BadInputError, UnusableError
from harness.progress import Progress
from harness.shadow.checkout import Checkout
from harness.subject import Subject

PROOF = Path(__file__).with_name("pytest_proof.py")

SECONDS = 1800.0
"""What a suite may take: one whose package compiles takes minutes."""

LAST_LINES, LAST_WORDS = 20, 8192
"""Lines, and bytes, at the end of what was printed that are kept."""

BAD = frozenset({"failed", "error"})

PASSED, FAILED, NOTHING_COLLECTED = 0, 1, 5
"""Exit statuses of pytest."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """What became of upstream's tests with one subject.

    Attributes
    ----------
    outcomes
        By node id: passed, failed, skipped, error, xfailed or xpassed. A module that cannot be imported is an error,
        and so is a test that ended the process.
    status
        pytest's exit status; that of the process where it ended before pytest did, negative for a signal.
    collected
        How many tests pytest chose to run.
    foreign
        Modules of the tested packages that came from elsewhere than the subject, each with its path: where there are
        any, something else was tested.
    seconds
        How long it took.
    last_words
        The end of what was printed.
    is_complete
        Whether pytest came to its end; if not, tests may lack an outcome.
    loaded
        How many modules of the tested packages came from the subject; if none, nothing of it was tested.
    """

    outcomes: Mapping[str, str]
    status: int
    collected: int
    foreign: tuple[str, ...]
    seconds: float
    last_words: str
    is_complete: bool
    loaded: int


@dataclass(frozen=True, slots=True)
class SuiteComparison:
    """Upstream's tests before and after a proposed change."""

    before: SuiteRun
    after: SuiteRun

    @property
    def newly_failing(self) -> tuple[str, ...]:
        """Node ids that fail after and not before; where pytest did not come to its end, also those not reached."""
        old = self.before.outcomes
        failing = [one for one, outcome in self.after.outcomes.items() if outcome in BAD and old.get(one) not in BAD]
        unreached = () if self.after.is_complete else self.gone
        return (*failing, *(one for one in unreached if old[one] not in BAD))

    @property
    def newly_passing(self) -> tuple[str, ...]:
        """Node ids that fail before and pass after."""
        old, new = self.before.outcomes, self.after.outcomes
        return tuple(one for one, outcome in new.items() if outcome == "passed" and old.get(one) in BAD)

    @property
    def gone(self) -> tuple[str, ...]:
        """Node ids with an outcome before only."""
        return tuple(one for one in self.before.outcomes if one not in self.after.outcomes)

    @property
    def new(self) -> tuple[str, ...]:
        """Node ids with an outcome after only."""
        return tuple(one for one in self.after.outcomes if one not in self.before.outcomes)


def run(path: Path, subject: Subject, seconds: float = SECONDS) -> SuiteRun:
    """Run the tests in a file or folder of a checkout against a subject.

    They have a process group of their own, which is ended with them. Nothing is written to the checkout.

    Raises
    ------
    BadInputError
        If there is no such path, its checkout cannot be copied, or there is no test in it.
    UnusableError
        If pytest is not there, no test starts, or they do not end in time.
    """
    with _started(path, subject) as suite:
        return suite.with_outcomes(suite.result(seconds))


def compare(
    path: Path, before: Subject, after: Subject, progress: Progress, seconds: float = SECONDS
) -> SuiteComparison:
    """Run the tests against two subjects, side by side.

    That no test starts is a result where it is so after, and not before.

    Raises
    ------
    BadInputError, UnusableError
        As in `run`; the other suite is ended.
    """
    with (
        progress.waiting(f"running upstream's tests in {path}, before and after"),
        ThreadPoolExecutor(2) as pool,
        _started(path, before) as first,
        _started(path, after) as second,
    ):
        old, new = pool.map(lambda suite: suite.result(seconds), (first, second))
        return SuiteComparison(first.with_outcomes(old), new)


@dataclass(frozen=True, slots=True)
class _Suite:
    """Tests that are running; ``began`` is by the monotonic clock."""

    subject: Subject
    checkout: Checkout
    report: Path
    log: Path
    process: "subprocess.Popen[bytes]"
    began: float

    @property
    def title(self) -> str:
        return f"upstream's tests in {self.checkout.as_named(str(self.checkout.tests))} with {self.subject.title}"

    def result(self, seconds: float) -> SuiteRun:
        """Wait for the end, and return what became of the tests."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            running = ", ".join(_Report.read(self.report).running) or "none"
            raise UnusableError(
                f"{self.title} should end within {seconds:g} s, and did not; the test that was running: {running}; "
                f"name fewer of them"
            ) from error
        took = time.monotonic() - self.began
        report = _Report.read(self.report)
        if report.missing:
            raise UnusableError(
                f"{self.title} need pytest, and {self.subject.python} does not have it ({report.missing}); install it "
                f"there, and what else they need"
            )
        foreign = [
            f"{name} ({self.checkout.as_named(path)})"
            for name, path in report.modules.items()
            if not _is_of(self.subject, name, Path(path))
        ]
        return SuiteRun(
            outcomes=report.outcomes | dict.fromkeys(report.running, "error"),
            status=status if report.status is None else report.status,
            collected=report.collected,
            foreign=tuple(foreign),
            seconds=took,
            last_words=self._last_words(),
            is_complete=report.status in {PASSED, FAILED},
            loaded=len(report.modules) - len(foreign),
        )

    def with_outcomes(self, suite: SuiteRun) -> SuiteRun:
        """Return a result that has an outcome.

        Raises
        ------
        BadInputError, UnusableError
            If it has none.
        """
        if suite.outcomes:
            return suite
        said = f"its last words: {suite.last_words or 'none'}"
        if suite.status == NOTHING_COLLECTED:
            raise BadInputError(f"{self.title}: pytest finds no test there; name a file or folder with tests; {said}")
        raise UnusableError(f"{self.title} should run, and pytest ended with {suite.status} before the first; {said}")

    def end(self) -> None:
        """End the process, and what it started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def _last_words(self) -> str:
        with self.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - LAST_WORDS))
            lines = log.read().decode(errors="replace").strip().splitlines()
        return self.checkout.as_named("\n".join(lines[-LAST_LINES:]))


def required(path: Path) -> Path:
    """Return where upstream's tests are.

    Raises
    ------
    BadInputError
        If there is no such path.
    """
    tests = path.resolve()
    if not tests.exists():
        raise BadInputError(f"upstream's tests are expected in {path}, and there is no such file or folder")
    return tests


@contextmanager
def _started(path: Path, subject: Subject) -> Iterator[_Suite]:
    """Start the tests; end them, and remove what they wrote, on the way out."""
    tests = required(path)
    packages = subject.installation.packages
    if not packages:
        raise UnusableError(f"upstream's tests run with pytest, and {subject.title} is no Python package")
    with tempfile.TemporaryDirectory(prefix="rankdiff-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        checkout = Checkout.copied(tests, folder / "checkout")
        report, log = folder / "report", folder / "log"
        pinned = json.dumps({package: str(where.parent) for package, where in packages.items()})
        options = ["--color=no", "--continue-on-collection-errors"]
        environment = _environment(subject)
        try:
            with log.open("wb") as output:
                process = subprocess.Popen(
                    [subject.python, str(PROOF), str(report), pinned, str(checkout.tests), *options],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    env=environment,
                    cwd=checkout.copy,
                    start_new_session=True,
                )
        except OSError as error:
            raise UnusableError(f"{subject.title} runs with {subject.python}, which does not start: {error}") from error
        suite = _Suite(subject, checkout, report, log, process, time.monotonic())
        try:
            yield suite
        finally:
            suite.end()
            bytecode = f"{environment['PYTHONPYCACHEPREFIX']}{checkout.copy}"  # a path of its own, never used again
            shutil.rmtree(bytecode, ignore_errors=True)


def _environment(subject: Subject) -> dict[str, str]:
    """Return the subject's environment, without what steers pytest."""
    return {name: value for name, value in subject.environment().items() if not name.startswith("PYTEST_")}


def _is_of(subject: Subject, module: str, path: Path) -> bool:
    """Return whether a module's file is one of the subject's."""
    installation = subject.installation
    expected = [where for name, where in installation.packages.items() if f"{module}.".startswith(f"{name}.")]
    folders = [*expected, *([installation.shadow] if installation.shadow else [])]
    return bool(expected) and all(path.is_relative_to(folder) for folder in folders)


@dataclass(slots=True)
class _Report:
    """What `harness.shadow.pytest_proof` told, as far as it came."""

    outcomes: dict[str, str] = field(default_factory=dict)
    running: dict[str, None] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    collected: int = 0
    status: int | None = None
    missing: str = ""

    @classmethod
    def read(cls, path: Path) -> Self:
        report = cls()
        with suppress(FileNotFoundError):
            for line in path.read_text("ascii", "replace").splitlines():
                with suppress(ValueError):  # the last line may be cut off
                    report.take(json.loads(line))
        return report

    def take(self, told: object) -> None:
        match told:
            case {"started": str(test)}:
                self.running[test] = None
            case {"finished": str(test)}:
                self.running.pop(test, None)
            case {"id": str(test), "outcome": str(outcome)}:
                if self.outcomes.get(test) not in BAD:
                    self.outcomes[test] = outcome
            case {"modules": dict(modules)}:
                self.modules.update(modules)
            case {"collected": int(count)}:
                self.collected = count
            case {"status": int(status)}:
                self.status = status
            case {"missing": str(reason)}:
                self.missing = reason
