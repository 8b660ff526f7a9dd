"""A comparison as a person reads it: a table of counts, the inputs to look at, then what it comes to."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from harness.expected import Unspecified
from harness.shadow.comparison import CaseComparison, Change, Comparison, Conclusion
from harness.shadow.transition import Transition
from harness.shadow.upstream import SuiteRun
from harness.terminal import INDENT, counted, wrapped

NAMED = 10
"""So many of upstream's tests are named; the others are counted."""


def all_lines(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield the lines of several comparisons, with a blank one between two."""
    for number, comparison in enumerate(comparisons):
        if number:
            yield ""
        yield from lines(comparison)


def lines(comparison: Comparison) -> Iterator[str]:
    """Yield the lines of a comparison."""
    before, after = comparison.before, comparison.after
    python = f", Python {comparison.hellos[1].python}" if comparison.hellos else ""
    contracts = counted(len(comparison.cases), "contract")
    yield f"{before.heading} -> {after.label}, {before.mode.name}{python}, {contracts}"
    yield from _files(comparison)
    yield ""
    ran = [case for case in comparison.cases if case.status == "run"]
    for status, reason in dict.fromkeys(
        (case.status, case.reason) for case in comparison.cases if case.status != "run"
    ):
        alike = [case.case.short_name for case in comparison.cases if (case.status, case.reason) == (status, reason)]
        yield from wrapped(f"{INDENT}{status.replace('_', ' ')}: ", f"{', '.join(alike)}: {reason}")
    if ran:
        yield from _table(ran)
        yield ""
    told = [line for case in ran for line in _inputs(case)]
    if told:
        yield from told
        yield ""
    yield from _beyond(ran)
    yield from _confirmations(comparison)
    yield from _suite(comparison)
    for obstacle in comparison.obstacles:
        yield from wrapped("could not be judged: ", obstacle)
    yield from wrapped("", _conclusion(comparison, ran))


def _files(comparison: Comparison) -> Iterator[str]:
    yield from wrapped(f"{INDENT}{'changes':<10}", ", ".join(comparison.changed))
    if comparison.ignored:
        yield from wrapped(f"{INDENT}{'ignores':<10}", f"{', '.join(comparison.ignored)}: outside of what is tested")
    if comparison.unused:
        yield from wrapped(f"{INDENT}{'unused':<10}", f"{', '.join(comparison.unused)}: no contract came to use it")


def _table(cases: Sequence[CaseComparison]) -> Iterator[str]:
    """Yield a row for each case, with a column for every kind that occurs."""
    total = sum((case.counts for case in cases), Counter[Transition]())
    kinds = [kind for kind in Transition if total[kind]]
    names = [f"{case.case.short_name}{'' if case.is_promise else '*'}" for case in cases]
    first = max(map(len, names))
    heads = [kind.split() for kind in kinds]  # a word a line, so that the table stays narrow
    widths = [max(*map(len, head), len(f"{total[kind]:,}")) for kind, head in zip(kinds, heads, strict=True)]
    inputs = max(len("inputs"), len(f"{total.total():,}"))
    height = max(map(len, heads))
    for line in range(height):
        words = ["" if line < height - len(head) else head[line - height + len(head)] for head in heads]
        row = "".join(f"  {word:>{width}}" for word, width in zip(words, widths, strict=True))
        yield f"{INDENT}{'':<{first}}  {'inputs' if line == height - 1 else '':>{inputs}}{row}".rstrip()
    for name, case in zip(names, cases, strict=True):
        counts = "".join(
            f"  {f'{case.counts[kind]:,}' if case.counts[kind] else '-':>{width}}"
            for kind, width in zip(kinds, widths, strict=True)
        )
        yield f"{INDENT}{name:<{first}}  {case.counts.total():>{inputs},}{counts}{_cut_short(case)}"
    if not all(case.is_promise for case in cases):
        yield f"{INDENT}* nothing promises it, so that a change cannot break it"


def _cut_short(case: CaseComparison) -> str:
    whole = sum(len(domain.domain.inputs) for domain in case.domains)
    return "" if all(domain.exhausted for domain in case.domains) else f"  cut short, {whole:,} were to be run"


def _inputs(case: CaseComparison) -> Iterator[str]:
    """Yield the smallest input of every kind that a person wants to see."""
    proved = {kind for domain in case.domains for kind in domain.changes.first}
    for kind, change in sorted(case.first.items(), key=lambda one: list(Transition).index(one[0])):
        if kind.is_told:
            where = "" if kind in proved else ", found beyond"
            star = "" if case.is_promise else "*"
            yield from wrapped(f"{INDENT}{case.case.short_name}{star}, {kind}{where}: ", _change(change))


def _change(change: Change) -> str:
    before, after = change.before, change.after
    word = "" if isinstance(before.expected, Unspecified) else f"{before.source_word} "  # it says so itself
    text = f"{before.case.describe(before.x)}: {word}{before.expected_shown}, before "
    if change.transition in {Transition.STILL_WRONG, Transition.UNCHANGED}:
        return f"{text}and after {before.observed_shown}"
    return f"{text}{before.observed_shown}, after {after.observed_shown}"


def _beyond(cases: Sequence[CaseComparison]) -> Iterator[str]:
    for case in cases:
        if case.hunted and case.hunted.counts:
            counts = case.hunted.counts
            kinds = ", ".join(f"{count:,} {kind}" for kind in Transition if (count := counts[kind]))
            early = "; ended early" if case.ended_early else ""
            yield from wrapped(f"{INDENT}{case.case.short_name}, hunted beyond its domains: ", f"{kinds}{early}")


def _confirmations(comparison: Comparison) -> Iterator[str]:
    if comparison.confirmations:
        confirmed = sum(one.confirmed for one in comparison.confirmations)
        mode = comparison.before.confirming_mode.name
        yield from wrapped(
            f"{INDENT}{mode}: ",
            f"{confirmed} of {len(comparison.confirmations)} smallest inputs show the same there, one of each kind "
            f"and contract; the counts above are those of {comparison.before.mode.name} code",
        )


def _suite(comparison: Comparison) -> Iterator[str]:
    suite = comparison.suite
    if suite is None:
        return
    yield f"{INDENT}upstream's tests: before {_outcomes(suite.before)}; after {_outcomes(suite.after)}"
    for word, names in (("now fails", suite.newly_failing), ("now passes", suite.newly_passing)):
        for name in names[:NAMED]:
            yield from wrapped(f"{INDENT}{INDENT}{word}: ", name)
        if len(names) > NAMED:
            yield f"{INDENT}{INDENT}{word}: {len(names) - NAMED} more"
    if suite.gone or suite.new:
        yield f"{INDENT}{INDENT}only before: {len(suite.gone)}, only after: {len(suite.new)}"


def _outcomes(run: SuiteRun) -> str:
    counts = Counter(run.outcomes.values())
    return ", ".join(f"{count:,} {outcome}" for outcome, count in counts.most_common()) or "none"


def _conclusion(comparison: Comparison, ran: Sequence[CaseComparison]) -> str:
    counts = sum((case.counts for case in ran), Counter[Transition]())
    better = sum(count for kind, count in counts.items() if kind.is_better)
    cases = sum(any(kind.is_better for kind in case.kinds) for case in ran)
    inputs = counted(better, "input") if better else "inputs beyond the domains"
    right = f"akes {inputs} of {counted(cases, 'contract')} right"
    match comparison.conclusion:
        case Conclusion.FIXES:
            left = sum(counts[kind] for kind in (Transition.STILL_WRONG, Transition.CHANGED_WRONG))
            rest = f"; {counted(left, 'input')} still wrong" if left else ""
            worse = [case.case.name for case in ran if any(kind.is_worse for kind in case.kinds)]
            wrong = f"; wrong now where nothing is promised: {', '.join(worse)}" if worse else ""
            return f"M{right}, and breaks no promise{rest}{wrong}."
        case Conclusion.BREAKS:
            broken = [case.case.name for case in ran if case.is_worse]
            failing = len(comparison.suite.newly_failing) if comparison.suite else 0
            what = [*broken, *([f"{counted(failing, 'test')} of upstream's"] if failing else [])]
            return f"Breaks {', '.join(what)}{f', and m{right}' if cases else ''}."
        case Conclusion.FIXES_NOTHING:
            return "Fixes nothing and breaks no promise: it only changes values."
        case Conclusion.CHANGES_NOTHING:
            return "Changes nothing that the contracts are about."
        case Conclusion.DOCUMENTATION:
            return f"Documentation only: nothing else changes.{_would_hold(comparison, ran)}"
        case _ if comparison.is_of_another_source:
            return (
                "It could not be judged: only documentation differs, and yet something changes, so that the sources "
                "that were given are not those of what is installed."
            )
        case _:
            return "It could not be judged."


def _would_hold(comparison: Comparison, ran: Sequence[CaseComparison]) -> str:
    """Name the contracts that would hold if the documentation said what the code does; those about the files first."""
    following = [case for case in ran if case.convention and case.is_promise]
    about = [case for case in following if case.is_about(comparison.changed)] or following
    by_convention: dict[str, list[str]] = {}
    for case in about:
        by_convention.setdefault(case.convention, []).append(case.case.name)
    named = [f'"{convention}" ({", ".join(names)})' for convention, names in by_convention.items()]
    return (
        f" What the code does, and the contracts that hold if that is documented now: {'; '.join(named)}."
        if named
        else ""
    )
