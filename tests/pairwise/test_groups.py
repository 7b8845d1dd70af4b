"""What is made of systems of several runs: rows of tests, reports, and what is refused."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref import Collection, Comparison, PairTest
from irpref.stats.tests.crossed import TEST
from tests.random_cases import make_case

_FIVE, _TWO = [f"s{n}" for n in range(5)], ["s5", "s6"]
_GROUPS = {"five": _FIVE, "two": _TWO}


@pytest.fixture(scope="module")
def collection() -> Collection:
    case = make_case(5, topics=12, systems=8, documents=12, ties=False)
    return irpref.collect(case.qrels, case.runs, groups=_GROUPS, deterministic="s7")


@pytest.fixture(scope="module")
def compared(collection: Collection) -> Comparison:
    return collection.compare(["RPP", "LP", "AP"])


def test_a_row_says_what_the_runs_say(compared: Comparison, collection: Collection) -> None:
    rows = compared.test("RPP").set_index(["a", "b"])
    assert rows.attrs["test"] == "crossed"
    assert rows.attrs["correction"] == "holm"
    assert rows[["runs_a", "runs_b"]].to_numpy().tolist() == [[5, 2], [5, 1], [2, 1]]
    case = make_case(5, topics=12, systems=8, documents=12, ties=False)
    single = irpref.compare(case.qrels, case.runs, "RPP")
    values = np.stack([single.per_topic("RPP", run, "s7") for run in _FIVE], axis=1)
    row = rows.loc["five", "s7"]
    # Of one run on the other side: topics and runs with one value each, as in a two-way table.
    topics, runs = values.mean(axis=1), values.mean(axis=0)
    assert row["mean"] == pytest.approx(values.mean())
    assert row["of_topics"] == pytest.approx(topics.var(ddof=1) / len(topics))
    rest = values - topics[:, None] - runs + values.mean()
    residual = (rest**2).sum() / ((len(topics) - 1) * (len(runs) - 1))
    assert row["interaction"] == pytest.approx(residual)
    between = runs.var(ddof=1) - residual / len(topics)
    assert row["between_runs_a"] == pytest.approx(between)
    assert row["of_runs"] == pytest.approx(max(0, between / 5), abs=1e-15)
    assert math.isnan(row["between_runs_b"])
    # Only this pair has runs enough, and so it is a family of its own.
    assert rows["p"].isna().tolist() == [True, False, True]
    assert row["p_adjusted"] == row["p"]
    assert rows["significant"].tolist() == [False, row["p"] < 0.05, False]
    assert (rows.attrs["family"], rows.attrs["pairs"]) == ("pairs of enough runs", 1)


def test_what_runs_there_were_is_kept(compared: Comparison) -> None:
    report = compared.report()
    assert report.facts["systems"] == ["five", "two", "s7"]
    assert report.facts["runs"] == {"five": _FIVE, "two": _TWO, "s7": ["s7"]}
    assert "|groups:five=5,two=2#" in report.signatures[0]
    assert "|deterministic:s7|" in report.signatures[0]
    case = make_case(5, topics=12, systems=8, documents=12, ties=False)
    groups = {"five": [*_FIVE[:4], "s5"], "two": ["s4", "s6"]}
    other = irpref.compare(case.qrels, case.runs, "RPP", groups=groups, deterministic="s7")
    assert other.report().signatures[0] != report.signatures[0]


def test_a_verdict_is_of_its_two_systems(compared: Comparison) -> None:
    said = repr(compared.verdict("five", "s7"))
    (varies,) = (t for t in compared.verdict("five", "s7").tables if "varies" in t.caption)
    assert varies.frame["runs of each"].to_list() == ["5 and 1"]
    assert "Fewer than" not in said
    (other,) = (t for t in compared.verdict("two", "five").tables if "varies" in t.caption)
    # The winner stands first.
    assert other.frame["runs of each"].to_list() == ["5 and 2"]
    said = " ".join(repr(compared.verdict("two", "five")).split())
    assert "Fewer than 5 runs of a system (two: 2) do not say" in said
    row = json.loads(compared.verdict("two", "five").to_json())["results"][0]
    assert row["mean"] == pytest.approx(compared.mean("RPP").loc["five", "two"])


def test_a_baseline_says_whom_it_could_not_test(compared: Comparison) -> None:
    said = " ".join(repr(compared.report(baseline="five")).split())
    assert "Not tested, as there are too few runs or common topics: two (" in said
    assert "Fewer than 5 runs of a system (two: 2) do not say" in said
    (varies,) = (t for t in compared.report(baseline="five").tables if "varies" in t.caption)
    assert set(varies.frame["system"]) == {"two", "s7"}


@pytest.mark.parametrize("test", ["hsd", "t", "sign", "wilcoxon", "randomization"])
def test_tests_of_topics_are_refused(compared: Comparison, test: Any) -> None:
    said = f"^{test} asks about other topics, and takes the runs that there are for all that there could be"
    for asked in (
        lambda: compared.test("LP", test=test),
        lambda: compared.leaderboard("LP", test=test),
        lambda: compared.report(test=test),
        lambda: compared.verdict("five", "two", test=test),
    ):
        with pytest.raises(ValueError, match=said):
            asked()


def test_without_groups_the_test_of_runs_is_refused() -> None:
    case = make_case(5, systems=3)
    single = irpref.compare(case.qrels, case.runs, "RPP")
    said = r"^crossed tests systems of several runs each: .* \(groups=…\)$"
    with pytest.raises(ValueError, match=said):
        single.test(test="crossed")
    assert TEST.requirements == "runs"


def test_what_looks_at_each_run_by_itself_refuses_groups(
    compared: Comparison, collection: Collection
) -> None:
    margin = PairTest(margin=0.1, alternative="noninferior")
    case = make_case(5, topics=12, systems=8, documents=12, ties=False)
    refused = {
        "leave the margin out": lambda: compared.test("RPP", test=margin, baseline="two"),
        "^sums over topics do not say": lambda: compared.summary,
        "how runs of a system differ: leave groups=… out, and name one run of each$": lambda: (
            irpref.compare(case.qrels, case.runs, "RPP", groups=_GROUPS, keep="summary")
        ),
        "^on several tasks each run is a system by itself: leave groups=… out, and name one run of each$": (
            lambda: irpref.compare_tasks({"x": collection, "y": collection}, "RPP")
        ),
        "^a champion is one run: leave groups=… out, and name one run of each$": (
            lambda: collection.corroborate("s0", ["s1"], measure="AP", preference="RPP")
        ),
        "^a study looks at each run by itself: leave groups=… out, and name one run of each$": (
            lambda: irpref.studies.ties(collection)
        ),
    }
    for said, ask in refused.items():
        with pytest.raises(ValueError, match=said):
            ask()


def test_a_part_of_a_collection_has_the_groups_of_its_runs(collection: Collection) -> None:
    part = collection.select(systems=["s1", "s6", "s7"]).compare("RPP")
    assert part.systems == ("five", "two", "s7")
    some = collection.select(topics=list(collection.topics)[:4]).compare("RPP")
    assert some.mean("RPP").shape == (3, 3)
    assert list(collection.report.rows["system"]) == list(collection.systems)


def test_runs_of_a_model_stay_runs_in_the_words_of_recommenders() -> None:
    """A run is a model there; where a model has several, runs are meant."""
    qrels, runs = irpref.demo_paths()
    groups = {"bm25s": "bm25*", "others": ["boolean", "tfidf", "lm-dirichlet"]}
    compared = irpref.compare(qrels, runs, "RPP", groups=groups, users=True)
    said = " ".join(compared.report(baseline="bm25s").to_text(notes=True).split())
    for text in (
        "A test takes 5 runs of each model (bm25s: 2, others: 3, first-sentence: 1).",
        "model users runs of each sd users sd runs sd rest se users se runs",
        "all pairs of runs is above 0",
        "Fewer than 5 runs of a model",
        "for these very runs on other users",
    ):
        assert text in said


def test_what_is_unknown_of_the_first_system_is_blank_and_moves_no_column() -> None:
    """A single run that leads stands first in the table: columns and other rows stay as they are."""
    rng = np.random.default_rng(5)
    level = {"alone": 0.9} | {f"{name}{n}": 0.5 for name in "ab" for n in range(5)}
    scores = pd.DataFrame(
        [
            {"system": run, "topic": str(topic), "value": mean + rng.normal(0, 0.1)}
            for run, mean in level.items()
            for topic in range(12)
        ]
    )
    compared = irpref.compare_scores(scores, groups={"a": "a?", "b": "b?"})
    (varies,) = (t for t in compared.report(baseline="a").tables if "varies" in t.caption)
    columns = ["sd topics", "sd runs", "sd rest", "se topics", "se runs"]
    assert varies.frame.columns == ["system", "topics", "runs of each", *columns]
    alone, other = varies.frame.to_dicts()
    assert (alone["system"], alone["sd runs"], alone["se runs"]) == ("alone", None, None)
    assert other["se runs"] is not None
