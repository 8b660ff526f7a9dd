"""Where Lucene says what the accounts quote: the jars hold no source."""

from pathlib import Path

from harness.account import Quotation

READ = "Lucene 8.8.1's source; the jar holds none"

PATCHES = Path(__file__).parents[1] / "patches"

LICENCE = "Apache-2.0"

FOLDER = "lucene/benchmark/src/java/org/apache/lucene/benchmark/quality"


def quotation(file: str, line: int, text: str, says: str) -> Quotation:
    """Return a quotation of a file of the quality benchmark."""
    return Quotation(f"{FOLDER}/{file}", text, says, line, READ)
