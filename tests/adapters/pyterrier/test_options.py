"""The options of reading reach the preferences, and those of ``pt.Experiment`` reach it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

import irpref
from irpref_pyterrier import Experiment, compare
from irpref_pyterrier.systems import split_options
from tests.adapters.pyterrier.demo import FRAMES, QRELS, TOPICS, column

# Scores that say nothing, and ranks that say all; in the other, scores against the ranks.
TIED = FRAMES["bm25"].assign(score=1.0)
AGAINST = FRAMES["bm25"].assign(score=FRAMES["bm25"]["rank"].astype(float))
TWICE = pd.concat([FRAMES["bm25"], FRAMES["bm25"][:40:7]], ignore_index=True)
FEW = FRAMES["bm25"][~FRAMES["bm25"]["qid"].isin(["1", "4"])]
SYSTEMS: dict[str, Any] = {"tied": TIED, "boolean": FRAMES["boolean"], "tfidf": FRAMES["tfidf"]}
PREFERENCES = ["RPP", "LP", "IPSO@10"]

READINGS: list[tuple[dict[str, Any], pd.DataFrame]] = [
    ({"order": "rank"}, TIED),
    ({"order": {"tied": "rank"}}, AGAINST),
    ({"duplicates": "first"}, TWICE),
    ({"judged_only": True}, FRAMES["bm25"]),
    ({"missing": "skip"}, FEW),
    ({"missing": "worst"}, FEW),
    ({"missing": "skip", "judged_only": True, "duplicates": "first"}, TWICE),
]


def order_by_run() -> bool:
    try:
        irpref.Reading(order={"a": "rank"})
    except (TypeError, ValueError):
        return False
    return True


@pytest.mark.filterwarnings("ignore:.*contradict")
@pytest.mark.parametrize(("reading", "frame"), READINGS, ids=lambda value: str(value)[:40])
@pytest.mark.parametrize("as_pipelines", [False, True])
def test_they_mean_what_they_mean_in_the_core(
    reading: dict[str, Any], frame: pd.DataFrame, as_pipelines: bool
) -> None:
    if isinstance(reading.get("order"), dict) and not order_by_run():
        pytest.skip("the core takes no order by run yet")
    frames = {**SYSTEMS, "tied": frame}
    systems = (
        {name: pt.Transformer.from_df(each) for name, each in frames.items()}
        if as_pipelines
        else frames
    )
    core = irpref.compare(QRELS, frames, PREFERENCES, **reading)
    found = Experiment(systems, TOPICS, QRELS, ["map", *PREFERENCES], baseline="tied", **reading)
    for text in PREFERENCES:
        outcomes = core.outcomes(text).set_index(["a", "b"]).loc["tied"]
        rows = found.set_index("name")
        for name in ("boolean", "tfidf"):
            assert rows.loc[name, text] == pytest.approx(core.mean(text).loc[name, "tied"])
            wins, ties, losses = outcomes.loc[name, ["losses", "ties", "wins"]]
            assert [rows.loc[name, f"{text} {sign}"] for sign in "+=-"] == [wins, ties, losses]
    own = compare(systems, TOPICS, QRELS, PREFERENCES, **reading)
    pd.testing.assert_frame_equal(own.mean("RPP"), core.mean("RPP"))
    # PyTerrier's own metrics read the results as ever.
    plain = pt.Experiment(systems, TOPICS, QRELS, ["map"])
    assert column(found, "map") == column(plain, "map")


def test_topics_that_a_system_lacks_may_be_left_out() -> None:
    systems: dict[str, Any] = {"few": FEW, "boolean": FRAMES["boolean"], "tfidf": FRAMES["tfidf"]}
    found = Experiment(systems, TOPICS, QRELS, ["RPP"], missing="skip", perquery="both")
    rows = found.perquery.set_index(["name", "qid"])["value"]
    assert rows["few"].isna().sum() == 2
    assert rows["boolean"].isna().sum() == 0
    assert column(found.averages, "RPP")["few"] == pytest.approx(rows["few"].mean())
    core = irpref.compare(QRELS, systems, ["RPP"], missing="skip")
    # Against the only system that has the topic.
    assert rows["boolean"]["1"] == core.per_topic("RPP", "boolean", "tfidf")["1"]
    against = Experiment(systems, TOPICS, QRELS, ["RPP", "LP"], missing="skip", baseline="few")
    assert against.loc[1, ["RPP +", "RPP =", "RPP -"]].sum() == len(TOPICS) - 2
    for test in ("t", "wilcoxon", "sign", "randomization"):
        tested = Experiment(
            systems, TOPICS, QRELS, ["RPP"], missing="skip", baseline="few", test=test
        )
        assert 0 <= tested.loc[1, "RPP p-value"] <= 1


def test_systems_with_no_common_topic_have_no_mean() -> None:
    one, other = (FRAMES["bm25"][FRAMES["bm25"]["qid"] == qid] for qid in ("1", "2"))
    found = Experiment(
        {"one": one, "other": other}, TOPICS, QRELS, ["RPP"], missing="skip", baseline=0
    )
    assert np.isnan(found.loc[1, "RPP"])
    assert np.isnan(found.loc[1, "RPP p-value"])
    assert found.loc[1, "RPP ="] == 0


def test_each_option_of_reading_is_taken() -> None:
    names = {option.name for option in fields(irpref.Reading)}
    given = {name: object() for name in names}
    assert split_options(compare, given) == (given, {})
    assert split_options(compare, {"verbose": True, "order": "rank"}) == (
        {"order": "rank"},
        {"verbose": True},
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missin": "skip"}, "did you mean 'missing'"),
        ({"verbos": True}, "did you mean 'verbose'"),
        ({"lists": 3}, "unknown option 'lists'"),
        ({"kwargs": 3}, "unknown option 'kwargs'"),
    ],
    ids=str,
)
def test_unknown_options_are_refused_with_the_nearest(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        Experiment(SYSTEMS, TOPICS, QRELS, ["RPP"], **options)


def test_options_that_would_mean_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="order= is for preferences, and eval_metrics has none"):
        Experiment(SYSTEMS, TOPICS, QRELS, ["map"], order="rank")
    with pytest.raises(ValueError, match="did you mean 'first'"):
        Experiment(SYSTEMS, TOPICS, QRELS, ["RPP"], duplicates="fist")
    with pytest.raises(TypeError, match="without topics no pipeline runs: leave verbose out"):
        compare(SYSTEMS, None, QRELS, verbose=True)
    for option in ("baseline", "perquery", "round"):
        with pytest.raises(TypeError, match=f"unknown option '{option}'"):
            compare(SYSTEMS, TOPICS, QRELS, **{option: 0})


def test_compare_keeps_lists() -> None:
    lists = compare(SYSTEMS, TOPICS, QRELS, ["RPP"], lists=5)
    assert lists.systems == tuple(SYSTEMS)
