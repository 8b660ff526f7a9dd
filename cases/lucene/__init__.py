"""Lucene: https://github.com/apache/lucene."""
