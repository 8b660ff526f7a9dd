"""Filling the matrix: what is kept is taken, what is not is run, and what rests on a quick mode is confirmed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from packaging.version import Version

from harness import ledger as ledgers
from harness.cache import cache_folder
from harness.canaries.canary import faults, sing
from harness.case import AnyCase
from harness.environments import contents, environment, installer, interpreters
from harness.environments.interpreters import Interpreter
from harness.errors import NoReleasesError
from harness.library import Mode
from harness.progress import Progress
from harness.releases import index, kept
from harness.releases.bisection import bisect
from harness.releases.changes import Row, changes
from harness.releases.code import code
from harness.releases.kept import Basis
from harness.releases.matrix import Matrix, Question, is_refuted, merged, recalled, row_of
from harness.releases.outcome import Outcome, State
from harness.releases.running import Taken, Task, run


def fill(asked: Question, progress: Progress) -> Matrix:
    """Return the matrix.

    Where the package index cannot be asked it holds what is kept, and says so.

    Raises
    ------
    RankdiffError
        If it cannot be done: no release in the range, a Python that is not there, a cache that cannot be written.
    """
    try:
        with progress.waiting(f"looking up the releases of {asked.mode.distribution}"):
            listed = index.releases(asked.mode.distribution, pre=asked.pre)
    except NoReleasesError as error:
        return recalled(asked, str(error))
    index.remember(asked.mode.distribution, listed)
    there = tuple(version for version in listed if asked.holds(version))
    if not there:
        raise NoReleasesError(
            f"a release of {asked.mode.distribution} in the range was expected, but there are {_ends(listed)}"
        )
    ledgers.read(asked.library.ledger)  # what is broken is said before an hour of work
    python = asked.how.python
    interpreter = interpreters.named(python, installer.found().uv) if python else interpreters.ours()
    if python:  # it is looked for once
        asked = replace(asked, how=replace(asked.how, python=interpreter.path))
    filling = _Filling(asked, there, there[0] == listed[0], interpreter, code(asked.library), progress)
    try:
        if not filling.sing():
            return filling.matrix()
        filling.fill()
        filling.confirm()
    except KeyboardInterrupt:
        filling.disturbances.append("interrupted: what was done until then is kept; run the same again for the rest")
    return filling.matrix()


@dataclass(slots=True)
class _Filling:
    """A matrix on its way."""

    asked: Question
    releases: tuple[Version, ...]
    is_whole: bool
    interpreter: Interpreter
    code: str
    progress: Progress
    cells: dict[tuple[Version, str], Outcome] = field(default_factory=dict)
    counted: dict[tuple[Version, str], Outcome] = field(default_factory=dict)
    disturbances: list[str] = field(default_factory=list)
    _bases: dict[tuple[Version, str], Basis] = field(default_factory=dict)
    _fingerprints: dict[str, str] = field(default_factory=dict)

    def sing(self) -> bool:
        """Run the canaries first; return whether they were told apart: else nothing that is run says anything."""
        self.disturbances += [f"canary: {fault}" for fault in faults(sing(self.asked.how.limits))]
        return not self.disturbances

    def fill(self) -> None:
        """Look at all releases or, by bisection, at as many as are needed."""
        if not self.asked.bisect:
            self._look(dict.fromkeys(self.releases, self.asked.cases), self.asked.mode, self.cells)
            return
        for case in self.asked.cases:
            bisect(len(self.releases), self._state(case))

    def confirm(self) -> None:
        """Have the mode that counts run the newest release, and each that a change rests on.

        Where it says something else than the quick mode, the changes of that case are looked for in the mode that
        counts alone, by bisection.
        """
        counting = self.asked.counting
        if counting is None:
            return
        decisive = [(case, self._decisive(case)) for case in self.asked.cases]
        wanted = {version: [case for case, those in decisive if version in those] for version in self.releases}
        self._look(wanted, counting, self.counted)
        for case in self.asked.cases:
            if is_refuted(self._row(case)):
                bisect(len(self.releases), self._counted_state(case, counting))

    def matrix(self) -> Matrix:
        """Return what is known until now."""
        cells = merged(self.asked, self.cells, self.counted)
        return Matrix(self.asked, self.releases, self.is_whole, cells, tuple(dict.fromkeys(self.disturbances)))

    def _row(self, case: AnyCase) -> Row:
        return row_of(self.releases, merged(self.asked, self.cells, self.counted), case)

    def _decisive(self, case: AnyCase) -> set[Version]:
        """Return the releases that the answer about a case rests on, and that can run."""
        row = self._row(case)
        ran = [version for version, outcome in row if outcome.status == "run"]
        rests = {version for change in changes(row, is_whole=self.is_whole) for version in change.versions}
        return {Version(version) for version in ran if version in rests or version == ran[-1]}

    def _state(self, case: AnyCase) -> Callable[[int], State | None]:
        def look(place: int) -> State | None:
            version = self.releases[place]
            self._look({version: self.asked.cases}, self.asked.mode, self.cells)
            return self.cells[version, case.name].state

        return look

    def _counted_state(self, case: AnyCase, counting: Mode) -> Callable[[int], State | None]:
        """Return what looks at a release in the mode that counts, unless a quick mode could not run it."""

        def look(place: int) -> State | None:
            version = self.releases[place]
            quick = self.cells.get((version, case.name))
            if quick and quick.status != "run":
                return quick.state
            if quick is None:
                self._look({version: self.asked.cases}, self.asked.mode, self.cells)
                return look(place)
            self._look({version: [case]}, counting, self.counted)
            return self.counted[version, case.name].state

        return look

    def _look(
        self,
        wanted: Mapping[Version, Sequence[AnyCase]],
        mode: Mode,
        cells: dict[tuple[Version, str], Outcome],
    ) -> None:
        """Take what is kept of these releases in a mode, and run the rest."""
        tasks = []
        for version, cases in wanted.items():
            left = tuple(case for case in cases if (version, case.name) not in cells)
            if left and not self.asked.again:
                left = tuple(case for case in left if not self._recall(version, mode, case, cells))
            if left:
                tasks.append(Task(version, mode, left))

        def take(taken: Taken) -> None:
            cells[taken.task.version, taken.outcome.case] = taken.outcome
            if taken.is_clean:
                basis = self._basis(taken.task.version, mode)
                kept.write(mode, taken.task.version, taken.outcome, basis, taken.source)

        self.disturbances += run(self.asked.library, tasks, self.asked.how, self.progress, take)

    def _recall(self, version: Version, mode: Mode, case: AnyCase, cells: dict[tuple[Version, str], Outcome]) -> bool:
        found = kept.read(mode, version, case.name, self._basis(version, mode), self._fingerprint)
        if found:
            cells[version, case.name] = found
        return found is not None

    def _fingerprint(self, place: str) -> str:
        """Return a hash of what is in an environment, which is looked at once: a run changes none that it finds."""
        if place not in self._fingerprints:
            folder = cache_folder() / "environments" / place
            self._fingerprints[place] = contents.fingerprint(folder)
        return self._fingerprints[place]

    def _basis(self, version: Version, mode: Mode) -> Basis:
        if (version, mode.name) not in self._bases:
            wanted = self.asked.how.wanted(mode, version)
            key = environment.key(wanted, self.asked.library, self.interpreter)
            self._bases[version, mode.name] = Basis(self.code, key)
        return self._bases[version, mode.name]


def _ends(listed: Sequence[Version]) -> str:
    return f"{listed[0]} to {listed[-1]}" if listed else "none"
