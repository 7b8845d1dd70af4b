"""ranx's p-values, corrected for the number of pairs, against statsmodels."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
import ranx
from ranx import Qrels, Run
from ranx.data_structures import Report
from statsmodels.stats.multitest import multipletests

from irpref_ranx import compare

pytestmark = pytest.mark.slow

METRICS = ["map", "ndcg@10", "tie_mrr@10"]


@pytest.mark.parametrize(
    ("correction", "theirs"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")]
)
@pytest.mark.parametrize("more", [[], ["rpp"]])
def test_each_metric_is_a_family_of_pairs(
    demo: Any, correction: Any, theirs: str, more: list[str]
) -> None:
    plain = ranx.compare(*demo, METRICS, max_p=0.05)
    found = compare(*demo, [*METRICS, *more], max_p=0.05, correction=correction)
    pairs = list(combinations(plain.model_names, 2))
    for metric in METRICS:
        p = [plain.comparisons[pair][metric]["p_value"] for pair in pairs]
        wanted = multipletests(p, method=theirs)[1]
        tests = [found.comparisons[pair][metric] for pair in pairs]
        assert [test["p_value"] for test in tests] == pytest.approx(list(wanted), rel=1e-12)
        assert [test["significant"] for test in tests] == [p <= 0.05 for p in wanted]
        for name in plain.model_names:
            assert found.results[name][metric] == plain.results[name][metric]
        for pair, outcomes in plain.win_tie_loss.items():
            assert found.win_tie_loss[pair][metric] == outcomes[metric]


def test_the_report_says_the_correction(demo: Any) -> None:
    report = compare(*demo, METRICS, correction="bonferroni", max_p=0.05)
    said = "paired Student's t-test, Bonferroni over 15 pairs (MAP, NDCG@10, Tie MRR@10)"
    assert str(report).splitlines()[-1] == f"- {said}"
    assert said in report.to_latex()
    assert report.to_dict()["correction"] == "bonferroni"
    pair = compare(demo[0], demo[1][:2], ["map", "rpp"], correction="bh")
    assert str(pair).count("one pair, uncorrected") == 2
    assert "pairs" not in str(pair)
    assert "Benjamini" not in str(pair) + pair.to_latex()
    saved = pair.to_dict()
    assert saved["correction"] is saved["preferences"]["rpp"]["correction"] is None
    assert "|correction:none|" in saved["preferences"]["rpp"]["signature"]
    for test in ("randomization", "hsd"):
        whole = compare(demo[0], demo[1][:2], ["rpp"], preference_test=test)  # type: ignore[arg-type]
        assert ", one pair, uncorrected, of the mean" in str(whole)


def test_by_default_ranx_s_p_values_are_ranx_s(demo: Any) -> None:
    wanted = ranx.compare(*demo, METRICS)
    for options in ({}, {"correction": None}, {"correction": "auto"}):
        found = compare(*demo, METRICS, **options)
        assert type(found) is Report
        assert str(found) == str(wanted)
    mixed = compare(*demo, ["map", "rpp"])
    assert "uncorrected (MAP)" in str(mixed)
    said = "randomization test, over all 15 pairs, of the mean preference over each other\n  system (RPP)"
    assert said in str(mixed)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_runs_that_nowhere_differ_stay_nan_and_count_as_pairs() -> None:
    topics = [f"q_{number}" for number in range(9)]
    judged = Qrels({topic: {"garden-001": 1} for topic in topics})
    ahead = {t: {"garden-001": 2.0, "garden-002": 1.0} for t in topics}
    behind = {
        t: {"garden-001": 1.0, "garden-002": 2.0, **({"garden-003": 3.0} if n % 2 else {})}
        for n, t in enumerate(topics)
    }
    runs = [Run(ahead, name="a"), Run(ahead, name="b"), Run(behind, name="c")]
    plain = ranx.compare(judged, runs, "mrr")
    found = compare(judged, runs, "mrr", correction="bonferroni")
    assert np.isnan(found.comparisons["a", "b"]["mrr"]["p_value"])
    assert found.comparisons["a", "b"]["mrr"]["significant"] is False
    assert found.comparisons["a", "c"]["mrr"]["p_value"] == pytest.approx(
        3 * plain.comparisons["a", "c"]["mrr"]["p_value"]
    )


def test_tukey_corrects_by_itself(demo: Any) -> None:
    with pytest.raises(ValueError, match="corrects for all pairs by itself"):
        compare(*demo, METRICS, stat_test="tukey", correction="holm")
    report = compare(*demo, ["map", "rpp"], stat_test="tukey")
    assert "Tukey's HSD test, over all 15 pairs (MAP)" in str(report)


def test_an_unknown_correction_is_refused(demo: Any) -> None:
    with pytest.raises(ValueError, match="did you mean 'holm'"):
        compare(*demo, METRICS, correction="hol")  # type: ignore[arg-type]
