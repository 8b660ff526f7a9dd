"""The plot of a contract: a strip of bars for each domain, which show the share of inputs that differ by release."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.page.marks import percent
from harness.page.matrix import Matrix, Release, Swept


@dataclass(frozen=True, slots=True)
class Bar:
    """One release in a strip.

    Attributes
    ----------
    place
        Its column, from 0.
    height
        The share in per cent; none where the release did not run, or offers nothing of it.
    says
        Release and counts, in words.
    """

    place: int
    height: float | None
    says: str

    @property
    def top(self) -> float:
        """Where it begins, from above; what is not nothing can be seen."""
        return 100 - (max(self.height, 3) if self.height else 0)


@dataclass(frozen=True, slots=True)
class Strip:
    """The bars of domains that show the same in every release.

    Attributes
    ----------
    titles
        The domains.
    runs
        Releases in a row with the same share, and that share.
    """

    titles: tuple[str, ...]
    bars: tuple[Bar, ...]
    runs: tuple[tuple[str, str], ...]

    @property
    def is_clean(self) -> bool:
        """Whether no release shows a mismatch in it."""
        return not any(bar.height for bar in self.bars)


Counts = tuple[int, int] | None
"""Mismatches and inputs; none where there is nothing to count."""


def strips(matrix: Matrix, case: str) -> list[Strip]:
    """Return the plot of a case, domain by domain; domains with the same counts share a strip."""
    titles = dict.fromkeys(
        domain.title
        for release in reversed(matrix.releases)
        if case in release.results
        for domain in release.results[case].domains
    )
    alike: dict[tuple[Counts, ...], list[str]] = {}
    for title in titles:
        alike.setdefault(tuple(_counts(release, case, title) for release in matrix.releases), []).append(title)
    versions = [release.version for release in matrix.releases]
    return [_strip(tuple(same), versions, counts) for counts, same in alike.items()]


def _counts(release: Release, case: str, title: str) -> Counts:
    result = release.results.get(case)
    found: Swept | None = next((one for one in result.domains if one.title == title), None) if result else None
    return None if found is None or found.is_unsupported or not found.inputs else (found.mismatches, found.inputs)


def _strip(titles: tuple[str, ...], versions: Sequence[str], counts: Sequence[Counts]) -> Strip:
    pairs = list(zip(versions, counts, strict=True))
    return Strip(
        titles=titles,
        bars=tuple(_bar(place, version, one) for place, (version, one) in enumerate(pairs)),
        runs=tuple(_runs(pairs)),
    )


def _bar(place: int, version: str, counts: Counts) -> Bar:
    if counts is None:
        return Bar(place, None, f"{version}: no value")
    part, whole = counts
    return Bar(place, 100 * part / whole, f"{version}: {part:,} of {whole:,} ({percent(part, whole)})")


def _runs(pairs: Sequence[tuple[str, Counts]]) -> Iterator[tuple[str, str]]:
    for counts, group in itertools.groupby(pairs, key=lambda pair: pair[1]):
        versions = [version for version, _ in group]
        span = versions[0] if len(versions) == 1 else f"{versions[0]} to {versions[-1]}"
        yield span, "no value" if counts is None else percent(*counts)
