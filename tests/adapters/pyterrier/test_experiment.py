"""``pt.Experiment`` with our measures, and ``pt.pref.Experiment`` against the core and the former."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from scipy import stats

import irpref
from irpref import demo_paths
from irpref_ir_measures import IPSO, LP, RPP, TieAP, TieRR
from irpref_pyterrier import Experiment
from irpref_pyterrier.experiment import _measure_test
from tests.adapters.pyterrier.demo import (
    CORE,
    FRAMES,
    QRELS,
    QRELS_PATH,
    RUN_PATHS,
    TOPICS,
    Counting,
    column,
    pipelines,
)


def test_measures_work_in_the_framework_as_they_are() -> None:
    systems = pipelines("bm25-prf", "bm25", "boolean")
    reference = FRAMES["bm25"]
    rpp, ipso = RPP.against(reference), IPSO.against(reference) @ 10
    metrics = ["map", TieRR @ 10, rpp, ipso]
    found = pt.Experiment(list(systems.values()), TOPICS, QRELS, metrics, names=list(systems))
    scores = irpref.mean_scores(irpref.evaluate(QRELS_PATH, RUN_PATHS, ["TieRR@10"]))
    for name in systems:
        row = found.set_index("name").loc[name]
        assert row["TieRR@10"] == pytest.approx(scores.iloc[:, 0][name])
        assert row[str(rpp)] == pytest.approx(CORE.mean("RPP").loc[name, "bm25"])
        assert row[str(ipso)] == pytest.approx(CORE.mean("IPSO@10").loc[name, "bm25"])


def test_the_framework_counts_wins_over_a_reference_that_is_the_baseline() -> None:
    systems = pipelines("boolean", "bm25")
    bound = LP.against(FRAMES["bm25"], name="bm25")
    found = pt.Experiment(systems, TOPICS, QRELS, ["map", bound], baseline="bm25")
    outcome = CORE.outcomes("LP").set_index(["a", "b"]).loc["bm25", "boolean"]
    assert found.loc[0, "LP(ref='bm25') +"] == outcome["losses"]
    assert found.loc[0, "LP(ref='bm25') -"] == outcome["wins"]


def test_against_a_baseline_means_wins_and_p_values_are_those_of_the_core() -> None:
    systems = pipelines("boolean", "bm25", "tfidf")
    metrics = ["map", "RPP", "LP", "LR", "rrLP", "IPSO@10"]
    found = Experiment(systems, TOPICS, QRELS, metrics, baseline="bm25", correction="holm")
    assert all(sorted(system.asked) == sorted(TOPICS["qid"]) for system in systems.values())
    for text in metrics[1:]:
        assert column(found, text) == pytest.approx(
            CORE.mean(text).loc[list(systems), "bm25"].to_dict()
        )
        raw = []
        for name in ("boolean", "tfidf"):
            values = CORE.per_topic(text, name, "bm25").to_numpy()
            wins, losses = np.count_nonzero(values > 0), np.count_nonzero(values < 0)
            row = found.set_index("name").loc[name]
            assert (row[f"{text} +"], row[f"{text} -"]) == (wins, losses)
            ties = len(values) - wins - losses
            if text == "IPSO@10":
                relations = CORE.relations(text, name, "bm25")["relation"]
                assert row["IPSO@10 **"] == (relations == "**").sum()
                assert row["IPSO@10 ="] == (relations == "=").sum()
            else:
                assert row[f"{text} ="] == ties
                assert f"{text} **" not in found
            expected = (
                stats.ttest_1samp(values, 0).pvalue
                if text in ("RPP", "rrLP")
                else stats.binomtest(wins, wins + losses).pvalue
            )
            assert row[f"{text} p-value"] == pytest.approx(expected)
            raw.append(expected)
        corrected = found.loc[[0, 2], f"{text} p-value corrected"].tolist()
        least, most = sorted(raw)
        holm = {least: min(1, 2 * least), most: min(1, max(2 * least, most))}
        assert corrected == pytest.approx([holm[p] for p in raw])
        assert found[f"{text} reject"].tolist() == [
            bool(p < 0.05) for p in (corrected[0], 1, corrected[1])
        ]
        assert found.loc[1, [f"{text} +", f"{text} =", f"{text} p-value"]].isna().all()


def test_ordinary_measures_are_those_of_the_framework() -> None:
    options: dict[str, Any] = {"baseline": 1, "correction": "bonferroni", "round": {"map": 2}}
    metrics = ["map", "ndcg_cut_10", TieAP]
    alone = pt.Experiment(pipelines("boolean", "bm25", "tfidf"), TOPICS, QRELS, metrics, **options)
    both = Experiment(
        pipelines("boolean", "bm25", "tfidf"), TOPICS, QRELS, [*metrics, "RPP"], **options
    )
    pd.testing.assert_frame_equal(both[alone.columns], alone)
    assert both.columns[len(alone.columns)] == "RPP"
    without = Experiment(pipelines("boolean", "bm25", "tfidf"), TOPICS, QRELS, metrics, **options)
    pd.testing.assert_frame_equal(without, alone)


def test_without_a_baseline_it_is_the_mean_over_all_others() -> None:
    systems = pipelines("boolean", "bm25", "tfidf")
    found = Experiment(systems, TOPICS, QRELS, ["RPP", irpref.LP, IPSO @ 10])
    assert found.columns.to_list() == ["name", "RPP", "LP", "IPSO@10"]
    for text in found.columns[1:]:
        mean = CORE.mean(text).loc[list(systems), list(systems)]
        assert column(found, text) == pytest.approx((mean.sum(axis=1) / 2).to_dict())


@pytest.mark.parametrize(
    ("options", "baseline"),
    [({}, None), ({"batch_size": 5}, 0), ({"plan": "tree", "verbose": False}, None)],
    ids=str,
)
def test_by_query_the_values_are_those_of_the_core(
    options: dict[str, Any], baseline: int | None
) -> None:
    systems = pipelines("boolean", "bm25", "tfidf")
    both = Experiment(
        systems, TOPICS, QRELS, ["map", "RPP"], perquery="both", baseline=baseline, **options
    )
    assert all(sorted(system.asked) == sorted(TOPICS["qid"]) for system in systems.values())
    found = Experiment(
        pipelines(*systems), TOPICS, QRELS, ["map", "RPP"], perquery=True, baseline=baseline
    )
    order = ["name", "qid", "measure"]
    pd.testing.assert_frame_equal(
        both.perquery.sort_values(order, ignore_index=True),
        found.sort_values(order, ignore_index=True),
    )
    rows = found[found["measure"] == "RPP"].set_index(["name", "qid"])["value"]
    assert len(rows) == 3 * len(TOPICS)
    versus = ["boolean"] if baseline == 0 else None
    for name in systems:
        others = versus or [other for other in systems if other != name]
        values = sum(CORE.per_topic("RPP", name, other) for other in others) / len(others)
        assert rows[name].to_dict() == pytest.approx(values.to_dict())
        mean = both.averages.set_index("name").loc[name, "RPP"]
        assert mean == pytest.approx(values.mean())


def test_without_dataframe_there_are_dicts() -> None:
    systems = pipelines("boolean", "bm25")
    means = Experiment(systems, TOPICS, QRELS, ["map", "RPP"], dataframe=False)
    assert set(means["bm25"]) == {"map", "RPP"}
    assert means["bm25"]["RPP"] == pytest.approx(CORE.mean("RPP").loc["bm25", "boolean"])
    means = Experiment(systems, TOPICS, QRELS, ["RPP"], dataframe=False, baseline=0)
    assert means == {"boolean": {"RPP": 0}, "bm25": {"RPP": pytest.approx(means["bm25"]["RPP"])}}
    averages, queries = Experiment(systems, TOPICS, QRELS, ["LP"], dataframe=False, perquery="both")
    assert set(averages["bm25"]) == {"LP"}
    assert {number: set(values) for number, values in queries.items()} == {
        number: set(TOPICS["qid"]) for number in (0, 1)
    }
    assert queries[1]["1"] == {"LP": CORE.per_topic("LP", "bm25", "boolean")["1"]}


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", stats.ttest_rel, "randomization"])
def test_a_test_may_be_chosen(test: Any) -> None:
    found = Experiment(
        pipelines("boolean", "bm25"), TOPICS, QRELS, ["map", "RPP"], baseline=0, test=test
    )
    values = CORE.per_topic("RPP", "bm25", "boolean").to_numpy()
    wins, losses = np.count_nonzero(values > 0), np.count_nonzero(values < 0)
    p = found.loc[1, "RPP p-value"]
    if test == "sign":
        assert p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)
    elif test == "wilcoxon":
        assert 0 < p < 1
    else:
        assert p == pytest.approx(stats.ttest_1samp(values, 0).pvalue, rel=0.2)
    assert 0 < found.loc[1, "map p-value"] <= 1


@pytest.mark.parametrize("test", ["sign", "randomization"])
def test_float_noise_of_a_measure_is_no_win(test: str) -> None:
    of_measures = _measure_test(test)
    assert of_measures([0.1 + 0.2] * 9, [0.3] * 9)[1] == 1


def test_rounding_and_highlighting_are_those_of_the_framework() -> None:
    systems = pipelines("boolean", "bm25", "tfidf")
    plain = Experiment(systems, TOPICS, QRELS, ["map", "RPP"], baseline=0, round=2)
    assert column(plain, "RPP")["bm25"] == round(CORE.mean("RPP").loc["bm25", "boolean"], 2)
    exact = Experiment(systems, TOPICS, QRELS, ["map", "RPP"], baseline=0, round={"map": 1})
    assert column(exact, "RPP")["bm25"] == pytest.approx(CORE.mean("RPP").loc["bm25", "boolean"])
    for highlight in ("bold", "color"):
        styled = Experiment(
            systems, TOPICS, QRELS, ["map", "RPP"], baseline=0, round=2, highlight=highlight
        )
        pd.testing.assert_frame_equal(styled.data, plain)
        html = styled.to_html()
        assert ("font-weight: bold" if highlight == "bold" else "lightgreen") in html
    with pytest.raises(ValueError, match="highlight must be 'bold' or 'color'"):
        Experiment(systems, TOPICS, QRELS, ["RPP"], highlight="blink")


def test_mean_response_time_stays() -> None:
    found = Experiment(pipelines("boolean", "bm25"), TOPICS, QRELS, ["mrt", "RPP"])
    assert found.columns.to_list() == ["name", "mrt", "RPP"]
    assert (found["mrt"] > 0).all()


@pytest.mark.parametrize("save_format", ["trec", pickle], ids=["trec", "pickle"])
def test_results_are_saved_and_taken_up_again(tmp_path: Path, save_format: Any) -> None:
    options: dict[str, Any] = {"save_dir": str(tmp_path), "save_format": save_format}
    names = ("boolean", "bm25")
    first = Experiment(pipelines(*names), TOPICS, QRELS, ["map", "RPP"], baseline=0, **options)
    saved = pd.read_csv(tmp_path / "preferences.csv", dtype={"qid": str})
    assert len(saved) == 2 * len(TOPICS)
    mean = saved[saved["name"] == "bm25"]["value"].mean()
    assert mean == pytest.approx(column(first, "RPP")["bm25"])
    systems = pipelines(*names)
    again = Experiment(
        systems, TOPICS, QRELS, ["map", "RPP"], baseline=0, save_mode="reuse", **options
    )
    assert not any(system.asked for system in systems.values())
    pd.testing.assert_frame_equal(again, first)


def test_common_stages_run_once_in_a_tree() -> None:
    first = Counting("bm25")
    systems = [first, first % 5, first % 10]
    found = Experiment(
        systems,
        TOPICS,
        QRELS,
        ["RPP"],
        names=["all", "5", "10"],
        baseline=0,
        plan="tree",
        verbose=False,
    )
    assert sorted(first.asked) == sorted(TOPICS["qid"])
    means = column(found, "RPP")
    assert means["5"] < means["10"] < means["all"] == 0


def test_pipelines_are_validated_as_they_are() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Experiment(pipelines("boolean", "bm25"), TOPICS, QRELS, ["map", "RPP"], validate="error")
    wrong = pt.apply.generic(lambda topics: topics[["qid"]])
    with pytest.raises(ValueError, match="do not produce the required outputs"):
        Experiment([wrong, Counting("bm25")], TOPICS, QRELS, ["RPP"], validate="error")


def test_qrels_may_be_a_path_and_topics_are_filtered_or_not() -> None:
    some = TOPICS[:5]
    found = Experiment(pipelines("boolean", "bm25"), some, str(QRELS_PATH), ["map", "RPP"])
    values = CORE.per_topic("RPP", "bm25", "boolean")[list(some["qid"])]
    assert column(found, "RPP")["bm25"] == pytest.approx(values.mean())
    all_judged = Experiment(
        pipelines("boolean", "bm25"), some, QRELS, ["RPP"], filter_by_topics=False
    )
    # On the other topics both have retrieved nothing.
    assert column(all_judged, "RPP")["bm25"] == pytest.approx(values.sum() / len(TOPICS))
    more = pd.concat([TOPICS, pd.DataFrame({"qid": ["99"], "query": ["any"]})])
    systems = pipelines("boolean", "bm25")
    Experiment(systems, more, QRELS, ["RPP"], filter_by_qrels=True)
    assert "99" not in systems["bm25"].asked


def test_topics_without_relevant_items_are_ties() -> None:
    nothing = QRELS.assign(label=QRELS["label"].where(QRELS["qid"] != "1", 0))
    systems = pipelines("boolean", "bm25")
    found = Experiment(systems, TOPICS, nothing, ["LP"], baseline=0).set_index("name").loc["bm25"]
    values = CORE.per_topic("LP", "bm25", "boolean").drop("1")
    assert found["LP"] == pytest.approx(values.sum() / (len(values) + 1))
    assert found["LP ="] == (values == 0).sum() + 1
    bound = LP.against(FRAMES["boolean"])
    by_framework = pt.Experiment([systems["bm25"]], TOPICS, nothing, [bound])
    assert by_framework.iloc[0, 1] == pytest.approx(found["LP"])
    none = QRELS.assign(label=0)
    assert (Experiment(systems, TOPICS, none, ["RPP"])["RPP"] == 0).all()


def test_the_core_says_the_same_on_real_runs(shared_data: Path) -> None:
    folder = shared_data / "web12"
    paths = sorted((folder / "runs").iterdir())[:3]
    qrels = pt.io.read_qrels(str(folder / "qrels.txt"))
    frames = [pt.io.read_results(str(path)) for path in paths]
    topics = pd.DataFrame({"qid": qrels["qid"].unique(), "query": "any"})
    texts = ["RPP", "LP", "IPSO@10", "dcgRPP@20"]
    names = [irpref.read.name_of_run(path) for path in paths]
    bound = RPP.against(frames[0], name="first")
    found = Experiment(frames, topics, qrels, [*texts, bound], names=names, baseline=0)
    core = irpref.compare(folder / "qrels.txt", paths, texts)
    share = len(core.topics) / len(topics)
    for text in texts:
        # Topics without relevant items count as ties here.
        expected = (core.mean(text)[names[0]] * share).to_dict()
        assert column(found, text) == pytest.approx(expected, abs=1e-12)
    assert found[str(bound)].to_list() == pytest.approx(found["RPP"].to_list())


def test_subtopics_are_read_from_the_iteration() -> None:
    path = demo_paths(subtopics=True)[0]
    names = ["qid", "iteration", "docno", "label"]
    judged = pd.read_csv(path, sep=r"\s+", names=names, dtype={"qid": str, "iteration": str})
    found = Experiment(pipelines("boolean", "bm25"), TOPICS, judged, ["STRPP"], baseline=0)
    core = irpref.compare(path, RUN_PATHS, ["STRPP"]).mean("STRPP").loc["bm25", "boolean"]
    assert column(found, "STRPP") == {"boolean": 0, "bm25": pytest.approx(core)}
    with pytest.raises(ValueError, match="name no subtopics"):
        Experiment(pipelines("boolean", "bm25"), TOPICS, QRELS, ["STRPP"])


def test_what_holds_however_unjudged_documents_are_judged() -> None:
    systems = pipelines("boolean", "bm25", "tfidf")
    certain = irpref.IPSO(unjudged="any") @ 20
    found = Experiment(systems, TOPICS, QRELS, [certain], baseline="bm25").set_index("name")
    core = irpref.compare(QRELS_PATH, RUN_PATHS, [certain])
    assert core.outcomes(certain)["uncertain"].any()
    for name in systems:
        assert found.loc[name, str(certain)] == pytest.approx(core.mean(certain).loc[name, "bm25"])
