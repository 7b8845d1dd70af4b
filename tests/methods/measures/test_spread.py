"""The spread of scores over the orders of ties."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from irpref.methods.measures import AP, LexiRecall, Measure, P, nDCG, tie_spread
from tests.literal import ranked
from tests.random_cases import make_case, place

CASE = make_case(5, topics=150, documents=8)


@pytest.mark.parametrize("measure", [AP, P @ 3, P, nDCG @ 2, nDCG(rel=2)], ids=str)
def test_means_are_those_of_every_policy_and_shares_those_of_the_topics(measure: Measure) -> None:
    collection = CASE.collect()
    # Topics without anything relevant count as 0.
    topics = len(CASE.judgments)
    assert topics > len(collection.topics)
    spread = tie_spread(collection, measure(ties="best"))
    for ties in ("trec", "expected", "worst", "best"):
        mean = measure(ties=ties).scores(collection).sum(axis=0) / topics
        assert spread[ties] == pytest.approx(mean, abs=1e-14)
    moved = (
        measure(ties="best").scores(collection) > measure(ties="worst").scores(collection) + 1e-12
    )
    assert spread["unsettled"] == pytest.approx(moved.sum(axis=0) / topics)
    straddled = np.array(
        [
            [
                straddles(CASE.run(system, topic), CASE.grades[topic], measure)
                for system in collection.systems
            ]
            for topic in collection.topics
        ]
    )
    assert spread["straddled"] == pytest.approx(straddled.sum(axis=0) / topics)
    assert 0 < spread["straddled"].min() < 1
    # What moves a score is a tied group that is split or mixed.
    assert not np.any(moved & ~straddled)


def straddles(scores: dict[str, float], grades: dict[str, int], measure: Measure) -> bool:
    cutoff = measure.cutoff or len(scores)
    before = 0
    for _, group in groupby(ranked(scores), key=lambda document: scores[document]):
        found = [grades.get(document, 0) for document in group]
        worth = [grade if grade >= (measure.rel or 1) else 0 for grade in found]
        if measure.name != "nDCG":
            worth = [min(grade, 1) for grade in worth]
        split = before < cutoff < before + len(worth)
        if any(worth) and before < cutoff and (split or len(set(worth)) > 1):
            return True
        before += len(worth)
    return False


def test_topics_that_are_skipped_do_not_count() -> None:
    qrels = {"t1": {"a": 1}, "t2": {"a": 1}}
    runs = {"one": {"t1": {"a": 1.0, "b": 1.0}}}
    assert tie_spread(place(qrels, runs), AP)["best"].tolist() == [0.5]
    skipped = tie_spread(place(qrels, runs, missing="skip"), AP)
    assert [skipped[name].item() for name in ("best", "straddled", "unsettled")] == [1, 1, 1]


def test_a_measure_without_an_expected_value_is_refused() -> None:
    with pytest.raises(ValueError, match="LexiRecall"):
        tie_spread(CASE.collect(), LexiRecall(n=100))
