"""What the command line takes: commands, arguments and their help."""

import argparse
from datetime import date
from pathlib import Path
from typing import TypeAlias

from packaging.version import InvalidVersion, Version

from harness.page.making import REPORTS
from harness.page.writing import NAME as PAGE
from harness.version import VERSION

FINDINGS = Path("rankdiff-findings")

EPILOG = """\
exit status: 0 as the ledger says; 1 a divergence that is new, gone or moved; 2 the run could not be done
"""

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - it has no public name


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="rankdiff",
        description="Test ranking-evaluation libraries against independent, exact references.",
        epilog=EPILOG,
    )
    top.add_argument("--version", action="version", version=f"rankdiff {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in (
        _add_check,
        _add_cases,
        _add_bundle,
        _add_replay,
        _add_impact,
        _add_shadow,
        _add_ledger,
        _add_report,
        _add_releases,
        _add_environments,
    ):
        add(commands)
    return top


def _add_check(commands: Commands) -> None:
    command = commands.add_parser(
        "check",
        help="run cases and settle them against the ledger of known divergences",
        description="Run every input of each case's domain through the installed library, hunt beyond it, "
        "and settle what was seen against the ledger of known divergences.",
        epilog=EPILOG,
    )
    command.add_argument("names", nargs="*", metavar="CASE-OR-LIBRARY", help="all, if none is named")
    _add_effort(command)
    command.add_argument("--findings", type=Path, default=FINDINGS, metavar="DIR", help=f"default: {FINDINGS}/")
    command.add_argument(
        "--reviews", action="store_true", help="fail with 1 where a review date of the ledger has passed"
    )
    command.add_argument(
        "--github", action="store_true", help="write the summary of a GitHub job, and its annotations, too"
    )
    command.add_argument(
        "--require",
        action="append",
        default=[],
        metavar="CASE",
        help="fail with 2 when this case, or a case of this library, is not run; may be repeated",
    )
    _add_subject(command)
    _add_json(command)


def _add_cases(commands: Commands) -> None:
    command = commands.add_parser(
        "cases",
        help="list the contracts with their sources",
        description="List the contracts that a check with the same names and options is about, with their sources.",
    )
    command.add_argument("names", nargs="*", metavar="CASE-OR-LIBRARY", help="all, if none is named")
    _add_subject(command)
    _add_json(command)


def _add_bundle(commands: Commands) -> None:
    command = commands.add_parser(
        "bundle",
        help="write a divergence out as a folder that upstream can run",
        description="Find the smallest input where the installed library departs from a contract, and write "
        "a folder: the report, a script that shows it, a regression test, a plot and the evidence. Script and test are "
        "run in fresh processes first.",
        epilog="exit status: 0 it is written; 2 it is not",
    )
    command.add_argument("case", nargs="?", metavar="CASE")
    command.add_argument(
        "--all", action="store_true", help="instead of one: a bundle of every divergence in the ledgers, in --out"
    )
    command.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder to write (default: named after subject and case)"
    )
    command.add_argument(
        "--cause",
        metavar="TEXT",
        help="which divergence, as `rankdiff check` names it (default: that of the smallest input)",
    )
    command.add_argument(
        "--fix",
        action="append",
        default=[],
        type=Path,
        metavar="PATCH",
        help="a patch with which it has to be gone, and which is put in; may be repeated (default: the ledger's)",
    )
    command.add_argument(
        "--fresh", action="store_true", help="run script and test in an environment made from the script's header, too"
    )
    command.add_argument("--qrels", type=Path, metavar="FILE", help="your qrels: the report says what it does to them")
    command.add_argument(
        "--run", dest="runs", action="append", default=[], type=Path, metavar="FILE", help="a run of yours; repeatable"
    )
    command.add_argument("--zip", action="store_true", help="write the folder as a zip file, too")
    _add_subject(command)


def _add_replay(commands: Commands) -> None:
    command = commands.add_parser(
        "replay",
        help="run single inputs and show what is documented and what is observed",
        description="Run inputs of one case through the installed library, and show what is documented, what is "
        "observed, and which convention it follows.",
        epilog="exit status: 0 all agree; 1 one does not; 2 they could not be run",
    )
    command.add_argument("case", metavar="CASE")
    command.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="a JSON object, the path of a finding.json, or an index in the first domain",
    )
    _add_subject(command)
    _add_json(command)


def _add_impact(commands: Commands) -> None:
    command = commands.add_parser(
        "impact",
        help="show what a divergence does to your own qrels and runs",
        description="Compare what the installed library makes of your files with what is documented: the value of "
        "each run, the topics that are affected, and whether the order of the runs changes.",
        epilog="exit status: 0 none is affected; 1 some are; 2 it could not be told",
    )
    command.add_argument("case", metavar="CASE")
    command.add_argument("--qrels", type=Path, required=True, metavar="FILE", help="TREC qrels, plain or by gzip")
    command.add_argument(
        "--run",
        dest="runs",
        action="extend",
        nargs="+",
        default=[],
        type=Path,
        metavar="FILE",
        help="TREC runs, plain or by gzip; may be repeated",
    )
    command.add_argument(
        "--set",
        dest="settings",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the case, which the output names; may be repeated",
    )
    _add_subject(command)
    _add_json(command)


def _add_shadow(commands: Commands) -> None:
    command = commands.add_parser(
        "shadow",
        help="show what a proposed patch fixes, leaves wrong, breaks, or changes though it was right",
        description="Run every input of every case of a library through it as it is installed, and through a patched "
        "copy, and compare. The installation is not touched.",
        epilog="exit status: 0 something is fixed or added, and nothing broken; 1 otherwise; 2 it could not be judged",
    )
    command.add_argument("name", metavar="CASE-OR-LIBRARY", help="the library; a case that is named comes first")
    command.add_argument(
        "patches",
        nargs="*",
        type=Path,
        metavar="PATCH",
        help="a unified diff against upstream's tree; several in order",
    )
    command.add_argument(
        "--java",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a Java file that replaces a class of a jar",
    )
    command.add_argument(
        "--source", type=Path, metavar="DIR", help="the source tree that patches apply to, where a jar holds none"
    )
    command.add_argument(
        "--tests", type=Path, metavar="PATH", help="upstream's own tests: run them before and after, with pytest"
    )
    _add_subject(command)
    _add_effort(command)
    _add_json(command)


def _add_ledger(commands: Commands) -> None:
    command = commands.add_parser(
        "ledger",
        help="show the divergences that are known, or accept what a run shows as known",
        description="Show the divergences that are known. With --accept, run every domain of a case, show what the "
        "ledger would have to say, and write it with the link and the reason that you give: an entry for a cause that "
        "is not listed, an end to one that is gone.",
        epilog="exit status: 0 the ledgers are in order, or were changed; 1 one is not in order; 2 it cannot be done",
    )
    command.add_argument("names", nargs="*", metavar="CASE-OR-LIBRARY", help="all, if none is named")
    command.add_argument("--accept", metavar="CASE", help="change the ledger by what this case shows")
    command.add_argument("--cause", metavar="TEXT", help="with --accept: this divergence alone")
    command.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="FILE",
        help="with --accept: a report (`rankdiff check --thorough --json`) instead of a run, or a finding.json",
    )
    command.add_argument(
        "--upstream", metavar="URL", help="with --accept: where upstream talks about it, or unreported"
    )
    command.add_argument("--says", metavar="TEXT", help="with --accept: what is known of it, in a line")
    command.add_argument(
        "--review", type=_date, metavar="DATE", help="with --accept: when to look again (default: in half a year)"
    )
    command.add_argument("--findings", type=Path, default=FINDINGS, metavar="DIR", help=f"default: {FINDINGS}/")
    _add_subject(command)
    _add_json(command)


def _add_report(commands: Commands) -> None:
    command = commands.add_parser(
        "report",
        help="write what releases show as one HTML page",
        description="Write what `rankdiff releases` found as one HTML page, which loads nothing: a grid of releases "
        "and contracts, with the certificates, the smallest input and the bundle behind each cell.",
        epilog="exit status: 0 it is written; 2 it is not",
    )
    command.add_argument("names", nargs="*", metavar="LIBRARY", help="all, if none is named")
    command.add_argument("--out", type=Path, default=PAGE, metavar="FILE", help=f"the page to write (default: {PAGE})")
    command.add_argument(
        "--from",
        dest="sources",
        action="extend",
        nargs="+",
        default=[],
        type=Path,
        metavar="FILE",
        help="what `rankdiff releases LIBRARY --json` printed (default: what is kept in the cache); may be repeated",
    )
    command.add_argument(
        "--bundles", type=Path, metavar="DIR", help=f"bundles that cells link (default: {REPORTS}/, if it is there)"
    )


def _add_releases(commands: Commands) -> None:
    command = commands.add_parser(
        "releases",
        help="show what each release of a library does, and at which ones something changed",
        description="Run every release that the package index has, each in an environment of its own, with the first "
        "domain of each case, and find the first bad and the first fixed release of each divergence. Results are kept "
        "in the cache.",
        epilog="exit status: 0 the newest release is as the ledger says; 1 it is not; 2 the matrix is not whole",
    )
    command.add_argument("library", metavar="LIBRARY")
    command.add_argument(
        "--case",
        dest="cases",
        action="extend",
        nargs="+",
        default=[],
        metavar="CASE",
        help="only this one; may be repeated",
    )
    command.add_argument("--from", dest="first", type=_version, metavar="V", help="the first release, such as 1.0")
    command.add_argument("--to", dest="last", type=_version, metavar="V", help="the last release")
    command.add_argument("--pre", action="store_true", help="pre-releases, too")
    command.add_argument(
        "--bisect", action="store_true", help="run only as many as are needed to find where something changed"
    )
    command.add_argument("--again", action="store_true", help="run what is kept again")
    command.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="run so many at the same time (default: one for each processor, up to 4)",
    )
    command.add_argument(
        "--mode",
        metavar="MODE",
        help="how to run them (default: a quick mode if there is one; the mode that counts then confirms what matters)",
    )
    command.add_argument(
        "--python", metavar="PYTHON", help="the Python for all of them: a version such as 3.10, or the path of one"
    )
    command.add_argument(
        "--exclude-newer", type=_date, metavar="DATE", help="dependencies as of that day, such as 2022-12-01"
    )
    command.add_argument(
        "--with",
        dest="beside",
        action="append",
        default=[],
        metavar="REQUIREMENT",
        help="install this beside each release, such as a dependency that one forgot to name; may be repeated",
    )
    _add_json(command)


def _add_environments(commands: Commands) -> None:
    command = commands.add_parser(
        "environments",
        help="list the environments in the cache, or remove them",
        description="List the environments that were made for releases and other subjects: what was installed, for "
        "which Python, how large, how old; or remove them. What a run uses stays.",
        epilog="exit status: 0 done; 2 one that was to be removed is still there",
    )
    command.add_argument(
        "--remove",
        nargs="*",
        metavar="NAME",
        help="remove these: names, the beginnings of names, or what was installed",
    )
    command.add_argument("--all", action="store_true", help="with --remove: all of them")
    command.add_argument(
        "--unused-for", type=_days, metavar="DAYS", help="with --remove: those that were not used for so many days"
    )
    _add_json(command)


def _add_subject(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--mode", metavar="MODE", help="how to run the library, such as interpreted or real (default: the usual way)"
    )
    command.add_argument(
        "--subject",
        metavar="SPEC",
        help="what to test instead of what is installed: a requirement such as name==1.0, a wheel, a checkout, or a "
        "git URL; it gets an environment of its own in the cache",
    )
    command.add_argument(
        "--python", metavar="PYTHON", help="the Python for --subject: a version such as 3.10, or the path of one"
    )
    command.add_argument(
        "--exclude-newer",
        type=_date,
        metavar="DATE",
        help="with --subject: dependencies as of that day, such as 2022-12-01",
    )


def _add_effort(command: argparse.ArgumentParser) -> None:
    command.add_argument("--thorough", action="store_true", help="run every domain of each case")
    command.add_argument(
        "--examples", type=_count, default=100, metavar="N", help="inputs to hunt for each case (default 100)"
    )
    command.add_argument(
        "--seed", type=int, default=0, metavar="N", help="hunt other inputs (default 0: the same every time)"
    )


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        raise argparse.ArgumentTypeError(f"a version such as 1.0 was expected, not {text!r}") from None


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"a number from 1 to 64 was expected, not {text!r}")
    return int(text)


def _days(text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1
    if not 0 <= days < 1e6:
        raise argparse.ArgumentTypeError(f"a number of days such as 30 was expected, not {text!r}")
    return days


def _date(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if not 1990 < day.year < 2200:
        raise argparse.ArgumentTypeError(f"a day such as 2022-12-01 was expected, not {text!r}")
    return day


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"a count of 0 or more was expected, not {text}")
    return number


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON document")
