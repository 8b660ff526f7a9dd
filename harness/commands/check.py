"""``rankdiff check``: run cases and settle them against the ledger."""

import argparse
import os
import sys
from pathlib import Path

from harness import github, registry
from harness.commands.choosing import libraries_for
from harness.commands.options import EPILOG, FINDINGS, Commands, add_effort, add_json, add_subject
from harness.commands.output import say
from harness.document import document
from harness.finding import FindingsFolder
from harness.progress import Progress
from harness.run import Options, check, selected
from harness.terminal import lines


def add(commands: Commands) -> None:
    """Add the command and its arguments."""
    command = commands.add_parser(
        "check",
        help="run cases and settle them against the ledger of known divergences",
        description="Run every input of each case's domain through the installed library, hunt beyond it, "
        "and settle what was seen against the ledger of known divergences.",
        epilog=EPILOG,
    )
    command.add_argument("names", nargs="*", metavar="CASE-OR-LIBRARY", help="all, if none is named")
    add_effort(command)
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
    add_subject(command)
    add_json(command)


def run(options: argparse.Namespace) -> int:
    """Run the command, and return its exit status."""
    wanted = [*options.names, *options.require]
    available = libraries_for(options, wanted)
    registry.select(wanted, available)
    selection = selected(registry.select(wanted if options.names else [], available), options.mode, wanted)
    libraries = {library.name for library in available}
    chosen = Options(
        findings=FindingsFolder(options.findings),
        thorough=options.thorough,
        examples=options.examples,
        seed=options.seed,
        mode=options.mode,
        required=frozenset({*options.require, *(name for name in options.names if name not in libraries)}),
        asked=frozenset(libraries.intersection(options.names)),
        reviews=options.reviews,
    )
    report = check(selection, chosen, Progress.at_terminal())
    shown = (lambda: [github.silenced("\n".join(lines(report)))]) if options.github else (lambda: lines(report))
    say(options, lambda: document(report), shown)
    if options.github:
        stream = sys.stderr if options.json else sys.stdout
        for text in filter(None, (github.write(report, os.environ), *github.annotations(report))):
            print(text, file=stream, flush=True)
    return report.exit_status
