import numpy as np

from ranx import evaluate


def as_array(x):
    return np.array([[[int(d[1:]), v] for d, v in docs.items()] for docs in x.values()])


def test_results_are_sorted_by_score():
    qrels = {"q0": {"d0": 1}}
    run = {"q0": {"d0": -1.0, "d1": 0.0}}

    # by descending score: d1 (0) > d0 (-1)
    # q0: its relevant d0 is at rank 2, RBP = (1 - 4/5) * (4/5) = 1/5 * 4/5 = 4/25
    score = evaluate(as_array(qrels), as_array(run), "rbp.8")
    assert np.allclose(score, 4 / 25)
