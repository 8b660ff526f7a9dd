"""Our own patches as proposals: what they change, found out as ``rankdiff shadow`` does."""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.case import AnyCase, AnyDomain
from harness.certificate import Certificate
from harness.library import Library
from harness.limits import DEFAULT
from harness.progress import Progress
from harness.shadow import git, upstream
from harness.shadow.compare import Plan, compare
from harness.shadow.comparison import Comparison
from harness.shadow.proposal import Proposal, Shadowed
from harness.shadow.transition import Transition
from harness.subject import Subject, subjects
from harness.verdict import Verdict

SILENT = Progress(bars=False)

SAME = {Transition.UNCHANGED, Transition.STILL_WRONG}
"""What a patch that is about something else does."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """Patches before a subject."""

    before: Subject
    patches: tuple[Path, ...]

    @property
    def shadowed(self) -> Shadowed:
        """The patched copy."""
        put_before = self.before.mode.shadow
        assert put_before
        return put_before(self.before.title, self.before.installation, Proposal(self.patches))

    @property
    def after(self) -> Subject:
        """The patched copy as a subject."""
        return replace(self.before, installation=self.shadowed.installation)

    def compare(self, cases: Sequence[AnyCase], *, thorough: bool = False, examples: int = 0) -> Comparison:
        """Compare before and after on these cases."""
        plan = Plan(thorough=thorough, examples=examples, limits=DEFAULT)
        done = compare(self.before, self.shadowed, cases, plan, SILENT)
        assert done.obstacles == ()
        assert all(domain.exhausted for case in done.cases for domain in case.domains)
        return done

    def on(self, case: AnyCase, domain: AnyDomain) -> tuple[Comparison, Certificate]:
        """Compare on one domain of a case; return what the patched copy does there, too."""
        done = self.compare([replace(case, domains=(domain,))], thorough=True)
        return done, done.cases[0].domains[0].after

    def run_own_tests(self, folder: Path) -> upstream.SuiteRun:
        """Run the tests that the patches bring."""
        folder.mkdir(exist_ok=True)
        (folder / "pyproject.toml").touch()  # what marks a project
        for patch in self.patches:
            git.apply(folder, patch.read_bytes(), "--include=tests/*").check_returncode()
        return upstream.run(folder / "tests", self.after)


def is_installed(library: Library) -> bool:
    """Return whether the library's package is found."""
    return importlib.util.find_spec(library.modes[0].packages[0]) is not None


def proposed(library: Library, *patches: Path, mode: str | None = None) -> Proposed:
    """Return patches before the installed release of a library, in its usual mode if no other is named."""
    [before] = subjects(library, library.mode(mode) if mode else library.modes[0])
    return Proposed(before, patches)


def agrees(certificate: Certificate) -> bool:
    """Return whether a subject agrees on a whole domain, but for what leaves a choice."""
    verdicts = certificate.tally.verdicts()
    allowed = {Verdict.AGREES, Verdict.UNDECIDABLE, Verdict.UNSPECIFIED}
    return set(verdicts) <= allowed and verdicts[Verdict.AGREES] > verdicts[Verdict.UNDECIDABLE]
