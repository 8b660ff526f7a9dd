import numpy as np

from ranx import evaluate


def test_return_mean_false_with_one_metric_that_has_a_parameter():
    qrels = {"q0": {"d0": 1}}
    run = {"q0": {"d0": 2.0, "d2": 1.0}}

    # q0: its relevant d0 is at rank 1, RBP = (1 - 4/5) * (1) = 1/5 * 1 = 1/5
    # mean = 1/5
    scores = evaluate(qrels, run, "rbp.8", return_mean=False)
    assert np.allclose(scores, [1 / 5])
    assert np.allclose(evaluate(qrels, run, "rbp.8"), 1 / 5)

    qrels = {"q0": {"d0": 1}, "q1": {"d3": 1}}
    run = {"q0": {"d0": 2.0, "d2": 1.0}, "q1": {"d4": 2.0, "d3": 1.0}}

    # q0: its relevant d0 is at rank 1, RBP = (1 - 4/5) * (1) = 1/5 * 1 = 1/5
    # q1: its relevant d3 is at rank 2, RBP = (1 - 4/5) * (4/5) = 1/5 * 4/5 = 4/25
    # mean = (1/5 + 4/25) / 2 = 9/50
    scores = evaluate(qrels, run, "rbp.8", return_mean=False)
    assert np.allclose(scores, [1 / 5, 4 / 25])
    assert np.allclose(evaluate(qrels, run, "rbp.8"), 9 / 50)
