"""Without ties, and under trec_eval's order of ties, the values of pytrec_eval on real runs.

pytrec_eval compares scores as float32, and so ties some that differ. Both sides therefore get ranks for
scores: whole numbers of at most a few thousand, which float32 keeps apart.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irpref
from irpref.methods.measures import AP, F1, RP, RR, Measure, P, R, RankedItems, Success, nDCG
from irpref.read import read_qrels, read_run
from irpref.read.names_of_runs import name_runs
from tests.random_cases import Case, cases, place

pytrec_eval = pytest.importorskip("pytrec_eval")

MEASURES: dict[str, Measure] = {
    "recip_rank": RR,
    "map": AP,
    "map_cut_10": AP @ 10,
    "ndcg": nDCG,
    "ndcg_cut_10": nDCG @ 10,
    "ndcg_cut_1000": nDCG @ 1000,
    "P_5": P @ 5,
    "P_1000": P @ 1000,
    "recall_5": R @ 5,
    "recall_1000": R @ 1000,
    "set_P": P,
    "set_recall": R,
    "set_F": F1,
    "Rprec": RP,
    "success_1": Success @ 1,
    "success_10": Success @ 10,
}


def dense_ranks(run: pl.DataFrame) -> pl.DataFrame:
    """Ranks for scores: what was tied stays tied."""
    return run.select("topic", "document", pl.col("score").rank("dense").over("topic").cast(float))


def distinct_ranks(run: pl.DataFrame) -> pl.DataFrame:
    """Ranks for scores, in trec_eval's order: nothing is tied."""
    ordered = run.sort("topic", "score", "document", descending=[False, True, True])
    place = pl.int_range(pl.len()).over("topic")
    return ordered.select("topic", "document", (10_000.0 - place).alias("score"))


def nested(table: pl.DataFrame, value: str, kind: type) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for topic, document, number in table.select("topic", "document", value).iter_rows():
        found.setdefault(topic, {})[document] = kind(number)
    return found


def assert_equal_to_trec_eval(
    folder: Path, runs: dict[str, pl.DataFrame], policies: tuple[str, ...]
) -> int:
    """Compare every list; how many there were."""
    qrels = read_qrels(folder / "qrels.txt")
    evaluator = pytrec_eval.RelevanceEvaluator(nested(qrels, "grade", int), set(MEASURES))
    collection = place(qrels, runs)
    ranked = RankedItems(collection)
    found = {
        (name, ties): measure(ties=ties).scores(ranked)
        for name, measure in MEASURES.items()
        for ties in policies
    }
    lists = 0
    for s, system in enumerate(collection.systems):
        theirs = evaluator.evaluate(nested(runs[system], "score", float))
        for t, topic in enumerate(collection.topics):
            if topic not in theirs:
                continue
            lists += 1
            for (name, ties), scores in found.items():
                assert abs(scores[t, s] - theirs[topic][name]) < 1e-12, (system, topic, name, ties)
    return lists


@pytest.mark.parametrize("name", MEASURES)
def test_a_name_of_trec_eval_means_the_same_here(name: str) -> None:
    for typed in (name, name.upper(), re.sub(r"_(?=\d)", ".", name)):
        assert irpref.parse(typed) == MEASURES[name]
        assert str(irpref.parse(typed)) == str(MEASURES[name])


def test_trec_covid_without_ties_has_the_scores_of_trec_eval(shared_data: Path) -> None:
    """Every run, and every topic in a fifth of the runs: all lists together take a minute."""
    folder = shared_data / "trec-covid-r5"
    runs = {}
    for number, (name, path) in enumerate(name_runs(sorted((folder / "runs").iterdir())).items()):
        run = read_run(path)
        chosen = run["topic"].cast(int) % 5 == number % 5
        runs[name] = distinct_ranks(run.filter(chosen))
    assert len(runs) == 125
    lists = assert_equal_to_trec_eval(folder, runs, ("trec", "expected", "best", "worst"))
    assert lists >= 1_200


@pytest.mark.parametrize("collection", ["web12", "llmjudge", "recsys-ml-small"])
def test_tied_runs_in_the_order_of_trec_eval_have_its_scores(
    shared_data: Path, collection: str
) -> None:
    folder = shared_data / collection
    runs = {
        name: dense_ranks(read_run(path))
        for name, path in name_runs(sorted((folder / "runs").iterdir())).items()
    }
    assert assert_equal_to_trec_eval(folder, runs, ("trec",)) >= 400


def test_scores_that_float32_keeps_apart_are_ranked_as_they_are() -> None:
    """Ties, negative scores and grades, a topic that a run lacks: without any change of the scores."""
    qrels = {"t1": {"a": 2, "b": 1, "c": 0, "d": -1}, "t2": {"a": 1, "z": 3}, "t3": {"a": 1}}
    run = {"t1": {"b": 0.5, "c": 0.5, "a": -1.0, "d": 0.5}, "t2": {"x": 1.0, "a": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES)).evaluate(run)
    collection = place(qrels, {"run": run})
    for name, measure in MEASURES.items():
        wanted = [theirs[t][name] if t in theirs else 0.0 for t in collection.topics]
        assert np.allclose(measure.scores(collection)[:, 0], wanted, rtol=0, atol=1e-12), name


JUDGED_ONLY = {
    name: MEASURES[name] for name in ("recip_rank", "map", "ndcg_cut_10", "P_5", "set_P")
}


def assert_equal_to_trec_eval_of_judged_documents(
    judged: Mapping[str, Mapping[str, int]], run: Mapping[str, Mapping[str, float]]
) -> None:
    """``trec_eval -J`` scores the topics that the run has; all others are left out."""
    evaluator = pytrec_eval.RelevanceEvaluator(judged, set(JUDGED_ONLY), judged_docs_only_flag=True)
    theirs = evaluator.evaluate(run)
    scores = irpref.evaluate(
        judged, {"run": run}, list(JUDGED_ONLY.values()), judged_only=True, missing="skip"
    )
    ours = scores.pivot(index="topic", columns="measure", values="value")
    assert set(ours.index) == set(theirs)
    for name, measure in JUDGED_ONLY.items():
        wanted = [theirs[topic][name] for topic in ours.index]
        assert np.allclose(ours[str(measure)], wanted, rtol=0, atol=1e-12), name


@given(case=cases(ties=False, systems=1), seed=st.integers(0, 9))
def test_a_topic_whose_documents_are_all_unjudged_counts(case: Case, seed: int) -> None:
    """Runs from which judged documents are taken, of some topics all of them."""
    rng = random.Random(seed)
    [lists] = case.runs.values()
    run = {}
    for topic, scores in lists.items():
        share = rng.choice((0, 0.5, 1))
        run[topic] = {
            document: score
            for document, score in scores.items()
            if document not in case.grades[topic] or rng.random() < share
        } | {"unjudged": 99.0}
    run["t0"] = {"d0": 1.0}
    qrels = {t: {d: int(g) for d, g in grades.items()} for t, grades in case.grades.items()}
    assert_equal_to_trec_eval_of_judged_documents(qrels, run)


def test_half_of_the_judged_documents_of_a_real_run(shared_data: Path) -> None:
    folder = shared_data / "trec-covid-r5"
    qrels = read_qrels(folder / "qrels.txt")
    run = distinct_ranks(read_run(sorted((folder / "runs").iterdir())[0]))
    # All judged documents of a third of the topics, and half of those of another third.
    lost = qrels.with_row_index().filter(
        (pl.col("topic").cast(int) % 3 == 0)
        | ((pl.col("topic").cast(int) % 3 == 1) & (pl.col("index") % 2 == 0))
    )
    left = run.join(lost, on=["topic", "document"], how="anti", maintain_order="left")
    assert_equal_to_trec_eval_of_judged_documents(
        nested(qrels, "grade", int), nested(left, "score", float)
    )


def test_judged_only_takes_grades_below_0_out_of_real_runs(shared_data: Path) -> None:
    folder = shared_data / "web12"
    judged = nested(read_qrels(folder / "qrels.txt"), "grade", int)
    assert min(grade for grades in judged.values() for grade in grades.values()) == -2
    for path in (folder / "runs").iterdir():
        run = nested(distinct_ranks(read_run(path)), "score", float)
        assert_equal_to_trec_eval_of_judged_documents(judged, run)


_TOPIC = st.dictionaries(st.sampled_from("abc"), st.integers(0, 2), max_size=2)
_TOPICS = st.dictionaries(st.sampled_from("123"), _TOPIC)


@pytest.mark.parametrize("json_files", [False, True])
@given(judged=_TOPICS, retrieved=_TOPICS)
def test_topics_without_documents_are_those_of_trec_eval(
    json_files: bool,
    judged: dict[str, dict[str, int]],
    retrieved: dict[str, dict[str, int]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    qrels = {**judged, "4": {"a": 1}}
    # No two scores are equal.
    run = {
        topic: {name: float(place) for place, name in enumerate(names)}
        for topic, names in {**retrieved, "4": "a"}.items()
    }
    lists = {topic: scores for topic, scores in run.items() if scores}
    # Of a topic without judgments it reads memory that nobody wrote.
    evaluator = pytrec_eval.RelevanceEvaluator({t: of for t, of in qrels.items() if of}, {"map"})
    theirs = evaluator.evaluate(lists)
    runs: dict[str, object] = {"run": run, "whole": {topic: {"a": 1} for topic in "1234"}}
    given_qrels: object = qrels
    if json_files:
        folder = tmp_path_factory.mktemp("json")
        for name, content in {"qrels": qrels, **runs}.items():
            (folder / f"{name}.json").write_text(json.dumps(content))
        given_qrels = folder / "qrels.json"
        runs = {name: folder / f"{name}.json" for name in runs}
    # trec_eval's files have no topic without judgments; here it has no relevant document, and scores 0.
    treated: dict[Literal["worst", "skip"], set[str]] = {
        "worst": {*qrels},
        "skip": {*qrels} & lists.keys(),
    }
    for missing, wanted in treated.items():
        data = irpref.collect(given_qrels, runs, missing=missing)
        found = data.evaluate(AP).query("system == 'run'").set_index("topic")["value"]
        assert set(found.index) == wanted
        for topic, value in found.items():
            assert value == pytest.approx(theirs.get(topic, {"map": 0})["map"])
        counts = {topic for topic in wanted if max(qrels[topic].values(), default=0) > 0}
        assert set(data.compare(AP).per_topic(AP, "run", "whole").index) == counts
