"""``rankdiff report``: the matrix as a page."""

import argparse
from pathlib import Path

from harness import registry
from harness.commands.options import Commands
from harness.commands.output import tell
from harness.page import making
from harness.page.making import REPORTS
from harness.page.writing import NAME as PAGE


def add(commands: Commands) -> None:
    """Add the command and its arguments."""
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


def run(options: argparse.Namespace) -> int:
    """Run the command, and return its exit status."""
    order = making.Order(tuple(options.names), options.out, tuple(options.sources), options.bundles)
    tell(str(making.make(order, registry.libraries())))
    return 0
