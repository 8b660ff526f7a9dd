from pytest import approx

from lenskit.data import ItemList
from lenskit.metrics import RBP, MeasurementCollector


def test_summary_ignores_undefined_lists():
    acc = MeasurementCollector()
    acc.add_metric(RBP(patience=0.85))
    acc.measure_list(ItemList([1], ordered=True), ItemList([1]), user_id=1)
    acc.measure_list(ItemList([1], ordered=True), ItemList([]), user_id=2)

    # with p = 0.85, the mean over the list that has test items: (3/20) / 1
    assert acc.summary_metrics()["RBP.mean"] == approx(3 / 20)
