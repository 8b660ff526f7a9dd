from ranx import Qrels, Run
from ranx.metrics.rank_biased_precision import rank_biased_precision


def test_rank_biased_precision_is_at_most_1():
    qrels = {"q0": {"d0": 3, "d1": 3}}
    run = {"q0": {"d0": 2.0, "d1": 1.0}}

    # RBP lies in [0, 1]: its weights (1 - p) * p^(i - 1) sum to less than 1
    scores = rank_biased_precision(
        Qrels(qrels).to_typed_list(), Run(run).to_typed_list(), 0.8
    )
    assert 0 <= scores[0] <= 1
