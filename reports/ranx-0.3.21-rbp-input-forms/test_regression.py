import numpy as np

from ranx import evaluate


def test_graded_judgments_in_every_form_count_as_binary():
    qrels = {"q0": {"d0": 2}}
    run = {"q0": {"d0": 1.0}}

    # rank 1: d0 has grade 2, which is at least 1: it counts 1
    # RBP = (1 - 4/5) * (1) = 1/5 * 1 = 1/5
    score = evaluate(qrels, run, "rbp.8")
    assert np.allclose(score, 1 / 5)

    qrels = {"q0": {"d0": 2, "d1": 1.5}}
    run = {"q0": {"d0": 2.0, "d1": 1.0}}

    # rank 1: d0 has grade 2, which is at least 1: it counts 1
    # rank 2: d1 has grade 3/2, which is at least 1: it counts 1
    # RBP = (1 - 4/5) * (1 + 4/5) = 1/5 * 9/5 = 9/25
    score = evaluate(qrels, run, "rbp.8")
    assert np.allclose(score, 9 / 25)
