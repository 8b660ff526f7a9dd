"""trec_eval: https://github.com/usnistgov/trec_eval."""
