"""What a run of the check showed: every case of every library, and what it comes to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from harness.canaries.canary import Canary, faults
from harness.case import AnyCase
from harness.certificate import Certificate
from harness.hunt import Hunt
from harness.ledger import Entry
from harness.library import Library, Mode
from harness.proof import Hello, LoadedModule
from harness.saving import Saved
from harness.settle import Problem
from harness.subject import Subject
from harness.verdict import Verdict


@dataclass(frozen=True, slots=True)
class CaseRun:
    """What a run showed of one case."""

    case: AnyCase
    status: Literal["run", "not_run", "cannot_run"]
    reason: str = ""
    certificates: tuple[Certificate, ...] = ()
    hunt: Hunt | None = None
    entries: tuple[Entry, ...] = ()
    """The ledger's entries about it at this version; in a mode that the ledger does not count, those that were seen."""
    problems: tuple[Problem, ...] = ()
    shown: Mapping[str, bool] = field(default_factory=dict)
    """By cause of which the ledger lists inputs beyond the domains: whether one of them shows it."""

    @property
    def is_unsupported(self) -> bool:
        """Whether the subject offers nothing of what the case is about."""
        return bool(self.certificates) and all(certificate.is_unsupported for certificate in self.certificates)

    @property
    def seen(self) -> frozenset[str]:
        """The causes that it showed, in a domain or beyond."""
        causes = {cause for certificate in self.certificates for cause in certificate.tally.causes}
        causes |= {instance.ruling.cause for instance in (self.hunt.found if self.hunt else ())}
        return frozenset(causes | {cause for cause, is_shown in self.shown.items() if is_shown})

    @property
    def comparisons(self) -> int:
        """How many inputs the subject answered, so that what it did was compared."""
        inputs = sum(certificate.inputs for certificate in self.certificates)
        return inputs - sum(one.tally.verdicts()[Verdict.UNSUPPORTED] for one in self.certificates)


@dataclass(frozen=True, slots=True)
class LibraryRun:
    """What a run showed of one library in one mode, or of one release of it where several are installed.

    Attributes
    ----------
    subject
        What was tested; none where it is not there, and ``absence`` says so in a few words.
    hello, modules
        The proof of what was tested: the interpreter, and every module of the library that came to be used.
    """

    library: Library
    mode: Mode
    subject: Subject | None
    hello: Hello | None
    modules: tuple[LoadedModule, ...]
    cases: tuple[CaseRun, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]
    disturbances: tuple[str, ...]
    absence: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a whole run showed.

    Attributes
    ----------
    canaries
        What became of the subjects that every run has to tell apart first.
    """

    libraries: tuple[LibraryRun, ...]
    saved: tuple[Saved, ...]
    required: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    interrupted: bool = False
    canaries: tuple[Canary, ...] = ()

    @property
    def cases(self) -> list[CaseRun]:
        """All cases, library by library."""
        return [case for library in self.libraries for case in library.cases]

    @property
    def problems(self) -> list[Problem]:
        """All places where the run and a ledger part."""
        of_ledgers = list(dict.fromkeys(problem for library in self.libraries for problem in library.problems))
        return of_ledgers + [problem for case in self.cases for problem in case.problems]

    @property
    def warnings(self) -> list[str]:
        """What somebody should look at, once for all releases and modes."""
        return list(dict.fromkeys(warning for library in self.libraries for warning in library.warnings))

    @property
    def obstacles(self) -> list[str]:
        """What kept the run, or a part of it that was asked for, from being done."""
        silent = self.interrupted and not self.canaries  # it ended before there was one
        found = [] if silent else [f"canary: {fault}" for fault in faults(self.canaries)]
        found += ["interrupted: what was found until then is kept"] if self.interrupted else []
        reasons: dict[str, list[str]] = {}
        ran = {run.case.library for run in self.cases if run.status == "run"}
        for run in self.cases:
            asked_for = bool(self.required & {run.case.name, run.case.library}) or (
                run.case.library in self.asked and run.case.library not in ran
            )
            if run.status == "cannot_run" or (run.status == "not_run" and asked_for and not self.interrupted):
                reasons.setdefault(run.reason, []).append(run.case.name)
        for reason, names in reasons.items():
            found.append(f"{reason} ({names[0] if len(names) == 1 else f'{len(names)} contracts'})")
        found += [
            f"{run.case.name}: unsupported: {certificate.tally.unsupported}"
            for run in self.cases
            for certificate in run.certificates[:1]
            if certificate.is_unsupported and self.required & {run.case.name, run.case.library}
        ]
        cut_short = [f"{run.case.name}: the hunt ended early" for run in self.cases if run.hunt and run.hunt.cut_short]
        found += cut_short + [text for library in self.libraries for text in library.disturbances]
        return found or self._emptiness()

    def _emptiness(self) -> list[str]:
        """Return why nothing was compared, where nothing was."""
        if any(run.comparisons for run in self.cases):
            return []
        if not any(run.status == "run" for run in self.cases):
            return ["nothing was run: no library is installed that was to be tested"]
        return ["nothing was compared: what was tested offers nothing of what the cases are about"]

    @property
    def exit_status(self) -> int:
        """0: as the ledger says. 1: a divergence that is new, gone or moved. 2: it could not be done."""
        if self.obstacles:
            return 2
        return 1 if self.problems else 0
