"""Print how fast relevance judging is checked: ratios from one run on one machine.

    python tests/benchmarks/judging.py

All 390,625 assignments of the grades -2 to 2 to eight documents are run through the equivalent in Python and, where
Java and a jar are found, through Lucene's own class; then the same requests without the check around them.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from cases.lucene.judging import GRADES, RELEVANCE, Judged
from cases.lucene.library import LIBRARY
from harness.case import Domain
from harness.enumeration import choice, mapped, power
from harness.errors import NotInstalledError
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.limits import DEFAULT
from harness.subject import Subject, subjects

DOCUMENTS = 8
SMALLER = 6
ROUNDS = 3
AIM = 10
"""Seconds for the exhaustive check."""


def domain(documents: int) -> Domain[Judged]:
    """Return all assignments of the grades to exactly so many documents."""
    return Domain(
        name="grades -2 to 2",
        parameters={"documents": documents},
        inputs=mapped(Judged, power(choice(GRADES), documents)),
        counts=lambda: {0: len(GRADES) ** documents},
    )


def checked(executor: Executor, documents: int) -> tuple[float, int]:
    """Return the seconds that the exhaustive check takes, and how many inputs it found wrong."""
    began = time.perf_counter()
    certificate = exhaust(RELEVANCE, domain(documents), executor, Watch())
    assert certificate.exhausted
    assert certificate.inputs == len(GRADES) ** documents
    return time.perf_counter() - began, certificate.tally.mismatches()


def judged(executor: Executor, documents: int) -> float:
    """Return the seconds that the same requests take without references, rulings and counts."""
    inputs = domain(documents).inputs

    def batches() -> Iterator[Sequence[Judged]]:
        for indices in executor.split(range(len(inputs))):
            yield [inputs[i] for i in indices]

    began = time.perf_counter()
    answered = sum(len(outcomes) for _, outcomes in executor.run(RELEVANCE.call, batches()))
    assert answered == len(inputs)
    return time.perf_counter() - began


def memory() -> int:
    """Return the memory that this process has now, in kilobytes; on Linux."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def measure(subject: Subject) -> float:
    """Print what one subject takes, and return the seconds of its exhaustive check."""
    began = time.perf_counter()
    with Executor(subject, DEFAULT) as executor:
        executor.start()
        started = time.perf_counter() - began
        checked(executor, SMALLER)
        small = memory()
        checks = [checked(executor, DOCUMENTS) for _ in range(ROUNDS)]
        large = memory()
        judges = sorted(judged(executor, DOCUMENTS) for _ in range(ROUNDS))
    seconds = sorted(second for second, _ in checks)
    inputs = len(GRADES) ** DOCUMENTS
    middle = seconds[ROUNDS // 2]
    spread = f"{seconds[0]:.2f} to {seconds[-1]:.2f}"
    larger = len(GRADES) ** (DOCUMENTS - SMALLER)
    print(f"{subject.title}, {subject.mode.name}: {checks[0][1]:,} of {inputs:,} judged wrongly")
    print(f"  start              {started:6.2f} s")
    print(f"  exhaustive check   {middle:6.2f} s ({spread}), {inputs / middle:,.0f} inputs a second")
    print(f"    of the aim       {middle / AIM:6.2f} times {AIM} s")
    print(f"  judging alone      {inputs / judges[ROUNDS // 2]:,.0f} judges a second, through the worker")
    print(f"  memory             {large / small:6.2f} times for {larger} times as many inputs, {large // 1024} MB")
    return middle


def main() -> None:
    taken = {}
    for mode in LIBRARY.modes:
        try:
            for subject in subjects(LIBRARY, mode)[:1]:
                taken[mode.name] = measure(subject)
        except NotInstalledError as error:
            print(f"{mode.name}: not run: {error}")
    if "real" in taken:
        print(f"the real one takes {taken['real'] / taken['equivalent']:.2f} times as long as the equivalent")


if __name__ == "__main__":
    main()
