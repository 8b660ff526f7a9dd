"""RBP = (1 - p) * sum of r_i * p^(i-1), worked out by hand: a line for each step, in fractions."""

import re
from collections.abc import Sequence
from fractions import Fraction

from harness.expected import shown_fraction
from reference import rbp

FEW = 8
"""Terms of a sum that are written out."""


def judged(rank: int, document: str, grade: Fraction | int | None, level: int = 1) -> str:
    """Return whether the document at a rank is relevant, and why."""
    if grade is None:
        return f"rank {rank}: {document} is not judged, so r = 0"
    if grade >= level:
        return f"rank {rank}: {document} has grade {grade}, which is at least {level}, so r = 1"
    return f"rank {rank}: {document} has grade {grade}, which is below {level}, so r = 0"


def in_test(lines: Sequence[str]) -> list[str]:
    """Return steps as comments of a test, in which there is no r."""
    return [re.sub(r", so r = ([01])$", r": it counts \1", line) for line in lines]


def value(relevant: Sequence[bool | int], p: Fraction, what: str = "RBP") -> str:
    """Return the line that holds the value: only ranks with r = 1 are written out."""
    ranks = [rank for rank, r in enumerate(relevant, 1) if r]
    if not ranks:
        return f"{what} = (1 - {p}) * 0 = 0"
    total = rbp.binary(relevant, p)
    terms = [_power(rank - 1, p) for rank in ranks]
    shown = terms if len(terms) <= FEW else [*terms[: FEW // 2], "...", terms[-1]]
    product = f"{shown_fraction(1 - p)} * {shown_fraction(total / (1 - p))}"
    return f"{what} = (1 - {p}) * ({' + '.join(shown)}) = {product} = {shown_fraction(total)}"


def _power(exponent: int, p: Fraction) -> str:
    if exponent == 0:
        return "1"
    return f"{p}" if exponent == 1 else f"({p})^{exponent}"


def at_rank(query: str, document: str, rank: int, p: Fraction) -> str:
    """Return the value of a query with one relevant document, at a rank (0: not retrieved)."""
    where = f"is at rank {rank}" if rank else "is not retrieved"
    return value([i == rank for i in range(1, rank + 1)], p, f"{query}: its relevant {document} {where}, RBP")


def mean(values: Sequence[Fraction]) -> str:
    """Return the line that holds the mean of the values."""
    total = sum(values, start=Fraction(0))
    if len(values) == 1:
        return f"mean = {shown_fraction(total)}"
    added = " + ".join(map(shown_fraction, values))
    return f"mean = ({added}) / {len(values)} = {shown_fraction(total / len(values))}"
