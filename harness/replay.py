"""Replay single inputs: one that a person writes down, or one that a finding holds."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.case import Case
from harness.certificate import Instance
from harness.errors import BadInputError
from harness.execute import Executor
from harness.exhaust import Reference
from harness.expected import Exactly
from harness.jsontypes import Json
from harness.outcome import Value, from_wire


def read(case: Case[Any], text: str) -> Any:  # noqa: ANN401 - an input of any case
    """Return the input of a case that is written as JSON, or stands in a finding's file.

    Raises
    ------
    BadInputError
        If it is neither, or not an input of this case.
    """
    fields = ", ".join(case.input_type._fields)
    where, source = "this text", text
    if not text.lstrip().startswith("{"):
        where = text
        try:
            source = Path(text).read_text(encoding="utf-8")
        except OSError as error:
            raise BadInputError(
                f"an input as JSON with {fields}, or a finding.json, was expected, not {text!r} ({error.strerror})"
            ) from error
    try:
        found = json.loads(source)
        if not isinstance(found, Mapping):
            raise TypeError(type(found).__name__)  # noqa: TRY301 - one message for all that is no input
        if "input" in found and found.get("case", case.name) == case.name:
            found = found["input"]
        return case.from_json(found)
    except (ValueError, TypeError) as error:
        raise BadInputError(f"{case.name} expects a JSON object with {fields}; {where} is none ({error})") from error


def replay(case: Case[Any], executor: Executor, inputs: Sequence[Any]) -> Iterator[Instance]:
    """Yield what the subject does with each input.

    Raises
    ------
    BadInputError
        If the reference cannot take an input.
    WorkerFailedToStartError
        If the subject cannot run.
    """
    reference = Reference(case)
    for x in inputs:
        try:
            judgement = reference.judgement(x)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            raise BadInputError(f"{case.name} has no value for {json.dumps(x)} ({error})") from error
        wire = executor.one(case.call, x)
        yield Instance(case, x, judgement.expected, from_wire(wire), judgement.rule(wire))


def lines(instance: Instance) -> Iterator[str]:
    """Yield what a person is shown of one input."""
    yield instance.case.describe(instance.x)
    yield f"  {instance.source_word:<12}{instance.expected_shown}"
    yield f"  {'observed':<12}{instance.observed_shown}"
    match instance.expected, instance.outcome:
        case Exactly(value, _, written), Value(int() | float() as observed) if value:
            yield f"  {'ratio':<12}{observed / float(value if written is None else written):.3g}"
    follows = f', follows "{instance.ruling.follows[0]}"' if instance.ruling.follows else ""
    yield f"  {'verdict':<12}{instance.ruling.verdict}{follows}"


def document(instances: Sequence[Instance]) -> dict[str, Json]:
    """Return the same for a program."""
    return {"replayed": [instance.to_json() for instance in instances]}
