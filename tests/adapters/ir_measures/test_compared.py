"""Objects of ir_measures in irpref's own calls."""

from __future__ import annotations

import ir_measures
import pytest

import irpref
from irpref_ir_measures import IPSO, ISL, RPP, TieRR

QRELS = {"1": {"d1": 1}, "2": {"d1": 1, "d2": 1}}
RUNS = {
    "a": {"1": {"d1": 2.0, "d2": 1.0}, "2": {"d1": 2.0, "x": 1.0}},
    "b": {"1": {"d1": 1.0, "d2": 1.0}, "2": {"d1": 2.0, "d2": 1.0}},
}


def test_objects_of_irpref_stand_for_irprefs_own() -> None:
    asked = [RPP, RPP(weights="3,1") @ 5, TieRR @ 10, ISL(n=100), IPSO]
    meant = [
        irpref.RPP,
        irpref.RPP(weights=(3, 1)) @ 5,
        irpref.TieRR @ 10,
        irpref.parse("ISL(n=100)"),
        irpref.IPSO,
    ]
    comparison = irpref.compare(QRELS, RUNS, asked)
    assert [str(each) for each in comparison.preferences] == [str(each) for each in meant]
    assert comparison.mean(RPP).equals(comparison.mean(irpref.RPP))
    scores = irpref.evaluate(QRELS, RUNS, TieRR @ 10)
    assert scores.equals(irpref.evaluate(QRELS, RUNS, irpref.TieRR @ 10))
    with pytest.raises(ValueError, match="RPP is not a measure but a preference"):
        irpref.evaluate(QRELS, RUNS, [RPP])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (RPP.over_first(), "leave out ref: here all pairs are compared, without a reference"),
        (RPP(ref="no.run") @ 10, r"RPP\(ref='no.run'\)@10: leave out ref"),
        (RPP(judged_only=True), "leave out judged_only: .* are options of compare"),
        (TieRR(duplicates="first", judged_only=True), "leave out duplicates and judged_only"),
        (IPSO(count="ni") @ 10, "leave out count"),
        (ir_measures.nDCG @ 10, "nDCG@10 is an object of ir_measures: give its text, .*scores"),
    ],
)
def test_what_means_nothing_in_irpref_is_refused(asked: object, message: str) -> None:
    for call in (irpref.compare, irpref.evaluate):
        with pytest.raises(ValueError, match=message):
            call(QRELS, RUNS, [asked])  # type: ignore[operator]
