"""How to call the program trec_eval: each input is a process, and its files are in a folder of its own.

``RANKDIFF_TREC_EVAL_PROGRAM`` is the program, ``RANKDIFF_TREC_EVAL_DIALECT`` the dialect that was recognised.
"""

import contextlib
import ctypes
import hashlib
import os
import resource
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import IO, Any, Dict, List, Sequence, Tuple

PROGRAM = os.environ["RANKDIFF_TREC_EVAL_PROGRAM"]
DIALECT = os.environ["RANKDIFF_TREC_EVAL_DIALECT"]

SECONDS = 30
MEMORY = 1 << 30
"""Bytes: the program allocates by the size of a grade."""

LONGEST = 1 << 26
"""Bytes that it may print."""

MEASURES = ["num_ret", "num_rel", "num_rel_ret"]


class Crashed(Exception):  # noqa: N818 - the worker knows it by this name
    """The program ended by a signal."""


class Hung(Exception):  # noqa: N818 - so this one
    """The program did not end in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__("no end within %g s" % seconds)
        self.seconds = seconds


class Unusable(Exception):  # noqa: N818 - and this one
    """The program hangs again and again."""


class TrecEvalError(Exception):
    """The program ended with another status than 0: its message."""


def version() -> str:
    """Return the version that the program prints."""
    done = subprocess.run([PROGRAM, "-v"], check=True, capture_output=True, text=True, timeout=SECONDS)
    return (done.stdout + done.stderr).split()[-1]


def platform() -> Dict[str, str]:
    return {"version": version(), "program": PROGRAM, "dialect": DIALECT}


def proof() -> List[Dict[str, str]]:
    return [{"name": "trec_eval", "path": PROGRAM, "sha256": hashlib.sha256(Path(PROGRAM).read_bytes()).hexdigest()}]


def limit() -> None:
    """Limit what the program can take, and have it end with us."""
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, LONGEST), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(what)
        lower = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (lower, hard))
    with contextlib.suppress(AttributeError):
        LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG, on Linux


LIBC = ctypes.CDLL(None)


def run(options: Sequence[str], qrels: bytes, results: bytes) -> Tuple[int, str, str]:
    """Return the exit status and what is printed; bytes that are no UTF-8 are escaped."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder, name) for name in ("q", "r", "stdout", "stderr")}
        files["q"].write_bytes(qrels)
        files["r"].write_bytes(results)
        with files["stdout"].open("wb") as stdout, files["stderr"].open("wb") as stderr:
            status = ended([PROGRAM, *options, "q", "r"], folder, stdout, stderr)
        printed = [files[name].read_bytes().decode(errors="backslashreplace") for name in ("stdout", "stderr")]
    if status < 0:
        raise Crashed("signal " + signal_name(-status))
    return (status, printed[0], printed[1])


def ended(command: Sequence[str], folder: str, stdout: IO[bytes], stderr: IO[bytes]) -> int:
    """Return the status with which a program ended; end it, and what it started, when it takes too long."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        preexec_fn=limit,
        start_new_session=True,
    )
    try:
        return process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        hangs.append(SECONDS)
        if len(hangs) > MOST_HANGS:
            raise Unusable("%s did not end within %g s, %d times" % (PROGRAM, SECONDS, len(hangs))) from None
        raise Hung(SECONDS) from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


hangs: List[float] = []

MOST_HANGS = 4
"""After so many there is no use in waiting for another."""


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal has a number only
        return str(number)


def output(options: Sequence[str], qrels: str, results: str) -> List[Any]:
    """Return the dialect, the exit status, what is printed, and the messages."""
    return [DIALECT, *run(options, qrels.encode(), results.encode())]


def topics(grades: Sequence[Sequence[int]]) -> List[List[float]]:
    """Return num_ret, num_rel and num_rel_ret of each topic, all of whose documents are retrieved."""
    qrels = ["t%d 0 d%d %d\n" % (k, i, grade) for k, topic in enumerate(grades) for i, grade in enumerate(topic)]
    results = [
        "t%d Q0 d%d %d %d r\n" % (k, i, i, len(topic) - i) for k, topic in enumerate(grades) for i in range(len(topic))
    ]
    options = ["-q", *[part for name in MEASURES for part in ("-m", name)]]
    status, printed, messages = run(options, "".join(qrels).encode(), "".join(results).encode())
    if status:
        raise TrecEvalError("status %d: %s" % (status, messages.strip()))
    lines = [line.split() for line in printed.splitlines()]
    found = {(fields[1], fields[0]): float(fields[2]) for fields in lines if len(fields) == 3}
    return [[found.get(("t%d" % k, name), -1.0) for name in MEASURES] for k in range(len(grades))]
