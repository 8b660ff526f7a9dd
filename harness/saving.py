"""Save new mismatches as they are seen, and confirm them in fresh processes when the subject is no longer busy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.certificate import Instance
from harness.errors import NotInstalledError, UnusableError
from harness.finding import Finding, FindingsFolder, Hunted, Proved
from harness.ledger import Entry
from harness.progress import Progress
from harness.settle import is_explained
from harness.subject import Subject


@dataclass(frozen=True, slots=True)
class Saved:
    """A finding and the folder that it was saved in."""

    finding: Finding
    folder: Path


@dataclass(slots=True)
class Saving:
    """Saves the findings of one domain, or of one hunt.

    Attributes
    ----------
    folder, progress
        Where they are saved, and who is told.
    subject, entries
        What is tested, and the ledger's entries about it: what they explain is not saved.
    how
        How an instance, at an index, was found.
    done
        What was saved before, by whomever; new ones are added when they are confirmed.
    """

    folder: FindingsFolder
    progress: Progress
    subject: Subject
    entries: Sequence[Entry]
    how: Callable[[int], Proved | Hunted]
    done: list[Saved]
    _pending: list[Saved] = field(default_factory=list)

    def mismatch(self, index: int, instance: Instance) -> None:
        """Save an instance, unless it is known or saved already.

        Raises
        ------
        FindingsFolderError
            If it cannot be saved.
        """
        if is_explained(instance.ruling, self.entries):
            return
        finding = Finding(instance, self.subject, self.how(index))
        if any(finding.folder_name == saved.finding.folder_name for saved in (*self.done, *self._pending)):
            return
        folder = self.folder.save(finding)
        self._pending.append(Saved(finding, folder))
        self.progress.note(f"found, and saved in {folder}: {instance.case.describe(instance.x)}")

    def shrunk(self, instances: Sequence[Instance]) -> None:
        """Save what a hunt's first instances have shrunk to, beside them."""
        for instance in instances:
            self.mismatch(-1, instance)

    def confirm(self) -> None:
        """Run the scripts of what was saved in fresh processes, and save what they showed.

        Raises
        ------
        KeyboardInterrupt
            If the user interrupts it; what is left stays saved, unconfirmed.
        """
        try:
            while self._pending:
                saved = self._pending[0]
                with self.progress.waiting(f"confirming {saved.finding.folder_name} in a fresh process"):
                    finding = _confirmed(saved)
                self.folder.save(finding)
                self.done.append(Saved(finding, saved.folder))
                del self._pending[0]
        finally:
            self.leave()

    def leave(self) -> None:
        """Leave what was saved unconfirmed."""
        self.done += self._pending
        self._pending.clear()


def _confirmed(saved: Saved) -> Finding:
    """Return the finding with what its script showed; as it was, where what should confirm it is not there."""
    try:
        return saved.finding.confirm(saved.folder)[0]
    except (NotInstalledError, UnusableError):
        return saved.finding
