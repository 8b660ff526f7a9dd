"""The marks of the page: for each outcome a word, a symbol and a meaning, so that no colour has to be seen."""

from dataclasses import dataclass

from harness.page.matrix import Result
from harness.terminal import ORDER
from harness.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Mark:
    """How an outcome is shown; ``name`` is its class in the style sheet."""

    name: str
    symbol: str
    word: str
    meaning: str


def _of(verdict: Verdict, symbol: str, meaning: str) -> Mark:
    return Mark(verdict, symbol, verdict, meaning)


VERDICTS = {
    Verdict.AGREES: _of(Verdict.AGREES, "\N{CHECK MARK}", "the value is right, or the refusal is"),
    Verdict.DIFFERS: _of(Verdict.DIFFERS, "\N{NOT EQUAL TO}", "another value, or a value where a refusal is due"),
    Verdict.RAISES: _of(Verdict.RAISES, "!", "an error where a value is due"),
    Verdict.CRASHES: _of(Verdict.CRASHES, "\N{MULTIPLICATION X}", "the process ended"),
    Verdict.HANGS: _of(Verdict.HANGS, "\N{INFINITY}", "no answer in time"),
    Verdict.UNDECIDABLE: _of(Verdict.UNDECIDABLE, "\N{ALMOST EQUAL TO}", "right and wrong both lie within the bound"),
    Verdict.UNSPECIFIED: _of(Verdict.UNSPECIFIED, "\N{WHITE CIRCLE}", "no promise covers it"),
    Verdict.UNSUPPORTED: _of(Verdict.UNSUPPORTED, "\N{EN DASH}", "the release does not offer it"),
}

CANNOT_RUN = Mark("cannot-run", "\N{CIRCLED DIVISION SLASH}", "cannot run", "the release does not install or import")

CUT_SHORT = Mark("cut-short", "\N{HORIZONTAL ELLIPSIS}", "cut short", "the run ended before the domain did")

ALL = (*VERDICTS.values(), CANNOT_RUN, CUT_SHORT)


def mark(result: Result) -> Mark:
    """Return the mark of a result: the worst verdict that occurs in it."""
    if result.status == "cannot_run" or not (result.domains or result.is_unsupported):
        return CANNOT_RUN
    if result.is_unsupported:
        return VERDICTS[Verdict.UNSUPPORTED]
    if not result.mismatches and not all(domain.exhausted for domain in result.domains):
        return CUT_SHORT
    verdicts = result.verdicts
    return VERDICTS[next(verdict for verdict in ORDER if verdicts[verdict] or verdict is ORDER[-1])]


def share(result: Result) -> str:
    """Return the share of inputs that speak against a release; of those that agree, where none does."""
    shown = mark(result)
    if result.mismatches:
        return percent(result.mismatches, result.inputs)
    if shown in {VERDICTS[Verdict.AGREES], CUT_SHORT}:
        return percent(result.verdicts[Verdict.AGREES], result.inputs)
    return ""


def percent(part: int, whole: int) -> str:
    """Return a share that is rounded, but neither to nothing nor to all."""
    if part in {0, whole}:
        return "100 %" if part else "0 %"
    value = 100 * part / whole
    if value < 0.05:
        return "< 0.1 %"
    if value >= 99.95:
        return "> 99.9 %"
    return f"{value:.1f} %"
