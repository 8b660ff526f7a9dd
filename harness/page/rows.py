"""Make what the template shows of a library: from its matrix, its contracts, its ledger and its bundles."""

import json
import shlex
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from harness.case import AnyCase, Contract
from harness.errors import RankdiffError
from harness.ledger import Entry
from harness.library import Library, Mode
from harness.page.marks import mark, share
from harness.page.matrix import Matrix, Result, Smallest
from harness.page.shelf import Shelved
from harness.page.strips import strips
from harness.page.view import Bundle, Cause, Cell, Row, Section

LONGEST = 600
"""Letters of an input that are shown."""

NOBODY_SAYS = Contract(says="", source="")
"""What is known of a contract of a library that is not installed here."""


def section(
    matrix: Matrix, library: Library | None, ledger: Sequence[Entry], shelf: Sequence[Shelved], page: Path
) -> Section:
    """Return what is shown of a library.

    Parameters
    ----------
    library
        Its contracts, where they are installed here.
    ledger
        The entries of its ledger.
    shelf
        Bundles, about any library.
    page
        The file that links them.
    """
    cases = {case.name: case for case in library.cases} if library else {}
    names = [*(name for name in cases if name in matrix.cases), *(n for n in matrix.cases if n not in cases)]
    modes = {mode.name: mode for mode in library.modes} if library else {}
    rows = [_Rows(matrix, name, cases.get(name), modes, ledger, shelf, page).row() for name in names]
    return Section(
        id=identity(matrix.library),
        matrix=matrix,
        versions=tuple(release.version for release in reversed(matrix.releases)),
        rows=tuple(rows),
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """Makes the row of a case."""

    matrix: Matrix
    name: str
    case: AnyCase | None
    modes: Mapping[str, Mode]
    ledger: Sequence[Entry]
    shelf: Sequence[Shelved]
    page: Path

    def row(self) -> Row:
        newest_first = list(reversed(self.matrix.releases))
        causes = dict.fromkeys(
            cause
            for release in newest_first
            if self.name in release.results
            for cause, _ in release.results[self.name].causes.most_common()
        )
        letters = dict(zip(causes, _letters(), strict=False))
        cells = [
            self._cell(release.version, release.results[self.name], letters) if self.name in release.results else None
            for release in newest_first
        ]
        return Row(
            id=f"{identity(self.matrix.library)}/{identity(self._short_name)}",
            case=self.name,
            short_name=self._short_name,
            contract=self.case.contract if self.case else NOBODY_SAYS,
            letters=letters,
            cells=tuple(cells),
            entries=tuple(entry for entry in self.ledger if entry.case == self.name),
            changes=tuple(change for change in self.matrix.changes if change.case == self.name),
            strips=tuple(strips(self.matrix, self.name)),
            bundles=tuple(self._bundle(one) for one in self.shelf if one.case == self.name),
        )

    @property
    def _short_name(self) -> str:
        return self.name.removeprefix(f"{self.matrix.library}/")

    def _cell(self, version: str, result: Result, letters: Mapping[str, str]) -> Cell:
        return Cell(
            id=f"{identity(self.matrix.library)}/{identity(self._short_name)}@{identity(version)}",
            version=version,
            mark=mark(result),
            share=share(result),
            label=self._label(result),
            counts=self._counts(result),
            causes=tuple(self._causes(version, result, letters)),
            result=result,
        )

    def _label(self, result: Result) -> str:
        """Return which code a result is about; nothing where there is but the code that counts."""
        if result.status != "run" or (self.is_plain and result.confirmed is not False):
            return ""
        if result.confirmed:
            return "confirmed"
        if result.confirmed is False and not self._counts(result):
            return "not confirmed"
        return result.mode

    def _counts(self, result: Result) -> bool:
        """Return whether the code that answered is known to be that which counts."""
        return result.mode in self.modes and self.modes[result.mode].is_counted

    @property
    def is_plain(self) -> bool:
        """Whether all results are of one mode, whose word counts."""
        modes = {result.mode for release in self.matrix.releases for result in release.results.values()}
        return len(modes) == 1 and all(mode in self.modes and self.modes[mode].is_counted for mode in modes)

    def _causes(self, version: str, result: Result, letters: Mapping[str, str]) -> Iterator[Cause]:
        conventions = {name for domain in result.domains for name in domain.conventions}
        smallest = result.smallest
        for name, count in result.causes.most_common():
            first = smallest.get(name)
            shown = json.dumps(first.input) if first else ""
            yield Cause(
                letter=letters[name],
                name=name,
                is_convention=name in conventions,
                count=count,
                known=self._known(name, version),
                smallest=first,
                words=self._words(first) if first else "",
                input=shown if len(shown) <= LONGEST else f"{shown[:LONGEST]} ... ({len(shown):,} characters)",
                replay=self._replay(version, result, shown) if shown and len(shown) <= LONGEST else (),
                bundles=tuple(
                    self._bundle(one)
                    for one in self.shelf
                    if (one.case, one.cause, one.version) == (self.name, name, version)
                ),
            )

    def _known(self, cause: str, version: str) -> Entry | None:
        about = (entry for entry in self.ledger if (entry.case, entry.cause) == (self.name, cause))
        return next((entry for entry in about if entry.covers(version)), None)

    def _words(self, smallest: Smallest) -> str:
        """Return an input in a few words; nothing where the case is unknown here, or has changed since."""
        if self.case is None:
            return ""
        try:
            return self.case.describe(self.case.from_json(smallest.input))
        except RankdiffError:
            return ""

    def _replay(self, version: str, result: Result, shown: str) -> tuple[str, ...]:
        """Return the command that runs an input on a release, where a release can be had by name."""
        parts = [["rankdiff", "replay", self.name], [shown], ["--mode", result.mode]]
        if result.mode not in self.modes or self.modes[result.mode].is_distribution:
            parts.append(["--subject", f"{self.matrix.distribution}=={version}"])
        return tuple(shlex.join(part) for part in parts)

    def _bundle(self, one: Shelved) -> Bundle:
        return Bundle(one.link(self.page), one.folder.name, one.version)


def identity(name: str) -> str:
    """Return a part of an element's id, which is another one for each name."""
    return quote(name, safe="", errors="backslashreplace")


def _letters() -> Iterator[str]:
    yield from string.ascii_lowercase
    number = 27
    while True:
        yield str(number)
        number += 1
