import numpy as np

from ranx import Run, evaluate


def test_scores_are_saved_under_their_queries():
    qrels = {"q1": {"d3": 1}, "q0": {"d0": 1}}
    run = {"q0": {"d0": 2.0, "d2": 1.0}, "q1": {"d3": 2.0, "d5": 1.0}}

    # q0: its relevant d0 is at rank 1, RBP = (1 - 4/5) * (1) = 1/5 * 1 = 1/5
    # q1: its relevant d3 is at rank 1, RBP = (1 - 4/5) * (1) = 1/5 * 1 = 1/5
    # scores of q0, q1: [1/5, 1/5]
    run = Run(run)
    evaluate(qrels, run, "rbp.8")
    assert np.allclose(run.scores["rbp.8"]["q0"], 1 / 5)
    assert np.allclose(run.scores["rbp.8"]["q1"], 1 / 5)
