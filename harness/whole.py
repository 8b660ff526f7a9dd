"""A file that is written whole or not at all."""

import errno
import tempfile
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write a text in place of a file, which stays as it was where that fails.

    A symbolic link stays one: the file that it leads to is replaced.

    Raises
    ------
    OSError
        If it cannot be written, or something is there that is no file, such as a device: it would be replaced by one.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        number = errno.EISDIR if path.is_dir() else errno.EINVAL
        raise OSError(number, "a file was expected, or nothing", str(path))
    with tempfile.TemporaryDirectory(prefix=".rankdiff-", dir=path.parent) as folder:
        written = Path(folder) / path.name
        written.write_text(text, encoding="utf-8", errors="backslashreplace")
        written.replace(path)
