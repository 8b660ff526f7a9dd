"""What a report shows: the numbers of a run, and what was done so that they can be trusted."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from harness import script
from harness.bundles.content import Content
from harness.bundles.markdown import Markdown, code, datum, safe, table
from harness.bundles.measuring import Measured
from harness.bundles.proving import FRESH_PROCESSES
from harness.bundles.search import Reach
from harness.finding import NAME
from harness.impact import text as impact_text
from harness.impact.run import Answer
from harness.shadow.transition import Transition
from harness.subject import Subject
from harness.verdict import Verdict
from harness.version import VERSION

SIDES: Mapping[Transition, tuple[str, str]] = {
    Transition.BROKEN: ("right", "wrong"),
    Transition.ADDED_WRONG: ("not offered", "wrong"),
    Transition.CHANGED_WRONG: ("wrong", "wrong, another value"),
    Transition.STILL_WRONG: ("wrong", "wrong, the same"),
    Transition.CHANGED_RIGHT: ("right", "right, by another answer"),
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


def reach(reach: Reach, span: tuple[Fraction, Fraction] | None) -> str:
    """Return how far it reaches, in a few sentences."""
    certificate, follows = reach.certificate, reach.instance.ruling.follows
    tally, showing = certificate.tally, sum(shown for _, _, shown in reach.by_size())
    text = f"All {certificate.inputs:,} inputs of the domain *{safe(certificate.domain.title)}* were run. "
    every = showing == certificate.inputs
    share = f"{showing:,} of them ({100 * showing / certificate.inputs:.3g} %)"
    text += f"{'All of them' if every else share} {'is' if showing == 1 else 'are'} affected"
    if follows:
        text += f", and {'has' if showing == 1 else 'each has'} the value that *{safe(follows[0])}* would give"
    unspecified = tally.verdicts()[Verdict.UNSPECIFIED]
    others = tally.mismatches() - showing
    text += f"; {others:,} {'differs' if others == 1 else 'differ'} for another cause" if others else ""
    text += f"; for {unspecified:,} nothing is promised" if unspecified else ""
    text += "; the others are right" if tally.verdicts()[Verdict.AGREES] and not every else ""
    if reach.outside and span and reach.outside != showing:
        text += f". {reach.outside:,} of the observed values lie outside of [{span[0]}, {span[1]}]"
    return f"{text}."


def sizes(reach: Reach, size: str) -> Markdown:
    """Return how many inputs of each size show it; nothing where all are of one size."""
    rows = [
        (size, f"{inputs:,}", f"{shown:,}", f"{100 * shown / inputs:.3g} %") for size, inputs, shown in reach.by_size()
    ]
    return table((size or "size", "inputs", "affected", "share"), rows) if len(rows) > 1 else Markdown()


def alt(reach: Reach) -> Markdown:
    """Return what the picture shows, for who does not see it."""
    showing = sum(shown for _, _, shown in reach.by_size())
    return Markdown(
        f"{showing:,} of {reach.certificate.inputs:,} inputs are affected; the tables hold the same numbers"
    )


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
    subject, name = content.proven.finding.subject, content.instance.case.name
    mode = f", {safe(subject.mode.name)}" if len(subject.library.modes) > 1 else ""
    comma = "," if mode or subject.installation.unreleased else ""
    yield (
        f"{safe(subject.described)}{mode}{comma} was compared with an independent implementation of the definition, in "
        f"exact arithmetic, on {certificate.inputs:,} inputs."
    )
    if certificate.separation and certificate.separation.separates and certificate.separation.largest_bound:
        yield (
            "A float counts as right within a rounding bound of the exact value; the bound tells any two right values "
            "of the domain apart."
        )
    files = [f"`{script.NAME}`", *([f"`{content.program.name}`"] if content.program else [])]
    yield f"{' and '.join(files)} ended with `DEFECT PRESENT` and status 1 in {FRESH_PROCESSES} fresh processes."
    if content.test:
        yield f"`{content.test.name}` failed in {FRESH_PROCESSES} fresh processes.{_noted(content.test.note)}"
    if content.proven.is_fresh:
        yield "The same in an environment made from the header of the script alone."
    if fix:
        passed = f", and `{content.test.name}` passed" if content.test else ""
        yield f"With the fix {' and '.join(files)} ended with `OK` and status 0{passed}."
    yield (
        f"rankdiff {VERSION}, which compares libraries that evaluate rankings with independent implementations of what "
        f"they document, calls this {code(name)}. `finding.json` holds what it takes to do it again "
        f"({code(_replaying(name, subject))}), `environment.json` where it was done."
    )


def _replaying(name: str, subject: Subject) -> str:
    """Return the command that runs a finding again; what it is about is named as anybody can name it."""
    command = ["rankdiff", "replay", name, NAME]
    if subject.installation.unreleased and not subject.requirement:
        return f"{shlex.join([*command, '--subject'])} {subject.installation.unreleased.kind.upper()}"
    return shlex.join([*command, *(["--subject", subject.requirement] if subject.installation.options else [])])


def _noted(note: str) -> str:
    return f" {note}" if note else ""
