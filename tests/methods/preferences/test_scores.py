"""Scores of other tools beside preferences in one comparison."""

from __future__ import annotations

import pandas as pd

import irpref
from irpref import AP, RPP, demo_paths


def test_scores_of_another_tool_go_under_a_name_of_their_own() -> None:
    data = irpref.collect(*demo_paths())
    scores = data.evaluate(AP).drop(columns="measure")
    shuffled = scores.sample(frac=1, random_state=1)
    comparison = data.compare([RPP, {"judge": shuffled}, AP])
    assert [str(each) for each in comparison.preferences] == ["RPP", "judge", "AP"]
    pd.testing.assert_frame_equal(comparison.mean("judge"), comparison.mean(AP))
    assert "scores:judge#" in comparison.signature("judge")
    text = comparison.report(test="fit").to_text()
    assert "judge" in text
    part = data.select(topics=data.topics[:5], systems=["tfidf", "bm25"])
    found = part.compare({"judge": scores}).per_topic("judge", "bm25", "tfidf")
    assert found.index.to_list() == list(part.topics)
