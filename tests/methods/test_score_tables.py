"""Scores of any tool: what they must have."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
import pytest

import irpref
from irpref import AP, RPP, RR, InputError, demo_paths


def test_scores_need_every_system_and_some_topic() -> None:
    data = irpref.collect(*demo_paths())
    scores = data.evaluate(AP)
    with pytest.raises(ValueError, match="scores judge have no system 'tfidf'"):
        data.compare({"judge": scores[scores["system"] != "tfidf"]})
    with pytest.raises(ValueError, match="scores judge are of none of these topics"):
        data.compare({"judge": scores.assign(topic="q" + scores["topic"])})
    with pytest.raises(ValueError, match=r"of several measures \(AP, RR\): name one"):
        data.compare({"judge": data.evaluate([AP, RR])})
    with pytest.raises(ValueError, match="both called 'AP'"):
        data.compare([AP, {"AP": scores}])
    few = scores[scores["topic"].isin(["1", "2", "3"])]
    comparison = data.compare([RPP, {"judge": few}])
    assert comparison.per_topic("judge", "bm25", "tfidf").index.to_list() == ["1", "2", "3"]
    assert "judge leaves out 9 topics" in comparison.report().to_text()


NO_ROW = object()


@pytest.mark.parametrize(
    "value", [NO_ROW, np.nan, None, pd.NA, ""], ids=lambda value: str(value)[:7]
)
def test_a_score_is_missing_without_a_row_or_a_value(value: object) -> None:
    scores = irpref.evaluate(*demo_paths(), AP).astype({"value": object})
    place = scores.index[(scores["topic"] == "3") & (scores["system"] == "bm25")]
    if value is NO_ROW:
        lacking = scores.drop(index=place)
    else:
        lacking = scores.copy()
        lacking.loc[place, "value"] = value
    said = r"AP: 1 of 72 scores are missing, most of bm25 \(1\), and two .* not chance"
    with pytest.warns(UserWarning, match=said):
        comparison = irpref.compare_scores(lacking)
    assert "3" not in comparison.per_topic("AP", "bm25", "tfidf").index
    assert "3" in comparison.per_topic("AP", "boolean", "tfidf").index
    whole = irpref.compare_scores(scores)
    assert whole.signature("AP") != comparison.signature("AP")
    assert whole.warnings == ()


def test_scores_are_of_one_system_and_topic_each() -> None:
    scores = irpref.evaluate(*demo_paths(), AP)
    with pytest.raises(ValueError, match="system bm25 has no score by AP: leave it out"):
        irpref.compare_scores(
            scores.assign(value=scores["value"].where(scores["system"] != "bm25"))
        )
    with pytest.raises(ValueError, match=r"two scores on topic .*: give one of them"):
        irpref.compare_scores(pd.concat([scores, scores.head(1)]))
    with pytest.raises(ValueError, match="no column 'value' or 'score'"):
        irpref.compare_scores(scores.drop(columns="value"))


def arrow(columns: dict[str, list[object]]) -> object:
    return pl.DataFrame(columns).to_arrow()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, arrow])
def test_the_columns_of_mteb_are_known(kind: Callable[[dict[str, list[object]]], object]) -> None:
    """They are those of its to_dataframe(format="long"), where each task stands for a topic."""
    scores = irpref.evaluate(*demo_paths(), AP)
    called = {"model_name": "system", "task_name": "topic", "score": "value"}
    theirs = {name: scores[ours].to_list() for name, ours in called.items()}
    theirs["is_public"] = [True] * len(scores)
    wanted = irpref.compare_scores(scores.drop(columns="measure")).test()
    pd.testing.assert_frame_equal(irpref.compare_scores(kind(theirs)).test(), wanted)


def test_a_column_in_both_spellings_or_in_none_is_named() -> None:
    theirs = pd.DataFrame({"Model Name": ["a", "b"], "task_name": ["x", "x"], "score": [0.5, 0.4]})
    assert irpref.compare_scores(theirs).systems == ("a", "b")
    for column in ("system", "topic", "value"):
        with pytest.raises(
            InputError, match=f"several columns could be the {column}: .*{column}; "
        ):
            irpref.compare_scores(theirs.assign(**{column: 1}))
    wide = theirs.pivot(index="task_name", columns="Model Name", values="score").reset_index()
    said = r"no column 'system' or 'model_name' \(found: task_name, a, b\); .*format='long'"
    with pytest.raises(InputError, match=said):
        irpref.compare_scores(wide)


def test_scores_are_found_by_every_spelling_of_their_measure() -> None:
    scores = irpref.evaluate(*demo_paths(), [irpref.TieRR, "RR(ties='expected')@5"])
    comparison = irpref.compare_scores(scores)
    first, second = comparison.preferences
    for name, wanted in (
        ("TieRR", first),
        (irpref.RR(ties="expected"), first),
        ("TieRR@5", second),
        ("RR(ties='expected')@5", second),
    ):
        assert comparison.mean(name).equals(comparison.mean(str(wanted)))
    with pytest.raises(ValueError, match="was not compared"):
        comparison.mean("TieRR@6")


def test_a_measure_is_known_in_any_spelling_and_has_a_name() -> None:
    scores = irpref.evaluate(*demo_paths(), [AP, RR])
    compared = irpref.compare_scores(scores.rename(columns={"measure": "Measure"}))
    assert [str(each) for each in compared.preferences] == ["AP", "RR"]
    with pytest.raises(InputError, match="the scores, line 1: the row names no system; name it"):
        irpref.compare_scores(scores.assign(system=""))


@pytest.mark.parametrize("column", ["system", "topic"])
def test_names_that_are_the_same_as_text_are_one(column: str) -> None:
    rows = [("a", "x", 1.0), ("b", "x", 2.0), ("a", "y", 3.0), ("b", "y", 4.0)]
    scores = pd.DataFrame(rows, columns=["system", "topic", "value"])
    scores[column] = scores[column].map({"a": 1, "b": "1", "x": 1, "y": "1"})
    with pytest.raises(ValueError, match=r"system (1|a) has two scores on topic (x|1)"):
        irpref.compare_scores(scores)
