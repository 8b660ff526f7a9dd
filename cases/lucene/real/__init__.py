"""How the real ``org.apache.lucene.benchmark.quality`` is found, started and called."""
