"""An outcome: what one release of a library showed of one case."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from harness.jsontypes import Json
from harness.terminal import ORDER
from harness.verdict import Verdict

Status = Literal["run", "cannot_run", "unsupported"]

State = tuple[str, frozenset[str]]
"""What is compared between releases: a word, and the causes of the mismatches."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one release showed of one case.

    Attributes
    ----------
    status, reason
        Whether it was run; if not, why.
    certificates
        As in a report.
    kept
        When it was taken, in UTC.
    confirmed
        Whether the mode that counts says the same; None where it was not asked.
    """

    case: str
    mode: str
    status: Status
    reason: str = ""
    certificates: tuple[Mapping[str, Json], ...] = ()
    kept: str = ""
    confirmed: bool | None = None

    @property
    def causes(self) -> Counter[str]:
        """How many mismatches each cause has."""
        found: Counter[str] = Counter()
        for certificate in self.certificates:
            match certificate.get("causes"):
                case dict(causes):
                    found.update({cause: int(n) for cause, n in causes.items()})
        return found

    @property
    def verdicts(self) -> Counter[Verdict]:
        """How many inputs have each verdict."""
        found: Counter[Verdict] = Counter()
        for certificate in self.certificates:
            match certificate.get("verdicts"):
                case dict(verdicts):
                    found.update({Verdict(name): int(n) for name, n in verdicts.items() if n})
        return found

    @property
    def verdict(self) -> str:
        """The word for it: the worst verdict of its inputs."""
        if self.status != "run":
            return self.status.replace("_", " ")
        return str(next((verdict for verdict in ORDER if self.verdicts[verdict]), Verdict.AGREES))

    @property
    def state(self) -> State | None:
        """What is compared between releases; None where it cannot run, so that nothing is known of it."""
        return None if self.status == "cannot_run" else (self.verdict, frozenset(self.causes))

    def to_json(self) -> dict[str, Json]:
        """Return it as a cell of the matrix."""
        return {
            "case": self.case,
            "mode": self.mode,
            "status": self.status,
            "reason": self.reason,
            "confirmed": self.confirmed,
            "kept": self.kept,
            "certificates": list(self.certificates),
        }


def confirmed(quick: Outcome, counted: Outcome) -> Outcome:
    """Return what the mode that counts says of a case, and whether a quick mode said the same."""
    if counted.state is None and quick.state is not None:
        return replace(quick, confirmed=False, reason=f"{counted.mode}: {counted.reason}")
    same = counted.state == quick.state
    reason = counted.reason if same else f"{quick.mode}: {said(quick)}"
    return replace(counted, confirmed=same, reason=reason)


def said(outcome: Outcome) -> str:
    """Return what an outcome says, in a few words: its verdict, and the causes of its mismatches."""
    causes = ", ".join(f'"{cause}"' for cause, _ in outcome.causes.most_common())
    return f"{outcome.verdict}, {causes}" if causes else outcome.verdict
