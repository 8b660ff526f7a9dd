"""Exact values and derived error bounds of ranking metrics, written from their definitions.

Nothing here is taken from a library under test. Exact routes use the standard library only.
"""
