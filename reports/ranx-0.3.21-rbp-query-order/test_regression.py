import numpy as np

from ranx import evaluate


def test_order_of_queries_does_not_matter():
    qrels = {"q0": {"d0": 1}, "q1": {"d3": 1}}
    run = {"q1": {"d3": 2.0, "d5": 1.0}, "q0": {"d0": 2.0, "d2": 1.0}}

    # q0: its relevant d0 is at rank 1, RBP = (1 - 4/5) * (1) = 1/5 * 1 = 1/5
    # q1: its relevant d3 is at rank 1, RBP = (1 - 4/5) * (1) = 1/5 * 1 = 1/5
    # mean = (1/5 + 1/5) / 2 = 1/5
    assert np.allclose(evaluate(qrels, run, "rbp.8"), 1 / 5)
