"""An account of a divergence: what only a person can say of it, for the report that a maintainer reads.

What a run can say (the input, both values, how many inputs differ) is not here: the report takes it from the run.

Texts are Markdown, in full sentences. What is made of an input, or comes from a library, is plain text, and is escaped
where it is written.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from harness.installation import Installation

X = TypeVar("X", bound=NamedTuple)


@dataclass(frozen=True, slots=True)
class Table:
    """A small table of plain text: column heads, and rows of as many cells."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Quotation:
    """Some words of the library's documentation or code, looked up in what is installed when a report is written.

    Attributes
    ----------
    file
        From the folder that its import packages are in: ``package/module.py``. In upstream's tree where the
        installation holds no such file.
    text
        A part of one line, as it stands there; long enough to be found once, short enough to be a quotation.
    says
        What it shows, in a sentence.
    line
        Its line, where the installation holds no such file; without it, it is looked up.
    source
        The release that `line` is of, and where it was read: ``doubler 1.0, whose archive holds no source``.
    """

    file: str
    text: str
    says: str
    line: int | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Series(Generic[X]):
    """Inputs that differ in one thing: what the divergence does to scores along it.

    Attributes
    ----------
    title
        What they have in common: ``six of one kind``.
    along
        What they differ in: ``kind``.
    inputs
        Each with its place along it, which is shown: ``("3", x)``.
    value
        What the value is, for an axis.
    part
        Which part of the value, where it is a list.
    """

    title: str
    along: str
    inputs: tuple[tuple[str, X], ...]
    value: str
    part: int | None = None


Command = Callable[[Installation, Path], Sequence[str]]
"""How a file is run with what is installed: the arguments of a process, whose environment is the subject's."""


@dataclass(frozen=True, slots=True)
class Program:
    """The reproduction in the library's own language: it prints, and ends, as ``repro.py`` does.

    Attributes
    ----------
    name
        Its file name.
    source
        What is in it.
    shown
        How a person runs it in the folder of the bundle, as shell lines.
    command
        How it is run here.
    """

    name: str
    source: str
    shown: str
    command: Command


@dataclass(frozen=True, slots=True)
class RegressionTest:
    """A test in the style of upstream's own suite. Its comments state what is expected, and no history.

    Attributes
    ----------
    place
        Where it would go in upstream's tree: a file that is there, or a new one beside its like.
    source
        The whole file.
    name
        Its file name in the bundle.
    shown
        How a person runs it there, as shell lines.
    command
        How it is run here, if not by pytest. Status 0: it passes; 1: it fails; another: it cannot be run.
    needs
        What it imports beside the library and pytest, as requirements.
    note
        What a reader has to know of how it is run here, in a sentence.
    style
        What it is written like; completes "a test ...".
    """

    place: str
    source: str
    name: str = "test_regression.py"
    shown: str = "python -m pytest test_regression.py"
    command: Command | None = None
    needs: tuple[str, ...] = ()
    note: str = ""
    style: str = "in the style of the library's own"


@dataclass(frozen=True, slots=True)
class Account(Generic[X]):
    """What a person says of one divergence.

    Attributes
    ----------
    case, cause
        The divergence, as in the ledger.
    title
        What is wrong in a few words, for a head: ``13 is not doubled``.
    fault
        What is wrong, in one sentence; or what code and documentation disagree about.
    worked
        How the documented value of an input comes about, step by step, in fractions: plain lines.
    why
        The cause, in a few sentences; the quotations follow.
    quotations
        The lines of documentation and code that contradict one another.
    licence
        The licence that the quoted files are under.
    affected, unaffected
        Who is, and who is not.
    workarounds
        What a user can do until it is changed.
    defence
        The strongest case for the present behaviour; where upstream chose it, that is said, and linked.
    mend
        How the code would change.
    reword
        How the documentation would change instead; empty where that is no choice.
    rewording
        A patch that does so.
    diff
        The ledger's fix as a diff against the source of the release, where what is installed holds no source.
    development
        What upstream's development version was when it was looked at (branch and commit), and the same change against
        it, where the one against the release does not apply.
    says
        What is promised, where the case promises more than this divergence is about; in place of its contract's words.
    call
        A call with a literal input, to copy: Python, or the library's own language.
    language
        What the call is written in.
    size
        What the size of an input counts: ``number of documents``.
    needs
        What script and test need, in a sentence, where that is no Python distribution.
    test
        The regression test, given the smallest input.
    table
        An input as a small table; without it, its fields.
    examples
        Further inputs, whose values are shown.
    series
        What is plotted.
    span
        What every documented value lies in, where that is promised: how many observed ones do not is counted.
    program
        The reproduction in the library's own language, if that is not Python.
    """

    case: str
    cause: str
    fault: str
    worked: Callable[[X], Sequence[str]]
    why: str
    quotations: tuple[Quotation, ...]
    licence: str
    affected: str
    unaffected: str
    workarounds: tuple[str, ...]
    defence: str
    mend: str
    test: Callable[[X], RegressionTest]
    title: str = ""
    reword: str = ""
    rewording: Path | None = None
    diff: Path | None = None
    development: tuple[str, Path] | None = None
    says: str = ""
    call: Callable[[X], Sequence[str]] | None = None
    language: str = "python"
    size: str = ""
    needs: str = ""
    table: Callable[[X], Table] | None = None
    examples: tuple[X, ...] = ()
    series: tuple[Series[X], ...] = field(default=())
    span: tuple[Fraction, Fraction] | None = None
    program: Callable[[X], Program] | None = None
