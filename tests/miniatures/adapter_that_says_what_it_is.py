"""A subject that is no Python distribution: it says what it is, in the way that RANKDIFF_TEST_SAYS names."""

import os
import platform as stdlib_platform
import sys
from pathlib import Path

exec(compile(Path(__file__).with_name("adapter.py").read_text(), "adapter.py", "exec"))

SAYS = os.environ["RANKDIFF_TEST_SAYS"]
VERSION = os.environ["RANKDIFF_TEST_VERSION"]
proofs = []

PLATFORMS = {
    "no version": {"program": "doubler"},
    "an empty version": {"version": ""},
    "another version": {"version": "9.9"},
    "a version that is a number": {"version": 2.0},
    "a number": {"version": VERSION, "year": 2020},
    "nothing": None,
    "a list": [("version", VERSION)],
    "half a character": {"version": VERSION, "program": "doubler \udc80"},
    "more than a line": {"version": VERSION, "program": "doubler\n" * 20},
}

PROOF = {"name": "doubler", "path": "/usr/bin/doubler", "sha256": "0" * 64}

PROOFS = {
    "a proof of nothing": None,
    "a proof without a path": [{"name": "doubler", "sha256": "0" * 64}],
    "a proof with more": [{**PROOF, "date": "2020"}],
    "a proof of numbers": [{**PROOF, "sha256": 0}],
    "a proof in one text": "doubler",
}


def platform():
    if SAYS == "an error":
        raise RuntimeError("nobody knows")
    if SAYS == "an exit":
        sys.exit("nobody knows")
    return PLATFORMS.get(SAYS, {"version": VERSION, "program": "doubler"})


def proof():
    is_last = bool(proofs)
    proofs.append(SAYS)
    if SAYS == "an error for a proof" or (is_last and SAYS == "an error for the last proof"):
        raise RuntimeError("nothing is proved")
    if is_last and SAYS == "the last proof ends it":
        os._exit(6)
    if is_last and SAYS == "a last proof without a path":
        return PROOFS["a proof without a path"]
    return PROOFS.get(SAYS, [PROOF])


if SAYS == "a module called platform":
    platform, proof = stdlib_platform, None
