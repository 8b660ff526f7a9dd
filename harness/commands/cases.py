"""``rankdiff cases``: list the contracts."""

import argparse
import json
from collections.abc import Iterator

from harness import registry
from harness.case import AnyCase
from harness.certificate import domain_json
from harness.commands.choosing import libraries_for
from harness.commands.options import Commands, add_json, add_subject
from harness.commands.output import say
from harness.jsontypes import Json
from harness.meanings import meanings
from harness.run import selected


def add(commands: Commands) -> None:
    """Add the command and its arguments."""
    command = commands.add_parser(
        "cases",
        help="list the contracts with their sources",
        description="List the contracts that a check with the same names and options is about, with their sources.",
    )
    command.add_argument("names", nargs="*", metavar="CASE-OR-LIBRARY", help="all, if none is named")
    add_subject(command)
    add_json(command)


def run(options: argparse.Namespace) -> int:
    """Run the command, and return its exit status."""
    selection = registry.select(options.names, libraries_for(options, options.names))
    cases = [case for _, chosen in selected(selection, options.mode, options.names) for case in chosen]
    say(
        options,
        lambda: {"cases": [_contract_json(case) for case in cases]},
        lambda: (line for case in cases for line in _listed(case)),
    )
    return 0


def _contract_json(case: AnyCase) -> dict[str, Json]:
    return {
        "case": case.name,
        **case.contract.to_json(),
        "fields": dict(meanings(case.input_type)),
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
    yield from (f"        {line}" for line in case.field_lines())
    if case.values:
        yield f"    values: {case.values}"
