"""What the command line takes: commands, arguments and their help."""

import argparse
from datetime import date
from pathlib import Path

from harness.version import VERSION

FINDINGS = Path("rankdiff-findings")

EPILOG = """\
exit status: 0 as the ledger says; 1 a divergence that is new, gone or moved; 2 the run could not be done
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="rankdiff",
        description="Test ranking-evaluation libraries against independent, exact references.",
        epilog=EPILOG,
    )
    top.add_argument("--version", action="version", version=f"rankdiff {VERSION}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    checking = commands.add_parser(
        "check",
        help="run cases and settle them against the ledger of known divergences",
        description="Run every input of each case's domain through the installed library, hunt beyond it, "
        "and settle what was seen against the ledger of known divergences.",
        epilog=EPILOG,
    )
    checking.set_defaults(command="check")
    checking.add_argument("names", nargs="*", metavar="CASE-OR-LIBRARY", help="all, if none is named")
    _add_effort(checking)
    checking.add_argument("--findings", type=Path, default=FINDINGS, metavar="DIR", help=f"default: {FINDINGS}/")
    checking.add_argument(
        "--require",
        action="append",
        default=[],
        metavar="CASE",
        help="fail with 2 when this case, or a case of this library, is not run; may be repeated",
    )
    checking.add_argument(
        "--mode", metavar="MODE", help="how to run the library, such as interpreted or real (default: the usual way)"
    )
    _add_subject(checking)
    checking.add_argument("--json", action="store_true", help="print one JSON document")

    listing = commands.add_parser("cases", help="list the contracts with their sources")
    listing.set_defaults(command="cases")
    listing.add_argument("names", nargs="*", metavar="CASE-OR-LIBRARY", help="all, if none is named")
    listing.add_argument("--json", action="store_true", help="print one JSON document")

    bundling = commands.add_parser(
        "bundle",
        help="write a divergence out as a folder that upstream can run",
        description="Find the smallest input where the installed library departs from a contract, and write "
        "a folder with a script that shows it and the evidence. The script is run in fresh processes first.",
        epilog="exit status: 0 it is written; 2 it is not",
    )
    bundling.set_defaults(command="bundle")
    bundling.add_argument("case", nargs="?", metavar="CASE")
    bundling.add_argument(
        "--all", action="store_true", help="instead of one: a bundle of every divergence in the ledgers, in --out"
    )
    bundling.add_argument("--mode", metavar="MODE", help="how to run the library (default: the usual way)")
    bundling.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder to write (default: named after subject and case)"
    )
    bundling.add_argument(
        "--fix",
        action="append",
        default=[],
        type=Path,
        metavar="PATCH",
        help="a patch with which it has to be gone, and which is put in; may be repeated (default: the ledger's)",
    )
    bundling.add_argument(
        "--fresh", action="store_true", help="run the script in an environment made from its own header, too"
    )
    bundling.add_argument("--zip", action="store_true", help="write the folder as a zip file, too")
    _add_subject(bundling)

    replaying = commands.add_parser(
        "replay",
        help="run single inputs and show what is documented and what is observed",
        description="Run inputs of one case through the installed library, and show what is documented, what is "
        "observed, and which convention it follows.",
        epilog="exit status: 0 all agree; 1 one does not; 2 they could not be run",
    )
    replaying.set_defaults(command="replay")
    replaying.add_argument("case", metavar="CASE")
    replaying.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="a JSON object, the path of a finding.json, or an index in the first domain",
    )
    replaying.add_argument("--mode", metavar="MODE", help="how to run the library (default: the usual way)")
    _add_subject(replaying)
    replaying.add_argument("--json", action="store_true", help="print one JSON document")

    _add_impact(
        commands.add_parser(
            "impact",
            help="show what a divergence does to your own qrels and runs",
            description="Compare what the installed library makes of your files with what is documented: the value of "
            "each run, the topics that are affected, and whether the order of the runs changes.",
            epilog="exit status: 0 none is affected; 1 some are; 2 it could not be told",
        )
    )

    shadowing = commands.add_parser(
        "shadow",
        help="show what a proposed patch fixes, leaves wrong, breaks, or changes though it was right",
        description="Run every input of every case of a library through it as it is installed, and through a patched "
        "copy, and compare. The installation is not touched.",
        epilog="exit status: 0 something is fixed or added, and nothing broken; 1 otherwise; 2 it could not be judged",
    )
    shadowing.set_defaults(command="shadow")
    shadowing.add_argument("name", metavar="CASE-OR-LIBRARY", help="the library; a case that is named comes first")
    shadowing.add_argument(
        "patches",
        nargs="*",
        type=Path,
        metavar="PATCH",
        help="a unified diff against upstream's tree; several in order",
    )
    shadowing.add_argument(
        "--java",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a Java file that replaces a class of a jar",
    )
    shadowing.add_argument(
        "--source", type=Path, metavar="DIR", help="the source tree that patches apply to, where a jar holds none"
    )
    shadowing.add_argument(
        "--tests", type=Path, metavar="PATH", help="upstream's own tests: run them before and after, with pytest"
    )
    _add_subject(shadowing)
    shadowing.add_argument("--mode", metavar="MODE", help="how to run the library (default: the usual way)")
    _add_effort(shadowing)
    shadowing.add_argument("--json", action="store_true", help="print one JSON document")
    return top


def _add_impact(command: argparse.ArgumentParser) -> None:
    command.set_defaults(command="impact")
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
    command.add_argument("--mode", metavar="MODE", help="how to run the library (default: the usual way)")
    _add_subject(command)
    command.add_argument("--json", action="store_true", help="print one JSON document")


def _add_subject(command: argparse.ArgumentParser) -> None:
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
