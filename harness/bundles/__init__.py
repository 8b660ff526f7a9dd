"""Bundles: divergences written out as folders that an upstream maintainer can read, run and merge."""
