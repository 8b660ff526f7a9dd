"""A bundle is written into a temporary folder, proved there, and only then moved into place."""

import json
import platform
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.account import RegressionTest
from harness.bundles import chart, content, report
from harness.bundles.content import Content
from harness.bundles.measuring import measure
from harness.bundles.order import Order
from harness.bundles.proving import Files, Proven, fix_files, prove, verify_fresh
from harness.bundles.search import Proof, Reach, search
from harness.case import AnyCase
from harness.errors import BundleError
from harness.finding import NAME as FINDING
from harness.finding import Finding, Proved
from harness.impact.run import Answer, answer, question
from harness.jsontypes import Json
from harness.limits import DEFAULT, Limits
from harness.progress import Progress
from harness.subject import Subject
from harness.version import VERSION

SCHEMA = 1

ENVIRONMENT = "environment.json"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A finding, and the files where it was written out."""

    finding: Finding
    files: tuple[Path, ...]


def write(subject: Subject, case: AnyCase, order: Order, progress: Progress, limits: Limits = DEFAULT) -> Bundle:
    """Find the smallest input that shows a divergence of a subject from a case, and write its bundle.

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
    BadInputError, UnknownCaseError
        If files are named that cannot be compared, or the case compares none.
    PatchError
        If the fix cannot be put before the subject.
    UnusableError
        If an environment is to be made, and cannot be.
    """
    if order.is_fresh:
        verify_fresh(subject.confirming())
    folder = order.out if order.out is not None else Path(usual_name(subject, case, order.cause))
    if not order.is_replacing:
        _verify_free(folder)
    if order.is_zipped:
        _verify_free(_zip_of(folder))
    asked = question(case, [subject.library], order.files, ()) if order.files else None
    reach = search(subject, case, order.cause, progress, limits)
    impact = answer(asked, subject, limits, progress) if asked else None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".rankdiff-", dir=folder.parent))
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        finding = _fill(temporary, reach, impact, order, progress, limits)
        temporary.chmod(0o755)
        names = sorted(path.name for path in temporary.iterdir())
        _put(temporary, folder)
        zipped = [_zipped(folder)] if order.is_zipped else []
    except OSError as error:
        raise _unwritable(folder, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return Bundle(finding, (*(folder / name for name in names), *zipped))


def usual_name(subject: Subject, case: AnyCase, cause: str | None = None) -> str:
    """Return the name of a bundle's folder, where nobody says another."""
    of_cause = f"-{'-'.join(_words(cause))}" if cause else ""
    return f"{subject.folder_name}-{case.short_name}{of_cause}"


def _words(text: str) -> Sequence[str]:
    return "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in text.lower()).split()


def _put(temporary: Path, folder: Path) -> None:
    """Move a whole folder into place; an older one is there until then, and again where that fails."""
    old = temporary.with_name(f"{temporary.name}-old")
    if folder.exists():
        folder.rename(old)
    try:
        temporary.rename(folder)
    except BaseException:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _fill(
    folder: Path, reach: Reach, impact: Answer | None, order: Order, progress: Progress, limits: Limits
) -> Finding:
    """Write the files of a bundle, and prove them."""
    subject = reach.certificate.subject
    finding = Finding(reach.instance, subject, Proved(reach.certificate.domain, reach.index))
    account = subject.library.account(reach.instance.case.name, reach.cause)
    program = account.program(reach.instance.x) if account and account.program else None
    test = account.test(reach.instance.x) if account else None
    finding.write(folder)
    for file in (program, test):
        if file is not None:
            (folder / file.name).write_text(file.source, encoding="utf-8")
    proven = prove(finding, reach, Files(folder, program, test), order, progress)
    with progress.waiting("measuring what it does to scores"):
        measurements = measure(reach.instance.case, account, subject.confirming(), proven.fixed, limits)
    told = Content(proven, reach, measurements, account, program, test, impact)
    _write_json(folder / FINDING, _finding_json(proven, reach, test))
    _write_json(folder / ENVIRONMENT, _environment_json(subject, reach.proof))
    for name, path in (*fix_files(proven.finding), *content.patches(account)):
        shutil.copyfile(path, folder / name)
    drawn = chart.draw(reach, measurements, account.size if account else "", impact.comparison if impact else None)
    (folder / chart.NAME).write_text(drawn, encoding="utf-8")
    (folder / report.NAME).write_text(report.write(told), encoding="utf-8")
    return proven.finding


def _finding_json(proven: Proven, reach: Reach, test: RegressionTest | None) -> Mapping[str, Json]:
    """Return the content of ``finding.json``: that of a finding, with how far it reaches, and its test."""
    tested: dict[str, Json] = {}
    if test:
        mended = {"passes_with_the_fix": True} if proven.fixed else {}
        tested = {"test": {"file": test.name, "place": test.place, "fails": True, **mended}}
    return {**proven.finding.to_json(), "reach": reach.to_json(), **tested}


def _environment_json(subject: Subject, proof: Proof) -> Mapping[str, Json]:
    """Return the content of ``environment.json``; what was tested is in it where its version does not say that."""
    unreleased = subject.installation.unreleased
    found = {"distribution": subject.mode.distribution, "version": subject.version}
    return {
        "schema": SCHEMA,
        "rankdiff": VERSION,
        **({"subject": {**found, "unreleased": unreleased.to_json()}} if unreleased else {}),
        "system": platform.system(),
        "machine": platform.machine(),
        "python": proof.hello.python,
        "platform": dict(proof.hello.platform),
        "modules": {module.name: module.sha256 for module in proof.modules},
    }


def _write_json(path: Path, document: Mapping[str, Json]) -> None:
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


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
