"""The program trec_eval, where an environment variable names one."""
