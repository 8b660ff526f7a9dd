"""The baseline: a plain Hypothesis test that calls ``ranx.evaluate`` for each example.

It prints the examples per second, for dicts and for ranx's own objects, after a call of each to warm up. It
expects what the code does (grades as gains), so that it passes and every example is run.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ranx import Qrels, Run, evaluate

EXAMPLES = int(sys.argv[1])


@st.composite
def rankings(draw: st.DrawFn) -> tuple[dict[str, int], dict[str, float]]:
    """Draw from the same domain: 1 to 4 judged documents of grade 0 to 3, one unjudged, any run over them."""
    grades = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    pool = [f"d{i}" for i in range(len(grades) + 1)]
    run = draw(st.permutations(pool))[: draw(st.integers(1, len(pool)))]
    return {f"d{i}": grade for i, grade in enumerate(grades)}, {d: float(len(run) - i) for i, d in enumerate(run)}


def seconds_per_example(call: Callable[[dict[str, Any], dict[str, Any]], float]) -> float:
    ran = 0

    @given(rankings())
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def test(ranking: tuple[dict[str, int], dict[str, float]]) -> None:
        nonlocal ran
        ran += 1
        grades, run = ranking
        expected = 0.2 * sum(grades.get(d, 0) * 0.8**i for i, d in enumerate(run))
        assert abs(call({"q": grades}, {"q": run}) - expected) < 2**-40

    began = time.perf_counter()
    test()
    return (time.perf_counter() - began) / ran


def as_dicts(qrels: dict[str, Any], run: dict[str, Any]) -> float:
    return float(evaluate(qrels, run, "rbp.8"))


def as_objects(qrels: dict[str, Any], run: dict[str, Any]) -> float:
    return float(evaluate(Qrels(qrels), Run(run), "rbp.8"))


if __name__ == "__main__":
    results = {}
    for name, call in (("dicts", as_dicts), ("Qrels and Run", as_objects)):
        call({"q": {"d0": 1}}, {"q": {"d0": 1.0}})
        results[name] = seconds_per_example(call)
    print(json.dumps(results))
