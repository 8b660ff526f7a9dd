"""What is printed: the one place that does."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterable

from harness.jsontypes import Json
from harness.printable import printable_lines


def say(
    options: argparse.Namespace,
    document: Callable[[], dict[str, Json]],
    lines: Callable[[], Iterable[str]],
) -> None:
    """Print what came out, for a program or a person; it is done, so that an interrupt could only take it away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if options.json:
        print_json(document())
    else:
        tell("\n".join(lines()))


def print_json(document: dict[str, Json]) -> None:
    """Print a document for a program."""
    print(json.dumps(document, indent=2))


def tell(text: str) -> None:
    """Print what a person reads, at once; texts from elsewhere in it are harmless for a terminal."""
    print(printable_lines(text), flush=True)


def complain(text: str) -> None:
    """Print on standard error what went wrong."""
    print(printable_lines(text), file=sys.stderr)
