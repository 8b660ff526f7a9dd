"""How a call of pytrec_eval is written in a reproduction script."""

import json

from harness.case import Script
from harness.script import guarded

BODY = '''\
QRELS = {qrels}
RUN = {run}


def control():
    """The measures are offered. Nothing is evaluated first: that could change what is observed."""
    return {offered} <= pytrec_eval.supported_measures


def observed():
    found = pytrec_eval.RelevanceEvaluator(QRELS, {measures}).evaluate(RUN)
    return {{topic: {{name: found[topic][name] for name in DOCUMENTED[topic]}} for topic in DOCUMENTED}}


DOCUMENTED = {documented}


def is_right(value):
    return all(abs(value[t][name] - right) < 1e-9 for t, of in DOCUMENTED.items() for name, right in of.items())
'''


def call(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    documented: dict[str, dict[str, float]],
    text: str,
) -> Script:
    """Return a script that evaluates dictionaries, and compares some measures of each topic."""
    names = sorted({name for of_topic in documented.values() for name in of_topic})
    measures = "{" + ", ".join(json.dumps(name.replace("P_", "P.")) for name in names) + "}"
    offered = "{" + ", ".join(sorted({json.dumps("P" if name.startswith("P_") else name) for name in names})) + "}"
    body = BODY.format(
        offered=offered,
        qrels=json.dumps(qrels),
        run=json.dumps(run),
        measures=measures,
        documented=json.dumps(documented),
    )
    return Script(guarded("import pytrec_eval"), body, documented="DOCUMENTED", input=text)


def falling_scores(count: int) -> dict[str, float]:
    """Return scores by which d0, d1, ... rank in this order."""
    return {f"d{i}": float(count - i) for i in range(count)}
