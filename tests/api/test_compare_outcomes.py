"""A comparison by side-by-side judgments: everything a comparison gives, on what was judged."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref import demo_paths
from tests.literal_judges import TOPICS, some_judgments


def signed(judged: pd.DataFrame) -> pd.DataFrame:
    """Topics × pairs: the mean answer; as many rows of each judge, so that all weigh the same."""
    value = judged["outcome"].map({"a": 1.0, "tie": 0.0, "b": -1.0})
    turned = judged["a"] > judged["b"]
    first, second = np.where(turned, (judged["b"], judged["a"]), (judged["a"], judged["b"]))
    frame = judged.assign(value=np.where(turned, -value, value), first=first, second=second)
    found = frame.pivot_table("value", "topic", ["first", "second"], aggfunc="mean").round(12)
    back = -found.swaplevel(axis=1)
    return pd.concat([found, back], axis=1)


def test_means_outcomes_and_topics_are_those_of_the_rows() -> None:
    judged = some_judgments(share=0.6)
    compared, wanted = irpref.compare_outcomes(judged), signed(judged)
    assert isinstance(compared, irpref.Comparison)
    outcomes = compared.outcomes("judges").set_index(["a", "b"])
    for pair in combinations(compared.systems, 2):
        values = wanted[pair].dropna()
        by_topic = compared.per_topic("judges", *pair)
        assert by_topic.sort_index().to_dict() == pytest.approx(values.sort_index().to_dict())
        assert compared.mean("judges").loc[pair] == pytest.approx(values.mean())
        counts = [int((np.sign(values) == sign).sum()) for sign in (1, 0, -1)]
        assert outcomes.loc[pair].to_list() == counts
        assert sum(counts) < len(TOPICS)
    assert compared.mean("judges").loc["bm25", "bm25"] == 0


def test_tests_are_those_of_the_judged_topics() -> None:
    judged = some_judgments(share=0.5)
    rows = irpref.compare_outcomes(judged).test("judges", test="t").set_index(["a", "b"])
    wanted = signed(judged)
    for pair in rows.index:
        values = wanted[pair].dropna()
        statistic = values.mean() / (values.std() / len(values) ** 0.5)
        assert rows.loc[pair, "statistic"] == pytest.approx(statistic)
        assert rows.loc[pair, "topics"] == len(values)


def test_orders_and_leaderboards_rank_on_what_was_judged() -> None:
    compared = irpref.compare_outcomes(some_judgments(judges=4, share=0.7))
    assert compared.order("judges").index[0] == "bm25"
    board = compared.leaderboard("judges")
    assert board.index[0] == "bm25"
    assert board["rank_low"].le(board["rank"]).all()
    assert compared.order("judges", method="bradley-terry").index[-1] == "zero"


def test_judgments_of_one_judge_are_signs() -> None:
    alone = irpref.compare_outcomes(some_judgments(judges=1, both=False))
    tests = alone.test("judges", baseline="zero")
    signs = alone.test("judges", baseline="zero", test="sign")
    assert tests["p"].tolist() == signs["p"].tolist()
    assert tests.attrs["n_resamples"] == 10_000


def test_what_needs_every_pair_says_so() -> None:
    compared = irpref.compare_outcomes(some_judgments(share=0.5))
    with pytest.raises(
        ValueError, match=r"topic \d+ does not compare \w+ and \w+ .*judge every pair"
    ):
        compared.test("judges", test="hsd")
    whole = irpref.compare_outcomes(some_judgments())
    assert whole.test("judges", test="hsd").attrs["test"] == "hsd"
    with pytest.raises(ValueError, match="needs rankings, and this comparison has none"):
        whole.explain("1", "bm25", "zero")


def test_a_report_says_what_to_know_of_the_judges() -> None:
    report = irpref.compare_outcomes(some_judgments(share=0.5)).report()
    assert report.answer[0].startswith("bm25 leads by judges (4 systems, 6 pairs")
    notes = " ".join(map(str, report.notes))
    assert (
        "of 84 comparisons are judged (14 topics × 6 pairs). The others are missing, not ties"
        in notes
    )
    assert "two judges about the same pair on the same topic (41 cases) agree in" in notes
    assert "where both orders were asked (82 times), the answer is another one in" in notes
    facts = report.facts["judged"]["judges"]
    assert facts["most_judges"] == 2
    assert 0 < facts["turned"] < 1
    alone = irpref.compare_outcomes(some_judgments(judges=1, both=False)).report()
    notes = " ".join(map(str, alone.notes))
    assert "one judge for each pair and topic: how far judges agree is unknown" in notes
    assert "no pair was asked in both orders: whether the order decides is unknown" in notes
    assert alone.facts["judged"]["judges"]["agree"] is None


def test_few_topics_and_ties_only_are_warnings() -> None:
    few = some_judgments().query("topic in ('1', '2', '3')")
    with pytest.warns(UserWarning, match=r"judges: 3 judged topics: fewer than 10"):
        compared = irpref.compare_outcomes(few)
    assert any("3 judged topics" in each for each in compared.warnings)
    with pytest.warns(UserWarning, match=r"90 comparisons, and all come to ties"):
        ties = irpref.compare_outcomes(some_judgments().assign(outcome="tie"))
    assert ties.report().answer[0].startswith("No system wins any topic by judges")


def test_a_pair_that_was_never_judged_is_no_pair_of_the_family() -> None:
    judged = some_judgments()
    star = irpref.compare_outcomes(judged[(judged["a"] == "zero") | (judged["b"] == "zero")])
    assert np.isnan(star.mean("judges").loc["bm25", "dense"])
    tests = star.test("judges", test="t")
    assert tests.attrs["family"] == "all compared pairs"
    assert [set(pair) for pair in zip(tests["a"], tests["b"], strict=True)] == [
        {other, "zero"} for other in star.systems if other != "zero"
    ]
    alone = star.test("judges", baseline="zero", test="t").set_index("a")["p_adjusted"].to_dict()
    other = np.where(tests["a"] == "zero", tests["b"], tests["a"])
    assert dict(zip(other, tests["p_adjusted"], strict=True)) == pytest.approx(alone)
    report = star.report()
    assert "3 could not be tested" in report.answer[1]
    assert "significantly better than all" not in report.answer[1]
    notes = " ".join(map(str, report.notes))
    assert "mean preference over the other systems that it met" in notes
    said = star.verdict("bm25", "dense").answer[0]
    assert said == "bm25 and dense share no topic with side-by-side judgments."
    assert "Flipping" not in str(star.verdict("bm25", "dense"))


def test_judges_stand_beside_preferences_and_are_explained() -> None:
    qrels, runs = demo_paths()
    data = irpref.collect(qrels, runs[:3], lists=10)
    a, b, c = data.systems
    rows = [
        (topic, a, b, "b" if topic == "6" else "a", judge)
        for topic in data.topics
        for judge in "xy"
    ]
    frame = pd.DataFrame([*rows, ("1", a, c, "a", "x")], columns=judged_columns())
    compared = data.compare(["RPP", {"judges": frame}])
    decisions = compared.explain("6", a, b).decisions
    assert decisions.loc["judges", "value"] == -1
    assert decisions.loc["judges", "decided_by"] == f"0 judges for {a}, 2 for {b}, 0 for neither"
    decisions = compared.explain("6", a, c).decisions
    assert decisions.loc["judges", "decided_by"] == "no judge was asked"
    assert np.isnan(decisions.loc["judges", "value"])
    page = compared.to_html()
    assert page is not None
    assert "{first:judge} for {a}" in page
    grouped = {"new": [a, b]}
    with pytest.raises(ValueError, match=r"judges are of systems, not of the runs of one.*groups"):
        irpref.compare(qrels, runs, {"judges": frame}, groups=grouped)


def test_a_system_that_nobody_judged_is_refused() -> None:
    data = irpref.collect(*demo_paths())
    a, b, c, *_ = data.systems
    frame = pd.DataFrame(
        [(topic, a, b, "a", "x") for topic in data.topics], columns=judged_columns()
    )
    with pytest.raises(
        ValueError, match=rf"judges: nobody was asked about {c}, .*: leave such systems"
    ):
        data.compare(["RPP", {"judges": frame}])
    two = data.select(systems=[a, b]).compare({"judges": frame})
    assert two.mean("judges").loc[a, b] == 1
    # Only preferences look at documents.
    assert "Judging the others" not in str(two.report())


def test_what_is_said_of_judges_is_of_what_is_compared() -> None:
    data = irpref.collect(*demo_paths(), missing="skip")
    a, b, c, *_ = data.systems
    rows = [
        (topic, one, other, said, judge)
        for topic in data.topics
        for one, other in ((a, b), (a, c), (b, c))
        for judge, said in (("x", "a"), ("y", "a" if one == a else "b"))
    ]
    frame = pd.DataFrame(rows, columns=judged_columns())
    few = data.select(topics=data.topics[:3], systems=[a, b])
    with pytest.warns(
        UserWarning, match=r"1 unknown system is left out .*3 judged topics: fewer than 10"
    ):
        compared = few.compare({"judges": frame})
    facts = compared.report().facts["judged"]["judges"]
    assert (facts["cases"], facts["agree"], facts["both_orders"]) == (3, 1.0, 0)
    notes = " ".join(map(str, compared.report().notes))
    assert "3 judged topics: fewer than 10 say little of others" in notes


def judged_columns() -> list[str]:
    return ["topic", "a", "b", "outcome", "judge"]


def test_the_signature_is_of_the_judgments() -> None:
    one, other = (irpref.compare_outcomes(some_judgments(seed=seed)) for seed in (0, 1))
    signatures = {
        each.signature("judges") for each in (one, other, irpref.compare_outcomes(some_judgments()))
    }
    assert len(signatures) == 2
    assert one.signature("judges").startswith("outcomes:judges#")
