import pytest

from ranx import Qrels, Run
from ranx.metrics.rank_biased_precision import rank_biased_precision


def test_rank_biased_precision_takes_relevance_as_binary():
    qrels = {"q0": {"d0": 2}}
    run = {"q0": {"d0": 1.0}}

    # rank 1: d0 has grade 2, which is at least 1: it counts 1
    # RBP = (1 - 4/5) * (1) = 1/5 * 1 = 1/5
    scores = rank_biased_precision(
        Qrels(qrels).to_typed_list(), Run(run).to_typed_list(), 0.8
    )
    assert scores[0] == pytest.approx(1 / 5)

    qrels = {"q0": {"d0": 3, "d1": 2}}
    run = {"q0": {"d0": 2.0, "d1": 1.0}}

    # rank 1: d0 has grade 3, which is at least 1: it counts 1
    # rank 2: d1 has grade 2, which is at least 1: it counts 1
    # RBP = (1 - 4/5) * (1 + 4/5) = 1/5 * 9/5 = 9/25
    scores = rank_biased_precision(
        Qrels(qrels).to_typed_list(), Run(run).to_typed_list(), 0.8
    )
    assert scores[0] == pytest.approx(9 / 25)
