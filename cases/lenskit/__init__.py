"""lenskit: Rank-Biased Precision, and the log-space metric that is proposed for it."""
