"""A run of the comparison: a proposed change before every installed release of a library."""

from collections.abc import Iterator, Sequence

from harness.case import AnyCase
from harness.errors import NotInstalledError, PatchError, UnknownModeError
from harness.library import Library, Mode
from harness.progress import Progress
from harness.shadow import upstream
from harness.shadow.compare import Plan, compare
from harness.shadow.comparison import Comparison, unable
from harness.shadow.proposal import Proposal, Shadowed, Shadowing
from harness.subject import Subject, subjects


def shadow(
    library: Library,
    first: Sequence[AnyCase],
    proposal: Proposal,
    mode: str | None,
    plan: Plan,
    progress: Progress,
) -> list[Comparison]:
    """Compare every release of a library that is found with what a proposed change makes of it.

    Parameters
    ----------
    first
        The cases to tell first; all others that are about the mode follow.
    mode
        The mode to run; the first that a change can be put before, if none is named.

    Raises
    ------
    RankdiffError
        If it cannot be done at all: no such mode, nothing installed, a proposal that cannot be used.
    """
    if not proposal.patches and not proposal.replacements:
        raise PatchError(
            "a patch was expected, or with --java FILE a source file that replaces a class, and none is named"
        )
    if plan.tests is not None:
        upstream.required(plan.tests)
    chosen = _mode(library, mode)
    put_before = chosen.shadow
    if put_before is None:
        raise UnknownModeError(f"{library.name} in the mode {chosen.name} runs nothing that a change can be put before")
    cases = [case for case in (*first, *(c for c in library.cases if c not in first)) if case.is_about(chosen.name)]
    try:
        found = subjects(library, chosen)
    except NotInstalledError as error:
        raise NotInstalledError(f"{library.name} cannot be run in the mode {chosen.name}: {error}") from error
    with progress.waiting("making the patched copy"):
        pairs = list(_put_before(found, put_before, proposal))
    done: list[Comparison] = []
    for subject, shadowed in pairs:
        if isinstance(shadowed, PatchError):
            done.append(unable(subject, cases, str(shadowed)))
        elif not any(one.is_interrupted for one in done):
            done.append(compare(subject, shadowed, cases, plan, progress))
    return done


def _put_before(
    found: Sequence[Subject], put_before: Shadowing, proposal: Proposal
) -> Iterator[tuple[Subject, Shadowed | PatchError]]:
    """Yield each release with the change before it, or why it cannot be; what can be put before none is raised."""
    refused: list[PatchError] = []
    for subject in found:
        try:
            yield subject, put_before(subject.title, subject.installation, proposal)
        except PatchError as error:
            refused.append(error)
            if len(refused) == len(found):
                raise
            yield subject, error


def exit_status(comparisons: Sequence[Comparison]) -> int:
    """Return 0 if something is fixed by each and nothing broken, 2 if one could not be judged, and else 1."""
    return max(one.conclusion.exit_status for one in comparisons)


def _mode(library: Library, name: str | None) -> Mode:
    if name is not None:
        return library.mode(name)
    return next((mode for mode in library.modes if mode.shadow), library.modes[0])
