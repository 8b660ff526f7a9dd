"""The report as one JSON document, by the schema in ``harness/schema/report.schema.json``."""

import hashlib

from harness.certificate import Certificate, verdicts_json
from harness.hunt import Hunt
from harness.jsontypes import Json
from harness.report import CaseRun, LibraryRun, Report
from harness.report_file import SCHEMA, closed
from harness.version import VERSION


def document(report: Report) -> dict[str, Json]:
    """Return what ``--json`` prints; its last key closes it."""
    return closed(_open(report))


def _open(report: Report) -> dict[str, Json]:
    return {
        "schema": SCHEMA,
        "rankdiff": VERSION,
        "exit_status": report.exit_status,
        "interrupted": report.interrupted,
        "subjects": [subject for run in report.libraries if (subject := _subject(run))],
        "certificates": [entry for run in report.libraries for entry in _certificates(run)],
        "hunts": [_hunt(run, case.hunt) for run in report.libraries for case in run.cases if case.hunt],
        "ledger": {
            "problems": [problem.to_json() for problem in report.problems],
            "warnings": report.warnings,
            "beyond": [
                {"case": case.case.name, "version": run.subject.version, "cause": cause, "shown": shown}
                for run in report.libraries
                for case in run.cases
                for cause, shown in case.shown.items()
                if run.subject
            ],
            "known": _known(report),
        },
        "findings": [
            {
                "case": saved.finding.instance.case.name,
                "folder": str(saved.folder),
                "confirmed": saved.finding.confirmed,
            }
            for saved in report.saved
        ],
        "obstacles": list(report.obstacles),
        "canaries": [canary.to_json() for canary in report.canaries],
    }


def _known(report: Report) -> list[Json]:
    """Return the words of the ledger's entries about what was run, each once."""
    entries = [(run.case.name, entry) for run in report.cases for entry in run.entries]
    words = dict.fromkeys((case, entry.cause, entry.upstream, entry.says) for case, entry in entries)
    return [{"case": case, "cause": cause, "upstream": upstream, "says": says} for case, cause, upstream, says in words]


def _subject(run: LibraryRun) -> dict[str, Json] | None:
    if run.subject is None or run.hello is None:
        return None
    digest = hashlib.sha256("".join(f"{m.name}\0{m.sha256}\n" for m in run.modules).encode())
    return {
        **run.subject.to_json(),
        "python": run.hello.python,
        "platform": dict(run.hello.platform),
        "modules": len(run.modules),
        "sha256": digest.hexdigest(),
    }


def _certificates(run: LibraryRun) -> list[dict[str, Json]]:
    return [entry for case in run.cases for entry in _of_case(run, case)]


def _of_case(run: LibraryRun, case: CaseRun) -> list[dict[str, Json]]:
    if case.status == "run":
        return [_with_reason(certificate) for certificate in case.certificates]
    version = run.subject.version if run.subject else None
    return [
        {
            "case": case.case.name,
            "status": case.status,
            "reason": case.reason,
            "subject": {
                "distribution": run.mode.distribution,
                "version": version,
                "patches": [],
                "mode": run.mode.name,
            },
            "domain": None,
            "exhausted": False,
            "separates": None,
            "separation": None,
            "error": None,
            "inputs": 0,
            "by_size": [],
            "verdicts": verdicts_json({}),
            "conventions": {},
            "readings": {},
            "causes": {},
            "smallest": None,
            "smallest_by_cause": {},
        }
    ]


def _with_reason(certificate: Certificate) -> dict[str, Json]:
    whole = certificate.to_json()
    reason = "" if certificate.exhausted else "the run ended before the domain did"
    return {"case": whole["case"], "status": whole["status"], "reason": reason, **whole}


def _hunt(run: LibraryRun, hunt: Hunt) -> dict[str, Json]:
    return {
        "case": hunt.case.name,
        "subject": run.subject.to_json() if run.subject else None,
        "seed": hunt.seed,
        "examples": hunt.examples,
        "replayed": hunt.replayed,
        "found": [instance.to_json() for instance in hunt.found],
    }
