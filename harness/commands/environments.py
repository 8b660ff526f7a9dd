"""``rankdiff environments``: what was installed for subjects."""

import argparse

from harness.commands.options import Commands, add_json, days
from harness.commands.output import say
from harness.environments import kept as kept_environments
from harness.environments import listing
from harness.errors import (
    UnknownEnvironmentError,
)


def add(commands: Commands) -> None:
    """Add the command and its arguments."""
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
        "--unused-for", type=days, metavar="DAYS", help="with --remove: those that were not used for so many days"
    )
    add_json(command)


def run(options: argparse.Namespace) -> int:
    """Run the command, and return its exit status."""
    there = kept_environments.environments()
    if options.remove is None:
        if options.all or options.unused_for is not None:
            raise UnknownEnvironmentError("--all and --unused-for are about --remove, which was expected too")
        say(options, lambda: listing.document(there), lambda: listing.lines(there))
        return 0
    if bool(options.remove) + options.all + (options.unused_for is not None) != 1:
        raise UnknownEnvironmentError("with --remove, either names, --all or --unused-for DAYS was expected")
    chosen = kept_environments.chosen(there, options.remove, options.unused_for)
    removed = [kept_environments.remove(one) for one in chosen]
    say(options, lambda: listing.removed_document(removed), lambda: listing.removed_lines(removed))
    return 2 if any(one.reason for one in removed) else 0
