"""The numbers of every pair are those that are asked for one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref import IPSO, LP, RPP, nDCG
from irpref.pairwise.feeds.page_numbers import every_pair, pairs_of
from irpref.positions.topic_batch import TopicBatch
from tests.random_cases import Case, cases

COMPARED = [RPP, LP(ties="expected"), IPSO @ 3, IPSO(ties="expected") @ 2, nDCG @ 3]


@given(cases(topics=5, systems=4), st.permutations(range(4)), st.sampled_from(["worst", "skip"]))
def test_they_are_those_of_the_comparison(case: Case, order: list[int], missing: str) -> None:
    comparison = irpref.collect(case.qrels, case.runs, missing=missing).compare(COMPARED)
    placements = comparison.placements
    batch = TopicBatch(placements, first=np.array(order[:3]))
    pairs = list(combinations(order[:3], 2))
    assert list(zip(*(side.tolist() for side in pairs_of(order[:3])), strict=True)) == pairs
    for criterion, totals in comparison.totals.items():
        found, sums = every_pair(batch, criterion), totals[pairs_of(order[:3])]
        outcomes = comparison.outcomes(criterion).set_index(["a", "b"])
        for number, pair in enumerate(pairs):
            a, b = (placements.systems[each] for each in pair)
            values = comparison.per_topic(criterion, a, b).reindex(placements.topics)
            if values.notna().any():
                assert sums.mean[number] == comparison.mean(criterion).loc[a, b]
            else:
                assert np.isnan(sums.mean[number])
            turned = {"wins": "losses", "losses": "wins"} if pair[0] > pair[1] else {}
            counted = outcomes.loc[(a, b) if not turned else (b, a)]
            for name, counts in sums.outcomes(criterion).items():
                assert counts[number] == pytest.approx(counted[turned.get(name, name)], abs=1e-9)
            if not criterion.has_relations:
                assert found[:, number] == pytest.approx(values.to_numpy(), nan_ok=True, abs=0)
                continue
            labels = [relation.label for relation in criterion.relations]
            relations = comparison.relations(criterion, a, b)["relation"].reindex(placements.topics)
            said = [None if np.isnan(code) else labels[int(code)] for code in found[:, number]]
            assert said == [label if isinstance(label, str) else None for label in relations]
