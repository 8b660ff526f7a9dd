"""Runs tests with pytest, and tells what became of each, and what was tested: one file, pytest and standard library.

Started as ``python pytest_proof.py REPORT PACKAGES ARGUMENT...`` on Python 3.8 and newer. PACKAGES is a JSON object:
the folder in which each import package has to be. It is found there whatever is on the path, since a root
``conftest.py`` or ``pythonpath = src`` puts the checkout's own package first, and that would be tested in the place of
the patched one. The path itself is left as it is: the tests may need what else is on it.

It appends JSON lines to REPORT as things happen, so that a suite which ends its process is told of to that point, and
one that prints anything disturbs nothing:

=============================  ======================================================================================
``missing``                    why pytest cannot be imported; nothing else follows
``collected``                  how many tests will run
``started``, ``finished``      a node id
``id`` with ``outcome``        a node id; passed, failed, skipped, error, xfailed or xpassed. Several may come for one
``modules``                    name and path of every module of the packages that is loaded
``status``                     pytest's exit status: it came to its end
=============================  ======================================================================================
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


class Pin(MetaPathFinder):
    """Finds import packages in the folders that are named for them; their submodules follow them."""

    def __init__(self, folders: Mapping[str, str]) -> None:
        self.folders = folders

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - the path is what is passed over
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return where a package is; None for all else."""
        folder = self.folders.get(fullname)
        return None if folder is None else PathFinder.find_spec(fullname, [folder], target)


class Proof:
    """A pytest plugin that writes the report."""

    def __init__(self, report: str, packages: Sequence[str]) -> None:
        self.report = report
        self.packages = packages
        self.process = os.getpid()

    def tell(self, **fields: object) -> None:
        """Append a line, unless this is a child that a test forked."""
        if os.getpid() == self.process:
            with open(self.report, "a", encoding="ascii") as file:  # noqa: PTH123 - a test may have patched pathlib
                file.write(json.dumps(fields) + "\n")

    def tell_modules(self) -> None:
        """Say which modules of the packages are loaded."""
        paths = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
        ours = {
            name: path
            for name, path in paths.items()
            if isinstance(path, str) and any((name + ".").startswith(package + ".") for package in self.packages)
        }
        self.tell(modules=ours)

    def pytest_cmdline_main(self, config: pytest.Config) -> None:
        """Have pytest-xdist, if it is there, run the tests in this process, where it is seen what they load."""
        if hasattr(config.option, "numprocesses"):
            config.option.numprocesses, config.option.dist, config.option.tx = None, "no", []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Tell of a module that cannot be imported, or skips itself."""
        if not report.passed:
            self.tell(id=report.nodeid, outcome="error" if report.failed else "skipped")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell what will run."""
        self.tell(collected=len(session.items))
        self.tell_modules()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Tell which test starts."""
        self.tell(started=nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell what became of a part of a test."""
        outcome = outcome_of(report)
        if outcome:
            self.tell(id=report.nodeid, outcome=outcome)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Tell which test is through."""
        self.tell(finished=nodeid)


def outcome_of(report: pytest.TestReport) -> str:
    """Return what a part of a test says of it; empty for nothing, as of a set-up that passed."""
    if report.when != "call" and report.passed:
        return ""
    if hasattr(report, "wasxfail"):
        return {"skipped": "xfailed", "passed": "xpassed"}.get(report.outcome, report.outcome)
    if report.when != "call" and report.failed:
        return "error"
    return report.outcome if report.outcome in {"passed", "failed", "skipped"} else ""


def main(report: str, folders: Mapping[str, str], arguments: Sequence[str]) -> int:
    """Run the tests and write the report."""
    proof = Proof(report, list(folders))
    sys.meta_path.insert(0, Pin(folders))
    try:
        import pytest  # noqa: PLC0415 - it may not be there
    except ImportError as error:
        proof.tell(missing=str(error))
        return 1
    sys.argv[:] = ["pytest", *arguments]
    status = int(pytest.main(list(arguments), plugins=[proof]))
    proof.tell_modules()
    proof.tell(status=status)
    return status


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - as in sys.path
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]  # noqa: PTH100
    sys.exit(main(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]))
