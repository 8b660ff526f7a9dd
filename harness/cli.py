"""The command line."""

import argparse
import io
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from harness import interrupts, registry, replay
from harness.arguments import parser
from harness.bundles import index, known, writing
from harness.bundles.order import Order
from harness.case import AnyCase
from harness.certificate import domain_json
from harness.chosen import library_at
from harness.document import document
from harness.environments.environment import Wanted
from harness.errors import (
    BadInputError,
    BadRequirementError,
    BundleError,
    NotInstalledError,
    RankdiffError,
    UnknownCaseError,
)
from harness.execute import Executor
from harness.exhaust import InterruptedCheckError
from harness.finding import FindingsFolder
from harness.impact.comparison import Files
from harness.impact.document import document as impact_document
from harness.impact.run import answer, question
from harness.impact.text import lines as impact_lines
from harness.jsontypes import Json
from harness.library import Library
from harness.limits import DEFAULT
from harness.printable import printable_lines
from harness.progress import Progress
from harness.run import Options, check, selected
from harness.shadow.compare import Plan
from harness.shadow.document import document as shadow_document
from harness.shadow.proposal import Proposal
from harness.shadow.run import exit_status, shadow
from harness.shadow.text import all_lines
from harness.subject import require_installed
from harness.terminal import lines


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
    try:
        with interrupts.noticed():
            return COMMANDS[options.command](options)
    except RankdiffError as error:
        _complain(f"rankdiff: {error}")
        return 2
    except (KeyboardInterrupt, InterruptedCheckError):
        print("rankdiff: interrupted", file=sys.stderr)
        return 2


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
    _say(options, lambda: document(report), lambda: lines(report))
    return report.exit_status


def _cases(options: argparse.Namespace) -> int:
    cases = [case for _, chosen in registry.select(options.names, registry.libraries()) for case in chosen]
    _say(
        options,
        lambda: {"cases": [_contract_json(case) for case in cases]},
        lambda: (line for case in cases for line in _listed(case)),
    )
    return 0


def _contract_json(case: AnyCase) -> dict[str, Json]:
    return {
        "case": case.name,
        **case.contract.to_json(),
        "domains": [{**domain_json(domain), "inputs": len(domain.inputs)} for domain in case.domains],
    }


def _listed(case: AnyCase) -> Iterator[str]:
    contract = case.contract
    yield case.name
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
    return ("pytest",) if options.command == "bundle" or getattr(options, "tests", None) else ()


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
    _say(options, lambda: replay.document(instances), lambda: replay.lines(subject, instances))
    return 1 if any(instance.ruling.verdict.is_mismatch for instance in instances) else 0


def _bundle(options: argparse.Namespace) -> int:
    if options.all:
        return _bundle_all(options)
    if options.case is None:
        raise UnknownCaseError("a case was expected, or --all; `rankdiff cases` lists them all")
    if options.runs and options.qrels is None:
        raise BadInputError("--run FILE is evaluated by --qrels FILE, which was expected too")
    library, case = _one_case(options.case, _available(options, [options.case]))
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
    _print("\n".join(map(str, written.files)))
    _print(
        f"{instance.case.describe(instance.x)}: {instance.source_word} {instance.expected_shown}, observed "
        f"{instance.observed_shown}; shown in {len(written.finding.confirmations)} fresh processes."
    )
    if written.finding.fix:
        _print(f"With {written.finding.fix.label} the script shows nothing.")
    return 0


def _bundle_all(options: argparse.Namespace) -> int:
    if any((options.case, options.cause, options.mode, options.subject, options.fix, options.qrels, options.runs)):
        raise BundleError(
            "with --all, no case, --cause, --mode, --subject, --fix, --qrels or --run was expected: the ledgers say "
            "which"
        )
    out, libraries = options.out or Path(), registry.libraries()
    status = 0
    done = known.write(libraries, out, Order(is_fresh=options.fresh, is_zipped=options.zip), Progress.at_terminal())
    for one, written in done:
        if isinstance(written, writing.Bundle):
            _print(f"{one.case.name}: {written.files[0].parent}")
        elif isinstance(written, NotInstalledError):
            _print(f"{one.case.name}: not written: {written}")
        else:
            _complain(f"rankdiff: {one.case.name}: {written}")
            status = 2
    if out.is_dir():
        _print(str(index.write(out, libraries)))
    return status


def _impact(options: argparse.Namespace) -> int:
    available = registry.libraries()
    asked = question(
        _one_case(options.case, available)[1], available, Files(options.qrels, tuple(options.runs)), options.settings
    )
    library, case = _one_case(options.case, _available(options, [options.case]))
    found = answer(asked, require_installed(library, case, options.mode), DEFAULT, Progress.at_terminal())
    _say(options, lambda: impact_document(found), lambda: impact_lines(found))
    return found.exit_status


def _shadow(options: argparse.Namespace) -> int:
    library, named = registry.select([options.name], _available(options, [options.name]))[0]
    progress = Progress.at_terminal()
    proposal = Proposal(tuple(options.patches), tuple(options.java), options.source)
    plan = Plan(options.thorough, options.examples, options.seed, options.tests)
    try:
        done = shadow(library, named, proposal, options.mode, plan, progress)
    except RankdiffError as error:
        if options.json:
            _print_json(shadow_document([], 2, str(error)))
        raise
    status = exit_status(done)
    _say(options, lambda: shadow_document(done, status), lambda: all_lines(done))
    return status


def _say(
    options: argparse.Namespace,
    document: Callable[[], dict[str, Json]],
    lines: Callable[[], Iterable[str]],
) -> None:
    """Print what came out, for a program or a person; it is done, so that an interrupt could only take it away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if options.json:
        _print_json(document())
    else:
        _print("\n".join(lines()))


def _print_json(document: dict[str, Json]) -> None:
    print(json.dumps(document, indent=2))


def _print(text: str) -> None:
    """Print what a person reads, at once; texts from elsewhere in it are harmless for a terminal."""
    print(printable_lines(text), flush=True)


def _complain(text: str) -> None:
    print(printable_lines(text), file=sys.stderr)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "check": _check,
    "cases": _cases,
    "bundle": _bundle,
    "replay": _replay,
    "impact": _impact,
    "shadow": _shadow,
}
