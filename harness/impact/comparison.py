"""What a divergence does to somebody's own numbers: a case compares the files that they name.

A case that can do so says how in an `Impact`. It turns the files into inputs of the subject, and each answer, with the
reference's value for the same input, into a `Compared`.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, Self, TypeVar

from harness.compare import is_right
from harness.expected import Exactly, Expected
from harness.jsontypes import Json
from harness.outcome import Outcome, Value
from harness.outcome import shown as outcome_shown
from harness.printable import printable
from harness.progress import Progress

About = TypeVar("About")


@dataclass(frozen=True, slots=True)
class Files:
    """The files that somebody names: judgements by topic, and runs that are evaluated by them."""

    qrels: Path
    runs: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a user may choose of a case, as ``--set name=value``.

    Attributes
    ----------
    name
        What the user calls it.
    default
        Its usual value.
    says
        What it is, and which values it takes, in a few words.
    check
        Raises ValueError for a text that is no value of it.
    """

    name: str
    default: str
    says: str
    check: Callable[[str], None]


class Ask(Protocol):
    """Asks the subject."""

    def __call__(
        self, call: str, items: Iterable[tuple[About, Sequence[object]]], total: int, title: str
    ) -> Iterator[tuple[About, Json]]:
        """Yield what each item is about with the outcome, in wire form, of its input.

        Items are taken as they are needed, and one call is finished before the next one begins.

        Parameters
        ----------
        call
            The function of the adapter.
        items
            What each is about, and the input.
        total
            How many there will be.
        title
            What a person who waits is told.

        Raises
        ------
        UnusableError
            If the subject does not offer this, or ends again and again.
        WorkerFailedToStartError
            If it cannot run.
        """
        ...


@dataclass(frozen=True, slots=True)
class Compared:
    """One number as shipped and as documented.

    Attributes
    ----------
    of
        The topic, or the file where it is a mean or a sum over its topics.
    shipped
        What the subject gave; None if that is no finite number.
    shown
        The same for a person: an error, if it was one.
    documented
        The exact value, rounded to a float; None if nothing is promised.
    within
        How far a right number may lie from the exact value.
    is_affected
        Whether the one is not the other.
    documents
        How many documents make the difference, where it is a count of documents.
    """

    of: str
    shipped: float | int | None
    shown: str
    documented: float | int | None
    within: float
    is_affected: bool
    documents: int | None = None

    @classmethod
    def judged(cls, of: str, outcome: Outcome, expected: Expected, documents: int | None = None) -> Self:
        """Return the comparison of what the subject did with what is right."""
        shipped = outcome.value if isinstance(outcome, Value) and not isinstance(outcome.value, tuple) else None
        documented, within = None, 0.0
        if isinstance(expected, Exactly):
            documented, within = float(expected.value), float(expected.within)
            if not isinstance(shipped, float) and expected.value.denominator == 1:
                documented = int(expected.value)
        return cls(
            of,
            shipped if shipped is not None and math.isfinite(shipped) else None,
            printable(outcome_shown(outcome)),
            documented,
            within,
            not is_right(outcome, expected) or bool(documents),
            documents,
        )

    @property
    def change(self) -> float | int | None:
        """As shipped minus as documented; None where one of the two is no number."""
        return None if self.shipped is None or self.documented is None else self.shipped - self.documented


@dataclass(frozen=True, slots=True)
class Series:
    """A measure of one file.

    Attributes
    ----------
    total
        The mean, or the sum, over the topics.
    topics
        The same of each topic.
    """

    total: Compared
    topics: tuple[Compared, ...]

    @property
    def affected(self) -> list[Compared]:
        """The topics that are affected, those that changed most first; what is no number is before all numbers."""
        return sorted((topic for topic in self.topics if topic.is_affected), key=_by_change)

    @property
    def is_affected(self) -> bool:
        """Whether the total is, or a topic."""
        return self.total.is_affected or any(topic.is_affected for topic in self.topics)


def _by_change(compared: Compared) -> float:
    return -math.inf if compared.change is None else -abs(compared.change)


Order = tuple[tuple[str, ...], ...]
"""Files from the highest total to the lowest; those whose totals cannot be told apart are together."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure, of every file.

    Attributes
    ----------
    name
        As the field calls it, with its parameters.
    total
        How the topics are put together.
    series
        One for each file.
    """

    name: str
    total: Literal["mean", "sum"]
    series: tuple[Series, ...]

    @property
    def is_affected(self) -> bool:
        """Whether a file is."""
        return any(one.is_affected for one in self.series)

    def orders(self) -> tuple[Order, Order] | None:
        """Return the order of the runs as shipped and as documented; None where there is none, or it cannot be told."""
        totals = [one.total for one in self.series]
        shipped = [(total.shipped, total.within, total.of) for total in totals if total.shipped is not None]
        documented = [(total.documented, total.within, total.of) for total in totals if total.documented is not None]
        if self.total != "mean" or len(totals) < 2 or not len(shipped) == len(documented) == len(totals):
            return None
        return _ordered(shipped), _ordered(documented)


def _ordered(totals: Sequence[tuple[float | int, float, str]]) -> Order:
    """Return the names by falling number; two numbers that lie within their bounds of one another are a tie."""
    groups: list[list[str]] = []
    falling = sorted(totals, reverse=True)
    for before, (number, within, name) in zip([None, *falling], falling, strict=False):
        if before is not None and before[0] - number <= before[1] + within:
            groups[-1].append(name)
        else:
            groups.append([name])
    return tuple(tuple(sorted(group)) for group in groups)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a case found in the files.

    Attributes
    ----------
    measures
        What it compared.
    about
        What was read, a line for each file.
    notes
        What a reader has to know: what was left out, how ties were ordered.
    """

    measures: tuple[Measure, ...]
    about: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_affected(self) -> bool:
        """Whether a number is not as documented."""
        return any(measure.is_affected for measure in self.measures)


@dataclass(frozen=True, slots=True)
class Impact:
    """How a case compares somebody's files.

    Attributes
    ----------
    compare
        Does it, given the subject, the files, a value of each parameter, and who is told of what takes long. It raises
        BadInputError, with file and line, where a file is not of its format.
    parameters
        What a user may choose.
    needs_runs
        Whether there is nothing to compare without a run.
    """

    compare: Callable[[Ask, Files, Mapping[str, str], Progress], Comparison]
    parameters: tuple[Parameter, ...] = ()
    needs_runs: bool = False
