"""The command line of trec_eval, as far as it is implemented here.

These options are: ``-q``, ``-c``, ``-J``, ``-l NUMBER``, ``-M NUMBER``, and ``-m`` with one of the `MEASURES`, of which
P takes cutoffs: ``-m P.1,5``. Whatever else trec_eval knows is refused.
"""

import getopt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reference.trec.dialect import Dialect
from reference.trec.evaluation import Choice
from reference.trec.grade import PartialInteger, integer, unheard
from reference.trec.refusal import IntegerError, RefusedError

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""The cutoffs of P when none are given, by its own help."""

MEASURES = frozenset(("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "Rprec", "recip_rank", "P", "set_recall"))


class UnsupportedOptionError(ValueError):
    """A command line that is not implemented here, whatever trec_eval does with it."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"{expected} was expected, not {found}")


@dataclass(frozen=True, slots=True)
class Options:
    """A command line of trec_eval.

    Attributes
    ----------
    choice
        What is evaluated: ``-l``, ``-M``, ``-J``, ``-c``.
    per_topic
        Whether each topic's measures are printed before the summary: ``-q``.
    measures
        The measures to print: ``-m``, in no order.
    cutoffs
        Those of P, rising.
    """

    choice: Choice
    per_topic: bool
    measures: frozenset[str]
    cutoffs: tuple[int, ...]


class OptionIntegerError(RefusedError):
    """The number of ``-l`` or ``-M`` is none that the checked dialect takes."""

    def __init__(self, option: str, refused: IntegerError) -> None:
        super().__init__(f"after {option} {refused}")
        self.option = option
        self.refused = refused


def parse(arguments: Sequence[str], dialect: Dialect, warn: Callable[[PartialInteger], None] = unheard) -> Options:
    """Return the options in the arguments, which are those before the names of the two files.

    Raises
    ------
    UnsupportedOptionError
        If an option, a measure or cutoffs are not implemented here.
    OptionIntegerError
        In the checked dialect, if a number is none.
    """
    try:
        pairs, rest = getopt.getopt(list(arguments), "cqJl:m:M:")
    except getopt.GetoptError as error:
        raise UnsupportedOptionError("one of the options -q -c -J -l -M -m", error.msg) from error
    if rest:
        raise UnsupportedOptionError("an option", repr(rest[0]))
    level, depth = 1, None
    measures: dict[str, str] = {}
    for option, argument in pairs:
        match option:
            case "-l":
                level = _number(option, argument, dialect, warn)
            case "-M":
                depth = _number(option, argument, dialect, warn)
            case "-m":
                _add_measure(measures, argument)
    if not measures:
        raise UnsupportedOptionError("a measure (-m)", "none")
    given = {option for option, _ in pairs}
    return Options(
        Choice(level, depth, judged_only="-J" in given, every_judged_topic="-c" in given),
        per_topic="-q" in given,
        measures=frozenset(measures),
        cutoffs=_cutoffs(measures.get("P", "")),
    )


def _number(option: str, argument: str, dialect: Dialect, warn: Callable[[PartialInteger], None]) -> int:
    try:
        return integer(argument.encode(errors="surrogateescape"), dialect, warn)
    except IntegerError as error:
        raise OptionIntegerError(option, error) from error


def _add_measure(measures: dict[str, str], argument: str) -> None:
    name, point, parameters = argument.partition(".")
    if name not in MEASURES or (point and not parameters):
        raise UnsupportedOptionError(f"one of the measures {', '.join(sorted(MEASURES))}", repr(argument))
    if name != "P" and parameters:
        raise UnsupportedOptionError(f"{name} without a parameter", repr(parameters))
    if measures.setdefault(name, parameters) != parameters:
        raise UnsupportedOptionError("one -m P with all its cutoffs", "two")


def _cutoffs(parameters: str) -> tuple[int, ...]:
    if not parameters:
        return CUTOFFS
    texts = parameters.split(",")
    cutoffs = sorted({int(text) for text in texts if text.isascii() and text.isdigit() and len(text) <= 9})
    if len(cutoffs) < len(texts) or cutoffs[0] < 1:
        raise UnsupportedOptionError("positive cutoffs without duplicates", repr(parameters))
    return tuple(cutoffs)
