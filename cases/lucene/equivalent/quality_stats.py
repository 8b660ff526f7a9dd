r"""Statistics that are computed as `org.apache.lucene.benchmark.quality.QualityStats` computes them, right or wrong.

A model of the class as it behaves in 3.6.2, 4.10.4 and 8.8.1, bit for bit: float operations come in Java's order,
and NaN comes where Java has it. What a reader of the definitions would not expect:

* MRR is 1/r for the first relevant rank r, if r <= 5, and else 0;
* a mean leaves out queries that have no relevant document;
* a mean's precision at n, for n beyond the mean number of points, is extrapolated from the precision at the whole
  part of that number: it is not the mean of the precisions at n;
* the log never shows the precision at the last rank.
"""

import math
from collections.abc import Sequence
from typing import Self

MAX_POINTS = 20
"""The last rank at which a precision is kept."""

LAST_RANK_OF_MRR = 5

LABEL_WIDTH = 19
INTEGER_WIDTH = 6


class IllegalArgumentException(Exception):  # noqa: N818 - Java's name
    """A rank that does not come next, or at which no precision is kept."""


class StringIndexOutOfBoundsException(Exception):  # noqa: N818 - Java's name
    """A number without a decimal point, which Lucene cannot log."""


class QualityStats:
    """The statistics of one query, or the mean of several.

    Parameters
    ----------
    max_good_points
        How many documents are known to be relevant.
    search_time_ms
        What the search took, in whole milliseconds, at least 0.
    """

    def __init__(self, max_good_points: float, search_time_ms: int = 0) -> None:
        self.max_good_points = float(max_good_points)
        self.number_of_points = 0.0
        self.number_of_good_points = 0.0
        self.mrr = 0.0
        self.recall = 0.0
        self.recall_points: list[tuple[int, float]] = []
        """For each relevant document its rank, and how many there were down to it."""
        self.search_time_ms = search_time_ms
        self.doc_names_ms = 0
        self._precision_sum = 0.0
        self._precisions = [0.0] * (MAX_POINTS + 1)

    def add_result(self, n: int, is_relevant: int, doc_name_ms: int = 0) -> None:
        """Add the document at rank ``n``, after that at ``n - 1``. One that comes twice counts twice.

        Raises
        ------
        IllegalArgumentException
            If another rank comes next.
        """
        if n != self.number_of_points + 1:
            raise IllegalArgumentException(f"point {n} illegal after {self.number_of_points} points!")
        if is_relevant:
            self.number_of_good_points += 1
            if not self.recall_points and n <= LAST_RANK_OF_MRR:
                self.mrr = 1.0 / n
            self.recall_points.append((n, self.number_of_good_points))
        self.number_of_points = float(n)
        precision = self.number_of_good_points / self.number_of_points
        if is_relevant:
            self._precision_sum += precision
        if n <= MAX_POINTS:
            self._precisions[n] = precision
        self.recall = precision if self.max_good_points <= 0 else self.number_of_good_points / self.max_good_points
        self.doc_names_ms += doc_name_ms

    @property
    def average_precision(self) -> float:
        """The sum of the precisions at relevant ranks, over the number of known relevant documents; 0 without any."""
        return 0.0 if self.max_good_points == 0 else self._precision_sum / self.max_good_points

    def precision_at(self, n: int) -> float:
        """Return the precision at ``n``. Ranks that are missing hold nothing relevant.

        Raises
        ------
        IllegalArgumentException
            If ``n`` is not one of 1 to 20.
        """
        if not 1 <= n <= MAX_POINTS:
            raise IllegalArgumentException(f"n={n} - but it must be in [1,{MAX_POINTS}] range!")
        if n > self.number_of_points:
            return (self.number_of_points * self._precisions[int(self.number_of_points)]) / n
        return self._precisions[n]

    @classmethod
    def average(cls, stats: Sequence[Self], *, assertions: bool) -> Self:
        """Return the mean over the queries that have relevant documents; times are a mean over all queries.

        The mean of no query is 0 throughout. Where no query has a relevant document, the mean is NaN throughout.

        Parameters
        ----------
        stats
            One for each query.
        assertions
            Whether Java checks assertions (``-ea``), which it does not by default.

        Raises
        ------
        AssertionError
            If there are queries, none has a relevant document, and assertions are checked.
        """
        mean = cls(0.0)
        if not stats:
            return mean
        good = [one for one in stats if one.max_good_points > 0]
        if not good and assertions:
            raise AssertionError('Fishy: no "good" queries!')
        mean.search_time_ms = sum(one.search_time_ms for one in stats) // len(stats)
        mean.doc_names_ms = sum(one.doc_names_ms for one in stats) // len(stats)
        mean.number_of_points = _mean([one.number_of_points for one in good])
        mean.number_of_good_points = _mean([one.number_of_good_points for one in good])
        mean.max_good_points = _mean([one.max_good_points for one in good])
        mean.mrr = _mean([one.mrr for one in good])
        mean.recall = _mean([one.recall for one in good])
        mean._precisions[1:] = [_mean([one.precision_at(n) for one in good]) for n in range(1, MAX_POINTS + 1)]
        # A product that average_precision divides again: that may cost an ulp, in Java as here.
        mean._precision_sum = _mean([one.average_precision for one in good]) * mean.max_good_points
        return mean

    def log(self, title: str, padding: int, prefix: str) -> str:
        r"""Return what Lucene prints, in lines that end with ``\n``.

        Parameters
        ----------
        title
            A line of its own, unless it is blank.
        padding
            How many empty lines come before, and after.
        prefix
            How every line of a number starts.

        Raises
        ------
        StringIndexOutOfBoundsException
            If a number is NaN or infinite. The class is Java's; the message is that of Java 17.

        Notes
        -----
        The digits are Java's for numbers below 2^43. From there on Java writes those of `Double.toString`, which
        depend on its version.
        """
        numbers = [
            ("Search Seconds", self.search_time_ms / 1000),
            ("DocName Seconds", self.doc_names_ms / 1000),
            ("Num Points", self.number_of_points),
            ("Num Good Points", self.number_of_good_points),
            ("Max Good Points", self.max_good_points),
            ("Average Precision", self.average_precision),
            ("MRR", self.mrr),
            ("Recall", self.recall),
        ]
        lines = [_line(label, number) for label, number in numbers]  # refuses NaN, so the range below has an end
        ranks = range(1, min(MAX_POINTS + 1, int(self.number_of_points)))
        lines += [_line(f"Precision At {n}", self.precision_at(n)) for n in ranks]
        heading = f"{title}\n" if any(character > " " for character in title) else ""
        margin = "\n" * padding
        return margin + heading + "".join(prefix + line for line in lines) + margin


def _mean(values: Sequence[float]) -> float:
    """Return 0 + the first + the second + ..., divided by how many there are; NaN for none."""
    total = 0.0
    for value in values:  # not sum(): from Python 3.12 on it compensates rounding errors, and Java does not
        total += value
    return total / len(values) if values else math.nan


def _line(label: str, number: float) -> str:
    """Return three decimals, rounded half to even from the binary value, with the decimal points in one column."""
    if not math.isfinite(number):
        length = len("NaN") if math.isnan(number) else 1 + (number < 0)  # infinity is one character
        raise StringIndexOutOfBoundsException(f"begin 0, end -1, length {length}")
    integer, _, fraction = f"{number:,.3f}".partition(".")
    return f"{label + ': ':<{LABEL_WIDTH}}{integer:>{INTEGER_WIDTH}}.{fraction}\n"
