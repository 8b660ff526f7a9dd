"""One question, are my numbers affected, put to a subject: what it asks for is checked before anything is started."""

import itertools
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from harness.case import AnyCase
from harness.errors import BadInputError, UnknownCaseError, UnusableError
from harness.execute import Executor
from harness.impact.comparison import Comparison, Files, Impact
from harness.jsontypes import Json
from harness.library import Library
from harness.limits import Limits
from harness.outcome import unsupported
from harness.printable import printable
from harness.progress import Progress
from harness.subject import Subject

About = TypeVar("About")

BATCH = 8
"""Inputs that are sent at once: one may hold thousands of documents."""


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody wants to know.

    Attributes
    ----------
    case
        Which divergence it is about.
    impact
        How the case compares files.
    files
        The files.
    settings
        A value for each parameter of the case.
    """

    case: AnyCase
    impact: Impact
    files: Files
    settings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the subject made of it.

    Attributes
    ----------
    question
        What was asked.
    subject
        Who was asked.
    comparison
        What came of it.
    disturbances
        What went wrong on the way, and was made good.
    """

    question: Question
    subject: Subject
    comparison: Comparison
    disturbances: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """0 if no number is affected, else 1."""
        return 1 if self.comparison.is_affected else 0


def question(case: AnyCase, libraries: Sequence[Library], files: Files, settings: Sequence[str]) -> Question:
    """Return what is asked, checked as far as it can be without a subject.

    Parameters
    ----------
    case
        Which divergence it is about.
    libraries
        All that there are, of which those with an impact are named if this one has none.
    files
        The files.
    settings
        Parameters of the case as ``name=value``.

    Raises
    ------
    UnknownCaseError
        If the case does not compare files.
    BadInputError
        If a parameter is none of the case's, or a file is not there.
    """
    if case.impact is None:
        able = ", ".join(one.name for library in libraries for one in library.cases if one.impact)
        raise UnknownCaseError(
            f"{case.name} does not say what it does to files of qrels and runs; a case that does was expected: "
            f"{able or 'there is none'}"
        )
    chosen = _settings(case.name, case.impact, settings)
    if case.impact.needs_runs and not files.runs:
        raise BadInputError(f"{case.name} is about the scores of runs; at least one --run FILE was expected")
    for path in (files.qrels, *files.runs):
        _require_readable(path)
    return Question(case, case.impact, files, chosen)


def _settings(name: str, impact: Impact, settings: Sequence[str]) -> dict[str, str]:
    """Return a value for each parameter of a case."""
    parameters = {parameter.name: parameter for parameter in impact.parameters}
    chosen = {parameter.name: parameter.default for parameter in impact.parameters}
    takes = "; ".join(f"--set {one.name}={one.default} ({one.says})" for one in impact.parameters) or "no parameter"
    for setting in settings:
        key, equals, value = setting.partition("=")
        if key not in parameters or not equals:
            raise BadInputError(f"{name} takes {takes}, not {printable(setting)}")
        try:
            parameters[key].check(value)
        except ValueError as error:
            raise BadInputError(f"{name} takes {takes}, not {printable(setting)}: {error}") from error
        chosen[key] = value
    return chosen


def _require_readable(path: Path) -> None:
    why = "there is none"
    if path.is_dir():
        why = "it is a folder"
    elif path.exists():
        if os.access(path, os.R_OK):
            return
        why = "it may not be read"
    raise BadInputError(f"a file was expected at {printable(str(path))}: {why}")


def answer(asked: Question, subject: Subject, limits: Limits, progress: Progress) -> Answer:
    """Put a question to a subject.

    Raises
    ------
    BadInputError
        If a file is not of its format.
    UnusableError
        If the subject does not offer what is asked for, or ends again and again.
    WorkerFailedToStartError
        If it cannot run.
    """
    with Executor(subject, limits) as executor:
        comparison = asked.impact.compare(_Asking(executor, progress), asked.files, asked.settings, progress)
        executor.stop()
        return Answer(asked, subject, comparison, tuple(executor.disturbances))


@dataclass(frozen=True, slots=True)
class _Asking:
    """Asks a subject through its worker; see `harness.impact.Ask`."""

    executor: Executor
    progress: Progress

    def __call__(
        self, call: str, items: Iterable[tuple[About, Sequence[object]]], total: int, title: str
    ) -> Iterator[tuple[About, Json]]:
        executor, subject = self.executor, self.executor.subject
        waiting: deque[About] = deque()
        with self.progress.waiting(f"starting {subject.title}"):
            executor.start()
        at_first = "" if executor.has_answered(call) else subject.library.first_call
        with self.progress.counting(title, total, at_first) as advance:
            for _, outcomes in executor.run(call, _batches(items, waiting)):
                for wire in outcomes:
                    if reason := unsupported(wire):
                        raise UnusableError(f"{subject.title} does not offer what is asked of it: {reason}")
                    yield waiting.popleft(), wire
                advance(len(outcomes))
        if executor.gave_up:
            raise UnusableError(
                f"{subject.title} ended, or gave no answer, with {executor.deaths} inputs of {total:,}; the rest was "
                f"left out, so that it cannot be told what is affected"
            )


def _batches(
    items: Iterable[tuple[About, Sequence[object]]], waiting: deque[About]
) -> Iterator[Sequence[Sequence[object]]]:
    """Yield the inputs in batches, and note what each is about."""
    left = iter(items)
    while batch := list(itertools.islice(left, BATCH)):
        waiting.extend(about for about, _ in batch)
        yield [x for _, x in batch]
