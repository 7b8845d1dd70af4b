"""``compare`` against irpref itself on the same lists as dicts."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lenskit.basic import PopScorer, RandomSelector
from lenskit.batch import BatchPipelineRunner
from lenskit.data import ItemList, ItemListCollection
from lenskit.pipeline import RecPipelineBuilder
from pandas.testing import assert_frame_equal, assert_series_equal

import irpref
from irpref import PairTest
from irpref_lenskit import compare
from tests.adapters.lenskit.as_dicts import grades, run
from tests.adapters.lenskit.experiment import Experiment

PREFERENCES = [
    "RPP",
    "LP",
    "rrLP",
    "LR",
    "IPSO@10",
    "RPP(ties='expected')",
    "nDCG@10",
    "TieRR",
    "LexiRecall",
]


def of_dicts(trained: Experiment, *preferences: str, **options: Any) -> irpref.Comparison:
    relevance = options.pop("relevance", None)
    runs = {name: run(recs) for name, recs in trained.runs.items()}
    return irpref.compare(grades(trained.test, relevance), runs, preferences, **options)


def assert_same(found: irpref.Comparison, expected: irpref.Comparison) -> None:
    assert found.systems == expected.systems
    assert found.topics == expected.topics
    for preference in expected.preferences:
        assert_frame_equal(found.mean(preference), expected.mean(preference))
        assert_frame_equal(found.outcomes(preference), expected.outcomes(preference))
        assert found.signature(preference) == expected.signature(preference)
        for a, b in zip(expected.systems, expected.systems[1:], strict=False):
            values = found.per_topic(preference, a, b)
            values.index = values.index.map(str).rename("topic")
            assert_series_equal(
                values, expected.per_topic(preference, a, b), check_index_type=False
            )


@pytest.mark.parametrize("relevance", [None, "rating"])
def test_trained_models_compare_as_their_lists_do(trained: Experiment, relevance: str) -> None:
    found = compare(trained.recs, trained.test, PREFERENCES, relevance=relevance)
    assert_same(found, of_dicts(trained, *PREFERENCES, relevance=relevance))
    assert not found.coverage.without_relevant
    # The models differ, so all this says something.
    assert (found.mean("LR").loc["popular", ["item-knn", "bias", "random"]] > 0).all()


def test_grades_count_only_where_they_are_named(trained: Experiment) -> None:
    good = compare(trained.recs, trained.test, ["RPP(rel=4)"], relevance="rating")
    assert_same(good, of_dicts(trained, "RPP(rel=4)", relevance="rating"))
    assert 0 < good.totals[good.preferences[0]].most_topics < len(trained.test)
    binary = compare(trained.recs, trained.test, ["RPP(rel=4)"])
    assert binary.totals[binary.preferences[0]].most_topics == 0


def test_one_collection_and_one_of_each_model_are_the_same(trained: Experiment) -> None:
    one = compare(trained.recs, trained.test, ["RPP", "LR"])
    several = compare(trained.runs, trained.test, ["RPP", "LR"])
    assert_frame_equal(one.mean("RPP"), several.mean("RPP"))
    values = [each.per_topic("LR", "bias", "popular") for each in (one, several)]
    assert_series_equal(*values)


def test_key_fields_may_stand_in_any_order(trained: Experiment) -> None:
    turned = ItemListCollection.empty(["user_id", "algorithm"])
    for key, items in trained.recs:
        turned.add(items, user_id=key.user_id, algorithm=key.model)
    found = compare(turned, trained.test, ["RPP"], by="algorithm", reference="bias")
    expected = compare(trained.recs, trained.test, ["RPP"], reference="bias")
    for model in ("popular", "item-knn"):
        values = [each.per_topic("RPP", model, "bias") for each in (found, expected)]
        assert_series_equal(*values)


def test_users_may_be_named_by_several_fields(trained: Experiment) -> None:
    test = ItemListCollection.empty(["part", "user_id"])
    recs = ItemListCollection.empty(["model", "user_id", "part"])
    for (user,), items in trained.test:
        for part in ("a", "b"):
            test.add(items if part == "a" else items[:2], part, user)
    for key, items in trained.recs:
        for part in ("b", "a"):
            recs.add(items, key.model, key.user_id, part)
    found = compare(recs, test, ["RPP"], reference="popular")
    values = found.per_topic("RPP", "bias", "popular")
    assert list(values.index.names) == ["part", "user_id"]
    whole = compare(trained.recs, trained.test, ["RPP"]).per_topic("RPP", "bias", "popular")
    assert_series_equal(values.xs("a", level="part").sort_index(), whole.sort_index())


@pytest.mark.parametrize("reading", [{"missing": "skip"}, {"missing": "worst"}])
def test_users_without_recommendations(trained: Experiment, reading: Any) -> None:
    users = [user for (user,) in trained.test.keys()]  # noqa: SIM118 (it iterates over pairs)
    few = ItemListCollection.empty(["user_id"])
    for (user,), items in trained.runs["bias"]:
        if user in users[:10]:
            few.add(items if user in users[:8] else ItemList([]), user)
    few.add(ItemList([1, 2, 3]), max(users) + 1)
    cut = trained._replace(runs={"popular": trained.runs["popular"], "few": few})
    found = compare(cut.runs, cut.test, ["RPP", "LR"], **reading)
    assert_same(found, of_dicts(cut, "RPP", "LR", **reading))
    assert list(found.coverage.missing) == ["few"]
    assert len(found.coverage.missing["few"]) == len(users) - 8
    assert found.coverage.ignored_topics == {"few": 1}
    counted = 8 if reading["missing"] == "skip" else len(users)
    assert len(found.per_topic("LR", "popular", "few")) == counted


def test_options_of_reading_reach_the_core(trained: Experiment) -> None:
    found = compare(trained.recs, trained.test, ["RPP"], judged_only=True)
    assert_same(found, of_dicts(trained, "RPP", judged_only=True))
    nothing = ItemListCollection.from_dict(
        {trained.test[0][0].user_id: ItemList([1, 2])}, "user_id"
    )
    found = compare({**trained.runs, "nothing": nothing}, trained.test, ["RPP"], judged_only=True)
    # One user has recommendations, if unjudged ones.
    assert len(found.coverage.missing["nothing"]) == len(trained.test) - 1
    certain = compare(trained.recs, trained.test, ["RPP(unjudged='any', graded=False)@5"])
    assert_same(certain, of_dicts(trained, "RPP(unjudged='any', graded=False)@5"))
    with pytest.raises(TypeError, match="did you mean 'missing'"):
        compare(trained.recs, trained.test, misssing="skip")  # type: ignore[call-arg]


def test_a_reference_is_what_others_are_tested_against(trained: Experiment) -> None:
    found = compare(trained.recs, trained.test, ["RPP", "LR"], reference="popular")
    pairs = compare(trained.recs, trained.test, ["RPP", "LR"])
    tests = found.test("RPP", test=PairTest(margin=0.1, alternative="noninferior"))
    assert_frame_equal(
        tests,
        pairs.test("RPP", baseline="popular", test=PairTest(margin=0.1, alternative="noninferior")),
    )
    assert list(tests["a"]) == ["item-knn", "bias", "random"]
    assert set(tests["verdict"]) <= {"better", "not worse", "worse", "undecided"}
    assert len(pairs.test("RPP", test=PairTest(rng=1))) == 6
    assert list(found.test(baseline="bias")["b"]) == ["bias"] * 3
    assert "3 models against popular" in found.report().title
    assert "Better than popular by RPP" in repr(found)
    assert "4 models, 6 pairs" in repr(pairs)
    assert_frame_equal(found.report(baseline="bias").records, pairs.report(baseline="bias").records)


def test_relations_and_explanations_are_of_users(trained: Experiment) -> None:
    found = compare(trained.recs, trained.test, ["IPSO@10", "LR"])
    relations = found.relations("IPSO@10", "popular", "bias")
    assert relations.index.name == "user_id"
    assert [(user,) for user in relations.index] == [tuple(key) for key in trained.test.keys()]  # noqa: SIM118
    expected = of_dicts(trained, "IPSO@10").relations("IPSO@10", "popular", "bias")
    assert relations["relation"].to_list() == expected["relation"].to_list()
    user = int(relations.index[0])
    assert str(user) in str(found.explain(user, "popular", "bias"))


def test_lists_without_scores_follow_their_places() -> None:
    test = ItemListCollection.from_dict({1: ItemList(["x", "y"])}, "user_id")
    plain = ItemList(["x", "a", "y"])
    runs = {
        "places": plain,
        "ordered": ItemList(["x", "a", "y"], ordered=True),
        "scores": ItemList(["y", "a", "x"], scores=[1, 2, 3]),
        "other": ItemList(["a", "x", "y"]),
    }
    named = {
        name: ItemListCollection.from_dict({1: items}, "user_id") for name, items in runs.items()
    }
    with pytest.warns(UserWarning, match="contradicts the scores"):
        mean = compare(named, test, ["RPP"]).mean("RPP")
    assert mean["other"].to_dict() == {**dict.fromkeys(runs, 0.5), "other": 0.0}
    assert (mean.iloc[:3, :3] == 0).all(axis=None)


def test_ranks_that_contradict_the_places_are_told() -> None:
    """LensKit 2025 keeps the ranks that items had before a reranker; its own metrics go by the places."""
    test = ItemListCollection.from_dict({1: ItemList(["x"])}, "user_id")
    ranked = ItemList.from_df(pd.DataFrame({"item_id": ["x", "a", "b"], "rank": [1, 3, 2]}))
    assert ranked.ranks().tolist() == [1, 3, 2]
    lists = {"ranked": ranked, "plain": ItemList(["x", "b", "a"])}
    runs = {
        name: ItemListCollection.from_dict({1: items}, "user_id") for name, items in lists.items()
    }
    said = (
        "model 'ranked': on 1 of 1 lists, the ranks of the items are not in the order of the list"
    )
    with pytest.warns(UserWarning, match=said):
        found = compare(runs, test, ["RPP"])
    assert (found.mean("RPP") == 0).all(axis=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        compare(runs, test, ["RPP"], order={"ranked": "rank"})


def test_places_that_contradict_scores_are_told(trained: Experiment) -> None:
    """RandomSelector picks items at random, and leaves them the scores that they had before."""
    builder = RecPipelineBuilder()
    builder.scorer(PopScorer())
    builder.ranker(RandomSelector(n=20, rng=(7, "user")))
    pipeline = builder.build()
    pipeline.train(trained.train)
    runner = BatchPipelineRunner(n_jobs=1)
    runner.recommend()
    shuffled = runner.run(pipeline, trained.test).output("recommendations")
    runs = {"popular": trained.runs["popular"], "shuffled": shuffled}
    with pytest.warns(UserWarning, match=r"order=\{'shuffled': 'rank'\}"):
        by_score = compare(runs, trained.test, ["RPP"])
    by_place = compare(runs, trained.test, ["RPP"], order={"shuffled": "rank"})
    bare = ItemListCollection.empty(["user_id"])
    for key, items in shuffled:
        bare.add(ItemList(items, scores=False), *key)
    expected = compare({**runs, "shuffled": bare}, trained.test, ["RPP"])
    assert_frame_equal(by_place.mean("RPP"), expected.mean("RPP"))
    assert not by_place.mean("RPP").equals(by_score.mean("RPP"))


def test_stages_of_a_pipeline_are_compared(trained: Experiment) -> None:
    builder = RecPipelineBuilder()
    builder.scorer(PopScorer())
    builder.ranker(n=20)
    builder.reranker(RandomSelector(n=20, rng=7))
    pipeline = builder.build()
    pipeline.train(trained.train)
    runner = BatchPipelineRunner(n_jobs=1)
    runner.recommend("ranker", output="ranked")
    runner.recommend("recommender", output="shuffled")
    results = runner.run(pipeline, trained.test)
    stages = {name: results.output(name) for name in ("ranked", "shuffled")}
    with warnings.catch_warnings():
        # LensKit 2025 keeps the ranks of the first stage.
        warnings.filterwarnings("ignore", "model 'shuffled': on 60 of 60 lists, the ranks")
        found = compare(stages, trained.test, ["RPP", "R"], order={"shuffled": "rank"})
    assert found.mean("RPP").loc["ranked", "shuffled"] > 0.1
    assert (found.per_topic("R", "ranked", "shuffled") == 0).all()
    ranks = {
        str(key.user_id): {str(item): -place for place, item in enumerate(items.ids())}
        for key, items in stages["shuffled"]
    }
    cut = trained._replace(runs={"ranked": stages["ranked"]})
    runs = {"ranked": run(cut.runs["ranked"]), "shuffled": ranks}
    expected = irpref.compare(grades(cut.test), runs, ["RPP"]).per_topic(
        "RPP", "ranked", "shuffled"
    )
    values = found.per_topic("RPP", "ranked", "shuffled")
    assert values.to_list() == expected.to_list()


def test_trained_models_need_no_warning(trained: Experiment) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(trained.recs, trained.test)


@given(
    recs=st.dictionaries(
        st.sampled_from(["a", "b"]),
        st.dictionaries(
            st.integers(1, 4),
            st.dictionaries(st.integers(1, 9), st.integers(0, 3), min_size=1),
            min_size=1,
        ),
        min_size=2,
    ),
    judged=st.dictionaries(
        st.integers(1, 4), st.dictionaries(st.integers(1, 9), st.integers(-1, 3)), min_size=1
    ),
    text=st.booleans(),
    missing=st.sampled_from(["worst", "skip"]),
)
def test_random_lists_compare_as_dicts_do(recs: Any, judged: Any, text: bool, missing: Any) -> None:
    def named(items: Any) -> Any:
        return [f"i{item}" for item in items] if text else list(items)

    def texts(lists: Any) -> Any:
        return {
            str(user): dict(zip(map(str, named(items)), items.values(), strict=True))
            for user, items in lists.items()
        }

    test = ItemListCollection.empty(["user_id"])
    for user, items in judged.items():
        test.add(ItemList(named(items), rating=np.array(list(items.values()), float)), user)
    lists = ItemListCollection.empty(["model", "user_id"])
    for model, users in recs.items():
        for user, items in users.items():
            lists.add(ItemList(named(items), scores=list(items.values())), model, user)
    asked = ["RPP", "LR", "RPP(ties='expected')", "TieAP"]
    options: Any = {"missing": missing, "order": "score"}

    def outcome(how: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return how()
        except ValueError:
            return None

    found = outcome(lambda: compare(lists, test, asked, relevance="rating", **options))
    # To LensKit a user without test items is none.
    tested = {user: items for user, items in judged.items() if items}
    expected = outcome(
        lambda: irpref.compare(
            texts(tested), {name: texts(users) for name, users in recs.items()}, asked, **options
        )
    )
    assert (found is None) == (expected is None)
    if found is not None:
        assert_same(found, expected)


def test_results_speak_of_users_and_items(trained: Experiment) -> None:
    found = compare(trained.recs, trained.test, ["RPP"])
    assert found.placements.reading.users
    text = replace(found.report(), signatures=()).to_text()
    assert "users" in text
    assert not re.search(r"\b(topics?|documents?)\b", text, re.IGNORECASE)
    assert "topics" in repr(compare(trained.recs, trained.test, ["RPP"], users=False))
