"""Recommendation lists as small tables: a row for each item."""

from collections.abc import Sequence

from cases.lenskit.lists import CutList
from harness.account import Table

HEADS = ("rank", "item", "test item")


def rows(hits: Sequence[int], retrieved: int, missed: int) -> tuple[tuple[str, ...], ...]:
    """Return a row for each item of a list, then one for each test item that was not retrieved."""
    listed = [(str(rank), str(rank), "yes" if rank in hits else "no") for rank in range(1, retrieved + 1)]
    return *listed, *(("not retrieved", str(retrieved + i), "yes") for i in range(1, missed + 1))


def of_list(hits: Sequence[int], retrieved: int, missed: int) -> Table:
    """Return a list of items, best first, with what was missed."""
    return Table(HEADS, rows(hits, retrieved, missed))


def of_cut_list(x: CutList) -> Table:
    """Return a list with what its cutoff keeps, where there is one."""
    if x.cutoff is None:
        return of_list(x.hits, x.retrieved, x.missed)
    return _kept(x, f"kept by a cutoff of {x.cutoff}")


def of_list_cut_afterwards(x: CutList) -> Table:
    """Return a list with what is kept by a cutoff that is set as an attribute, None too."""
    return _kept(x, f"kept with metric{x.given} = {x.cutoff}")


def _kept(x: CutList, head: str) -> Table:
    cutoff = x.retrieved if x.cutoff is None else x.cutoff
    keeps = ["yes" if rank <= cutoff else "no" for rank in range(1, x.retrieved + 1)] + ["-"] * x.missed
    listed = zip(rows(x.hits, x.retrieved, x.missed), keeps, strict=True)
    return Table((*HEADS, head), tuple((*row, keep) for row, keep in listed))
