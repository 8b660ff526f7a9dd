"""A run of the check: every chosen case of every chosen library, settled against the ledgers."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from harness import ledger as ledgers
from harness.beyond import shown
from harness.canaries.canary import Canary, sing
from harness.case import AnyCase, AnyDomain
from harness.certificate import Certificate
from harness.errors import (
    BrokenAdapterError,
    MiscountedDomainError,
    NotInstalledError,
    UnknownModeError,
    UnusableError,
    WorkerFailedToStartError,
)
from harness.execute import Executor
from harness.exhaust import InterruptedCheckError, Watch, exhaust
from harness.finding import FindingsFolder, Hunted, Proved
from harness.hunt import Hunt, Plan, hunt
from harness.ledger import Entry, Ledger
from harness.library import Library, Mode
from harness.limits import DEFAULT, Limits
from harness.progress import Progress
from harness.proof import Hello
from harness.report import CaseRun, LibraryRun, Report
from harness.saving import Saved, Saving
from harness.settle import is_explained, overdue, settle_case, settle_ledger
from harness.subject import Subject, subjects

Selection = Sequence[tuple[Library, tuple[AnyCase, ...]]]


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller can choose.

    Attributes
    ----------
    findings
        Where findings are saved.
    thorough
        Whether every domain is run, or only those of a plain check.
    examples
        How many inputs a hunt tries for each case.
    seed
        The same seed hunts the same inputs.
    mode
        The mode to run; the usual one of each case, if none is named.
    required
        Libraries and cases that must run whole.
    asked
        Libraries of which something must run.
    reviews
        Whether a passed review date is a problem, not a warning.
    """

    findings: FindingsFolder
    thorough: bool = False
    examples: int = 100
    seed: int = 0
    mode: str | None = None
    required: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    reviews: bool = False
    limits: Limits = DEFAULT


@dataclass(slots=True)
class _Run:
    """One run on its way."""

    options: Options
    progress: Progress
    saved: list[Saved] = field(default_factory=list)
    interrupted: bool = False

    def canaries(self) -> tuple[Canary, ...]:
        """Run the subjects that have to be told apart first."""
        try:
            return sing(self.options.limits)
        except (KeyboardInterrupt, InterruptedCheckError):
            self.interrupted = True
            return ()

    def library(self, library: Library, cases: Sequence[AnyCase]) -> list[LibraryRun]:
        """Run the cases of one library, each in its mode, on every release that is installed for it."""
        ledger = ledgers.read(library.ledger)
        done: list[LibraryRun] = []
        for mode in library.modes:
            chosen = [case for case in cases if mode == self.mode(library, case)]
            if not chosen:
                continue
            try:
                found = subjects(library, mode)
            except (NotInstalledError, UnusableError) as error:
                done.append(_absent(library, mode, chosen, ledger, error))
                continue
            done += [self._subject(subject, chosen, ledger) for subject in found]
        return done

    def mode(self, library: Library, case: AnyCase) -> Mode:
        """Return the mode in which a case is run.

        Raises
        ------
        UnknownModeError
            If the library does not have it.
        """
        return library.usual_mode(case) if self.options.mode is None else library.mode(self.options.mode)

    def _subject(self, subject: Subject, cases: Sequence[AnyCase], ledger: Ledger) -> LibraryRun:
        library = subject.library
        late = overdue(ledger, subject.version, date.today())  # noqa: DTZ011 - the user's day
        of_ledger = settle_ledger(ledger, library.cases + library.elsewhere)
        problems = tuple(of_ledger + late if self.options.reviews else of_ledger)
        warnings = () if self.options.reviews else tuple(problem.text for problem in late)
        with Executor(subject, self.options.limits) as executor:
            hello, runs = self._cases(executor, subject, cases, ledger)
            modules = executor.stop() or (hello.modules if hello else ())
            disturbances = tuple(executor.disturbances)
        return LibraryRun(library, subject.mode, subject, hello, modules, runs, problems, warnings, disturbances)

    def _cases(
        self, executor: Executor, subject: Subject, cases: Sequence[AnyCase], ledger: Ledger
    ) -> tuple[Hello | None, tuple[CaseRun, ...]]:
        runs: list[CaseRun] = []
        hello = None
        try:
            if not self.interrupted:
                with self.progress.waiting(f"starting {subject.title}"):
                    hello = executor.start()
            for case in cases:
                if self.interrupted:
                    break
                try:
                    runs.append(self._case(case, executor, ledger))
                except (BrokenAdapterError, MiscountedDomainError) as error:
                    executor.end()
                    runs.append(CaseRun(case, "cannot_run", str(error)))
        except WorkerFailedToStartError as error:
            runs += [CaseRun(case, "cannot_run", str(error)) for case in cases[len(runs) :]]
        except KeyboardInterrupt:
            self.interrupted = True
        runs += [CaseRun(case, "not_run", "interrupted") for case in cases[len(runs) :]]
        return hello, tuple(runs)

    def _case(self, case: AnyCase, executor: Executor, ledger: Ledger) -> CaseRun:
        subject = executor.subject
        entries = tuple(ledger.entries_for(case.name, subject.version))
        before = self._hunt(case, executor, entries, Plan(0, self.options.seed, self._found_before(case)), set())
        certificates = [
            self._domain(case, domain, executor, entries)
            for domain in case.domains
            if not self.interrupted and (self.options.thorough or not domain.thorough)
        ]
        seen = {cause for certificate in certificates for cause in certificate.tally.causes}
        seen |= {instance.ruling.cause for instance in before.found}
        plan = Plan(self.options.examples, self.options.seed)
        beyond = case.beyond is not None and all(one.exhausted and not one.is_unsupported for one in certificates)
        hunted = self._hunt(case, executor, entries, plan, seen) if beyond and not self.interrupted else None
        hunts = before if hunted is None else before.followed_by(hunted)
        beyond_shown = self._shown(case, executor, entries)
        news = settle_case(subject, entries, certificates, hunts, self._refuted(case, subject), beyond_shown)
        seen |= {instance.ruling.cause for instance in hunts.found}
        known = tuple(entry for entry in entries if subject.mode.is_counted or entry.cause in seen)
        hunted = hunts if hunts.examples else None
        return CaseRun(case, "run", "", tuple(certificates), hunted, known, tuple(news), beyond_shown)

    def _domain(self, case: AnyCase, domain: AnyDomain, executor: Executor, entries: Sequence[Entry]) -> Certificate:
        saving = self._saving(executor.subject, entries, lambda index: Proved(domain, index))
        compiling = "" if executor.has_answered(case.call) else executor.subject.library.first_call
        with self.progress.counting(f"{case.name}: {domain.title}", len(domain.inputs), compiling) as advance:
            try:
                certificate = exhaust(case, domain, executor, Watch(advance, saving.mismatch))
            except InterruptedCheckError as interrupt:
                self.interrupted = True
                certificate = interrupt.certificate
        self._confirm(saving)
        return certificate

    def _hunt(
        self, case: AnyCase, executor: Executor, entries: Sequence[Entry], plan: Plan, seen: Collection[str]
    ) -> Hunt:
        saving = self._saving(executor.subject, entries, lambda _: Hunted(plan.seed))
        with self.progress.counting(f"{case.name}: beyond", plan.examples + len(plan.before)) as advance:
            hunted = hunt(
                case,
                executor,
                plan,
                lambda ruling: ruling.cause in seen or is_explained(ruling, entries),
                Watch(advance, saving.mismatch),
            )
        self.interrupted |= hunted.interrupted
        saving.shrunk(hunted.found)
        self._confirm(saving)
        return hunted

    def _shown(self, case: AnyCase, executor: Executor, entries: Sequence[Entry]) -> dict[str, bool]:
        try:
            return {} if self.interrupted else shown(case, executor, entries)
        except KeyboardInterrupt:
            self.interrupted = True
            return {}

    def _found_before(self, case: AnyCase) -> tuple[NamedTuple, ...]:
        return tuple(self.options.findings.inputs(case, self.progress.note))

    def _refuted(self, case: AnyCase, subject: Subject) -> set[str]:
        """Return the causes of which scripts ran in fresh processes, and showed no instance."""
        findings = [saved.finding for saved in self.saved]
        ours = [f for f in findings if f.instance.case is case and f.subject is subject and f.confirmations]
        confirmed = {finding.instance.ruling.cause for finding in ours if finding.confirmed}
        return {finding.instance.ruling.cause for finding in ours} - confirmed

    def _saving(self, subject: Subject, entries: Sequence[Entry], how: Callable[[int], Proved | Hunted]) -> Saving:
        return Saving(self.options.findings, self.progress, subject, entries, how, self.saved)

    def _confirm(self, saving: Saving) -> None:
        if self.interrupted:
            saving.leave()
            return
        try:
            saving.confirm()
        except KeyboardInterrupt:
            self.interrupted = True


def check(selection: Selection, options: Options, progress: Progress) -> Report:
    """Run the canaries, then the chosen cases, and settle these against the ledgers.

    Raises
    ------
    RankdiffError
        If the run cannot be done at all: a broken ledger, a mode that is not there, a folder that cannot be written.
    """
    options.findings.verify_writable()
    run = _Run(options, progress)
    for library, cases in selection:  # what is broken is reported before an hour of work
        ledgers.read(library.ledger)
        for case in cases:
            run.mode(library, case)
    canaries = run.canaries()
    done = tuple(one for library, cases in selection for one in run.library(library, cases))
    return Report(done, tuple(run.saved), options.required, options.asked, run.interrupted, canaries)


def selected(selection: Selection, mode: str | None, named: Collection[str] = ()) -> Selection:
    """Return what can run in a mode; everything where no mode is named.

    Where the user named neither case nor library, a library without that mode is left out.

    Raises
    ------
    UnknownModeError
        If no library has it, one that was named does not, none of the cases of a library is about it, or a case that
        was named is not.
    """
    if mode is None:
        return selection
    chosen = []
    if not named:
        having = [(library, cases) for library, cases in selection if any(mode == one.name for one in library.modes)]
        selection = having or selection
    for library, cases in selection:
        library.mode(mode)
        about = tuple(case for case in cases if case.is_about(mode))
        others = [case for case in cases if not case.is_about(mode) and (not about or case.name in named)]
        if others:
            names = ", ".join(case.name for case in others)
            modes = " or ".join(dict.fromkeys(name for case in others for name in case.modes))
            raise UnknownModeError(
                f"{names} {'is' if len(others) == 1 else 'are'} about the mode {modes}, not {mode!r}"
            )
        chosen.append((library, about))
    return chosen


def _absent(
    library: Library,
    mode: Mode,
    cases: Sequence[AnyCase],
    ledger: Ledger,
    error: NotInstalledError | UnusableError,
) -> LibraryRun:
    is_there = isinstance(error, UnusableError)
    runs = tuple(CaseRun(case, "cannot_run" if is_there else "not_run", str(error)) for case in cases)
    problems = tuple(settle_ledger(ledger, library.cases + library.elsewhere))
    absence = "cannot be used" if is_there else "not installed"
    return LibraryRun(library, mode, None, None, (), runs, problems, (), (), absence)
