from pytest import approx

from lenskit.data import ItemList
from lenskit.metrics import call_metric
from lenskit.metrics.ranking import RBP


def test_rbp_norm_nothing_left():
    recs = ItemList([], ordered=True)
    truth = ItemList([1])
    # no hit, and what can be achieved with the test items is above 0
    score = call_metric(RBP, recs, truth, patience=0.85, normalize=True)
    assert score == approx(0.0)
