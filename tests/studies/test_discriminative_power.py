"""The study of discriminative power: every share by its definition, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irpref
from irpref.stats.method import Draws
from irpref.stats.tests.hsd import tukey_hsd
from irpref.studies.numbers.topic_bootstrap import TopicBootstrap
from tests import literal
from tests.random_cases import collection_of
from tests.studies.turned import tried, turned, verdicts

QRELS, RUNS = collection_of(systems=6, topics=25)
DATA = irpref.collect(QRELS, RUNS)
TESTS = ["Tukey's HSD", "paired test, Bonferroni", "paired test, Holm"]
OPTIONS = {"n_resamples": 40, "n_shuffles": 200, "alpha": 0.1, "rng": 3}


def average_precision(positions: Sequence[float]) -> float:
    return sum(level / position for level, position in enumerate(positions, 1)) / len(positions)


def own(first: np.ndarray, second: np.ndarray) -> float:
    """A preference of a researcher's own."""
    return average_precision(first) - average_precision(second)


STUDY = irpref.studies.discriminative_power(DATA, ["AP", "LP", own], **OPTIONS)


def values(preference: str) -> np.ndarray:
    """(T, S, S) by the definition of AP or of LP, ranking by ranking."""
    found = np.zeros((len(DATA.topics), 6, 6))
    for t, topic in enumerate(DATA.topics):
        wanted = literal.relevant(QRELS[topic])
        placed = [literal.positions(RUNS[system][topic], wanted) for system in DATA.systems]
        for a, c in np.ndindex(6, 6):
            if preference == "AP":
                found[t, a, c] = average_precision(placed[a]) - average_precision(placed[c])
            else:
                found[t, a, c] = (placed[a] < placed[c]) * 1 - (placed[a] > placed[c]) * 1
    return found


def p_values(preference: str) -> list[float]:
    """Of each pair, by scipy."""
    found = []
    for a, c in combinations(range(6), 2):
        value = values(preference)[:, a, c]
        if preference == "AP":
            found.append(float(stats.ttest_1samp(value, 0).pvalue))
        else:
            wins, losses = int((value > 0).sum()), int((value < 0).sum())
            found.append(float(stats.binomtest(wins, wins + losses).pvalue))
    return found


def below(p: list[float], level: float) -> float:
    return sum(each < level for each in p) / len(p)


def holm(p: list[float], alpha: float) -> float:
    """The share that Holm's steps reject: they end at the first p that is not below its level."""
    rejected = 0
    for each in sorted(p):
        if each >= alpha / (len(p) - rejected):
            break
        rejected += 1
    return rejected / len(p)


def shares(method: str, condition: str) -> pd.Series:
    frame = STUDY.frame
    chosen = frame[(frame["method"] == method) & frame["condition"].str.startswith(condition)]
    assert set(chosen["n"]) == {15}
    return chosen.set_index("treatment")["estimate"]


@pytest.mark.parametrize("method", ["AP", "LP"])
def test_paired_tests_tell_apart_what_scipy_does(method: str) -> None:
    p = p_values(method)
    assert shares(method, "paired test, Bonferroni")["0.1"] == pytest.approx(below(p, 0.1 / 15))
    assert shares(method, "paired test, Holm")["0.1"] == pytest.approx(holm(p, 0.1))
    curve = shares(method, "p of the paired test")
    assert len(curve) == 6
    for level, share in curve.items():
        assert share == pytest.approx(below(p, float(level)))
    assert 0 < below(p, 0.1 / 15) <= holm(p, 0.1) < 1


@pytest.mark.parametrize("method", ["AP", "LP"])
def test_hsd_tells_apart_what_the_test_alone_does(method: str) -> None:
    # Against the first system: that leaves the scores but for a constant.
    given = values("AP")[:, :, 0] if method == "AP" else values("LP")
    found = tukey_hsd(given, Draws(rng=3, n_resamples=200))
    p = found.p[np.triu_indices(6, 1)].tolist()
    assert 0 < below(p, 0.1) < 1
    assert shares(method, "Tukey's HSD")["0.1"] == pytest.approx(below(p, 0.1))
    for level, share in shares(method, "p of Tukey's HSD").items():
        assert share == pytest.approx(below(p, float(level)))


def test_intervals_are_percentiles_over_drawn_topics() -> None:
    data = values("AP")
    margin = tukey_hsd(data[:, :, 0], Draws(rng=3, n_resamples=200)).margin(0.1)
    found: dict[str, list[float]] = {condition: [] for condition in TESTS}
    for drawn in np.concatenate(list(TopicBootstrap(len(data), 40, 3).draws())).astype(int):
        pairs = np.repeat(data, drawn, axis=0)[(slice(None), *np.triu_indices(6, 1))]
        p = stats.ttest_1samp(pairs, 0).pvalue.tolist()
        found["Tukey's HSD"].append(float((abs(pairs.mean(axis=0)) > margin).mean()))
        found["paired test, Bonferroni"].append(below(p, 0.1 / 15))
        found["paired test, Holm"].append(holm(p, 0.1))
    frame = STUDY.frame.query("method == 'AP'").set_index("condition")
    for condition, drawn_shares in found.items():
        ends = [frame.loc[condition, end] for end in ("low", "high")]
        assert ends == pytest.approx(np.quantile(drawn_shares, [0.025, 0.975]))
        assert ends[0] < ends[1]


def test_a_function_tells_apart_what_its_measure_does() -> None:
    frame = STUDY.frame.set_index(["method", "condition", "treatment"])["estimate"]
    pd.testing.assert_series_equal(frame["own"], frame["AP"])


RPP, AP, RR, LR, SUBTOPICS = (
    "RPP has more discriminative power than AP, nDCG and RR (t-test, Bonferroni)",
    "AP tends to have less discriminative power than nDCG",
    "RR tends to have less discriminative power than nDCG",
    "Lexirecall is clearly more discriminative than R@1000 and RP for deep runs (Tukey's HSD)",
    "ST-RPP has more discriminative power than subtopic recall, ERR-IA and MAP-IA (Tukey's HSD)",
)


@pytest.mark.parametrize(
    ("strong", "expected"),
    [
        (
            ("RPP", "nDCG", "STRPP"),
            {RPP: "undecided", AP: "holds", RR: "holds", SUBTOPICS: "holds"},
        ),
        (("RPP", "STRPP"), {RPP: "holds", AP: "cannot be tested", SUBTOPICS: "holds"}),
        (("AP", "RR", "AP_IA"), {RPP: "fails", AP: "fails", RR: "fails", SUBTOPICS: "fails"}),
    ],
)
def test_claims_hold_and_fail(strong: tuple[str, ...], expected: dict[str, str]) -> None:
    """The strong methods have nDCG's scores, which tell more pairs apart than those of P@1."""
    many = irpref.collect(*collection_of(systems=11, topics=40))
    names = ["RPP", "AP", "nDCG", "RR", "LR", "R@1000", "RP"]
    names += ["STRPP", "StRecall@20", "ERR_IA@20", "AP_IA"]
    methods = turned(many, {name: "nDCG" if name in strong else "P@1" for name in names})
    found = verdicts(irpref.studies.discriminative_power(many, methods, **OPTIONS))
    assert {claim: found[claim] for claim in expected} == expected
    assert found[LR] == "cannot be tested"


def test_few_pairs_say_nothing() -> None:
    methods = ["RPP", "AP", "nDCG", "RR"]
    claims = tried(irpref.studies.discriminative_power(DATA, methods, **OPTIONS))
    assert set(claims["note"]) == {"15 pairs of systems, of 50 needed"}


def test_alpha_is_a_level() -> None:
    with pytest.raises(ValueError, match="alpha"):
        irpref.studies.discriminative_power(DATA, "RR", alpha=1.0)


@pytest.mark.parametrize(("method", "said"), [("RPP", "has 1:"), ("RPP(rel=2)", "has none:")])
def test_it_takes_two_topics(method: str, said: str) -> None:
    runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"x": 2.0, "d": 1.0}}}
    with pytest.raises(ValueError, match=f"tests differences over topics, .* {said}"):
        irpref.studies.discriminative_power(irpref.collect({"1": {"d": 1}}, runs), method)
