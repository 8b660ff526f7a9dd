"""A file that is written whole or not at all."""

import tempfile
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write a text in place of a file, which stays as it was where that fails.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix=".rankdiff-", dir=path.parent) as folder:
        written = Path(folder) / path.name
        written.write_text(text, encoding="utf-8", errors="backslashreplace")
        written.replace(path)
