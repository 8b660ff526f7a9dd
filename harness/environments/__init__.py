"""Environments on demand: any version of a distribution, isolated, made once and kept in the cache folder."""
