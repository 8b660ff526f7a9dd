"""A finding: an instance of a mismatch, saved at once so that nothing that was found is lost."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from harness import script, whole
from harness.case import AnyCase, AnyDomain
from harness.certificate import Instance, domain_json
from harness.errors import BadInputError, FindingsFolderError
from harness.jsontypes import Json
from harness.subject import Subject
from harness.version import VERSION

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Proved:
    """Found by exhausting a domain: the input at this index is the smallest in it."""

    domain: AnyDomain
    index: int

    def to_json(self) -> dict[str, Json]:
        """Return how it was found."""
        return {"by": "exhaustion", "domain": domain_json(self.domain), "index": self.index}


@dataclass(frozen=True, slots=True)
class Hunted:
    """Found by a hunt beyond the domains, and shrunk: there may be a smaller one."""

    seed: int

    def to_json(self) -> dict[str, Json]:
        """Return how it was found."""
        return {"by": "hunt", "seed": self.seed}


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that mends what was found.

    Attributes
    ----------
    patches
        Unified diffs, in the order in which they apply.
    label
        Version and patches of the subject with it.
    transitions
        By what became of them: how many inputs of the domain, before and after.
    """

    patches: tuple[Path, ...]
    label: str
    transitions: Mapping[str, int]

    def to_json(self) -> dict[str, Json]:
        """Return it as the ``fix`` of a finding."""
        return {
            "patches": [path.name for path in self.patches],
            "subject": self.label,
            "transitions": dict(self.transitions),
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """An instance of a mismatch of a subject, how it was found, and whether fresh processes showed it too.

    ``confirmations`` holds one entry for each run of its script in a fresh process that could run; ``fix`` is a change
    after which the script shows nothing any more, if one was tried; ``unable`` is what the script said last where it
    could not run.
    """

    instance: Instance
    subject: Subject
    found: Proved | Hunted
    confirmations: tuple[bool, ...] = ()
    fix: "Fix | None" = None
    unable: str = ""

    @property
    def confirmed(self) -> bool:
        """Whether fresh processes showed it, every time."""
        return bool(self.confirmations) and all(self.confirmations)

    @property
    def folder_name(self) -> str:
        """A name that is the same whenever the same is found."""
        case = self.instance.case
        identity = json.dumps([case.name, case.to_json(self.instance.x), self.instance.ruling.cause])
        digest = hashlib.sha256(identity.encode()).hexdigest()[:8]
        return f"{self.subject.folder_name}-{case.short_name}-{digest}"

    def to_json(self) -> dict[str, Json]:
        """Return the content of ``finding.json``."""
        return {
            "schema": SCHEMA,
            "rankdiff": VERSION,
            "case": self.instance.case.name,
            "contract": self.instance.case.contract.to_json(),
            "subject": self.subject.to_json(),
            "found": self.found.to_json(),
            **self.instance.to_json(),
            "describes": self.instance.case.describe(self.instance.x),
            "confirmed": self.confirmed,
            "fresh_processes": list(self.confirmations),
            **({"unable": self.unable} if self.unable else {}),
            **({"fix": self.fix.to_json()} if self.fix else {}),
        }

    def write(self, folder: Path) -> None:
        """Write ``repro.py`` and ``finding.json`` into a folder."""
        whole.write(folder / NAME, json.dumps(self.to_json(), indent=2) + "\n")
        whole.write(folder / script.NAME, script.render(self.instance, self.subject))

    def confirm(self, folder: Path, times: int = 1) -> "tuple[Finding, list[script.ScriptRun]]":
        """Run the script that was written to a folder in fresh processes, in a mode whose counts count.

        A script that cannot run here, for want of something that it needs, confirms nothing and refutes nothing.
        """
        subject = self.subject.confirming()
        runs = [script.run(folder / script.NAME, subject) for _ in range(times)]
        able = [run for run in runs if not run.shows(script.COULD_NOT_RUN)]
        confirmations = tuple(run.shows(script.DEFECT_PRESENT) for run in able)
        unable = next((run.reason for run in runs if run not in able), "")
        return replace(self, confirmations=confirmations, unable=unable), runs


NAME = "finding.json"


@dataclass(frozen=True, slots=True)
class FindingsFolder:
    """Where findings are saved."""

    path: Path

    def verify_writable(self) -> None:
        """Find out before a long run whether its findings could be saved; leave nothing behind.

        Raises
        ------
        FindingsFolderError
            If they could not.
        """
        there = self.path
        while not there.exists() and there != there.parent:
            there = there.parent
        try:
            with tempfile.TemporaryFile(dir=there):
                pass
        except OSError as error:
            raise FindingsFolderError(
                f"findings should be saved under {self.path}, but {there} cannot be written "
                f"({error.strerror}); name another folder with --findings DIR"
            ) from error

    def save(self, finding: Finding) -> Path:
        """Write a finding to a folder of its own, over an older one of the same, and return that folder.

        Raises
        ------
        FindingsFolderError
            If it cannot be written.
        """
        folder = self.path / finding.folder_name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            finding.write(folder)
        except OSError as error:
            raise FindingsFolderError(
                f"the finding {finding.folder_name} cannot be saved under {self.path} ({error.strerror}); "
                f"name another folder with --findings DIR. It is: "
                f"{json.dumps(finding.to_json())}"
            ) from error
        return folder

    def inputs(self, case: AnyCase, note: Callable[[str], None]) -> Iterator[NamedTuple]:
        """Yield the inputs of a case that were found before; tell of files that cannot be read."""
        for path in sorted(self.path.glob(f"*/{NAME}")):
            try:
                saved = json.loads(path.read_text(encoding="utf-8"))
                if saved["case"] == case.name:
                    yield case.from_json(saved["input"])
            except (OSError, ValueError, KeyError, TypeError, AttributeError, BadInputError) as error:
                note(f"{path} is no finding that can be replayed ({type(error).__name__}: {error})")
