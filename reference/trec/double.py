"""Measures as trec_eval calculates them, in double precision.

The program prints four decimals of a double. An exact value may lie half way between two such decimals, as 1/160 does
between 0.0062 and 0.0063; then the last digit depends on how the double was rounded. So what is printed is not derived
from the exact value: it is calculated as the program was seen to do, with each quotient and each sum rounded to a
double, sums in the order of the ranks and of the topics.

P@n, reciprocal rank, recall and R-precision are one quotient each: the double nearest to the exact value. In AP and in
means the order of the sums matters.
"""

import math
from collections.abc import Iterable

from reference.trec.measures import Measures


def average_precision(measures: Measures) -> float:
    """Return AP: the sum of precisions k / r_k, over the number of relevant documents; C's quotient by 0 is inf."""
    total = 0.0
    for k, rank in enumerate(measures.ranks, start=1):
        total += k / rank
    if not total:
        return 0.0
    return total / measures.num_rel if measures.num_rel else math.inf


def mean(values: Iterable[float], topics: int) -> float:
    """Return the sum of a measure's values over the number of topics."""
    # Not sum(), which compensates for rounding from Python 3.12 on.
    total = 0.0
    for value in values:
        total += value
    return total / topics


def printed(value: float) -> str:
    """Return the value as C's ``%6.4f`` prints it: the decimal nearest to the double, of two the even one.

    >>> printed(1 / 160), printed(1 / 32)
    ('0.0063', '0.0312')
    """
    return f"{value:6.4f}"
