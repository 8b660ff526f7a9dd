"""What is known of the releases of a library: for each release and each contract, what its domains showed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from harness.case import titled
from harness.jsontypes import Json
from harness.releases.changes import Change
from harness.releases.outcome import Status
from harness.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Sized:
    """What the inputs of one size showed."""

    size: int
    inputs: int
    verdicts: Mapping[Verdict, int]


@dataclass(frozen=True, slots=True)
class Smallest:
    """The first input of a domain with a mismatch of some cause."""

    input: Mapping[str, Json]
    expected: str
    observed: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Swept:
    """What one domain showed.

    Attributes
    ----------
    name, parameters
        What identifies the domain.
    exhausted
        Whether all of it was run.
    causes
        By cause: how many mismatches have it.
    conventions
        The causes that are conventions.
    readings
        By convention: how many of the inputs that nothing promises follow it.
    smallest
        By cause.
    """

    name: str
    parameters: Mapping[str, str | int]
    exhausted: bool
    inputs: int
    sizes: tuple[Sized, ...]
    verdicts: Mapping[Verdict, int]
    causes: Mapping[str, int]
    conventions: frozenset[str]
    readings: Mapping[str, int]
    smallest: Mapping[str, Smallest]

    @property
    def title(self) -> str:
        """The name with the parameters, for a person."""
        return titled(self.name, self.parameters)

    @property
    def mismatches(self) -> int:
        """How many inputs speak against the release."""
        return sum(n for verdict, n in self.verdicts.items() if verdict.is_mismatch)

    @property
    def is_unsupported(self) -> bool:
        """Whether the release offers nothing of it."""
        return self.inputs > 0 and self.verdicts.get(Verdict.UNSUPPORTED, 0) == self.inputs


@dataclass(frozen=True, slots=True)
class Result:
    """What one release showed of one contract.

    Attributes
    ----------
    mode
        The code that answered.
    reason
        Why it cannot run, or is unsupported.
    confirmed
        Whether the code that counts showed the same; none where it was not asked.
    kept
        When the result was had.
    domains
        None where it was not run.
    """

    case: str
    mode: str
    status: Status
    reason: str
    confirmed: bool | None
    kept: str
    domains: tuple[Swept, ...]

    @property
    def verdicts(self) -> Counter[Verdict]:
        """The counts over all domains."""
        return sum((Counter(one.verdicts) for one in self.domains), Counter())

    @property
    def inputs(self) -> int:
        """How many inputs were run."""
        return sum(one.inputs for one in self.domains)

    @property
    def mismatches(self) -> int:
        """How many of them speak against the release."""
        return sum(one.mismatches for one in self.domains)

    @property
    def is_unsupported(self) -> bool:
        """Whether the release offers nothing of it."""
        return self.status == "unsupported" or (bool(self.domains) and all(one.is_unsupported for one in self.domains))

    @property
    def causes(self) -> Counter[str]:
        """How many mismatches each cause has, over all domains."""
        return sum((Counter(one.causes) for one in self.domains), Counter())

    @property
    def smallest(self) -> dict[str, Smallest]:
        """The first mismatch of each cause, from the first domain that has one."""
        found: dict[str, Smallest] = {}
        for domain in self.domains:
            for cause, one in domain.smallest.items():
                found.setdefault(cause, one)
        return found


@dataclass(frozen=True, slots=True)
class Release:
    """What one release showed, by contract."""

    version: str
    results: Mapping[str, Result]


@dataclass(frozen=True, slots=True)
class Matrix:
    """The releases of a library, oldest first, against its contracts.

    Attributes
    ----------
    rankdiff
        The version that made it.
    origin
        Where it was read.
    """

    rankdiff: str
    library: str
    distribution: str
    releases: tuple[Release, ...]
    changes: tuple[Change, ...]
    origin: str

    @property
    def cases(self) -> list[str]:
        """Every contract that a release was held to, in the order in which they come."""
        return list(dict.fromkeys(case for release in reversed(self.releases) for case in release.results))
