"""Preferences user by user, joined with what LensKit says of the same lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import RecipRank, RunAnalysis
from pandas.testing import assert_frame_equal, assert_series_equal

from irpref_lenskit import compare
from tests.adapters.lenskit.experiment import Experiment

pytestmark = pytest.mark.filterwarnings("ignore:RunAnalysis is dep:DeprecationWarning")

PREFERENCES = ["RPP", "LR", "IPSO@10"]


def theirs(recs: Any, test: Any) -> pd.DataFrame:
    return RunAnalysis(RecipRank()).measure(recs, test).list_metrics()


def test_the_frame_has_the_values_over_the_reference(trained: Experiment) -> None:
    found = compare(trained.recs, trained.test, PREFERENCES, reference="popular")
    frame = found.list_metrics()
    assert list(frame.columns) == PREFERENCES
    assert list(frame.index.unique("model")) == ["item-knn", "bias", "random"]
    for model in frame.index.unique("model"):
        for preference in PREFERENCES:
            values = found.per_topic(preference, model, "popular")
            assert_series_equal(frame.loc[model, preference], values)
            assert values.mean() == pytest.approx(found.mean(preference).loc[model, "popular"])
    assert "b:popular" in frame.attrs["signature"]


def test_it_joins_lenskits_own_frame(trained: Experiment) -> None:
    metrics = theirs(trained.recs, trained.test)
    frame = compare(trained.recs, trained.test, PREFERENCES, reference="popular").list_metrics()
    assert frame.index.names == metrics.index.names
    assert (frame.index.dtypes == metrics.index.dtypes).all()
    joined = metrics.join(frame)
    assert len(joined) == len(metrics)
    missing = joined["RPP"].isna()
    assert set(joined[missing].index.get_level_values("model")) == {"popular"}
    assert missing.sum() == len(trained.test)
    assert_frame_equal(joined.loc[frame.index, PREFERENCES], frame)


def test_a_series_joins_the_frame_of_one_run(trained: Experiment) -> None:
    metrics = theirs(trained.runs["bias"], trained.test)
    values = compare(trained.runs, trained.test, ["RPP"]).per_topic("RPP", "bias", "popular")
    joined = metrics.join(values)
    assert joined["RPP"].notna().all()
    for (user,) in trained.test.keys():  # noqa: SIM118 (it iterates over pairs)
        assert joined.loc[user, "RPP"] == values[user]


def test_without_a_reference_every_pair_is_there_once(trained: Experiment) -> None:
    found = compare(trained.recs, trained.test, PREFERENCES)
    frame = found.list_metrics()
    assert frame.index.names == ["model", "reference", "user_id"]
    assert len(frame) == 6 * len(trained.test)
    for a, b in frame.index.droplevel("user_id").unique():
        values = frame.xs((a, b), level=("model", "reference"))["LR"]
        assert_series_equal(values, found.per_topic("LR", a, b))
    joined = frame.join(theirs(trained.recs, trained.test))
    assert len(joined) == len(frame)
    assert joined["RecipRank"].notna().all()


def test_by_names_the_level_of_several_collections(trained: Experiment) -> None:
    frame = compare(
        trained.runs, trained.test, ["RPP"], by="algorithm", reference="bias"
    ).list_metrics()
    assert frame.index.names == ["algorithm", "user_id"]


@pytest.mark.parametrize("users", [["u1", "u2", "u3"], [3, 1, 2], [np.int32(5), np.int32(4), 6]])
def test_users_keep_their_names(users: list[Any]) -> None:
    test = ItemListCollection.from_dict({user: ItemList([1, 2]) for user in users}, "who")
    recs = ItemListCollection.empty(["model", "who"])
    for user in users:
        recs.add(ItemList([1, 3, 2], ordered=True), "a", user)
        recs.add(ItemList([3, 1, 2], ordered=True), "b", user)
    found = compare(recs, test, ["RPP"], reference="b")
    joined = theirs(recs, test).join(found.list_metrics())
    assert joined.loc[("a", users[0])].to_dict() == {"RecipRank": 1.0, "RPP": 0.5}
    assert list(found.per_topic("RPP", "a", "b").index) == users
    assert found.list_metrics().index.get_level_values("who").to_list() == users


def test_a_user_who_counts_for_one_preference_only_has_nan_for_others() -> None:
    test = ItemListCollection.from_dict(
        {1: ItemList([1], rating=[5.0]), 2: ItemList([1], rating=[1.0])}, "user_id"
    )
    recs = {
        name: ItemListCollection.from_dict({1: ItemList(items), 2: ItemList(items)}, "user_id")
        for name, items in {"a": [1, 2], "b": [2, 1]}.items()
    }
    frame = compare(recs, test, ["RPP", "RPP(rel=4)"], relevance="rating").list_metrics()
    assert frame["RPP"].to_list() == [1.0, 1.0]
    assert frame["RPP(rel=4)"].isna().to_list() == [False, True]
