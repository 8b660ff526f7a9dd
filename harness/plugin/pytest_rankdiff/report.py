"""What a run of ``rankdiff check`` showed of each contract, read from its JSON."""

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .child import BrokenRunError, Ended, Parsed

AGAIN = "the plugin and the command are not of one release, or the output was cut: install rankdiff again"

SCHEMA = 1
"""Of the report that is read."""

FINDING = "finding.json"
"""What a folder of a finding holds, beside its script."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run showed: of each contract, and what is about none of them."""

    seen: Mapping[str, "Seen"]
    others: tuple[str, ...]

    @classmethod
    def of(cls, ended: Ended, command: Sequence[str], selected: Sequence[str]) -> "Report":
        """Read the report that a check printed.

        Raises
        ------
        BrokenRunError
            If it is no whole report of this schema.
        """
        document = ended.document(command, "certificates", [0, 1, 2])
        if not _is_whole(document, ended.status):
            shown = shlex.join(["rankdiff", *command])
            raise BrokenRunError(f"`{shown}` should print a whole report with schema = {SCHEMA}; {AGAIN}")
        seen = {case: Seen.of(case, document) for case in selected}
        obstacles = [text for text in document["obstacles"] if not any(one.explains(text) for one in seen.values())]
        problems = [
            f"{one['kind']}: {one['text']}" for one in document["ledger"]["problems"] if one["case"] not in seen
        ]
        if not any(one.is_run for one in seen.values()):
            obstacles.append("none of its contracts could be run")
        return cls(seen, (*obstacles, *problems))


@dataclass(frozen=True, slots=True)
class Seen:
    """What a run showed of one contract."""

    case: str
    certificates: tuple[Parsed, ...]
    hunted: tuple[Parsed, ...]
    known: Mapping[str, str]
    problems: tuple[Parsed, ...]
    findings: tuple[Parsed, ...]

    @classmethod
    def of(cls, case: str, document: Parsed) -> "Seen":
        """Find what a report says of a contract."""
        certificates = tuple(one for one in document["certificates"] if one["case"] == case)
        ledger = document["ledger"]
        return cls(
            case,
            certificates,
            tuple(one for hunt in document["hunts"] if hunt["case"] == case for one in hunt["found"]),
            {one["cause"]: f"{one['says']} ({one['upstream']})" for one in ledger["known"] if one["case"] == case},
            tuple(one for one in ledger["problems"] if one["case"] == case),
            tuple(one for one in document["findings"] if one["case"] == case),
        )

    @property
    def is_run(self) -> bool:
        """Whether something of it was run."""
        return any(one["status"] == "run" for one in self.certificates)

    @property
    def is_unsupported(self) -> bool:
        """Whether the library offers nothing of it."""
        return self.is_run and all(0 < one["inputs"] == one["verdicts"]["unsupported"] for one in self.certificates)

    @property
    def absence(self) -> str:
        """Why it was not run, for want of something; empty where it was."""
        if self.is_unsupported:
            return f"unsupported: {title(self.certificates[0])} does not offer it"
        reasons = dict.fromkeys(one["reason"] for one in self.certificates if one["status"] == "not_run")
        return "" if self.is_run or not reasons else f"not run: {'; '.join(reasons)}"

    def explains(self, obstacle: str) -> bool:
        """Return whether an obstacle to the whole run is one that is told of this contract."""
        reasons = [one["reason"] for one in self.certificates if one["status"] != "run"]
        return obstacle.startswith((f"{self.case}: unsupported: ", *(f"{reason} (" for reason in reasons)))

    def smallest(self) -> dict[str, Parsed]:
        """Return the smallest mismatch of each cause that was seen."""
        proved = [item for one in reversed(self.certificates) for item in one["smallest_by_cause"].items()]
        return {**{one["cause"]: one for one in self.hunted}, **dict(proved)}

    def news(self) -> dict[str, Parsed]:
        """Return those that the ledger does not know."""
        causes = {one["cause"] for one in self.problems if one["kind"] == "new"}
        return {cause: one for cause, one in self.smallest().items() if cause in causes}

    def saved(self, cause: str, where: Path) -> Iterator[str]:
        """Yield each folder in which a mismatch of that cause was saved, and whether a fresh process confirmed it."""
        for one in self.findings:
            finding = {**_read(where / one["folder"] / FINDING), **one}
            if finding.get("cause", cause) == cause:
                yield f"{one['folder']}: {_confirmation(finding)}"

    def faults(self) -> Iterator[str]:
        """Yield why the contract is not as the ledger says, but for new divergences."""
        if not self.certificates:
            yield "the run ended before it"
        for reason in dict.fromkeys(one["reason"] for one in self.certificates if one["status"] == "cannot_run"):
            yield f"cannot run: {reason}"
        is_told = bool(self.news())
        yield from (f"{one['kind']}: {one['text']}" for one in self.problems if not (one["kind"] == "new" and is_told))

    def properties(self) -> Iterator[tuple[str, str]]:
        """Yield what was tested, and how many inputs got each verdict."""
        there = [one for one in self.certificates if one["subject"]["version"] is not None]
        if there:
            yield "subject", ", ".join(dict.fromkeys(title(one) for one in there))
            yield "version", ", ".join(dict.fromkeys(one["subject"]["version"] for one in there))
        yield "mode", ", ".join(dict.fromkeys(one["subject"]["mode"] for one in self.certificates))
        yield "inputs", str(sum(one["inputs"] for one in self.certificates))
        for verdict in self.certificates[0]["verdicts"] if self.certificates else ():
            yield verdict, str(sum(one["verdicts"][verdict] for one in self.certificates))


def _is_whole(document: Parsed, status: int) -> bool:
    """Return whether a report is all of what was printed, by the record that closes it."""
    closing, body = document.get("closing"), {key: part for key, part in document.items() if key != "closing"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return (
        isinstance(closing, dict)
        and (document.get("schema"), document.get("exit_status")) == (SCHEMA, status)
        and closing.get("sha256") == hashlib.sha256(text.encode()).hexdigest()
    )


def _read(path: Path) -> Parsed:
    """Return the object that a file holds; an empty one if it holds none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _confirmation(finding: Parsed) -> str:
    """Return whether a fresh process confirmed a finding; where none did, why, as far as that is known."""
    if finding["confirmed"]:
        return "confirmed in a fresh process"
    if finding.get("unable"):
        return f"not confirmed: it could not run: {finding['unable']}"
    if "fresh_processes" not in finding:
        return "not confirmed"
    return f"not confirmed: {'a fresh process did not show it' if finding['fresh_processes'] else 'it was not run'}"


def title(certificate: Parsed) -> str:
    """Return what was tested, distribution and version."""
    return f"{certificate['subject']['distribution']} {certificate['subject']['version']}"


def mode(certificate: Parsed) -> str:
    """Return how it was run."""
    return str(certificate["subject"]["mode"])
