"""How long it takes from a patch to a verdict: print seconds and ratios, from one run.

    python tests/benchmarks/shadowing.py

The caches are those of a fresh machine: a folder of their own, empty at first. Each step says what was there before it.
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cases.lenskit.library import LIBRARY as LENSKIT
from cases.pykeen.library import LIBRARY as PYKEEN
from cases.ranx.library import LIBRARY as RANX
from harness.library import Library
from harness.progress import Progress
from harness.shadow.compare import Plan
from harness.shadow.proposal import Proposal
from harness.shadow.run import shadow
from harness.subject import subjects

SILENT = Progress(bars=False)
PATCHES = {
    "ranx": (RANX, "binary-gain.patch"),
    "lenskit": (LENSKIT, "log-rbp.patch"),
    "pykeen": (PYKEEN, "median-moments.patch"),
}


def main() -> None:
    """Time making a shadow, twice, and reaching a verdict."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["RANKDIFF_CACHE"] = cache
        print("a shadow                     first    again    times")
        for name in PATCHES:
            first, again = (seconds(lambda name=name: ready(name)) for _ in range(2))  # type: ignore[misc]
            print(f"  {name:<22}  {first:8.2f} {again:8.2f} {first / again:8.1f}")
        print("from a patch to a verdict    first    again    times")
        for name, mode in (("ranx", "interpreted"), ("ranx", "compiled"), ("lenskit", None), ("pykeen", None)):
            judge = verdict(name, mode)
            first, again = seconds(judge), seconds(judge)
            print(f"  {f'{name}, {mode}' if mode else name:<22}  {first:8.1f} {again:8.1f} {first / again:8.1f}")
        print("interpreted ranx is confirmed by compiled code, which is compiled for the first time in its first run")


def ready(name: str) -> None:
    """Make a shadow, or find it made."""
    library, patch = PATCHES[name]
    [subject] = subjects(library, library.modes[0])
    put_before = subject.mode.shadow
    assert put_before
    put_before(subject.title, subject.installation, Proposal((path_of(library, patch),)))


def verdict(name: str, mode: str | None) -> Callable[[], None]:
    """Return what reaches a verdict on a patch."""
    library, patch = PATCHES[name]

    def judge() -> None:
        [done] = shadow(library, (), Proposal((path_of(library, patch),)), mode, Plan(), SILENT)
        assert done.conclusion.exit_status == 0, done.obstacles

    return judge


def path_of(library: Library, patch: str) -> Path:
    """Return where one of our patches is."""
    return library.ledger.with_name("patches") / patch


def seconds(work: Callable[[], object]) -> float:
    """Return how long something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
