"""Print how fast the exhaustive check is: ratios from one run on one machine.

    python tests/benchmarks/throughput.py [EXAMPLES]

It runs the domain of 87,552 judged rankings through ranx's public API, a plain Hypothesis test that calls
``ranx.evaluate`` for each example, and the same domain through a subject that does nothing.
"""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from cases.ranx.library import LIBRARY
from cases.ranx.rbp import RBP
from harness.case import Domain
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.library import Library
from harness.limits import DEFAULT
from harness.subject import Subject, require_installed

HERE = Path(__file__).parent
ROUNDS = 5


def domain() -> Domain[object]:  # type: ignore[type-var]
    [found] = [d for d in RBP.domains if d.parameters == {"persistence": "0.8", "unjudged": 1}]
    return found  # type: ignore[return-value]


def seconds_per_input(library: Library) -> list[float]:
    """Return the seconds for each input of the domain in every round, after a round to compile and warm up."""
    inputs = domain()
    found = []
    with Executor(require_installed(library), DEFAULT) as executor:
        for _ in range(ROUNDS + 1):
            began = time.perf_counter()
            certificate = exhaust(RBP, inputs, executor, Watch())
            found.append((time.perf_counter() - began) / certificate.inputs)
            assert certificate.exhausted
    return sorted(found[1:])


def plain(subject: Subject, examples: int) -> dict[str, float]:
    """Return the seconds for each example of the plain Hypothesis test, by form of input."""
    script = HERE / "plain_hypothesis.py"
    done = subprocess.run(
        [subject.python, str(script), str(examples)],
        env=subject.environment(),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    examples = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    subject = require_installed(LIBRARY)
    real = seconds_per_input(LIBRARY)
    own = seconds_per_input(replace(LIBRARY, modes=(replace(LIBRARY.modes[0], adapter=HERE / "null_adapter.py"),)))
    middle, own_middle = real[ROUNDS // 2], own[ROUNDS // 2]
    print(f"{subject.title}, {subject.mode.name}; {len(domain().inputs):,} inputs, {ROUNDS} rounds, median (range)")
    print(f"exhaustive check     {_spread(real)} us an input, {1 / middle:9,.0f} inputs a second")
    print(f"  the harness alone  {_spread(own)} us an input (a subject that does nothing)")
    for form, seconds in plain(subject, examples).items():
        print(
            f"plain Hypothesis     {seconds * 1e6:6.0f} us an example with {form}, "
            f"{1 / seconds:,.0f} a second: the check does {seconds / middle:.0f} times as many"
        )
    print(f"own cost             {own_middle * 1e6:.1f} us an input; the aim is 20")


def _spread(seconds: list[float]) -> str:
    low, middle, high = (1e6 * seconds[k] for k in (0, len(seconds) // 2, -1))
    return f"{middle:6.1f} ({low:.1f} to {high:.1f})"


if __name__ == "__main__":
    main()
