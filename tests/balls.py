"""The precision of Arb's balls, which is one for the whole process: each module sets its own, and puts it back."""

from collections.abc import Callable, Iterator

import pytest
from flint import ctx


def working_at(bits: int) -> Callable[[], Iterator[None]]:
    """Return a fixture that sets the precision for the tests of a module."""

    @pytest.fixture(autouse=True, scope="module")
    def precision() -> Iterator[None]:
        before = ctx.prec
        ctx.prec = bits
        yield
        ctx.prec = before

    return precision
