"""Preferences over a reference model as metrics, and over two lists, against ``compare`` on all lists."""

from __future__ import annotations

import math
import pickle
import re
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import MeasurementCollector, RecipRank, RunAnalysis
from pandas.testing import assert_series_equal

import irpref
import irpref_lenskit
from irpref import InputError
from irpref.methods.names import known_names
from irpref_lenskit import IPSO, LP, LR, RPP, Metric, PairMetric, compare
from tests.adapters.lenskit.experiment import Experiment

pytestmark = pytest.mark.filterwarnings("ignore:RunAnalysis is dep:DeprecationWarning")

PREFERENCES = [
    *[name for name, each in known_names().items() if hasattr(each, "fold") and name != "STRPP"],
    "RPP(rel=2)",
    "RPP(ties='expected')@3",
    "LR(ties='expected')",
    "IPSO@3",
    "IPSO(ties='expected')@3",
    "IPSO(graded=True)",
    "TienDCG@3",
    "AP",
    "LexiRecall(n=40)",
]
TEST = ItemListCollection.from_dict({7: ItemList([1, 2]), 8: ItemList([3])}, "user_id")
POPULAR = ItemListCollection.from_dict({7: ItemList([9, 1, 2])}, "user_id")


def test_all_preferences_are_tried() -> None:
    assert {"LP", "rrLP", "LR", "RPP", "dcgRPP", "invRPP", "IPSO"} <= set(PREFERENCES)


def listed(items: dict[int, int], scored: bool) -> ItemList:
    scores = {"scores": np.array(list(items.values()), dtype=float)} if scored else {}
    return ItemList(list(items), **scores)


_LISTS = st.dictionaries(
    st.sampled_from("abcd"),
    st.dictionaries(st.integers(1, 12), st.integers(0, 3), max_size=8),
    min_size=1,
)


@given(
    found=_LISTS,
    reference=_LISTS,
    judged=st.dictionaries(
        st.sampled_from("abcd"),
        st.dictionaries(st.integers(1, 12), st.integers(-1, 3), max_size=6),
        min_size=1,
    ),
    scored=st.tuples(st.booleans(), st.booleans()),
    order=st.sampled_from(["score", "rank"]),
    relevance=st.sampled_from([None, "rating"]),
    preference=st.sampled_from(PREFERENCES),
)
@pytest.mark.filterwarnings("ignore")
def test_values_are_those_of_compare(
    found: Any,
    reference: Any,
    judged: Any,
    scored: Any,
    order: Any,
    relevance: Any,
    preference: str,
) -> None:
    """Ties, users whom a model lacks, empty lists, and grades that are not relevant are among them."""
    lists: Any = {
        user: ItemList(list(items), rating=np.array(list(items.values()), dtype=float))
        for user, items in judged.items()
    }
    test = ItemListCollection.from_dict(lists, "user_id")
    recs = {
        name: ItemListCollection.from_dict(
            {user: listed(items, ordered) for user, items in of.items()}, "user_id"
        )
        # Of three models, one may recommend no test item.
        for name, of, ordered in (
            ("new", found, scored[0]),
            ("old", reference, scored[1]),
            ("third", judged, True),
        )
    }
    options: Any = {"relevance": relevance, "order": order}
    try:
        expected = compare(recs, test, preference, **options).per_topic(preference, "new", "old")
    except ValueError:
        return  # nothing to compare, or places and the orders of ties
    metric = Metric(preference, reference=recs["old"], test=test, **options)
    values = RunAnalysis(metric).measure(recs["new"], test).list_metrics()[metric.label]
    pair = PairMetric(preference, **options)
    # A mean over tie orders has another last digit among the users of a batch than alone.
    digits = {"rtol": 1e-12 if "expected" in preference else 0, "atol": 0}
    for user, items in test:
        value = expected.get(user.user_id, math.nan)
        second = recs["old"].lookup(user) or ItemList([])
        if (first := recs["new"].lookup(user)) is not None:
            np.testing.assert_allclose(metric.measure_list(first, items), value, **digits)
            np.testing.assert_allclose(pair(first, second, items), value, **digits)
            if len(items) or len(first):  # LensKit 2025 leaves others out
                np.testing.assert_allclose(values[user.user_id], value, **digits)


@pytest.mark.parametrize("relevance", [None, "rating"])
def test_trained_models_against_a_reference(trained: Experiment, relevance: str | None) -> None:
    names = ["RPP", "LP", "LR", "IPSO@10", "RPP(ties='expected')", "nDCG@10"]
    options: Any = {"reference": trained.runs["popular"], "test": trained.test}
    metrics = [Metric(name, relevance=relevance, **options) for name in names]
    found = RunAnalysis(RecipRank(), *metrics).measure(trained.recs, trained.test).list_metrics()
    expected = compare(trained.recs, trained.test, names, relevance=relevance)
    for model in trained.runs:
        for name in names:
            values = expected.per_topic(name, model, "popular")
            assert_series_equal(found.loc[model, name], values)
    # A ranking with ties in it need not tie with itself, as its orders are random.
    assert (found.loc["popular", ["RPP", "LP", "LR"]] == 0).all(axis=None)
    assert (found.loc["bias", "LR"] < 0).any()


def test_the_collector_gives_the_same_values_and_means(trained: Experiment) -> None:
    collector = MeasurementCollector()
    collector.add_metric(
        Metric("LR", reference=trained.runs["popular"], test=trained.test), label="over popular"
    )
    add = getattr(collector, "add_list_measurement", None) or collector.measure_list
    for key, items in trained.runs["bias"]:
        add(items, trained.test.lookup_projected(key), user_id=key.user_id)
    expected = compare(trained.recs, trained.test, "LR").per_topic("LR", "bias", "popular")
    assert_series_equal(collector.list_metrics()["over popular"], expected, check_names=False)
    mean = collector.summary_metrics()["over popular.mean"]
    assert mean == pytest.approx(expected.mean())
    if measure_run := getattr(collector, "measure_run", None):  # of 2026
        found = measure_run(trained.runs["bias"], trained.test)
        assert_series_equal(found.list_metrics["over popular"], expected, check_names=False)
        assert found.summary_metrics["over popular.mean"] == pytest.approx(expected.mean())


def test_a_mean_leaves_out_who_has_nothing_relevant_and_counts_whom_the_reference_lacks() -> None:
    lists: Any = {7: ItemList([1]), 8: ItemList([3]), 9: ItemList([]), 10: ItemList([4])}
    test = ItemListCollection.from_dict(lists, "user_id")
    recs = ItemListCollection.from_dict({user: ItemList([1, 3]) for user in (7, 8, 9)}, "user_id")
    with pytest.warns(UserWarning, match="no list for 3 of 4 users of the test lists"):
        metric = Metric("LP", reference=POPULAR, test=test)
    found = RunAnalysis(metric).measure(recs, test)
    assert found.list_metrics()["LP"].fillna(5).to_dict() == {7: 1, 8: 1, 9: 5}
    # LensKit measures the lists there are: user 10 has none.
    assert found.list_summary().loc["LP", "mean"] == 1
    assert compare({"new": recs, "old": POPULAR}, test, "LP").mean("LP").loc["new", "old"] == 2 / 3


def test_who_has_no_relevant_item_has_no_value() -> None:
    rated = ItemList([1], rating=[0.0])
    assert math.isnan(PairMetric("RPP", relevance="rating")(ItemList([1]), ItemList([]), rated))
    assert math.isnan(RPP(ItemList([1]), ItemList([2]), ItemList([])))
    assert math.isnan(PairMetric("RPP(rel=2)")(ItemList([1]), ItemList([2]), ItemList([1])))
    with pytest.warns(UserWarning, match="no list for 1 of 2"):
        assert Metric("RPP", reference=POPULAR, test=TEST).default is None


def test_two_lists() -> None:
    test, new, old = ItemList([1, 2]), ItemList([1, 9, 8, 2]), ItemList([9, 1, 2])
    assert [of(new, old, test) for of in (LP, LR, RPP, IPSO)] == [1, -1, 0, 0]
    assert [of(old, new, test) for of in (LP, LR, RPP, IPSO)] == [-1, 1, 0, 0]
    assert PairMetric("ipso@2")(output=new, reference=old, test=test) == 1
    assert PairMetric(irpref.RR)(new, old, test) == 0.5
    assert {irpref_lenskit.LR.preference, PairMetric("lr").preference} == {irpref.LR}


def test_grades_and_places_count_where_they_are_named() -> None:
    test = ItemList([1, 2], rating=[1.0, 5.0])
    tied, other = ItemList([1, 2], scores=[1, 1]), ItemList([2, 1], scores=[2, 1])
    assert PairMetric("nDCG@1", relevance="rating")(tied, other, test) == 0
    assert PairMetric("nDCG@1", relevance="rating", order="rank")(tied, other, test) < 0
    assert PairMetric("nDCG@1", order="rank")(tied, other, test) == 0


def test_other_test_lists_are_an_error() -> None:
    with pytest.warns(UserWarning, match="no list for 1 of 2"):
        metric = Metric("RPP", reference=POPULAR, test=TEST)
    again = ItemListCollection.from_dict({7: ItemList([1, 2])}, "user_id")
    said = "RPP: the metric was made with other test lists; name those that are measured against"
    with pytest.raises(InputError, match=said):
        RunAnalysis(metric).measure(POPULAR, again)
    assert math.isnan(metric.measure_list(ItemList([1]), ItemList([])))
    # Sent together, they still belong together.
    sent, test, popular = pickle.loads(pickle.dumps((metric, TEST, POPULAR)))
    assert RunAnalysis(sent).measure(popular, test).list_metrics()["RPP"].to_list() == [0.0]


def test_one_list_of_two_users_is_an_error() -> None:
    same = ItemList([1, 2])
    test = ItemListCollection.from_dict({7: same, 8: same}, "user_id")
    with pytest.raises(InputError, match="test lists, user 8: another user has this very list"):
        Metric("RPP", reference=POPULAR, test=test)


@pytest.mark.parametrize(
    ("measure", "options", "said"),
    [
        (
            "RPP",
            {},
            "RPP is a preference, which compares with another model: name its lists, Metric",
        ),
        (
            "ipso@5",
            {},
            re.escape("Metric('IPSO@5', reference=runs['popular'], test=split.test); or take irp"),
        ),
        (
            "RPP",
            {"reference": POPULAR},
            "the test lists: this must be an ItemListCollection, not None",
        ),
        ("RPQ", {"reference": POPULAR, "test": TEST}, "unknown preference or measure 'RPQ'"),
        ("ASL", {"reference": POPULAR, "test": TEST}, r"ASL\(n=train.item_count\)"),
        (
            "RPP",
            {"reference": "popular", "test": TEST},
            r"^the reference: this must be an ItemListCollection, not str; give the lists of a "
            r"model, not its name: reference=runs\['popular'\]$",
        ),
        (
            "RPP",
            {
                "reference": ItemListCollection.from_dict(
                    {("popular", 7): ItemList([1])}, ["model", "user_id"]
                ),
                "test": TEST,
            },
            "keyed by model, user_id, and the test lists by user_id; give the lists of one model$",
        ),
        ("RPP", {"reference": POPULAR, "test": []}, "an ItemListCollection, not list"),
        (
            "RPP",
            {"reference": POPULAR.rename_key(user_id="who"), "test": TEST},
            "the lists are keyed by who, and the test lists by user_id",
        ),
        (
            "RPP",
            {
                "reference": ItemListCollection.from_dict({5: ItemList([1])}, "user_id"),
                "test": TEST,
            },
            "the model has recommendations for no user of the test lists",
        ),
    ],
)
def test_mistakes(measure: str, options: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Metric(measure, **options)


def test_the_list_that_is_wrong_is_named() -> None:
    good, bad, test = ItemList([1]), ItemList([1, 1]), ItemList([1])
    with pytest.raises(InputError, match="the reference, item 1: the item is there twice"):
        LR(good, bad, test)
    with pytest.raises(InputError, match="the list, item 1: the item is there twice"):
        LR(bad, good, test)
    wrong: Any
    for wrong in ([1, 2], POPULAR, None):
        for place, name in enumerate(("the list", "the reference", "the test list")):
            lists = [good, good, good]
            lists[place] = wrong
            with pytest.raises(
                InputError, match=rf"^{name}: this must be an ItemList, not .*lookup"
            ):
                LR(*lists)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        LR(good, good, test)
