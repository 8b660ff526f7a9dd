"""A child process that asks nothing, and that ends together with whatever it started."""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import IO, Any

from harness import fresh

SAID_BY_US = (
    "CONDA_PREFIX",
    "GIT_ASKPASS",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_WORK_TREE",
    "PIP_PREFIX",
    "PIP_PYTHON",
    "PIP_ROOT",
    "PIP_TARGET",
    "SSH_ASKPASS",
    "UV_CONFIG_FILE",
    "UV_PROJECT",
    "UV_PYTHON",
    "UV_SYSTEM_PYTHON",
    "UV_WORKING_DIR",
    "VIRTUAL_ENV",
)
"""Environment variables that choose an interpreter, an environment or a work tree, or open a window to ask."""


def environment(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment of an installer or of git: ours, without what steers them elsewhere or lets them ask."""
    kept = {name: text for name, text in environ.items() if not name.startswith("PYTHON") and name not in SAID_BY_US}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "PIP_NO_INPUT": "1", "PIP_USER": "0"}


def run(command: Sequence[str], variables: Mapping[str, str], log: IO[bytes]) -> int:
    """Return the exit status of a command that writes to a log; it has no terminal, and leaves nothing running.

    Raises
    ------
    OSError
        If it cannot be started.
    """
    status = fresh.ended(command, variables, log)
    assert status is not None  # noqa: S101 - it may take as long as it needs
    return status


def asked(python: str, question: str, *arguments: str, seconds: float) -> Any:  # noqa: ANN401 - it is JSON
    """Return what a program for an interpreter prints last, which is JSON; nothing is written, and nothing read.

    Raises
    ------
    OSError
        If it cannot be started.
    subprocess.SubprocessError
        If it fails, or takes longer.
    ValueError
        If it prints nothing, or no JSON.
    """
    said = subprocess.run(
        [python, "-I", "-B", "-c", question, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        timeout=seconds,
        check=True,
        start_new_session=True,
    )
    if not said.stdout.strip():
        raise ValueError("it ended without an answer, as a .pth file can have it do")
    return json.loads(said.stdout.splitlines()[-1])


def output(command: Sequence[str], variables: Mapping[str, str]) -> tuple[int, str]:
    """Return the exit status of a command, and what it wrote.

    Raises
    ------
    OSError
        If it cannot be started.
    """
    with tempfile.TemporaryFile() as log:
        status = run(command, variables, log)
        log.seek(0)
        return status, log.read().decode(errors="replace")
