"""All that a report is made of."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.account import Account, Program, RegressionTest
from harness.bundles.measuring import Measurements
from harness.bundles.proving import Proven
from harness.bundles.search import Reach
from harness.certificate import Instance
from harness.impact.run import Answer

REWORDING, DIFF, DEVELOPMENT = "documentation.patch", "fix.patch", "fix-development.patch"


@dataclass(frozen=True, slots=True)
class Content:
    """All that a report is made of.

    Attributes
    ----------
    account
        What a person says of it; none where nobody has yet.
    program, test
        What the bundle holds beside the script.
    impact
        What it does to somebody's own files.
    """

    proven: Proven
    reach: Reach
    measurements: Measurements
    account: Account[Any] | None
    program: Program | None
    test: RegressionTest | None
    impact: Answer | None = None

    @property
    def instance(self) -> Instance:
        """The smallest input, and what was seen there."""
        return self.proven.finding.instance


def patches(account: Account[Any] | None) -> Iterator[tuple[str, Path]]:
    """Yield the patches that an account brings, each by its name in the bundle."""
    if account and account.rewording:
        yield REWORDING, account.rewording
    if account and account.diff:
        yield DIFF, account.diff
    if account and account.development:
        yield DEVELOPMENT, account.development[1]
