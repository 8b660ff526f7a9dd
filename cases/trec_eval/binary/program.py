"""Which trec_eval program there is, and which dialect it speaks."""

import contextlib
import hashlib
import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.errors import NotInstalledError, UnusableError
from harness.installation import Installation
from reference.trec.dialect import Dialect, UnknownVersionError

NAMED_BY = "RANKDIFF_TREC_EVAL"
"""The environment variable that names the program."""

SECONDS = 20

LONGEST = 1 << 16
"""Bytes that it may print when it is asked who it is."""


def find(environ: Mapping[str, str] = os.environ) -> Sequence[Installation]:
    """Return the program that the environment names.

    Raises
    ------
    NotInstalledError
        If it names none.
    UnusableError
        If what it names does not run, or is not a trec_eval whose dialect is known.
    """
    named = environ.get(NAMED_BY)
    if not named:
        raise NotInstalledError(f"{NAMED_BY} is not set; set it to the path of a trec_eval program to test that")
    program = Path(named).absolute()
    if not program.is_file() or not os.access(program, os.X_OK):
        raise UnusableError(f"{NAMED_BY} should be the path of a trec_eval program; {named} is no file that can be run")
    said = _printed([str(program), "-v"], named)
    try:
        dialect = Dialect.of_version(said)
    except UnknownVersionError as error:
        raise UnusableError(f"{NAMED_BY} should be the path of a trec_eval program, not {named}: {error}") from error
    if dialect is Dialect.V10_0 and _checks_integers(program, named):
        dialect = Dialect.CHECKED
    environment = {"RANKDIFF_TREC_EVAL_PROGRAM": str(program), "RANKDIFF_TREC_EVAL_DIALECT": dialect.value}
    content = hashlib.sha256(program.read_bytes()).hexdigest()
    return [Installation(said.split()[-1], environment, content)]


def _checks_integers(program: Path, named: str) -> bool:
    """Return whether it warns of a grade that only starts with an integer: the version does not tell."""
    with tempfile.TemporaryDirectory() as folder:
        qrels, results = Path(folder, "q"), Path(folder, "r")
        qrels.write_bytes(b"q 0 d 1x\n")
        results.write_bytes(b"q Q0 d 1 1 r\n")
        return "partially read" in _printed([str(program), "-m", "num_q", str(qrels), str(results)], named)


def _printed(command: list[str], named: str) -> str:
    """Return what a program prints at first; end it, and whatever it started, when it takes too long."""
    with tempfile.TemporaryFile() as printed:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                cwd=os.sep,
                start_new_session=True,
                preexec_fn=_limit_output,  # noqa: PLW1509 - no thread of ours runs here
            )
            try:
                process.wait(SECONDS)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        except (OSError, subprocess.SubprocessError) as error:
            raise UnusableError(
                f"{NAMED_BY} should be the path of a trec_eval program; {named} does not run: {error}"
            ) from error
        printed.seek(0)
        return printed.read(LONGEST).decode(errors="replace").strip()


def _limit_output() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (LONGEST, LONGEST))
