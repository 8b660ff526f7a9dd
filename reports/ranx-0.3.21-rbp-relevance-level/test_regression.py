import pytest

from ranx import Qrels, Run
from ranx.metrics.rank_biased_precision import rank_biased_precision


def test_documents_of_the_relevance_level_count_as_1():
    qrels = {"q0": {"d0": 2}}
    run = {"q0": {"d0": 1.0}}

    # rank 1: d0 has grade 2, which is at least 2: it counts 1
    # RBP = (1 - 4/5) * (1) = 1/5 * 1 = 1/5
    scores = rank_biased_precision(
        Qrels(qrels).to_typed_list(), Run(run).to_typed_list(), 0.8, rel_lvl=2
    )
    assert scores[0] == pytest.approx(1 / 5)

    qrels = {"q0": {"d0": 3, "d1": 2, "d2": 1}}
    run = {"q0": {"d0": 3.0, "d1": 2.0, "d2": 1.0}}

    # rank 1: d0 has grade 3, which is at least 2: it counts 1
    # rank 2: d1 has grade 2, which is at least 2: it counts 1
    # rank 3: d2 has grade 1, which is below 2: it counts 0
    # RBP = (1 - 1/2) * (1 + 1/2) = 1/2 * 3/2 = 3/4
    scores = rank_biased_precision(
        Qrels(qrels).to_typed_list(), Run(run).to_typed_list(), 0.5, rel_lvl=2
    )
    assert scores[0] == pytest.approx(3 / 4)
