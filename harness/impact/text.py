"""An answer as a person reads it: each measure of each file, the topics that changed most, then what it comes to."""

from collections.abc import Iterator

from harness.impact.comparison import Compared, Measure, Order, Series
from harness.impact.run import Answer
from harness.terminal import INDENT, columns, wrapped

MOST = 10
"""So many topics are shown; the others are counted."""

FEWEST_DIGITS, MOST_DIGITS = 4, 16
"""Decimals of a number: as many as it takes to tell it from another."""

NONE = "-"


def lines(answer: Answer) -> Iterator[str]:
    """Yield the lines of an answer."""
    asked, comparison = answer.question, answer.comparison
    yield f"{answer.subject.heading}, {answer.subject.mode.name}"
    yield from wrapped(f"{INDENT}{'documented':<12}", asked.case.contract.says)
    if asked.case.contract.upstream and comparison.is_affected:
        yield from wrapped(f"{INDENT}{'upstream':<12}", asked.case.contract.upstream)
    for about in comparison.about:
        yield from wrapped(f"{INDENT}{'read':<12}", about)
    for parameter in asked.impact.parameters:
        chosen = f"{parameter.name} {asked.settings[parameter.name]}"
        yield from wrapped(f"{INDENT}{'with':<12}", f"{chosen} (--set {parameter.name}=...: {parameter.says})")
    yield ""
    for measure in comparison.measures:
        yield from _measure(measure)
        yield ""
    affected = next((measure for measure in comparison.measures if measure.is_affected), None)
    if affected:
        yield from _topics(affected)
    for note in (*comparison.notes, *answer.disturbances):
        yield from wrapped(f"{INDENT}note: ", note)
    if comparison.notes or answer.disturbances:
        yield ""
    yield from wrapped("", conclusion(answer))


def _measure(measure: Measure) -> Iterator[str]:
    """Yield a row for each file, and the order of the runs."""
    yield from columns([heads(measure), *(row(one) for one in measure.series)])
    orders = measure.orders()
    if orders is None:
        return
    shipped, documented = map(_ordered, orders)
    if shipped == documented:
        yield from wrapped(f"{INDENT}order of the runs: ", f"the same, {shipped}")
    else:
        yield from wrapped(f"{INDENT}order of the runs: ", f"as shipped {shipped}; as documented {documented}")


def heads(measure: Measure) -> tuple[str, ...]:
    """Return the heads of a table with a row for each file."""
    return (measure.name, "as shipped", "as documented", "change", "topics affected", "largest change")


def row(series: Series) -> tuple[str, ...]:
    """Return the row of a file in that table."""
    affected = series.affected
    largest = f"{_change(affected[0])}, topic {affected[0].of}" if affected else NONE
    total = series.total
    return (total.of, *_numbers(total), f"{len(affected):,} of {len(series.topics):,}", largest)


def _topics(measure: Measure) -> Iterator[str]:
    """Yield the topics of a measure that changed most, whatever the file."""
    topics = [(one.total.of, topic) for one in measure.series for topic in one.affected]
    if not topics:
        return
    topics.sort(key=lambda each: (each[1].change is not None, -abs(each[1].change or 0)))
    several = len(measure.series) > 1
    head = ("topic", *(["file"] if several else []), "as shipped", "as documented", "change")
    rows = [(topic.of, *([file] if several else []), *_numbers(topic)) for file, topic in topics[:MOST]]
    yield f"{INDENT}{measure.name}: the topics that changed most"
    yield from columns([head, *rows])
    if len(topics) > MOST:
        yield f"{INDENT}and {len(topics) - MOST:,} more, which --json lists"
    yield ""


def _numbers(compared: Compared) -> tuple[str, str, str]:
    """Return a number as shipped and as documented, and by how much they differ."""
    digits = _digits(compared)
    shipped = compared.shown if compared.shipped is None else _shown(compared.shipped, digits)
    documented = NONE if compared.documented is None else _shown(compared.documented, digits)
    change = NONE if compared.change is None or not compared.is_affected else _change(compared)
    return shipped, documented, change


def _change(compared: Compared) -> str:
    if compared.change is None:
        return compared.shown
    return f"{compared.change:+,}" if isinstance(compared.change, int) else f"{compared.change:+.{_digits(compared)}f}"


def _shown(number: float, digits: int) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:.{digits}f}"


def _digits(compared: Compared) -> int:
    """Return how many decimals tell the one from the other."""
    shipped, documented = compared.shipped, compared.documented
    if not compared.is_affected or shipped is None or documented is None:
        return FEWEST_DIGITS
    apart = (d for d in range(FEWEST_DIGITS, MOST_DIGITS) if f"{shipped:.{d}f}" != f"{documented:.{d}f}")
    return next(apart, MOST_DIGITS)


def _ordered(order: Order) -> str:
    return " > ".join(" = ".join(group) for group in order)


def conclusion(answer: Answer) -> str:
    """Return what it comes to, in a sentence."""
    measures = answer.comparison.measures
    if not answer.comparison.is_affected:
        return "None of yours are affected."
    parts = [_affected(measure) for measure in measures if measure.is_affected]
    swapped = [measure.name for measure in measures if (orders := measure.orders()) and orders[0] != orders[1]]
    if swapped:
        parts.append(f"the order of the runs changes by {', '.join(swapped)}")
    elif any(measure.orders() for measure in measures):
        parts.append("the order of the runs is the same")
    return f"Affected: {'; '.join(parts)}."


def _affected(measure: Measure) -> str:
    """Return how much of a measure is affected, in a few words."""
    topics = [len(one.affected) for one in measure.series]
    of = sum(len(one.topics) for one in measure.series)
    documents = [one.total.documents for one in measure.series if one.total.documents is not None]
    if documents:
        return f"{sum(documents):,} documents are judged otherwise, in {sum(topics):,} of {of:,} topics"
    runs = sum(one.is_affected for one in measure.series)
    return f"{measure.name} of {runs} of {len(measure.series)} run{'s' if len(measure.series) > 1 else ''}"
