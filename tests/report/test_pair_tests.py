"""Marks and captions say what was tested."""

from __future__ import annotations

import numpy as np

import irpref
from irpref import LP, RPP
from tests.random_cases import topics_of


def test_marks_and_captions_say_what_was_tested() -> None:
    qrels, runs = topics_of([5] * 12, [1, 2] * 6)
    comparison = irpref.compare(qrels, {"new": runs["new"], "old": runs["old"]}, [RPP, LP])
    report = comparison.report(test=irpref.PairTest(alpha=0.01))
    assert np.array_equal(report.tables[0].marks["mean"], ["†", "†"])
    assert "RPP and LP by randomization test (exact)" in report.to_latex(notes=True)
    assert r"$\alpha$ = 0.01" in report.to_latex(notes=True)
