"""Not worse, or as good as a baseline: the columns of a margin, against scipy's t-tests."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from irpref import PairTest
from irpref_pyterrier import Experiment, compare
from tests.adapters.pyterrier.demo import QRELS, TOPICS, Counting, pipelines

NAMES = ["boolean", "bm25", "tfidf", "first-sentence"]
METRICS = ["map", "RPP", "LR", "IPSO@10"]
NOT_WORSE: dict[str, Any] = {"margin": 0.25, "alternative": "noninferior"}
AS_GOOD: dict[str, Any] = {"margin": 0.25, "alternative": "equivalent"}
pytestmark = pytest.mark.filterwarnings("ignore:.*differ on fewer than 10 topics:UserWarning")


def found(baseline: Any, metrics: list[str] = METRICS, **options: Any) -> Any:
    return Experiment(pipelines(*NAMES), TOPICS, QRELS, metrics, baseline=baseline, **options)


@pytest.fixture(scope="module")
def by_topic() -> dict[tuple[str, str, str], np.ndarray]:
    """The values of each system over each other one, by metric, from the tables by query."""
    values = {}
    for baseline in NAMES:
        rows = found([baseline], perquery=True)
        scores = rows.pivot_table(index=["measure", "qid"], columns="name", values="value")
        for metric in METRICS:
            end = "" if metric == "map" else f" vs {baseline}"
            table = scores.loc[f"{metric}{end}"]
            less = table[baseline] if metric == "map" else 0
            for name in NAMES:
                values[metric, name, baseline] = (table[name] - less).to_numpy()
    return values


def one_sided(values: np.ndarray, margin: float) -> float:
    return float(stats.ttest_1samp(values, -margin, alternative="greater").pvalue)


def claims(
    values: list[np.ndarray], asked: list[float], word: str, correction: str | None
) -> list[str]:
    """The verdicts by their definition: each kind of claim corrected for all tests."""

    def shown(p: list[float], level: float = 0.05) -> list[bool]:
        if correction is None:
            return [each < level for each in p]
        method = "fdr_bh" if correction == "bh" else correction
        return [bool(each) for each in multipletests(p, method=method)[1] < level]

    better = shown([one_sided(each, 0) for each in values], 0.025)
    worse = shown([one_sided(-each, 0) for each in values], 0.025)
    order = [("better", better), (word, shown(asked)), ("worse", worse)]
    if word == "equivalent":
        order[:2] = order[1::-1]
    return [
        next((claim for claim, flags in order if flags[number]), "undecided")
        for number in range(len(values))
    ]


def said_in(table: pd.DataFrame) -> set[str]:
    return {each for name in table for each in table[name] if " verdict" in name}


@pytest.fixture(scope="module")
def plain() -> pd.DataFrame:
    """The table of a baseline without a margin."""
    table: pd.DataFrame = found("bm25").set_index("name")
    return table


@pytest.mark.parametrize("correction", [None, "holm", "bh", "fdr_bh"])
def test_not_worse_is_scipys_test_of_each_system_over_the_baseline(
    by_topic: Any, plain: pd.DataFrame, correction: str | None
) -> None:
    table = found("bm25", correction=correction, **NOT_WORSE).set_index("name")
    method = {"bh": "fdr_bh"}.get(correction or "", correction)
    others = [name for name in NAMES if name != "bm25"]
    for metric in METRICS:
        values = [by_topic[metric, name, "bm25"] for name in others]
        p = [one_sided(each, 0.25) for each in values]
        assert table.loc[others, f"{metric} p-value"].to_list() == pytest.approx(p)
        verdicts = claims(values, p, "not worse", method)
        assert table.loc[others, f"{metric} verdict"].to_list() == verdicts
        assert pd.isna(table.loc["bm25", f"{metric} verdict"])
        assert np.isnan(table.loc["bm25", f"{metric} p-value"])
        if correction is None:
            assert f"{metric} reject" not in table
        else:
            corrected = multipletests(p, method=method)[1]
            columns = table.loc[others]
            assert columns[f"{metric} p-value corrected"].to_numpy() == pytest.approx(corrected)
            assert (columns[f"{metric} reject"] == (corrected < 0.05)).all()
            assert not table.loc["bm25", f"{metric} reject"]
        # What is counted and averaged stays what it is.
        for kind in ("", " +", " -", *([" ="] if metric != "map" else [])):
            pd.testing.assert_series_equal(table[f"{metric}{kind}"], plain[f"{metric}{kind}"])
    assert {"not worse", "worse"} <= said_in(table)


def test_as_good_is_asked_of_two_baselines_once(by_topic: Any) -> None:
    chosen = ["bm25", "boolean", "tfidf"]
    table = found(chosen, correction="holm", **AS_GOOD).set_index("name")
    # All pairs: three of the nine columns' tests are there twice.
    pairs = list(combinations(["first-sentence", "bm25", "boolean", "tfidf"], 2))
    turned = {"better": "worse", "worse": "better"}
    for metric in METRICS:
        values = [by_topic[(metric, *pair)] for pair in pairs]
        p = [max(one_sided(each, 0.25), one_sided(-each, 0.25)) for each in values]
        corrected = multipletests(p, method="holm")[1]
        verdicts = claims(values, p, "equivalent", "holm")
        for (a, b), adjusted, verdict in zip(pairs, corrected, verdicts, strict=True):
            for name, baseline, said in ((a, b, verdict), (b, a, turned.get(verdict, verdict))):
                if baseline in chosen:
                    row = table.loc[name]
                    assert row[f"{metric} p-value corrected vs {baseline}"] == pytest.approx(
                        adjusted
                    )
                    assert row[f"{metric} verdict vs {baseline}"] == said
    assert {"equivalent", "worse"} <= said_in(table)


def test_not_worse_is_asked_of_two_baselines_in_both_directions(by_topic: Any) -> None:
    table = found(["bm25", "boolean"], correction="bonferroni", **NOT_WORSE).set_index("name")
    for metric in METRICS:
        for baseline in ("bm25", "boolean"):
            for name in NAMES:
                if name != baseline:
                    p = one_sided(by_topic[metric, name, baseline], 0.25)
                    row = table.loc[name]
                    assert row[f"{metric} p-value vs {baseline}"] == pytest.approx(p)
                    assert row[f"{metric} p-value corrected vs {baseline}"] == pytest.approx(
                        min(1, 6 * p)
                    )


def test_the_columns_come_behind_those_of_the_tests() -> None:
    table = found(0, ["map", "RPP"], correction="holm", **NOT_WORSE)
    tests = ["p-value", "reject", "p-value corrected", "verdict"]
    assert table.columns.to_list() == [
        "name",
        "map",
        *[f"map {kind}" for kind in ["+", "-", *tests]],
        "RPP",
        *[f"RPP {kind}" for kind in ["+", "=", "-", *tests]],
    ]
    alone = found(0, ["RPP"], correction="holm", **NOT_WORSE)
    pd.testing.assert_frame_equal(alone, table[list(alone.columns)])
    measure = found(0, ["map"], correction="holm", **NOT_WORSE)
    pd.testing.assert_frame_equal(measure, table[list(measure.columns)])
    assert "not worse" in found(0, ["map"], highlight="bold", **NOT_WORSE).to_html()


def test_the_comparison_asks_the_same() -> None:
    comparison = compare(pipelines(*NAMES), TOPICS, QRELS, ["RPP", "LP"])
    table = found("bm25", ["RPP", "LP"], correction="holm", **NOT_WORSE).set_index("name")
    for metric in ("RPP", "LP"):
        tests = comparison.test(metric, baseline="bm25", test=PairTest(**NOT_WORSE)).set_index("a")
        mine = table.loc[tests.index]
        assert tests["p"].to_numpy() == pytest.approx(mine[f"{metric} p-value"].to_numpy())
        assert tests["p_adjusted"].to_numpy() == pytest.approx(
            mine[f"{metric} p-value corrected"].to_numpy()
        )
        assert tests["verdict"].to_list() == mine[f"{metric} verdict"].to_list()


def test_alike_systems_are_equivalent_and_skipped_topics_are_not_tested() -> None:
    systems = {"one": Counting("bm25"), "same": Counting("bm25"), "short": Counting("bm25")}
    frame = systems["short"].frame
    systems["short"].frame = frame[frame["qid"] == frame["qid"].iloc[0]]
    table = Experiment(
        systems, TOPICS, QRELS, ["map", "RPP"], baseline="one", missing="skip", **AS_GOOD
    ).set_index("name")
    for metric in ("map", "RPP"):
        assert table.loc["same", f"{metric} p-value"] == 2.0 ** -len(TOPICS)
        assert table.loc["same", f"{metric} verdict"] == "equivalent"
    # One topic is left: nothing can be said, as without a margin.
    assert np.isnan(table.loc["short", "RPP p-value"])
    assert pd.isna(table.loc["short", "RPP verdict"])


def test_systems_that_hardly_differ_warn() -> None:
    message = (
        r"IPSO@10: 3 of 3 pairs differ on fewer than 10 topics \(the first is boolean against bm25"
    )
    with pytest.warns(UserWarning, match=message):
        found("bm25", ["IPSO@10"], **NOT_WORSE)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*fewer than 10")
        found("bm25", ["map"], **NOT_WORSE)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0.1}, "say what to show: alternative='noninferior'"),
        ({"alternative": "equivalent"}, "needs a margin above 0"),
        ({**AS_GOOD, "margin": 0}, "margin must be a number above 0, not 0"),
        ({**AS_GOOD, "margin": 1}, "a margin of 1 holds every value of RPP: give one below 1"),
        ({**AS_GOOD, "alternative": "equal"}, "alternative"),
        ({**AS_GOOD, "baseline": None}, "tests against a baseline: give baseline= too"),
        ({**AS_GOOD, "test": stats.ttest_rel}, "t-tests, not by a function: leave test= out"),
        ({**AS_GOOD, "perquery": True}, "leave perquery= and dataframe= out"),
        ({**AS_GOOD, "dataframe": False}, "leave perquery= and dataframe= out"),
        ({**AS_GOOD, "correction": "sidak"}, "by 'holm', 'bonferroni' or 'bh', not by 'sidak'"),
        ({**AS_GOOD, "correction_alpha": 1}, "correction_alpha must lie between 0 and 1, not 1"),
        *(
            ({**AS_GOOD, "test": test}, f"a margin is tested by t-tests, not by '{test}'")
            for test in ("sign", "wilcoxon", "randomization", "flip", "hsd")
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(options: dict[str, Any], message: str) -> None:
    systems = pipelines(*NAMES)
    with pytest.raises(ValueError, match=message):
        Experiment(systems, TOPICS, QRELS, ["map", "RPP"], **{"baseline": 0, **options})
    assert not any(system.asked for system in systems.values())
