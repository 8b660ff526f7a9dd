"""What Lucene's `org.apache.lucene.benchmark.quality` does, in Python: a judge and its statistics, without Java."""

RELEASES = ("3.6.2", "4.10.4", "8.8.1")
"""What it is equivalent to: ``lucene/equivalence`` and its siblings hold it to each that is found."""
