"""All pair-topics, in parts: what topic_values says pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from irpref.methods.names import as_criteria
from irpref.pairwise.topic_values import topic_values
from irpref.positions.placements import Placements
from irpref.studies.numbers import pair_topics as module
from irpref.studies.numbers.pair_topics import pair_topics
from tests.random_cases import make_case, place


@pytest.mark.parametrize("missing", ["worst", "skip"])
def test_the_values_are_those_of_each_pair_in_parts_of_any_size(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = make_case(3, topics=14, systems=4)
    placements = place(case.qrels, case.runs, missing=missing)
    criteria = as_criteria(["LP", "RPP", "nDCG@3", "IPSO@2"])
    monkeypatch.setattr(module, "MEMORY", 4 * 16 * 3)
    calls: list[tuple[int, int]] = []
    parts = list(
        pair_topics(placements, criteria, progress=lambda _, done, of: calls.append((done, of)))
    )
    assert len(parts) > 2
    assert calls[-1] == (len(placements.topics), len(placements.topics))
    _compare(placements, parts, criteria)


def _compare(placements: Placements, parts: list[module.PairTopics], criteria: list) -> None:
    for number, criterion in enumerate(criteria):
        whole = topic_values(placements, criterion)
        found = np.concatenate([part.values[number] for part in parts])
        first, second = parts[0].first, parts[0].second
        assert list(zip(first, second, strict=True)) == [
            (a, c) for a in range(4) for c in range(a + 1, 4)
        ]
        assert np.array_equal(found, whole[:, first, second], equal_nan=True)
