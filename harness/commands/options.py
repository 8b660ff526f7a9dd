"""Options that several commands take, and the kinds of their values."""

import argparse
from datetime import date
from pathlib import Path
from typing import TypeAlias

from packaging.version import InvalidVersion, Version

FINDINGS = Path("rankdiff-findings")


EPILOG = """\
exit status: 0 as the ledger says; 1 a divergence that is new, gone or moved; 2 the run could not be done
"""


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - it has no public name


def add_subject(command: argparse.ArgumentParser) -> None:
    """Add the options that name what is tested."""
    command.add_argument(
        "--mode", metavar="MODE", help="how to run the library, such as interpreted or real (default: the usual way)"
    )
    command.add_argument(
        "--subject",
        metavar="SPEC",
        help="what to test instead of what is installed: a requirement such as name==1.0, a wheel, a checkout, or a "
        "git URL; it gets an environment of its own in the cache",
    )
    command.add_argument(
        "--python", metavar="PYTHON", help="the Python for --subject: a version such as 3.10, or the path of one"
    )
    command.add_argument(
        "--exclude-newer",
        type=day,
        metavar="DATE",
        help="with --subject: dependencies as of that day, such as 2022-12-01",
    )


def add_effort(command: argparse.ArgumentParser) -> None:
    """Add the options that say how much is run."""
    command.add_argument("--thorough", action="store_true", help="run every domain of each case")
    command.add_argument(
        "--examples", type=count, default=100, metavar="N", help="inputs to hunt for each case (default 100)"
    )
    command.add_argument(
        "--seed", type=int, default=0, metavar="N", help="hunt other inputs (default 0: the same every time)"
    )


def add_json(command: argparse.ArgumentParser) -> None:
    """Add the option for programs."""
    command.add_argument("--json", action="store_true", help="print one JSON document")


def version(text: str) -> Version:
    """Return a release, as PEP 440 writes it."""
    try:
        return Version(text)
    except InvalidVersion:
        raise argparse.ArgumentTypeError(f"a version such as 1.0 was expected, not {text!r}") from None


def jobs(text: str) -> int:
    """Return how much may run at once."""
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"a number from 1 to 64 was expected, not {text!r}")
    return int(text)


def days(text: str) -> float:
    """Return a number of days."""
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number < 1e6:
        raise argparse.ArgumentTypeError(f"a number of days such as 30 was expected, not {text!r}")
    return number


def day(text: str) -> date:
    """Return a day."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = date.min
    if not 1990 < found.year < 2200:
        raise argparse.ArgumentTypeError(f"a day such as 2022-12-01 was expected, not {text!r}")
    return found


def count(text: str) -> int:
    """Return a number that counts something."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"a count of 0 or more was expected, not {text}")
    return number
