from pytest import approx

from lenskit.data import ItemList
from lenskit.metrics import call_metric
from lenskit.metrics.ranking import RBP


def test_rbp_cutoff_set_as_k():
    recs = ItemList([1], ordered=True)
    truth = ItemList([1])
    metric = RBP(patience=0.85)
    metric.k = None
    assert metric.n is None
    # with p = 0.85: (1 - p) * (p**0)
    assert call_metric(metric, recs, truth) == approx(3 / 20)


def test_rbp_cutoff_set_as_k_truncates():
    recs = ItemList([1, 2], ordered=True)
    truth = ItemList([1, 2])
    metric = RBP(patience=0.5)
    metric.k = 1
    # the first item alone
    assert call_metric(metric, recs, truth) == approx(0.5)
