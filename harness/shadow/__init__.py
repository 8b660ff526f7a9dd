"""Proposed changes, put before what is installed without touching it, and what they change."""
