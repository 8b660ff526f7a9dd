"""``rankdiff impact``: what a divergence does to somebody's files."""

import argparse
from pathlib import Path

from harness import registry
from harness.commands.choosing import libraries_for, one_case
from harness.commands.options import Commands, add_json, add_subject
from harness.commands.output import say
from harness.impact.comparison import Files
from harness.impact.document import document as impact_document
from harness.impact.run import answer, question
from harness.impact.text import lines as impact_lines
from harness.limits import DEFAULT
from harness.progress import Progress
from harness.subject import require_installed


def add(commands: Commands) -> None:
    """Add the command and its arguments."""
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
    add_subject(command)
    add_json(command)


def run(options: argparse.Namespace) -> int:
    """Run the command, and return its exit status."""
    available = registry.libraries()
    asked = question(
        one_case(options.case, available)[1], available, Files(options.qrels, tuple(options.runs)), options.settings
    )
    library, case = one_case(options.case, libraries_for(options, [options.case]))
    found = answer(asked, require_installed(library, case, options.mode), DEFAULT, Progress.at_terminal())
    say(options, lambda: impact_document(found), lambda: impact_lines(found))
    return found.exit_status
