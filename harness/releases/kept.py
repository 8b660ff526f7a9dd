"""Results that are kept in the cache folder, so that a new release costs one column of the matrix.

There is one file for each release, mode, environment and case. It says what it depends on: when that is otherwise, or
the file is damaged, the result is none, and the release is run again.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from harness import cache, whole
from harness.jsontypes import Json
from harness.library import Mode
from harness.releases.outcome import Outcome

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Basis:
    """What a result depends on.

    Attributes
    ----------
    code
        A hash of the case's code, the reference's, and the machine's.
    environment
        The name of the environment for the release, where today's dependencies and our Python suit it.
    """

    code: str
    environment: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where a result comes from: the environment in which it was taken, and a hash of what was installed there."""

    environment: str = ""
    fingerprint: str = ""


def now() -> str:
    """Return the moment, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def write(mode: Mode, version: Version, outcome: Outcome, basis: Basis, source: Source) -> None:
    """Keep a result, in the place of an older one.

    Raises
    ------
    CacheFolderError
        If the cache cannot be written.
    """
    record = {
        "distribution": mode.distribution,
        "version": str(version),
        "code": basis.code,
        "wanted": basis.environment,
        "environment": source.environment,
        "fingerprint": source.fingerprint,
        "outcome": outcome.to_json(),
    }
    text = json.dumps(record, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    path = _path(mode, str(version), basis, outcome.case)
    cache.make(path.parent)
    try:
        whole.write(path, f'{{"schema":{SCHEMA},"sha256":"{digest}","record":{text}}}\n')
    except OSError as error:
        raise cache.unwritable(path, error) from error


def read(mode: Mode, version: Version, case: str, basis: Basis, fingerprint: Callable[[str], str]) -> Outcome | None:
    """Return the result that is kept, if it depends on the same; none where it is damaged.

    Parameters
    ----------
    fingerprint
        Returns a hash of what is installed in an environment now; nothing where that is not there.
    """
    record = _record(_path(mode, str(version), basis, case))
    if record is None or (record.get("code"), record.get("wanted")) != (basis.code, basis.environment):
        return None
    place, outcome = str(record.get("environment") or ""), _outcome(record)
    if not place:  # it was not installed: that may be otherwise tomorrow
        return outcome if outcome.kept[:10] == now()[:10] else None
    return outcome if fingerprint(place) in {"", record.get("fingerprint")} else None


def all_of(mode: Mode, code: str) -> dict[tuple[Version, str], Outcome]:
    """Return the latest result of each release and case that is kept of this code and a mode.

    One that was taken in an environment comes before any that could not be installed: that may have been a wrong name
    beside it.
    """
    found: dict[tuple[Version, str], tuple[bool, Outcome]] = {}
    for path in sorted(_folder(mode).glob(f"*/{mode.name}/*/*.json")):
        record = _record(path)
        if record is None or record.get("code") != code:
            continue
        with contextlib.suppress(InvalidVersion):
            outcome = _outcome(record)
            at = Version(str(record.get("version"))), outcome.case
            one = bool(record.get("environment")), outcome
            found[at] = max(one, found.get(at, one), key=lambda each: (each[0], each[1].kept))
    return {at: outcome for at, (_, outcome) in found.items()}


def _folder(mode: Mode) -> Path:
    return cache.cache_folder() / "releases" / mode.distribution


def _path(mode: Mode, version: str, basis: Basis, case: str) -> Path:
    return _folder(mode) / version / mode.name / basis.environment / f"{case.replace('/', os.extsep)}.json"


def _record(path: Path) -> Mapping[str, Json] | None:
    try:
        text = path.read_text(encoding="utf-8")
        kept = json.loads(text)
        record = kept["record"]
        same = json.dumps(record, separators=(",", ":"))
        sound = kept["schema"] == SCHEMA and kept["sha256"] == hashlib.sha256(same.encode()).hexdigest()
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return record if sound and isinstance(record, dict) else None


def _outcome(record: Mapping[str, Json]) -> Outcome:
    """Return the outcome in a record whose hash is right: it is as it was written."""
    fields: dict[str, Any] = dict(record["outcome"])  # type: ignore[arg-type]
    return Outcome(**{**fields, "certificates": tuple(fields["certificates"])})
