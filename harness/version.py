"""The version of rankdiff itself."""

from importlib import metadata

VERSION = metadata.version("rankdiff")
