"""``pt.pref.compare`` against the core."""

from __future__ import annotations

import pandas as pd
import pytest

import irpref
from irpref_pyterrier import compare
from tests.adapters.pyterrier.demo import CORE, FRAMES, QRELS, QRELS_PATH, TOPICS, pipelines


def test_compare_is_the_comparison_of_the_core() -> None:
    frames = {name: FRAMES[name] for name in ("boolean", "bm25")}
    systems = pipelines("boolean", "bm25")
    for comparison in (
        compare(systems, TOPICS, QRELS, [irpref.RPP, "LP"]),
        compare(frames, None, QRELS, [irpref.RPP, "LP"]),
        compare(list(frames.values()), None, str(QRELS_PATH), ["RPP", "LP"], names=list(frames)),
    ):
        assert isinstance(comparison, irpref.Comparison)
        assert comparison.systems == ("boolean", "bm25")
        pd.testing.assert_series_equal(
            comparison.per_topic("RPP", "bm25", "boolean").sort_index(),
            CORE.per_topic("RPP", "bm25", "boolean").sort_index(),
        )
    assert len(compare(systems, TOPICS[:3], QRELS, "LP", batch_size=2).topics) == 3
    with pytest.raises(ValueError, match="same name"):
        compare(list(frames.values()), None, QRELS, names=["a", "a"])
    with pytest.raises(ValueError, match="must be a result frame"):
        compare(systems, None, QRELS)
