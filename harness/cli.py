"""The command line."""

import argparse
import io
import json
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from harness import bundle, registry, replay
from harness.case import AnyCase, Library
from harness.chosen import library_at
from harness.document import document
from harness.environments.environment import Wanted
from harness.errors import BadRequirementError, RankdiffError, UnknownCaseError
from harness.execute import Executor
from harness.exhaust import InterruptedCheckError
from harness.finding import FindingsFolder
from harness.jsontypes import Json
from harness.limits import DEFAULT
from harness.progress import Progress
from harness.run import Options, check, selected
from harness.shadow.compare import Plan
from harness.shadow.document import document as shadow_document
from harness.shadow.proposal import Proposal
from harness.shadow.run import exit_status, shadow
from harness.shadow.text import lines as shadow_lines
from harness.subject import require_installed
from harness.terminal import lines
from harness.version import VERSION

FINDINGS = Path("rankdiff-findings")

EPILOG = """\
exit status: 0 as the ledger says; 1 a divergence that is new, gone or moved; 2 the run could not be done
"""


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
    options = parser().parse_args(arguments)
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, _interrupt)
    try:
        status: int = options.run(options)
    except RankdiffError as error:
        print(f"rankdiff: {error}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, InterruptedCheckError):
        print("rankdiff: interrupted", file=sys.stderr)
        return 2
    return status


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="rankdiff",
        description="Test ranking-evaluation libraries against independent, exact references.",
        epilog=EPILOG,
    )
    top.add_argument("--version", action="version", version=f"rankdiff {VERSION}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    checking = commands.add_parser(
        "check",
        help="run cases and settle them against the ledger of known divergences",
        description="Run every input of each case's domain through the installed library, hunt beyond it, "
        "and settle what was seen against the ledger of known divergences.",
        epilog=EPILOG,
    )
    checking.set_defaults(run=_check)
    checking.add_argument("names", nargs="*", metavar="CASE-OR-LIBRARY", help="all, if none is named")
    _add_effort(checking)
    checking.add_argument("--findings", type=Path, default=FINDINGS, metavar="DIR", help=f"default: {FINDINGS}/")
    checking.add_argument(
        "--require",
        action="append",
        default=[],
        metavar="CASE",
        help="fail with 2 when this case, or a case of this library, is not run; may be repeated",
    )
    checking.add_argument(
        "--mode", metavar="MODE", help="how to run the library, such as interpreted or real (default: the usual way)"
    )
    _add_subject(checking)
    checking.add_argument("--json", action="store_true", help="print one JSON document")

    listing = commands.add_parser("cases", help="list the contracts with their sources")
    listing.set_defaults(run=_cases)
    listing.add_argument("names", nargs="*", metavar="CASE-OR-LIBRARY", help="all, if none is named")
    listing.add_argument("--json", action="store_true", help="print one JSON document")

    bundling = commands.add_parser(
        "bundle",
        help="write a divergence out as a folder that upstream can run",
        description="Find the smallest input where the installed library departs from a contract, and write "
        "a folder with a script that shows it and the evidence. The script is run in fresh processes first.",
        epilog="exit status: 0 it is written; 2 it is not",
    )
    bundling.set_defaults(run=_bundle)
    bundling.add_argument("case", metavar="CASE")
    bundling.add_argument("--mode", metavar="MODE", help="how to run the library (default: the usual way)")
    bundling.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder to write (default: named after subject and case)"
    )
    _add_subject(bundling)

    replaying = commands.add_parser(
        "replay",
        help="run single inputs and show what is documented and what is observed",
        description="Run inputs of one case through the installed library, and show what is documented, what is "
        "observed, and which convention it follows.",
        epilog="exit status: 0 all agree; 1 one does not; 2 they could not be run",
    )
    replaying.set_defaults(run=_replay)
    replaying.add_argument("case", metavar="CASE")
    replaying.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="a JSON object, the path of a finding.json, or an index in the first domain",
    )
    replaying.add_argument("--mode", metavar="MODE", help="how to run the library (default: the usual way)")
    _add_subject(replaying)
    replaying.add_argument("--json", action="store_true", help="print one JSON document")

    shadowing = commands.add_parser(
        "shadow",
        help="show what a proposed patch fixes, leaves wrong, breaks, or changes though it was right",
        description="Run every input of every case of a library through it as it is installed, and through a patched "
        "copy, and compare. The installation is not touched.",
        epilog="exit status: 0 something is fixed and nothing broken; 1 otherwise; 2 it could not be judged",
    )
    shadowing.set_defaults(run=_shadow)
    shadowing.add_argument("name", metavar="CASE-OR-LIBRARY", help="the library; a case that is named comes first")
    shadowing.add_argument(
        "patches",
        nargs="*",
        type=Path,
        metavar="PATCH",
        help="a unified diff against upstream's tree; several in order",
    )
    shadowing.add_argument(
        "--java",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a Java file that replaces a class of a jar",
    )
    shadowing.add_argument(
        "--source", type=Path, metavar="DIR", help="the source tree that patches apply to, where a jar holds none"
    )
    shadowing.add_argument(
        "--tests", type=Path, metavar="PATH", help="upstream's own tests: run them before and after, with pytest"
    )
    _add_subject(shadowing)
    shadowing.add_argument("--mode", metavar="MODE", help="how to run the library (default: the usual way)")
    _add_effort(shadowing)
    shadowing.add_argument("--json", action="store_true", help="print one JSON document")
    return top


def _add_subject(command: argparse.ArgumentParser) -> None:
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
        type=_date,
        metavar="DATE",
        help="with --subject: dependencies as of that day, such as 2022-12-01",
    )


def _add_effort(command: argparse.ArgumentParser) -> None:
    command.add_argument("--thorough", action="store_true", help="run every domain of each case")
    command.add_argument(
        "--examples", type=_count, default=100, metavar="N", help="inputs to hunt for each case (default 100)"
    )
    command.add_argument(
        "--seed", type=int, default=0, metavar="N", help="hunt other inputs (default 0: the same every time)"
    )


def _check(options: argparse.Namespace) -> int:
    wanted = [*options.names, *options.require]
    available = _available(options, wanted)
    registry.select(wanted, available)
    selection = selected(registry.select(wanted if options.names else [], available), options.mode, wanted)
    libraries = {library.name for library in available}
    chosen = Options(
        findings=FindingsFolder(options.findings),
        thorough=options.thorough,
        examples=options.examples,
        seed=options.seed,
        mode=options.mode,
        required=frozenset({*options.require, *(name for name in options.names if name not in libraries)}),
        asked=frozenset(libraries.intersection(options.names)),
    )
    report = check(selection, chosen, Progress.at_terminal())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is done: what is left is to say so
    if options.json:
        print(json.dumps(document(report), indent=2, ensure_ascii=False))
    else:
        print("\n".join(lines(report)))
    return report.exit_status


def _cases(options: argparse.Namespace) -> int:
    selection = registry.select(options.names, registry.libraries())
    if options.json:
        cases: list[Json] = [
            {
                "case": case.name,
                "says": case.contract.says,
                "source": case.contract.source,
                "upstream": case.contract.upstream,
                "unpromised": case.contract.unpromised,
                "domains": [
                    {"name": d.name, "parameters": dict(d.parameters), "inputs": len(d.inputs)} for d in case.domains
                ],
            }
            for _, chosen in selection
            for case in chosen
        ]
        print(json.dumps({"cases": cases}, indent=2, ensure_ascii=False))
        return 0
    for _, chosen in selection:
        for case in chosen:
            print(case.name)
            print("\n".join(_listed(case)))
    return 0


def _listed(case: AnyCase) -> Iterator[str]:
    contract = case.contract
    yield f"    {contract.says}"
    yield f"    source: {contract.source}"
    if contract.upstream:
        yield f"    upstream: {contract.upstream}"
    if contract.unpromised:
        yield f"    not a promise: {contract.unpromised}"
    if case.modes:
        yield f"    mode: {' or '.join(case.modes)}"
    yield f"    input: {json.dumps(case.example())[:300]}"
    if case.values:
        yield f"    values: {case.values}"


def _available(options: argparse.Namespace, names: Sequence[str]) -> list[Library]:
    """Return the libraries that there are cases for; only that of ``--subject``, with it, where it is given."""
    available = registry.libraries()
    if options.subject is None:
        if options.python or options.exclude_newer:
            raise BadRequirementError("--python and --exclude-newer are about --subject SPEC, which was expected too")
        return available
    registry.select(names, available)
    wanted = Wanted(options.subject, options.python, options.exclude_newer, _extras(options))
    return [library_at(available, wanted, names, Progress.at_terminal())]


def _extras(options: argparse.Namespace) -> tuple[str, ...]:
    """Return what has to be installed beside a subject."""
    return ("pytest",) if getattr(options, "tests", None) else ()


def _one_case(name: str, available: Sequence[Library]) -> tuple[Library, AnyCase]:
    library, cases = registry.select([name], available)[0]
    if name == library.name:
        names = ", ".join(case.name for case in cases)
        raise UnknownCaseError(f"one case was expected, not the library {library.name}; its cases are {names}")
    return library, cases[0]


def _replay(options: argparse.Namespace) -> int:
    library, case = _one_case(options.case, _available(options, [options.case]))
    inputs = [replay.read(case, text) for text in options.inputs]
    progress = Progress.at_terminal()
    subject = require_installed(library, case, options.mode)
    with Executor(subject, DEFAULT) as executor:
        with progress.waiting(f"starting {subject.title}"):
            executor.start()
        instances = list(replay.replay(case, executor, inputs))
    if options.json:
        print(json.dumps(replay.document(instances), indent=2, ensure_ascii=False))
    else:
        print(f"{subject.heading}, {subject.mode.name}")
        print("\n".join(line for instance in instances for line in replay.lines(instance)))
    return 1 if any(instance.ruling.verdict.is_mismatch for instance in instances) else 0


def _bundle(options: argparse.Namespace) -> int:
    library, case = _one_case(options.case, _available(options, [options.case]))
    subject = require_installed(library, case, options.mode)
    written = bundle.write(subject, case, options.out, Progress.at_terminal())
    instance = written.finding.instance
    print(f"{written.folder}/repro.py")
    print(f"{written.folder}/finding.json")
    print(
        f"{instance.case.describe(instance.x)}: {instance.source_word} {instance.expected_shown}, observed "
        f"{instance.observed_shown}; shown in {len(written.finding.confirmations)} fresh processes."
    )
    return 0


def _shadow(options: argparse.Namespace) -> int:
    library, named = registry.select([options.name], _available(options, [options.name]))[0]
    progress = Progress.at_terminal()
    proposal = Proposal(tuple(options.patches), tuple(options.java), options.source)
    plan = Plan(options.thorough, options.examples, options.seed, options.tests)
    done = shadow(library, named, proposal, options.mode, plan, progress)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is done: what is left is to say so
    status = exit_status(done)
    if options.json:
        print(json.dumps(shadow_document(done, status), indent=2, ensure_ascii=False))
    else:
        print("\n\n".join("\n".join(shadow_lines(one)) for one in done))
    return status


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"a day such as 2022-12-01 was expected, not {text!r}") from error


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"a count of 0 or more was expected, not {text}")
    return number


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt
