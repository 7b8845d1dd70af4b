"""Topics that a preference leaves out are named."""

from __future__ import annotations

import numpy as np

import irpref
from irpref import IPSO, RPP


def test_topics_without_the_grade_that_a_preference_asks_for_are_left_out_and_named() -> None:
    qrels = {"1": {"d": 1, "x": 0}, "2": {"d": 2}}
    runs = {"a": {"1": {"d": 1}, "2": {"d": 1}}, "b": {"1": {"x": 1}, "2": {"x": 1}}}
    strict = RPP(rel=2)
    comparison = irpref.compare(qrels, runs, [RPP, strict, IPSO(rel=3) @ 5])
    assert comparison.topics == ("1", "2")
    assert comparison.per_topic(strict, "a", "b").to_dict() == {"2": 1}
    assert comparison.mean(strict).loc["a", "b"] == 1
    assert list(comparison.outcomes(strict).iloc[0, 2:]) == [1, 0, 0]
    assert comparison.per_topic(IPSO(rel=3) @ 5, "a", "b").empty
    assert np.isnan(comparison.mean(IPSO(rel=3) @ 5).loc["a", "b"])
    text = repr(comparison)
    assert "RPP(rel=2) leaves out 1 topic" in text
    assert "(1)" in text
    assert "IPSO(rel=3)@5 leaves out 2 topics" in text
    assert "RPP leaves out" not in text
