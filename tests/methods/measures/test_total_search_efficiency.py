"""TSE against its definition."""

from __future__ import annotations

import math

import pytest

from irpref.methods.measures import TSE, Measure
from tests.literal import INF, positions, relevant
from tests.random_cases import make_case

EXPOSURES = {
    TSE: lambda place: 1 / place,
    TSE(exposure="log2"): lambda place: 1 / math.log2(place + 1),
    TSE(exposure="rbp"): lambda place: (1 - 0.8) * 0.8 ** (place - 1),
    TSE(exposure="rbp", persistence=0.3): lambda place: (1 - 0.3) * 0.3 ** (place - 1),
}


@pytest.mark.parametrize("measure", EXPOSURES, ids=str)
@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("cutoff", [None, 2, 5])
def test_it_is_the_exposure_of_the_last_relevant_item(
    measure: Measure, rel: int, cutoff: int | None
) -> None:
    case = make_case(11, topics=200, documents=5)
    collection = case.collect()
    exposure = EXPOSURES[measure]
    measure = measure(rel=rel) if cutoff is None else measure(rel=rel) @ cutoff
    scores = measure.scores(collection)
    found = 0
    for t, topic in enumerate(collection.topics):
        wanted = relevant(case.grades[topic], rel)
        for s, system in enumerate(collection.systems):
            last = max(positions(case.run(system, topic), wanted, cutoff), default=INF)
            value = 0 if last == INF else exposure(last)
            assert scores[t, s] == pytest.approx(value, abs=1e-15)
            found += value > 0
    assert found > 50
