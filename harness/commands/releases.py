"""``rankdiff releases``: the matrix of releases."""

import argparse
from dataclasses import replace

from harness import registry
from harness.commands.options import Commands, add_json, day, jobs, version
from harness.commands.output import complain, say
from harness.errors import (
    UnknownCaseError,
)
from harness.progress import Progress
from harness.releases.document import document as releases_document
from harness.releases.filling import fill as fill_matrix
from harness.releases.matrix import question as releases_question
from harness.releases.running import How
from harness.releases.text import lines as releases_lines
from harness.releases.verdict import departures
from harness.releases.verdict import exit_status as releases_status


def add(commands: Commands) -> None:
    """Add the command and its arguments."""
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
    command.add_argument("--from", dest="first", type=version, metavar="V", help="the first release, such as 1.0")
    command.add_argument("--to", dest="last", type=version, metavar="V", help="the last release")
    command.add_argument("--pre", action="store_true", help="pre-releases, too")
    command.add_argument(
        "--bisect", action="store_true", help="run only as many as are needed to find where something changed"
    )
    command.add_argument("--again", action="store_true", help="run what is kept again")
    command.add_argument(
        "--jobs",
        type=jobs,
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
        "--exclude-newer", type=day, metavar="DATE", help="dependencies as of that day, such as 2022-12-01"
    )
    command.add_argument(
        "--with",
        dest="beside",
        action="append",
        default=[],
        metavar="REQUIREMENT",
        help="install this beside each release, such as a dependency that one forgot to name; may be repeated",
    )
    add_json(command)


def run(options: argparse.Namespace) -> int:
    """Run the command, and return its exit status."""
    available = registry.libraries()
    names = [name if "/" in name else f"{options.library}/{name}" for name in options.cases]
    [(library, cases), *_] = registry.select(names or [options.library], available)
    if library.name != options.library or any(not name.startswith(f"{library.name}/") for name in names):
        raise UnknownCaseError(f"a library was expected, and cases of it, not {options.library!r}")
    how = How(options.python, options.exclude_newer, tuple(options.beside), options.jobs or How().jobs)
    asked = replace(
        releases_question(library, cases, options.mode, names),
        first=options.first,
        last=options.last,
        pre=options.pre,
        bisect=options.bisect,
        again=options.again,
        how=how,
    )
    found = fill_matrix(asked, Progress.at_terminal())
    departed = departures(found)
    status = releases_status(found, departed)
    say(options, lambda: releases_document(found), lambda: releases_lines(found, departed))
    if options.json:
        for obstacle in found.obstacles:
            complain(f"rankdiff: {obstacle}")
    return status
