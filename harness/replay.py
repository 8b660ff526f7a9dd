"""Replay single inputs: one that a person writes down, or one that a finding holds."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from harness.case import AnyCase
from harness.certificate import Instance
from harness.errors import BadInputError
from harness.execute import Executor
from harness.exhaust import Reference
from harness.jsontypes import Json
from harness.outcome import from_wire
from harness.subject import Subject


def read(case: AnyCase, text: str) -> NamedTuple:
    """Return the input of a case that is written as JSON, stands in a finding's file, or has an index.

    An index is one in the first domain of the case.

    Raises
    ------
    BadInputError
        If it is neither, or not an input of this case.
    """
    inputs = case.domains[0].inputs if case.domains else None
    if inputs is not None and text.isdecimal():
        try:
            indexed: NamedTuple = inputs[int(text)]
        except (IndexError, ValueError) as error:
            raise BadInputError(f"{case.domains[0].title} of {case.name}: {error}") from error
        return indexed
    source = text
    if not text.lstrip().startswith(("{", "[", '"')):
        try:
            source = Path(text).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            fields = ", ".join(case.input_type._fields)
            why = error.strerror if isinstance(error, OSError) else error
            raise BadInputError(
                f"an input as JSON with {fields}, or a finding.json, was expected, not {text[:300]!r} ({why})"
            ) from error
    try:
        found = json.loads(source)
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"a JSON object was expected, not {source[:300]!r} ({error})") from error
    x: NamedTuple
    match found:
        case {"case": case.name, "input": dict(of_finding)}:
            x = case.from_json(of_finding)
        case {"case": other, "input": _}:
            raise BadInputError(f"a finding of {case.name} was expected; {text} is one of {other}")
        case dict():
            x = case.from_json(found)
        case _:
            raise BadInputError(f"a JSON object was expected, not {source[:300]!r}")
    return x


def replay(case: AnyCase, executor: Executor, inputs: Sequence[NamedTuple]) -> Iterator[Instance]:
    """Yield what the subject does with each input.

    Raises
    ------
    WorkerFailedToStartError
        If the subject cannot run.
    """
    reference = Reference(case)
    for x in inputs:
        judgement = reference.judgement(x)
        wire = executor.one(case.call, x)
        yield Instance(case, x, judgement.expected, from_wire(wire), judgement.rule(wire))


def lines(subject: Subject, instances: Sequence[Instance]) -> Iterator[str]:
    """Yield what a person is shown."""
    yield f"{subject.heading}, {subject.mode.name}"
    for instance in instances:
        yield from _lines(instance)


def _lines(instance: Instance) -> Iterator[str]:
    """Yield what a person is shown of one input."""
    yield instance.case.describe(instance.x)
    yield f"  {instance.source_word:<12}{instance.expected_shown}"
    yield f"  {'observed':<12}{instance.observed_shown}"
    if instance.case.values:
        yield f"  {'values':<12}{instance.case.values}"
    if instance.ratio:
        yield f"  {'ratio':<12}{instance.ratio}"
    follows = f', follows "{instance.ruling.follows[0]}"' if instance.ruling.follows else ""
    yield f"  {'verdict':<12}{instance.ruling.verdict}{follows}"


def document(instances: Sequence[Instance]) -> dict[str, Json]:
    """Return the same for a program."""
    return {"replayed": [instance.to_json() for instance in instances]}
