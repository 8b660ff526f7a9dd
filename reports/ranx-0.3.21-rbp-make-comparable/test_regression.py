import numpy as np

from ranx import evaluate


def test_make_comparable_with_dictionaries():
    qrels = {"q0": {"d0": 1}}
    run = {"q1": {"d3": 2.0, "d5": 1.0}}

    # q1 is retrieved, and not judged: it is removed
    # q0 is judged, and not retrieved: an empty result is added, whose sum has no terms:
    #   RBP = 0
    # mean = 0
    score = evaluate(qrels, run, "rbp.8", make_comparable=True)
    assert np.allclose(score, 0)

    qrels = {"q0": {"d0": 1}, "q1": {"d3": 1}}
    run = {"q1": {"d3": 2.0, "d5": 1.0}, "q2": {"d6": 2.0, "d8": 1.0}}

    # q2 is retrieved, and not judged: it is removed
    # q0 is judged, and not retrieved: an empty result is added, whose sum has no terms:
    #   RBP = 0
    # q1: its relevant d3 is at rank 1, RBP = (1 - 4/5) * (1) = 1/5 * 1 = 1/5
    # mean = (0 + 1/5) / 2 = 1/10
    score = evaluate(qrels, run, "rbp.8", make_comparable=True)
    assert np.allclose(score, 1 / 10)
