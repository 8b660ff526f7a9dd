from pytest import raises

from lenskit.data import ItemList
from lenskit.metrics import call_metric
from lenskit.metrics.ranking import RBP


def test_rbp_requires_ordered_list():
    recs = ItemList([1])
    truth = ItemList([2])
    # a ValueError says what is wrong with the list, with and without a cutoff
    with raises(ValueError, match="ordered"):
        call_metric(RBP, recs, truth)
    with raises(ValueError, match="ordered"):
        call_metric(RBP, recs, truth, 1)
