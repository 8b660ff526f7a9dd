"""``rankdiff replay``: run single inputs."""

import argparse

from harness import replay
from harness.commands.choosing import libraries_for, one_case
from harness.commands.options import Commands, add_json, add_subject
from harness.commands.output import complain, say
from harness.execute import Executor
from harness.limits import DEFAULT
from harness.progress import Progress
from harness.subject import require_installed


def add(commands: Commands) -> None:
    """Add the command and its arguments."""
    command = commands.add_parser(
        "replay",
        help="run single inputs and show what is documented and what is observed",
        description="Run inputs of one case through the installed library, and show what is documented, what is "
        "observed, and which convention it follows.",
        epilog="exit status: 0 all agree; 1 one does not; 2 they could not be run",
    )
    command.add_argument("case", metavar="CASE")
    command.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="a JSON object, the path of a finding.json, or an index in the first domain",
    )
    add_subject(command)
    add_json(command)


def run(options: argparse.Namespace) -> int:
    """Run the command, and return its exit status."""
    library, case = one_case(options.case, libraries_for(options, [options.case]))
    written = [replay.read(case, text) for text in options.inputs]
    progress = Progress.at_terminal()
    subject = require_installed(library, case, options.mode)
    with Executor(subject, DEFAULT) as executor:
        with progress.waiting(f"starting {subject.title}"):
            executor.start()
        instances = list(replay.replay(case, executor, [one.x for one in written]))
    for warning in dict.fromkeys(filter(None, (one.warning(subject) for one in written))):
        complain(f"rankdiff: {warning}")
    say(options, lambda: replay.document(instances), lambda: replay.lines(subject, instances))
    return 1 if any(instance.ruling.verdict.is_mismatch for instance in instances) else 0
