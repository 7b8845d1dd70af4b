"""What decides between two rankings: by definition, for one pair, and for all pairs as columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings

from irpref import IPSO, LP, LR, RPP
from irpref.base.errors import InputError
from irpref.methods.names import as_criteria
from irpref.methods.preferences import rrLP
from irpref.methods.preferences.criterion import Criterion
from irpref.methods.preferences.reasons import (
    EveryOrder,
    FirstLeads,
    HoweverJudged,
    OneLevel,
    Reason,
    RecallLevel,
)
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from tests.random_cases import Case, cases, place

# Two systems against two others: one of them is on both sides.
FIRST, SECOND = np.array([0, 2]), np.array([1, 3, 0])
ASKED: list[Any] = [
    *(LP, LP @ 2, LP(rel=2), rrLP, LP(ties="expected"), LP(unjudged="any") @ 2),
    *(LR, LR @ 2, LR(ties="expected") @ 2, LR(unjudged="any") @ 3),
    *(RPP, IPSO @ 2, IPSO(graded=True) @ 3, IPSO(ties="expected") @ 2, IPSO(unjudged="any") @ 2),
]


def collected(case: Case) -> Placements:
    try:
        return place(case.qrels, case.runs, lists=9)
    except InputError:
        # None of so few runs retrieves a judged document.
        reject()


def reason(criterion: Criterion, one: TopicBatch) -> Reason:
    return criterion.reasons(one).row((0, 0, 0), one.shape)


def one_pair(placements: Placements, topic: int, first: int, second: int) -> TopicBatch:
    return TopicBatch(
        placements, topics=np.array([topic]), first=np.array([first]), second=np.array([second])
    )


@pytest.mark.parametrize("asked", ASKED, ids=str)
@settings(max_examples=3)
@given(case=cases(topics=4, systems=4, documents=6))
def test_reasons_of_unequal_sides_have_a_row_for_each_pair(asked: Any, case: Case) -> None:
    placements = collected(case)
    [criterion] = as_criteria([asked])
    batch = TopicBatch(placements, first=FIRST, second=SECOND)
    reasons = criterion.reasons(batch)
    for topic in range(len(placements.topics)):
        for row, first in enumerate(FIRST.tolist()):
            for column, second in enumerate(SECOND.tolist()):
                wanted = reason(criterion, one_pair(placements, topic, first, second))
                assert reasons.row((topic, row, column), batch.shape) == wanted


@pytest.mark.parametrize("last", [False, True])
@settings(max_examples=30)
@given(case=cases(topics=2, systems=2, documents=6))
def test_one_level_decides_by_lexiprecision_and_lexirecall(last: bool, case: Case) -> None:
    placements = collected(case)
    preference: Any = LR if last else LP
    for topic in range(len(placements.topics)):
        positions = placements.positions[placements.rows(topic)]
        first, second = np.sort(positions, axis=0).T.tolist()
        differ = [level for level in range(len(first)) if first[level] != second[level]]
        lists = placements.unretrieved
        retrieved = sum(position < lists for position in first)
        counts = {"retrieved": retrieved, "lacking": len(first) - retrieved}
        wanted = OneLevel(level=None, **counts)
        if differ:
            level = differ[-1 if last else 0]
            at = [None if each >= lists else each for each in (first[level], second[level])]
            wanted = OneLevel(level=level + 1, first=at[0], second=at[1], **counts)
        found = reason(preference, one_pair(placements, topic, 0, 1))
        assert replace(found, levels=()) == wanted
        assert [each.level for each in found.levels] == ([wanted.level] if differ else [])


@pytest.mark.parametrize("preference", [LP, LR])
@settings(max_examples=5)
@given(case=cases(topics=1, systems=2, documents=5))
def test_no_level_decides_over_ties_and_judgments(preference: Any, case: Case) -> None:
    one = one_pair(collected(case), 0, 0, 1)
    assert reason(preference(ties="expected"), one) == EveryOrder()
    assert isinstance(reason(preference(unjudged="any") @ 3, one), HoweverJudged)
    assert isinstance(reason(preference, one), OneLevel)


@settings(max_examples=30)
@given(case=cases(topics=2, systems=2, documents=6))
def test_ipso_names_the_levels_where_each_ranking_leads_first(case: Case) -> None:
    placements = collected(case)
    for topic in range(len(placements.topics)):
        positions = placements.positions[placements.rows(topic)]
        first, second = np.sort(positions, axis=0).T.tolist()
        wanted = []
        for ours, theirs in ((first, second), (second, first)):
            ahead = [level for level, (p, q) in enumerate(zip(ours, theirs, strict=True)) if p < q]
            # The first lead is at the least position, where this ranking has one item more.
            wanted += [
                level + 1 for level in ahead if ours[level] == min(ours[each] for each in ahead)
            ]
        found = reason(IPSO, one_pair(placements, topic, 0, 1))
        assert isinstance(found, FirstLeads)
        assert [each.level for each in found.levels] == wanted
        assert all(isinstance(each, RecallLevel) for each in found.levels)


@settings(max_examples=30)
@given(case=cases(topics=4, systems=2, documents=6))
def test_graded_ipso_names_the_levels_of_each_grade_at_the_depths_of_the_leads(case: Case) -> None:
    placements, graded = collected(case), IPSO(graded=True)
    for topic in range(len(placements.topics)):
        one = one_pair(placements, topic, 0, 1)
        populations = one.populations("grades", 1)
        found = reason(graded, one)
        assert isinstance(found, FirstLeads)
        wanted = set()
        for index in np.flatnonzero(populations.topic == topic).tolist():
            positions = placements.positions[populations.rows(np.array([index]))[0]]
            first, second = np.sort(positions, axis=0).T.tolist()
            for depth, ours, theirs in (
                (found.first, first, second),
                (found.second, second, first),
            ):
                # Where both have the item there, nobody leads by it.
                wanted |= {
                    (index, level)
                    for level, (p, q) in enumerate(zip(ours, theirs, strict=True), start=1)
                    if p == depth and p < q
                }
        assert {(each.population, each.level) for each in found.levels} == wanted
        assert len(found.levels) == len(wanted)
