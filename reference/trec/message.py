"""What trec_eval prints on standard error, and the status it ends with.

1 is for an option, 2 for a file that cannot be read, 4 for a topic that cannot be evaluated, 7 for no topic at all.
"""

from collections.abc import Sequence

from reference.trec.grade import PartialInteger
from reference.trec.options import OptionIntegerError
from reference.trec.refusal import (
    EmptyFileError,
    IntegerError,
    MalformedLineError,
    MissingTopicError,
    NegativeTopicError,
    NoCommonTopicError,
    RefusedError,
    RepeatedDocumentError,
)


def warning(partial: PartialInteger) -> bytes:
    """Return what the checked dialect says of text that only starts with an integer."""
    return b"Warning, value `%b' partially read as `%d'.\n" % partial


def status_and_message(refused: RefusedError, names: tuple[str, str], measure: str) -> tuple[int, bytes]:
    """Return how trec_eval ends and what it says.

    Parameters
    ----------
    refused
        What it ends on.
    names
        The names of the two files.
    measure
        The first measure that it calculates for a topic.
    """
    match refused:
        case OptionIntegerError(option=option, refused=cause):
            role = b"Unusable relevance level" if option == "-l" else b"Invalid maximum number of documents per topic"
            return 1, _bad_integer(cause) + b"trec_eval: %b '%b'\n" % (role, cause.text)
        case EmptyFileError() | MalformedLineError() | IntegerError():
            return 2, _bad_file(refused, [name.encode(errors="surrogateescape") for name in names])
        case MissingTopicError():
            return 4, b"trec_eval: result qid '%b' not found in qrels\n" % refused.topic
        case RepeatedDocumentError() | NegativeTopicError():
            return 4, _bad_topic(refused) + b"trec_eval: Can't calculate measure '%b'\n" % measure.encode()
        case NoCommonTopicError():
            return 7, b"trec_eval: No queries with both results and relevance info\n"
        case _:
            raise refused


def _bad_integer(refused: IntegerError) -> bytes:
    why = b"out of range" if refused.out_of_range else b"could not be parsed"
    return b"Error: value `%b' %b.\n" % (refused.text, why)


def _bad_file(refused: EmptyFileError | MalformedLineError | IntegerError, names: Sequence[bytes]) -> bytes:
    if isinstance(refused, IntegerError):
        name, message = names[0], _bad_integer(refused) + b"trec_eval: Unusable relevance level '%b'\n" % refused.text
    else:
        name, kind = (names[0], b"qrels") if refused.file == "qrels" else (names[1], b"results")
        if isinstance(refused, MalformedLineError):
            message = b"trec_eval.get_%b: Malformed line %d\n" % (kind, refused.counted)
        else:
            message = b"trec_eval.get_%b: Cannot read %b file '%b'\n" % (kind, kind, name)
    return message + b"trec_eval: Quit in file '%b'\n" % name


def _bad_topic(refused: RepeatedDocumentError | NegativeTopicError) -> bytes:
    match refused:
        case RepeatedDocumentError(file="qrels", docno=docno):
            return b"trec_eval.form_res_rels: duplicate docs %b\n" % docno
        case RepeatedDocumentError(docno=docno):
            # The program does not end this line.
            return b"trec_eval.form_res_qrels: duplicate docs %b" % docno
        case NegativeTopicError():
            return b""
