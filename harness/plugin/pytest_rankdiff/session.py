"""The part that rankdiff takes in a run of pytest: an item for each contract, judged by one run of its library."""

import json
import re
import shlex
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from . import child
from .child import LONGEST, REFUSAL, BrokenRunError, Parsed
from .report import AGAIN, FINDING, Report, Seen, mode, title

SCRIPT = "repro.py"
"""What a folder of a finding, and a bundle, holds beside ``finding.json``."""


class DivergenceError(Exception):
    """What a run showed of a contract, where that is not what the library promises."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the options ask for."""

    names: tuple[str, ...]
    subject: str | None
    mode: str | None
    thorough: bool
    bundles: Path | None

    def about(self) -> list[str]:
        """Return the arguments that say what is tested."""
        subject = [f"--subject={self.subject}"] if self.subject is not None else []
        return [*subject, *([f"--mode={self.mode}"] if self.mode is not None else [])]


def pytest_configure(config: pytest.Config) -> None:
    """Take part in this run."""
    option = config.getoption
    bundles = option("--rankdiff-bundles")
    wanted = Wanted(
        tuple(option("--rankdiff")),
        option("--rankdiff-subject"),
        option("--rankdiff-mode"),
        option("--rankdiff-thorough"),
        None if bundles is None else Path(bundles),
    )
    config.pluginmanager.register(Run(config, wanted), "rankdiff-run")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out what an earlier run saved; pytest does not ask about a path that is named."""
    return all((collection_path / name).is_file() for name in (FINDING, SCRIPT)) or None


class Run:
    """The part that rankdiff takes in one run of pytest."""

    def __init__(self, config: pytest.Config, wanted: Wanted) -> None:
        self.wanted = wanted
        self.where = config.invocation_params.dir
        self.contracts: dict[str, list[Contract]] = {}
        self.reports: dict[str, Report | BrokenRunError] = {}
        self.listed, folder = json.loads(getattr(config, "workerinput", {}).get("rankdiff", '[[], ""]'))
        self.is_guest = bool(folder) and Path(folder).is_dir()
        self.folder = Path(folder) if self.is_guest else Path(tempfile.mkdtemp(prefix="rankdiff-"))

    def pytest_sessionstart(self) -> None:
        """List the contracts, if another process did not."""
        if self.listed:
            return
        command = ["cases", "--json", *self.wanted.about(), "--", *self.wanted.names]
        try:
            listed = child.run(command, self.where).document(command, "cases", [0])["cases"]
        except BrokenRunError as error:
            raise pytest.UsageError(_harmless(REFUSAL + str(error).removeprefix(REFUSAL))) from None
        fields = {"case", "says", "source", "unpromised"}
        if not all(isinstance(one, dict) and fields <= set(one) for one in listed):
            raise pytest.UsageError(f"rankdiff: contracts with {', '.join(sorted(fields))} were expected; {AGAIN}")
        self.listed = listed

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:  # noqa: ANN401 - a class of pytest-xdist, which may not be there
        """Hand the list to a process of pytest-xdist."""
        node.workerinput["rankdiff"] = json.dumps([self.listed, str(self.folder)])

    def pytest_unconfigure(self) -> None:
        """Remove the folder for results, if it is our own."""
        if not self.is_guest:
            shutil.rmtree(self.folder, ignore_errors=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add an item for each contract, which the options that select items then see like any other."""
        contracts = Contracts.from_parent(session, name="rankdiff", nodeid="rankdiff", run=self)
        collected = contracts.ihook.pytest_make_collect_report(collector=contracts)
        contracts.ihook.pytest_collectreport(report=collected)
        items += collected.result

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Take note of the contracts that were selected: no others are run."""
        for item in session.items:
            if isinstance(item, Contract):
                self.contracts.setdefault(item.library, []).append(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """Say what the first item of a library waits for."""
        terminal = item.config.pluginmanager.get_plugin("terminalreporter")  # pytest-xdist's processes have none
        if isinstance(item, Contract) and item.library not in self.reports and terminal and terminal.verbosity >= 0:
            number = len(self.contracts[item.library])
            terminal.ensure_newline()
            plural = "s" if number > 1 else ""
            terminal.write_line(_harmless(f"rankdiff: running {number} contract{plural} of {item.library}"))

    def report(self, library: str) -> "Report":
        """Return what a run of the selected contracts of a library showed; it is made when it is first asked for.

        Raises
        ------
        BrokenRunError
            If it could not be made.
        """
        if library not in self.reports:
            selected = [contract.name for contract in self.contracts[library]]
            is_whole = not self.wanted.names or library in self.wanted.names
            is_whole &= selected == [one["case"] for one in self.listed if one["case"].startswith(f"{library}/")]
            thorough = ["--thorough"] if self.wanted.thorough else []
            command = ["check", "--json", *self.wanted.about(), *thorough]
            command += ["--", *([library] if is_whole else selected)]
            try:
                self.reports[library] = Report.of(child.run_once(command, self.where, self.folder), command, selected)
            except BrokenRunError as error:
                self.reports[library] = error
        report = self.reports[library]
        if isinstance(report, BrokenRunError):
            raise report
        return report

    def bundle(self, case: str, cause: str, name: str) -> str:
        """Save a report for upstream, and return what came of it."""
        folder = self.where / (self.wanted.bundles or "") / re.sub(r"[^\w.+-]", "_", name)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            return f"{folder}: not written: {error}"
        ended = child.run(["bundle", case, f"--cause={cause}", f"--out={folder}", *self.wanted.about()], self.where)
        return f"{folder}: " + ("written" if ended.status == 0 else f"not written: {ended.said.strip()[-LONGEST:]}")


class Contracts(pytest.Collector):
    """The contracts that the options name."""

    def __init__(self, *, run: Run, **fields: Any) -> None:  # noqa: ANN401 - those of pytest
        super().__init__(**fields)
        self.run = run

    def collect(self) -> list["Contract"]:
        """Return an item for each."""
        return [Contract.from_parent(self, name=one["case"], listed=one, run=self.run) for one in self.run.listed]


class Contract(pytest.Item):
    """One contract of a library as a test."""

    def __init__(self, *, run: Run, listed: Parsed, **fields: Any) -> None:  # noqa: ANN401 - those of pytest
        super().__init__(**fields)
        self.run = run
        self.listed = listed
        self.library = self.name.partition("/")[0]

    def runtest(self) -> None:
        """Judge what the run of its library showed of it.

        Raises
        ------
        BrokenRunError
            If that run could not be done; one item of the library says so, the others are skipped.
        DivergenceError
            If it is not as the ledger says; or, as an expected failure, if it is, and diverges.
        """
        first = self.run.contracts[self.library][0]
        try:
            report = self.run.report(self.library)
        except BrokenRunError:
            if self is first:
                raise
            pytest.skip(f"not judged: the run could not be done, see {first.nodeid}")
        seen = report.seen[self.name]
        self.user_properties += seen.properties()
        faults = [*seen.faults(), *(report.others if self is first else ())]
        faults += [seen.absence] if seen.absence and self.name in self.run.wanted.names else []
        news = seen.news()
        for cause in news if self.run.wanted.bundles is not None else ():
            self.add_report_section("call", "rankdiff bundle", _harmless(self._bundle(seen, cause, list(news))))
        if news or faults:
            raise DivergenceError("\n".join([*(self._told(seen, cause) for cause in news), *faults]))
        if seen.absence:
            pytest.skip(_harmless(seen.absence))
        known = [cause for cause in seen.smallest() if cause in seen.known]
        if known:
            reason = _harmless("; ".join(seen.known[cause] for cause in known))
            self.add_marker(pytest.mark.xfail(reason=reason, raises=DivergenceError, strict=True))
            raise DivergenceError("\n".join(self._told(seen, cause) for cause in known))

    def _bundle(self, seen: Seen, cause: str, causes: list[str]) -> str:
        subject, number = title(seen.certificates[0]).replace(" ", "-"), causes.index(cause) + 1
        suffix = f"-{number}" if number > 1 else ""
        return self.run.bundle(self.name, cause, f"{subject}-{self.name.partition('/')[2]}{suffix}")

    def _told(self, seen: Seen, cause: str) -> str:
        """Return a divergence as a person reads it."""
        one = seen.smallest()[cause]
        bundle = ["rankdiff", "bundle", self.name, f"--cause={cause}", *self.run.wanted.about()]
        having = [part for part in seen.certificates if cause in part["causes"]]
        follows = " and ".join(map(repr, one["follows"])) or "no convention that is named"
        rows = [
            ("contract", self.listed["says"]),
            ("source", self.listed["source"]),
            ("subject", ", ".join(dict.fromkeys(f"{title(part)}, {mode(part)}" for part in seen.certificates))),
            ("input", json.dumps(one["input"])[:LONGEST]),
            ("expected" if self.listed["unpromised"] else "documented", one["expected"]["shown"]),
            ("observed", one["observed"]["shown"]),
            ("verdict", f"{one['verdict']}, follows {follows}"),
            *(("how many", f"{part['causes'][cause]:,} of {part['inputs']:,} inputs") for part in having),
            *(("saved", text) for text in seen.saved(cause, self.run.where)),
            ("known", seen.known[cause]) if cause in seen.known else ("bundle", shlex.join(bundle)),
        ]
        head = "known to the ledger" if cause in seen.known else "not in the ledger"
        return "\n".join([f"{self.name}: a divergence that is {head}, {cause!r}", *(f"  {k:<12}{v}" for k, v in rows)])

    def repr_failure(  # type: ignore[override]  # pytest's own items return texts, too
        self, excinfo: pytest.ExceptionInfo[BaseException]
    ) -> object:
        """Return the words of what was seen, without a traceback through this plugin."""
        if isinstance(excinfo.value, BrokenRunError | DivergenceError):
            return _harmless(str(excinfo.value))
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return where pytest says that it is."""
        return self.path, None, self.name


def _harmless(text: str) -> str:
    """Return a text in which everything is escaped that a terminal would not print."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode("ascii") for c in text)
