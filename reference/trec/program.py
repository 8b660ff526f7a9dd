"""The program trec_eval: options and the bytes of two files in; status, standard output and standard error out.

What was printed before an error stays printed. A line of output is the measure padded to 22, the topic or ``all``, and
the value, separated by tabs.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reference.trec import double
from reference.trec.dialect import Dialect
from reference.trec.evaluation import evaluated_topics, measures_by_topic
from reference.trec.grade import PartialInteger
from reference.trec.measures import Measures
from reference.trec.message import status_and_message, warning
from reference.trec.options import Options, parse
from reference.trec.qrels import Qrels, read_qrels
from reference.trec.refusal import RefusedError, UndefinedBehaviourError
from reference.trec.run import Run, read_run


@dataclass(frozen=True, slots=True)
class Completed:
    """How the program ended, and what it printed."""

    status: int
    stdout: bytes
    stderr: bytes


@dataclass(frozen=True, slots=True)
class Undefined:
    """Nothing can be said of what the C program does, for this reason."""

    reason: str


class Column(NamedTuple):
    """A measure that is calculated for each topic, under the name that is printed."""

    measure: str
    name: str
    value: Callable[[Measures], int | float]


def trec_eval(
    options: Sequence[str], qrels: bytes, run: bytes, dialect: Dialect, names: tuple[str, str] = ("q", "r")
) -> Completed | Undefined:
    r"""Return what ``trec_eval [options] qrels run`` does.

    Parameters
    ----------
    options
        The arguments before the two files, such as ``["-q", "-m", "map"]``; see `options` for those implemented.
    qrels, run
        The contents of the files.
    dialect
        Which versions are meant.
    names
        The names under which the files were given. They are part of error messages.

    Raises
    ------
    UnsupportedOptionError
        If an option or a measure is not implemented here.

    >>> trec_eval(["-m", "map"], b"q 0 junk -2\nq 0 good 1\n", b"q Q0 good 1 2 r\n", Dialect.V10_0).stdout
    b'map                   \tall\t1.0000\n'
    """
    output: list[bytes] = []
    errors: list[bytes] = []

    def warn(partial: PartialInteger) -> None:
        errors.append(warning(partial))

    columns: list[Column] = []
    try:
        chosen = parse(options, dialect, warn)
        columns = _columns(chosen)
        judgements, results = read_qrels(qrels, dialect, warn), read_run(run, dialect)
        for line in _lines(chosen, columns, judgements, results, dialect):
            output.append(line)  # noqa: PERF402  # what came before an error is printed
    except UndefinedBehaviourError as undefined:
        return Undefined(undefined.reason)
    except RefusedError as refused:
        status, message = status_and_message(refused, names, columns[0].measure if columns else "")
        return Completed(status, b"".join(output), b"".join([*errors, message]))
    return Completed(0, b"".join(output), b"".join(errors))


def _columns(options: Options) -> list[Column]:
    """Return the chosen measures of a topic in the order in which they are printed, whatever that of the options."""
    columns = [
        Column("num_ret", "num_ret", lambda found: found.num_ret),
        Column("num_rel", "num_rel", lambda found: found.num_rel),
        Column("num_rel_ret", "num_rel_ret", lambda found: found.num_rel_ret),
        Column("map", "map", double.average_precision),
        Column("Rprec", "Rprec", lambda found: float(found.r_precision)),
        Column("recip_rank", "recip_rank", lambda found: float(found.reciprocal_rank)),
        *(Column("P", f"P_{cutoff}", _precision(cutoff)) for cutoff in options.cutoffs),
        Column("set_recall", "set_recall", lambda found: float(found.recall)),
    ]
    return [column for column in columns if column.measure in options.measures]


def _precision(cutoff: int) -> Callable[[Measures], float]:
    return lambda found: float(found.precision(cutoff))


def _lines(options: Options, columns: list[Column], qrels: Qrels, run: Run, dialect: Dialect) -> Iterator[bytes]:
    choice = options.choice
    topics = evaluated_topics(qrels, run, dialect, choice)
    if columns:
        rows = []
        for topic, found in measures_by_topic(topics, qrels, run, choice):
            row = [column.value(found) for column in columns]
            rows.append(row)
            if options.per_topic:
                yield from (_line(column.name, topic, value) for column, value in zip(columns, row, strict=True))
        count = len(rows)
    else:
        # Nothing is calculated, so a topic that could not be evaluated does no harm.
        rows = []
        count = len(list(topics))
    complete = qrels if choice.every_judged_topic else None
    if complete is not None:
        count = len(complete.topics)
    if "num_q" in options.measures:
        yield _line("num_q", b"all", count)
    for index, column in enumerate(columns):
        yield _line(column.name, b"all", _summary(column, [row[index] for row in rows], count, complete))


def _summary(column: Column, values: Sequence[int | float], topics: int, complete: Qrels | None) -> int | float:
    """Return the sum of a count, or the mean of a measure over the topics.

    With ``-c`` the sum of num_rel is the number of grades above 0 in the qrels, whatever the level.
    """
    if not column.measure.startswith("num_"):
        return double.mean(values, topics)
    if column.measure == "num_rel" and complete is not None:
        return sum(judgements.positive for judgements in complete.topics.values())
    return sum(values)


def _line(name: str, topic: bytes, value: float) -> bytes:
    printed = f"{value:d}" if isinstance(value, int) else double.printed(value)
    return b"%-22b\t%b\t%b\n" % (name.encode(), topic, printed.encode())
