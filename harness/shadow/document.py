"""Comparisons as one JSON document, by the schema in ``harness/schema/shadow.schema.json``."""

from collections.abc import Mapping, Sequence

from harness.certificate import Certificate, Instance, domain_json, verdicts_json
from harness.jsontypes import Json
from harness.proof import LoadedModule
from harness.shadow.comparison import CaseComparison, Change, Changes, Comparison, DomainComparison
from harness.shadow.transition import Transition
from harness.shadow.upstream import SuiteComparison, SuiteRun
from harness.version import VERSION

SCHEMA = 1


def document(comparisons: Sequence[Comparison], exit_status: int, obstacle: str | None = None) -> dict[str, Json]:
    """Return what ``--json`` prints; ``obstacle`` is why nothing could be compared."""
    return {
        "schema": SCHEMA,
        "rankdiff": VERSION,
        "exit_status": exit_status,
        "obstacle": obstacle,
        "comparisons": [_comparison(one) for one in comparisons],
    }


def _comparison(one: Comparison) -> dict[str, Json]:
    return {
        "conclusion": str(one.conclusion),
        "before": {
            **one.before.to_json(),
            "label": one.before.label,
            "modules": [_module(module) for module in one.modules[0]],
        },
        "after": {
            **one.after.to_json(),
            "label": one.after.label,
            "modules": [_module(module) for module in one.modules[1]],
        },
        "python": one.hellos[1].python if one.hellos else None,
        "changed": list(one.changed),
        "ignored": list(one.ignored),
        "unused": list(one.unused),
        "documentation_only": one.is_documentation,
        "cases": [_case(case) for case in one.cases],
        "confirmations": [
            {"case": each.case.name, "kind": str(each.kind), "confirmed": each.confirmed, **_change(each.shown)}
            for each in one.confirmations
        ],
        "upstream_tests": _suite(one.suite),
        "obstacles": list(one.obstacles),
    }


def _module(module: LoadedModule) -> dict[str, Json]:
    return {"name": module.name, "path": module.path, "sha256": module.sha256}


def _case(case: CaseComparison) -> dict[str, Json]:
    return {
        "case": case.case.name,
        "status": case.status,
        "reason": case.reason,
        "promised": case.is_promise,
        "breaks": case.is_worse,
        "would_hold_as": case.convention or None,
        "transitions": _transitions(case.counts),
        "domains": [_domain(domain) for domain in case.domains],
        "smallest": {str(kind): _change(change) for kind, change in case.first.items()},
        "hunted": _hunted(case.hunted),
        "hunt_ended_early": case.ended_early,
    }


def _domain(one: DomainComparison) -> dict[str, Json]:
    return {
        "domain": domain_json(one.domain),
        "inputs": one.changes.counts.total(),
        "exhausted": one.exhausted,
        "transitions": _transitions(one.changes.counts),
        "before": _certificate(one.before),
        "after": _certificate(one.after),
        "smallest": {str(kind): {"index": one.at[kind], **_change(c)} for kind, c in one.changes.first.items()},
    }


def _certificate(certificate: Certificate) -> dict[str, Json]:
    tally = certificate.tally
    return {"verdicts": verdicts_json(tally.verdicts()), "causes": dict(tally.by_cause())}


def _hunted(changes: Changes | None) -> Json:
    if changes is None:
        return None
    return {
        "inputs": changes.counts.total(),
        "transitions": _transitions(changes.counts),
        "smallest": {str(kind): _change(change) for kind, change in changes.first.items()},
    }


def _transitions(counts: Mapping[Transition, int]) -> dict[str, Json]:
    return {str(kind): counts.get(kind, 0) for kind in Transition}


def _change(change: Change) -> dict[str, Json]:
    whole = change.after.to_json()
    return {
        "input": whole["input"],
        "describes": change.after.case.describe(change.after.x),
        "expected": whole["expected"],
        "transition": str(change.transition),
        "before": _seen(change.before),
        "after": _seen(change.after),
    }


def _seen(instance: Instance) -> dict[str, Json]:
    whole = instance.to_json()
    return {name: whole[name] for name in ("observed", "verdict", "follows", "cause")}


def _suite(suite: SuiteComparison | None) -> Json:
    if suite is None:
        return None
    return {
        "before": _run(suite.before),
        "after": _run(suite.after),
        "newly_failing": list(suite.newly_failing),
        "newly_passing": list(suite.newly_passing),
        "only_before": list(suite.gone),
        "only_after": list(suite.new),
    }


def _run(run: SuiteRun) -> dict[str, Json]:
    return {"status": run.status, "complete": run.is_complete, "outcomes": dict(run.outcomes)}
