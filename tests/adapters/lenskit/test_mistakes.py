"""Every mistake is told by model, user and item, with a remedy."""

from __future__ import annotations

import math
import re
from typing import Any

import pandas as pd
import pytest
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import RecipRank

from irpref import InputError
from irpref_lenskit import LR, Metric, compare
from tests.adapters.lenskit.experiment import Experiment

TEST = ItemListCollection.from_dict(
    {7: ItemList([1, 2], rating=[4.0, 2.0]), 9: ItemList([])}, "user_id"
)
GOOD = ItemListCollection.from_dict({7: ItemList([1, 3], scores=[2.0, 1.0])}, "user_id")


def of(items: ItemList, user: Any = 7) -> Any:
    return ItemListCollection.from_dict({user: items}, "user_id")


def twice() -> Any:
    found = ItemListCollection.empty(["user_id"])
    found.add(ItemList([1]), 7)
    found.add(ItemList([2]), 7)
    return found


@pytest.mark.parametrize(
    ("recs", "said"),
    [
        (
            of(ItemList([1, 5, 1], scores=[3, 2, 1])),
            "model 'bad', user 7, item 1: the item is there twice for this user; remove one, or "
            "keep the one with the best position: duplicates='first'",
        ),
        (
            of(ItemList([1, 5], scores=[3, math.nan])),
            "model 'bad', user 7, item 5: the score is missing (NaN); leave such items out, as "
            "LensKit's items.top_n() does",
        ),
        (twice(), "model 'bad', user 7: two lists have this key; keep one of them, or add a key"),
        (
            of(ItemList([1]), 8),
            "model 'bad': the model has recommendations for no user of the test lists; are the users "
            "written differently",
        ),
        (of(ItemList([])), "model 'bad': the model has recommendations for no user"),
        (of(ItemList([1]), 9), "model 'bad': the model has recommendations for no user"),
        (
            GOOD.rename_key(user_id="user"),
            "model 'bad': the lists are keyed by user, and the test lists by user_id; give both the same "
            "key fields: ItemListCollection.rename_key renames some",
        ),
        (
            pd.DataFrame(),
            "model 'bad': this must be an ItemListCollection, not DataFrame; lenskit.batch.recommend gives "
            "one, ItemListCollection.from_df(frame, ['user_id']) makes one of a frame",
        ),
        (
            ItemList([1]),
            "model 'bad': this must be an ItemListCollection, not ItemList; ",
        ),
        (
            ItemListCollection.from_dict({("a", 7): ItemList([1])}, ["model", "user_id"]),
            "model 'bad': the lists are keyed by model, user_id, and the test lists by user_id; give the "
            "lists of one model",
        ),
    ],
)
def test_recommendations(recs: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        compare({"good": GOOD, "bad": recs}, TEST)
    assert str(caught.value).startswith(said)


def test_models_that_recommend_no_test_item_are_refused_as_runs_are() -> None:
    bad = of(ItemList([5, 6]))
    with pytest.raises(InputError) as error:
        compare({"a": bad, "b": bad}, TEST)
    assert str(error.value) == (
        "model 'a': the model retrieves no test item (test lists: 1, 2; model: 5, 6); "
        "are the item names written differently?"
    )
    with (
        pytest.warns(UserWarning, match="'a': .* retrieves no "),
        pytest.raises(InputError, match=r"^model 'a': the model retrieves no test item"),
    ):
        compare({"a": bad, "b": GOOD}, TEST)
    with pytest.warns(UserWarning, match="'a': .* retrieves no "):
        compare({"a": bad, "b": GOOD, "c": GOOD}, TEST)


def test_a_repeated_item_may_be_left_out() -> None:
    recs = {"good": GOOD, "again": of(ItemList([3, 1, 1], scores=[1.0, 3.0, 0.5]))}
    with pytest.warns(UserWarning, match="order={'again': 'rank'}"):
        found = compare(recs, TEST, duplicates="first")
    assert found.coverage.duplicates == {"again": 1}
    assert (found.mean("RPP") == 0).all(axis=None)


@pytest.mark.parametrize(
    ("test", "options", "said"),
    [
        (
            TEST,
            {"relevance": "stars"},
            "the test lists, user 7: the items have no field 'stars'; name another one with relevance=",
        ),
        (
            of(ItemList([1, 2], rating=[math.nan, 1.0])),
            {"relevance": "rating"},
            "the test lists, user 7, item 1: the rating is not a number (nan); give each item",
        ),
        (
            of(ItemList([1, 2], rating=[1.0, math.inf])),
            {"relevance": "rating"},
            "the test lists, user 7, item 2: the rating is not a number (inf)",
        ),
        (twice(), {}, "the test lists, user 7: two lists have this key"),
        (
            of(ItemList([])),
            {},
            "model 'good': the model has recommendations for no user",
        ),
        (
            of(ItemList([1], rating=[0.0])),
            {"relevance": "rating"},
            "test lists: no test item has a grade",
        ),
        (
            {7: [1, 2]},
            {},
            "the test lists: this must be an ItemListCollection, not dict; a split of LensKit has",
        ),
    ],
)
def test_test_lists(test: Any, options: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        compare({"good": GOOD, "other": GOOD}, test, **options)
    assert str(caught.value).startswith(said)


def test_the_model_is_not_in_the_keys(trained: Experiment) -> None:
    with pytest.raises(InputError) as caught:
        compare(trained.recs, trained.test, by="algorithm")
    assert str(caught.value) == (
        "the recommendations: no key field is called 'algorithm' (there are model, user_id); name the "
        "field of the model with by=, or give {name: collection}"
    )
    with pytest.raises(InputError, match="'model' \\(there are user_id\\)"):
        compare(trained.runs["bias"], trained.test)


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        (LR, "LR is a metric of item lists here: give its text, 'LR'"),
        (Metric("TieRR@10"), "TieRR@10 is a metric of item lists here: give its text, 'TieRR@10'"),
        (RecipRank, "RecipRank is LensKit's own: RunAnalysis takes it as it is"),
        (RecipRank(10), "RecipRank is LensKit's own: RunAnalysis takes it as it is"),
    ],
)
def test_metrics_are_no_preferences(metric: Any, said: str) -> None:
    for given in (metric, ["RPP", metric]):
        with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
            compare({"good": GOOD, "other": GOOD}, TEST, given)
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        Metric(metric)


def test_a_reference_is_named_as_the_models_are() -> None:
    models: Any = {1: GOOD, 2: GOOD}
    reference: Any = 1
    assert compare(models, TEST, reference=reference).reference == "1"
    options: Any = {"baseline": "1"}
    with pytest.raises(TypeError, match="unknown option 'baseline': say reference='popular'"):
        compare(models, TEST, **options)


def test_names(trained: Experiment) -> None:
    with pytest.raises(ValueError, match="unknown reference 'populr'; did you mean 'popular'"):
        compare(trained.recs, trained.test, reference="populr")
    with pytest.raises(ValueError, match="unknown preference or measure 'RPQ'"):
        compare(trained.recs, trained.test, ["RPQ"])
    with pytest.raises(ValueError, match="only one model was given"):
        compare({"alone": GOOD}, TEST)
    with pytest.raises(ValueError, match="two models have the same name as text"):
        compare({1: GOOD, "1": GOOD}, TEST)
    users: Any = {1: ItemList([1]), "1": ItemList([1])}
    with pytest.raises(InputError, match="user 1: two lists have this key"):
        compare({"a": GOOD, "b": GOOD}, ItemListCollection.from_dict(users, "user_id"))
