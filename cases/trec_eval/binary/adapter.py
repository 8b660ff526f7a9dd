"""How to call the program trec_eval: each input is a process, and its files are in a folder of its own.

``RANKDIFF_TREC_EVAL_PROGRAM`` is the program, ``RANKDIFF_TREC_EVAL_DIALECT`` the dialect that was recognised.
"""

import hashlib
import os
import resource
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

PROGRAM = os.environ["RANKDIFF_TREC_EVAL_PROGRAM"]
DIALECT = os.environ["RANKDIFF_TREC_EVAL_DIALECT"]

SECONDS = 60
MEMORY = 1 << 30
"""Bytes: the program allocates by the size of a grade."""

MEASURES = ["num_ret", "num_rel", "num_rel_ret"]


class Crashed(Exception):  # noqa: N818 - the worker knows it by this name
    """The program ended by a signal."""


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


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(options: Sequence[str], qrels: bytes, results: bytes) -> Tuple[int, str, str]:
    """Return the exit status and what is printed; bytes that are no UTF-8 are escaped."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("q", qrels), ("r", results)):
            Path(folder, name).write_bytes(content)
        done = subprocess.run(
            [PROGRAM, *options, "q", "r"],
            check=False,
            cwd=folder,
            capture_output=True,
            timeout=SECONDS,
            preexec_fn=limit_memory,
        )
    if done.returncode < 0:
        raise Crashed("signal " + signal.Signals(-done.returncode).name)
    return (
        done.returncode,
        done.stdout.decode(errors="backslashreplace"),
        done.stderr.decode(errors="backslashreplace"),
    )


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
    found = {}
    for line in printed.splitlines():
        name, topic, value = line.split()
        found[topic, name] = float(value)
    return [[found["t%d" % k, name] for name in MEASURES] for k in range(len(grades))]
