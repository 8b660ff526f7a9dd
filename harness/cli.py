"""The command line."""

import argparse
import io
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from harness import github, interrupts, registry, replay
from harness import ledger as ledgers
from harness.arguments import parser
from harness.bundles import index, known, writing
from harness.bundles.order import Order
from harness.case import AnyCase
from harness.certificate import domain_json
from harness.chosen import library_at
from harness.document import document
from harness.environments import kept as kept_environments
from harness.environments import listing
from harness.environments.environment import Wanted
from harness.errors import (
    AcceptError,
    BadInputError,
    BadRequirementError,
    BundleError,
    NotInstalledError,
    RankdiffError,
    UnknownCaseError,
    UnknownEnvironmentError,
)
from harness.execute import Executor
from harness.exhaust import InterruptedCheckError
from harness.finding import FindingsFolder
from harness.impact.comparison import Files
from harness.impact.document import document as impact_document
from harness.impact.run import answer, question
from harness.impact.text import lines as impact_lines
from harness.jsontypes import Json
from harness.ledgers import accepting
from harness.ledgers import listing as ledger_listing
from harness.ledgers.dialogue import agree
from harness.ledgers.words import SOON
from harness.ledgers.writing import write
from harness.library import Library
from harness.limits import DEFAULT
from harness.page import making
from harness.printable import printable_lines
from harness.progress import Progress
from harness.releases.document import document as releases_document
from harness.releases.filling import fill as fill_matrix
from harness.releases.matrix import question as releases_question
from harness.releases.running import How
from harness.releases.text import lines as releases_lines
from harness.releases.verdict import exit_status as releases_status
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
        reviews=options.reviews,
    )
    report = check(selection, chosen, Progress.at_terminal())
    shown = (lambda: [github.silenced("\n".join(lines(report)))]) if options.github else (lambda: lines(report))
    _say(options, lambda: document(report), shown)
    if options.github:
        stream = sys.stderr if options.json else sys.stdout
        for text in filter(None, (github.write(report, os.environ), *github.annotations(report))):
            print(text, file=stream, flush=True)
    return report.exit_status


def _cases(options: argparse.Namespace) -> int:
    selection = registry.select(options.names, _available(options, options.names))
    cases = [case for _, chosen in selected(selection, options.mode, options.names) for case in chosen]
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


def _ledger(options: argparse.Namespace) -> int:
    today = date.today()  # noqa: DTZ011 - the user's day
    if options.accept is not None:
        return _accept(options, today)
    if any((options.cause, options.source, options.upstream, options.says, options.review, options.subject)):
        raise AcceptError("--cause, --from, --upstream, --says, --review and --subject are about --accept CASE")
    listed = ledger_listing.listed(registry.select(options.names, registry.libraries()), options.names, today)
    _say(options, lambda: ledger_listing.document(listed), lambda: ledger_listing.lines(listed))
    return 1 if any(one.problems for one in listed) else 0


def _accept(options: argparse.Namespace, today: date) -> int:
    if options.names or options.json:
        raise AcceptError("with --accept CASE, no other name and no --json was expected")
    words = accepting.given(options.upstream, options.says, options.review, today + SOON)
    if words is None and not sys.stdin.isatty():
        raise AcceptError(
            "a link and a reason were expected: --upstream URL (or unreported) and --says TEXT; without them they are "
            "asked for, which takes a terminal"
        )
    origin = accepting.source(options.source, _one_case(options.accept, registry.libraries())[1], options.cause)
    library, case = _one_case(options.accept, _available(options, [options.accept]))
    ledger = ledgers.read(library.ledger)

    def run() -> Mapping[str, Json]:
        chosen = Options(FindingsFolder(options.findings), thorough=True, mode=options.mode)
        selection = selected([(library, (case,))], options.mode, [case.name])
        return document(check(selection, chosen, Progress.at_terminal()))

    planned = accepting.plan(ledger, library, case, origin, run)
    if not planned:
        _print(f"{ledger.path.name} says already what {case.name} shows; nothing is to be written.")
        return 0
    done = agree(planned, words, today, _print, lambda question: input(printable_lines(question)))
    if done:
        write(ledger, done)
    _print(f"Written to {ledger.path}." if done else "Nothing was written.")
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


def _report(options: argparse.Namespace) -> int:
    order = making.Order(tuple(options.names), options.out, tuple(options.sources), options.bundles)
    _print(str(making.make(order, registry.libraries())))
    return 0


def _releases(options: argparse.Namespace) -> int:
    available = registry.libraries()
    names = [name if "/" in name else f"{options.library}/{name}" for name in options.cases]
    [(library, cases), *_] = registry.select(names or [options.library], available)
    if library.name != options.library or any(not name.startswith(f"{library.name}/") for name in names):
        raise UnknownCaseError(f"a library was expected, and cases of it, not {options.library!r}")
    how = How(options.python, options.exclude_newer, tuple(options.beside), options.jobs or How().jobs)
    asked = replace(
        releases_question(library, cases, options.mode, names),
        first=options.first,
        last=options.last,
        pre=options.pre,
        bisect=options.bisect,
        again=options.again,
        how=how,
    )
    found = fill_matrix(asked, Progress.at_terminal())
    status = releases_status(found)
    _say(options, lambda: releases_document(found), lambda: releases_lines(found))
    if options.json:
        for obstacle in found.obstacles:
            _complain(f"rankdiff: {obstacle}")
    return status


def _environments(options: argparse.Namespace) -> int:
    there = kept_environments.environments()
    if options.remove is None:
        if options.all or options.unused_for is not None:
            raise UnknownEnvironmentError("--all and --unused-for are about --remove, which was expected too")
        _say(options, lambda: listing.document(there), lambda: listing.lines(there))
        return 0
    if bool(options.remove) + options.all + (options.unused_for is not None) != 1:
        raise UnknownEnvironmentError("with --remove, either names, --all or --unused-for DAYS was expected")
    chosen = kept_environments.chosen(there, options.remove, options.unused_for)
    removed = [kept_environments.remove(one) for one in chosen]
    _say(options, lambda: listing.removed_document(removed), lambda: listing.removed_lines(removed))
    return 2 if any(one.reason for one in removed) else 0


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
    "ledger": _ledger,
    "releases": _releases,
    "environments": _environments,
    "report": _report,
}
