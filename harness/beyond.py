"""Inputs beyond the domains that the ledger lists: whether the subject still does with them what the entry says."""

import contextlib
import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from harness.case import AnyCase
from harness.errors import BadInputError
from harness.execute import Executor
from harness.ledger import Entry
from harness.replay import replay


def shown(case: AnyCase, executor: Executor, entries: Iterable[Entry]) -> dict[str, bool]:
    """Return, by cause of which entries list inputs, whether one of those shows it.

    Raises
    ------
    WorkerFailedToStartError
        If the subject cannot run.
    """
    found = {}
    for entry in entries:
        inputs = list(_inputs(case, entry))
        if inputs:
            found[entry.cause] = any(one.ruling.cause == entry.cause for one in replay(case, executor, inputs))
    return found


def _inputs(case: AnyCase, entry: Entry) -> Iterator[NamedTuple]:
    """Yield the inputs that are listed, but for what is no input any more, which is a problem of the ledger."""
    for text in entry.beyond:
        with contextlib.suppress(BadInputError):
            yield case.from_json(json.loads(text))
