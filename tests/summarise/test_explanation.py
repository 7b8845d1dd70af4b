"""The items of two rankings side by side, and what each preference says of them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import IPSO, LP, LR, RPP
from tests import literal
from tests.literal_comparison import compare, small_cases
from tests.random_cases import Case


@settings(max_examples=8)
@given(small_cases, st.sampled_from((1, 2)))
def test_explanation_puts_the_items_side_by_side(case: Case, rel: int) -> None:
    comparison = compare(case, [LP, LR, RPP, IPSO @ 3])
    for topic in comparison.topics:
        explanation = comparison.explain(topic, "s0", "s1", rel=rel)
        grades = case.grades[topic]
        wanted = literal.relevant(grades, rel)
        for side, system in (("a", "s0"), ("b", "s1")):
            ranking = literal.ranked(case.run(system, topic))
            hits = [(d, grades[d], rank) for rank, d in enumerate(ranking, 1) if d in wanted]
            columns = [f"{column}_{side}" for column in ("document", "grade", "position")]
            rows = explanation.levels[columns]
            assert [tuple(row) for row in rows.dropna().to_numpy()] == hits
            assert len(rows) == len(wanted)
            assert rows.iloc[len(hits) :].isna().all(axis=None)
        assert list(explanation.levels["sign"]) == literal.signs(
            *(literal.positions(case.run(system, topic), wanted) for system in ("s0", "s1"))
        )
        values = explanation.decisions["value"].to_dict()
        assert values == {
            str(p): comparison.per_topic(p, "s0", "s1")[topic] for p in comparison.preferences
        }


def test_a_side_that_retrieves_nothing_keeps_its_columns_numbers() -> None:
    runs = {"found": {"1": {"d": 1.0}}, "lost": {"1": {"x": 1.0}}}
    report = irpref.compare({"1": {"d": 1}}, runs, LP).explain("1", "found", "lost").report
    assert str(report.records["position_b"].dtype) == "Int64"
    assert report.records["position_b"].isna().all()
    assert "rlrlrl" in report.to_latex()
