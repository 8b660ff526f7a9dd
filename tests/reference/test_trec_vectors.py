"""The program against 3,504 recorded runs of trec_eval 9.0.8, 10.0 and its development version of 2026-06-30.

Each line of the file beside this one is a run on small random qrels and a small random run, named q and r: its version,
options, both files, and the status, standard output and standard error it ended with. Runs that ended in a signal were
left out when they were recorded.
"""

import functools
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from reference.trec.dialect import Dialect
from reference.trec.program import Completed, Undefined, trec_eval

VECTORS = Path(__file__).with_name("trec_eval.vectors.jsonl.gz")
VERSIONS = {"9.0.8": Dialect.V9_0, "10.0": Dialect.V10_0, "checked": Dialect.CHECKED}

# In each of these the run has lines, blank or comments, but no result. The C program then reads memory before the first
# of no results (AddressSanitizer stops 9.0.8 and 10.0 there, and 9.0.4 ends in a signal); what was recorded is luck.
WITHOUT_A_RESULT = frozenset(
    (154, 155, 518, 519, 944, 945, 1567, 1568, 1976, 1977, 2901, 2902, 3270, 3271, 3459, 3460),
)


@dataclass(frozen=True, slots=True)
class Vector:
    dialect: Dialect
    options: tuple[str, ...]
    qrels: bytes
    run: bytes
    recorded: Completed

    def outcome(self, dialect: Dialect | None = None) -> Completed | Undefined:
        return trec_eval(self.options, self.qrels, self.run, dialect or self.dialect, names=("q", "r"))


@functools.cache
def vectors() -> tuple[Vector, ...]:
    return tuple(read())


def read() -> Iterator[Vector]:
    with gzip.open(VECTORS, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = json.loads(line)
            yield Vector(
                VERSIONS[fields["version"]],
                tuple(fields["options"]),
                fields["qrels"].encode(),
                fields["run"].encode(),
                Completed(fields["exit"], fields["stdout"].encode(), fields["stderr"].encode()),
            )


def test_every_recorded_run_is_reproduced_to_the_byte() -> None:
    wrong = [
        index
        for index, vector in enumerate(vectors())
        if index not in WITHOUT_A_RESULT and vector.outcome() != vector.recorded
    ]
    assert len(vectors()) == 3504
    assert wrong == []


def test_the_runs_without_a_result_are_called_undefined_and_no_others_are() -> None:
    undefined = {index for index, vector in enumerate(vectors()) if isinstance(vector.outcome(), Undefined)}
    assert undefined == WITHOUT_A_RESULT


def test_each_of_the_undefined_runs_has_lines_but_no_result() -> None:
    for index in WITHOUT_A_RESULT:
        vector = vectors()[index]
        lines = [line for line in vector.run.split(b"\n") if line.split()]
        assert vector.run
        assert all(line.lstrip().startswith(b"#") for line in lines)


@pytest.mark.parametrize("recorded", Dialect)
@pytest.mark.parametrize("other", Dialect)
def test_a_dialect_fails_on_what_another_one_did(recorded: Dialect, other: Dialect) -> None:
    differ = sum(
        vector.outcome(other) != vector.recorded
        for index, vector in enumerate(vectors())
        if vector.dialect is recorded and index not in WITHOUT_A_RESULT
    )
    assert (differ > 100) == (recorded is not other)


def test_each_status_occurs_in_each_dialect_that_has_it() -> None:
    seen = {(vector.dialect, vector.recorded.status) for vector in vectors()}
    everywhere = {(dialect, status) for dialect in Dialect for status in (0, 2, 4)}
    assert seen == everywhere | {(Dialect.V9_0, 7)}
