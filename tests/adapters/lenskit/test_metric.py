"""``Metric`` in LensKit's own analyses, against ``irpref.evaluate`` and LensKit's own metrics."""

from __future__ import annotations

import math
import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import (
    NDCG,
    ListMetric,
    LogRankWeight,
    MeasurementCollector,
    Precision,
    Recall,
    RecipRank,
    RunAnalysis,
)

import irpref
from irpref import InputError
from irpref.methods.measures import Measure
from irpref.methods.names import known_names
from irpref_lenskit import Metric, compare
from tests.adapters.lenskit.as_dicts import grades, run
from tests.adapters.lenskit.experiment import Experiment

# LensKit deprecates RunAnalysis in 2026, and still has it.
pytestmark = pytest.mark.filterwarnings("ignore:RunAnalysis is dep:DeprecationWarning")


def _with_n(measure: Measure) -> Measure:
    return measure(n=500) if getattr(measure, "requires_pool", False) else measure


MEASURES = [
    str(_with_n(measure)) for measure in known_names().values() if isinstance(measure, Measure)
]
ASKED = [*MEASURES, "TieRR@10", "TieAP@3", "nDCG(dcg='exp-log2')@5", "LexiRecall(rel=4, n=500)@10"]


def analysed(recs: Any, test: Any, *metrics: ListMetric) -> pd.DataFrame:
    return RunAnalysis(*metrics).measure(recs, test).list_metrics(fill_missing=False)


def ordered(recs: Any) -> Any:
    """The same lists, all with an order, which most of LensKit's metrics ask for."""
    found = ItemListCollection.empty(recs.key_fields)
    for key, items in recs:
        found.add(ItemList(items, ordered=True), *key)
    return found


@pytest.mark.parametrize("relevance", [None, "rating"])
def test_values_are_those_of_evaluate(trained: Experiment, relevance: str | None) -> None:
    metrics = [Metric(measure, relevance=relevance) for measure in ASKED]
    assert [metric.label for metric in metrics] == ASKED
    found = analysed(trained.recs, trained.test, *metrics)
    runs = {name: run(recs) for name, recs in trained.runs.items()}
    scores = irpref.evaluate(grades(trained.test, relevance), runs, ASKED)
    scores["user_id"] = scores["topic"].astype(int)
    expected = scores.pivot(index=["system", "user_id"], columns="measure", values="value")
    for measure in ASKED:
        values = expected[measure].reindex(found.index.set_names(["system", "user_id"]))
        np.testing.assert_allclose(found[measure], values, rtol=1e-12, atol=1e-12)
    assert (found["TieAP"] != found["AP"]).any()


def test_lenskits_own_metrics_say_the_same_where_nothing_ties(trained: Experiment) -> None:
    pairs = {
        "RR": RecipRank(),
        "RR@5": RecipRank(5),
        "nDCG": NDCG(weight=LogRankWeight(offset=1)),
        "nDCG@10": NDCG(10, weight=LogRankWeight(offset=1)),
        "P@10": Precision(10),
        "R@10": Recall(10),
    }
    recs = ordered(trained.recs)
    theirs = analysed(recs, trained.test, *pairs.values())
    ours = analysed(recs, trained.test, *map(Metric, pairs))
    untied = [
        items.scores() is None or len(np.unique(items.scores())) == len(items) for _, items in recs
    ]
    assert 0.3 < np.mean(untied) < 1
    np.testing.assert_allclose(ours[untied], theirs[untied], rtol=1e-12, atol=1e-12)
    # By their places, lists have no ties.
    placed = [Metric(measure, order="rank") for measure in pairs]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        np.testing.assert_allclose(
            analysed(recs, trained.test, *placed), theirs, rtol=1e-12, atol=1e-12
        )


def test_graded_ndcg_is_lenskits_by_gain(trained: Experiment) -> None:
    theirs = NDCG(10, weight=LogRankWeight(offset=1), gain="rating")
    ours = Metric("nDCG@10", relevance="rating", order="rank")
    found = analysed(ordered(trained.recs), trained.test, theirs, ours)
    np.testing.assert_allclose(found["nDCG@10"], found["NDCG@10"], rtol=1e-6)


def test_the_collector_of_later_versions_takes_them_too(trained: Experiment) -> None:
    collector = MeasurementCollector()
    collector.add_metric(Metric("TieRR@10"))
    collector.add_metric(Metric("TSE"), label="total search efficiency")
    add = getattr(collector, "add_list_measurement", None) or collector.measure_list
    for key, items in trained.runs["bias"]:
        add(items, trained.test.lookup(key), user_id=key.user_id)
    found = collector.list_metrics()
    expected = analysed(trained.runs["bias"], trained.test, Metric("TieRR@10"), Metric("TSE"))
    assert list(found.columns) == ["TieRR@10", "total search efficiency"]
    np.testing.assert_array_equal(found, expected)
    mean = collector.summary_metrics()["TieRR@10.mean"]
    assert mean == pytest.approx(expected["TieRR@10"].mean())


def test_no_test_item_is_nan_and_nothing_relevant_is_0() -> None:
    recs, rated = ItemList([1, 2], scores=[2, 1]), ItemList([1, 2], rating=[0.0, -1.0])
    for measure in ("RR", "TieAP", "LexiRecall(n=9)", "TSE"):
        assert math.isnan(Metric(measure).measure_list(recs, ItemList([])))
        assert Metric(measure, relevance="rating").measure_list(recs, rated) == 0
    assert Metric("RR(rel=2)").measure_list(recs, ItemList([1])) == 0


def test_an_empty_list_finds_nothing() -> None:
    test, empty = ItemList([1, 2]), ItemList([])
    for measure in ("RR", "TieAP", "TienDCG@3", "P", "TSE", "LexiPrecision(n=9, value='share')"):
        assert Metric(measure).measure_list(empty, test) == 0
    # Items 8 and 9 of 9: only those.
    assert Metric("LexiRecall(n=9)").measure_list(empty, test) == pytest.approx(-math.log(71))


def test_a_missing_value_is_the_least_score_or_none() -> None:
    assert [Metric(name).default for name in ("RR", "TieAP", "TSE")] == [0.0] * 3
    assert Metric("LexiRecall(n=9, value='share')").default == 0.0
    # The least log-odds differ from user to user, and the best search length is the least one.
    assert Metric("LexiRecall(n=9)").default is None
    assert Metric("ASL(n=9)").default is None


def test_too_few_items_to_recommend_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"n=2 is too small .* the list retrieves 3 items"):
        Metric("LexiRecall(n=2)").measure_list(ItemList([1, 2, 3]), ItemList([3]))


def test_ids_may_be_of_different_types() -> None:
    recs, test = ItemList(["1", "2"]), ItemList([2])
    assert Metric("RR").measure_list(recs, test) == 0.5


def test_a_metric_can_be_sent_to_another_process(trained: Experiment) -> None:
    metric = pickle.loads(pickle.dumps(Metric(irpref.TieRR @ 5, relevance="rating")))
    (key, items), *_ = trained.runs["bias"]
    test = trained.test.lookup(key)
    assert (metric.label, metric.pair.relevance) == ("TieRR@5", "rating")
    assert metric.measure_list(items, test) == Metric("TieRR@5").measure_list(items, test)


def test_places_that_contradict_scores_are_told() -> None:
    reranked, test = ItemList([3, 1, 2], scores=[1, 3, 2], ordered=True), ItemList([3])
    with pytest.warns(UserWarning, match="order='rank' uses the places"):
        assert Metric("RR").measure_list(reranked, test) == 1 / 3
    assert Metric("RR", order="rank").measure_list(reranked, test) == 1
    stale = ItemList.from_df(pd.DataFrame({"item_id": [3, 1, 2], "rank": [1, 3, 2]}))
    with pytest.warns(UserWarning, match="on 1 of 1 lists, the ranks of the items are not in"):
        assert Metric("RR").measure_list(stale, test) == RecipRank().measure_list(stale, test) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        assert Metric("RR", order="rank").measure_list(stale, test) == 1


@pytest.mark.parametrize(
    ("measure", "options", "said"),
    [
        ("RPP", {}, "RPP is a preference, which compares with another model"),
        ("RRR", {}, "did you mean 'RR'"),
        ("RR", {"order": "place"}, "unknown order 'place'"),
        ("LexiRecall@10", {}, r"LexiRecall\(n=train.item_count\)"),
        ("ASL", {}, r"ASL\(n=train.item_count\)"),
    ],
)
def test_what_is_no_metric_is_refused(measure: str, options: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Metric(measure, **options)


@pytest.mark.parametrize(
    ("items", "test", "options", "said"),
    [
        (ItemList([1, 2, 1]), ItemList([1]), {}, "the list, item 1: the item is there twice"),
        (
            ItemList([1, 2], scores=[1, math.nan]),
            ItemList([1]),
            {},
            "item 2: the score is miss",
        ),
        (
            ItemList([1]),
            ItemList([1]),
            {"relevance": "stars"},
            "test list: the items have no field 's",
        ),
        (
            ItemList([1]),
            ItemList([1, 4], stars=[1, math.nan]),
            {"relevance": "stars"},
            "item 4: the stars is not a number",
        ),
        (ItemList([1]), ItemList([1]), {"order": "rank"}, "order='rank'"),
    ],
)
def test_what_cannot_be_measured_is_an_error(
    items: ItemList, test: ItemList, options: Any, said: str
) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        Metric("TieRR", **options).measure_list(items, test)
    assert isinstance(caught.value, InputError) == ("order" not in options)


@given(
    items=st.dictionaries(st.integers(1, 30), st.integers(0, 3), max_size=9),
    judged=st.dictionaries(st.integers(1, 30), st.integers(-1, 3), min_size=1, max_size=9),
    scored=st.booleans(),
    text=st.booleans(),
    measure=st.sampled_from(ASKED),
)
def test_random_lists_score_as_evaluate_scores_them(
    items: dict[int, int], judged: dict[int, int], scored: bool, text: bool, measure: str
) -> None:
    def named(listed: Any) -> Any:
        return [f"é{item}" for item in listed] if text else list(listed)

    output = ItemList(named(items), **({"scores": list(items.values())} if scored else {}))
    test = ItemList(named(judged), rating=np.array(list(judged.values()), dtype=float))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = Metric(measure, relevance="rating").measure_list(output, test)
    if max(judged.values()) <= 0:
        assert found == 0
        return
    lists = ItemListCollection.from_dict({1: output}, "user_id")
    # Without the second run, a list of nothing could not be read.
    runs = {"found": run(lists), "other": {"1": {"other": 1.0}}}
    runs["found"].setdefault("2", {"other": 1.0})
    qrels = {
        "1": dict(zip(map(str, named(judged)), judged.values(), strict=True)),
        "2": {"other": 1},
    }
    scores = irpref.evaluate(qrels, runs, measure).set_index(["system", "topic"])["value"]
    assert found == pytest.approx(scores["found", "1"], abs=1e-12)


def test_nothing_says_whether_half_a_star_is_liking() -> None:
    test = ItemListCollection.from_dict({7: ItemList([1, 2], rating=[0.5, 4])}, "user_id")
    lists = ItemListCollection.empty(["model", "user_id"])
    lists.add(ItemList([1, 2], scores=[2, 1]), "a", 7)
    lists.add(ItemList([9, 2], scores=[2, 1]), "b", 7)
    doubt = r"item 1: the grade 0.5 lies between 0 and 1"
    with pytest.raises(InputError, match=doubt):
        compare(lists, test, "AP", relevance="rating")
    with pytest.raises(InputError, match=doubt):
        Metric("AP", relevance="rating").measure_list(ItemList([1, 2]), test.lookup(7))
    for rel, value in ((0.5, 0.25), (4, 0.0)):
        compared = compare(lists, test, f"AP(rel={rel})", relevance="rating")
        both = [
            Metric(f"AP(rel={rel})", relevance="rating").measure_list(
                lists.lookup(model, 7), test.lookup(7)
            )
            for model in "ab"
        ]
        assert compared.mean(f"AP(rel={rel})").loc["a", "b"] == pytest.approx(both[0] - both[1])
        assert both[0] - both[1] == pytest.approx(0.75 if rel == 0.5 else value)
