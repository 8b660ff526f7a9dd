"""``rankdiff bundle``: write divergences out for upstream."""

import argparse
from pathlib import Path

from harness import registry
from harness.bundles import index, known, writing
from harness.bundles.order import Order
from harness.commands.choosing import libraries_for, one_case
from harness.commands.options import Commands, add_subject
from harness.commands.output import complain, tell
from harness.errors import (
    BadInputError,
    BundleError,
    NotInstalledError,
    UnknownCaseError,
)
from harness.impact.comparison import Files
from harness.progress import Progress
from harness.subject import require_installed


def add(commands: Commands) -> None:
    """Add the command and its arguments."""
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
    add_subject(command)


def run(options: argparse.Namespace) -> int:
    """Run the command, and return its exit status."""
    if options.all:
        return _bundle_all(options)
    if options.case is None:
        raise UnknownCaseError("a case was expected, or --all; `rankdiff cases` lists them all")
    if options.runs and options.qrels is None:
        raise BadInputError("--run FILE is evaluated by --qrels FILE, which was expected too")
    library, case = one_case(options.case, libraries_for(options, [options.case]))
    subject = require_installed(library, case, options.mode)
    order = Order(
        out=options.out,
        cause=options.cause,
        fix=tuple(options.fix),
        files=Files(options.qrels, tuple(options.runs)) if options.qrels else None,
        is_fresh=options.fresh,
        is_zipped=options.zip,
    )
    written = writing.write(subject, case, order, Progress.at_terminal())
    instance = written.finding.instance
    tell("\n".join(map(str, written.files)))
    tell(
        f"{instance.case.describe(instance.x)}: {instance.source_word} {instance.expected_shown}, observed "
        f"{instance.observed_shown}; shown in {len(written.finding.confirmations)} fresh processes."
    )
    if written.finding.fix:
        tell(f"With {written.finding.fix.label} the script shows nothing.")
    return 0


def _bundle_all(options: argparse.Namespace) -> int:
    if any((options.case, options.cause, options.mode, options.subject, options.fix, options.qrels, options.runs)):
        raise BundleError(
            "with --all, no case, --cause, --mode, --subject, --fix, --qrels or --run was expected: the ledgers say "
            "which"
        )
    if options.out is None:
        raise BundleError("with --all, --out DIR was expected: bundles are written there, and the page that lists them")
    out, libraries = options.out, registry.libraries()
    index.verify_ours(out)
    status = 0
    done = known.write(libraries, out, Order(is_fresh=options.fresh, is_zipped=options.zip), Progress.at_terminal())
    for one, written in done:
        if isinstance(written, writing.Bundle):
            tell(f"{one.case.name}: {written.files[0].parent}")
        elif isinstance(written, NotInstalledError):
            tell(f"{one.case.name}: not written: {written}")
        else:
            complain(f"rankdiff: {one.case.name}: {written}")
            status = 2
    if out.is_dir():
        tell(str(index.write(out, libraries)))
    return status
