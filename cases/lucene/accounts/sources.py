"""Where Lucene says what the accounts quote: the jars hold no source."""

from pathlib import Path

from harness.account import Quotation

READ = "Lucene 8.8.1's source"

MAIN = "main at commit 62014366bd98 of 14 August 2025"
"""What was looked at of apache/lucene, in a copy of it."""

PATCHES = Path(__file__).parents[1] / "patches"

LICENCE = "Apache-2.0"

NEEDS = (
    "Both need Java 11 or newer, and the jar with those beside it; `repro.py` looks for it where Debian puts it, or is "
    "told by `RANKDIFF_LUCENE_JAR`."
)

FOLDER = "lucene/benchmark/src/java/org/apache/lucene/benchmark/quality"


def quotation(file: str, line: int, text: str, says: str) -> Quotation:
    """Return a quotation of a file of the quality benchmark."""
    return Quotation(f"{FOLDER}/{file}", text, says, line, READ)
