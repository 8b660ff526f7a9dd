"""A bundle: a divergence written out as a folder that upstream can run, moved into place only when it holds."""

import json
import platform
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness import ledger, script
from harness.case import AnyCase
from harness.certificate import Certificate
from harness.environments.environment import Wanted, obtain
from harness.errors import BundleError
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.finding import Finding, Fix, Proved
from harness.jsontypes import Json
from harness.limits import DEFAULT, Limits
from harness.progress import Progress
from harness.proof import Hello, LoadedModule
from harness.script import DEFECT_PRESENT, OK, ScriptRun
from harness.shadow.compare import Plan, compare
from harness.shadow.proposal import Proposal
from harness.subject import Subject
from harness.version import VERSION

FRESH_PROCESSES = 2

SCHEMA = 1

ENVIRONMENT = "environment.json"


@dataclass(frozen=True, slots=True)
class Order:
    """How a bundle is written.

    Attributes
    ----------
    out
        The folder to write; by default one in the current folder, named after subject and case.
    fix
        Patches with which the divergence has to be gone; by default those that the ledger names for it.
    is_fresh
        Whether the script is run in an environment made from its own header, too.
    is_zipped
        Whether the folder is written as a zip file beside it, too.
    is_replacing
        Whether a folder that is there is replaced, when the new one holds.
    """

    out: Path | None = None
    fix: tuple[Path, ...] = ()
    is_fresh: bool = False
    is_zipped: bool = False
    is_replacing: bool = False


@dataclass(frozen=True, slots=True)
class Bundle:
    """A finding, and the files where it was written out."""

    finding: Finding
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class _Proof:
    """What a worker says of what was tested."""

    hello: Hello
    modules: tuple[LoadedModule, ...]

    def to_json(self) -> dict[str, Json]:
        """Return the content of ``environment.json``."""
        return {
            "schema": SCHEMA,
            "rankdiff": VERSION,
            "system": platform.system(),
            "machine": platform.machine(),
            "python": self.hello.python,
            "platform": dict(self.hello.platform),
            "modules": {module.name: module.sha256 for module in self.modules},
        }


def write(subject: Subject, case: AnyCase, order: Order, progress: Progress, limits: Limits = DEFAULT) -> Bundle:
    """Find the smallest divergence of a subject from a case, and write its bundle.

    Parameters
    ----------
    order
        How. The folder must not exist, or be empty.

    Raises
    ------
    BundleError
        If there is no divergence, the folder is taken, a fresh process does not show the divergence, or one with the
        fix still does.
    WorkerFailedToStartError
        If the subject cannot run.
    UnusableError
        If an environment is to be made, and cannot be.
    """
    folder = order.out if order.out is not None else Path(usual_name(subject, case))
    if not order.is_replacing:
        _verify_free(folder)
    if order.is_zipped:
        _verify_free(_zip_of(folder))
    certificate, proof = _searched(subject, case, progress, limits)
    assert certificate.smallest  # noqa: S101 - it is searched for
    index, instance = certificate.smallest
    finding = Finding(instance, subject, Proved(certificate.domain, index))
    return _write(finding, proof, folder, order, progress)


def usual_name(subject: Subject, case: AnyCase) -> str:
    """Return the name of a bundle's folder, where nobody says another."""
    return f"{subject.mode.distribution}-{subject.label}-{case.short_name}"


def _searched(subject: Subject, case: AnyCase, progress: Progress, limits: Limits) -> tuple[Certificate, _Proof]:
    """Return the certificate of the first domain with a divergence, and what was tested."""
    certificates = []
    with Executor(subject, limits) as executor:
        hello = executor.start()
        for domain in case.domains:
            title = f"{case.name}: {domain.title}"
            with progress.counting(title, len(domain.inputs), subject.library.first_call) as advance:
                certificate = exhaust(case, domain, executor, Watch(advance))
            certificates.append(certificate)
            if certificate.smallest:
                return certificate, _Proof(hello, executor.stop() or hello.modules)
    if all(certificate.is_unsupported for certificate in certificates):
        reason = certificates[0].tally.unsupported
        raise BundleError(f"{subject.title} does not offer what {case.name} is about, so nothing was tested: {reason}")
    raise BundleError(
        f"{subject.title} shows no divergence from {case.name} in its domains: there is nothing to bundle"
    )


def _write(finding: Finding, proof: _Proof, folder: Path, order: Order, progress: Progress) -> Bundle:
    """Write into a temporary folder beside the place, run the script there, then move it into place."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".rankdiff-", dir=folder.parent))
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        finding.write(temporary)
        confirmed = _confirmed(finding, temporary, order, progress)
        confirmed.write(temporary)
        (temporary / ENVIRONMENT).write_text(json.dumps(proof.to_json(), indent=2, ensure_ascii=False) + "\n")
        for name, path in _fix_files(confirmed):
            shutil.copyfile(path, temporary / name)
        temporary.chmod(0o755)
        names = sorted(path.name for path in temporary.iterdir())
        if folder.exists():
            folder.rename(temporary.with_name(f"{temporary.name}-old"))
        temporary.rename(folder)
        zipped = [_zipped(folder)] if order.is_zipped else []
    except OSError as error:
        raise _unwritable(folder, error) from error
    finally:
        for left in (temporary, temporary.with_name(f"{temporary.name}-old")):
            shutil.rmtree(left, ignore_errors=True)
    return Bundle(confirmed, (*(folder / name for name in names), *zipped))


def _confirmed(finding: Finding, temporary: Path, order: Order, progress: Progress) -> Finding:
    """Return the finding as fresh processes show it; with its fix, if there is one."""
    with progress.waiting(f"running its script in {FRESH_PROCESSES} fresh processes"):
        confirmed, runs = finding.confirm(temporary, FRESH_PROCESSES)
    for run in runs:
        _require(run, DEFECT_PRESENT, "in a fresh process")
    if order.is_fresh:
        _require(_run_afresh(finding, temporary, progress), DEFECT_PRESENT, "in an environment made from its header")
    patches = order.fix or _known_fix(finding)
    return replace(confirmed, fix=_mended(finding, patches, temporary, progress)) if patches else confirmed


def _require(run: ScriptRun, line: str, where: str) -> None:
    if not run.shows(line):
        raise BundleError(
            f"the script should end with {line} and status {script.STATUS[line]} {where}, but ended "
            f"with {run.last_line!r} and status {run.status}; no bundle was written. It printed:\n{run.output}"
        )


def _run_afresh(finding: Finding, temporary: Path, progress: Progress) -> ScriptRun:
    """Run the script in an environment that holds what its header names, and nothing else."""
    subject, case = finding.subject.confirming(), finding.instance.case
    if not subject.mode.is_distribution:
        raise BundleError(f"{subject.title} is no Python distribution: an environment cannot be made from the header")
    written = case.script(finding.instance.x).dependencies or (f"{subject.mode.distribution}=={subject.version}",)
    spec, *extras = (subject.installation.origin or written[0], *written[1:])
    installation = obtain(Wanted(spec, extras=tuple(extras)), subject.mode, subject.library, progress)
    return script.run(temporary / script.NAME, replace(subject, installation=installation))


def _known_fix(finding: Finding) -> tuple[Path, ...]:
    """Return the patches that the ledger names for what was found."""
    subject, cause = finding.subject, finding.instance.ruling.cause
    entries = ledger.read(subject.library.ledger).entries_for(finding.instance.case.name, subject.version)
    return next((entry.fix for entry in entries if entry.cause == cause), ())


def _mended(finding: Finding, patches: Sequence[Path], temporary: Path, progress: Progress) -> Fix:
    """Return the fix, with which the script has to show nothing, and what it does to the domain.

    Raises
    ------
    BundleError
        If the script does not see it, or still shows the divergence.
    """
    subject, case, found = finding.subject.confirming(), finding.instance.case, finding.found
    assert isinstance(found, Proved)  # noqa: S101 - as `write` finds it
    put_before = subject.mode.shadow
    if put_before is None:
        raise BundleError(f"{subject.title} in the mode {subject.mode.name} cannot be patched: leave the fix out")
    shadowed = put_before(subject.title, subject.installation, Proposal(tuple(patches)))
    if shadowed.installation.shadow is None:
        raise BundleError(f"the script does not see a patched {subject.title}: leave the fix out")
    after = replace(subject, installation=shadowed.installation)
    with progress.waiting(f"running its script with {after.title}"):
        _require(script.run(temporary / script.NAME, after), OK, f"with {after.title}")
    here = replace(case, domains=(replace(found.domain, thorough=False),))
    comparison = compare(subject, shadowed, [here], Plan(examples=0), progress)
    if comparison.obstacles:
        raise BundleError(f"{after.title} cannot be judged on {found.domain.title}: {comparison.obstacles[0]}")
    [one] = comparison.cases
    return Fix(tuple(patches), after.label, {str(kind): count for kind, count in sorted(one.counts.items()) if count})


def _fix_files(finding: Finding) -> list[tuple[str, Path]]:
    """Return the names of the patches in the bundle, each with where it is."""
    if finding.fix is None:
        return []
    patches = finding.fix.patches
    names = ["fix.patch"] if len(patches) == 1 else [f"fix-{number}.patch" for number in range(1, len(patches) + 1)]
    return list(zip(names, patches, strict=True))


def _zip_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.zip")


def _zipped(folder: Path) -> Path:
    """Write a folder as a zip file beside it, whole or not at all."""
    with tempfile.TemporaryDirectory(prefix=".rankdiff-", dir=folder.parent) as room:
        made = shutil.make_archive(str(Path(room, "bundle")), "zip", folder.parent, folder.name)
        return Path(made).rename(_zip_of(folder))


def _unwritable(folder: Path, error: OSError) -> BundleError:
    return BundleError(f"{folder} cannot be written ({error.strerror or error}); choose another --out DIR")


def _verify_free(path: Path) -> None:
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise BundleError(f"{path} exists already; move it away, or choose another --out DIR")
