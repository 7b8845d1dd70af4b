"""Of how many pairs of runs a system is ahead, and what is warned of where its runs are not alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import irpref
from irpref import IPSO, LP, RPP, nDCG
from irpref.methods.names import as_criteria
from irpref.methods.preferences.over_runs import over_runs
from irpref.methods.preferences.reasons import NothingRelevant, PairsOfRuns
from irpref.positions.grouped import grouped
from irpref.positions.topic_batch import TopicBatch
from irpref.show.page.sentences import sentences
from irpref.show.reports.explanation_report import in_words
from tests.random_cases import make_case

GROUPS = {"one": ["s0", "s3"], "other": ["s1", "s2", "s5"]}
SYSTEMS = {"one": ["s0", "s3"], "other": ["s1", "s2", "s5"], "s4": ["s4"]}


@pytest.mark.parametrize("asked", [LP(rel=2), RPP, IPSO @ 2, nDCG @ 3], ids=str)
def test_reasons_count_the_pairs_of_runs(asked: Any) -> None:
    case = make_case(5, topics=7, systems=6)
    data = irpref.collect(case.qrels, case.runs, groups=GROUPS)
    placements = grouped(data.placements)
    single = irpref.collect(case.qrels, case.runs).compare(asked)
    [criterion] = over_runs(as_criteria([asked]), placements)
    batch = TopicBatch(placements, first=np.array([0, 2]), second=np.array([1, 2, 0]))
    reasons = criterion.reasons(batch)
    for topic, name in enumerate(placements.topics):
        for a, first in enumerate(["one", "s4"]):
            for c, second in enumerate(["other", "s4", "one"]):
                found = reasons.row((topic, a, c), batch.shape)
                pairs = [(x, y) for x in SYSTEMS[first] for y in SYSTEMS[second]]
                each = [single.per_topic(asked, *pair).get(name, np.nan) for pair in pairs]
                if np.isnan(each).all():
                    assert found == NothingRelevant()
                    continue
                won, lost = sum(x > 0 for x in each), sum(x < 0 for x in each)
                assert found == PairsOfRuns(won=won, lost=lost, pairs=len(pairs))
                mean = criterion.values(batch)[topic, a, c]
                assert mean == pytest.approx(np.mean(each), abs=1e-12)


def test_reasons_of_pairs_of_runs_are_sentences() -> None:
    said = in_words(PairsOfRuns(won=6, lost=2, pairs=9), "bert", "dora")
    assert said == "bert is ahead in 6 of 9 pairs of runs, dora in 2"
    said = in_words(PairsOfRuns(won=0, lost=1, pairs=1), "bert", "dora")
    assert said == "bert is ahead in 0 of 1 pair of runs, dora in 1"
    case = make_case(5, topics=7, systems=6)
    placements = grouped(irpref.collect(case.qrels, case.runs, groups=GROUPS).placements)
    [criterion] = over_runs(as_criteria([RPP]), placements)
    batch = TopicBatch(placements)
    found = sentences(criterion.reasons(batch), batch.shape)
    assert set(found["columns"]) == {"won", "lost", "pairs"}
    assert found["columns"]["pairs"][0].tolist() == [6, 2, 3]


def uneven_runs(*depths: int) -> dict[str, Any]:
    documents = [f"d{number}" for number in range(30)]
    return {f"s{number}": {"1": documents[:depth]} for number, depth in enumerate(depths)}


@pytest.mark.filterwarnings("ignore:one lists up to 10")
def test_uneven_runs_of_a_system_are_warned_of_once() -> None:
    qrels = {"1": {"d3": 1, "d20": 1}}
    with pytest.warns(
        UserWarning, match="The runs of one list 10 to 30 documents a topic: depth=10"
    ):
        found = irpref.compare(
            qrels, uneven_runs(30, 30, 10), [RPP, LP, RPP @ 5], groups={"one": ["s1", "s2"]}
        )
    assert sum("The runs of one" in each for each in found.warnings) == 1
    page = found.to_html(test=False)
    assert page is not None
    assert page.count("The runs of one list") == 1


@pytest.mark.filterwarnings("error")
def test_runs_that_are_cut_or_as_deep_are_not_warned_of() -> None:
    qrels = {"1": {"d3": 1, "d20": 1}}
    groups = {"one": ["s1", "s2"]}
    irpref.compare(qrels, uneven_runs(30, 30, 10), [RPP @ 5], groups=groups)
    irpref.compare(qrels, uneven_runs(30, 29, 30), [RPP], groups=groups)
