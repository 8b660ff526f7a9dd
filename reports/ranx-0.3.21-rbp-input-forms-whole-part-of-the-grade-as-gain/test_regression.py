import numpy as np

from ranx import Qrels, Run, evaluate


def test_fractional_judgments_count_as_binary():
    qrels = {"q0": {"d0": 2, "d1": 1.5}}
    run = {"q0": {"d0": 2.0, "d1": 1.0}}

    # rank 1: d0 has grade 2, which is at least 1: it counts 1
    # rank 2: d1 has grade 3/2, which is at least 1: it counts 1
    # RBP = (1 - 4/5) * (1 + 4/5) = 1/5 * 9/5 = 9/25
    score = evaluate(Qrels(qrels), Run(run), "rbp.8")
    assert np.allclose(score, 9 / 25)
