"""What a report shows: the numbers of a run, and what was done so that they can be trusted."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness import script
from harness.bundles.content import Content
from harness.bundles.markdown import Markdown, code, datum, safe, table
from harness.bundles.measuring import Measured
from harness.bundles.proving import FRESH_PROCESSES
from harness.bundles.search import Reach
from harness.impact import text as impact_text
from harness.impact.run import Answer
from harness.shadow.transition import Transition
from harness.verdict import Verdict
from harness.version import VERSION

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


def examples(content: Content) -> Markdown | str:
    """Return the values of an account's examples."""
    points = content.measurements.examples
    return (
        _values("input", [(datum(p.instance.case.describe(p.instance.x)), p) for p in points], content)
        if points
        else ""
    )


def series(along: str, points: Sequence[Measured], content: Content) -> Markdown:
    """Return the values of a series."""
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


def reach(reach: Reach) -> str:
    """Return how far it reaches, in a few sentences."""
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


def sizes(reach: Reach) -> Markdown:
    """Return how many inputs of each size show it."""
    rows = [
        (size, f"{inputs:,}", f"{shown:,}", f"{100 * shown / inputs:.3g} %") for size, inputs, shown in reach.by_size()
    ]
    return table(("size", "inputs", "show it", "share"), rows)


def alt(reach: Reach) -> Markdown:
    """Return what the picture shows, for who does not see it."""
    showing = sum(shown for _, _, shown in reach.by_size())
    return Markdown(f"{showing:,} of {reach.certificate.inputs:,} inputs show it; the tables hold the same numbers")


def impact(answer: Answer | None) -> Markdown:
    """Return what it does to somebody's files, which are named without their folders."""
    if answer is None:
        return Markdown()
    parts = [f"On files that were named: {safe(impact_text.conclusion(answer))}"]
    for measure in answer.comparison.measures:
        rows = [impact_text.row(one) for one in measure.series]
        named = [[datum(Path(file).name), *map(datum, rest)] for file, *rest in rows]
        parts.append(table(impact_text.heads(measure), named))
    return Markdown("\n\n".join([*parts, *map(safe, answer.comparison.notes)]))


def transitions(content: Content) -> Markdown:
    """Return what became of the inputs with the fix."""
    fix = content.proven.finding.fix
    if fix is None:
        return Markdown()
    rows = [(*SIDES[Transition(kind)], kind, f"{count:,}") for kind, count in fix.transitions.items()]
    return table(("before", "after", "called", "inputs"), rows)


def checks(content: Content) -> Iterator[str]:
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
