"""How long the matrix of releases takes: print seconds and ratios, from one run.

    python tests/benchmarks/releases.py

Environments, compiled code and results are those of a fresh machine: in a folder of their own, empty at first. The
installer's cache is yours: what was downloaded before is not downloaded again.
"""

import os
import tempfile
import time
from dataclasses import replace

from packaging.version import Version

from cases.ranx.library import LIBRARY
from harness.library import Library
from harness.progress import Progress
from harness.releases import index
from harness.releases.filling import fill
from harness.releases.matrix import Question, question

FIRST = Version("0.2.7")
"""The first release that can be imported and offers what the cases are about."""


def main() -> None:
    """Time one new release, all releases, and all releases again."""
    newest = index.releases(LIBRARY.modes[0].distribution)[-1]
    with tempfile.TemporaryDirectory() as cache:
        os.environ["RANKDIFF_CACHE"] = cache
        quick = replace(LIBRARY, modes=tuple(mode for mode in LIBRARY.modes if not mode.is_counted))
        print("seconds                                            cold     warm    times")
        row(f"{newest}, interpreted", asked(quick, first=newest))
        row(f"{newest}, confirmed by compiled code", asked(LIBRARY, first=newest))
        row(f"{FIRST} to {newest}, confirmed", asked(LIBRARY))
        print("the second and third rows begin with what the rows above them left")


def asked(library: Library, first: Version = FIRST) -> Question:
    """Return the question about all cases, from a release on."""
    return replace(question(library, library.cases, None), first=first)


def row(title: str, of: Question) -> None:
    """Print how long a matrix takes, and how long it takes again."""
    cold, warm = seconds(of), seconds(of)
    print(f"{title:<46}  {cold:8.1f} {warm:8.2f} {cold / warm:8.0f}", flush=True)


def seconds(of: Question) -> float:
    """Return how long a matrix takes."""
    began = time.perf_counter()
    found = fill(of, Progress(bars=False))
    assert not found.obstacles, found.obstacles
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
