"""``rankdiff ledger``: what is known, and what becomes known."""

import argparse
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from harness import ledger as ledgers
from harness import registry
from harness.commands.choosing import libraries_for, one_case
from harness.commands.options import FINDINGS, Commands, add_json, add_subject, day
from harness.commands.output import say, tell
from harness.document import document
from harness.errors import (
    AcceptError,
)
from harness.finding import FindingsFolder
from harness.jsontypes import Json
from harness.ledgers import accepting
from harness.ledgers import listing as ledger_listing
from harness.ledgers.dialogue import agree
from harness.ledgers.words import SOON
from harness.ledgers.writing import write
from harness.printable import printable_lines
from harness.progress import Progress
from harness.run import Options, check, selected
from harness.subject import Subject, is_final, require_installed


def add(commands: Commands) -> None:
    """Add the command and its arguments."""
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
        "--review", type=day, metavar="DATE", help="with --accept: when to look again (default: in half a year)"
    )
    command.add_argument("--findings", type=Path, default=FINDINGS, metavar="DIR", help=f"default: {FINDINGS}/")
    add_subject(command)
    add_json(command)


def run(options: argparse.Namespace) -> int:
    """Run the command, and return its exit status."""
    today = date.today()  # noqa: DTZ011 - the user's day
    if options.accept is not None:
        return _accept(options, today)
    if any((options.cause, options.source, options.upstream, options.says, options.review, options.subject)):
        raise AcceptError("--cause, --from, --upstream, --says, --review and --subject are about --accept CASE")
    listed = ledger_listing.listed(registry.select(options.names, registry.libraries()), options.names, today)
    say(options, lambda: ledger_listing.document(listed), lambda: ledger_listing.lines(listed))
    return 1 if any(one.problems for one in listed) else 0


def _require_release(subject: Subject) -> None:
    """Refuse what others would take for a release.

    Raises
    ------
    AcceptError
        If it is none, and its version is such as a release has.
    """
    unreleased = subject.installation.unreleased
    if unreleased and not subject.is_acceptable:
        name = subject.installation.origin or subject.mode.distribution
        raise _no_release(name, subject.mode.distribution, subject.version, unreleased.kind)


def _require_releases(report: Mapping[str, Json], case: str) -> None:
    """Refuse a report of a case in what others would take for a release.

    Raises
    ------
    AcceptError
        If it is about one that is none, with a version such as a release has.
    """
    certificates = report.get("certificates")
    for certificate in certificates if isinstance(certificates, list) else ():
        match certificate:
            case {
                "case": about,
                "subject": {
                    "distribution": str(distribution),
                    "version": str(version),
                    "unreleased": {"kind": str(kind)},
                } as subject,
            } if about == case and is_final(version):
                raise _no_release(str(subject.get("origin", distribution)), distribution, version, kind)


def _no_release(name: str, distribution: str, version: str, kind: str) -> AcceptError:
    return AcceptError(
        f"a release was expected, since the ledger is about releases; {name} calls itself {version}, and is a {kind}. "
        f"Test the release, with --subject {distribution}=={version}, or give the {kind} a version "
        "that no release has, such as a development version"
    )


def _accept(options: argparse.Namespace, today: date) -> int:
    if options.names or options.json:
        raise AcceptError("with --accept CASE, no other name and no --json was expected")
    words = accepting.given(options.upstream, options.says, options.review, today + SOON)
    if words is None and not sys.stdin.isatty():
        raise AcceptError(
            "a link and a reason were expected: --upstream URL (or unreported) and --says TEXT; without them they are "
            "asked for, which takes a terminal"
        )
    origin = accepting.source(options.source, one_case(options.accept, registry.libraries())[1], options.cause)
    library, case = one_case(options.accept, libraries_for(options, [options.accept]))
    ledger = ledgers.read(library.ledger)
    if origin.report is None:
        _require_release(require_installed(library, case, options.mode))
    else:
        _require_releases(origin.report, case.name)

    def run() -> Mapping[str, Json]:
        chosen = Options(FindingsFolder(options.findings), thorough=True, mode=options.mode)
        selection = selected([(library, (case,))], options.mode, [case.name])
        return document(check(selection, chosen, Progress.at_terminal()))

    planned = accepting.plan(ledger, library, case, origin, run)
    if not planned:
        tell(f"{ledger.path.name} says already what {case.name} shows; nothing is to be written.")
        return 0
    done = agree(planned, words, today, tell, lambda question: input(printable_lines(question)))
    if done:
        write(ledger, done)
    tell(f"Written to {ledger.path}." if done else "Nothing was written.")
    return 0
