"""The report of a comparison, whatever is asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest

import irpref
from irpref import IPSO, LP, RPP, demo_paths

QRELS, RUNS = demo_paths()


@pytest.mark.parametrize("test", [None, "fit", "hsd"])
@pytest.mark.parametrize("systems", [2, 6])
def test_every_report_goes_to_every_format_and_back(systems: int, test: str | None) -> None:
    comparison = irpref.compare(QRELS, RUNS[:systems], [RPP, LP, IPSO @ 10])
    method = None if test == "fit" else test
    seeded: Any = False if test is None else irpref.PairTest(method=method, rng=1, n_resamples=400)
    reports = [comparison.report(test=seeded)]
    if systems > 2 and test != "hsd":
        reports.append(comparison.report(baseline="bm25", test=test))  # type: ignore[arg-type]
    for report in reports:
        written = json.loads(report.to_json())
        assert written["signatures"] == list(report.signatures)
        assert [row["signature"] for row in written["results"]] == report.rows[
            "signature"
        ].to_list()
        assert r"\toprule" in report.to_latex()
        [line] = report.signature_lines
        for form in ("to_text", "to_latex", "to_markdown"):
            assert line in getattr(report, form)()
        for line in report.signatures:
            assert ("test:" in line) == (test is not None) or systems > 2
        signed = report.records["signature"]
        assert set(signed) == set(report.signatures)
