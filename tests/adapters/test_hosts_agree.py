"""One collection in three hosts: the means are the same, over all topics of the qrels."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pandas as pd
import pyterrier as pt
import pytest
import ranx
from ir_measures import AP

import irpref_ir_measures
import irpref_ranx
from irpref_ir_measures import RPP

# Nothing is relevant in q_2, and nothing of grade 2 in q_3.
GRADES = {
    "q_1": {"garden-001": 2, "garden-002": 1},
    "q_2": {"garden-001": 0},
    "q_3": {"garden-003": 1, "garden-001": 0},
}
RUNS = {
    "new": {q: {"garden-001": 3.0, "garden-002": 2.0, "garden-003": 1.0} for q in GRADES},
    "old": {q: {"garden-003": 3.0, "garden-001": 2.0, "garden-002": 1.0} for q in GRADES},
}


def frame(nested: dict[str, dict[str, Any]], value: str) -> pd.DataFrame:
    rows = [(q, d, v) for q, documents in nested.items() for d, v in documents.items()]
    return pd.DataFrame(rows, columns=["qid", "docno", value])


def results(name: str, *topics: str) -> pd.DataFrame:
    found = frame({topic: RUNS[name][topic] for topic in topics or GRADES}, "score")
    return pt.model.add_ranks(found.assign(query="any"))


@pytest.mark.parametrize(("rel", "wanted"), [(1, [1, 0, -1]), (2, [1, 0, 0])])
def test_the_mean_is_over_all_topics(rel: int, wanted: list[int]) -> None:
    bound = RPP(rel=rel).against(RUNS["old"], name="old")
    in_ir_measures = irpref_ir_measures.provider.calc_aggregate([bound], GRADES, RUNS["new"])
    metric = "rpp" if rel == 1 else "rpp-l2"
    with irpref_ranx.reference(RUNS["old"]):
        in_ranx = ranx.evaluate(GRADES, RUNS["new"], metric)
    report = irpref_ranx.compare(GRADES, RUNS, [metric])
    topics = pd.DataFrame({"qid": list(GRADES), "query": "any"})
    systems = {name: pt.Transformer.from_df(results(name)) for name in RUNS}
    over_first = RPP(rel=rel).over_first()
    averages = pt.Experiment(
        {name: systems[name] for name in ("old", "new")},
        topics,
        frame(GRADES, "label"),
        [over_first],
        baseline="old",
    ).set_index("name")
    found = [
        in_ir_measures[bound],
        in_ranx,
        report.results["new"][metric],
        averages.loc["new", str(over_first)],
    ]
    assert found == pytest.approx([fmean(wanted)] * 4)
    won = [sum(value == sign for value in wanted) for sign in (1, 0, -1)]
    assert list(report.win_tie_loss["new", "old"][metric].values()) == won
    assert [averages.loc["new", f"{over_first} {sign}"] for sign in "+-"] == [won[0], won[2]]


def test_a_measure_of_another_provider_is_unsupported() -> None:
    with pytest.raises(ValueError, match=r"^unsupported measure AP$"):
        irpref_ir_measures.provider.calc_aggregate(
            [irpref_ir_measures.TieRR, AP], GRADES, RUNS["new"]
        )


def test_ranx_counts_the_same_topics_for_its_own_metrics() -> None:
    qrels = ranx.Qrels(GRADES)
    runs = [ranx.Run(run, name=name) for name, run in RUNS.items()]
    report = irpref_ranx.compare(qrels, runs, ["map", "rpp", "ipso@10"])
    for outcome in report.win_tie_loss["new", "old"].values():
        assert outcome["W"] + outcome["T"] + outcome["L"] == len(GRADES)
