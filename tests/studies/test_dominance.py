"""The study of dominance: every share by its definition, pair by pair and draw by draw."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import irpref
from irpref.studies.numbers.topic_bootstrap import TopicBootstrap
from tests import literal
from tests.random_cases import collection_of

QRELS, RUNS = collection_of(systems=4, topics=7)
DATA = irpref.collect(QRELS, RUNS)
TOPICS, SYSTEMS = DATA.topics, DATA.systems
DRAWS = np.concatenate(list(TopicBootstrap(len(TOPICS), 40, 6).draws())).astype(int).tolist()
OUTCOMES = ["mean", "leximin", "leximax", "quantiles won", "dominance"]


def positions(topic: str, system: str) -> list[float]:
    return literal.positions(RUNS[system][topic], literal.relevant(QRELS[topic]))


def average_precision(topic: str, system: str) -> float:
    at = positions(topic, system)
    return sum(level / position for level, position in enumerate(at, 1)) / len(at)


def scores(method: str) -> list[list[float]]:
    """By topic and system: AP, or the win rate of LP."""
    if method == "AP":
        return [[average_precision(topic, system) for system in SYSTEMS] for topic in TOPICS]
    return [
        [
            sum(literal.sgn_lp(positions(t, a), positions(t, c)) for c in SYSTEMS) / 3
            for a in SYSTEMS
        ]
        for t in TOPICS
    ]


def outcomes(first: list[float], second: list[float]) -> list[float]:
    """The difference of the means, leximin, leximax, quantiles won, dominance."""
    profile = [(a > c) - (a < c) for a, c in zip(sorted(first), sorted(second), strict=True)]
    decided = [sign for sign in profile if sign] or [0]
    mean = round((sum(first) - sum(second)) / len(first), 10)
    unanimous = decided[0] if len(set(decided)) == 1 else 0
    return [mean, decided[0], decided[-1], sum(profile) / len(profile), unanimous]


def signs(method: str, counts: list[int]) -> list[list[int]]:
    """By pair and outcome, on topics that are drawn so often."""
    rows = [row for row, count in zip(scores(method), counts, strict=True) for _ in range(count)]
    columns = list(zip(*rows, strict=True))
    return [
        [literal.sign(each) for each in outcomes(list(columns[a]), list(columns[c]))]
        for a, c in combinations(range(len(SYSTEMS)), 2)
    ]


STUDY = irpref.studies.dominance(DATA, ["AP", "LP"], n_resamples=40, rng=6)


@pytest.mark.parametrize("method", ["AP", "LP"])
def test_shares_of_pairs_by_definition(method: str) -> None:
    found = STUDY.frame[STUDY.frame["method"] == method].set_index("condition")["estimate"]
    whole = signs(method, [1] * len(TOPICS))
    assert found["one system dominates"] == pytest.approx(sum(each[4] != 0 for each in whole) / 6)
    ordered = [each for each in whole if each[0]]
    for place in (1, 2, 3):
        reversed_ = sum(each[place] == -each[0] for each in ordered) / len(ordered)
        assert found[f"mean reversed by {OUTCOMES[place]}"] == pytest.approx(reversed_)
    by_draw = [signs(method, counts) for counts in DRAWS]
    for place, outcome in enumerate(OUTCOMES):
        stable = 0
        for pair in range(6):
            drawn = [each[pair][place] for each in by_draw]
            stable += max(drawn.count(1), drawn.count(-1)) >= 0.95 * len(drawn)
        assert found[f"stable by {outcome}"] == pytest.approx(stable / 6)


def test_the_shares_tell_something() -> None:
    shares = STUDY.frame.groupby("condition")["estimate"]
    assert (shares.max() > 0).sum() > 5
    assert STUDY.frame["estimate"].nunique() > 4


def test_two_systems_say_what_came_out_and_how_often() -> None:
    two = DATA.select(systems=SYSTEMS[:2])
    frame = irpref.studies.dominance(two, "AP", n_resamples=40, rng=6).frame
    found = frame.set_index(["condition", "treatment"])["estimate"]
    columns = list(zip(*scores("AP"), strict=True))
    wanted = outcomes(list(columns[0]), list(columns[1]))
    by_draw = [signs("AP", counts)[0] for counts in DRAWS]
    for place, outcome in enumerate(OUTCOMES):
        pair = found[f"by {outcome}"]
        assert pair["all topics"] == pytest.approx(wanted[place])
        for treatment, sign in (
            (SYSTEMS[0], 1),
            ("neither", 0),
            (SYSTEMS[1], -1),
        ):
            assert pair[treatment] == pytest.approx(
                sum(each[place] == sign for each in by_draw) / len(DRAWS)
            )
    assert "Two systems" in str(irpref.studies.dominance(two, "AP", n_resamples=2))
    assert "Two systems" not in str(STUDY)


def test_only_topics_that_every_run_has_count() -> None:
    qrels = {topic: {"d": 1} for topic in "123"}
    best, worse = {"d": 1.0}, {"x": 2.0, "d": 1.0}
    runs = {"a": {"1": best, "2": worse, "3": best}, "b": {"1": worse, "2": worse}}
    data = irpref.collect(qrels, runs, missing="skip")
    frame = irpref.studies.dominance(data, ["RR", "LP"], n_resamples=5).frame
    found = frame.set_index(["method", "condition", "treatment"])
    for method, wanted in (("RR", 0.25), ("LP", 1.0)):
        mean = found.loc[(method, "by mean", "all topics")]
        assert (mean["estimate"], mean["n"]) == (wanted, 2)
    apart = irpref.collect(qrels, {"a": {"1": best}, "b": {"2": best}}, missing="skip")
    with pytest.raises(
        ValueError, match=r"no topic .* RR is of every system: count .*\(missing='worst'\)"
    ):
        irpref.studies.dominance(apart, "RR")


def test_only_topics_on_which_every_system_has_a_score_count() -> None:
    qrels = {topic: {"d": 1} for topic in "123"}
    runs = {system: {topic: {"d": 1.0} for topic in qrels} for system in "ab"}
    data = irpref.collect(qrels, runs)
    rows = [("a", "1", 0.5), ("a", "2", 0.2), ("b", "1", 0.9), ("b", "2", 0.3), ("b", "3", 0.9)]
    scores = pd.DataFrame(rows, columns=["system", "topic", "value"])
    study = irpref.studies.dominance(data, {"judge": scores}, n_resamples=5)
    mean = study.frame.set_index(["condition", "treatment"]).loc[("by mean", "all topics")]
    assert (mean["estimate"], mean["n"]) == (pytest.approx(-0.25), 2)
    assert "Scores missing from judge, left out of comparisons: a lacks 1 (3)." in str(study)
    with pytest.raises(ValueError, match="judge is of every system: fill in the worst score"):
        irpref.studies.dominance(data, {"judge": scores.iloc[[0, 4]]})


def test_pairs_that_the_mean_ties_reverse_nothing() -> None:
    run = {"1": {"d": 1.0}}
    frame = irpref.studies.dominance(
        irpref.collect({"1": {"d": 1}}, {"a": run, "b": run, "c": run}), "RR", n_resamples=2
    ).frame.set_index("condition")["estimate"]
    assert frame["one system dominates"] == 0
    assert np.isnan(frame["mean reversed by leximin"])


def test_a_function_is_a_method_too() -> None:
    def found_at_five(first: np.ndarray, second: np.ndarray) -> float:
        return float((first <= 5).sum() - (second <= 5).sum())

    frame = irpref.studies.dominance(DATA, [found_at_five], n_resamples=2).frame
    assert set(frame["method"]) == {"found_at_five"}
