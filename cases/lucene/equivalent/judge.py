r"""A judge that decides as `org.apache.lucene.benchmark.quality.trec.TrecJudge` does, right or wrong.

It is a model of the class as it behaves in 3.6.2, 4.10.4 and 8.8.1. A document is relevant when its grade is any
text but ``0``, so ``-2``, ``00`` and ``0.0`` make it relevant. Text is cut as Java cuts it, which is not how
Python's own methods do:

===============  ============================================  ==================================================
what             Java                                          characters
===============  ============================================  ==================================================
end of a line    `BufferedReader.readLine`                     ``\n``, ``\r``, ``\r\n``; not VT, FF, U+0085, U+2028
trimmed          `String.trim`                                 U+0000 to U+0020; not NBSP, not U+FEFF
between fields   `StringTokenizer`                             space, ``\t``, ``\n``, ``\r``, ``\f``; not VT, not NUL
===============  ============================================  ==================================================
"""

import functools
import re
from collections.abc import Sequence

TRIMMED = "".join(map(chr, range(0x21)))
FIELD = re.compile(r"[^ \t\n\r\f]+")


class NoSuchElementException(Exception):  # noqa: N818 - Java's name
    """A line of fewer than four fields; Java gives it no message."""


class TrecJudge:
    """The judgements of one qrels text, as Lucene reads them.

    A line that is empty or starts with ``#`` once it is trimmed says nothing. Of any other one the fields are query,
    a word that is ignored, document and grade. Each query has a set of relevant documents, from which nothing is
    ever taken away: any grade but ``0`` outlasts a ``0``, in either order.

    Parameters
    ----------
    qrels
        The whole text.
    assertions
        Whether Java checks assertions (``-ea``). It does not by default, and fields behind the grade are ignored.

    Raises
    ------
    NoSuchElementException
        If a line has fewer than four fields.
    AssertionError
        If a line has more than four, and assertions are checked. The first such line of either kind decides.
    """

    def __init__(self, qrels: str, *, assertions: bool) -> None:
        self._relevant: dict[str, set[str]] = {}
        for line in qrels.replace("\r", "\n").split("\n"):  # \r\n ends two lines then, and the second says nothing
            fields = _fields(line)
            if not fields:
                continue
            if len(fields) < 4:
                raise NoSuchElementException
            if len(fields) > 4 and assertions:
                raise AssertionError(f"wrong format: {line.strip(TRIMMED)}  next: {fields[4]}")
            if fields[3] != "0":
                self._relevant.setdefault(fields[0], set()).add(fields[2])

    def is_relevant(self, query_id: str, document: str) -> bool:
        """Return whether the document is relevant to the query; one that is not judged is not."""
        return document in self._relevant.get(query_id, ())

    def max_recall(self, query_id: str) -> int:
        """Return how many documents are relevant to the query."""
        return len(self._relevant.get(query_id, ()))

    def validate_data(self, query_ids: Sequence[str]) -> tuple[bool, str]:
        r"""Return whether queries and judgements match one to one, and what Lucene prints about it.

        A query without a relevant document has "no judgments", even when it was judged; so has the second of two
        with the same id. Lines end with ``\n``. Judgements that match no query are sorted: Lucene has them in the
        order of a `HashMap`.
        """
        unmatched = set(self._relevant)
        without = []
        for query_id in query_ids:
            if query_id in unmatched:
                unmatched.remove(query_id)
            else:
                without.append(query_id)
        text = _warning("queries have no judgments", without) + _warning("judgments match no query", sorted(unmatched))
        return not text, text


@functools.lru_cache(maxsize=4096)
def _fields(line: str) -> tuple[str, ...]:
    """Return the fields of a line; of an exhaustive check's few lines each is cut once."""
    trimmed = line.strip(TRIMMED)
    return () if trimmed.startswith("#") else tuple(FIELD.findall(trimmed))


def _warning(what: str, ids: Sequence[str]) -> str:
    if not ids:
        return ""
    return "".join([f"WARNING: {len(ids)} {what}! - \n", *(f"   {query_id}\n" for query_id in ids)])
