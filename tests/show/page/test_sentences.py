"""The sentences of all topics and pairs are those that are said one by one."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import ASL, IPSO, LP, LR, RPP, STRPP, nDCG
from irpref.methods.names import as_criteria
from irpref.methods.preferences import rrLP
from irpref.pairwise.feeds.page_numbers import pairs_of
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.show.page.sentences import sentences
from irpref.show.reports.explanation_report import filled, in_words
from tests.random_cases import Case, cases, make_case


def braces(first: Any, second: Any) -> float:
    return float(np.sign(second.min() - first.min()))


SAID: list[Any] = [
    *(LP, LP(rel=2), LP @ 2, rrLP, LP(ties="expected")),
    *(LR, LR(rel=2) @ 3, LR(ties="expected") @ 2),
    *(RPP, RPP(graded=False), RPP(weights="dcg") @ 2, RPP(rel=2), STRPP),
    *(IPSO, IPSO @ 2, IPSO(graded=True) @ 3, IPSO(gains={1: 0.2, 2: 0.8, 3: 1}) @ 4),
    IPSO(ties="expected") @ 2,
    *(nDCG @ 3, ASL, irpref.preference(braces, label="{a} {level} of {b}")),
    *(LP(unjudged="any") @ 2, LR(unjudged="any") @ 2, IPSO(unjudged="any") @ 3),
    RPP(graded=False, unjudged="any") @ 2,
]
NAMES = "{b} wins", "{a:topic}"


def said(
    found: dict[str, Any], placements: Placements, order: list[int], topic: int, pair: int
) -> str:
    """The sentence of a topic and pair, made as the page makes it."""
    places = list(combinations(range(len(order)), 2))[pair]
    ab = [order[place] for place in places]
    form = found["form"][topic, pair]
    slots: dict[str, Any] = dict(zip("ab", NAMES, strict=True)) | found["said"][form]
    slots |= {name: int(column[topic, pair]) for name, column in found["columns"].items()}
    if rest := found["rest"]:
        slots[rest["slot"]] = int(rest["of"][topic]) - sum(slots[name] for name in rest["less"])
    if found["at_level"] and slots.get("level"):
        rows = placements.rows(topic)
        items = placements.positions[rows][placements.grades[rows] >= found["at_level"]["rel"]]
        for name, system in zip(("first", "second"), ab, strict=True):
            slots[name] = int(np.sort(items[:, system])[slots["level"] - 1])
    if found["scores"] is not None:
        for name, place in zip(("first", "second"), places, strict=True):
            slots[name] = float(found["scores"][topic, place])
    return filled(found["forms"][form], slots)


@pytest.mark.parametrize("criterion", SAID, ids=str)
@settings(max_examples=3)
@given(
    case=cases(topics=5, systems=4, documents=6),
    order=st.permutations(range(4)),
    missing=st.sampled_from(["worst", "skip"]),
)
def test_they_are_those_that_are_said_one_by_one(
    criterion: Any, case: Case, order: list[int], missing: str
) -> None:
    placements = irpref.collect(case.qrels, case.runs, missing=missing, lists=9).placements
    [compared] = as_criteria([criterion])
    systems = np.array(order[:3])
    batch = TopicBatch(placements, first=systems)
    found = sentences(compared.reasons(batch), batch.shape)
    for topic in range(len(placements.topics)):
        for pair, (a, b) in enumerate(zip(*pairs_of(systems), strict=True)):
            one = TopicBatch(
                placements, topics=np.array([topic]), first=np.array([a]), second=np.array([b])
            )
            expected = in_words(compared.reasons(one).row((0, 0, 0), one.shape), *NAMES)
            assert said(found, placements, order[:3], topic, pair) == expected


def test_numbers_that_can_be_looked_up_are_left_out() -> None:
    case = make_case(3, topics=9, systems=3)
    placements = case.collect()
    batch = TopicBatch(placements)
    columns = {}
    for criterion in (LP, RPP, nDCG @ 3, IPSO @ 2):
        [compared] = as_criteria([criterion])
        reasons = compared.reasons(batch)
        columns[str(compared)] = set(sentences(reasons, batch.shape)["columns"])
    assert columns == {
        "LP": {"level", "retrieved"},
        "RPP": {"won", "lost", "populations"},
        "nDCG@3": set(),
        "IPSO@2": {"first", "second"},
    }
