from pytest import approx

from lenskit.data import ItemList
from lenskit.metrics import call_metric
from lenskit.metrics.ranking import RBP


def test_rbp_norm_by_test_items():
    recs = ItemList([1], ordered=True)
    truth = ItemList([1, 2])
    # with p = 0.85: (p**0) / (p**0 + p**1),
    # since the best list begins with as many test items as there are, or as the cutoff allows
    score = call_metric(RBP, recs, truth, patience=0.85, normalize=True)
    assert score == approx(20 / 37)

    recs = ItemList([1, 2, 3], ordered=True)
    truth = ItemList([2, 3, 4, 5, 6])
    # with p = 0.85: (p**1 + p**2) / (p**0 + p**1 + p**2 + p**3 + p**4),
    # since the best list begins with as many test items as there are, or as the cutoff allows
    score = call_metric(RBP, recs, truth, 10, patience=0.85, normalize=True)
    assert score == approx(251600 / 593381)
