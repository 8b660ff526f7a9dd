"""What a run shows of a library in miniature, made by hand: no process is started for it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import miniature
from harness.canaries.canary import MISMATCHES, Canary
from harness.case import AnyCase
from harness.certificate import Certificate, Instance, Tally
from harness.compare import Ruling
from harness.expected import Expected
from harness.installation import Installation
from harness.outcome import Outcome, Value
from harness.report import CaseRun, LibraryRun, Report
from harness.subject import Subject
from harness.verdict import Verdict

WRONG: Outcome = Value(-1.0)

SONGS = tuple(Canary(name, 17, sum(causes.values())) for name, causes in MISMATCHES.items())
"""Canaries that were told apart."""


def mismatch(
    case: AnyCase, n: int, cause: str, observed: Outcome = WRONG, expected: Expected | None = None
) -> Instance:
    """Return a mismatch at a number."""
    x = miniature.Number(n)
    return Instance(case, x, expected or miniature.doubled(x), observed, Ruling(Verdict.DIFFERS, (), cause))


def certificate(
    case: AnyCase, verdicts: Mapping[Verdict, int], found: Sequence[Instance] = (), domain: str = "numbers"
) -> Certificate:
    """Return a certificate of a whole domain, with these counts, and one mismatch of each cause."""
    tally = Tally(
        by_size={4: Counter(verdicts)},
        causes={one.ruling.cause: Counter({4: 1}) for one in found},
        first={one.ruling.cause: (one.x[0], one) for one in found},
    )
    up_to = sum(verdicts.values())
    return Certificate(case, subject(), miniature.numbers(up_to, domain), exhausted=True, tally=tally, separation=None)


def subject(version: str = "1.0") -> Subject:
    library = miniature.library(Path("known.toml"))
    return Subject(library, library.modes[0], Installation(version))


def report(*cases: CaseRun, version: str = "1.0", canaries: tuple[Canary, ...] = (), **fields: Any) -> Report:
    """Return a report on one library; canaries that are not given were told apart."""
    settings: dict[str, Any] = {"modules": (), "problems": (), "warnings": (), "disturbances": (), **fields}
    tested = subject(version)
    run = LibraryRun(tested.library, tested.mode, tested, None, cases=cases, **settings)
    sung = {one.name: one for one in (*SONGS, *canaries)}
    return Report((run,), (), canaries=tuple(sung.values()))
