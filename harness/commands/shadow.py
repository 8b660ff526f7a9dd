"""``rankdiff shadow``: what a proposed patch changes."""

import argparse
from pathlib import Path

from harness import registry
from harness.commands.choosing import libraries_for
from harness.commands.options import Commands, add_effort, add_json, add_subject
from harness.commands.output import print_json, say
from harness.errors import (
    RankdiffError,
)
from harness.progress import Progress
from harness.shadow.compare import Plan
from harness.shadow.document import document as shadow_document
from harness.shadow.proposal import Proposal
from harness.shadow.run import exit_status, shadow
from harness.shadow.text import all_lines


def add(commands: Commands) -> None:
    """Add the command and its arguments."""
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
    add_subject(command)
    add_effort(command)
    add_json(command)


def run(options: argparse.Namespace) -> int:
    """Run the command, and return its exit status."""
    library, named = registry.select([options.name], libraries_for(options, [options.name]))[0]
    progress = Progress.at_terminal()
    proposal = Proposal(tuple(options.patches), tuple(options.java), options.source)
    plan = Plan(options.thorough, options.examples, options.seed, options.tests)
    try:
        done = shadow(library, named, proposal, options.mode, plan, progress)
    except RankdiffError as error:
        if options.json:
            print_json(shadow_document([], 2, str(error)))
        raise
    status = exit_status(done)
    say(options, lambda: shadow_document(done, status), lambda: all_lines(done))
    return status
