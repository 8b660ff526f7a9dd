import pytest

from ranx import evaluate


def test_rank_biased_precision_refuses_what_names_no_persistence():
    qrels = {"q0": {"d0": 1, "d1": 1, "d2": 1}}
    run = {"q0": {"d0": 3.0, "d1": 2.0, "d2": 1.0}}

    # A persistence is written as digits behind a dot, as in `rbp.95` for p = 0.95
    # "rbp.": no digits, so no persistence is named: a ValueError is expected
    # "rbp@10": "@" is how a cutoff is written, which RBP does not have: a ValueError is
    #   expected
    for metric in ["rbp.", "rbp@10"]:
        with pytest.raises(ValueError):
            evaluate(qrels, run, metric)
