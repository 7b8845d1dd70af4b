"""Scores as labelled frames: every system on every topic, and how far ties can move their means."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import AP, RR, P
from irpref.pairwise.frames import tie_report, topic_scores
from tests.literal import ranked, relevant
from tests.random_cases import Case, cases, make_case


def reciprocal_rank(case: Case, system: str, topic: str) -> float:
    wanted = relevant(case.grades[topic])
    listed = ranked(case.run(system, topic))
    return next((1 / rank for rank, d in enumerate(listed, start=1) if d in wanted), 0.0)


@settings(max_examples=15)
@given(case=cases(systems=3), missing=st.sampled_from(("worst", "skip")))
def test_every_system_has_a_score_on_every_topic_that_counts(case: Case, missing: str) -> None:
    data = irpref.collect(case.qrels, case.runs, missing=missing)
    frame = topic_scores(data.placements, [RR, P @ 1])
    assert frame.columns.to_list() == ["system", "topic", "measure", "value"]
    assert frame["measure"].unique().tolist() == ["RR", "P@1"]
    found = frame[frame["measure"] == "RR"].set_index(["system", "topic"])["value"].to_dict()
    assert found == pytest.approx(
        {
            (system, topic): reciprocal_rank(case, system, topic)
            for system in case.runs
            for topic in case.grades
            if missing == "worst" or case.run(system, topic)
        }
    )
    # By measure, by system, and topics where nothing is relevant at the end.
    assert frame["system"].drop_duplicates().to_list() == list(case.runs)
    empty = [topic for topic, grades in case.grades.items() if not relevant(grades)]
    first = frame[(frame["measure"] == "RR") & (frame["system"] == "s0")]["topic"].to_list()
    assert set(empty).isdisjoint(first[: len(first) - len(set(empty) & set(first))])


def test_the_spread_of_ties_is_the_means_of_every_policy() -> None:
    case = make_case(4, topics=60, systems=3)
    data = irpref.collect(case.qrels, case.runs)
    frame = tie_report(data.placements, [AP, P @ 3])
    assert frame["measure"].to_list() == ["AP"] * 3 + ["P@3"] * 3
    for measure in (AP, P @ 3):
        rows = frame[frame["measure"] == str(measure)].set_index("system")
        for ties in ("trec", "expected", "worst", "best"):
            scored = data.evaluate(measure(ties=ties))
            means = scored.groupby("system")["value"].mean()
            pd.testing.assert_series_equal(rows[ties], means, check_names=False)
        assert rows["spread"].to_list() == pytest.approx(rows["best"] - rows["worst"])
        assert (rows["unsettled"] <= rows["straddled"]).all()
