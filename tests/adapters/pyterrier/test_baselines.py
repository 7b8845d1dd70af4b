"""One baseline or several: the columns of each are those of it alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from irpref_pyterrier import Experiment
from tests.adapters.pyterrier.demo import QRELS, TOPICS, Counting, pipelines

NAMES = ["boolean", "bm25", "tfidf", "bm25-prf"]
METRICS = ["map", "P_5", "RPP", "LP", "IPSO@10"]
MEASURES, PREFERENCES = METRICS[:2], METRICS[2:]


def found(baseline: Any, metrics: list[str] = METRICS, **options: Any) -> Any:
    return Experiment(pipelines(*NAMES), TOPICS, QRELS, metrics, baseline=baseline, **options)


@pytest.mark.parametrize(
    ("test", "names"),
    [
        (None, ["bm25", "tfidf"]),
        ("wilcoxon", ["bm25"]),
        ("sign", ["tfidf"]),
        ("randomization", ["tfidf"]),
        (stats.ttest_ind, ["bm25"]),
    ],
    ids=lambda test: getattr(test, "__name__", str(test)),
)
def test_the_columns_of_each_are_those_of_it_alone(test: Any, names: list[str]) -> None:
    both = found(["bm25", 2], test=test)
    for name in names:
        end = f" vs {name}"
        alone = found(name, test=test)
        own = [column for column in both.columns if column.endswith(end)]
        measured = ["name", *MEASURES]
        mine = both[[*measured, *own]].rename(
            columns=lambda column, end=end: column.removesuffix(end)
        )
        pd.testing.assert_frame_equal(mine, alone[list(mine.columns)])
        assert set(mine.columns) == set(alone.columns)


def test_measures_come_first_and_then_preferences_baseline_by_baseline() -> None:
    both = found([0, 1], ["map", "RPP"], correction="holm")
    test = ["+", "-", "p-value", "reject", "p-value corrected"]
    ours = ["+", "=", "-", "p-value", "reject", "p-value corrected"]
    assert both.columns.to_list() == [
        "name",
        "map",
        *[f"map {kind} vs boolean" for kind in test],
        *[f"map {kind} vs bm25" for kind in test],
        "RPP vs boolean",
        "RPP vs bm25",
        *[f"RPP {kind} vs boolean" for kind in ours],
        *[f"RPP {kind} vs bm25" for kind in ours],
    ]


def test_measures_are_tested_as_the_framework_tests_them() -> None:
    ours = found(["bm25", "boolean"], MEASURES, round=3)
    for number, name in ((1, "bm25"), (0, "boolean")):
        alone = pt.Experiment(pipelines(*NAMES), TOPICS, QRELS, MEASURES, baseline=number, round=3)
        own = [name for name in alone.columns if name.endswith((" +", " -", " p-value"))]
        assert own
        for column in own:
            pd.testing.assert_series_equal(
                ours[f"{column} vs {name}"], alone[column], check_names=False, check_exact=True
            )
    pd.testing.assert_frame_equal(ours[["name", *MEASURES]], alone[["name", *MEASURES]])


@pytest.fixture(scope="module", params=["holm", "bh"])
def corrected(request: pytest.FixtureRequest) -> tuple[str, list[str], pd.DataFrame]:
    """A correction, the baselines, and the table with it."""
    chosen = ["bm25", "tfidf", "boolean"]
    return request.param, chosen, found(chosen, correction=request.param, correction_alpha=0.2)


@pytest.mark.parametrize("metric", METRICS)
def test_a_correction_goes_over_all_pairs_once(
    corrected: tuple[str, list[str], pd.DataFrame], metric: str
) -> None:
    correction, chosen, table = corrected
    rows = table.set_index("name")
    pairs: dict[frozenset[str], float] = {}
    for baseline in chosen:
        for name in NAMES:
            if name != baseline:
                pairs[frozenset({name, baseline})] = rows.loc[
                    name, f"{metric} p-value vs {baseline}"
                ]
    assert len(pairs) == 6  # All pairs of four systems: of 9 columns' tests, 3 are there twice.
    method = "fdr_bh" if correction == "bh" else correction
    reject, expected, *_ = multipletests(list(pairs.values()), alpha=0.2, method=method)
    for pair, rejected, p in zip(pairs, reject, expected, strict=True):
        for name, baseline in (sorted(pair), sorted(pair, reverse=True)):
            if baseline in chosen:
                row = rows.loc[name]
                assert row[f"{metric} p-value corrected vs {baseline}"] == pytest.approx(p)
                assert row[f"{metric} reject vs {baseline}"] == rejected
    assert rows[f"{metric} reject vs bm25"].dtype == bool
    assert not rows.loc["bm25", f"{metric} reject vs bm25"]


def test_a_one_sided_test_is_another_test_in_the_other_direction() -> None:
    def greater(first: Any, second: Any) -> Any:
        return stats.ttest_rel(first, second, alternative="greater")

    ours = found([0, 1], ["map"], test=greater, correction="bonferroni").set_index("name")
    one, other = (
        ours.loc["bm25", "map p-value vs boolean"],
        ours.loc["boolean", "map p-value vs bm25"],
    )
    assert one + other == pytest.approx(1)
    assert ours.loc["bm25", "map p-value corrected vs boolean"] == pytest.approx(min(1, 6 * one))


def test_a_test_that_says_nothing_is_not_in_the_family() -> None:
    systems = {"one": Counting("bm25"), "same": Counting("bm25"), "other": Counting("boolean")}
    options: dict[str, Any] = {"baseline": ["one"], "correction": "bh"}
    ours = Experiment(systems, TOPICS, QRELS, ["map", "RPP"], **options).set_index("name")
    for metric in ("map", "RPP"):
        p, corrected, reject = (
            ours[f"{metric} {kind} vs one"] for kind in ("p-value", "p-value corrected", "reject")
        )
        assert np.isnan(p["same"])
        assert np.isnan(corrected["same"])
        assert not reject["same"]
        assert corrected["other"] == pytest.approx(p["other"])


def test_values_without_spread_take_the_sets_of_signs() -> None:
    ahead, behind = (
        pd.DataFrame(
            [(qid, docno, float(score)) for qid in TOPICS["qid"] for docno, score in scores],
            columns=["qid", "docno", "score"],
        )
        for scores in ([("a", 2), ("b", 1)], [("a", 1), ("b", 2)])
    )
    qrels = pd.DataFrame({"qid": TOPICS["qid"], "docno": "a", "label": 1})
    table = Experiment({"one": ahead, "two": behind}, TOPICS, qrels, ["RPP"], baseline="two")
    assert table.loc[0, "RPP p-value"] == 2 / 2 ** len(TOPICS)


def test_by_query_each_baseline_has_rows_of_its_own() -> None:
    rows = found([0, "tfidf"], ["map", "RPP"], perquery=True)
    both = found([0, "tfidf"], ["map", "RPP"], perquery="both").perquery
    pd.testing.assert_frame_equal(both, rows)
    assert set(rows["measure"]) == {"map", "RPP vs boolean", "RPP vs tfidf"}
    for number, name in ((0, "boolean"), (2, "tfidf")):
        alone = found(number, ["RPP"], perquery=True)
        mine = rows[rows["measure"] == f"RPP vs {name}"]
        assert mine["value"].to_list() == alone["value"].to_list()
        assert mine["qid"].to_list() == alone["qid"].to_list()


def test_without_dataframe_there_are_the_means() -> None:
    means = found([0, 1], ["map", "RPP"], dataframe=False)
    assert set(means["tfidf"]) == {"map", "RPP vs boolean", "RPP vs bm25"}
    assert means["bm25"]["RPP vs bm25"] == 0


def test_names_serve_lists_of_systems_too() -> None:
    systems = list(pipelines(*NAMES).values())
    by_name = Experiment(systems, TOPICS, QRELS, METRICS, names=NAMES, baseline="bm25")
    pd.testing.assert_frame_equal(by_name, found(1))
    several = Experiment(
        systems, TOPICS, QRELS, METRICS, names=NAMES, baseline=("bm25", np.int64(0))
    )
    pd.testing.assert_frame_equal(several, found([1, 0]))


def test_highlights_know_the_columns_of_each_baseline() -> None:
    html = found([0, 1], ["map", "RPP"], highlight="color").to_html()
    plain = found([0, 1], ["map", "RPP"])
    best = sum(
        (plain[name] == (plain[name].min() if " - " in name else plain[name].max())).sum()
        for name in plain.columns
        if name != "name" and "p-value" not in name and " = " not in name
    )
    styled = html[html.index("<style") : html.index("</style>")]
    assert styled.count("#T_") == best


@pytest.mark.parametrize(
    ("baseline", "message"),
    [
        (4, "no system 4: 0 is 'boolean', 1 is 'bm25'"),
        (-1, "no system -1"),
        ("bm52", "did you mean 'bm25'"),
        ([0, "bm52"], "did you mean 'bm25'"),
        ([], "leave baseline= out"),
        ([1, "bm25"], r"has system 'bm25' twice"),
        (True, "the name or the index of a system, not True"),
        (1.5, "the name or the index of a system, not 1.5"),
    ],
    ids=str,
)
def test_mistakes_are_explained(baseline: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        found(baseline)


def test_two_systems_of_one_name_cannot_be_told_apart() -> None:
    systems = list(pipelines("boolean", "bm25", "tfidf").values())
    for baseline in ("a", ["a"], [0, 2]):
        with pytest.raises(ValueError, match="two systems are named 'a'"):
            Experiment(systems, TOPICS, QRELS, ["RPP"], names=["a", "a", "b"], baseline=baseline)
    by_index = Experiment(systems, TOPICS, QRELS, ["RPP"], names=["a", "a", "b"], baseline=0)
    assert by_index["RPP"].nunique() == 3
