"""Replay single inputs: one that a person writes down, or one that a finding holds."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Written:
    """An input that somebody wrote down; ``found_in`` is the subject that a finding is about, if it is from one."""

    x: NamedTuple
    found_in: Mapping[str, Json] | None = None

    def warning(self, subject: Subject) -> str:
        """Return that the finding is about another subject than this one, and how to name it; empty if it is not."""
        there, here = self.found_in, subject.to_json()
        if there is None or all(there.get(key) == here.get(key) for key in ("distribution", "version", "unreleased")):
            return ""
        told = f"the finding is about {_named(there)}, and what was run is {_named(here)}"
        unreleased = there.get("unreleased")
        if isinstance(unreleased, dict):
            if "unreleased" in here and there.get("origin") == here.get("origin"):
                return told  # it has changed since
            spec = str(unreleased.get("requirement") or there.get("origin") or str(unreleased.get("kind")).upper())
        else:
            spec = f"{there.get('distribution')}=={there.get('version')}"
        return f"{told}; to run what it is about: --subject {shlex.quote(spec)}"


def _named(subject: Mapping[str, Json]) -> str:
    """Return what a finding calls its subject, for a person."""
    title = f"{subject.get('distribution')} {subject.get('version')}"
    match subject.get("unreleased"):
        case {"kind": kind, "content": content}:
            return f"{title}, a {kind} ({content})"
        case {"kind": kind}:
            return f"{title}, a {kind}"
        case _:
            return title


def read(case: AnyCase, text: str) -> Written:
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
        return Written(indexed)
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
    match found:
        case {"case": case.name, "input": dict(of_finding)}:
            found_in = found.get("subject")
            return Written(case.from_json(of_finding), found_in if isinstance(found_in, dict) else None)
        case {"case": other, "input": _}:
            raise BadInputError(f"a finding of {case.name} was expected; {text} is one of {other}")
        case dict():
            return Written(case.from_json(found))
        case _:
            raise BadInputError(f"a JSON object was expected, not {source[:300]!r}")


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
