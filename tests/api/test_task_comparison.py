"""Several tasks: task by task as plain comparisons, together as means of task means."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irpref
from irpref import AP, IPSO, LP, RPP, Collection, InputError, PairTest, demo_paths, nDCG
from irpref.api.task_comparison import TaskComparison
from irpref.base.literals import Resample
from irpref.pairwise.signature import with_parts

PREFERENCES = [RPP, LP, IPSO @ 10, AP]
SIZES = {"one": 3, "two": 7, "three": 2}


@pytest.fixture(scope="module")
def data() -> Collection:
    return irpref.collect(*demo_paths())


@pytest.fixture(scope="module")
def parts(data: Collection) -> dict[str, Collection]:
    """Three tasks of different sizes."""
    ends = np.cumsum([0, *SIZES.values()]).tolist()
    return {
        name: data.select(topics=data.topics[start:end])
        for name, start, end in zip(SIZES, ends[:-1], ends[1:], strict=True)
    }


@pytest.fixture(scope="module")
def compared(parts: dict[str, Collection]) -> TaskComparison:
    return irpref.compare_tasks(parts, PREFERENCES)


@pytest.fixture(scope="module")
def plain(parts: dict[str, Collection]) -> dict[str, irpref.Comparison]:
    return {name: part.compare(PREFERENCES) for name, part in parts.items()}


def literal_means(plain: Any, preference: Any) -> list[pd.DataFrame]:
    return [each.mean(preference) for each in plain.values()]


# Means, outcomes, orders


@pytest.mark.parametrize("preference", PREFERENCES, ids=str)
def test_a_mean_is_that_of_the_task_means(
    preference: Any, compared: TaskComparison, plain: Any
) -> None:
    means = literal_means(plain, preference)
    found = compared.mean(preference)
    pd.testing.assert_frame_equal(found, sum(means[1:], means[0]) / 3, check_exact=False)
    # The topics of all tasks weigh otherwise.
    assert not np.allclose(found, irpref.compare(*demo_paths(), preference).mean(preference))


@pytest.mark.parametrize("preference", PREFERENCES, ids=str)
def test_by_task_is_each_comparison_by_itself(
    preference: Any, compared: TaskComparison, plain: Any
) -> None:
    over_all, over_one = (compared.by_task(preference, baseline=b) for b in (None, "bm25"))
    assert list(over_all.index) == list(SIZES)
    for task, each in plain.items():
        order = each.order(preference)
        for system, value in order.items():
            assert over_all.loc[task, system] == pytest.approx(value, abs=1e-11)
            if system != "bm25":
                wanted = each.mean(preference).loc[system, "bm25"]
                assert over_one.loc[task, system] == wanted
    assert "bm25" not in over_one


@pytest.mark.parametrize("preference", PREFERENCES, ids=str)
def test_outcomes_are_counted_in_tasks_and_in_topics(
    preference: Any, compared: TaskComparison, plain: Any
) -> None:
    found = compared.outcomes(preference)
    topics = sum(each.outcomes(preference).drop(columns=["a", "b"]) for each in plain.values())
    for name in topics:
        assert found[f"topic_{name}"].to_list() == topics[name].to_list()
    for row in found.to_dict("records"):
        means = [each.loc[row["a"], row["b"]] for each in literal_means(plain, preference)]
        signs = np.sign(np.round(means, 12)).tolist()
        wanted = [signs.count(sign) for sign in (1, 0, -1)]
        assert [row["wins"], row["ties"], row["losses"]] == wanted
    systems = compared.systems
    assert list(zip(found["a"], found["b"], strict=True)) == list(combinations(systems, 2))


def test_the_mean_order_is_by_the_mean_over_all_others(compared: TaskComparison) -> None:
    mean = compared.mean("RPP").to_numpy()
    wanted = pd.Series(mean.sum(axis=1) / 5, index=compared.systems)
    found = compared.order("RPP")
    assert found.is_monotonic_decreasing
    for system, value in found.items():
        assert value == pytest.approx(wanted[system], abs=1e-11)


def test_borda_is_that_of_mteb(compared: TaskComparison, plain: Any) -> None:
    """A task gives a system as many points as systems score less (MTEB's benchmarks/_create_table.py)."""
    points = dict.fromkeys(compared.systems, 0.0)
    for part in plain.values():
        # Of topics with relevant items, which are all here.
        scores = part.order(AP)
        ranks = scores.round(11).rank(method="average")
        for system, rank in ranks.items():
            points[system] += (rank - 1) / 3
    found = compared.order(AP, method="borda")
    assert found.to_dict() == pytest.approx(points)
    assert "task" in found.attrs["ties"]


def test_what_decides_in_orders_are_tasks(compared: TaskComparison) -> None:
    found = compared.order("RPP", method="copeland")
    counts = compared.outcomes("RPP").set_index(["a", "b"])
    for system, value in found.items():
        won = [
            np.sign(row["wins"] - row["losses"]) * (1 if a == system else -1)
            for (a, b), row in counts.iterrows()
            if system in (a, b)
        ]
        assert value == sum(won)


# One task


def test_one_task_is_the_plain_comparison(data: Collection) -> None:
    one = irpref.compare_tasks({"all": data}, PREFERENCES)
    plain = data.compare(PREFERENCES)
    for preference in PREFERENCES:
        pd.testing.assert_frame_equal(one.mean(preference), plain.mean(preference))
        pd.testing.assert_series_equal(one.order(preference), plain.order(preference))
        ours = one.outcomes(preference).filter(like="topic_")
        theirs = plain.outcomes(preference).drop(columns=["a", "b"])
        assert ours.to_numpy().tolist() == theirs.to_numpy().tolist()
        for options in ({"method": "t"}, {"rng": 3, "n_resamples": 500}):
            tested = one.test(preference, resample="topics", test=irpref.PairTest(**options))  # type: ignore[arg-type]
            wanted = plain.test(preference, test=irpref.PairTest(**options))  # type: ignore[arg-type]
            for name in ("mean", "low", "high", "effect", "p", "p_adjusted", "topics"):
                np.testing.assert_allclose(tested[name], wanted[name], err_msg=name, atol=1e-12)
    test = PairTest(rng=5, n_resamples=5000, alpha=0.2)
    board = one.leaderboard("RPP", test=test, resample="topics")
    theirs = plain.leaderboard("RPP", test=test)
    same = ["mean", "rank", "rank_low", "rank_high", "best", "letter", "better_than"]
    pd.testing.assert_frame_equal(board[same], theirs[same])


def test_one_task_says_nothing_of_others(data: Collection) -> None:
    one = irpref.compare_tasks({"all": data}, "RPP")
    ask: Callable[[], Any]
    for ask in (one.test, one.leaderboard, lambda: one.report(test="fit")):
        with pytest.raises(ValueError, match=r"one task says nothing.*resample='topics'"):
            ask()
    assert "1 task, 12 topics" in str(one)


# Tests and intervals


def test_task_means_are_what_is_tested_where_tasks_might_be_others(
    compared: TaskComparison, plain: Any
) -> None:
    found = compared.test("RPP", test=PairTest(correction=None))
    assert found.attrs["test"] == "t"
    assert (found["tasks"] == 3).all()
    assert (found["topics"] == 12).all()
    for row in found.to_dict("records"):
        means = [each.loc[row["a"], row["b"]] for each in literal_means(plain, "RPP")]
        theirs = stats.ttest_1samp(means, 0)
        assert row["mean"] == pytest.approx(np.mean(means))
        assert row["p"] == pytest.approx(theirs.pvalue)
        low, high = theirs.confidence_interval()
        assert (row["low"], row["high"]) == pytest.approx((max(low, -1), min(high, 1)))
    same = compared.test("RPP", test=PairTest(correction=None), resample="tasks")
    pd.testing.assert_frame_equal(found, same)


@pytest.mark.parametrize("method", ["sign", "wilcoxon", "hsd"])
def test_every_test_can_be_of_task_means(method: Any, compared: TaskComparison) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = compared.test("RPP", test=PairTest(method=method, rng=1, n_resamples=99))
    # Of three tasks, two sets of signs of eight are as extreme.
    assert (found["p"] >= (0.25 if method != "hsd" else 0)).all()
    assert found.attrs["test"] == method
    if method == "hsd":
        with pytest.raises(ValueError, match="leave out the baseline"):
            compared.test("RPP", test="hsd", baseline="bm25")


@pytest.mark.parametrize("pairs", [1, 15])
def test_topics_are_tested_with_tasks_as_strata(pairs: int, parts: dict[str, Collection]) -> None:
    names = ("bm25", "tfidf") if pairs == 1 else None
    some = parts if names is None else {k: v.select(systems=names) for k, v in parts.items()}
    found = irpref.compare_tasks(some, "RPP").test(
        resample="topics", test=PairTest(rng=2, n_resamples=5000)
    )
    assert found.attrs["test"] == "randomization"
    values = [
        part.compare("RPP").per_topic("RPP", "bm25", "tfidf").to_numpy() for part in some.values()
    ]
    row = found[(found["a"] == "bm25") & (found["b"] == "tfidf")].iloc[0]
    weighted = np.concatenate([each / len(each) / 3 for each in values])
    assert row["mean"] == pytest.approx(weighted.sum())
    flips = np.array(np.meshgrid(*[[-1, 1]] * 12)).reshape(12, -1).T @ weighted
    assert row["p"] == pytest.approx(np.mean(np.abs(flips) >= abs(weighted.sum()) - 1e-12))


def test_baselines_are_a_family(compared: TaskComparison) -> None:
    found = compared.test("RPP", baseline=["bm25", "tfidf"], test=PairTest(correction="bonferroni"))
    assert len(found) == 5 + 4
    np.testing.assert_allclose(found["p_adjusted"], np.minimum(1, 9 * found["p"]))
    assert found.attrs["family"] == "all against bm25, tfidf"


def test_the_default_holds_the_family(compared: TaskComparison) -> None:
    for resample, correction in (("tasks", "holm"), ("topics", None)):
        frame = compared.test("RPP", resample=resample)  # type: ignore[arg-type]
        assert frame.attrs["correction"] == correction
    # What is corrected by itself takes no correction.
    with pytest.raises(ValueError, match="randomization corrects for all pairs by itself"):
        compared.test("RPP", resample="topics", test=PairTest(correction="holm"))


@pytest.mark.parametrize("resample", get_args(Resample))
def test_a_leaderboard_orders_ranks_and_counts(
    resample: Resample, compared: TaskComparison
) -> None:
    test = PairTest(rng=4, n_resamples=300)
    board = compared.leaderboard("RPP", test=test, resample=resample)
    order = compared.order("RPP")
    assert list(board.index) == list(order.index)
    np.testing.assert_allclose(board["mean"], order)
    assert board["rank"].to_list() == [1, 2, 3, 4, 5, 6]
    assert ((board["rank_low"] <= board["rank"]) & (board["rank"] <= board["rank_high"])).all()
    counts = compared.outcomes("RPP")
    for system, row in board.iterrows():
        as_first, as_second = counts[counts["a"] == system], counts[counts["b"] == system]
        assert row["wins"] == as_first["wins"].sum() + as_second["losses"].sum()
        assert row["wins"] + row["ties"] + row["losses"] == 15
    again = compared.leaderboard("RPP", test=test, resample=resample)
    pd.testing.assert_frame_equal(board, again, check_exact=True)


# Reading


def folders(tmp_path: Path) -> dict[str, Any]:
    """Two tasks in files."""
    qrels, runs = demo_paths()
    copy = tmp_path / "bm25.txt"
    copy.write_bytes(Path(runs[1]).read_bytes())
    return {"first": (qrels, runs), "second": (qrels, list(reversed(runs)))}


def test_tasks_are_read_one_by_one_and_their_systems_may_be_in_any_order(tmp_path: Path) -> None:
    tasks = folders(tmp_path)
    found = irpref.compare_tasks(tasks, "RPP", missing="skip")
    assert found.tasks["second"].systems == found.systems
    assert found.tasks["second"].placements.reading.missing == "skip"
    pd.testing.assert_frame_equal(
        found.tasks["first"].mean("RPP"), found.tasks["second"].mean("RPP")
    )
    mixed = {"read": irpref.collect(*tasks["second"]), "files": tasks["first"]}
    pd.testing.assert_frame_equal(
        irpref.compare_tasks(mixed, "RPP").mean("RPP").sort_index(),
        found.mean("RPP")
        .loc[list(reversed(found.systems)), list(reversed(found.systems))]
        .sort_index(),
        check_exact=False,
    )


def test_a_task_without_a_system_is_named(parts: dict[str, Collection]) -> None:
    lacking = parts | {"two": parts["two"].select(systems=["bm25", "tfidf"])}
    with pytest.raises(ValueError, match="'two' lacks 'bm25-prf', 'boolean'") as caught:
        irpref.compare_tasks(lacking, "RPP")
    assert "all tasks need the same systems" in str(caught.value)


@pytest.mark.parametrize(
    ("tasks", "problem"),
    [
        ({}, "there are no tasks"),
        ([], "tasks must be"),
        ({"a": 3}, "must be \\(qrels, runs\\) or a collection"),
        ({"a": ("q", "r", "s")}, "must be \\(qrels, runs\\) or a collection"),
        ({1: 2, "1": 2}, "the same name as text"),
    ],
)
def test_other_tasks_are_refused(tasks: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        irpref.compare_tasks(tasks)


def test_errors_of_input_name_the_task() -> None:
    good = {"1": {"d": 1.0}}
    tasks = {"easy": ({"1": {"d": 1}}, {"a": good, "b": good})}
    hard = ({"1": {"d": 1}}, {"a": good, "b": {"1": {"d": "x"}}})
    with pytest.raises(InputError) as caught:
        irpref.compare_tasks(tasks | {"hard": hard}, "RPP")
    assert caught.value.source == "task hard, run 'b'"
    assert (caught.value.topic, caught.value.document) == ("1", "d")


def test_options_of_reading_are_for_tasks_that_are_read(parts: dict[str, Collection]) -> None:
    with pytest.raises(ValueError, match="missing= says how files are read, and the task 'one'"):
        irpref.compare_tasks(parts, missing="skip")
    with pytest.raises(TypeError, match="did you mean 'missing'"):
        irpref.compare_tasks(parts, misssing="skip")  # type: ignore[call-arg]


def test_tasks_that_were_saved_are_as_they_were_read(tmp_path: Path) -> None:
    qrels, runs = demo_paths()
    data = irpref.collect(qrels, runs[:3], judged_only=True)
    data.save(tmp_path / "demo.irpref")
    saved = {"first": (tmp_path / "demo.irpref", None), "second": data}
    whole = irpref.compare_tasks({"first": data, "second": data}, "RPP")
    assert irpref.compare_tasks(saved, "RPP").mean("RPP").equals(whole.mean("RPP"))


def test_scores_of_other_tools_do_not_say_of_which_task_they_are(
    data: Collection, parts: dict[str, Collection]
) -> None:
    with pytest.raises(ValueError, match="judge does not say of which task"):
        irpref.compare_tasks(parts, {"judge": data.evaluate(AP)})


def test_functions_compare_tasks_too(parts: dict[str, Collection]) -> None:
    def first_earlier(first: Any, second: Any) -> float:
        return float(first[0] < second[0]) - float(first[0] > second[0])

    found = irpref.compare_tasks(parts, first_earlier).mean(first_earlier)
    means = [part.compare(first_earlier).mean(first_earlier) for part in parts.values()]
    pd.testing.assert_frame_equal(found, sum(means[1:], means[0]) / 3)


def test_tasks_that_were_read_in_different_ways_are_no_whole(data: Collection) -> None:
    other = irpref.collect(*demo_paths(), judged_only=True)
    with pytest.raises(ValueError, match="not read in the same way: judged_only differs"):
        irpref.compare_tasks({"a": data, "b": other}, "RPP").mean("RPP")


def test_a_task_on_which_nothing_counts_is_named() -> None:
    run = {"1": {"d": 1.0}}
    tasks = {
        name: ({"1": {"d": grade}}, {"a": run, "b": run}) for name, grade in (("x", 2), ("y", 1))
    }
    with pytest.raises(ValueError, match=r"no topic of the task 'y' counts for RPP\(rel=2\)"):
        irpref.compare_tasks(tasks, RPP(rel=2))


# Topics that a run lacks


def skipping() -> TaskComparison:
    """In task y, a and c have no topic in common."""
    one, other = {"1": {"d": 1.0, "e": 0.5}}, {"1": {"e": 1.0, "d": 0.5}}
    x = {"1": {"d": 1}}, {"a": one, "b": other, "c": other}
    second = {"2": {"e": 1.0, "d": 0.5}}
    y = {"1": {"d": 1}, "2": {"d": 1}}, {"a": one, "b": {**other, **second}, "c": second}
    return irpref.compare_tasks({"x": x, "y": y}, "RPP", missing="skip")


def test_a_pair_without_topics_in_a_task_has_the_mean_of_the_others() -> None:
    found = skipping()
    assert found.mean("RPP").loc["a"].to_list() == [0, 1, 1]
    with pytest.raises(ValueError, match="a and c have fewer"):
        found.test("RPP")
    counts = found.outcomes("RPP").set_index(["a", "b"])
    assert counts.loc[("a", "c"), ["wins", "ties", "losses", "topic_wins"]].to_list() == [
        1,
        0,
        0,
        1,
    ]
    with pytest.raises(ValueError, match="missing='worst'"):
        found.test(resample="topics")


# Reports


def test_a_report_shows_all_tasks_and_each(compared: TaskComparison) -> None:
    report = compared.report()
    assert report.title == "6 systems on 3 tasks, 12 topics; best first by RPP"
    whole, each = report.tables
    assert whole.frame["system"].to_list() == list(compared.order("RPP").index)
    assert each.frame.columns == ["system", *SIZES]
    by_task = compared.by_task("RPP")
    for row in each.frame.to_dicts():
        assert [row[task] for task in SIZES] == by_task[row["system"]].to_list()
    records = report.records
    assert len(records) == 6 * len(PREFERENCES) * (1 + len(SIZES))
    all_tasks = records[records["task"].isna() & (records["preference"] == "RPP")]
    np.testing.assert_allclose(all_tasks["mean"], compared.order("RPP"))
    assert report.facts["tasks"] == SIZES
    assert json.loads(report.to_json())["title"] == report.title
    top = compared.report(top=2)
    assert [table.frame.height for table in top.tables] == [2, 2]
    assert len(top.records) == len(records)


def test_a_tested_report_says_what_was_asked(compared: TaskComparison) -> None:
    test = PairTest(rng=4, n_resamples=200)
    for resample, said in (
        ("tasks", "on the means of the tasks, for other tasks like these"),
        ("topics", "on the topics of these tasks, as strata"),
    ):
        report = compared.report(test=test, resample=resample)  # type: ignore[arg-type]
        assert any(said in note for note in report.notes)
        board = compared.leaderboard(test=test, resample=resample)  # type: ignore[arg-type]
        within = [f"{low}-{high}" for low, high in board[["rank_low", "rank_high"]].to_numpy()]
        shown = report.tables[0].frame["rank (95 % CI)"].to_list()
        assert [each.partition("(")[2] for each in shown] == [f"{each})" for each in within]
        assert report.signatures[0] == with_parts(board.attrs["signature"], report="board")


def test_against_a_baseline(compared: TaskComparison) -> None:
    report = compared.report(
        baseline="bm25", test=PairTest(rng=1, n_resamples=500), resample="topics"
    )
    assert report.title.startswith("5 systems against bm25 on 3 tasks, 12 topics")
    tests = compared.test(
        "RPP", baseline="bm25", test=PairTest(rng=1, n_resamples=500), resample="topics"
    )
    significant = set(tests.loc[tests["significant"], "a"])
    whole, each = report.tables
    marked = {
        name
        for name, mark in zip(whole.frame["system"], whole.marks["RPP"], strict=True)
        if mark == "†"
    }
    assert marked == significant != set()
    assert each.caption == "RPP over bm25, task by task"


def test_two_systems_are_a_pair(parts: dict[str, Collection]) -> None:
    two = irpref.compare_tasks(
        {name: part.select(systems=["bm25", "tfidf"]) for name, part in parts.items()}, PREFERENCES
    )
    report = two.report(test="fit")
    assert report.title == "bm25 against tfidf on 3 tasks, 12 topics"
    whole, each = report.tables
    assert whole.frame["mean"].to_list() == [two.mean(p).loc["bm25", "tfidf"] for p in PREFERENCES]
    # Each preference is a question of its own.
    wanted = [two.test(p)["p"].item() for p in PREFERENCES]
    np.testing.assert_allclose(whole.frame["p"].to_list(), wanted, rtol=0, atol=1e-12)
    assert each.frame["topics"].to_list() == list(SIZES.values())
    assert each.frame["LP"].to_list() == two.by_task("LP", baseline="tfidf")["bm25"].to_list()
    turned = two.report(baseline="bm25")
    assert turned.title.startswith("tfidf against bm25")
    with pytest.raises(ValueError, match="two have none"):
        two.report(top=1)


def test_reports_fit_80_columns(compared: TaskComparison, parts: dict[str, Collection]) -> None:
    many = irpref.compare_tasks(
        {f"A long name of task {n}": parts["one"] for n in range(12)}, "RPP"
    )
    for report in (
        compared.report(test=PairTest(rng=1, n_resamples=50)),
        compared.report(baseline="bm25"),
        many.report(),
    ):
        text = report.to_text(80)
        for line in text.splitlines():
            assert len(line) <= 80 or line.startswith(("pref:", "measure:"))
    assert "<table" in compared._repr_html_()


def test_topics_that_are_missing_are_named_with_their_task() -> None:
    run = {"1": {"d": 1.0}, "2": {"d": 1.0}}
    qrels = {"1": {"d": 1}, "2": {"d": 1}, "3": {"d": 0}}
    tasks = {"x": (qrels, {"a": run, "b": run}), "y": (qrels, {"a": run, "b": {"1": {"d": 1.0}}})}
    remarks = " ".join(irpref.compare_tasks(tasks, "RPP").report().remarks)
    assert "b lacks 1 (y: 2)" in remarks
    assert "2 topics (x: 3, y: 3)" in remarks


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda c: c.mean("nDCG"), "was not compared"),
        (lambda c: c.by_task("RPP", baseline="bm52"), "did you mean 'bm25'"),
        (lambda c: c.test("RPP", resample="task"), "unknown resample 'task'"),
        (
            lambda c: c.test("RPP", test=PairTest(margin=0.1, alternative="equivalent")),
            "have no margin",
        ),
        (
            lambda c: c.test("RPP", test="sign", resample="topics"),
            "does not know tasks as strata",
        ),
        (lambda c: c.report(top=0), "at least 1"),
        (lambda c: c.order("RPP", method="best"), "unknown order"),
    ],
)
def test_what_cannot_be_asked_is_refused(ask: Any, problem: str, compared: TaskComparison) -> None:
    with pytest.raises(ValueError, match=problem):
        ask(compared)


def test_a_task_of_one_topic_has_no_topics_to_draw(parts: dict[str, Collection]) -> None:
    tasks = parts | {"tiny": parts["one"].select(topics=parts["one"].topics[:1])}
    compared = irpref.compare_tasks(tasks, "RPP")
    with pytest.raises(ValueError, match="the task tiny has one topic"):
        compared.test(resample="topics")
    assert len(compared.test()) == 15


# Signatures


def parts_of(frame: Any) -> dict[str, str]:
    return dict(part.partition(":")[::2] for part in frame.attrs["signature"].split("|"))


def test_every_frame_says_how_it_was_made(compared: TaskComparison) -> None:
    said = {"pref": "RPP", "tasks": "3", "topics": "12", "missing": "0"}
    frames = {
        "mean": (compared.mean("RPP"), {}),
        "by_task": (
            compared.by_task("RPP", baseline="bm25"),
            {"table": "tasks", "baseline": "bm25"},
        ),
        "outcomes": (compared.outcomes("RPP"), {}),
        "order": (compared.order("RPP", method="borda"), {"method": "borda"}),
        "test": (
            compared.test("RPP", test=PairTest(alpha=0.1)),
            {"resample": "tasks", "test": "t", "correction": "holm", "alpha": "0.1"},
        ),
        "leaderboard": (
            compared.leaderboard("RPP", test=PairTest(rng=3, n_resamples=70), resample="topics"),
            {"resample": "topics", "test": "randomization", "rng": "3", "B": "70"},
        ),
    }
    for name, (frame, more) in frames.items():
        assert parts_of(frame).items() >= (said | more).items(), name
    assert compared.signature("RPP") == compared.mean("RPP").attrs["signature"]


def test_parts_of_collections_are_said(compared: TaskComparison) -> None:
    signature = re.sub("#[0-9a-f]{8}", "#", compared.signature("RPP"))
    assert "selected:topics=3/12#,topics=7/12#,topics=2/12#" in signature


def test_predictions_of_mteb_are_compared_task_by_task() -> None:
    saved = Path(__file__).parents[1] / "read" / "saved"
    qrels = json.loads((saved / "qrels.json").read_text())
    tasks = irpref.mteb_tasks(qrels, [saved / "baseline-bm25s", saved / "baseline-random-encoder"])
    compared = irpref.compare_tasks(tasks, [nDCG @ 10, RPP])
    scores = json.loads((saved / "scores.json").read_text())
    ours = compared.by_task("nDCG@10", baseline="mteb/baseline-random-encoder")
    for task, difference in ours["mteb/baseline-bm25s"].items():
        name, *part = str(task).split("/")
        subset, split = part or ("default", "test")
        bm25, other = (
            scores[f"{model}|{name}|{subset}|{split}"]["ndcg_at_10"] for model in compared.systems
        )
        if name == "GardenMultilingual":
            assert difference == pytest.approx(bm25 - other, abs=1.1e-5)
