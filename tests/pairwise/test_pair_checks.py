"""Checks: a significant difference is asked for again, at an equal depth and on shared topics."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irpref
from irpref import AP, LP, LR, RPP, Collection, PairTest, nDCG
from irpref.pairwise.pair_checks import OUTCOMES, differ
from irpref.read.names_of_runs import name_runs

DEPTHS = (3, 9, 10, 20)
# What is rare must be seen too.
RATHER_HIGH = 0.3


def make_collection(
    seed: int, *, systems: int = 4, topics: int = 12, lacking: bool = True, **reading: Any
) -> Collection:
    """Runs whose longest lists have one of a few lengths, and which lack some topics."""
    rng = random.Random(seed)
    pool = [f"d{number}" for number in range(40)]
    qrels = {
        str(topic): {d: rng.choice((0, 1, 1, 2)) for d in rng.sample(pool, 12)} | {"d0": 1}
        for topic in range(topics)
    }
    runs: dict[str, Any] = {}
    for system in range(systems):
        depth, share = rng.choice(DEPTHS), rng.choice((0, 0, 0.2, 0.6)) if lacking else 0
        topics_of_run = [topic for topic in qrels if topic == "0" or rng.random() >= share]
        better = rng.random()
        runs[f"s{system}"] = {}
        for topic in topics_of_run:
            found = rng.sample(pool, depth if topic == "0" else rng.randint(1, depth))
            first = [d for d in found if qrels[topic].get(d, 0) and rng.random() < better]
            order = [*first, *(d for d in found if d not in first)]
            if topic == "0":
                # Of two, one that retrieves no judged document is refused.
                order = ["d0", *(d for d in order if d != "d0")][:depth]
            runs[f"s{system}"][topic] = {d: -float(rank) for rank, d in enumerate(order)}
    return irpref.collect(qrels, runs, **reading)


def silent(data: Collection, asked: Any) -> irpref.Comparison:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return data.compare(asked)


def outcome(here: float, there: float, p: float, alpha: float) -> str:
    """By the definitions alone."""
    if np.isnan(p):
        return "not checked"
    same = np.sign(here) == np.sign(there)
    if p < alpha:
        return "holds" if same else "reversed"
    return "weaker" if same else "gone"


def literal_checks(data: Collection, by: Any, test: PairTest) -> pd.DataFrame:
    """Every significant pair again, from a collection cut for it or read without what a run lacks."""
    comparison = silent(data, by)
    tests = comparison.test(by, test=test)
    have = {
        name: {topic for topic in data.topics if topic not in data.coverage.missing.get(name, ())}
        for name in data.systems
    }
    depths = dict(zip(data.systems, data.coverage.depths.tolist(), strict=True))
    rows = []
    for row in tests[tests["significant"]].itertuples():
        a, b = (row.a, row.b) if row.mean > 0 else (row.b, row.a)
        found = []
        if max(depths[a], depths[b]) * 9 > min(depths[a], depths[b]) * 10:
            depth = min(depths[a], depths[b])
            found.append(("equal depth", depth, data.select(systems=[a, b], depth=depth)))
        most = max(len(data.topics) - len(have[each]) for each in (a, b))
        if 10 * most > len(data.topics):
            shared = sorted(have[a] & have[b], key=data.topics.index)
            few = data.select(systems=[a, b], topics=shared) if shared else None
            found.append(("shared topics", 0, few))
        for check, depth, part in found:
            mean, p, topics = np.nan, np.nan, 0
            if part is not None:
                whole = silent(part, by)
                mean, topics = whole.mean(by).loc[a, b], len(part.topics)
                try:
                    p = whole.test(by, test=test)["p"].item()
                except ValueError:
                    p = np.nan
            rows.append((a, b, check, depth, topics, mean, p, outcome(1, mean, p, test.alpha)))
    names = ["a", "b", "check", "depth", "topics", "mean", "p", "outcome"]
    return pd.DataFrame(rows, columns=names)


@settings(max_examples=30)
@given(
    seed=st.integers(0, 2**32),
    by=st.sampled_from([RPP, LP, LR, AP, nDCG]),
    # By t there are no draws, which other topics beside those of a pair would change.
    method=st.sampled_from(["t", "sign", "randomization"]),
)
def test_a_check_is_what_cut_files_and_shared_topics_give(seed: int, by: Any, method: str) -> None:
    data = make_collection(seed)
    # All signs are taken: 2 ** 12.
    test = PairTest(method=method, alpha=RATHER_HIGH, n_resamples=4096)
    wanted = literal_checks(data, by, test)
    found = silent(data, by).checks(by, test=test)
    order = ["a", "b", "check"]
    wanted, found = (each.sort_values(order, ignore_index=True) for each in (wanted, found))
    assert found[order].to_numpy().tolist() == wanted[order].to_numpy().tolist()
    # Nothing can be significant there: so few topics, or by t a single one.
    least = 2 if method == "t" else np.ceil(1 - np.log2(RATHER_HIGH)) + 0
    few = (wanted["check"] == "shared topics") & (wanted["topics"] < max(least, 2))
    assert found["p"].isna().to_numpy()[few].all()
    rest = ~found["p"].isna().to_numpy()
    np.testing.assert_allclose(found["mean"][rest], wanted["mean"][rest].astype(float), atol=1e-12)
    np.testing.assert_allclose(found["p"][rest], wanted["p"][rest].astype(float), atol=1e-12)
    assert found["depth"].to_list() == wanted["depth"].to_list()
    assert found["topics"].to_list() == wanted["topics"].to_list()
    assert found["outcome"][rest].to_list() == wanted["outcome"][rest].to_list()


def test_every_outcome_comes_about() -> None:
    """What the random cases above compare is of all kinds."""
    outcomes = {
        outcome
        for seed in range(60)
        for outcome in silent(make_collection(seed), LR)
        .checks(test=PairTest(alpha=RATHER_HIGH))["outcome"]
        .tolist()
    }
    # One more is below.
    assert outcomes == {*OUTCOMES} - {"reversed"}


def test_depths_differ_by_more_than_a_tenth_of_the_greater_one() -> None:
    for one in range(30):
        for other in range(30):
            wanted = min(one, other) > 0 and abs(one - other) / max(one, other) > 0.1 + 1e-9
            assert bool(differ(np.array(one), np.array(other))) is wanted, (one, other)


# Of 40 topics, each with 12 relevant documents.
TOPICS = [str(topic) for topic in range(40)]
QRELS = {topic: {f"d{n}": 1 for n in range(12)} for topic in TOPICS}


def listed(*relevant: int, depth: int) -> dict[str, float]:
    """A list of so many documents with the relevant ones at these ranks."""
    documents = {rank: f"d{n}" for n, rank in enumerate(relevant)}
    return {documents.get(rank, f"x{rank}"): -float(rank) for rank in range(1, depth + 1)}


LONG = {topic: listed(3, *range(11, 20), depth=20) for topic in TOPICS}
SHORT = {topic: listed(2, depth=10) if int(topic) < 33 else listed(9, depth=10) for topic in TOPICS}
HALF = {topic: listed(1, 2, depth=10) for topic in TOPICS[:8]}
FLAT = {topic: listed(10, depth=10) for topic in TOPICS}
WEAK = {topic: listed(4, 5, depth=10) for topic in TOPICS}


def test_a_winner_by_longer_lists_says_both_halves_in_one_sentence() -> None:
    report = irpref.compare(QRELS, {"short": SHORT, "long": LONG}, "RPP").report()
    assert report.answer[0] == (
        "long is ahead of short by RPP (p < 0.0001), but only with its longer lists: cut at 10 both, short "
        "wins 33 of 40 topics (p < 0.0001)."
    )
    assert report.tables[0].marks["mean"] == ["(†)"]
    [check] = report.facts["checks"]["RPP"]
    assert (check["outcome"], check["depth"], check["losses"]) == ("reversed", 10, 33)


def test_a_winner_by_missing_lists_says_so() -> None:
    report = irpref.compare(QRELS, {"half": HALF, "weak": WEAK}, "RPP").report()
    assert report.answer[0] == (
        "weak is ahead of half by RPP (p = 0.0004), but only because half has no list for 32 of 40 topics: "
        "on the 8 that both have, half wins all (p = 0.0078)."
    )
    # The same by the Python object, in Markdown and in LaTeX.
    comparison = irpref.compare(QRELS, {"half": HALF, "weak": WEAK}, "RPP")
    for text in (str(comparison), report.to_markdown(), report.to_latex(), report.to_html()):
        assert "only because half has no list for 32 of 40 topics" in " ".join(text.split())


def test_too_few_shared_topics_are_not_checked() -> None:
    few = {topic: HALF[topic] for topic in TOPICS[:3]}
    report = irpref.compare(QRELS, {"half": few, "weak": WEAK}, "RPP").report()
    assert report.answer[0] == (
        "weak is ahead of half by RPP (p < 0.0001), but half has no list for 37 of 40 topics: 3 left are "
        "too few to check that."
    )
    nothing = {"x": {"d0": 1}} | {topic: {"d0": 1} for topic in QRELS}
    one = {topic: {"d0": 1.0} for topic in TOPICS[:1]}
    rest = {topic: {"d0": 1.0} for topic in TOPICS[1:]}
    report = irpref.compare(nothing, {"one": one, "rest": rest}, "RPP").report()
    assert "none is left" in report.answer[0]


def test_a_weaker_difference_is_told_as_given() -> None:
    deeper = {
        topic: listed(2, depth=10) | {f"d{n}": -float(20 + n) for n in range(2, 12)}
        if int(topic) < 12
        else listed(9, depth=10)
        for topic in TOPICS
    }
    other = {
        topic: listed(3, depth=10) if int(topic) % 3 else listed(9, depth=10) for topic in TOPICS
    }
    report = irpref.compare(QRELS, {"deep": deeper, "flat": other}, "RPP").report()
    frame = irpref.compare(QRELS, {"deep": deeper, "flat": other}, "RPP").checks()
    said = {"weaker": "as given (p", "gone": "but only with its longer lists", "holds": "is better"}
    for result in frame["outcome"]:
        assert said[result] in report.answer[0]


@pytest.mark.parametrize(
    ("by", "reading"),
    [
        ("RPP", {"depth": 20}),
        ("RPP@15", {}),
        ("RPP", {"judged_only": True}),
    ],
)
def test_what_was_chosen_is_not_checked(by: str, reading: Any) -> None:
    runs = {"short": SHORT, "long": LONG}
    comparison = irpref.compare(QRELS, runs, by, **reading)
    assert comparison.test()["significant"].item()
    assert comparison.checks().empty
    report = comparison.report()
    assert report.answer[0].startswith(f"long is better than short by {by}")
    doubt = "runs without their unjudged documents do not show whether that matters"
    assert (doubt in " ".join(report.remarks)) is ("judged_only" in reading)


@pytest.mark.parametrize("missing", ["worst", "skip"])
def test_missing_topics_that_were_chosen_are_not_checked(missing: Any) -> None:
    runs = {"half": HALF, "weak": WEAK}
    comparison = irpref.compare(QRELS, runs, "RPP", missing=missing)
    assert comparison.checks().empty
    winner = "weak" if missing == "worst" else "half"
    assert comparison.report().answer[0].startswith(f"{winner} is better than")
    made = {"worst": ":worst|", "skip": ":skipped|"}[missing]
    assert f"missing:32{made}" in comparison.signature("RPP")
    assert "missing:32|" in irpref.compare(QRELS, runs, "RPP").signature("RPP")


def test_without_checks_the_signature_says_so() -> None:
    comparison = irpref.compare(QRELS, {"half": HALF, "weak": WEAK}, "RPP")
    report = comparison.report(checks=False)
    assert report.answer[0] == "weak is better than half by RPP."
    assert "|checks:none|" in report.signatures[0]
    assert "checks" not in report.facts
    assert "|checks:none|" not in comparison.report().signatures[0]
    assert "is better than" in comparison.verdict("half", "weak", checks=False).answer[0]


def test_a_leaderboard_counts_the_wins_that_do_not_hold() -> None:
    runs = {"short": SHORT, "long": LONG, "flat": FLAT}
    comparison = irpref.compare(QRELS, runs, "RPP")
    report = comparison.report()
    table = report.tables[0].frame
    assert table["system"].to_list()[0] == "long"
    [lost] = [row for row in report.facts["checks"]["RPP"] if row["outcome"] != "holds"]
    assert (lost["a"], lost["b"]) == ("long", "short")
    assert report.answer[0].endswith("; 1 of its 2 wins do not hold at equal depth.")
    letters = dict(zip(table["system"], table[""], strict=True))
    assert f"({letters['short']})" in table["better than"].to_list()[0]
    assert f"({letters['flat']})" not in table["better than"].to_list()[0]


def test_a_baseline_names_what_holds_only_as_given() -> None:
    runs = {"short": SHORT, "long": LONG, "flat": FLAT}
    report = irpref.compare(QRELS, runs, "RPP").report(baseline="short")
    said = " ".join(report.answer)
    assert "Better than short by RPP on 40 topics: none of 2." in said
    assert "Better only as given: long (" in said
    assert "; " not in said.partition("long (")[0]
    assert "cut at 10 both -0." in said
    assert report.tables[0].marks["RPP"][0] == "(†)"


def test_of_two_checks_the_worse_one_leads() -> None:
    long_half = {topic: LONG[topic] for topic in TOPICS[:30]}
    short = {topic: listed(2, depth=10) for topic in TOPICS}
    comparison = irpref.compare(QRELS, {"long": long_half, "short": short}, "RPP")
    found = comparison.checks()
    assert found["check"].to_list() == ["equal depth", "shared topics"]
    record = comparison.report().records.iloc[0]
    worst = max(found["outcome"], key=OUTCOMES.index)
    assert record["check"] == worst


def test_margins_are_checked_by_their_own_question() -> None:
    runs = {"half": HALF, "weak": WEAK}
    comparison = irpref.compare(QRELS, runs, "RPP")
    how = PairTest(margin=0.05, alternative="noninferior")
    report = comparison.report(baseline="half", test=how)
    assert report.answer[0] == (
        "By RPP and a margin of 0.05, weak is better than half as given; on the 8 topics that both have, "
        "that is not shown."
    )
    assert report.facts["checks"]["RPP"][0]["outcome"] == "reversed"


def test_what_is_better_in_a_check_is_not_worse_there() -> None:
    comparison = irpref.compare(QRELS, {"short": SHORT, "long": LONG}, "RPP")
    how = PairTest(margin=0.95, alternative="noninferior")
    report = comparison.report(baseline="long", test=how)
    assert report.records["verdict"].item() == "not worse"
    [check] = report.facts["checks"]["RPP"]
    assert (check["outcome"], check["mean"] > 0, check["p"] < 0.05) == ("holds", True, True)


@pytest.mark.parametrize("method", ["sign", "wilcoxon"])
def test_where_no_p_can_be_below_alpha_nothing_is_checked(method: str) -> None:
    """Of four topics all signs agree with a chance of 1 in 8."""
    few = {topic: HALF[topic] for topic in TOPICS[:4]}
    comparison = irpref.compare(QRELS, {"half": few, "weak": WEAK}, "RPP")
    found = comparison.checks(test=method)
    assert found[["check", "outcome", "topics"]].to_numpy().tolist() == [
        ["shared topics", "not checked", 4]
    ]


@pytest.mark.parametrize("method", ["t", "wilcoxon", "sign", "hsd"])
def test_a_check_takes_the_test_of_the_report(method: str) -> None:
    runs = {"short": SHORT, "long": LONG, "flat": FLAT}
    comparison = irpref.compare(QRELS, runs, "RPP")
    found = comparison.checks(test=method).set_index(["a", "b"])
    alone = silent(irpref.collect(QRELS, runs).select(systems=["long", "short"], depth=10), "RPP")
    wanted = alone.test("RPP", test="randomization" if method == "hsd" else method)
    assert found.loc[("long", "short"), "p"] == pytest.approx(wanted["p"].item())


def test_very_many_depths_are_as_few_as_tenths_apart() -> None:
    lengths = [*range(40, 90), 300]
    qrels = {str(topic): {f"d{number}": 1 for number in range(60)} for topic in range(8)}
    runs = {
        f"s{length}": {
            topic: {f"d{(number * 7) % 307}": -float(number) for number in range(length)}
            for topic in qrels
        }
        for length in lengths
    }
    data = irpref.collect(qrels, runs)
    found = silent(data, [LR]).checks(test=PairTest(method="sign", correction=None))
    assert found["depth"].nunique() < 12
    for row in found.sample(20, random_state=0).itertuples():
        smaller = min(row.depth_a, row.depth_b)
        assert 0.9 * smaller <= row.depth <= smaller
        pair = silent(data.select(systems=[row.a, row.b], depth=row.depth), [LR])
        assert row.mean == pytest.approx(pair.mean(LR).loc[row.a, row.b])
    tests = silent(data, [LR]).test(test=PairTest(method="sign", correction=None))
    significant = tests[tests["significant"]]
    assert len(significant) > 100
    pairs = {frozenset(pair) for pair in zip(found["a"], found["b"], strict=True)}
    assert pairs == {
        frozenset((a, b))
        for a, b in zip(significant["a"], significant["b"], strict=True)
        if differ(np.array(int(a[1:])), np.array(int(b[1:])))
    }
    # Of two runs, the depth is exact.
    pair = silent(data.select(systems=["s58", "s300"]), [LR]).checks()
    assert pair["depth"].to_list() == [58]


def test_systems_of_several_runs_are_cut_at_their_shortest_run() -> None:
    rng = random.Random(1)
    groups = {"deep": [f"deep-{n}" for n in range(5)], "less": [f"less-{n}" for n in range(5)]}
    depths = {"deep": 20, "less": 12}
    runs: dict[str, Any] = {}
    for system, members in groups.items():
        for number, run in enumerate(members):
            depth = depths[system] - (3 if number == 0 and system == "less" else 0)
            runs[run] = {}
            for topic in TOPICS:
                first = rng.sample(range(1, depth + 1), 3 if system == "less" else 7)
                runs[run][topic] = listed(*sorted(first), depth=depth)
    data = irpref.collect(QRELS, runs, groups=groups)
    found = silent(data, "RPP").checks()
    assert found["depth"].to_list() == [9]
    cut = silent(data.select(depth=9), "RPP")
    assert found["mean"].item() == pytest.approx(cut.mean("RPP").loc["deep", "less"])
    assert found["p"].item() == pytest.approx(cut.test("RPP")["p"].item())


def test_sums_and_outcomes_have_no_checks() -> None:
    summary = irpref.compare(QRELS, {"short": SHORT, "long": LONG}, "RPP", keep="summary")
    report = summary.report()
    assert report.answer[0] == "long is better than short by RPP."
    doubt = "The longest lists of the runs have 10 to 20 documents, and sums over"
    assert any(remark.startswith(doubt) for remark in report.remarks)


@pytest.mark.filterwarnings("ignore:.*the rank column contradicts")
def test_real_recommenders_with_lists_of_10_and_20(shared_data: Path) -> None:
    folder = shared_data / "recsys-ml-small"
    runs = name_runs(sorted((folder / "runs").iterdir()))
    outcomes = irpref.compare(folder / "qrels.txt", runs, "RPP").checks()["outcome"].value_counts()
    assert outcomes.to_dict() == {"holds": 45, "gone": 11, "weaker": 7, "reversed": 3}
