"""What a report says of the topics that were left out."""

from __future__ import annotations

import irpref


def test_a_topic_that_is_left_out_is_not_said_to_be_lost() -> None:
    qrels = {"1": {"d": 1}, "2": {"d": 1}, "3": {"d": 0}}
    both = {"1": {"d": 1}, "2": {"d": 1}}
    comparison = irpref.compare(qrels, {"all": {**both, "3": {"d": 1}}, "two": both})
    assert comparison.coverage.missing == {"two": ("3",)}
    assert "Without relevant documents, and left out: 1 topic (3)." in repr(comparison)
    assert "missing from a run" not in repr(comparison)
