"""The command line.

The commands are imported where an interrupt is noticed: that takes a second, in which somebody may press the keys.
"""

import argparse
import importlib
import io
import os
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from harness import interrupts
from harness.commands.options import EPILOG, Commands
from harness.commands.output import complain
from harness.errors import InterruptedRunError, RankdiffError
from harness.version import VERSION


class Command(Protocol):
    """A module of `harness.commands`."""

    def add(self, commands: Commands) -> None:
        """Add the command and its arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Run the command, and return its exit status."""


COMMANDS = (
    "check",
    "cases",
    "bundle",
    "replay",
    "impact",
    "shadow",
    "ledger",
    "report",
    "releases",
    "environments",
)
"""Modules of `harness.commands`, in the order of the help."""


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
    except KeyboardInterrupt:  # another, while the command was ending for the first
        status = 2
    except OSError as error:
        print(f"rankdiff: the output cannot be written ({error.strerror})", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 2
    except Exception:  # noqa: BLE001 - a fault of ours may not look like a divergence of a library
        traceback.print_exc()
        print("rankdiff: this is a fault of rankdiff or of a case, not of a library under test", file=sys.stderr)
        status = 2
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is done: an interrupt could only take its status away
    sys.exit(status)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; errors are printed, not raised."""
    try:
        with interrupts.noticed():
            commands = {name: _command(name) for name in COMMANDS}
            options = _parser(commands).parse_args(arguments)
            return commands[options.command].run(options)
    except RankdiffError as error:
        complain(f"rankdiff: {error}")
        return 2
    except (KeyboardInterrupt, InterruptedRunError):
        print("rankdiff: interrupted", file=sys.stderr)
        return 2


def _command(name: str) -> Command:
    return cast("Command", importlib.import_module(f"harness.commands.{name}"))


def _parser(those: Mapping[str, Command]) -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="rankdiff",
        description="Test ranking-evaluation libraries against independent, exact references.",
        epilog=EPILOG,
    )
    top.add_argument("--version", action="version", version=f"rankdiff {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in those.values():
        command.add(commands)
    return top
