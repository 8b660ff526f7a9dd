"""Patched copies of an installed package, as subjects: what our patches are tested on."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from harness.case import AnyCase, AnyDomain, Library
from harness.certificate import Certificate
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.finding import FindingsFolder
from harness.installation import Installation
from harness.limits import DEFAULT
from harness.progress import Progress
from harness.run import Options, Report, check
from harness.subject import Subject


@dataclass(frozen=True, slots=True)
class Release:
    """A release of a library: its package, its version, what runs it, and what else is imported from."""

    package: Path
    version: str
    python: str = sys.executable
    path: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a release in a tree like upstream's, ``src/PACKAGE``, with the tests that its patches bring.

    Attributes
    ----------
    content
        A hash of the patches.
    """

    release: Release
    tree: Path
    content: str

    @property
    def search_path(self) -> str:
        """Where its Python imports from first."""
        return os.pathsep.join(map(str, (self.tree / "src", *self.release.path)))

    def run_upstream_tests(self) -> int:
        """Run the tests that the patches bring in a process of their own, to the first that fails."""
        command = [
            self.release.python,
            "-P",
            "-m",
            "pytest",
            "-qx",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            str(self.tree),
        ]
        environment = {**os.environ, "PYTHONPATH": self.search_path}
        tests = str(self.tree / "tests")
        return subprocess.run(
            [*command, tests], env=environment, cwd=self.tree, capture_output=True, check=False
        ).returncode


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where copies of one library are made; they share a folder for bytecode, since their paths differ."""

    library: Library
    folder: Path
    _numbers: "count[int]" = field(default_factory=count)

    def copy(self, *patches: Path, of: Release | None = None) -> Copy:
        """Copy a package without its compiled code, and apply patches; files outside src and tests are left out.

        Raises
        ------
        subprocess.CalledProcessError
            If a patch does not apply.
        """
        release = of or installed(self.library)
        tree = self.folder / f"copy{next(self._numbers)}"
        target = tree / "src" / release.package.name
        shutil.copytree(release.package, target, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        for compiled in release.package.rglob("*.so"):
            (target / compiled.relative_to(release.package)).symlink_to(compiled)
        environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(self.folder)}
        for patch in patches:
            subprocess.run(
                ["git", "apply", "--include=src/*", "--include=tests/*", str(patch)],
                cwd=tree,
                env=environment,
                check=True,
                capture_output=True,
            )
        content = hashlib.sha256(b"".join(patch.read_bytes() for patch in patches)).hexdigest()[:8]
        return Copy(release, tree, content)

    def subject(self, of: Copy) -> Subject:
        """Return a copy as a subject of its library, in the usual mode."""
        environment = {"PYTHONPATH": of.search_path, "PYTHONPYCACHEPREFIX": str(self.folder / "bytecode")}
        found = Installation(of.release.version, environment, of.content, of.release.python, patches=(of.content,))
        mode = replace(self.library.modes[0], find=lambda: [found])
        return Subject(replace(self.library, modes=(mode,)), mode, found)

    def check(self, of: Copy, cases: Sequence[AnyCase], *, thorough: bool = True) -> Report:
        """Run cases on a copy, over every domain or the usual ones, and beyond."""
        subject = self.subject(of)
        options = Options(thorough=thorough, examples=100, findings=FindingsFolder(self.folder / "findings"))
        report = check([(subject.library, tuple(cases))], options, Progress(bars=False))
        assert report.obstacles == []
        return report

    def certificate(self, of: Copy, case: AnyCase, domain: AnyDomain) -> Certificate:
        """Run one domain of a case on a copy."""
        with Executor(self.subject(of), DEFAULT) as executor:
            certificate = exhaust(case, domain, executor, Watch())
        assert certificate.exhausted
        return certificate


def is_installed(library: Library) -> bool:
    """Return whether the library's package is found."""
    return importlib.util.find_spec(library.modes[0].packages[0]) is not None


def installed(library: Library) -> Release:
    """Return the installed release of a library."""
    [package] = library.modes[0].packages
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    [installation] = library.modes[0].find()
    return Release(Path(spec.submodule_search_locations[0]), installation.version)
