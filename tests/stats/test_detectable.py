"""The least mean that so many topics find with a power of 0.8, against the power of the tests."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import irpref
from irpref import demo_paths
from irpref.stats.corrections import adjust
from irpref.stats.method import POWER, Draws, PairSums
from irpref.stats.power import t_power
from irpref.stats.strata import Strata
from irpref.stats.tests import TESTS, known_test
from irpref.stats.tests.sign import most_losses, sign_test

ALPHA = st.sampled_from([0.2, 0.05, 0.05 / 15, 0.05 / 7750])


def _signs(wins: int, ties: int, losses: int) -> np.ndarray:
    return np.repeat([1.0, 0.0, -1.0], [wins, ties, losses])[:, None]


def _detectable(name: str, values: np.ndarray, alpha: float, **draws: int) -> np.ndarray:
    test = known_test(name)
    tests = test.of_values(values, draws=Draws(alpha=alpha, **draws))
    return test.detectable(tests, PairSums.of(values), alpha=alpha)


@given(st.integers(0, 300), ALPHA)
def test_most_losses_by_a_scan(decided: int, alpha: float) -> None:
    few = [
        losses for losses in range(decided // 2 + 1) if sign_test(losses, decided - losses) < alpha
    ]
    assert most_losses(decided, alpha) == max(few, default=-1)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 60), ALPHA)
def test_the_sign_test_finds_it_so_often(wins: int, ties: int, losses: int, alpha: float) -> None:
    topics, decided = wins + ties + losses, wins + losses
    [found] = _detectable("sign", _signs(wins, ties, losses), alpha)
    reject = [each for each in range(decided + 1) if sign_test(each, decided - each) < alpha]
    if not reject:
        assert np.isnan(found)
        return
    won = (1 + found * topics / decided) / 2
    power = sum(binom.pmf(each, decided, won) for each in reject)
    # The wrong side can add a little.
    assert POWER - 1e-9 <= power <= POWER + 0.01


def test_wins_do_not_say_the_mean_of_other_values() -> None:
    assert np.isnan(_detectable("sign", np.linspace(0.1, 0.9, 30)[:, None], 0.05)).all()


@pytest.mark.parametrize("topics", [5, 10, 30, 200])
@pytest.mark.parametrize("alpha", [0.05, 0.005])
def test_students_t_finds_it_so_often(topics: int, alpha: float) -> None:
    values = np.random.default_rng(topics).normal(0.1, 0.6, (topics, 1))
    [found] = _detectable("t", values, alpha)
    power = t_power(topics, effect=found / values.std(ddof=1), alpha=alpha)
    assert power == pytest.approx(POWER, abs=0.03 if topics > 5 else 0.08)


@pytest.mark.parametrize("name", sorted(set(TESTS) - {"sign", "hsd", "crossed"}))
def test_each_test_finds_it_about_so_often(name: str) -> None:
    """Of four pairs of normal values: drawn anew with the mean that the first draw calls detectable."""
    rng, pairs, topics, trials = np.random.default_rng(1), 4, 30, 300
    test, found = known_test(name), []
    level = 0.05 if test.correction is None else 0.05 / pairs
    for trial in range(trials):
        first = rng.normal(0, 1, (topics, pairs))
        mean = _detectable(name, first, level, rng=trial, n_resamples=999)[0]
        # In units of what it takes to vary: the standard deviation of the first draw.
        values = rng.normal(0, 1, (topics, pairs))
        values[:, 0] += mean / first[:, 0].std(ddof=1)
        tests = test.of_values(values, draws=Draws(rng=trial, n_resamples=999))
        adjusted = adjust(tests.p, test.correction) if tests.adjusted is None else tests.adjusted
        found.append(adjusted[0] < 0.05)
    assert np.mean(found) == pytest.approx(POWER, abs=0.08)


@pytest.mark.parametrize("name", ["sign", "wilcoxon"])
def test_too_few_topics_find_none(name: str) -> None:
    values = np.array([[1.0], [1.0], [-1.0]])
    assert np.isnan(_detectable(name, values, 0.05)).all()


def test_one_task_is_as_sure_as_its_topics() -> None:
    values = np.random.default_rng(0).normal(0.2, 1, (20, 3))
    test = known_test("t")
    of_tasks = test.detectable(test.of_strata([values]), Strata.of([values]).as_sums, alpha=0.01)
    np.testing.assert_allclose(of_tasks, _detectable("t", values, 0.01))


def test_comparisons_say_it_beside_what_is_not_significant() -> None:
    data = irpref.collect(*demo_paths())
    compared = data.compare(["RPP", "LP"])
    tests = compared.test("RPP")
    # No two rankings differ by more than 1.
    assert tests["detectable"].dropna().between(0, 1).all()
    board = compared.report(test="fit").to_text(notes=True)
    unsure = tests.loc[~tests["significant"], "detectable"]
    assert f"A mean of ±{unsure.median():.2f} or more would likely be found (power 0.8" in " ".join(
        board.split()
    )
    pair = data.select(systems=["bm25", "tfidf"]).compare(["RPP", "LP"])
    row = pair.report(test="fit").records.set_index("preference").loc["RPP"]
    assert not row["significant"]
    said = pair.verdict("bm25", "tfidf")
    likely = f"A mean of ±{row['detectable']:.2f} or more would likely be found (power 0.8)"
    assert likely in said.answer[1]


def test_with_a_margin_nothing_is_said() -> None:
    how = irpref.PairTest(margin=0.2, alternative="equivalent")
    assert "detectable" not in irpref.compare(*demo_paths(), "RPP").test("RPP", test=how)


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "bh", None])
def test_one_more_pair_is_tested_as_the_correction_says(correction: str | None) -> None:
    compared = irpref.compare(*demo_paths(), "LR")
    how = irpref.PairTest(method="sign", correction=correction)
    found = compared.test("LR", test=how)
    significant = int(found["significant"].sum())
    times = {"holm": 15 - significant, "bonferroni": 15, "bh": 15 / (significant + 1), None: 1}
    row = found[~found["significant"]].iloc[0]
    few = most_losses(int(row["used"]), 0.05 / times[correction])
    if few < 0:
        assert np.isnan(row["detectable"])
        return
    lost = (1 - row["detectable"] * row["topics"] / row["used"]) / 2
    assert binom.cdf(few, row["used"], lost) == pytest.approx(POWER)
