"""The items of two rankings side by side, and what each preference says of them."""

from __future__ import annotations

import pandas as pd
from hypothesis import given, settings

import irpref
from irpref import IPSO, LP, LR, RPP, STRPP
from tests import literal
from tests.literal_comparison import compare, small_cases
from tests.random_cases import Case


@settings(max_examples=8)
@given(small_cases)
def test_explanation_puts_the_items_side_by_side(case: Case) -> None:
    comparison = compare(case, [LP, LR(rel=2), RPP, IPSO @ 3])
    for topic in comparison.topics:
        explanation = comparison.explain(topic, "s0", "s1")
        grades = case.grades[topic]
        # Graded RPP asks about every grade; what LR(rel=2) asks about is among them.
        asked = sorted({grade for grade in grades.values() if grade >= 1})
        levels = explanation.levels
        assert set(levels["population"]) == {f"grade >= {grade:g}" for grade in asked}
        for grade in asked:
            wanted = literal.relevant(grades, grade)
            of_grade = levels[levels["population"] == f"grade >= {grade:g}"]
            for side, system in (("a", "s0"), ("b", "s1")):
                ranking = literal.ranked(case.run(system, topic))
                hits = [(d, grades[d], rank) for rank, d in enumerate(ranking, 1) if d in wanted]
                columns = [f"{column}_{side}" for column in ("document", "grade", "position")]
                rows = of_grade[columns]
                assert [tuple(row) for row in rows.dropna().to_numpy()] == hits
                assert len(rows) == len(wanted)
                assert rows.iloc[len(hits) :].isna().all(axis=None)
            assert list(of_grade["level"]) == list(range(1, len(wanted) + 1))
            assert list(of_grade["sign"]) == literal.signs(
                *(literal.positions(case.run(system, topic), wanted) for system in ("s0", "s1"))
            )
        values = explanation.decisions["value"].to_dict()
        assert values == {
            str(p): comparison.per_topic(p, "s0", "s1").get(topic, 0)
            for p in comparison.preferences
        }


@settings(max_examples=8)
@given(small_cases)
def test_every_level_that_a_decision_counts_is_in_the_table(case: Case) -> None:
    preferences = [RPP, RPP(graded=False), LP, LR(rel=2), IPSO @ 3, IPSO(graded=True) @ 3]
    comparison = compare(case, preferences)
    for topic in comparison.topics:
        explanation = comparison.explain(topic, "s0", "s1")
        levels, reasons = explanation.levels, explanation.reasons
        counts = {sign: int((levels["sign"] == sign).sum()) for sign in (1, 0, -1)}
        graded = reasons["RPP"]
        assert (graded.won, graded.tied, graded.lost) == (counts[1], counts[0], counts[-1])
        assert graded.populations == levels["population"].nunique()
        relevant = levels[levels["population"] == levels["population"].iloc[0]]
        binary = reasons["RPP(graded=False)"]
        assert (binary.won, binary.lost) == tuple((relevant["sign"] == s).sum() for s in (1, -1))
        marked = levels[levels["decides"] != ""]
        by_name = {
            name: [row for row in marked.itertuples() if name in row.decides.split(", ")]
            for name in reasons
        }
        assert not by_name["RPP"]
        differ = relevant[relevant["sign"] != 0]
        assert [row.level for row in by_name["LP"]] == list(differ["level"])[:1]
        at_least_2 = levels[levels["population"] == _grade_from(case.grades[topic], 2)]
        last = at_least_2[at_least_2["sign"] != 0]
        assert [row.level for row in by_name["LR(rel=2)"]] == list(last["level"])[-1:]
        for name in ("IPSO@3", "IPSO(graded=True)@3"):
            reason = reasons[name]
            depths = {row.position_a if row.sign > 0 else row.position_b for row in by_name[name]}
            assert depths == {reason.first, reason.second} - {None}


def _grade_from(grades: dict[str, int], least: int) -> str:
    """The population of the items of at least some grade."""
    enough = [grade for grade in grades.values() if grade >= least]
    return f"grade >= {min(enough):g}" if enough else "none"


def test_every_subtopic_has_its_levels_even_if_two_have_the_same_items() -> None:
    judgments = [("1", topic, "d", 1) for topic in ("s", "t")] + [("1", "t", "e", 1)]
    qrels = pd.DataFrame(judgments, columns=["query_id", "iteration", "doc_id", "relevance"])
    qrels = pd.concat([qrels, qrels[:1].assign(iteration="u")])
    runs = {"a": {"1": {"d": 2.0, "e": 1.0}}, "b": {"1": {"x": 3.0, "e": 2.0, "d": 1.0}}}
    explanation = irpref.compare(qrels, runs, STRPP).explain("1", "a", "b")
    sizes = explanation.levels.groupby("population").size().to_dict()
    assert sizes == {"any subtopic": 2, "subtopic s": 1, "subtopic t": 2, "subtopic u": 1}
    reason = explanation.reasons["STRPP"]
    assert reason.won + reason.tied + reason.lost == len(explanation.levels)


def test_a_side_that_retrieves_nothing_keeps_its_columns_numbers() -> None:
    runs = {"found": {"1": {"d": 1.0}}, "lost": {"1": {"x": 1.0}, "2": {"d": 1.0}}}
    report = (
        irpref.compare({"1": {"d": 1}, "2": {"d": 1}}, runs, LP)
        .explain("1", "found", "lost")
        .report
    )
    assert str(report.records["position_b"].dtype) == "Int64"
    assert report.records["position_b"].isna().all()
    assert "rlrlrl" in report.to_latex()
