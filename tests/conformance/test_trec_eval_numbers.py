"""What pytrec_eval-terrier computes on real data, against the reference."""

import json
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction

import pytest

from cases.trec_eval.library import LIBRARY
from cases.trec_eval.rankings import CUTOFFS
from cases.trec_eval.topics import LATER_TOPICS, Topics
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.limits import DEFAULT
from harness.outcome import Crashed
from harness.subject import Subject
from harness.verdict import Verdict
from present import present
from reference.trec import rounding
from reference.trec.dialect import Dialect
from reference.trec.evaluation import evaluate_texts
from reference.trec.measures import Measures
from shared_data import content, needs

SUBJECT = next(iter(present(LIBRARY, "pytrec_eval")), None)

pytestmark = pytest.mark.skipif(SUBJECT is None, reason="pytrec-eval-terrier is not installed")

EVALUATE = """
import json, sys
import pytrec_eval
qrels, run = json.load(sys.stdin)
names = ["num_ret", "num_rel", "num_rel_ret", "map", "recip_rank", "set_recall", "Rprec", "P." + sys.argv[1]]
print(json.dumps(pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)))
"""


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    assert isinstance(SUBJECT, Subject)
    with Executor(SUBJECT, DEFAULT) as running:
        yield running


def of_pytrec_eval(qrels: bytes, run: bytes) -> dict[str, dict[str, float]]:
    """Return the measures of each topic: pytrec_eval takes dictionaries, so the texts are split here."""
    judged: dict[str, dict[str, int]] = {}
    for line in qrels.decode().splitlines():
        topic, _, document, grade = line.split()
        judged.setdefault(topic, {})[document] = int(grade)
    retrieved: dict[str, dict[str, float]] = {}
    for line in run.decode().splitlines():
        topic, _, document, _, score, _ = line.split()
        retrieved.setdefault(topic, {})[document] = float(score)
    done = subprocess.run(
        [sys.executable, "-c", EVALUATE, ",".join(map(str, CUTOFFS))],
        input=json.dumps([judged, retrieved]).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    found: dict[str, dict[str, float]] = json.loads(done.stdout)
    return found


def documented(found: Measures) -> dict[str, tuple[Fraction | int, Fraction | int]]:
    """Return each measure by trec_eval's name, with its bound."""
    ap = found.average_precision
    quotients = {"recip_rank": found.reciprocal_rank, "set_recall": found.recall, "Rprec": found.r_precision}
    precisions = {f"P_{n}": found.precision(n) for n in CUTOFFS}
    return {
        "num_ret": (found.num_ret, 0),
        "num_rel": (found.num_rel, 0),
        "num_rel_ret": (found.num_rel_ret, 0),
        "map": (ap, rounding.of_average_precision(ap, found.num_rel_ret)),
        **{name: (value, rounding.of_quotient(value)) for name, value in quotients.items()},
        **{name: (value, rounding.of_precision(value)) for name, value in precisions.items()},
    }


@needs("trec_eval.qrels.test.gz", "trec_eval.results.test.gz")
def test_on_the_files_that_trec_eval_tests_itself_with_every_measure_of_every_topic_is_right() -> None:
    qrels, run = content("trec_eval.qrels.test.gz"), content("trec_eval.results.test.gz")
    observed = of_pytrec_eval(qrels, run)
    reference = evaluate_texts(qrels, run, Dialect.V9_0)
    assert {topic.decode() for topic in reference} == set(observed)
    assert len(reference) > 1
    for topic, measures in reference.items():
        right = documented(measures)
        assert set(observed[topic.decode()]) == set(right)
        for name, (value, bound) in right.items():
            assert abs(Fraction(observed[topic.decode()][name]) - value) <= bound, (topic, name)


def test_the_smallest_topics_that_end_the_process_are_a_relevant_one_and_one_of_grade_minus_2(
    executor: Executor,
) -> None:
    certificate = exhaust(LATER_TOPICS, LATER_TOPICS.domains[0], executor, Watch())
    assert certificate.smallest is not None
    _, instance = certificate.smallest
    assert instance.x == Topics(((1,), (-2,)))
    assert instance.outcome == Crashed("signal SIGSEGV")
    assert certificate.exhausted  # it went on
    assert certificate.tally.verdicts()[Verdict.AGREES] + certificate.tally.mismatches() == 420
