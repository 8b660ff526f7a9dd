"""Run ``git apply`` on a patch, whatever repository is around and however git is configured."""

import os
import shutil
import subprocess
from pathlib import Path

from harness.errors import UnusableError


def apply(folder: Path, text: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``git apply`` with options in a folder, on the text of a patch.

    Raises
    ------
    UnusableError
        If there is no git.
    """
    program = shutil.which("git")
    if program is None:
        raise UnusableError("git applies patches, and there is none on the PATH; install git")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "XDG_"))}
    environment = {
        **kept,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(folder.resolve().parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "HOME": os.devnull,
        "LC_ALL": "C",
    }
    command = [program, "apply", *options, "-"]
    return subprocess.run(command, cwd=folder, env=environment, input=text, capture_output=True, check=False)


def words(output: bytes) -> str:
    """Return what git printed; bytes that are no text are kept."""
    return output.decode(errors="surrogateescape")
