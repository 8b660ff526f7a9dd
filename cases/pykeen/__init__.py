"""pykeen: the median rank, its moments under random ranks, and the closed forms of the other rank-based metrics."""
