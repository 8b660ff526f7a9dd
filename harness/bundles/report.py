"""The report of a bundle, ``README.md``: a template for each kind of finding, filled from the case and from the run.

What a template shows is made harmless, unless it is Markdown already: an account is, as its author wrote it.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from harness.account import Account, Quotation
from harness.bundles import evidence, wording
from harness.bundles.content import Content
from harness.bundles.markdown import Markdown, code, datum, safe
from harness.bundles.quoting import quoted
from harness.certificate import Instance
from harness.expected import refusals
from harness.outcome import Crashed, Hung, Raised

NAME = "README.md"

TEMPLATES = Path(__file__).with_name("templates")


def write(content: Content) -> str:
    """Return the text of a report."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        finalize=safe,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - it is no HTML: `safe` makes all that is filled in harmless for Markdown
    )
    written = templates.get_template(f"{_kind(content.instance)}.md").render(_filling(content))
    return re.sub(r"\n{3,}", "\n\n", written).rstrip() + "\n"


def _kind(instance: Instance) -> str:
    """Return the kind of a finding, which a template is named after."""
    match instance.outcome:
        case Crashed() | Hung():
            return "end"
        case _ if any(refusals(instance.expected)):
            return "refusal"
        case Raised():
            return "error"
        case _:
            return "value"


def _filling(content: Content) -> dict[str, object]:
    instance, reach, account = content.instance, content.reach, content.account
    case, contract = instance.case, instance.case.contract
    finding = content.proven.finding
    return {
        "subject": finding.subject.described,
        "whereabouts": finding.subject.whereabouts,
        "title": safe(account.title) if account and account.title else code(case.name),
        "fault": Markdown(account.fault) if account else wording.plain_fault(instance),
        "alike": wording.alike(content),
        "commands": wording.commands(content),
        "needs": wording.needs(content),
        "input": wording.smallest_input(instance, account),
        "describes": wording.sentence(datum(case.describe(instance.x))),
        "smallest": Markdown(wording.smallest(reach)),
        "call": wording.call(instance, account),
        "word": instance.source_word,
        "says": (account and account.says) or contract.says,
        "source": contract.source,
        "unpromised": contract.unpromised,
        "worked": wording.worked(instance, account),
        "observed": code(instance.observed_shown),
        "verb": "raises" if isinstance(instance.outcome, Raised) else "returns",
        "due": code(instance.expected_shown),
        "ratio": wording.ratio(instance),
        "convention": wording.convention(instance),
        "examples": evidence.examples(content),
        "why": Markdown(account.why) if account else "Nobody has looked at the cause yet.",
        "quotations": [wording.quotation(one) for one in quoted(_quotations(account), finding.subject.installation)],
        "licence": wording.licence(content),
        "reach": Markdown(evidence.reach(reach, account.span if account else None)),
        "sizes": evidence.sizes(reach, account.size if account else ""),
        "alt": evidence.alt(reach),
        "series": [
            _SeriesShown(wording.sentence(safe(one.title)), evidence.series(one.along, points, content))
            for one, points in content.measurements.series
        ],
        "impact": evidence.impact(content.impact),
        "affected": wording.affected(account),
        "workarounds": [Markdown(one) for one in account.workarounds] if account else [],
        "defence": Markdown(account.defence) if account else "",
        "upstream": wording.sentence(safe(contract.upstream)),
        "mend": wording.mend(account, finding.fix),
        "fix_says": wording.fix_says(content),
        "transitions": evidence.transitions(content),
        "reword": wording.reword(account),
        "test_says": wording.test_says(content),
        "checks": [Markdown(one) for one in evidence.checks(content)],
    }


def _quotations(account: Account[Any] | None) -> tuple[Quotation, ...]:
    return account.quotations if account else ()


@dataclass(frozen=True, slots=True)
class _SeriesShown:
    title: Markdown
    table: Markdown
