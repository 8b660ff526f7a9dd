"""Canaries: a subject that is right, and one that is wrong on purpose, which every run has to tell apart first."""
