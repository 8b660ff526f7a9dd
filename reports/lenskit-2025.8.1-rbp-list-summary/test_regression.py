import numpy as np
from pytest import approx

from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import RBP, RunAnalysis


def test_list_summary_ignores_undefined_lists():
    recs = ItemListCollection(["user_id"])
    truth = ItemListCollection(["user_id"])
    recs.add(ItemList([1], ordered=True), user_id=1)
    truth.add(ItemList([]), user_id=1)

    metrics = RunAnalysis(RBP(patience=0.85)).measure(recs, truth)
    # what a user would expect, and nothing promises: lists without test items are left out
    # no list has test items, so that no score is defined, and the mean over none is NaN
    assert np.isnan(metrics.list_summary().loc["RBP", "mean"])


def test_list_summary_is_the_mean_of_defined_lists():
    recs = ItemListCollection(["user_id"])
    truth = ItemListCollection(["user_id"])
    recs.add(ItemList([1], ordered=True), user_id=1)
    truth.add(ItemList([1]), user_id=1)
    recs.add(ItemList([1], ordered=True), user_id=2)
    truth.add(ItemList([2]), user_id=2)
    recs.add(ItemList([1], ordered=True), user_id=3)
    truth.add(ItemList([]), user_id=3)

    metrics = RunAnalysis(RBP(patience=0.85)).measure(recs, truth)
    # what a user would expect, and nothing promises: lists without test items are left out
    # with p = 0.85, the mean over the 2 lists that have test items: (3/20 + 0) / 2
    assert metrics.list_summary().loc["RBP", "mean"] == approx(3 / 40)
