"""The equivalent in Python against the classes of Lucene."""
