"""What trec_eval refuses, one class for each reason, beside what its C program leaves undefined.

The messages are for people. What trec_eval prints instead is in `program`.
"""

from typing import Literal

File = Literal["qrels", "run"]


class RefusedError(ValueError):
    """Input that trec_eval ends on with a message and a status that is not 0."""


class EmptyFileError(RefusedError):
    """A file of no bytes."""

    def __init__(self, file: File) -> None:
        super().__init__(f"at least one line was expected in the {file}, which is empty")
        self.file = file


class MalformedLineError(RefusedError):
    """A line without the fields that its file needs.

    Attributes
    ----------
    line
        Its number in the file, from 1.
    counted
        Its number as trec_eval counts, which leaves out comments, and in a run also blank lines.
    """

    def __init__(self, file: File, line: int, counted: int, expected: str, found: bytes) -> None:
        fields = len(found.split())
        super().__init__(
            f"line {line} of the {file}: {expected} were expected, not {fields} in {found.decode(errors='replace')!r}"
        )
        self.file = file
        self.line = line
        self.counted = counted


class IntegerError(RefusedError):
    """Text that the checked dialect does not take for an integer."""

    def __init__(self, text: bytes, *, out_of_range: bool) -> None:
        expected = "an integer from -2^63 to 2^63 - 1" if out_of_range else "an integer"
        super().__init__(f"{expected} was expected, not {text.decode(errors='replace')!r}")
        self.text = text
        self.out_of_range = out_of_range


class RepeatedDocumentError(RefusedError):
    """A document that is judged or retrieved twice for one topic. Of several, the first in byte order is named."""

    def __init__(self, file: File, docno: bytes) -> None:
        super().__init__(f"one line for each document of a topic was expected in the {file}, not two for {docno!r}")
        self.file = file
        self.docno = docno


class NegativeTopicError(RefusedError):
    """A topic with no grade of at least 0, where it is the first one to be evaluated."""

    def __init__(self) -> None:
        super().__init__("a grade of at least 0 was expected in the first topic that is evaluated, found none")


class MissingTopicError(RefusedError):
    """A judged topic that the run says nothing of, in a dialect that evaluates every judged topic."""

    def __init__(self, topic: bytes) -> None:
        super().__init__(f"results for the judged topic {topic!r} were expected in the run, or the option -c")
        self.topic = topic


class NoCommonTopicError(RefusedError):
    """Qrels and a run about different topics, in the dialect that evaluates the topics they share."""

    def __init__(self) -> None:
        super().__init__("a topic that is in the qrels and in the run was expected, found none")


class UndefinedBehaviourError(Exception):
    """Input on which the C program has no behaviour that could be relied on: it may end in a signal.

    It is not a `RefusedError`: nothing can be said about what trec_eval does.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
