"""A case: one contract, tied to its reference, its adapter and its domains."""

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar, get_type_hints

from hypothesis.strategies import SearchStrategy

from harness.enumeration import Enumeration
from harness.errors import BadInputError, MiscountedDomainError
from harness.expected import Expected
from harness.impact.comparison import Impact
from harness.jsontypes import Json
from harness.meanings import meanings
from harness.shape import misfit

X = TypeVar("X", bound=NamedTuple)

Parameters = Mapping[str, str | int]

EXAMPLE = 12
"""The index of an input that is small, and not the smallest."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What a library's documentation, or the paper or format that it names, promises, in one sentence.

    Attributes
    ----------
    says
        The promise. It completes "the documentation says that ...".
    source
        Where that is said, so that a reader finds it.
    upstream
        What upstream said or did about it since, if anything: a deliberate choice is named here.
    unpromised
        Why nothing promises it, for what a user would expect all the same; empty for a promise.
    """

    says: str
    source: str
    upstream: str = ""
    unpromised: str = ""

    def to_json(self) -> dict[str, Json]:
        """Return it as a part of a finding, or of a list of cases."""
        return {
            "says": self.says,
            "source": self.source,
            "upstream": self.upstream,
            "unpromised": self.unpromised,
        }


def titled(name: str, parameters: Parameters) -> str:
    """Return the name of a domain with its parameters, for a person."""
    return ", ".join([name, *(f"{key} {value}" for key, value in parameters.items())])


@dataclass(frozen=True, slots=True)
class Domain(Generic[X]):
    """A named, finite set of inputs, counted and indexed.

    Attributes
    ----------
    name, parameters
        What identifies it in certificates and in the ledger.
    inputs
        The inputs, smallest first.
    counts
        Inputs by size, from a closed formula that does not use the enumeration.
    thorough
        Whether it is left to a thorough check.
    """

    name: str
    parameters: Parameters
    inputs: Enumeration[X]
    counts: Callable[[], Mapping[int, int]]
    thorough: bool = False

    def verify_counts(self) -> None:
        """Compare the enumeration's counts with the closed formula.

        Raises
        ------
        MiscountedDomainError
            If they part.
        """
        expected = {size: count for size, count in self.counts().items() if count}
        found = self.inputs.counts()
        if found != expected:
            raise MiscountedDomainError(
                f"the domain {self.title} should hold {expected} inputs by size, by its closed formula, "
                f"but its enumeration holds {found}; one of the two is wrong"
            )

    @property
    def title(self) -> str:
        """The name with the parameters, for a person."""
        return titled(self.name, self.parameters)


@dataclass(frozen=True, slots=True)
class Script:
    """The part of a reproduction script that only the case can write: Python source, without our modules.

    Attributes
    ----------
    imports
        Imports the library, and ends with ``COULD NOT RUN`` and status 2 where that fails.
    body
        Defines ``control()`` (true when the set-up is right), ``observed()`` (calls the library) and
        ``is_right(value)``.
    documented
        A Python expression for the documented value, as the script prints it.
    input
        The input in a few words.
    dependencies
        What has to be installed from the Python package index; without it, the subject's distribution.
    about
        Python expressions, separated by commas, that the script prints first: what it runs on. Without it, the
        subject's distribution and its installed version.
    """

    imports: str
    body: str
    documented: str
    input: str
    dependencies: tuple[str, ...] | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Case(Generic[X]):
    """One contract tied to its reference, its adapter and its domains.

    Attributes
    ----------
    name
        ``library/contract``.
    contract
        The promise and its source.
    input_type
        The class of an input: a named tuple of what JSON can hold. What its docstring says of each field, under
        ``Attributes``, is what a person is shown.
    call
        The function of the adapter that runs a batch of inputs.
    expected
        The reference: what is right for an input.
    domains
        The first is what a plain check runs.
    describe
        An input in a few words.
    script
        How a reproduction script calls the library with this input.
    conventions
        Named alternative readings, each with what it would give.
    alike
        Inputs with the same key have the same expected values and conventions. It saves work on the
        reference's side; every input is still sent to the subject.
    beyond
        Where the hunt looks, outside the domains.
    validate
        Raises ValueError or TypeError for what is no input of this case. Without it, and
        without a hunt, an input is one of a domain.
    modes
        The names of the library's modes that it is about, the usual one first; none: all of them.
    values
        What the parts of a value are, where it is a list.
    impact
        How it says what the divergence does to somebody's own files, if it can.
    """

    name: str
    contract: Contract
    input_type: type[X]
    call: str
    expected: Callable[[X], Expected]
    domains: tuple[Domain[X], ...]
    describe: Callable[[X], str]
    script: Callable[[X], Script]
    conventions: Mapping[str, Callable[[X], Expected]] = field(default_factory=dict)
    alike: Callable[[X], Hashable] | None = None
    beyond: SearchStrategy[X] | None = None
    validate: Callable[[X], None] | None = None
    modes: tuple[str, ...] = ()
    values: str = ""
    impact: Impact | None = None

    def is_about(self, mode: str) -> bool:
        """Return whether it is about a mode of its library."""
        return not self.modes or mode in self.modes

    @property
    def library(self) -> str:
        """The part of the name before the slash."""
        return self.name.partition("/")[0]

    @property
    def short_name(self) -> str:
        """The part of the name after the slash."""
        return self.name.partition("/")[2]

    def to_json(self, x: X) -> dict[str, Json]:
        """Return an input as a JSON object."""
        return dict(zip(x._fields, x, strict=True))

    def from_json(self, fields: Mapping[str, Json]) -> X:
        """Return the input that `to_json` wrote.

        Raises
        ------
        BadInputError
            If the fields are not those of this case's inputs, or its reference has no value for them.
        """
        make: Callable[..., X] = self.input_type
        hints = get_type_hints(self.input_type)
        try:
            if set(fields) != set(self.input_type._fields):
                raise ValueError(f"it has {', '.join(fields) or 'no field'}")  # noqa: TRY301 - as below
            misfits = [text for name, value in fields.items() if (text := misfit(value, hints[name], name))]
            if misfits:
                raise ValueError("; ".join(misfits))  # noqa: TRY301 - one message for all that is no input
            x = make(**{name: _frozen(value) for name, value in fields.items()})
            if self.validate:
                self.validate(x)
            elif self.beyond is None and not any(x in domain.inputs for domain in self.domains):
                raise ValueError("it is in none of its domains")  # noqa: TRY301 - one message for all that is no input
            for reading in (self.expected, *self.conventions.values(), self.alike or self.expected):
                reading(x)
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
            expected = ", ".join(self.input_type._fields)
            raise BadInputError(
                f"{self.name} expects a JSON object with {expected}, not {json.dumps(fields)[:300]} ({error}); "
                f"for example {json.dumps(self.example())[:300]}"
                + "".join(f"\n  {line}" for line in self.field_lines())
            ) from error
        return x

    def example(self) -> dict[str, Json]:
        """Return an input of its first domain as a JSON object."""
        inputs = self.domains[0].inputs
        return self.to_json(inputs[min(EXAMPLE, len(inputs) - 1)])

    def field_lines(self) -> list[str]:
        """Return what the fields of an input mean, one line each, for a person."""
        width = max(map(len, self.input_type._fields))
        return [f"{name:<{width}}  {words}" for name, words in meanings(self.input_type).items()]


AnyDomain = Domain[Any]
"""A domain of whatever inputs: what does not look into them takes this."""

AnyCase = Case[Any]
"""A case about whatever inputs."""


def _frozen(value: Json) -> Json:
    """Return JSON's lists as the tuples that they were."""
    if isinstance(value, list):
        return tuple(_frozen(part) for part in value)
    return value
