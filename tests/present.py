"""What is installed here to be tested."""

from harness.errors import NotInstalledError
from harness.library import Library
from harness.subject import Subject, subjects


def present(library: Library, mode: str) -> list[Subject]:
    """Return the subjects of a library in a mode; none where it is not installed."""
    try:
        return subjects(library, library.mode(mode))
    except NotInstalledError:
        return []
