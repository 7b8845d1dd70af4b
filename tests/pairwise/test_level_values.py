"""What relevant items add: their sum is the measure."""

from __future__ import annotations

import numpy as np
import pytest

import irpref
from irpref.methods.measures import RankedItems
from irpref.methods.measures.measure import SumOfItems
from irpref.methods.names import as_measures
from irpref.studies.numbers.level_differences import level_values
from tests.random_cases import make_case

CASE = make_case(9, topics=20, systems=3)
PLACEMENTS = irpref.collect(CASE.qrels, CASE.runs).placements
MEASURES = ["AP", "AP(rel=2)@3", "nDCG", "nDCG@2", "RBP", "RR", "RR(level=2)", "R@4", "P@4", "RP"]


@pytest.mark.parametrize("name", MEASURES)
def test_values_of_a_topic_add_up_to_the_score(name: str) -> None:
    [measure] = as_measures(name)
    assert isinstance(measure, SumOfItems)
    ranked = RankedItems.of(PLACEMENTS)
    relevant = ranked.relevant(measure.rel)
    values = level_values(measure, PLACEMENTS)
    assert len(values) == relevant.per_topic.sum()
    topic = np.repeat(np.arange(len(relevant.per_topic)), relevant.per_topic)
    sums = np.zeros((len(relevant.per_topic), 3))
    np.add.at(sums, topic, values)
    divisor = measure.divisor(ranked)
    scores = np.divide(sums, divisor, out=np.zeros_like(sums), where=divisor > 0)
    assert scores == pytest.approx(measure.scores(PLACEMENTS))
