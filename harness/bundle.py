"""A bundle: a divergence written out as a folder that upstream can run, moved into place only when it holds."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness.case import AnyCase
from harness.errors import BundleError
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.finding import Finding, Proved
from harness.limits import DEFAULT, Limits
from harness.progress import Progress
from harness.script import DEFECT_PRESENT
from harness.subject import Subject

FRESH_PROCESSES = 2


@dataclass(frozen=True, slots=True)
class Bundle:
    """A finding, and the folder where it was written out."""

    finding: Finding
    folder: Path


def write(subject: Subject, case: AnyCase, out: Path | None, progress: Progress, limits: Limits = DEFAULT) -> Bundle:
    """Find the smallest divergence of a subject from a case, and write its bundle.

    Parameters
    ----------
    out
        The folder to write; by default one in the current folder, named after subject and case. It must not
        exist, or be empty.

    Raises
    ------
    BundleError
        If there is no divergence, the folder is taken, or a fresh process does not show the divergence.
    WorkerFailedToStartError
        If the subject cannot run.
    """
    folder = out if out is not None else Path(f"{subject.mode.distribution}-{subject.label}-{case.short_name}")
    _verify_free(folder)
    finding = None
    certificates = []
    with Executor(subject, limits) as executor:
        for domain in case.domains:
            title = f"{case.name}: {domain.title}"
            with progress.counting(title, len(domain.inputs), subject.library.first_call) as advance:
                certificate = exhaust(case, domain, executor, Watch(advance))
            certificates.append(certificate)
            if certificate.smallest:
                index, instance = certificate.smallest
                finding = Finding(instance, subject, Proved(domain, index))
                break
    if finding is None:
        if all(certificate.is_unsupported for certificate in certificates):
            reason = certificates[0].tally.unsupported
            raise BundleError(
                f"{subject.title} does not offer what {case.name} is about, so nothing was tested: {reason}"
            )
        raise BundleError(
            f"{subject.title} shows no divergence from {case.name} in its domains: there is nothing to bundle"
        )
    return Bundle(*_write(finding, folder, progress))


def _write(finding: Finding, folder: Path, progress: Progress) -> tuple[Finding, Path]:
    """Write into a temporary folder beside the place, run the script there, then move it into place."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".rankdiff-", dir=folder.parent))
    except OSError as error:
        raise BundleError(f"{folder} cannot be written ({error.strerror}); choose another --out DIR") from error
    try:
        finding.write(temporary)
        with progress.waiting(f"running its script in {FRESH_PROCESSES} fresh processes"):
            confirmed, runs = finding.confirm(temporary, FRESH_PROCESSES)
        for run in runs:
            if not run.shows(DEFECT_PRESENT):
                raise BundleError(
                    f"the script should end with {DEFECT_PRESENT} and status 1 in a fresh process, but ended "
                    f"with {run.last_line!r} and status {run.status}; no bundle was written. It printed:\n"
                    f"{run.output}"
                )
        confirmed.write(temporary)
        temporary.chmod(0o755)
        if folder.exists():
            folder.rmdir()  # it is empty
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return confirmed, folder


def _verify_free(folder: Path) -> None:
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise BundleError(f"{folder} exists already; move it away, or choose another --out DIR")
