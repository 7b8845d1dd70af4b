"""Tables in which scores are missing: pairs are compared on the topics that both systems have."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import irpref
from irpref import PairTest, demo_paths
from irpref.pairwise.frames import by_topic

pytestmark = pytest.mark.filterwarnings("ignore:.*scores are missing:UserWarning")
SYSTEMS = ("a", "b", "c", "d")


def long(wide: pd.DataFrame) -> pd.DataFrame:
    """The table as a row for each score there is."""
    named = wide.rename_axis(index="topic", columns="system")
    return named.stack().rename("value").reset_index().dropna()


def table(topics: int = 12, seed: int = 1, lacking: float = 0.25) -> pd.DataFrame:
    """Random scores, topics × systems, NaN where one is missing."""
    rng = np.random.default_rng(seed)
    scores = rng.normal([0.3, 0.35, 0.4, 0.5], 0.1, (topics, 4)).round(3)
    scores[rng.random(scores.shape) < lacking] = np.nan
    return pd.DataFrame(scores, [f"t{topic}" for topic in range(topics)], list(SYSTEMS))


def both(wide: pd.DataFrame, a: str, b: str) -> pd.Series:
    """The differences on the topics that both have."""
    pair = wide[[a, b]].dropna()
    return (pair[a] - pair[b]).round(9)


@st.composite
def tables(draw: Any) -> pd.DataFrame:
    """Few topics, the first two of which every system has."""
    score = st.integers(0, 4)
    maybe = st.one_of(st.none(), score)
    whole = draw(st.lists(st.tuples(*[score] * 4), min_size=2, max_size=2))
    rows = whole + draw(st.lists(st.tuples(*[maybe] * 4), min_size=1, max_size=5))
    topics = [f"t{number}" for number in range(len(rows))]
    return pd.DataFrame(rows, topics, list(SYSTEMS), dtype=float) / 10


@given(tables())
def test_each_pair_is_compared_as_by_pandas_on_the_topics_that_both_have(
    wide: pd.DataFrame,
) -> None:
    shared = {pair: both(wide, *pair) for pair in combinations(SYSTEMS, 2)}
    comparison = irpref.compare_scores(long(wide).sample(frac=1, random_state=1))
    mean = comparison.mean("value")
    signs = comparison.test("value", test="sign").set_index(["a", "b"])
    t = comparison.test("value", test=PairTest(method="t", correction=None)).set_index(["a", "b"])
    outcomes = comparison.outcomes("value").set_index(["a", "b"])
    for (a, b), found in shared.items():
        a_first = (a, b) in t.index
        pair, sign = ((a, b), 1) if a_first else ((b, a), -1)
        assert mean.loc[a, b] == pytest.approx(found.mean(), abs=1e-12)
        assert mean.loc[b, a] == -mean.loc[a, b]
        wins, losses = int((found > 0).sum()), int((found < 0).sum())
        counts = outcomes.loc[pair, ["wins", "ties", "losses"]].tolist()
        assert counts[::sign] == [wins, len(found) - wins - losses, losses]
        assert t.loc[pair, "topics"] == signs.loc[pair, "topics"] == len(found)
        assert signs.loc[pair, "used"] == wins + losses
        exact = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
        assert signs.loc[pair, "p"] == pytest.approx(exact)
        series = comparison.per_topic("value", a, b)
        assert series.round(9).to_dict() == found.to_dict()
        if found.nunique() > 1:
            wanted = stats.ttest_1samp(found, 0)
            assert t.loc[pair, "p"] == pytest.approx(wanted.pvalue)
            assert sign * t.loc[pair, "statistic"] == pytest.approx(wanted.statistic)


def apart() -> pd.DataFrame:
    """Every pair has ten topics in common, but not the same ones."""
    wide = table(lacking=0)
    for number, system in enumerate(SYSTEMS):
        # The worst of all wins by much on the topics that one of the others lacks.
        wide.loc[f"t{number}", "a"] = 2.0
        wide.loc[f"t{number}", system] = np.nan
    return wide


@pytest.mark.parametrize("wide", [table(), apart()], ids=["by chance", "as many each"])
def test_the_leaderboard_is_that_of_a_literal_loop(wide: pd.DataFrame) -> None:
    comparison = irpref.compare_scores(long(wide))
    order, names = list(comparison.topics), list(comparison.systems)
    values = wide.loc[order, names].to_numpy()
    differences = values[:, :, None] - values[:, None, :]

    def rates(times: np.ndarray) -> list[float]:
        """The mean of each system over the others, of the topics drawn so many times."""
        found = []
        for one in range(4):
            means = []
            for other in range(4):
                known = ~np.isnan(differences[:, one, other])
                if one != other and times[known].sum():
                    some = differences[known, one, other]
                    means.append((some * times[known]).sum() / times[known].sum())
            found.append(float(np.mean(means)))
        return found

    def ranks(of: list[float]) -> list[int]:
        return [1 + sum(other > each + 1e-9 for other in of) for each in of]

    board = comparison.leaderboard("value", test="t")
    board = board.loc[names]
    assert board["mean"].tolist() == pytest.approx(rates(np.ones(12)))
    assert board["rank"].tolist() == ranks(rates(np.ones(12)))
    found = by_topic(comparison.placements, comparison.preferences, None).set_index(
        ["topic", "system"]
    )["value"]
    for topic, system in found.index:
        others = [both(wide, system, each).get(topic) for each in SYSTEMS if each != system]
        known = [each for each in others if each is not None]
        assert found[topic, system] == pytest.approx(np.mean(known))


@pytest.mark.parametrize("method", ["t", "wilcoxon", "sign"])
def test_a_pair_is_tested_as_if_it_were_alone(method: Any) -> None:
    wide = table(topics=20)
    how = PairTest(method=method, correction=None)
    tests = irpref.compare_scores(long(wide)).test("value", test=how)
    for row in tests.to_dict("records"):
        alone = irpref.compare_scores(long(wide[[row["a"], row["b"]]].dropna()))
        (wanted,) = alone.test("value", baseline=row["b"], test=how).to_dict("records")
        assert row == pytest.approx(wanted, nan_ok=True)


def test_signs_are_those_of_the_topics_that_both_have() -> None:
    wide = table(topics=13, seed=4)
    tests = irpref.compare_scores(long(wide)).test("value")
    for row in tests.itertuples():
        found = both(wide, row.a, row.b).to_numpy()
        signs = np.array(list(product((1, -1), repeat=len(found))))
        reached = np.abs(signs @ found) >= abs(found.sum()) - 1e-12
        assert row.p == pytest.approx(reached.mean())


def test_each_measure_has_its_own_topics() -> None:
    one, other = table(seed=1), table(seed=2)
    parts = [long(one).assign(measure="M"), long(other).assign(measure="N")]
    comparison = irpref.compare_scores(pd.concat(parts))
    for name, wide in (("M", one), ("N", other)):
        for row in comparison.test(name).to_dict("records"):
            assert row["topics"] == len(both(wide, row["a"], row["b"]))


def test_reports_say_on_how_many_topics() -> None:
    wide = table()
    comparison = irpref.compare_scores(long(wide))
    sizes = [len(both(wide, *pair)) for pair in combinations(SYSTEMS, 2)]
    report = comparison.report()
    topics = f"{min(sizes)} to {max(sizes)} of 12 topics a pair"
    assert report.answer[0].endswith(f"(4 systems, 6 pairs, {topics}).")
    own = [len(both(wide, "a", each)) for each in "bcd"]
    assert (
        f" on {min(own)} to {max(own)} of 12 topics a pair: "
        in (comparison.report(baseline="a").answer[0])
    )
    lost = wide.isna().sum().sort_values(ascending=False)
    said = " ".join(report.to_text().split())
    assert f"Scores missing from value, left out of comparisons: {lost.index[0]} lacks" in said
    assert report.facts["unscored"]["value"] == {
        system: [topic for topic in comparison.topics if np.isnan(wide.loc[topic, system])]
        for system in comparison.systems
    }
    pair = irpref.compare_scores(long(wide[["a", "b"]])).report()
    assert f"on {len(both(wide, 'a', 'b'))} topics" in pair.title


def test_where_the_baseline_lacks_topics_only_the_others_count() -> None:
    wide = table(lacking=0)
    wide.loc["t3", "a"] = np.nan
    comparison = irpref.compare_scores(long(wide))
    assert " by value on 11 of 12 topics a pair: " in comparison.report(baseline="a").answer[0]
    assert (
        " by value on 11 to 12 of 12 topics a pair: " in (comparison.report(baseline="b").answer[0])
    )


def test_what_needs_every_score_says_how_to_mend_that() -> None:
    comparison = irpref.compare_scores(long(table()))
    with pytest.raises(ValueError, match="or fill in the worst score for each that is missing"):
        comparison.test("value", test="hsd")


def test_two_systems_without_a_topic_in_common_are_no_pair_of_the_family() -> None:
    wide = table(lacking=0)
    wide.loc["t0":"t5", "a"] = np.nan  # type: ignore[misc]
    wide.loc["t6":, "b"] = np.nan  # type: ignore[misc]
    every = irpref.compare_scores(long(table(lacking=0))).test("value", test="t")
    some = irpref.compare_scores(long(wide)).test("value", test="t")
    pairs = [
        {frozenset(pair) for pair in zip(each["a"], each["b"], strict=True)}
        for each in (every, some)
    ]
    assert pairs[0] - pairs[1] == {frozenset("ab")}
    assert some.attrs["family"] == "all compared pairs"
    answer = irpref.compare_scores(long(wide[["a", "b"]])).report().answer
    assert answer[0] == "b and a share no topic with scores of another tool."


def test_beside_preferences_only_the_scores_lack_topics() -> None:
    data = irpref.collect(*demo_paths())
    scores = data.evaluate(irpref.AP)
    lacking = scores[(scores["system"] != "bm25") | ~scores["topic"].isin(["3", "9"])]
    comparison = data.compare(["RPP", "AP", {"judge": lacking}])
    for pair in (("bm25", "tfidf"), ("boolean", "tfidf")):
        sizes = [len(comparison.per_topic(name, *pair)) for name in ("RPP", "AP", "judge")]
        assert sizes == [12, 12, 10 if "bm25" in pair else 12]
    assert comparison.mean("judge").loc["boolean", "tfidf"] == (
        pytest.approx(comparison.mean("AP").loc["boolean", "tfidf"])
    )
    assert "judge: 2 of 72 scores are missing, most of bm25 (2)" in comparison.warnings[0]
    reason = comparison.explain("3", "bm25", "tfidf").reasons["judge"]
    assert np.isnan(reason.first)
    assert "no score against" in str(comparison.explain("3", "bm25", "tfidf"))


def test_a_topic_counts_for_a_system_where_all_its_runs_have_a_score() -> None:
    qrels, runs = demo_paths()
    data = irpref.collect(qrels, runs, groups={"any bm25": "bm25*"})
    scores = irpref.evaluate(qrels, runs, irpref.AP)
    lost = (scores["system"] == "bm25-prf") & scores["topic"].isin(["3", "9"])
    comparison = data.compare({"judge": scores[~lost]})
    assert len(comparison.per_topic("judge", "any bm25", "tfidf")) == 10
    assert len(comparison.per_topic("judge", "boolean", "tfidf")) == 12
    assert "bm25-prf lacks 2 (3, 9)" in comparison.report(test=False).to_text()
