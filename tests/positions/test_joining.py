"""Parts that are joined are the whole: topics, documents and judgments in the order of the qrels."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irpref
from irpref.base.reading_options import Reading
from irpref.positions.joining import joined
from irpref.positions.locating import LocatedRuns, locate_runs
from irpref.read.cutting import part_of
from irpref.read.stored import QRELS_ROW
from tests.random_cases import Case, make_case


def parts_of(case: Case, number: int, **how: Any) -> list[LocatedRuns]:
    """The parts, each of which was read by itself, and of which some may have no topic."""
    shuffled = case.qrels.sample(fraction=1, shuffle=True, seed=3)
    judged = shuffled.with_row_index(QRELS_ROW)
    parts = part_of(judged["query_id"], number)
    found = []
    for part in range(number):
        own = judged.filter(parts == part)
        topics = set(own["query_id"])
        runs = {
            name: {topic: of for topic, of in lists.items() if topic in topics} or None
            for name, lists in case.runs.items()
        }
        located = locate_runs(
            None if own.is_empty() else own.drop(QRELS_ROW),
            runs,
            Reading(**how),
            pool=True,
            part=f"part {part}",
        )
        table = located.selection_index.judgments.table
        located.selection_index.judgments.__dict__["table"] = table.with_columns(own[QRELS_ROW])
        found.append(located)
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", [2, 5, 30])
def test_parts_are_the_whole(number: int) -> None:
    for seed in range(4):
        case = make_case(seed, topics=12, subtopics=2, ties=bool(seed % 2))
        whole = locate_runs(
            case.qrels.sample(fraction=1, shuffle=True, seed=3),
            case.runs,
            Reading(lists=4),
            pool=True,
        )
        found = joined(parts_of(case, number, lists=4))
        one, other = found.placements, whole.placements
        assert one.topics == other.topics
        for name in ("positions", "tie_first", "tie_last"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        for name in ("retrieved", "listed", "repeated", "ignored"):
            np.testing.assert_array_equal(
                getattr(one.by_topic, name), getattr(other.by_topic, name)
            )
        np.testing.assert_array_equal(one.pool, other.pool)
        first, second = (
            irpref.Collection(each.placements, each.selection_index) for each in (found, whole)
        )
        assert first.judgments.equals(second.judgments)
        assert first.lists.equals(second.lists)
        keep = [random.Random(seed).random() < 0.6 for _ in range(len(first.judgments))]
        keep[0] = True
        asked = ["RPP", "nDCG@3"]
        frames = [of.select(judgments=keep).evaluate("AP") for of in (first, second)]
        assert frames[0].equals(frames[1])
        assert first.compare(asked).mean("RPP").equals(second.compare(asked).mean("RPP"))


def test_positions_that_need_more_room_are_as_wide_as_the_widest(tmp_path: Path) -> None:
    """One part has lists of 40,000 documents, which 16 bits cannot number."""
    long = {f"x{number}": -float(number) for number in range(40_000)}
    runs = {"a": {"1": {"d": 1.0}, "2": {**long, "d": -50_000.0}}}
    irpref.convert({topic: {"d": 1, "e": 1} for topic in "12"}, runs, tmp_path / "x", parts=2)
    placements = irpref.collect(tmp_path / "x").placements
    assert placements.unretrieved == np.iinfo(np.int32).max
    assert placements.positions.tolist() == [
        [1],
        [placements.unretrieved],
        [40_001],
        [placements.unretrieved],
    ]
    assert placements.coverage.retrieved.tolist() == [40_002]
