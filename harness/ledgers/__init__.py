"""Ledgers as a person handles them: listed, and changed by what a run showed."""
