"""The report of a bundle, ``README.md``: a template for each kind of finding, filled from the case and from the run.

What a template shows is made harmless, unless it is Markdown already: an account is, as its author wrote it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from harness import script
from harness.account import Account, Program, RegressionTest
from harness.bundles.markdown import Markdown, block, code, datum, safe, table
from harness.bundles.measuring import Measured, Measurements
from harness.bundles.proving import FRESH_PROCESSES, Proven, fix_files
from harness.bundles.quoting import Quoted, quoted
from harness.bundles.search import Reach
from harness.certificate import Instance
from harness.expected import refusals
from harness.finding import Fix
from harness.impact import text as impact_text
from harness.impact.run import Answer
from harness.outcome import Crashed, Hung, Raised
from harness.shadow.transition import Transition
from harness.verdict import Verdict
from harness.version import VERSION

NAME = "README.md"

TEMPLATES = Path(__file__).with_name("templates")

REWORDING = "documentation.patch"


DIFF = "fix.patch"


def patches(account: Account[Any] | None) -> Iterator[tuple[str, Path]]:
    """Yield the patches that an account brings, each by its name in the bundle."""
    if account and account.rewording:
        yield REWORDING, account.rewording
    if account and account.diff:
        yield DIFF, account.diff


@dataclass(frozen=True, slots=True)
class Content:
    """All that a report is made of.

    Attributes
    ----------
    account
        What a person says of it; none where nobody has yet.
    program, test
        What the bundle holds beside the script.
    impact
        What it does to somebody's own files.
    """

    proven: Proven
    reach: Reach
    measurements: Measurements
    account: Account[Any] | None
    program: Program | None
    test: RegressionTest | None
    impact: Answer | None = None

    @property
    def instance(self) -> Instance:
        """The smallest input, and what was seen there."""
        return self.proven.finding.instance


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
        "subject": finding.subject,
        "name": code(case.name),
        "script": script.NAME,
        "is_installable": finding.subject.mode.is_distribution,
        "program": content.program and _Shown(content.program.name, Markdown(content.program.shown)),
        "fault": Markdown(account.fault) if account else _plain_fault(instance),
        "input": _input(instance, account),
        "describes": _sentence(datum(case.describe(instance.x))),
        "smallest": Markdown(_smallest(reach)),
        "word": instance.source_word,
        "says": contract.says,
        "source": contract.source,
        "unpromised": contract.unpromised,
        "upstream": _sentence(safe(contract.upstream)),
        "worked": _worked(instance, account),
        "observed": code(instance.observed_shown),
        "verb": "raises" if isinstance(instance.outcome, Raised) else "returns",
        "due": code(instance.expected_shown),
        "ratio": _ratio(instance),
        "convention": _convention(instance),
        "examples": _examples(content),
        "examples_says": "Other inputs, with what the library made of them:",
        "why": Markdown(account.why) if account else "Nobody has looked at the cause yet.",
        "quotations": [_quotation(one) for one in quoted(account.quotations, finding.subject.installation)]
        if account
        else [],
        "licence": _licence(content),
        "reach": Markdown(_reach(reach)),
        "sizes": _sizes(reach),
        "alt": _alt(reach),
        "series": [
            _SeriesShown(_sentence(safe(one.title)), _series(one.along, points, content))
            for one, points in content.measurements.series
        ],
        "impact": _impact(content.impact),
        "affected": _affected(account),
        "workarounds": [Markdown(one) for one in account.workarounds] if account else [],
        "defence": Markdown(account.defence) if account else "",
        "mend": _mend(account, finding.fix),
        "fix": finding.fix is not None,
        "fix_says": _fix_says(content),
        "transitions": _transitions(content),
        "reword": Markdown(account.reword) if account else "",
        "rewording": Markdown(f" (`{REWORDING}`)") if account and account.rewording else "",
        "test": content.test and _Shown(content.test.name, Markdown(content.test.shown)),
        "test_place": code(content.test.place) if content.test else "",
        "checks": [Markdown(one) for one in _checks(content)],
    }


@dataclass(frozen=True, slots=True)
class _Shown:
    name: str
    shown: Markdown


@dataclass(frozen=True, slots=True)
class _SeriesShown:
    title: Markdown
    table: Markdown


def _sentence(shown: Markdown) -> Markdown:
    return Markdown(shown[:1].upper() + shown[1:])


def _plain_fault(instance: Instance) -> Markdown:
    """Return what is wrong, where nobody has said it better."""
    what = "A user would expect" if instance.case.contract.unpromised else "The documentation promises"
    return Markdown(
        f"{what} {code(instance.expected_shown)} for {datum(instance.case.describe(instance.x))}; "
        f"observed: {code(instance.observed_shown)}."
    )


def _input(instance: Instance, account: Account[Any] | None) -> Markdown:
    if account and account.table:
        made = account.table(instance.x)
        return table(made.heads, [[datum(cell) for cell in row] for row in made.rows])
    fields = instance.case.to_json(instance.x)
    return table(("field", "value"), [(name, code(str(value))) for name, value in fields.items()])


def _smallest(reach: Reach) -> str:
    before = (
        "It is the first of them"
        if reach.index == 0
        else f"It has the index {reach.index:,}: each input before it was run, and shows nothing of this kind"
    )
    return (
        f"It is the smallest of the {reach.certificate.inputs:,} inputs of the domain "
        f"*{safe(reach.certificate.domain.title)}* that shows this. {before}."
    )


def _worked(instance: Instance, account: Account[Any] | None) -> Markdown:
    steps = tuple(account.worked(instance.x)) if account else ()
    if steps:
        return block(steps)
    return Markdown(f"For this input that is {code(instance.expected_shown)}.")


def _ratio(instance: Instance) -> Markdown:
    times = f": {instance.ratio} times as much" if instance.ratio else ""
    return Markdown(f", where {code(instance.expected_shown)} is {instance.source_word}{times}")


def _convention(instance: Instance) -> Markdown:
    """Return which other reading would give what was observed."""
    follows = instance.ruling.follows
    return Markdown(f" That is what this reading gives: *{safe(follows[0])}*." if follows else "")


def _examples(content: Content) -> Markdown | str:
    points = content.measurements.examples
    return (
        _values("input", [(datum(p.instance.case.describe(p.instance.x)), p) for p in points], content)
        if points
        else ""
    )


def _series(along: str, points: Sequence[Measured], content: Content) -> Markdown:
    return _values(along, [(safe(point.place), point) for point in points], content)


def _values(head: str, points: Sequence[tuple[Markdown, Measured]], content: Content) -> Markdown:
    """Return a table of inputs with their documented and observed values; with those under the fix, if there is one."""
    has_ratio = any(point.instance.ratio for _, point in points)
    has_fix = content.proven.fixed is not None
    heads = [head, content.instance.source_word, "observed"]
    heads += [f"observed / {content.instance.source_word}"] if has_ratio else []
    heads += ["with the fix"] if has_fix else []
    return table(heads, [_row(name, point, has_ratio=has_ratio, has_fix=has_fix) for name, point in points])


def _row(name: Markdown, point: Measured, *, has_ratio: bool, has_fix: bool) -> list[object]:
    cells: list[object] = [name, code(point.expected_shown), code(point.observed_shown)]
    cells += [point.instance.ratio or Markdown("-")] if has_ratio else []
    return [*cells, code(point.mended_shown)] if has_fix else cells


def _quotation(one: Quoted) -> Markdown:
    quotation = one.quotation
    line = f", line {one.line:,}" if one.line else ", not found there in this version"
    of = f" ({safe(quotation.source)})" if quotation.source else ""
    return Markdown(f"{code(quotation.file)}{line}{of}: {code(quotation.text)}. {quotation.says}")


def _licence(content: Content) -> Markdown:
    subject, account = content.proven.finding.subject, content.account
    return Markdown(
        f"Quoted from {safe(subject.mode.distribution)}, under its licence: {safe(account.licence)}." if account else ""
    )


def _reach(reach: Reach) -> str:
    certificate, instance = reach.certificate, reach.instance
    showing = sum(shown for _, _, shown in reach.by_size())
    share = f"{100 * showing / certificate.inputs:.3g} %"
    text = (
        f"Every input of the domain *{safe(certificate.domain.title)}* was run: {certificate.inputs:,} inputs, of "
        f"which {showing:,} ({share}) show it"
    )
    others = certificate.tally.mismatches() - showing
    if instance.ruling.follows:
        text += f", and follow the reading *{safe(instance.ruling.follows[0])}*"
    text += (
        f"; {others:,} others differ for another cause."
        if others
        else "; all others are right."
        if _all_judged(reach)
        else "."
    )
    if reach.outside:
        text += f" {reach.outside:,} of the observed values lie outside of what is possible by the definition."
    return text


def _all_judged(reach: Reach) -> bool:
    verdicts = reach.certificate.tally.verdicts()
    wrong = reach.certificate.tally.mismatches()
    return verdicts[Verdict.AGREES] + wrong == reach.certificate.inputs


def _sizes(reach: Reach) -> Markdown:
    rows = [
        (size, f"{inputs:,}", f"{shown:,}", f"{100 * shown / inputs:.3g} %") for size, inputs, shown in reach.by_size()
    ]
    return table(("size", "inputs", "show it", "share"), rows)


def _alt(reach: Reach) -> Markdown:
    showing = sum(shown for _, _, shown in reach.by_size())
    return Markdown(f"{showing:,} of {reach.certificate.inputs:,} inputs show it; the tables hold the same numbers")


def _impact(answer: Answer | None) -> Markdown:
    """Return what it does to somebody's files, which are named without their folders."""
    if answer is None:
        return Markdown()
    parts = [f"On files that were named: {safe(impact_text.conclusion(answer))}"]
    for measure in answer.comparison.measures:
        rows = [impact_text.row(one) for one in measure.series]
        named = [[datum(Path(file).name), *map(datum, rest)] for file, *rest in rows]
        parts.append(table(impact_text.heads(measure), named))
    return Markdown("\n\n".join([*parts, *map(safe, answer.comparison.notes)]))


def _affected(account: Account[Any] | None) -> Markdown:
    if account is None:
        return Markdown("Nobody has looked at that yet.")
    return Markdown(f"{account.affected}\n\n**Not affected.** {account.unaffected}")


def _mend(account: Account[Any] | None, fix: Fix | None) -> Markdown:
    if account:
        return Markdown(f"**The code.** {account.mend}")
    return Markdown("The code could be changed." if fix else "Nobody has proposed a change yet.")


def _fix_says(content: Content) -> Markdown:
    finding = content.proven.finding
    if finding.fix is None:
        return Markdown()
    names = " and ".join(code(name) for name, _ in fix_files(finding))
    diff = f", and {code(DIFF)} the same against upstream's tree" if content.account and content.account.diff else ""
    return Markdown(
        f"{names} is such a change{diff}. What became of the {content.reach.certificate.inputs:,} inputs of the domain "
        f"*{safe(content.reach.certificate.domain.title)}* with it:"
    )


def _transitions(content: Content) -> Markdown:
    fix = content.proven.finding.fix
    if fix is None:
        return Markdown()
    rows = [(*SIDES[Transition(kind)], kind, f"{count:,}") for kind, count in fix.transitions.items()]
    return table(("before", "after", "called", "inputs"), rows)


SIDES: Mapping[Transition, tuple[str, str]] = {
    Transition.BROKEN: ("right", "wrong"),
    Transition.ADDED_WRONG: ("not offered", "wrong"),
    Transition.CHANGED_WRONG: ("wrong", "wrong, another value"),
    Transition.STILL_WRONG: ("wrong", "wrong, the same"),
    Transition.CHANGED_RIGHT: ("right", "right, another value within the bound"),
    Transition.CHANGED_UNDECIDED: ("wrong", "undecidable within the bound"),
    Transition.CHANGED_UNSPECIFIED: ("nothing is promised", "another value"),
    Transition.FIXED: ("wrong", "right"),
    Transition.ADDED: ("not offered", "right"),
    Transition.UNCHANGED: ("as it was", "the same"),
}


def _checks(content: Content) -> Iterator[str]:
    """Yield what was done, so that a reader can judge how far to trust it."""
    certificate, fix = content.reach.certificate, content.proven.finding.fix
    subject = content.proven.finding.subject
    yield (
        f"{safe(subject.title)}, mode *{safe(subject.mode.name)}*, was compared with an independent implementation of "
        f"the definition, in exact arithmetic, on {certificate.inputs:,} inputs."
    )
    if certificate.separation and certificate.separation.separates and certificate.separation.largest_bound:
        yield (
            "A float counts as right within a rounding bound of the exact value; the bound tells any two right values "
            "of the domain apart."
        )
    files = [f"`{script.NAME}`", *([f"`{content.program.name}`"] if content.program else [])]
    yield f"{' and '.join(files)} ended with `DEFECT PRESENT` and status 1 in {FRESH_PROCESSES} fresh processes."
    if content.test:
        yield f"`{content.test.name}` failed in {FRESH_PROCESSES} fresh processes."
    if content.proven.is_fresh:
        yield "The same in an environment made from the header of the script alone."
    if fix:
        passed = f", and `{content.test.name}` passed" if content.test else ""
        yield f"With the fix {' and '.join(files)} ended with `OK` and status 0{passed}."
    yield (
        f"`finding.json` holds what it takes to do it again with rankdiff {VERSION} "
        f"(`rankdiff replay {content.instance.case.name} finding.json`), `environment.json` where it was done."
    )
