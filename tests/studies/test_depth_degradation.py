"""The study of shallow runs: every number by its definition, on runs that are cut."""

from __future__ import annotations

import pandas as pd
import pytest

import irpref
from tests import literal
from tests.random_cases import make_case
from tests.studies.literal_degradation import (
    METHODS,
    Runs,
    agreeing,
    agreement,
    assert_found,
    degraded,
    values,
)

CASE = make_case(4, topics=8, systems=4, documents=8)
DATA = irpref.collect(CASE.qrels, CASE.runs)
LABELS = {topic: literal.relevant(CASE.grades[topic]) for topic in DATA.topics}
WHOLE = max(len(lists[t]) for lists in CASE.runs.values() for t in lists if t in LABELS)
STUDY = irpref.studies.depth_degradation.with_options({"depths": [3, 1, 500]})
FRAME = STUDY(DATA, METHODS, n_resamples=20).frame
DEPTHS = (1, 3, WHOLE)


def cut(depth: int) -> Runs:
    """The first documents of every run."""
    return {
        system: {
            topic: {document: scores[document] for document in literal.ranked(scores)[:depth]}
            for topic, scores in lists.items()
        }
        for system, lists in CASE.runs.items()
    }


@pytest.mark.parametrize("method", ["RR", "LP", "LR", "P@2", "middle_first"])
def test_every_number_is_what_its_definition_gives(method: str) -> None:
    for depth in DEPTHS:
        wanted = degraded([(LABELS, cut(depth))], LABELS, CASE.runs, method)
        assert_found(FRAME, method, str(depth), wanted)


@pytest.mark.parametrize("method", ["RR", "LP", "P@2", "middle_first"])
def test_lexirecall_agrees_with_others_on_the_cut_runs(method: str) -> None:
    for depth in DEPTHS:
        mine, theirs = (values(LABELS, cut(depth), name) for name in ("LR", method))
        counts = agreeing(
            *([v for each in found.values() for v in each.values()] for found in (mine, theirs))
        )
        wanted = {
            (method, f"LR agrees with the method, {kind}"): agreement(counts, kind)
            for kind in ("strict", "half", "decided")
        }
        assert_found(FRAME, "LR", str(depth), wanted)


def test_depths_that_no_run_reaches_are_left_out() -> None:
    assert set(FRAME["treatment"]) == {"1", "3", str(WHOLE)}
    retrieved = FRAME[FRAME["condition"] == "documents retrieved"].set_index("treatment")
    for depth in DEPTHS:
        sizes = [
            min(depth, len(CASE.run(system, topic))) for system in CASE.runs for topic in LABELS
        ]
        assert retrieved["estimate"][str(depth)] == pytest.approx(sum(sizes) / len(sizes))


def test_mistakes_are_told() -> None:
    with pytest.raises(ValueError, match="depths must be a whole number"):
        irpref.studies.depth_degradation(DATA, depths=[0])
    scores = pd.DataFrame(
        [(system, topic, 0.5) for system in DATA.systems for topic in DATA.topics],
        columns=["system", "topic", "value"],
    )
    with pytest.raises(ValueError, match="the scores clicks were computed from all documents"):
        irpref.studies.depth_degradation(DATA, {"clicks": scores})
