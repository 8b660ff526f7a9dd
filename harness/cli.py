"""The command line."""

import argparse
import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Protocol

from harness import interrupts
from harness.commands import bundle, cases, check, environments, impact, ledger, releases, replay, report, shadow
from harness.commands.options import EPILOG, Commands
from harness.commands.output import complain
from harness.errors import RankdiffError
from harness.exhaust import InterruptedCheckError
from harness.version import VERSION


class Command(Protocol):
    """A module of `harness.commands`."""

    def add(self, commands: Commands) -> None:
        """Add the command and its arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Run the command, and return its exit status."""


COMMANDS: dict[str, Command] = {
    "check": check,
    "cases": cases,
    "bundle": bundle,
    "replay": replay,
    "impact": impact,
    "shadow": shadow,
    "ledger": ledger,
    "report": report,
    "releases": releases,
    "environments": environments,
}


def entry() -> None:
    """Run the command line and end the process with its status; whatever goes wrong in here is a 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the name of a file need not be text
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output left, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 2
    except OSError as error:
        print(f"rankdiff: the output cannot be written ({error.strerror})", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 2
    except Exception:  # noqa: BLE001 - a fault of ours may not look like a divergence of a library
        traceback.print_exc()
        print("rankdiff: this is a fault of rankdiff or of a case, not of a library under test", file=sys.stderr)
        status = 2
    sys.exit(status)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; errors are printed, not raised."""
    options = _parser().parse_args(arguments)
    try:
        with interrupts.noticed():
            return COMMANDS[options.command].run(options)
    except RankdiffError as error:
        complain(f"rankdiff: {error}")
        return 2
    except (KeyboardInterrupt, InterruptedCheckError):
        print("rankdiff: interrupted", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="rankdiff",
        description="Test ranking-evaluation libraries against independent, exact references.",
        epilog=EPILOG,
    )
    top.add_argument("--version", action="version", version=f"rankdiff {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS.values():
        command.add(commands)
    return top
