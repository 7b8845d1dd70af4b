"""Runs of unequal depth: each pair at the smaller depth is what cut files give; what changes is said."""

from __future__ import annotations

import random
import warnings
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import AP, IPSO, LP, LR, RPP, RR, Collection, P, PairTest, demo_paths, nDCG
from irpref.pairwise.topic_values import topic_values
from irpref.pairwise.unequal_depths import differ, values_at_smaller_depth
from irpref.read.names_of_runs import name_runs
from irpref.stats.corrections import adjust

ASKED = [RPP, LP, LR, IPSO, AP, P, nDCG, RPP(ties="expected"), RPP @ 5]
DEPTHS = (3, 9, 10, 20)


def make_collection(seed: int, *, systems: int = 4, topics: int = 8, **reading: Any) -> Collection:
    """Runs whose longest lists have one of a few lengths; other lists are shorter at times."""
    rng = random.Random(seed)
    pool = [f"d{number}" for number in range(40)]
    qrels = {
        str(topic): {d: rng.choice((0, 1, 1, 2)) for d in rng.sample(pool, 12)} | {"d0": 1}
        for topic in range(topics)
    }
    runs = {}
    for system in range(systems):
        depth = rng.choice(DEPTHS)
        runs[f"s{system}"] = {
            topic: {
                document: float(-rank)
                for rank, document in enumerate(
                    rng.sample(pool, depth if topic == "0" else rng.randint(1, depth))
                )
            }
            for topic in qrels
        }
    return irpref.collect(qrels, runs, **reading)


def silent(data: Collection, asked: Any) -> irpref.Comparison:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return data.compare(asked)


def test_depths_differ_by_more_than_a_tenth_of_the_greater_one() -> None:
    for one in range(30):
        for other in range(30):
            wanted = min(one, other) > 0 and abs(one - other) / max(one, other) > 0.1 + 1e-9
            assert bool(differ(np.array(one), np.array(other))) is wanted, (one, other)


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_the_smaller_depth_is_what_cut_files_give(seed: int) -> None:
    data = make_collection(seed)
    comparison = silent(data, ASKED)
    found = comparison.unequal_depths()
    depths = {
        name: max(len(group) for _, group in lists.groupby("topic"))
        for name, lists in make_collection(seed, lists=99).lists.groupby("system")
    }
    rows = []
    for a, b in combinations(data.systems, 2):
        depth = min(depths[a], depths[b])
        if not differ(np.array(depths[a]), np.array(depths[b])):
            continue
        cut = silent(data.select(systems=[a, b], depth=depth), ASKED)
        for each in ASKED[:-1]:
            mean, below = (c.mean(each).loc[a, b] for c in (comparison, cut))
            changes = np.sign(mean) != np.sign(below)
            rows.append((a, b, depths[a], depths[b], depth, str(each), mean, below, changes))
    assert len(found) == len(rows)
    if rows:
        wanted = pd.DataFrame(rows, columns=list(found.columns)).sort_values(
            ["preference", "a", "b"], ignore_index=True
        )
        found = found.sort_values(["preference", "a", "b"], ignore_index=True)
        pd.testing.assert_frame_equal(found, wanted, check_dtype=False, rtol=1e-12)


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), systems=st.sampled_from((2, 4)))
def test_a_warning_comes_where_a_sign_changes_and_only_there(seed: int, systems: int) -> None:
    data = make_collection(seed, systems=systems)
    with warnings.catch_warnings(record=True) as given_warnings:
        warnings.simplefilter("always")
        comparison = data.compare([LR, RPP])
    changes = comparison.unequal_depths()
    expected = not changes.empty and bool(changes["changes"].any())
    assert bool(given_warnings) is expected
    assert bool(comparison.warnings) is expected
    # Wherever the lines end.
    text = " ".join(comparison.report(test=False).to_text().split())
    assert (("Cut at " if systems == 2 else "depth=K cuts") in text) is expected
    assert ("documents a topic" in text) is not changes.empty
    if expected and systems == 2:
        row = changes[changes["changes"]].iloc[0]
        said = str(given_warnings[0].message)
        assert (
            f"{row['mean_at_depth']:+.3f} at depth {row['depth']}, not {row['mean']:+.3f}" in said
        )


@pytest.mark.parametrize("method", ["t", "sign", "randomization", "hsd"])
@pytest.mark.parametrize("seed", range(4))
def test_two_systems_are_tested_as_cut_files_are(method: Any, seed: int) -> None:
    data = make_collection(seed + 30, systems=2, topics=9)
    by = [LR, LP, IPSO] if method == "sign" else [RPP, AP]
    test = PairTest(method=method, n_resamples=199)
    facts = silent(data, by).report(test=test).facts.get("unequal_depths")
    depth = int(data.coverage.depths.min())
    if not differ(*map(np.array, data.coverage.depths)):
        assert facts is None
        return
    assert facts is not None
    whole, cut = silent(data, by), silent(data.select(depth=depth), by)
    assert len(facts["pairs"]) == len(by)
    for row, each in zip(facts["pairs"], by, strict=True):
        tests = [silent_test(c, each, test) for c in (whole, cut)]
        assert [row["significant"], row["significant_at_depth"]] == [of["p"] < 0.05 for of in tests]
        assert row["mean_at_depth"] == pytest.approx(tests[1]["mean"])
        assert row["changes"] == (
            np.sign(tests[0]["mean"]) != np.sign(tests[1]["mean"])
            or row["significant"] != row["significant_at_depth"]
        )


def silent_test(comparison: irpref.Comparison, by: Any, test: PairTest) -> pd.Series:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return comparison.test(by, test=test).iloc[0]


@pytest.mark.parametrize("method", ["t", "randomization", "wilcoxon"])
@pytest.mark.parametrize("seed", range(3))
def test_all_against_a_baseline_are_a_family_at_the_smaller_depths(method: Any, seed: int) -> None:
    """As if the values of each pair came from files cut for it, and were tested together."""
    data = make_collection(seed, systems=5, topics=12)
    comparison = silent(data, RPP)
    facts = comparison.report(baseline="s1", test=method).facts["unequal_depths"]
    depths = dict(zip(data.systems, data.coverage.depths.tolist(), strict=True))
    assert facts["depths"] == depths
    frames = []
    for system in data.systems:
        unequal = bool(differ(np.array(depths[system]), np.array(depths["s1"])))
        depth = min(depths[system], depths["s1"]) if unequal else max(DEPTHS)
        pair = silent(data.select(systems=list({system, "s1"} | {"s0", "s2"}), depth=depth), RPP)
        if system != "s1":
            values = pair.per_topic("RPP", system, "s1")
            frames.append(pd.DataFrame({"system": system, "topic": values.index, "value": values}))
    zero = pd.DataFrame({"system": "s1", "topic": data.topics, "value": 0.0})
    together = irpref.compare_scores(pd.concat([*frames, zero]))
    tests = together.test(baseline="s1", test=method).set_index("a")
    for row in facts["pairs"]:
        assert row["mean_at_depth"] == pytest.approx(tests.loc[row["a"], "mean"])
        assert row["significant_at_depth"] == tests.loc[row["a"], "significant"]


@pytest.mark.parametrize("seed", range(6))
def test_a_verdict_says_what_it_is_at_the_smaller_depth(seed: int) -> None:
    data = make_collection(seed, systems=3, topics=10)
    comparison = silent(data, ["RPP", "LP"])
    for a, b in combinations(data.systems, 2):
        verdict = comparison.verdict(a, b)
        said = " ".join(verdict.answer)
        depths = tuple(int(data.coverage.depths[data.systems.index(each)]) for each in (a, b))
        if not differ(*map(np.array, depths)):
            assert "unequal_depths" not in verdict.facts
            assert "lists up to" not in said
            continue
        cut = silent(data.select(systems=[a, b], depth=min(depths)), ["RPP", "LP"])
        rows = verdict.facts["unequal_depths"]["pairs"]
        # Of three systems, nothing is tested at the smaller depth of a pair.
        assert [each["preference"] for each in rows] == ["RPP", "LP"]
        for row in rows:
            there = cut.mean(row["preference"]).loc[a, b]
            assert (row["depth_a"], row["depth_b"]) == depths
            assert row["mean_at_depth"] == pytest.approx(there, abs=1e-12)
            here = comparison.mean(row["preference"]).loc[a, b]
            assert row["changes"] == (np.sign(here) != np.sign(there))
            assert row["changes"] == (
                f"{row['preference']} is {there:+.3f}, not {here:+.3f}" in said
            )
        changes = any(row["changes"] for row in rows)
        assert changes == (f"Cut at {min(depths)} (depth={min(depths)})" in said)
        assert changes != any("the mean has the same sign" in note for note in verdict.notes)


def test_very_many_depths_are_as_few_as_tenths_apart() -> None:
    lengths = [*range(40, 90), 300]
    qrels = {"1": {f"d{number}": 1 for number in range(60)}}
    runs = {
        f"s{length}": {"1": {f"d{(number * 7) % 307}": -float(number) for number in range(length)}}
        for length in lengths
    }
    data = irpref.collect(qrels, runs)
    comparison = silent(data, [RPP])
    found = comparison.unequal_depths()
    assert found["depth"].nunique() < 12
    # On both sides of where two cutoffs meet: 45 is the first that is not cut at 40.
    assert comparison.placements.coverage.depths.tolist() == lengths
    for row in found.sample(20, random_state=0).itertuples():
        smaller = min(row.depth_a, row.depth_b)
        assert 0.9 * smaller <= row.depth <= smaller
        pair = silent(data.select(systems=[row.a, row.b], depth=row.depth), [RPP])
        assert row.mean_at_depth == pytest.approx(pair.mean(RPP).loc[row.a, row.b])
    pairs = {*zip(found["a"], found["b"], strict=True)}
    assert pairs == {
        (f"s{a}", f"s{b}") for a, b in combinations(lengths, 2) if differ(np.array(a), np.array(b))
    }
    assert f"{len(pairs):,} of 1,275 pairs" in " ".join(comparison.report().to_text().split())
    # Of two runs, the depth is exact.
    pair = silent(data.select(systems=["s58", "s300"]), [RPP]).unequal_depths()
    assert pair["depth"].to_list() == [58]


def test_a_baseline_of_the_depth_of_all_others_needs_no_note() -> None:
    qrels = {"1": {"d0": 1}}
    runs = {
        name: {"1": {f"d{number}": -float(number) for number in range(depth)}}
        for name, depth in (("deep", 100), ("base", 95), ("less", 90), ("short", 88))
    }
    comparison = irpref.compare(qrels, runs, RPP)
    for baseline, noted in (("base", False), ("deep", True), ("short", True)):
        text = comparison.report(baseline=baseline).to_text()
        assert ("documents a topic" in " ".join(text.split())) is noted, baseline
    assert "unequal_depths" not in comparison.report(baseline="base").facts


def test_judged_only_cuts_nothing_and_says_so() -> None:
    data = make_collection(3, systems=2, judged_only=True)
    assert differ(*map(np.array, data.coverage.depths))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        comparison = data.compare([LR, RPP])
    assert comparison.unequal_depths().empty
    assert "judged_only left documents out" in " ".join(comparison.report().to_text().split())
    assert "no cutoff shows what that changes" in " ".join(comparison.verdict("s0", "s1").notes)


def test_a_cutoff_and_scores_are_compared_as_they_are() -> None:
    data = make_collection(3, systems=2)
    scores = data.evaluate("AP")
    comparison = data.compare([RPP @ 3, RR @ 10, {"judge": scores[["system", "topic", "value"]]}])
    assert comparison.unequal_depths().empty
    assert "documents a topic" not in comparison.report().to_text()


def test_only_preferences_with_a_cutoff_are_tested() -> None:
    comparison = irpref.compare(*demo_paths(), [IPSO @ 10, RPP])
    text = " ".join(comparison.report(baseline="bm25", test="fit").to_text().split())
    assert "at the smaller depth of both the answer is the same" in text


@pytest.mark.parametrize("seed", range(3))
def test_sums_name_the_depths(seed: int) -> None:
    data = make_collection(seed, systems=4)
    whole = silent(data, [RPP]).summary
    halves = [silent(data.select(topics=data.topics[n::2]), [RPP]).summary for n in range(2)]
    together = halves[0] + halves[1]
    assert together.coverage.depths.tolist() == whole.coverage.depths.tolist()
    unequal = differ(data.coverage.depths[:, None], data.coverage.depths).any()
    for summary in (whole, together):
        assert ("documents a topic" in summary.report().to_text()) == unequal
    assert "documents a topic" not in silent(data, [RPP @ 5]).summary.report().to_text()


@pytest.mark.filterwarnings("ignore:.*the rank column contradicts")
def test_half_of_real_runs_cut_at_100(shared_data: Path) -> None:
    folder = shared_data / "trec-covid-r5"
    runs = dict(list(name_runs(sorted((folder / "runs").iterdir())).items())[:8])
    data = irpref.collect(folder / "qrels.txt", runs, lists=1000)
    frames = dict(iter(data.lists.groupby("system")))
    cut = {
        name: (lists[lists["position"] <= 100] if number % 2 else lists)
        .assign(score=lambda lists: -lists["position"])
        .rename(columns={"topic": "qid", "document": "docno"})[["qid", "docno", "score"]]
        for number, (name, lists) in enumerate(frames.items())
    }
    mixed = irpref.collect(folder / "qrels.txt", cut)
    with pytest.warns(UserWarning, match="Cut at the smaller depth"):
        comparison = mixed.compare([LR, RPP])
    at_100 = silent(mixed.select(depth=100), [LR, RPP])
    rows = comparison.unequal_depths()
    of_100 = rows[rows["depth"] == 100]
    assert len(of_100) == 2 * 16
    assert rows["changes"].sum() > 0
    for row in of_100.itertuples():
        assert row.mean_at_depth == pytest.approx(at_100.mean(row.preference).loc[row.a, row.b])


def test_a_measure_of_the_pool_is_not_compared_at_another_depth() -> None:
    """Files that are cut have other pools."""
    data = make_collection(3, systems=2)
    assert differ(*map(np.array, data.coverage.depths))
    found = silent(data, ["ASL", "LexiRecall", RPP]).unequal_depths()
    assert set(found["preference"]) == {"RPP"}
    assert set(silent(data, [irpref.ASL(n=99)]).unequal_depths()["preference"]) == {"ASL(n=99)"}


@pytest.mark.parametrize("rng", [None, np.random.default_rng(5)])
def test_both_depths_are_tested_by_one_seed(rng: Any) -> None:
    """All that a deeper list has more is unjudged, so that both tests are of the same values."""
    qrels = {str(topic): {"a": 1} for topic in range(14)}
    runs = {
        "deep": {t: {"a": 1.0} | {f"u{n}": -float(n) for n in range(20)} for t in qrels},
        "short": {t: {"a": 1.0, "x": 2.0} if int(t) % 5 else {"a": 3.0, "x": 2.0} for t in qrels},
    }
    comparison = irpref.compare(qrels, runs, RR)
    assert not comparison.unequal_depths().empty
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(10):
            comparison.test(RR, test=PairTest(method="randomization", n_resamples=60, rng=rng))


def test_several_baselines_are_warned_of_each() -> None:
    data = make_collection(0, systems=4, topics=9)
    comparison = silent(data, [LR])
    changes = comparison.unequal_depths().query("changes")
    assert len({*changes["a"]}) > 1
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        tests = comparison.test(LR, baseline=list(data.systems), test="sign")
    assert len(tests) == 6
    # A pair of two baselines stands once, under the first of them.
    names = {str(each.message).split(" lists up to")[0] for each in told}
    assert names >= {*changes["a"]}


def test_tasks_say_which_task_it_is() -> None:
    seed = next(
        seed for seed in range(99) if silent(make_collection(seed, systems=2), [LR]).warnings
    )
    tasks = {
        "first": make_collection(seed, systems=2, topics=3),
        "deep": make_collection(seed, systems=2),
    }
    with pytest.warns(UserWarning, match="^task deep: s1 lists up to"):
        compared = irpref.compare_tasks(tasks, "LR")
    assert "Task deep: s1 lists up to" in " ".join(compared.report().to_text().split())


def test_corroboration_names_the_depths() -> None:
    data = make_collection(3, systems=2)
    with pytest.warns(UserWarning, match="Runs list up to"):
        data.corroborate("s0", "s1", measure="AP")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data.corroborate("s0", "s1", measure="AP@5")


# Systems of five runs each, which are cut at one depth.
OF_DEPTH = {"deep": 20, "half": 12, "less": 9}


def make_groups(seed: int) -> tuple[Any, dict[str, Any], dict[str, list[str]]]:
    """Qrels, runs and groups."""
    rng = random.Random(seed)
    pool = [f"d{number}" for number in range(40)]
    qrels = {str(topic): dict.fromkeys(rng.sample(pool, 12), 1) for topic in range(10)}
    groups = {name: [f"{name}-{number}" for number in range(5)] for name in OF_DEPTH}
    runs = {
        run: {topic: rng.sample(pool, OF_DEPTH[name]) for topic in qrels}
        for name, own in groups.items()
        for run in own
    }
    return qrels, runs, groups


@pytest.mark.parametrize("seed", range(3))
def test_systems_of_several_runs_are_tested_at_the_smaller_depth_of_each_pair(seed: int) -> None:
    qrels, runs, groups = make_groups(seed)
    data = irpref.collect(qrels, runs, groups=groups)
    comparison = silent(data, RPP)
    rows = comparison.report(baseline="deep").facts["unequal_depths"]["pairs"]
    found = []
    values = []
    for row in rows:
        cut = silent(
            data.select(systems=[*groups[row["a"]], *groups["deep"]], depth=row["depth"]), RPP
        )
        assert row["depth"] == OF_DEPTH[row["a"]]
        assert row["mean_at_depth"] == pytest.approx(cut.mean("RPP").loc[row["a"], "deep"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            values.append(cut.test("RPP", baseline="deep").iloc[0]["p"])
        found.append(row["significant_at_depth"])
    assert [row["a"] for row in rows] == ["half", "less"]
    assert found == [p < 0.05 for p in adjust(np.array(values), "holm")]
    frame = comparison.unequal_depths()
    assert len(frame) == 3
    text = " ".join(comparison.report().to_text().split())
    assert "Runs list up to 20 (5 runs), 12 (5 runs), 9 (5 runs) documents a topic" in text
    text = " ".join(comparison.report(baseline="deep").to_text().split())
    assert "others up to 12 (1 system), 9 (1 system)" in text


@pytest.mark.parametrize("seed", range(3))
def test_values_of_runs_at_the_smaller_depth_go_by_the_depths_of_their_systems(seed: int) -> None:
    qrels, runs, groups = make_groups(seed)
    placements = silent(irpref.collect(qrels, runs, groups=groups), RPP).placements
    by_run = silent(irpref.collect(qrels, runs), RPP)
    [criterion] = by_run.preferences
    whole = topic_values(by_run.placements, criterion)
    found = values_at_smaller_depth(placements, criterion, whole)
    names = placements.of_runs.systems
    for first, second in [("half-1", "deep-3"), ("less-0", "half-4"), ("deep-2", "deep-1")]:
        depth = min(OF_DEPTH[each.partition("-")[0]] for each in (first, second))
        cut = silent(irpref.collect(qrels, runs, depth=depth), RPP)
        expected = cut.per_topic("RPP", first, second).to_numpy()
        a, b = names.index(first), names.index(second)
        assert found[:, a, b] == pytest.approx(expected)
        assert found[:, b, a] == pytest.approx(-expected)
