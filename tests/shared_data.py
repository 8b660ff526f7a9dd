"""Real judgements and runs, where they lie beside the repository; tests that need one are skipped without it."""

import gzip
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "shared" / "data"


def needs(*names: str) -> pytest.MarkDecorator:
    """Return the mark of a test that needs these files."""
    absent = [name for name in names if not (FOLDER / name).is_file()]
    return pytest.mark.skipif(bool(absent), reason=f"{', '.join(absent)} is not beside the repository")


def content(name: str) -> bytes:
    """Return what is in a file, which is compressed."""
    return gzip.decompress((FOLDER / name).read_bytes())
